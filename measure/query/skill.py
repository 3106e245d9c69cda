"""The skill file: what the schema response says, as a page of prose that a host may load instead of it."""

from measure.query.dataset import Dataset


def skill(dataset: Dataset, what: str = "records") -> str:
    """A Markdown page from which an agent can write queries for `dataset`; `what` names its records.

    It holds what the schema response holds, but for the types of the parameters, which are those of the fields.
    """
    presets = [f"- `{name}`: {' '.join(members)}" for name, members in dataset.presets.items()]
    lines = [
        f"# Querying {what}",
        "",
        "Write `operation(arguments) { projection }`; several, joined by `;`, are answered in order.",
        'Values are bare words or "strings"; a projection names fields and presets.',
        "",
        f"- `list(...) {{ ... }}`: filter by {', '.join(dataset.filterable)}; `sort_FIELD=asc|desc`, `skip`, `take`",
        f"- `get({dataset.id})`: one record",
        "- `count(...)`, `summary(...)`: the same filters",
        "- `distinct(field)`: the values of a filterable field",
        "- `schema()`: everything, as JSON",
        "",
        f"Fields: {', '.join(f'{field} ({kind})' for field, kind in dataset.types.items())}.",
        f"Sortable: {', '.join(dataset.sortable)}. Without a projection: {' '.join(dataset.default)}.",
        *(["Presets:", *presets] if presets else []),
    ]
    return "\n".join(lines) + "\n"
