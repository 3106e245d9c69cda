"""Record sets: the same named values in every row, their projection, and a digest that ignores representation.

A set is uniform: each row has exactly the fields of row 1, though not in the same order. A missing field is an
error, because a table that invents one would no longer be the caller's data; only a set that was asked for as
*sparse* may have rows with other fields, and holds `MISSING`, which is not null, where a row has none.

Values are JSON values and keep their type: 1, 1.0, "1" and true are four different things. Rows are held as
tuples, not as dictionaries, which is what lets half a million of them fit in a few times the file's size.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from measure.errors import BadInput
from measure.values import MISSING, Value, check_value, minified, repeated, template_name

Row = tuple[Value, ...]


_POOL = 4096  # different texts a column that are shared; a column of ids fills it and is left alone


class RecordSet:
    """Rows of the same fields, in order.

    >>> tasks = RecordSet.of([{"id": "T-1", "status": "open"}, {"status": "done", "id": "T-2"}])
    >>> tasks.fields, len(tasks), list(tasks.project(["status"]).rows())
    (('id', 'status'), 2, [('open',), ('done',)])
    """

    def __init__(
        self, fields: Sequence[str], rows: list[Row], columns: Sequence[int] | None = None, sparse: bool = False
    ):
        self.fields = tuple(fields)
        self._rows = rows  # shared between projections: a projection is a view
        self._all = tuple(range(len(rows[0]) if rows else len(self.fields)))
        self._columns = self._all if columns is None else tuple(columns)
        self.sparse = sparse  # whether a value may be MISSING
        self.untyped = False  # whether the values are cells, whose types were not written
        self._digest = ""  # made once, when asked for

    @classmethod
    def of(cls, records: Iterable[Mapping[str, Value]], where: str = "", sparse: bool = False) -> "RecordSet":
        """A set out of dictionaries, the first of which names the fields; with `sparse` each may name more.

        >>> few = RecordSet.of([{"id": 1}, {"id": 2, "note": None}], sparse=True)
        >>> few.fields, list(few.rows())
        (('id', 'note'), [(1, missing), (2, None)])

        Raises:
            BadInput: no row at all, a field missing or too many, or a value that JSON cannot write; with the row.
        """
        if sparse:
            return cls._of_sparse(records, where)
        fields: tuple[str, ...] = ()
        rows: list[Row] = []
        pools: list[dict[str, str]] = []
        for number, record in enumerate(records, start=1):
            if number == 1:
                fields = _checked_fields(record, where)
                pools = [{} for _ in fields]
            row: Iterable[Value] = record.values()
            if tuple(record) != fields:
                row = _reordered(record, fields, f"row {number}", where)
            kept = []
            for field, value, pool in zip(fields, row, pools, strict=True):
                if type(value) is not str or not value.isascii():
                    check_value(value, f"row {number}, field {field!r}", where)
                kept.append(_shared(value, pool) if type(value) is str else value)
            rows.append(tuple(kept))
        if not rows:
            raise _no_rows(where)
        return cls(fields, rows)

    @classmethod
    def _of_sparse(cls, records: Iterable[Mapping[str, Value]], where: str) -> "RecordSet":
        """Fields in the order in which they first appear; uniform after all where every row has every field."""
        pools: dict[str, dict[str, str]] = {}
        rows: list[Row] = []
        for number, record in enumerate(records, start=1):
            for field, value in record.items():
                if field not in pools:
                    _check_field(field, number, where)
                    pools[field] = {}
                check_value(value, f"row {number}, field {field!r}", where)
            kept = ((field, record.get(field, MISSING)) for field in pools)
            rows.append(tuple(_shared(value, pools[field]) if type(value) is str else value for field, value in kept))
        if not rows:
            raise _no_rows(where)
        if not pools:
            raise BadInput("no row has a field", where=where)
        rows = [row + (MISSING,) * (len(pools) - len(row)) for row in rows]
        return cls(tuple(pools), rows, sparse=any(value is MISSING for row in rows for value in row))

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, order: Sequence[str] | None = None) -> Iterator[Row]:
        """The rows, their values in the order of `order` (all or some of the fields)."""
        places = self._columns if order is None else self._places(order)
        if places == self._all:
            return iter(self._rows)
        if len(places) == 1:
            return ((row[places[0]],) for row in self._rows)
        return map(itemgetter(*places), self._rows)

    def row(self, place: int) -> Row:
        """The row at `place`, counted from 0."""
        values = self._rows[place]
        return tuple(values[column] for column in self._columns)

    def present(self, order: Sequence[str]) -> Iterator[dict[str, Value]]:
        """The rows as dictionaries in the order of `order`, without the fields that a row does not have."""
        for row in self.rows(order):
            yield {field: value for field, value in zip(order, row, strict=True) if value is not MISSING}

    def project(self, fields: Sequence[str], where: str = "") -> "RecordSet":
        """The same rows with only `fields`, in that order.

        Raises:
            BadInput: none at all, one named twice, or one that is not there; with those that are.
        """
        known = ", ".join(self.fields)
        twice = repeated(fields)
        if twice is not None:
            raise BadInput(f"field {twice!r} is named twice", where=where)
        if not fields:
            raise BadInput("no fields are named", where=where, right=f"known fields: {known}")
        for field in fields:
            if field not in self.fields:
                raise BadInput(f"unknown field {field!r}", where=where, right=f"known fields: {known}")
        return RecordSet(fields, self._rows, self._places(fields), self.sparse)

    def head(self, rows: int) -> "RecordSet":
        """The first `rows` rows."""
        return RecordSet(self.fields, self._rows[:rows], self._columns, self.sparse)

    def digest(self) -> str:
        """SHA-256 over the rows as minified JSON with sorted keys, one a line.

        Two sets have the same digest exactly if they have the same rows in the same order, with the same
        names, values and types; the order of the fields and the text they came from do not matter. A field that
        a row does not have is not in its line.
        """
        if self._digest:
            return self._digest
        order = sorted(self.fields)
        line = "{" + ",".join(f"{template_name(field)}:%s" for field in order) + "}\n"
        hashed = hashlib.sha256()
        if self.sparse:
            for record in self.present(order):
                hashed.update((minified(record) + "\n").encode())
        else:
            for row in self.rows(order):
                hashed.update((line % tuple(map(minified, row))).encode())
        self._digest = hashed.hexdigest()
        return self._digest

    def _places(self, fields: Sequence[str]) -> tuple[int, ...]:
        return tuple(self._columns[self.fields.index(field)] for field in fields)


def _shared(text: str, pool: dict[str, str]) -> str:
    """The first text equal to `text` in its column, so that a status is in memory once and not once a row."""
    if len(pool) < _POOL:
        return pool.setdefault(text, text)
    return pool.get(text, text)


def _checked_fields(record: Mapping[str, Value], where: str) -> tuple[str, ...]:
    if not record:
        raise BadInput("row 1 has no fields", where=where)
    for field in record:
        _check_field(field, 1, where)
    return tuple(record)


def _check_field(field: object, number: int, where: str) -> None:
    if type(field) is not str:
        raise BadInput(f"row {number}: the field {field!r} is not text", where=where)
    check_value(field, f"row {number}, field {field!r}", where)


def _no_rows(where: str) -> BadInput:
    return BadInput("no rows", where=where, right="at least one record is needed")


def _reordered(record: Mapping[str, Value], fields: Sequence[str], place: str, where: str) -> Row:
    for field in fields:
        if field not in record:
            raise BadInput(
                f"{place}: the field {field!r} is missing",
                where=where,
                right=f"row 1 has: {', '.join(fields)}",
            )
    known = set(fields)
    for field in record:
        if field not in known:
            raise BadInput(
                f"{place}: the field {field!r} is not in row 1",
                where=where,
                right=f"row 1 has: {', '.join(fields)}",
            )
    return tuple(record[field] for field in fields)
