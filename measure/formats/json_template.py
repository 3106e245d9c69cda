"""Shared by the JSON formats: a record's text is a template with a hole for each value.

The standard library writes indented JSON through a slow path in pure Python. A test holds both formats against
it, byte by byte.
"""

from collections.abc import Callable, Iterable, Iterator

from measure.formats.base import batches
from measure.records import RecordSet
from measure.rows import json_rows
from measure.values import Value, pretty


def written(records: RecordSet, order: list[str], template: str, write: Callable[[Value], str]) -> Iterator[list[str]]:
    """Batches of records, each written by filling `template` with its values in `order`."""
    for batch in batches(records.rows(order)):
        yield [template % tuple(map(write, row)) for row in batch]


def written_sparse(records: RecordSet, order: list[str], write: Callable[[Value], str]) -> Iterator[list[str]]:
    """Batches of records, each written whole by `write`, without the fields that it does not have."""
    for batch in batches(records.present(order)):
        yield list(map(write, batch))


def inside_pretty(value: Value) -> str:
    """`value` as it stands inside a record of a pretty-printed array: its own lines indented by four more.

    A line feed in JSON text is always white space between tokens: inside strings it is escaped.
    """
    return pretty(value).replace("\n", "\n    ")


def decoded(pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
    """The records of a JSON array."""
    return json_rows(pieces, "the payload")
