"""The schema response: what an agent reads once to know what it may ask, and what the answers mean.

One object, generated, never typed. Examples are queries over the data set's own values, and a test runs each.
"""

from collections.abc import Mapping

from measure.query.dataset import Dataset
from measure.query.grammar import quoted
from measure.values import Value, plain

GRAMMAR: dict[str, Value] = {
    "query": "operation(arguments) { projection }; several are separated by ';' and answered in order",
    "arguments": "separated by commas: key=value, or one bare value where an operation takes an identifier",
    "words": 'keys, values and fields: bare if of A-Z a-z 0-9 _ . / - only, else "quoted" with \\" \\\\ \\n \\t \\r',
    "projection": "fields and presets, separated by space or comma; without braces, the default",
}
ANSWERS: dict[str, Value] = {
    "filters": "all must match; text without regard to case, numbers by value, null as null",
    "sorts": "in the order given: null, then false, true and numbers by size, then text",
    "part": 'with skip or take: {"rows": [...], "skip": n, "take": n, "total": n}',
    "error": '{"error": {"code": ..., "message": ...}} in place of the answer',
    "compact": 'header and CSV rows, null empty, empty text ""; a record as name:value lines; answer N of several'
    " under '[N] operation LINES'; an error as '! CODE message'",
}


def described(dataset: Dataset, operations: Mapping[str, str]) -> dict[str, Value]:
    """The schema response for `dataset`, given the operations and their descriptions."""
    return {
        "operations": {
            name: {
                "description": description,
                "parameters": _parameters(name, dataset),
                "example": example(name, dataset),
            }
            for name, description in operations.items()
        },
        "fields": dict(dataset.types),
        "presets": {name: list(members) for name, members in dataset.presets.items()},
        "default": list(dataset.default),
        "identifier": dataset.id,
        "filterable": list(dataset.filterable),
        "sortable": list(dataset.sortable),
        "grammar": GRAMMAR,
        "answers": ANSWERS,
    }


def _parameters(operation: str, dataset: Dataset) -> list[Value]:
    filters: list[Value] = [
        _parameter(field, dataset.types[field], "keep records with this value") for field in dataset.filterable
    ]
    found: dict[str, list[Value]] = {
        "list": [
            *filters,
            _parameter("sort_FIELD", "asc or desc", "by a sortable field"),
            _parameter("skip", "integer", "leave out the first"),
            _parameter("take", "integer", "give at most"),
        ],
        "get": [_parameter(dataset.id, dataset.types[dataset.id], "the identifier", required=True)],
        "count": filters,
        "distinct": [_parameter("field", "string", "a filterable field", required=True)],
        "summary": filters,
    }
    return found.get(operation, [])


def _parameter(name: str, kind: str, description: str, required: bool = False) -> dict[str, Value]:
    return {"name": name, "type": kind, "required": required, "description": description}


def example(operation: str, dataset: Dataset) -> str:
    """A query of this operation that `dataset` answers; empty where it can answer none."""
    first = dict(zip(dataset.records.fields, dataset.records.row(0), strict=True))
    identifier = next((text for text in dataset.places if text not in dataset.repeated), None)
    field = dataset.filterable[0] if dataset.filterable else None
    matching = f"{quoted(field)}={quoted(plain(first[field]))}" if field else ""
    return {
        "list": f"list({matching}) {{ {quoted(dataset.id)} }}",
        "get": f"get({quoted(identifier)})" if identifier is not None else "",
        "distinct": f"distinct({quoted(field)})" if field else "",
    }.get(operation, f"{operation}()")
