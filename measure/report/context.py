"""Tables of context over a session: policies on all terms, advice, triggers, the cache model, published figures."""

from collections.abc import Iterator

from measure import results
from measure.report.ladder import by, plural
from measure.report.table import Table, numeric
from measure.scenario import Files
from measure.study.context.context import ContextTable
from measure.study.context.published import ContextPublished
from measure.study.context.real import ContextReal
from measure.study.context.rows import PolicyRow

_TERMS = {
    ("none", "-"): "tokens",
    ("5m", "system+last"): "5m",
    ("5m", "system+frontier+last"): "5m frontier",
    ("1h", "system+last"): "1h",
    ("1h", "system+frontier+last"): "1h frontier",
    ("5m", "automatic"): "automatic",
}


def policies(files: Files) -> Iterator[Table]:
    """What every policy saves of each session: input tokens, and cost on five sets of terms."""
    recorded = results.table(files, "context", ContextTable)
    dated = ", ".join(f"{one.model} of {one.date}" for one in recorded.prices)
    for table, kind in ((recorded, "constructed"), (results.table(files, "context_sessions", ContextReal), "captured")):
        facts = {one.session: one for one in table.sessions}
        for session, rows in by(table.rows, lambda row: row.session):
            one = facts[session]
            base = {_TERMS[row.cache, row.breakpoints]: row for row in rows if row.policy == "none"}
            yield Table(
                f"{session} ({kind}): saved by policies · {table.encoding}",
                ("policy", *_TERMS.values()),
                [(policy, *map(_saved, same)) for policy, same in by(rows, lambda row: row.policy)],
                numeric(*range(1, 1 + len(_TERMS))),
                (
                    f"{plural(one.calls, 'call')}, {plural(one.tool_results, 'result')}; tokens: percent of the"
                    f" {one.input_tokens:,} input tokens of none, measured",
                    "others: percent of what none costs, simulated: "
                    + ", ".join(f"{name} {_dollars(row)}" for name, row in base.items() if name != "tokens"),
                    f"prices: {dated}; frontier: a breakpoint before the first block that may still change",
                ),
            )


def _saved(row: PolicyRow) -> str:
    return row.input_saving.display if row.cache == "none" else row.cost_saving.display


def _dollars(row: PolicyRow) -> str:
    from measure.context.prices import dollars

    return dollars(row.total_nanodollars)
