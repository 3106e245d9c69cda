"""JSON lines: a minified object a line. What logs and data sets use, and what can be cut at any line."""

from collections.abc import Iterable, Iterator

from measure.formats.base import Format
from measure.formats.json_template import written, written_sparse
from measure.records import RecordSet
from measure.rows import json_rows
from measure.values import Value, minified, template_name


class JsonLines(Format):
    r"""A record a line, its keys sorted, "\n" after each.

    >>> "".join(JsonLines().encode(RecordSet.of([{"id": 1, "done": False}, {"id": 2, "done": True}])))
    '{"done":false,"id":1}\n{"done":true,"id":2}\n'
    """

    serialization = "jsonl"
    label = "JSON lines"
    cannot_carry = "nothing"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        order = self.order(records)
        if records.sparse:
            filled = written_sparse(records, order, minified)
        else:
            template = "{" + ",".join(f"{template_name(field)}:%s" for field in order) + "}"
            filled = written(records, order, template, minified)
        for batch in filled:
            yield "\n".join(batch) + "\n"

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        return json_rows(pieces, "the payload", arrays=False)
