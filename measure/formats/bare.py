"""Which text may stand without quotes where numbers, booleans and null do too, and what a bare word says.

Shared by the formats that keep types without quoting every string.
"""

import json
import re

from measure.errors import BadInput
from measure.rows import RepeatedKey, raw_decode
from measure.values import Value

WORDS: dict[str, Value] = {"null": None, "true": True, "false": False}

# Wider than JSON's grammar: others read "0700", "+861" and ".5" as numbers, too.
_LIKE_A_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def stays_text(text: str) -> bool:
    r"""Whether bare `text` is read as that text: no other value, nothing that a reader would trim or cut.

    >>> [stays_text(text) for text in ("open", "T-42", "42", "0700", "true", "", " x", "[1]", "a\nb")]
    [True, True, False, False, False, False, False, False, False]
    """
    return not (
        not text
        or text in WORDS
        or text[0] in '"[{'
        or text != text.strip()
        or "\n" in text
        or "\r" in text
        or _LIKE_A_NUMBER.fullmatch(text)
    )


def bare_value(text: str) -> Value:
    """What a bare word says: null, a boolean, a number as JSON writes it, or its own text.

    >>> [bare_value(text) for text in ("open", "42", "1.5", "true", "null")]
    ['open', 42, 1.5, True, None]

    Raises:
        BadInput: an integer with too many digits.
    """
    if text in WORDS:
        return WORDS[text]
    return json_at(text)[0] if _NUMBER.fullmatch(text) else text


def json_at(text: str, at: int = 0) -> tuple[Value, int]:
    """The JSON value that starts at `at`, and where it ends.

    Raises:
        BadInput: not JSON, a key twice in an object, nested too deeply, or an integer with too many digits.
    """
    try:
        value, end = raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise BadInput(f"character {error.pos + 1}: not JSON: {error.msg}") from None
    except RepeatedKey as error:
        raise BadInput(str(error)) from None
    except RecursionError:
        raise BadInput("nested too deeply") from None
    except ValueError:  # the interpreter's limit on the digits of an integer
        raise BadInput("an integer has too many digits") from None
    return value, end
