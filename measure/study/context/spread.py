"""How a policy fares over all sessions: signs counted, and the least and most that it saves.

Also without the death of cache entries, and of the cost of input alone, as others have computed it: what differs from
them then is not the rule, but the clock and the output.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any, Literal

import msgspec

from measure.context.policies import chain
from measure.context.prices import Cost
from measure.context.session import Session
from measure.context.sweep import outcomes
from measure.context.terms import Terms
from measure.quantities import CostDenominator, CostSaving, Saving, cost_saving
from measure.study.context.compared import STUDIED, places
from measure.study.context.rows import PolicyRow, Spread

UNDYING = "no entry dies"  # in the place of a lifetime
_CHECKED = (
    "mask 10",
    "mask 3",
    "mask 10, steps of 10",
    "clear 30k",
    "clear 30k, 5k at least",
    "clear 30k, 20k at least",
)


def spreads(rows: Sequence[PolicyRow]) -> list[Spread]:
    """Every policy on all terms, over the sessions of these rows."""
    made = []
    for (policy, cache, breakpoints, prices), same in _grouped(rows):
        found = [(row.session, row.input_saving if cache == "none" else row.cost_saving) for row in same]
        extremes = _extremes(found)
        of: Literal["input", "cost"] = "input" if cache == "none" else "cost"
        made.append(Spread(same[0].evidence, policy, of, cache, breakpoints, prices, **extremes))
    return made


def undying(sessions: Sequence[Session], terms: Sequence[Terms]) -> list[Spread]:
    """Some policies had no entry died: what they save of the cost of input, on the five-minute terms."""
    timeless = [_timeless(session) for session in sessions]
    made = []
    for one in (one for one in terms if one.cache == "5m"):
        for policy in _CHECKED:
            found = [(session.transcript.name, _of_input(session, policy, one)) for session in timeless]
            on = (UNDYING, places(one), one.prices.name)
            made.append(Spread("simulated", policy, "cost of input", *on, **_extremes(found)))
    return made


def _timeless(session: Session) -> Session:
    made = copy(session)
    made.requests = [msgspec.structs.replace(request, time=None) for request in session.requests]
    return made


def _of_input(session: Session, policy: str, terms: Terms) -> CostSaving:
    (base,), (found,) = outcomes([session], (), [terms]), outcomes([session], chain(STUDIED[policy]), [terms])
    prices = terms.prices
    whole = CostDenominator("none", f"{UNDYING}, {places(terms)}", prices.name, prices.date, _input_cost(base.cost))
    return cost_saving(whole, _input_cost(found.cost))


def _input_cost(cost: Cost) -> int:
    return cost.total - cost.output


def _grouped(rows: Iterable[PolicyRow]) -> Iterator[tuple[tuple[str, str, str, str], list[PolicyRow]]]:
    groups: dict[tuple[str, str, str, str], list[PolicyRow]] = {}
    for row in rows:
        groups.setdefault((row.policy, row.cache, row.breakpoints, row.prices), []).append(row)
    yield from groups.items()


def _extremes(found: Sequence[tuple[str, Saving | CostSaving]]) -> dict[str, Any]:
    """How many sessions save and how many cost more; the least and the most, and whose they are."""
    ordered = sorted(found, key=lambda pair: pair[1].percent)
    (least_session, least), (most_session, most) = ordered[0], ordered[-1]
    return {
        "sessions": len(found),
        "save": sum(saving.percent > 0 for _, saving in found),
        "cost_more": sum(saving.percent < 0 for _, saving in found),
        "least": least.display,
        "least_of": _amount(least),
        "least_session": least_session,
        "most": most.display,
        "most_of": _amount(most),
        "most_session": most_session,
    }


def _amount(saving: Saving | CostSaving) -> int:
    return saving.denominator.tokens if isinstance(saving, Saving) else saving.denominator.nanodollars
