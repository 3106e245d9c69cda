"""Minified JSON: the same document without white space. The honest baseline for every other format."""

from collections.abc import Iterable, Iterator

from measure.formats.base import Format
from measure.formats.json_template import decoded, written, written_sparse
from measure.records import RecordSet
from measure.values import Value, minified, template_name


class Minified(Format):
    """The text of `json.dumps(records, separators=(",", ":"), sort_keys=True, ensure_ascii=False)`.

    >>> "".join(Minified().encode(RecordSet.of([{"id": 1, "done": False}])))
    '[{"done":false,"id":1}]'
    """

    serialization = "minified"
    label = "minified JSON"
    cannot_carry = "nothing"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        if not len(records):
            yield "[]"
            return
        order = self.order(records)
        template = "{" + ",".join(f"{template_name(field)}:%s" for field in order) + "}"
        before = "["
        if records.sparse:
            filled = written_sparse(records, order, minified)
        else:
            filled = written(records, order, template, minified)
        for batch in filled:
            yield before + ",".join(batch)
            before = ","
        yield "]"

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        return decoded(pieces)
