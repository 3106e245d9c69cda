"""Clearing only when it pays: the policy of this project.

Clearing rewrites the cache from the first block on that it touches, or, where no breakpoint stands just before that
block, from the last one that stands still; so it has a price: what survives there, times what a write costs more than a
read. Waiting has one too: every request reads the dead results once more. This is the lot-sizing problem (an order has
a fixed cost, stock a cost of holding), and the rule is its part-period balancing: wait until holding has cost as much
as the order will. With even growth that is the economic batch; where a result is huge it comes at once; where results
are small, never. When the cache is cold, clearing is free, and done.

It knows the past only: no number of requests to come is assumed. It assumes nothing of what the model still needs:
like every rule here it keeps the newest results.
"""

from typing import Annotated, ClassVar, Literal

import msgspec

from measure.context.clear_tool_uses import PLACEHOLDER
from measure.context.policy import Policy, Stage
from measure.context.session import Request, Session
from measure.context.state import NOTHING, Change, Context, Step


class CacheAware(Policy, frozen=True):
    """The newest `keep` results stay. The other parameters are the terms' to say.

    `read` and `write` are prices of a token, a fresh one being 1; `life` is in seconds; `rewritten` says from where on
    a prompt is written again after a change.
    """

    name: ClassVar[str] = "cache_aware"
    about: ClassVar[str] = "clears all but the newest `keep` results once waiting is dearer"
    source: ClassVar[str] = "ours: part-period balancing of the cache's write and read prices"
    of_terms: ClassVar[frozenset[str]] = frozenset({"read", "write", "life", "rewritten"})

    keep: Annotated[int, msgspec.Meta(ge=0)] = 3
    read: float = 0.1
    write: float = 1.25
    life: float = 300
    rewritten: Literal["change", "messages", "start"] = "change"

    def stages(self, session: Session) -> tuple[Stage]:
        """One stage."""
        return (_Stage(self, session),)


class _Stage:
    def __init__(self, policy: CacheAware, session: Session) -> None:
        self._policy, self._session = policy, session
        self._next = -1  # the first use that was not looked at
        self._dead: list[Change] = []  # what clearing would change,
        self._first = len(session.blocks)  # from which position on,
        self._tokens = 0  # and what it would save
        self._held = 0.0  # what waiting has cost since the last clearing, in fresh tokens
        self._end = 0  # of the request before
        self._time: float | None = None

    def step(self, request: Request, context: Context, entering: int) -> Step:
        """Clear, or wait for another request."""
        self._look(request, context)
        now, before = request.time, self._time
        cold = now is not None and before is not None and now - before > self._policy.life
        end, self._end, self._time = self._end, context.end, now
        if not self._dead:
            return NOTHING
        survives = context.before(end) - self._kept(context) - self._tokens
        self._held += self._policy.read * self._tokens
        if not cold and self._held < (self._policy.write - self._policy.read) * survives:
            return NOTHING
        changes = tuple(self._dead)
        self._dead, self._tokens, self._held = [], 0, 0.0
        self._first = len(self._session.blocks)
        return Step(changes)

    def _kept(self, context: Context) -> int:
        """Tokens of what would be read from the cache all the same."""
        places = {"change": self._first, "messages": self._session.fixed, "start": 0}
        return context.before(places[self._policy.rewritten])

    def _look(self, request: Request, context: Context) -> None:
        """Find the results that have left the window since, and are worth clearing."""
        first = max(self._next, request.since)
        for index in range(first, request.uses - self._policy.keep):
            position = self._session.uses[index].result
            change = Change(position, self._session.count(PLACEHOLDER), PLACEHOLDER)
            saved = context.tokens(position) - change.tokens
            if saved > 0 and not context.left(position):
                self._dead.append(change)
                self._tokens += saved
                self._first = min(self._first, position)
        self._next = max(first, request.uses - self._policy.keep)

    def frontier(self, context: Context) -> int:
        """The first result that is dead or may die."""
        return min(self._first, self._session.foremost(self._next), context.end)
