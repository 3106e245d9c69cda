r"""Shared by the ordinary dialects of delimited text: header, rows, a delimiter, quotes where they are needed.

As tools write them: no type, and nothing that tells null from empty text. `carry` says so for every value, and
whoever counts such a text reports it. `Compact` and `Typed` are the dialects that lose less.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import ClassVar

from measure.formats.base import Format, batches, keyed
from measure.records import RecordSet
from measure.rows import csv_rows
from measure.values import MISSING, Value, plain


class Delimited(Format):
    """Written and read by the standard library's `csv`; a dialect is a subclass that names its delimiter."""

    delimiter: ClassVar[str]
    keeps_field_order = True
    cannot_carry = (
        "types, nor null or a missing field apart from empty text: numbers, booleans and nested values come back as"
        " text, null as empty text"
    )

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yield from self.lines([records.fields])
        for batch in batches(records.rows()):
            yield "".join(self.lines(map(_text, row) for row in batch))

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        rows = csv_rows(pieces, "the payload", self.delimiter)
        return keyed(next(rows, []), rows)

    def carry(self, value: Value) -> Value:
        """A cell is text, whatever it was."""
        return _text(value)

    def lines(self, rows: Iterable[Iterable[str]]) -> Iterator[str]:
        r"""The rows as lines.

        The writer is told that lines end with "\r\n", which makes every version of Python quote a lone "\r".
        """
        taken = _Lines()
        csv.writer(taken, delimiter=self.delimiter, lineterminator="\r\n").writerows(rows)
        return (line[:-2] + "\n" for line in taken)


class _Lines(list[str]):
    """What `csv` writes to: it hands over a line at a time."""

    write = list.append


def _text(value: Value) -> str:
    return "" if value is None or value is MISSING else plain(value)
