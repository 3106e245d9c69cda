"""Tables of a user's own sessions: one a session, a line a policy; sweeps; advice. On the counting path, so light."""

import os.path
from collections.abc import Iterator, Sequence

from measure.context.advice import Advice
from measure.context.prices import dollars
from measure.context.reality import EXACT, REPORTED_PLACES, Transition
from measure.context.session import Session
from measure.context.sweep import Outcome
from measure.context.terms import Terms
from measure.quantities import CostDenominator, Denominator, cost_saving, saving, share
from measure.report.ladder import plural
from measure.report.table import WIDTH, Table, numeric, printable

_ROOM = 19  # characters of a policy; what is longer is spelled out below the table


def outcomes(title: str, found: Sequence[Outcome], base: Outcome, notes: Sequence[str] = ()) -> Table:
    """A line for each chain beside doing nothing: input tokens, what of them was read and written, and the cost."""
    names, spelled = short([one.brief for one in found])
    own = [
        f"{name}: {one.usage.own_input:,} in and {one.usage.own_output:,} out are its own calls, simulated"
        for name, one in zip(names, found, strict=True)
        if one.usage.own_input
    ]
    return _beside(title, (("policy",), [(name,) for name in names]), found, base, [*spelled, *own, *notes])


def settings(title: str, swept: Sequence[str], found: Sequence[Outcome], base: Outcome, rest: int) -> Table:
    """A line for each setting of one policy, and one for doing nothing: the `swept` parameters, and what each took.

    `rest` says how many settings are not among those found.
    """
    blank = ("",) * (len(swept) - 1)
    lines = [tuple(one.chain[0].value(key) for key in swept) if swept else (one.brief,) for one in found]
    notes = [f"and {plural(rest, 'setting')} more, each as dear as the last one shown or dearer"] if rest else []
    if any(one.usage.own_input for one in found):
        notes.insert(0, "input and cost hold the policy's own calls, which are simulated")
    names = (tuple(swept) or ("policy",), [*lines, ("none", *blank)])
    return _beside(title, names, [*found, base], base, notes)


def _beside(
    title: str,
    named: tuple[tuple[str, ...], list[tuple[str, ...]]],
    found: Sequence[Outcome],
    base: Outcome,
    notes: Sequence[str],
) -> Table:
    """The columns of every table of outcomes, after those that say which outcome it is."""
    whole, money, cached = Denominator("none", "input", base.usage.input), base_cost(base), base.terms.cached
    heads, names = named
    columns = ("input", "saved", *(("read", "written") if cached else ()), "cost", "saved")
    rows = [
        (
            *name,
            f"{one.usage.input:,}",
            saving(whole, one.usage.input).display if whole.tokens else "-",
            *((f"{one.usage.read:,}", f"{one.usage.written:,}") if cached else ()),
            dollars(one.cost.total),
            _cheaper(money, one),
        )
        for name, one in zip(names, found, strict=True)
    ]
    return Table(
        title,
        (*heads, *columns),
        rows,
        numeric(*range(len(heads), len(heads) + len(columns))),
        (
            f"saved: percent of none's {whole.tokens:,} input tokens, and of its {dollars(money.nanodollars)}",
            "input = fresh + read + written; read, written and cost are simulated" if cached else "nothing is cached",
            "cost: input and output; the output is the same for all, own calls apart",
            *notes,
        ),
    )


def _cheaper(money: CostDenominator, one: Outcome) -> str:
    return cost_saving(money, one.cost.total).display if money.nanodollars else "-"


def short(briefs: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names that a table has room for, and a note for each that is not the whole chain.

    >>> short(["mask", "clear_tool_uses:trigger=30000,keep=5"])
    (['mask', 'clear_tool_uses [1]'], ['[1] clear_tool_uses:trigger=30000,keep=5'])
    """
    names, notes = [], dict[str, str]()
    for brief in briefs:
        if len(brief) <= _ROOM:
            names.append(brief)
            continue
        mark = notes.setdefault(brief, f"[{len(notes) + 1}]")
        first, _, others = brief.partition("/")
        names.append(f"{first.partition(':')[0]}{'/…' if others else ''} {mark}")
    return names, [f"{mark} {brief}" for brief, mark in notes.items()]


def base_cost(base: Outcome) -> CostDenominator:
    """What doing nothing costs, as a denominator."""
    terms = base.terms
    return CostDenominator(base.shown, terms.shown, terms.prices.name, terms.prices.date, base.cost.total)


def on_terms(terms: Terms) -> str:
    """The terms in a line."""
    return f"{terms.prices.model}, prices of {terms.prices.date} · {terms.shown}"


def about(session: Session) -> str:
    """What a session is, in a line; in two where its name is long."""
    size = f"{plural(len(session.requests) - 1, 'call')}, {plural(len(session.uses), 'result')} · {session.encoding}"
    name = printable(os.path.basename(session.transcript.name))
    return f"{name} · {size}" if len(name) + len(size) + 3 <= WIDTH else f"{name}\n{size}"


def caveats(session: Session, transitions: Sequence[Transition]) -> Iterator[str]:
    """What stands behind a session's numbers: estimates, what was left out, and how well its cache is understood."""
    if session.estimated:
        whole = Denominator("all requests", "input, nothing done", session.sent)
        yield (
            f"estimated is what the file does not hold as text: {session.estimated:,} tokens, and as they are sent"
            f" again {session.estimated_sent:,}, {share(session.estimated_sent, whole).display} of none's input"
        )
    if session.transcript.left_out:
        yield "left out: " + ", ".join(f"{what} ({times:,})" for what, times in session.transcript.left_out)
    if transitions:
        exact = sum(one.reason == EXACT for one in transitions)
        yield (
            f"the provider reports what the cache model predicts in {exact} of {len(transitions)} transitions,"
            f" with breakpoints at {', '.join(REPORTED_PLACES)}"
        )


def advices(sessions: Sequence[Session], found: Sequence[Advice], keep: int) -> Table:
    """One line for each set of terms: the cheapest setting beside doing nothing and the API's default."""
    prices = found[0].nothing.terms.prices
    names, spelled = short(["doing nothing" if one.leave_it else one.best.brief for one in found])
    placed = next((one.nothing.terms.shown.partition(", ")[2] for one in found if one.nothing.terms.cached), "")
    return Table(
        f"{plural(len(sessions), 'session')} · {sessions[0].encoding}\n"
        f"{prices.model}, prices of {prices.date} · cache: {placed}",
        ("cache", "none", "API's default", "cheapest", "saved", "by"),
        [
            (
                one.nothing.terms.cache if one.nothing.terms.cached else "no cache",
                dollars(one.nothing.cost.total),
                dollars(one.default.cost.total),
                dollars(one.best.cost.total),
                _cheaper(base_cost(one.nothing), one.best),
                name,
            )
            for one, name in zip(found, names, strict=True)
        ],
        numeric(1, 2, 3, 4),
        (
            "saved: percent of what none costs on the line's terms; caching is simulated",
            "the API's default: clear_tool_uses as it comes",
            f"{found[0].tried:,} settings tried that keep the newest {plural(keep, 'result')} or more; what a model"
            " loses with a result is not weighed",
            *spelled,
        ),
    )
