r"""Compact: the names once in a header, then a row a record; commas, RFC 4180 quoting, "\n" after each line.

The way back is the standard library's CSV parser, which knows quotes before it knows lines. Cells are text:
the format carries strings and nothing else. A number, a boolean or a nested value comes back as its JSON
text, and null as the empty string; `carry` says so, and the ladder reports it as a loss.
"""

from collections.abc import Iterable, Iterator

from measure.formats.base import Format, batches
from measure.records import RecordSet
from measure.rows import csv_rows
from measure.values import Value, minified

_NEEDS_QUOTES = frozenset(',"\r\n')


class Compact(Format):
    r"""Header and rows.

    >>> "".join(Compact().encode(RecordSet.of([{"id": "T-1", "name": "plan, then do"}])))
    'id,name\nT-1,"plan, then do"\n'
    """

    serialization = "compact"
    label = "compact"
    keeps_field_order = True
    cannot_carry = "types: numbers, booleans and nested values come back as text, null as the empty string"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yield _line(tuple(map(self.header_name, records.fields)))
        for batch in batches(records.rows()):
            yield "".join([_line(tuple(map(cell, row))) for row in batch])

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        rows = csv_rows(pieces, "the payload")
        fields = [self.field_name(name) for name in next(rows)]
        for row in rows:
            yield dict(zip(fields, row, strict=True))

    def carry(self, value: Value) -> str:
        """A cell is text, whatever it was."""
        return cell(value)

    def header_name(self, field: str) -> str:
        """What the header calls `field`."""
        return field

    def field_name(self, name: str) -> str:
        """The field that the header calls `name`."""
        return name


def cell(value: Value) -> str:
    """The text of a cell before quoting: a string as it is, null as nothing, the rest as minified JSON."""
    if type(value) is str:
        return value
    return "" if value is None else minified(value)


def _line(cells: tuple[str, ...]) -> str:
    text = ",".join(cells)
    # One look at the joined line settles the usual case: no quote, no line end, no comma but ours.
    if '"' in text or "\r" in text or text.count("\n") or text.count(",") != len(cells) - 1:
        text = ",".join(map(_quoted, cells))
    return (text or '""') + "\n"  # an empty line would be no row


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.intersection(text) else text
