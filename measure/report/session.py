"""Tables of a user's own sessions: one a session, a line a policy; sweeps; advice. On the counting path, so light."""

import os.path
from collections.abc import Iterator, Sequence

from measure.context.advice import Advice
from measure.context.prices import dollars
from measure.context.reality import EXACT, Transition
from measure.context.session import Session
from measure.context.sweep import Outcome
from measure.context.terms import Terms
from measure.quantities import CostDenominator, Denominator, cost_saving, saving
from measure.report.ladder import plural
from measure.report.table import Table, numeric


def outcomes(title: str, found: Sequence[Outcome], base: Outcome, notes: Sequence[str] = ()) -> Table:
    """Outcomes beside doing nothing: input tokens, what of them was read and written, and the cost."""
    whole = Denominator("none", "input", base.usage.input)
    money = base_cost(base)
    return Table(
        title,
        ("policy", "input", "saved", "read", "written", "cost", "saved"),
        [
            (
                one.brief,
                f"{one.usage.input:,}",
                saving(whole, one.usage.input).display,
                f"{one.usage.read:,}",
                f"{one.usage.written:,}",
                dollars(one.cost.total),
                cost_saving(money, one.cost.total).display,
            )
            for one in found
        ],
        numeric(1, 2, 3, 4, 5, 6),
        (
            f"saved: percent of the {whole.tokens:,} input tokens, and of the {dollars(money.nanodollars)}, of none",
            "input = fresh + read + written; the output is in the cost too, and no policy changes it but by own calls",
            *_own(found),
            *notes,
        ),
    )


def base_cost(base: Outcome) -> CostDenominator:
    """What doing nothing costs, as a denominator."""
    terms = base.terms
    return CostDenominator(base.shown, terms.shown, terms.prices.name, terms.prices.date, base.cost.total)


def on_terms(terms: Terms) -> str:
    """The terms in a line."""
    return f"{terms.prices.model}, prices of {terms.prices.date} · {terms.shown}"


def about(session: Session) -> str:
    """What a session is, in a line."""
    size = f"{plural(len(session.requests) - 1, 'call')}, {plural(len(session.uses), 'result')}"
    return f"{os.path.basename(session.transcript.name)} · {size} · {session.encoding}"


def caveats(session: Session, transitions: Sequence[Transition]) -> Iterator[str]:
    """What stands behind a session's numbers: estimates, what was left out, and how well its cache is understood."""
    if session.estimated:
        yield f"{session.estimated:,} tokens are estimated: what the file does not hold as text"
    for what, times in session.transcript.left_out:
        yield f"left out: {plural(times, what)}"
    if transitions:
        exact = sum(one.reason == EXACT for one in transitions)
        yield f"reported cache reads: {exact} of {plural(len(transitions), 'transition')} as the model predicts them"


def _own(found: Sequence[Outcome]) -> Iterator[str]:
    for one in found:
        if one.usage.own_input:
            used = f"{one.usage.own_input:,} in and {one.usage.own_output:,} out"
            yield f"{one.brief}: {used} are its own calls, simulated"


def advices(sessions: Sequence[Session], found: Sequence[Advice], keep: int) -> Table:
    """One line for each set of terms: the cheapest setting beside doing nothing and the API's default."""
    prices = found[0].nothing.terms.prices
    return Table(
        f"{plural(len(sessions), 'session')} · {sessions[0].encoding} · {prices.model}, prices of {prices.date}",
        ("cache", "none", "API's default", "cheapest", "saved", "by"),
        [
            (
                one.nothing.terms.shown,
                dollars(one.nothing.cost.total),
                dollars(one.default.cost.total),
                dollars(one.best.cost.total),
                cost_saving(base_cost(one.nothing), one.best.cost.total).display,
                "doing nothing" if one.leave_it else one.best.brief,
            )
            for one in found
        ],
        numeric(1, 2, 3, 4),
        (
            "saved: percent of what none costs on the line's terms; the API's default: clear_tool_uses as it comes",
            f"{found[0].tried:,} settings tried that keep the newest {plural(keep, 'result')} or more; what a model"
            " loses with a result is not weighed",
        ),
    )
