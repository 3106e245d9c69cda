"""Rows out of text that arrives in pieces: JSON arrays, JSON lines, CSV.

Both sides of the package need this: a user's file is read with it, and every payload is decoded back with
it. The parsers are the standard library's (`json`, `csv`); what is added here is that a text need never be
whole in memory, and that an error names its line and column.

Stricter than `json.loads`: a key twice in one object is an error, because one of the two values would vanish.
NaN and the infinities get through here, and are refused by `records` with their row and field.
"""

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator

from measure.errors import BadInput
from measure.values import TYPE_NAMES, Value, repeated

Record = dict[str, Value]

_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^",]*))(?=,|\Z)')
_SPACE = re.compile(r"[ \t\r\n]*")
csv.field_size_limit(sys.maxsize)  # a payload's cell may be longer than csv's default of 128 KB


class RepeatedKey(ValueError):
    """Raised inside the JSON parser, which knows no rows."""


def _unique(pairs: list[tuple[str, Value]]) -> Record:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise RepeatedKey(f"the key {repeated([key for key, _ in pairs])!r} stands twice in one object")
    return record


def _of(row: int) -> str:
    return f"row {row}: " if row else ""


raw_decode = json.JSONDecoder(object_pairs_hook=_unique).raw_decode


class JsonText:
    """JSON text read from the front, piece by piece; it knows the line and column where it stands."""

    def __init__(self, pieces: Iterable[str], where: str = "") -> None:
        self._pieces = iter(pieces)
        self._where = where
        self._text = ""
        self._at = 0
        self._line, self._column = 1, 1  # of the first character of _text

    def peek(self) -> str:
        """The next character that is not white space, or "" at the end; it stays unread."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def skip(self) -> None:
        """Step over the character that `peek` showed."""
        self._at += 1

    def value(self, row: int) -> Value:
        """The JSON value that starts here; `row` is for the message, 0 where the value is no row.

        Raises:
            BadInput: not JSON, with line and column.
        """
        while True:
            try:
                value, self._at = raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                # The text may merely end too early. Only then is it worth reading on.
                early = error.msg.startswith("Unterminated string") or error.pos > len(self._text) - 16
                if not (early and self._more()):
                    raise self.error(f"not JSON: {error.msg}", error.pos) from None
            except RepeatedKey as error:
                raise BadInput(f"{_of(row)}{error}", where=self._where) from None
            except RecursionError:
                raise BadInput(f"{_of(row)}nested too deeply", where=self._where) from None
            except ValueError:  # the interpreter's limit on the digits of an integer
                raise BadInput(f"{_of(row)}an integer has too many digits", where=self._where) from None
            else:
                return value  # type: ignore[no-any-return]

    def error(self, what: str, at: int | None = None, right: str = "") -> BadInput:
        """The error `what` at `at` (by default: here), with line and column."""
        before = self._text[: self._at if at is None else at]
        lines = before.count("\n")
        line = self._line + lines
        column = len(before) - before.rfind("\n") if lines else self._column + len(before)
        return BadInput(f"line {line}, column {column}: {what}", where=self._where, right=right)

    def _more(self) -> bool:
        """Drop what was read and add at least as much as is left; False, and nothing changed, at the end."""
        read, left = self._text[: self._at], self._text[self._at :]
        added, length = [left], 0
        for piece in self._pieces:
            added.append(piece)
            length += len(piece)
            if length > len(left):
                break
        if not length:
            return False
        lines = read.count("\n")
        self._column = len(read) - read.rfind("\n") if lines else self._column + len(read)
        self._line += lines
        self._text, self._at = "".join(added), 0
        return True


def json_rows(pieces: Iterable[str], where: str = "", arrays: bool = True) -> Iterator[Record]:
    """The objects of a JSON array, or one after the other (JSON lines), whichever the text holds.

    Without `arrays` only the second is right.

    Raises:
        BadInput: not JSON (line and column), a row that is no object, text after the end.
    """
    text = JsonText(pieces, where)
    array = arrays and text.peek() == "["
    if array:
        text.skip()
    number, ended = 0, array and text.peek() == "]"
    while not ended and (array or text.peek()):
        number += 1
        text.peek()
        value = text.value(number)
        if not isinstance(value, dict):
            kind = TYPE_NAMES[type(value)]
            raise BadInput(
                f"row {number} is not an object but: {kind}",
                where=where,
                right='each row must be an object such as {"id": 1}',
            )
        yield value
        if array:
            separator = text.peek()
            if separator not in (",", "]"):
                found = f"found {separator!r}" if separator else "the text ends"
                raise text.error(f"not JSON: after row {number} a ',' or ']' is needed, {found}")
            ended = separator == "]"
            if not ended:
                text.skip()
    if array:
        text.skip()
        if text.peek():
            raise text.error("not JSON: text after the end of the array")


def csv_rows(pieces: Iterable[str], where: str = "", delimiter: str = ",") -> Iterator[list[str]]:
    """The rows of a CSV text (RFC 4180, or with another delimiter), header first; each has as many cells.

    Raises:
        BadInput: a broken quote, a field twice in the header, a row of another length; with the row.
    """
    reader = csv.reader(lines(pieces), delimiter=delimiter, strict=True)
    width = 0
    try:
        # A blank line is no row: a row with one empty cell is written "" and comes as [""].
        for number, cells in enumerate(filter(None, reader)):
            if number == 0:
                width = len(cells)
                _check_header(cells, where)
            elif len(cells) != width:
                raise BadInput(
                    f"row {number} (line {reader.line_num}): {len(cells)} of {width} cells",
                    where=where,
                    right="each row needs as many as the header",
                )
            yield cells
    except csv.Error as error:
        what = "a lone carriage return" if "new-line" in str(error) else str(error)
        raise BadInput(f"line {reader.line_num}: not CSV: {what}", where=where) from None


def marked_rows(pieces: Iterable[str], where: str = "") -> Iterator[list[str | None]]:
    """The rows of a CSV text in which an empty cell without quotes is null, and one with quotes is text.

    The `csv` module does not tell the two apart. An empty line is a row with one null.

    Raises:
        BadInput: a broken quote; with the row and character.
    """
    for number, line in enumerate(_whole_rows(pieces), start=1):
        if '"' not in line:
            yield [cell or None for cell in line.split(",")]
            continue
        cells: list[str | None] = []
        at = 0
        while at <= len(line):
            found = _CELL.match(line, at)
            if found is None:
                raise BadInput(f"row {number}, character {at + 1}: a broken quote", where=where)
            quoted, bare = found.groups()
            cells.append(bare or None if quoted is None else quoted.replace('""', '"'))
            at = found.end() + 1
        yield cells


def _whole_rows(pieces: Iterable[str]) -> Iterator[str]:
    """Rows without their line feed; one inside quotes ends no row, and there the number of quotes is odd."""
    held = ""
    for line in lines(pieces):
        held += line
        if held.count('"') % 2 == 0:
            yield held.removesuffix("\n")
            held = ""
    if held:
        yield held


def _check_header(cells: list[str], where: str) -> None:
    twice = repeated(cells)
    if twice is not None:
        raise BadInput(f"the header names the field {twice!r} twice", where=where)


def lines(pieces: Iterable[str]) -> Iterator[str]:
    """Lines with their line feed; a carriage return ends none, as it may stand inside quotes."""
    held: list[str] = []
    for piece in pieces:
        held.append(piece)
        if "\n" in piece:
            *whole, rest = "".join(held).split("\n")
            yield from (line + "\n" for line in whole)
            held = [rest]
    last = "".join(held)
    if last:
        yield last
