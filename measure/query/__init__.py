"""The query layer: a small language over a record set, as an agent would talk to a list tool.

`grammar` is text and syntax tree, `dataset` what can be asked of, `operations` what can be asked, `answers` the
text that comes back. `ask` joins them.
"""

from measure.query.answers import OUTPUTS, text
from measure.query.dataset import Dataset
from measure.query.grammar import Argument, QueryError, Statement, parse, render
from measure.query.operations import Answer, answer

__all__ = [
    "OUTPUTS",
    "Answer",
    "Argument",
    "Dataset",
    "QueryError",
    "Statement",
    "answer",
    "ask",
    "parse",
    "render",
    "text",
]


def ask(query: str, dataset: Dataset, output: str = "json") -> str:
    r"""The text that the layer answers with.

    >>> from measure.records import RecordSet
    >>> tasks = Dataset.of(RecordSet.of([{"id": "T-1", "status": "open"}, {"id": "T-2", "status": "done"}]))
    >>> ask("list(status=open) { id }", tasks), ask("list() { id status }", tasks, "compact")
    ('[{"id":"T-1"}]', 'id,status\nT-1,open\nT-2,done\n')

    Raises:
        QueryError: the query cannot be parsed; then no statement of it has run.
        BadInput: an unknown output.
    """
    statements = parse(query)
    return text(output, [answer(statement, dataset) for statement in statements])
