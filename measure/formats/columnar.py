"""Columnar JSON: one object, each field an array of its values. Every name stands once, every type is kept.

Which value belongs to which row is told by its place alone: a reader has to count. Read whole, as the last
column is needed for the first row.
"""

from collections.abc import Iterable, Iterator

from measure.errors import BadInput
from measure.formats.base import Format, batches, keyed
from measure.records import RecordSet
from measure.rows import JsonText
from measure.values import MISSING, TYPE_NAMES, Value, minified


class Columnar(Format):
    """Minified, names sorted.

    >>> "".join(Columnar().encode(RecordSet.of([{"id": 1, "done": False}, {"id": 2, "done": True}])))
    '{"done":[false,true],"id":[1,2]}'
    """

    serialization = "columnar"
    label = "columnar JSON"
    cannot_carry = "a missing field: it comes back as null"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        before = "{"
        for field in self.order(records):
            yield f"{before}{minified(field)}:["
            between = ""
            for batch in batches(records.rows([field])):
                yield between + ",".join(minified(self.carry(value)) for (value,) in batch)
                between = ","
            before = "],"
        yield "]}"

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        text = JsonText(pieces, "the payload")
        if text.peek() != "{":
            raise text.error("not columnar JSON: an object of arrays is needed")
        columns = text.value(0)
        if text.peek():
            raise text.error("not JSON: text after the end of the object")
        if not isinstance(columns, dict) or not columns:
            raise BadInput("an object without a column", where="the payload")
        found: list[list[Value]] = []
        for field, column in columns.items():
            if not isinstance(column, list):
                kind = TYPE_NAMES[type(column)]
                raise BadInput(f"the column {field!r} is not an array but: {kind}", where="the payload")
            if found and len(column) != len(found[0]):
                raise BadInput(
                    f"the column {field!r} has {len(column):,} values, the first {len(found[0]):,}", where="the payload"
                )
            found.append(column)
        yield from keyed(list(columns), zip(*found, strict=True))

    def carry(self, value: Value) -> Value:
        """Every column is as long as the others, so that a missing value needs one in its place."""
        return None if value is MISSING else value
