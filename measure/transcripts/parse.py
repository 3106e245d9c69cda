"""JSON that another program wrote, read with its place: every loader must say what is wrong, and where.

`read` makes values out of bytes (one document, or one value a line), `Node` gives typed access to them, and `Tally`
keeps account of what a loader leaves out. Stricter than `json.loads`, as rows are: a key twice in one object is an
error, since one of the two values would vanish. Not handled: other encodings than UTF-8, compressed files.
"""

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from measure.errors import BadInput
from measure.reading import text_pieces
from measure.rows import RepeatedKey, raw_decode
from measure.values import TYPE_NAMES, check_value

_SPACE = " \t\r\n"
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def json_text(value: Any) -> str:
    """`value` as JSON without white space, members in their own order, raw UTF-8: as clients send it.

    >>> json_text({"b": 1, "a": ["é"]})
    '{"b":1,"a":["é"]}'
    """
    return _ENCODE(value)


class Tally:
    """What a loader leaves out, and how often; and whether it may leave out what it does not know."""

    def __init__(self, lenient: bool) -> None:
        self.lenient = lenient
        self._counts: dict[str, int] = {}

    def leave_out(self, what: str, times: int = 1) -> None:
        """Count one thing, or several, that was left out on purpose."""
        self._counts[what] = self._counts.get(what, 0) + times

    @property
    def left_out(self) -> tuple[tuple[str, int], ...]:
        """Everything counted, in the order in which it came."""
        return tuple(self._counts.items())


class Node:
    """A JSON value with its place, and the account of what is left out of its transcript.

    The getters take a key of an object; where it has another type, or is missing, the error says so with the place.
    """

    __slots__ = ("place", "tally", "value", "where")

    def __init__(self, value: Any, where: str, place: str, tally: Tally) -> None:
        self.value, self.where, self.place, self.tally = value, where, place, tally

    def with_value(self, value: Any) -> "Node":
        """Another value at the same place."""
        return Node(value, self.where, self.place, self.tally)

    def on(self, tally: Tally) -> "Node":
        """The same value on another account."""
        return Node(self.value, self.where, self.place, tally)

    def leave_out(self, what: str, right: str) -> None:
        """Leave out what nobody here knows, where that is allowed.

        Raises:
            BadInput: it is not.
        """
        if not self.tally.lenient:
            raise self.error(what, right)
        self.tally.leave_out(what)

    def error(self, what: str, right: str = "") -> BadInput:
        """The error `what`, with file and place."""
        return BadInput(f"{self.place}: {what}" if self.place else what, where=self.where, right=right)

    def object(self) -> "Node":
        """The same node, which is an object."""
        if not isinstance(self.value, dict):
            raise self.error(f"not an object but: {TYPE_NAMES[type(self.value)]}")
        return self

    def get(self, key: str) -> Any:
        """The plain value; None where it is missing, or where this is no object."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def text(self, key: str, default: str | None = None) -> str:
        """A string that UTF-8 can write; `default` where it is missing or null."""
        found: str = self._typed(key, str, "a string", default)
        if not found.isascii():
            check_value(found, self.place or "the document", self.where)
        return found

    def json(self) -> str:
        """This value as JSON text.

        Raises:
            BadInput: a lone surrogate, a number that is not finite, too deep a nesting.
        """
        check_value(self.value, self.place or "the document", self.where)
        return json_text(self.value)

    def integer(self, key: str) -> int:
        """A count; 0 where it is missing or null."""
        found: int = self._typed(key, int, "an integer", 0)
        if found < 0 or isinstance(found, bool):
            raise self.error(f"the field {key!r} is {json_text(found)}", "a count is needed")
        return found

    def child(self, key: str) -> "Node":
        """An object inside this one; its place is this one's."""
        return self.with_value(self._typed(key, dict, "an object", None))

    def maybe(self, key: str) -> "Node | None":
        """The same, or None where it is missing or null."""
        return None if self.get(key) is None else self.child(key)

    def inner(self, key: str) -> "Node":
        """The same, or an empty object where it is missing or null."""
        return self.maybe(key) or self.with_value({})

    def items(self, key: str, name: str) -> list["Node"]:
        """The objects of an array, each with its place ("block 2"); none where it is missing or null."""
        return [item.object() for item in self.with_value(self._typed(key, list, "an array", [])).each(name)]

    def each(self, name: str) -> Iterator["Node"]:
        """The values of this array, each with its place."""
        before = f"{self.place}, " if self.place else ""
        for number, value in enumerate(self.value, start=1):
            yield Node(value, self.where, f"{before}{name} {number}", self.tally)

    def time(self, key: str) -> float | None:
        """An ISO time as seconds since 1970, UTC where it names no zone; None where it is missing or null."""
        text = self.text(key, "")
        try:
            found = datetime.fromisoformat(text) if text else None
        except ValueError:
            raise self.error(f"{key!r} is {text[:40]!r}", "a time such as 2026-01-31T12:00:00Z is needed") from None
        if found is None:
            return None
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()

    def _typed(self, key: str, kind: type, name: str, default: Any) -> Any:
        found = self.object().value.get(key)
        if found is None:
            if default is None:
                raise self.error(f"the field {key!r} is missing", f"{name} is needed")
            return default
        if not isinstance(found, kind):
            raise self.error(f"the field {key!r} is not {name} but: {TYPE_NAMES[type(found)]}")
        return found


