"""What a format promises: text out, the records back, and a plain word on what it cannot carry."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import ClassVar, TypeVar

from measure.records import RecordSet
from measure.values import Value

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
        """What `value` is after encode and decode: itself, unless the format cannot carry its type."""
        return value

    def order(self, records: RecordSet) -> list[str]:
        """The order in which this format writes the fields."""
        return list(records.fields) if self.keeps_field_order else sorted(records.fields)


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """`items` in lists of `ROWS_A_PIECE`."""
    remaining = iter(items)
    while batch := list(islice(remaining, ROWS_A_PIECE)):
        yield batch
