"""JSON values: their types' names, equality that minds the type, what cannot be written, and their text.

Text is written by the standard library, value by value. Records are flat and have the same names in each row,
so whoever writes many of them makes a template of the names once (`template_name`) and fills in the values.
"""

import json
import math
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Any, Final

from measure.errors import BadInput

MAX_BITS = 4_000  # Python writes no integer of more than 4,300 digits; this is some 1,200
MAX_DEPTH = 100  # far below where Python's own recursion ends


class _Missing:
    """The type of `MISSING`; a copy of it is the same object, so that `is` holds."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "missing"

    def __reduce__(self) -> str:
        return "MISSING"


MISSING: Final[Any] = _Missing()  # stands where a row of a sparse set has no such field; no JSON value

TYPE_NAMES: dict[type, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
    list: "array",
    dict: "object",
    _Missing: "missing",
}

_MINIFIED = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
_PRETTY = json.JSONEncoder(ensure_ascii=False, sort_keys=True, indent=2).encode

Value = str | int | float | bool | None | list["Value"] | dict[str, "Value"]


def identical(left: Value, right: Value) -> bool:
    """Equal in value *and* type, all the way down: 1 is not 1.0, nor is 0.0 the same as -0.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float) and isinstance(right, float):
        return left.hex() == right.hex()
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(identical, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(identical(left[k], right[k]) for k in left)
    return left == right


def check_value(value: object, place: str, where: str = "", depth: int = 0) -> None:
    """Refuse what JSON text in UTF-8 cannot carry; subclasses of JSON's types too, which would not read back.

    Raises:
        BadInput: NaN, an infinity, a lone surrogate, nesting beyond `MAX_DEPTH`, or what is no JSON value.
    """
    if depth >= MAX_DEPTH and isinstance(value, list | dict):
        raise BadInput(f"{place}: nested too deeply", where=where, right=f"{MAX_DEPTH} levels are the limit")
    if type(value) not in TYPE_NAMES or value is MISSING:
        raise BadInput(f"{place}: a {type(value).__name__} is not a JSON value", where=where)
    if isinstance(value, str):
        lone = next((c for c in value if "\ud800" <= c <= "\udfff"), None)
        if lone:
            raise BadInput(
                f"{place}: a lone surrogate (U+{ord(lone):04X})",
                where=where,
                right="text that UTF-8 can write is needed",
            )
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise BadInput(
                f"{place}: {value} is not a finite number",
                where=where,
                right="JSON has no such value; null would do",
            )
    elif isinstance(value, dict):
        for key, inner in value.items():
            if type(key) is not str:
                raise BadInput(f"{place}: the key {key!r} is not text", where=where)
            check_value(key, place, where)
            check_value(inner, place, where, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            check_value(inner, place, where, depth + 1)
    elif isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise BadInput(f"{place}: an integer has too many digits", where=where)


def repeated(names: Sequence[str]) -> str | None:
    """The first name that stands a second time; None where each stands once.

    >>> repeated(["id", "name", "id"]), repeated(["id", "name"])
    ('id', None)
    """
    if len(set(names)) == len(names):
        return None
    seen: set[str] = set()
    return next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def minified(value: Value) -> str:
    """`value` as JSON without white space, keys sorted, raw UTF-8.

    >>> minified({"b": 1, "a": ["é", None]})
    '{"a":["é",null],"b":1}'
    """
    if type(value) is str:
        return encode_basestring(value)
    return _MINIFIED(value)


def plain(value: Value) -> str:
    """`value` without the quotes of a string: its text, or what `minified` makes of it.

    >>> plain("open"), plain(3), plain(None)
    ('open', '3', 'null')
    """
    return value if isinstance(value, str) else minified(value)


def pretty(value: Value) -> str:
    """`value` as JSON with two spaces of indent, keys sorted, raw UTF-8."""
    if type(value) is str:
        return encode_basestring(value)
    return _PRETTY(value) if isinstance(value, list | dict) else _MINIFIED(value)


def template_name(field: str) -> str:
    """`field` as a JSON string, safe inside a template that is filled by `%`."""
    return encode_basestring(field).replace("%", "%%")
