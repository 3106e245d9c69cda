"""The skill file: what the schema response says, as a page of prose that a host may load instead of it.

It must hold what the schema response holds, or its price would be no price: every operation, field, type, preset,
what may be filtered and sorted by, the grammar and what the answers mean. A test goes through the schema and looks
for each in the page.
"""

from collections.abc import Iterable

from measure.query.dataset import Dataset
from measure.query.grammar import quoted
from measure.query.schema import ANSWERS, GRAMMAR, example


def skill(dataset: Dataset, operations: Iterable[str], what: str = "records") -> str:
    """A Markdown page from which an agent can write queries for `dataset`; `what` names its records."""
    filters = f"filters by {_words(dataset.filterable)}" if dataset.filterable else "no filters"
    takes = {
        "list": f"{filters}; `skip`, `take`"
        + f"; `sort_FIELD=asc|desc` of {_words(dataset.sortable)}" * bool(dataset.sortable),
        "get": f"one record by {quoted(dataset.id)}",
        "count": "how many match the same filters",
        "distinct": "the values of a field that can be filtered by",
        "summary": "how many match the same filters, and how many have each value that repeats",
        "schema": "this, as JSON",
    }
    lines = [f"# Querying {what}", ""]
    lines += [f"- {key}: {value}" for key, value in (*GRAMMAR.items(), *ANSWERS.items())]
    lines += ["", "Operations:"]
    lines += [f"- `{example(name, dataset) or name}`: {takes[name]}" for name in operations]
    lines += ["", f"Fields: {', '.join(f'{quoted(field)} ({kind})' for field, kind in dataset.types.items())}"]
    lines += [f"Preset {quoted(name)}: {_words(members)}" for name, members in dataset.presets.items()]
    lines += [f"Default: {_words(dataset.default)}"]
    return "\n".join(lines) + "\n"


def _words(words: Iterable[str]) -> str:
    return " ".join(map(quoted, words))
