"""Tables of context over a session: policies over all sessions and in each, growth, triggers, advice."""

from collections.abc import Iterator

from measure import results
from measure.context.policies import chain
from measure.context.prices import dollars
from measure.report.ladder import by, plural
from measure.report.table import Table, numeric
from measure.scenario import Files
from measure.study.context.context import ContextTable
from measure.study.context.real import ContextReal
from measure.study.context.rows import Best, Cheaper, Growth, PolicyRow, Spread

# The terms that tables have room for, and what they call them; +f: with a breakpoint at the frontier.
_TERMS = {
    ("none", "-"): "tokens",
    ("5m", "system+last"): "5m",
    ("5m", "system+frontier+last"): "5m +f",
    ("1h", "system+frontier+last"): "1h +f",
    ("5m", "automatic"): "prefix",
}
_LEGEND = "+f: a breakpoint too before the first block that may still change; prefix: a provider's own, GPT-5.4"


def policies(files: Files) -> Iterator[Table]:
    """Over all sessions: in how many a policy saves, in how many it costs more, and the least and most of it."""
    synthetic, real = _both(files)
    for table, kind in ((synthetic, "constructed"), (real, "captured")):
        for (cached, places), same in by(table.spreads, lambda one: (one.cache, one.breakpoints)):
            if (cached, places) in _TERMS:
                what = "input tokens" if cached == "none" else "cost, simulated"
                words = "measured, but for summarize and hybrid; " if cached == "none" else ""
                yield _spread(
                    f"Sessions {kind}: what policies save of the {what} · {_TERMS[cached, places]}", same, words
                )
    for places, same in by(real.undying, lambda one: one.breakpoints):
        yield _spread(f"Had no entry died: saved of the cost of input · {places}", same, "sessions with a report; ")


def _spread(title: str, spreads: list[Spread], of: str = "") -> Table:
    return Table(
        title,
        ("policy", "saves in", "costs more", "least", "most"),
        [(one.policy, f"{one.save} of {one.sessions}", str(one.cost_more), one.least, one.most) for one in spreads],
        numeric(1, 2, 3, 4),
        (f"{of}least and most: in one session, percent of what none takes there", _LEGEND),
    )


def sessions(files: Files) -> Iterator[Table]:
    """What every policy saves of each session: input tokens, and cost on four sets of terms."""
    synthetic, real = _both(files)
    dated = ", ".join(f"{one.model} of {one.date}" for one in synthetic.prices)
    for table, kind in ((synthetic, "constructed"), (real, "captured")):
        facts = {one.session: one for one in table.sessions}
        for session, every in by(table.rows, lambda row: row.session):
            rows = [row for row in every if (row.cache, row.breakpoints) in _TERMS]
            one = facts[session]
            base = [row for row in rows if row.policy == "none" and row.cache != "none"]
            yield Table(
                f"{session} ({kind}): what policies save · {table.encoding}",
                ("policy", *_TERMS.values()),
                [(policy, *map(_saved, same)) for policy, same in by(rows, lambda row: row.policy)],
                numeric(*range(1, 1 + len(_TERMS))),
                (
                    f"{plural(one.calls, 'call')}, {plural(one.tool_results, 'result')}; tokens: percent of none's"
                    f" {one.input_tokens:,} input tokens, measured but for summarize and hybrid",
                    "others: percent of what none costs, simulated: " + ", ".join(map(_named, base)),
                    f"{_LEGEND}; prices: {dated}",
                ),
            )


def advice(files: Files) -> Iterator[Table]:
    """The cheapest of a fixed grid of settings, and where the cache-aware policy was not the cheapest of the study."""
    synthetic, real = _both(files)
    for table, kind in ((synthetic, "constructed"), (real, "captured")):
        found = [one for one in table.best if (one.cache, one.breakpoints) in _TERMS]
        yield Table(
            f"The cheapest of {found[0].settings_tried:,} settings · sessions {kind} · {table.encoding}",
            ("session", "terms", "API default", "cheapest", "by"),
            [
                (
                    one.session,
                    _term(one),
                    one.default_saving.display,
                    one.best_saving.display,
                    _by(one).partition(":")[0],
                )
                for one in found
            ],
            numeric(2, 3),
            (
                "saved, in percent of what none costs on those terms (tokens: no cache); simulated but for no cache",
                f"the newest {plural(found[0].keep, 'result')} or more are kept; API default: clear_tool_uses as it is",
                *(f"{one.session}, {_term(one)}: {_by(one)}" for one in found if ":" in _by(one)),
                *(
                    f"cheaper than cache-aware 3: {one.session}, {_term(one)}: {one.policy}, by {one.saving.display};"
                    f" {one.reason}"
                    for one in table.cheaper
                    if (one.cache, one.breakpoints) in _TERMS
                ),
            ),
        )


def triggers(files: Files) -> Iterator[Table]:
    """What the API's clearing saves or costs, trigger by trigger."""
    synthetic, real = _both(files)
    for table, kind in ((synthetic, "constructed"), (real, "captured")):
        for session, rows in by(table.triggers, lambda row: row.session):
            terms = {_TERMS[row.cache, row.breakpoints]: None for row in rows}
            if any(row.input_saving.saved_tokens for row in rows):
                yield Table(
                    f"{session} ({kind}): clear_tool_uses by trigger · {table.encoding}",
                    ("trigger", *terms),
                    [
                        (
                            f"{trigger:,}",
                            *(
                                row.input_saving.display if row.cache == "none" else row.cost_saving.display
                                for row in same
                            ),
                        )
                        for trigger, same in by(rows, lambda row: row.trigger)
                    ],
                    numeric(*range(1 + len(terms))),
                    ("saved: percent of none's input tokens (measured), and of its cost (simulated)",),
                )


def growth(files: Files) -> Iterator[Table]:
    """How large the requests of a session become under each policy."""
    synthetic, real = _both(files)
    for table, kind in ((synthetic, "constructed"), (real, "captured")):
        for session, grown in by(table.growth, lambda one: one.session):
            calls = len(grown[0].requests)
            shown = sorted({1, calls // 4, calls // 2, 3 * calls // 4, calls} - {0})
            yield Table(
                f"{session} ({kind}): tokens of a request · {table.encoding}",
                ("policy", *(f"call {call}" for call in shown), "largest"),
                [_grown(one, shown) for one in grown],
                numeric(*range(1, 2 + len(shown))),
                (
                    "of all input tokens of none, by kind: "
                    + ", ".join(
                        f"{one.kind} {one.share.display}"
                        for facts in table.sessions
                        if facts.session == session
                        for one in facts.kinds
                        if one.share.tokens
                    ),
                ),
            )


def _both(files: Files) -> tuple[ContextTable, ContextReal]:
    return results.table(files, "context", ContextTable), results.table(files, "context_sessions", ContextReal)


def _saved(row: PolicyRow) -> str:
    return row.input_saving.display if row.cache == "none" else row.cost_saving.display


def _named(row: PolicyRow) -> str:
    return f"{_TERMS[row.cache, row.breakpoints]} {dollars(row.total_nanodollars)}"


def _term(one: Best | Cheaper) -> str:
    return _TERMS[one.cache, one.breakpoints]


def _by(one: Best) -> str:
    """The setting without what is at its default."""
    return "doing nothing" if one.do_nothing else "/".join(policy.brief for policy in chain(one.best))


def _grown(one: Growth, shown: list[int]) -> tuple[str, ...]:
    return one.policy, *(f"{one.requests[call - 1]:,}" for call in shown), f"{max(one.requests):,}"
