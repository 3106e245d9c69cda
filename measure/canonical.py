"""The one way in which a result is written as JSON: two spaces of indent, raw UTF-8, a final line feed.

Fields stand in the order of their declaration. What `--json` prints and what lies in results/ have the same form.
"""

import json

import msgspec


def canonical(value: object) -> bytes:
    r"""`value` (a struct, or what JSON knows) as the bytes of a result.

    >>> canonical({"tokens": 9})
    b'{\n  "tokens": 9\n}\n'
    """
    plain = msgspec.to_builtins(value)
    return (json.dumps(plain, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()
