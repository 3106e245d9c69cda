"""A payload is counted only after it was decoded and found to be the records it came from.

Two outcomes differ in kind. A *loss* is what the format says that it cannot carry, such as the type of a
number in a CSV cell: it is reported with its column and counts as `lossless: false`. Anything else that
differs (a row, an order, a field, a value, a type) is a broken format: the run stops and names it.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from measure.errors import BadInput, Refused
from measure.formats import Format
from measure.records import RecordSet, Row
from measure.values import MISSING, TYPE_NAMES, Value, identical


class Loss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Values of one column and type that a format brought back as another type."""

    field: str
    type: str
    read_back_as: str
    values: int


class Payload(msgspec.Struct, frozen=True):
    """A verified text, in pieces, and what of the records it could not carry."""

    serialization: str
    rows: int
    fields: tuple[str, ...]  # in the order in which the text has them
    records_sha256: str  # the digest of the records that the decoded text was compared with
    pieces: tuple[str, ...]
    losses: tuple[Loss, ...]

    @property
    def lossless(self) -> bool:
        """Whether decoding gave back every value with its type."""
        return not self.losses

    @property
    def text(self) -> str:
        """The whole payload."""
        return "".join(self.pieces)

    def sha256(self) -> str:
        """The SHA-256 of the payload's UTF-8 bytes, in hexadecimal."""
        hashed = hashlib.sha256()
        for piece in self.pieces:
            hashed.update(piece.encode())
        return hashed.hexdigest()


_END: Any = object()
_PLAIN = {str, int, bool, type(None)}


def verified(form: Format, records: RecordSet, text: Iterable[str] | None = None) -> Payload:
    """Encode `records`, decode the text, compare row by row, and only then hand the payload out.

    Where somebody else has written the text, it is decoded and compared just so.

    Raises:
        Refused: what came back differs in more than `form.carry` declares; with row and field.
    """
    pieces = tuple(form.encode(records) if text is None else text)
    order = form.order(records)
    lost: Counter[tuple[str, str, str]] = Counter()
    try:
        pairs = zip_longest(records.rows(order), form.decode(pieces), fillvalue=_END)
        for number, (row, record) in enumerate(pairs, start=1):
            if row is _END or record is _END:
                raise _broken(
                    form,
                    f"{'more' if row is _END else 'fewer'} rows than the {len(records):,} encoded",
                )
            expected = _written(form, order, row) if records.sparse else order
            if list(record) != expected:
                raise _broken(form, f"row {number} has the fields {', '.join(record)}, not {', '.join(expected)}")
            back = tuple(record.get(field, MISSING) for field in order) if records.sparse else tuple(record.values())
            if not _same(row, back):
                lost.update(_lost(form, number, order, row, back))
    except BadInput as error:
        raise _broken(form, f"the payload cannot be read back ({error})") from None
    losses = tuple(Loss(*column, values) for column, values in lost.items())
    return Payload(form.serialization, len(records), tuple(order), records.digest(), pieces, losses)


def _written(form: Format, order: list[str], row: Row) -> list[str]:
    """The fields that the format writes for this row: a table a cell for each, others none for a missing one."""
    if form.carry(MISSING) is not MISSING:
        return order
    return [field for field, value in zip(order, row, strict=True) if value is not MISSING]


def _same(row: Row, back: Row) -> bool:
    """`identical` for whole rows, with a short way for plain values."""
    types = list(map(type, row))
    if types != list(map(type, back)):
        return False
    if _PLAIN.issuperset(types):
        return row == back
    return all(map(identical, row, back))


def _lost(form: Format, number: int, order: list[str], row: Row, back: Row) -> Iterator[tuple[str, str, str]]:
    for field, value, got in zip(order, row, back, strict=True):
        if identical(value, got):
            continue
        if not identical(form.carry(value), got):
            raise _broken(form, f"row {number}, field {field!r}: {_shown(value)} came back as {_shown(got)}")
        # The type may be the same and the value another: text that lost a character, an array whose numbers did.
        another = "another " if type(value) is type(got) else ""
        yield field, TYPE_NAMES[type(value)], another + TYPE_NAMES[type(got)]


def _shown(value: Value) -> str:
    text = f"{TYPE_NAMES[type(value)]} {value!r}"
    return text if len(text) <= 60 else text[:57] + "..."


def _broken(form: Format, what: str) -> Refused:
    return Refused(f"{form.label}: round trip broken: {what}")
