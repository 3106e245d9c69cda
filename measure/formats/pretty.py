"""Pretty JSON: what many tools print, and what people paste. Two spaces of indent, keys sorted, no final newline."""

from collections.abc import Iterable, Iterator

from measure.formats.base import Format
from measure.formats.json_template import decoded, inside_pretty, written, written_sparse
from measure.records import RecordSet
from measure.values import Value, pretty, template_name


class Pretty(Format):
    r"""The text of `json.dumps(records, indent=2, sort_keys=True, ensure_ascii=False)`.

    >>> "".join(Pretty().encode(RecordSet.of([{"id": 1}])))
    '[\n  {\n    "id": 1\n  }\n]'
    """

    serialization = "pretty"
    label = "pretty JSON"
    cannot_carry = "nothing"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        if not len(records):
            yield "[]"
            return
        order = self.order(records)
        template = "  {\n" + ",\n".join(f"    {template_name(field)}: %s" for field in order) + "\n  }"
        before = "[\n"
        if records.sparse:
            filled = written_sparse(records, order, _indented)
        else:
            filled = written(records, order, template, inside_pretty)
        for batch in filled:
            yield before + ",\n".join(batch)
            before = ",\n"
        yield "\n]"

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        return decoded(pieces)


def _indented(record: Value) -> str:
    return "  " + pretty(record).replace("\n", "\n  ")
