"""What can be asked: `OPERATIONS` is the registry. An operation is a pure function of a statement and a data set.

A statement that fails answers with an error in its place and spoils nothing else. An argument that an operation
does not know is such an error: taken for a filter and ignored, a typing slip would answer with every row.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from measure.errors import BadInput
from measure.query.dataset import Dataset
from measure.query.grammar import Statement
from measure.query.schema import described
from measure.records import RecordSet, Row
from measure.values import Value, minified, plain


class Page(NamedTuple):
    """Rows `skip` + 1 and on of `total`, at most `take` of them."""

    total: int
    skip: int
    take: int | None


class Answer(NamedTuple):
    """What a statement gives: records (`rows`), or one JSON value (`value`), or an error with its code.

    `page` stands where the statement asked for a part of the rows.
    """

    operation: str
    rows: RecordSet | None = None
    value: Value = None
    single: bool = False  # `rows` is one record, not a list
    page: Page | None = None
    error: tuple[str, str] | None = None


class _Failure(Exception):
    """A statement that fails alone: a code for programs, a message for whoever wrote it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message


class Operation(NamedTuple):
    """One row of the registry."""

    run: Callable[[Statement, Dataset], Answer]
    description: str


def answer(statement: Statement, dataset: Dataset) -> Answer:
    """What `statement` gives. Never raises for what the statement says: that is an answer with an error."""
    try:
        if statement.operation not in OPERATIONS:
            raise _Failure("UNKNOWN_OPERATION", f"no operation {statement.operation!r}; known: {', '.join(OPERATIONS)}")
        return OPERATIONS[statement.operation].run(statement, dataset)
    except _Failure as failure:
        return Answer(statement.operation, error=(failure.code, failure.message))


def _list(statement: Statement, dataset: Dataset) -> Answer:
    positional, named = _arguments(statement)
    _no_positional(statement, positional)
    paging = {key: _number(key, named.pop(key)) for key in ("skip", "take") if key in named}
    orders = {key: named.pop(key) for key in list(named) if key.startswith("sort_")}
    rows = _sorted(_filtered(dataset, named, known=_list_keys(dataset)), orders, dataset)
    page = None
    if paging:
        page = Page(len(rows), paging.get("skip", 0), paging.get("take"))
        rows = rows[page.skip :][: page.take]
    return Answer("list", rows=_projected(rows, statement, dataset), page=page)


def _get(statement: Statement, dataset: Dataset) -> Answer:
    wanted = _single(statement, dataset.id, f"get takes one value of {dataset.id!r}, such as get(1)")
    if wanted not in dataset.places:
        raise _Failure("NOT_FOUND", f"no record whose {dataset.id!r} is {wanted!r}")
    if wanted in dataset.repeated:
        raise _Failure("AMBIGUOUS", f"more than one record whose {dataset.id!r} is {wanted!r}; use list")
    row = dataset.records.row(dataset.places[wanted])
    return Answer("get", rows=_projected([row], statement, dataset), single=True)


def _count(statement: Statement, dataset: Dataset) -> Answer:
    _no_projection(statement)
    positional, named = _arguments(statement)
    _no_positional(statement, positional)
    return Answer("count", value={"count": len(_filtered(dataset, named))})


def _distinct(statement: Statement, dataset: Dataset) -> Answer:
    _no_projection(statement)
    wanted = _single(statement, "field", "distinct takes one field, such as distinct(status)")
    _one_of(wanted, dataset.filterable, "filterable field")
    seen = {minified(value): value for (value,) in dataset.records.rows([wanted])}
    return Answer("distinct", value=list(seen.values()))


def _summary(statement: Statement, dataset: Dataset) -> Answer:
    _no_projection(statement)
    positional, named = _arguments(statement)
    _no_positional(statement, positional)
    rows = _filtered(dataset, named)
    counts: dict[str, Value] = {}
    for field in dataset.filterable:
        place = dataset.records.fields.index(field)
        tally = Counter(plain(row[place]) for row in rows)
        if len(tally) < len(rows):  # a field that never repeats sums nothing up
            counts[field] = dict(tally)
    return Answer("summary", value={"total": len(rows), "counts": counts})


def _schema(statement: Statement, dataset: Dataset) -> Answer:
    _no_projection(statement)
    if statement.arguments:
        raise _Failure("BAD_ARGUMENT", "schema takes no argument")
    return Answer("schema", value=described(dataset, {name: one.description for name, one in OPERATIONS.items()}))


