"""The schema response: what an agent reads once to know what it may ask. One object, generated, never typed."""

from collections.abc import Mapping

from measure.query.dataset import Dataset
from measure.values import Value

GRAMMAR: dict[str, Value] = {
    "batch": "statement; statement: answers come in the same order, each under its number",
    "statement": "operation(arguments) { projection }",
    "arguments": "comma-separated: key=value, or one bare value where an operation takes an identifier",
    "values": 'a bare word (A-Z a-z 0-9 _ . / -) or a "string" with escapes \\" \\\\ \\n \\t \\r',
    "projection": "fields and presets, separated by space or comma; none means the default",
}


def described(dataset: Dataset, operations: Mapping[str, str]) -> dict[str, Value]:
    """The schema response for `dataset`, given the operations and their descriptions."""
    return {
        "operations": {
            name: {
                "description": description,
                "parameters": _parameters(name, dataset),
                "example": _example(name, dataset),
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
        "get": [
            _parameter(dataset.id, dataset.types[dataset.id], "the identifier, also as a bare value", required=True)
        ],
        "count": filters,
        "distinct": [_parameter("field", "string", "a filterable field, also as a bare value", required=True)],
        "summary": filters,
    }
    return found.get(operation, [])


def _parameter(name: str, kind: str, description: str, required: bool = False) -> dict[str, Value]:
    return {"name": name, "type": kind, "required": required, "description": description}


def _example(operation: str, dataset: Dataset) -> str:
    field = dataset.filterable[0] if dataset.filterable else dataset.id
    return {
        "list": f"list({field}=value) {{ {dataset.id} }}",
        "get": "get(value)",
        "distinct": f"distinct({field})",
    }.get(operation, f"{operation}()")
