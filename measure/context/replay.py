"""Replay: what every model call of a session is sent under a chain of policies, and what caches make of it.

The session is walked once; any number of caches look on. Nothing is tokenized here.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from measure.context.cache import Cache, Charge
from measure.context.policy import Chain, Policy
from measure.context.session import KINDS, Request, Session
from measure.context.state import Call

Name = TypeVar("Name", bound=Hashable)


class Sent(msgspec.Struct, frozen=True):
    """One request: its tokens, kind by kind; how many blocks stand changed by policies; what each cache made of it."""

    request: Request
    total: int
    kinds: tuple[int, ...]  # as KINDS
    changed: int
    calls: tuple[Call, ...]
    charges: tuple[Charge, ...]  # as the caches


class Usage(msgspec.Struct, frozen=True):
    """A session's tokens under one policy and one cache, the policy's own calls among them.

    Input is fresh + read + written; `own` is what of the fresh input and of the output are the policy's own calls.
    """

    fresh: int
    read: int
    written: int
    output: int
    own_input: int = 0
    own_output: int = 0

    @property
    def input(self) -> int:
        """All that was sent."""
        return self.fresh + self.read + self.written


def replay(session: Session, policies: Sequence[Policy], caches: Sequence[Cache]) -> Iterator[Sent]:
    """One a model call, in order.

    Raises:
        BadInput: a chain in a wrong order.
    """
    chain = Chain(session, policies)
    for moment in chain.moments():
        context = chain.context
        kinds = tuple(context.of_kind(kind) for kind in KINDS)
        charges = tuple(cache.charge(moment, context) for cache in caches)
        changed = sum(position >= context.first for position in context.changes)
        yield Sent(moment.request, context.total, kinds, changed, moment.calls, charges)


def usage(session: Session, policies: Sequence[Policy], caches: Mapping[Name, Cache]) -> dict[Name, Usage]:
    """What the whole session takes, cache by cache: the replay's sums.

    Raises:
        BadInput: see `replay`.
    """
    chain = Chain(session, policies)
    sums = {name: [0, 0, 0] for name in caches}
    output = own_input = own_output = 0
    for moment in chain.moments():
        output += moment.request.output
        for call in moment.calls:
            own_input += call.input
            own_output += call.output
        for name, cache in caches.items():
            charge = cache.charge(moment, chain.context)
            held = sums[name]
            held[0] += charge.fresh
            held[1] += charge.read
            held[2] += charge.written
    return {
        name: Usage(fresh + own_input, read, written, output + own_output, own_input, own_output)
        for name, (fresh, read, written) in sums.items()
    }
