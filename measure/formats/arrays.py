"""Header and arrays: a JSON array whose first element is the array of names; then an array a row.

A table that any JSON reader takes, with every type kept; what a reader must know is that the first row is none.
"""

from collections.abc import Iterable, Iterator

from measure.errors import BadInput
from measure.formats.base import Format, batches, keyed
from measure.records import RecordSet
from measure.rows import JsonText
from measure.values import MISSING, TYPE_NAMES, Value, minified


class Arrays(Format):
    """Minified; the fields stand in the order of the projection.

    >>> "".join(Arrays().encode(RecordSet.of([{"id": 1, "done": False}, {"id": 2, "done": True}])))
    '[["id","done"],[1,false],[2,true]]'
    """

    serialization = "arrays"
    label = "JSON header and arrays"
    keeps_field_order = True
    cannot_carry = "a missing field: it comes back as null"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yield "[" + minified(list(records.fields))
        for batch in batches(records.rows()):
            yield "".join("," + minified(list(map(self.carry, row))) for row in batch)
        yield "]"

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        rows = _arrays(JsonText(pieces, "the payload"))
        names = next(rows)
        fields = [name for name in names if isinstance(name, str)]
        if len(fields) != len(names):
            raise BadInput("the first array holds something else than names", where="the payload")
        return keyed(fields, rows)

    def carry(self, value: Value) -> Value:
        """Every row is as long as the header, so that a missing value needs one in its place."""
        return None if value is MISSING else value


def _arrays(text: JsonText) -> Iterator[list[Value]]:
    if text.peek() != "[":
        raise text.error("not JSON: an array of arrays is needed")
    number, separator = 0, ","
    while separator == ",":
        text.skip()
        if text.peek() != "[":
            raise text.error("an array is needed: the header, or a row")
        value = text.value(number)
        if not isinstance(value, list):
            raise text.error(f"not an array but: {TYPE_NAMES[type(value)]}")
        yield value
        number += 1
        separator = text.peek()
    if separator != "]":
        raise text.error("not JSON: after an array a ',' or ']' is needed")
    text.skip()
    if text.peek():
        raise text.error("not JSON: text after the end of the array")
