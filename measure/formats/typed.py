r"""Typed compact: rows between commas that lose nothing, with quotes only where a type would be lost.

A bare cell says what it is: `null`, `true`, `false`, a number as in JSON; anything else is text. Text that would
be read as one of these (or as a number by a reader that is less strict: `0700`, `+861`, `.5`) stands in quotes,
and so does text that is empty, has white space at an end, starts like JSON, or has a comma, a quote, a line feed
or a carriage return in it. Quotes are doubled inside, as in CSV. Nested values are minified JSON. A cell with
nothing in it is a field that the row does not have.

Read whole: a quote inside JSON is none of the table's, so lines cannot be told apart by counting quotes.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from measure.errors import BadInput
from measure.formats.bare import bare_value, json_at, stays_text
from measure.formats.base import Format, batches
from measure.records import RecordSet
from measure.values import MISSING, Value, minified

_QUOTED = re.compile('"((?:[^"]|"")*+)"')
_RISKY = re.compile('[,"\r\n]')
_BARE = re.compile('[^,"\r\n]*')


class Typed(Format):
    r"""Header and rows; every value comes back with its type.

    >>> records = RecordSet.of([{"id": 7, "code": "0700", "note": "plan, then do", "tags": ["a"]}])
    >>> "".join(Typed().encode(records))
    'id,code,note,tags\n7,"0700","plan, then do",["a"]\n'
    """

    serialization = "typed"
    label = "typed compact"
    keeps_field_order = True
    cannot_carry = "nothing"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yield ",".join(map(_header_cell, records.fields)) + "\n"
        for batch in batches(records.rows()):
            yield "".join(",".join(map(_cell, row)) + "\n" for row in batch)

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        text = "".join(pieces)
        header, at = _row(text, 0, "the header", _name)
        fields = list(map(str, header))
        if len(set(fields)) < len(fields):
            raise BadInput(f"the header names a field twice: {', '.join(fields)}", where="the payload")
        number = 0
        while at < len(text):
            number += 1
            row, at = _row(text, at, f"row {number}", _value)
            if len(row) != len(fields):
                raise BadInput(f"row {number}: {len(row)} of {len(fields)} cells", where="the payload")
            yield {field: value for field, value in zip(fields, row, strict=True) if value is not MISSING}


Read = Callable[[str, int], tuple[Value, int]]


def _row(text: str, at: int, place: str, read: Read) -> tuple[list[Value], int]:
    """The cells of the row that starts at `at`, and where the next one starts."""
    start, row = at, []
    while True:
        try:
            value, at = read(text, at)
        except BadInput as error:
            raise BadInput(f"{place}: {error}", where="the payload") from None
        row.append(value)
        end = text[at : at + 1]
        if end not in ("", ",", "\n"):
            raise BadInput(
                f"{place}, character {at - start + 1}: {end!r} after the end of a cell",
                where="the payload",
                right="a comma or a line feed is needed",
            )
        at += 1
        if end != ",":
            return row, at


def _value(text: str, at: int) -> tuple[Value, int]:
    """The value of the cell that starts at `at`, and where the cell ends."""
    if text[at : at + 1] in ("[", "{"):
        return json_at(text, at)
    quoted = _quoted(text, at)
    if quoted is not None:
        return quoted
    end = _bare_end(text, at)
    return bare_value(text[at:end]) if end > at else MISSING, end


def _name(text: str, at: int) -> tuple[Value, int]:
    """As `_value`, for a cell of the header: its text, whatever it looks like."""
    quoted = _quoted(text, at)
    if quoted is not None:
        return quoted
    end = _bare_end(text, at)
    if end == at:
        raise BadInput("a name is empty")
    return text[at:end], end


def _quoted(text: str, at: int) -> tuple[str, int] | None:
    if text[at : at + 1] != '"':
        return None
    found = _QUOTED.match(text, at)
    if found is None:
        raise BadInput("a quote without its end")
    return found[1].replace('""', '"'), found.end()


def _bare_end(text: str, at: int) -> int:
    found = _BARE.match(text, at)
    return found.end() if found else at


def _cell(value: Value) -> str:
    if value is MISSING:
        return ""
    if not isinstance(value, str):
        return minified(value)
    return value if "," not in value and '"' not in value and stays_text(value) else _in_quotes(value)


def _header_cell(name: str) -> str:
    return name if name and name == name.strip() and not _RISKY.search(name) else _in_quotes(name)


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
