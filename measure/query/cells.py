"""What the cells of a CSV file are: text becomes a type where the settings name it, or where every cell says it.

JSON says its types itself, and a JSON string stays one whatever it spells. A column of a CSV file is taken for
integers, numbers or booleans only if every cell is one as JSON would write it: "0700" and "TRUE" stay text, and so does
the whole column. Empty cells of such a column are null.
"""

import json
from collections.abc import Mapping

from measure.errors import BadInput
from measure.records import RecordSet
from measure.values import TYPE_NAMES, Value, minified


def typed(records: RecordSet, named: Mapping[str, str], where: str) -> RecordSet:
    """The records with the text of each named or inferred column read as its type.

    Raises:
        BadInput: a cell of a named column is of another type; with row and field.
    """
    wanted = {field: kind for field, kind in named.items() if kind != "string"}
    if records.untyped:
        for field in records.fields:
            kind = _inferred(records, field) if field not in named else None
            wanted |= {field: kind} if kind else {}
    if not wanted:
        return records
    rows = [
        {
            field: _read(value, wanted[field], f"row {number}, field {field!r}", where) if field in wanted else value
            for field, value in zip(records.fields, row, strict=True)
        }
        for number, row in enumerate(records.rows(), start=1)
    ]
    return RecordSet.of(rows, where)


def _inferred(records: RecordSet, field: str) -> str | None:
    kinds = {TYPE_NAMES[type(_written(str(cell)))] for (cell,) in records.rows([field]) if cell}
    if kinds == {"integer", "number"}:
        return "number"
    return kinds.pop() if kinds in ({"integer"}, {"number"}, {"boolean"}) else None


def _written(cell: str) -> Value:
    """What a cell says, if it is written just as JSON writes it; else its text."""
    value = _parsed(cell)
    return value if minified(value) == cell else cell


def _read(value: Value, kind: str, place: str, where: str) -> Value:
    if not isinstance(value, str):
        return value
    if not value:
        return None
    found = _parsed(value)
    if TYPE_NAMES[type(found)] != kind and not (kind == "number" and type(found) is int):
        raise BadInput(f"{place}: {value!r} is no {kind}", where=where)
    return found


def _parsed(cell: str) -> Value:
    """The JSON value that a cell spells, or its text."""
    try:
        value: Value = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    return value