class Source(NamedTuple):
    """A file's values: one document, or, with `lines`, one value a line; `broken` lines were left out."""

    where: str
    values: tuple[Node, ...]
    lines: bool
    lenient: bool
    broken: int = 0


def read(data: bytes, where: str, lenient: bool, right: str) -> Source:
    """The JSON values in `data`; `right` says in an error what was expected of the file.

    Raises:
        BadInput: empty, not UTF-8 text, not JSON; with line and column. A broken line is left out where `lenient`.
    """
    text = "".join(text_pieces(io.BytesIO(data), where))
    if not text.strip(_SPACE):
        raise BadInput("the file is empty", where=where, right=right)
    whole = _decoded(text, where, 1, lenient)
    if isinstance(whole, Node):
        whole.place = ""
        return Source(where, (whole,), False, lenient)
    rows = [(number, row) for number, row in enumerate(text.split("\n"), start=1) if row.strip(_SPACE)]
    values = [_decoded(row, where, number, lenient) for number, row in rows]
    objects = [isinstance(value, Node) and isinstance(value.value, dict | list) for value in values]
    if not (len(rows) > 1 and (objects[0] or (text.lstrip(_SPACE)[0] == "{" and 2 * sum(objects) >= len(rows)))):
        raise BadInput(str(whole), where=where, right=right)
    good = tuple(value for value in values if isinstance(value, Node))
    if len(good) < len(values) and not lenient:
        broken = next(value for value in values if not isinstance(value, Node))
        raise BadInput(str(broken), where=where, right="each line must hold one JSON value")
    return Source(where, good, True, lenient, len(values) - len(good))


def _decoded(text: str, where: str, line: int, lenient: bool) -> Node | ValueError:
    """The one value in `text`, which starts at `line`; or what is wrong with it, with its line and column."""
    start = len(text) - len(text.lstrip(_SPACE))
    try:
        value, end = raw_decode(text, start)
    except json.JSONDecodeError as error:
        return ValueError(f"line {line + error.lineno - 1}, column {error.colno}: not JSON: {error.msg}")
    except RepeatedKey as error:
        return ValueError(f"line {line}: {error}")
    except RecursionError:
        return ValueError(f"line {line}: nested too deeply")
    except ValueError:  # the interpreter's limit on the digits of an integer
        return ValueError(f"line {line}: an integer has too many digits")
    if text[end:].strip(_SPACE):
        lines = text.count("\n", 0, end)
        column = end - text.rfind("\n", 0, end)
        return ValueError(f"line {line + lines}, column {column}: not JSON: text after the end")
    return Node(value, where, f"line {line}", Tally(lenient))
