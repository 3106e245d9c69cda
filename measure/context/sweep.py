"""Many settings over counted sessions: what each would have cost, by arithmetic alone.

A setting is a chain of policies. Sessions are added up, so that one advice is given for all of them. What a policy
takes from the model is not weighed here, but how much it leaves it is: each outcome says how many of the newest
results it promises to keep, and advice compares only those that keep as many as the user asks for.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Literal

import msgspec

from measure.context.policy import Policy
from measure.context.prices import Cost
from measure.context.replay import Usage, usage
from measure.context.session import Session
from measure.context.terms import Terms


class Outcome(msgspec.Struct, frozen=True):
    """What sessions took under one chain, on one set of terms."""

    chain: tuple[Policy, ...]
    terms: Terms
    usage: Usage
    cost: Cost

    @property
    def evidence(self) -> Literal["measured", "simulated"]:
        """`simulated` where a cache is modelled, or a policy stands in for a model; else `measured`."""
        stand_in = any(policy.evidence == "simulated" for policy in self.chain)
        return "simulated" if self.terms.cached or stand_in else "measured"

    @property
    def shown(self) -> str:
        """The chain as a user writes it, whole."""
        return written(self.chain)

    @property
    def brief(self) -> str:
        """The chain as a user writes it, without what is at its default."""
        return "/".join(policy.brief for policy in self.chain) or "none"


def written(chain: Iterable[Policy]) -> str:
    """A chain as a user writes it: `clear_thinking:keep=1/mask:window=10,batch=1`."""
    return "/".join(policy.shown() for policy in chain) or "none"


def grid(policy: type[Policy], values: Mapping[str, Sequence[Any]]) -> Iterator[Policy]:
    """Every combination of these parameters' values.

    >>> from measure.context.mask import Mask
    >>> [one.shown() for one in grid(Mask, {"window": [3, 10], "batch": [5]})]
    ['mask:window=3,batch=5', 'mask:window=10,batch=5']
    """
    for combination in product(*values.values()):
        yield policy(**dict(zip(values, combination, strict=True)))


def outcomes(sessions: Sequence[Session], chain: Sequence[Policy], terms: Sequence[Terms]) -> list[Outcome]:
    """What all sessions together take under one chain, on each of the terms; what they share is replayed once.

    Raises:
        BadInput: a chain in a wrong order.
    """
    suited = [one.suited(chain) for one in terms]
    taken: dict[int, Usage] = {}
    for held in dict.fromkeys(suited):
        places = [place for place, one in enumerate(suited) if one == held]
        found = [usage(session, held, {place: terms[place].new_cache() for place in places}) for session in sessions]
        for place in places:
            taken[place] = _total([one[place] for one in found])
    return [Outcome(suited[place], one, taken[place], one.cost(taken[place])) for place, one in enumerate(terms)]


def outcome(sessions: Sequence[Session], chain: Sequence[Policy], terms: Terms) -> Outcome:
    """The same on one set of terms.

    Raises:
        BadInput: see `outcomes`.
    """
    return outcomes(sessions, chain, [terms])[0]


def sweep(sessions: Sequence[Session], chains: Iterable[Sequence[Policy]], terms: Terms) -> list[Outcome]:
    """The outcome of each chain, the cheapest first; of equal ones, the one that was asked for first.

    Raises:
        BadInput: see `outcomes`.
    """
    return sorted((outcome(sessions, chain, terms) for chain in chains), key=lambda one: one.cost.total)


def _total(taken: Sequence[Usage]) -> Usage:
    return Usage(*(sum(getattr(one, field) for one in taken) for field in Usage.__struct_fields__))
