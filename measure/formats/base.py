"""What a format promises: text out, the records back, and a plain word on what it cannot carry."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import ClassVar, TypeVar

from measure.errors import BadInput
from measure.records import RecordSet
from measure.values import TYPE_NAMES, Value

T = TypeVar("T")

ROWS_A_PIECE = 500


class Format(ABC):
    """One representation. Text travels in pieces, so that no payload need be whole in memory.

    `decode(encode(records))` gives the same records in the same order, each value as `carry` says.
    """

    serialization: ClassVar[str]  # the word that stands in results
    label: ClassVar[str]  # the word that stands in tables
    keeps_field_order: ClassVar[bool] = False  # the order of the projection, or sorted names
    cannot_carry: ClassVar[str]  # for the reader: what is lost, or "nothing"

    @abstractmethod
    def encode(self, records: RecordSet) -> Iterator[str]:
        """The text, in pieces; where it is divided means nothing."""

    @abstractmethod
    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """The records in a text of this format.

        Raises:
            BadInput: not a text of this format.
        """

    def carry(self, value: Value) -> Value:
        """What `value` is after encode and decode: itself, unless the format cannot carry it.

        `MISSING` stays itself where the format writes nothing for a field that a sparse row does not have.
        """
        return value

    def order(self, records: RecordSet) -> list[str]:
        """The order in which this format writes the fields."""
        return list(records.fields) if self.keeps_field_order else sorted(records.fields)


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """`items` in lists of `ROWS_A_PIECE`."""
    remaining = iter(items)
    while batch := list(islice(remaining, ROWS_A_PIECE)):
        yield batch


def keyed(fields: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[dict[str, Value]]:
    """The rows of a table as records; `fields` is its header.

    Raises:
        BadInput: no header, a name twice in it, or a row of another length; with the row.
    """
    if not fields:
        raise BadInput("no header", where="the payload")
    if len(set(fields)) < len(fields):
        raise BadInput(f"the header names a field twice: {', '.join(fields)}", where="the payload")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(fields):
            raise BadInput(f"row {number}: {len(row)} of {len(fields)} cells", where="the payload")
        yield dict(zip(fields, row, strict=True))


def objects(found: object) -> Iterator[dict[str, Value]]:
    """The records in a document that was read whole: an array of objects.

    Raises:
        BadInput: something else; with the row.
    """
    if not isinstance(found, list):
        kind = TYPE_NAMES.get(type(found), type(found).__name__)
        raise BadInput(f"no array of records but: {kind}", where="the payload")
    for number, record in enumerate(found, start=1):
        if not isinstance(record, dict):
            kind = TYPE_NAMES.get(type(record), type(record).__name__)
            raise BadInput(f"row {number} is not an object but: {kind}", where="the payload")
        yield record
