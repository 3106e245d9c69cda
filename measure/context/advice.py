"""Advice: of a grid of settings, the cheapest for these sessions that keeps as many results as was asked for.

The grid is small and fixed, so that an advice can be repeated. Policies whose cost rests on a simulated model call are
not in it: what they cost can be modelled, what they lose cannot.
"""

from collections.abc import Iterator, Sequence

import msgspec

from measure.context.cache_aware import CacheAware
from measure.context.clear_tool_uses import ClearToolUses
from measure.context.mask import Mask
from measure.context.policy import Policy
from measure.context.session import Session
from measure.context.sweep import Outcome, grid, outcomes
from measure.context.terms import Terms

_BATCHES = (1, 2, 3, 5, 10, 15, 20, 30)
_TRIGGERS = (5_000, 10_000, 20_000, 30_000, 50_000, 70_000, 100_000, 150_000)
_AT_LEAST = (0, 2_000, 5_000, 10_000, 20_000, 50_000)
_MORE = (0, 2, 7, 17)  # results kept beyond those that must be


class Advice(msgspec.Struct, frozen=True):
    """On one set of terms: the cheapest of `tried` settings, doing nothing, and the API's clearing as it comes."""

    best: Outcome
    nothing: Outcome
    default: Outcome
    tried: int

    @property
    def leave_it(self) -> bool:
        """Whether nothing is cheaper than doing nothing."""
        return self.best.cost.total >= self.nothing.cost.total


def settings(keep: int) -> Iterator[tuple[Policy, ...]]:
    """The grid: every chain that promises the newest `keep` results, doing nothing first.

    >>> len(list(settings(3)))
    229
    """
    yield ()
    keeps = [keep + more for more in _MORE]
    for policy in (
        *grid(CacheAware, {"keep": keeps}),
        *grid(Mask, {"window": keeps, "batch": _BATCHES}),
        *grid(ClearToolUses, {"trigger": _TRIGGERS, "keep": keeps, "clear_at_least": _AT_LEAST}),
    ):
        yield (policy,)


def advise(sessions: Sequence[Session], terms: Sequence[Terms], keep: int) -> list[Advice]:
    """What to do with sessions such as these, on each of the terms; of settings that cost the same, the first."""
    found = [outcomes(sessions, chain, terms) for chain in settings(keep)]
    default = outcomes(sessions, (ClearToolUses(),), terms)
    return [
        Advice(min((one[place] for one in found), key=_cost), found[0][place], default[place], len(found))
        for place in range(len(terms))
    ]


def _cost(one: Outcome) -> int:
    return one.cost.total
