r"""Compact: the names once in a header, then a row a record; commas, RFC 4180 quoting, "\n" after each line.

Null is an empty cell, the empty string is `""`: any reader of CSV takes both for empty text, ours tells them apart. A
cell with a space at an end stands in quotes too, as many a reader trims. Numbers, booleans and nested values are
written as JSON and come back as text; `carry` says so, and the ladder reports it as a loss.
"""

import re
from collections.abc import Iterable, Iterator

from measure.errors import BadInput
from measure.formats.base import Format, batches, keyed
from measure.records import RecordSet
from measure.rows import marked_rows
from measure.values import MISSING, Value, plain

_RISKY = re.compile('[,"\r\n]')


class Compact(Format):
    r"""Header and rows.

    >>> "".join(Compact().encode(RecordSet.of([{"id": "T-1", "name": "plan, then do"}])))
    'id,name\nT-1,"plan, then do"\n'
    """

    serialization = "compact"
    label = "compact"
    keeps_field_order = True
    cannot_carry = "types: numbers, booleans and nested values come back as text"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        header = [self.header_name(field) for field in records.fields]
        if len(set(header)) < len(header):
            raise BadInput(
                f"two columns under one name: {', '.join(header)}", right="each alias needs a name of its own"
            )
        yield _line(header)
        for batch in batches(records.rows()):
            yield "".join(map(_line, batch))

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        rows = marked_rows(pieces, "the payload")
        fields = [self.field_name(name or "") for name in next(rows, [])]
        return keyed(fields, rows)

    def carry(self, value: Value) -> Value:
        """A cell is text or null, whatever it was; null, too, where a sparse row has no such field."""
        return None if value is None or value is MISSING else plain(value)

    def header_name(self, field: str) -> str:
        """What the header calls `field`."""
        return field

    def field_name(self, name: str) -> str:
        """The field that the header calls `name`."""
        return name


def _cell(value: Value) -> str:
    if value is None or value is MISSING:
        return ""
    text = plain(value)
    if not text or text[0] == " " or text[-1] == " " or _RISKY.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def _line(cells: Iterable[Value]) -> str:
    return ",".join(map(_cell, cells)) + "\n"