OPERATIONS = {
    "list": Operation(_list, "Records that match every filter, sorted, and a part of them where asked."),
    "get": Operation(_get, "One record by its identifier."),
    "count": Operation(_count, "How many records match every filter."),
    "distinct": Operation(_distinct, "The different values of a filterable field, in the order of the records."),
    "summary": Operation(
        _summary, "How many records match, and how many have each value of each filterable field that repeats."
    ),
    "schema": Operation(_schema, "What the fields are, and how to ask."),
}


def _arguments(statement: Statement) -> tuple[list[str], dict[str, str]]:
    positional: list[str] = []
    named: dict[str, str] = {}
    for key, value in statement.arguments:
        if key is None:
            positional.append(value)
        elif key in named:
            raise _Failure("BAD_ARGUMENT", f"{key!r} is given twice")
        else:
            named[key] = value
    return positional, named


def _single(statement: Statement, key: str, otherwise: str) -> str:
    """The one argument of a statement: bare, or under `key`."""
    positional, named = _arguments(statement)
    wanted = positional or ([named.pop(key)] if key in named else [])
    if len(wanted) != 1 or named:
        raise _Failure("BAD_ARGUMENT", otherwise)
    return wanted[0]


def _no_positional(statement: Statement, positional: Sequence[str]) -> None:
    if positional:
        raise _Failure("BAD_ARGUMENT", f"{statement.operation} takes key=value, not the bare value {positional[0]!r}")


def _no_projection(statement: Statement) -> None:
    if statement.projection:
        raise _Failure("BAD_PROJECTION", f"{statement.operation} gives no records, so it takes no projection")


def _one_of(word: str, known: Sequence[str], what: str) -> None:
    if word not in known:
        raise _Failure("UNKNOWN_ARGUMENT", f"no {what} {word!r}; known: {', '.join(known)}")


def _number(key: str, text: str) -> int:
    digits = text.removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 19) or (key == "take" and not int(digits)):
        raise _Failure(
            "BAD_ARGUMENT", f"{key} is a whole number {'above 0' if key == 'take' else 'of 0 or more'}, not {text}"
        )
    return int(digits)


def _list_keys(dataset: Dataset) -> list[str]:
    return [*dataset.filterable, "skip", "take", *(f"sort_{field}" for field in dataset.sortable)]


def _filtered(dataset: Dataset, filters: dict[str, str], known: Sequence[str] = ()) -> list[Row]:
    """The rows that match; an unknown key is told all that the operation knows: `known`, or what filters."""
    for key in filters:
        _one_of(key, known or dataset.filterable, "argument")
    wanted = [(dataset.records.fields.index(key), *_meant(value)) for key, value in filters.items()]
    return [
        row
        for row in dataset.records.rows()
        if all(_matches(row[place], text, number) for place, text, number in wanted)
    ]


def _meant(text: str) -> tuple[str, float | None]:
    """What a filter's value means for text, and for numbers if it is one."""
    try:
        return text.casefold(), float(text)
    except ValueError:
        return text.casefold(), None


def _matches(value: Value, text: str, number: float | None) -> bool:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value == number
    return plain(value).casefold() == text


def _sorted(rows: list[Row], orders: dict[str, str], dataset: Dataset) -> list[Row]:
    for key, direction in reversed(orders.items()):  # stable sorts: the first order named decides last
        _one_of(key, _list_keys(dataset), "argument")
        if direction.lower() not in ("asc", "desc", ""):
            raise _Failure("BAD_ARGUMENT", f"{key} is asc or desc, not {direction!r}")
        place = dataset.records.fields.index(key.removeprefix("sort_"))
        rows = sorted(rows, key=lambda row: _rank(row[place]), reverse=direction.lower() == "desc")
    return rows


def _rank(value: Value) -> tuple[int, float, str]:
    """An order over every flat value: null, then booleans and numbers by size, then text."""
    if value is None:
        return 0, 0, ""
    if isinstance(value, int | float):
        return 1, value, ""
    return 2, 0, plain(value)


def _projected(rows: list[Row], statement: Statement, dataset: Dataset) -> RecordSet:
    try:
        fields = dataset.expand(statement.projection or dataset.default)
        return RecordSet(dataset.records.fields, rows).project(fields)
    except BadInput as error:
        raise _Failure("BAD_PROJECTION", str(error)) from None
