r"""Key-value blocks: a line `field: value` a field, a blank line between records. How a person would write it.

A bare value says its type as in `Typed`: `null`, `true`, a number, else text. What would be read otherwise stands
as a JSON string, and so does a name that has a colon in it. Nested values are minified JSON. A record without a
field is the line `{}`.
"""

from collections.abc import Iterable, Iterator

from measure.errors import BadInput
from measure.formats.bare import bare_value, json_at, stays_text
from measure.formats.base import Format, batches
from measure.records import RecordSet
from measure.rows import lines
from measure.values import Value, minified

_EMPTY = "{}\n"


class KeyValue(Format):
    r"""A block a record; every value comes back with its type.

    >>> "".join(KeyValue().encode(RecordSet.of([{"id": 1, "code": "0700"}, {"id": 2, "code": None}])))
    'id: 1\ncode: "0700"\n\nid: 2\ncode: null\n'
    """

    serialization = "key_value"
    label = "key: value blocks"
    keeps_field_order = True
    cannot_carry = "nothing"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        order = self.order(records)
        names = {field: _name(field) for field in order}
        before = ""
        for batch in batches(records.present(order)):
            blocks = ("".join(f"{names[field]}: {_value(value)}\n" for field, value in row.items()) for row in batch)
            yield before + "\n".join(block or _EMPTY for block in blocks)
            before = "\n"

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        record: dict[str, Value] | None = None
        number = 0
        for number, line in enumerate(lines(pieces), start=1):
            if line == "\n":
                if record is None:
                    raise _error(number, "a blank line without a record before it")
                yield record
                record = None
            elif line == _EMPTY and record is None:
                record = {}
            else:
                field, value = _member(line.removesuffix("\n"), number)
                record = {} if record is None else record
                if field in record:
                    raise _error(number, f"the field {field!r} stands twice in one record")
                record[field] = value
        if record is not None:
            yield record
        elif number:
            raise _error(number, "a blank line at the end")


def _name(field: str) -> str:
    return field if stays_text(field) and ":" not in field else minified(field)


def _value(value: Value) -> str:
    return value if isinstance(value, str) and stays_text(value) else minified(value)


def _member(line: str, number: int) -> tuple[str, Value]:
    """The field and the value in one line."""
    try:
        if line.startswith('"'):
            name, at = json_at(line)
        else:
            at = max(line.find(":"), 0)
            name = line[:at]
        if line[at : at + 2] != ": " or at == 0:
            raise BadInput("no 'field: value'")
        text = line[at + 2 :]
        if text[:1] not in ('"', "[", "{"):
            return str(name), bare_value(text)
        value, end = json_at(text)
        if end != len(text):
            raise BadInput("text after the end of the value")
    except BadInput as error:
        raise _error(number, str(error)) from None
    return str(name), value


def _error(number: int, what: str) -> BadInput:
    return BadInput(f"line {number}: {what}", where="the payload")
