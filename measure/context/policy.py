"""What a policy is: parameters, and for each session a stage that says before every request what to change.

A stage sees the session only as far as that request, so a policy never knows the future; and what it changed once
stays changed, which a stateless rule gives as well if it clears more as the session grows. Policies chain: each stage
is told how many tokens enter it, after the stages before it and before itself, as an API counts that is sent the whole
history every time. Not kept apart: each stage's own view of single blocks. One that an earlier stage comes to when a
later stage has changed it already is seen as it stands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self

import msgspec

from measure.context.session import Request, Session
from measure.context.state import Call, Change, Context, Step
from measure.errors import BadInput


class Stage(Protocol):
    """A policy at work on one session."""

    def step(self, request: Request, context: Context, entering: int) -> Step:
        """What changes before this request, which `entering` tokens would be if this stage had never done anything."""

    def frontier(self, context: Context) -> int:
        """The foremost position that a later step may change; the context's end if there is none."""


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Parameters of a policy. A subclass names itself, says where its rule comes from, and begins a stage."""

    name: ClassVar[str]
    about: ClassVar[str]
    source: ClassVar[str]
    evidence: ClassVar[str] = "measured"
    of_terms: ClassVar[frozenset[str]] = frozenset()  # parameters that prices and cache set, not the user
    first: ClassVar[bool] = False  # whether it must be the first of a chain

    def stages(self, session: Session) -> Sequence[Stage]:
        """The policy at work on a session; more than one stage where it is made of several."""
        raise NotImplementedError

    def suited(self, terms: Mapping[str, Any]) -> Self:
        """The policy with what these terms say of the parameters that are theirs to set."""
        return msgspec.structs.replace(self, **{name: terms[name] for name in self.of_terms})

    @classmethod
    def parameters(cls) -> list[str]:
        """What a user may set: not what the terms do."""
        return [field for field in cls.__struct_fields__ if field not in cls.of_terms]

    def shown(self) -> str:
        """As a user writes it, whole: `mask:window=10,batch=1`."""
        return self._shown(self.parameters())

    @property
    def brief(self) -> str:
        """As a user writes it, without what is at its default: `mask`."""
        defaults = type(self)()
        return self._shown([key for key in self.parameters() if getattr(self, key) != getattr(defaults, key)])

    def value(self, key: str) -> str:
        """One parameter's value as a user writes it."""
        value = getattr(self, key)
        if isinstance(value, bool):
            return str(value).lower()
        return "+".join(value) if isinstance(value, tuple | frozenset) else str(value)

    def _shown(self, keys: Sequence[str]) -> str:
        settings = ",".join(f"{key}={self.value(key)}" for key in keys)
        return f"{self.name}:{settings}" if settings else self.name


def checked(policies: Iterable[Policy]) -> tuple[Policy, ...]:
    """The same policies, if each one's values are possible and they can stand in this order.

    Raises:
        BadInput: they cannot.
    """
    found = tuple(policies)
    for place, policy in enumerate(found, 1):
        try:
            msgspec.convert(msgspec.structs.asdict(policy), type(policy))
        except msgspec.ValidationError as error:
            what, _, at = str(error).partition(" - at `$.")
            raise BadInput(f"{at.rstrip('`')}: {what[:1].lower()}{what[1:]}", where=policy.shown()) from None
        if policy.first and place > 1:
            before = found[place - 2].name
            raise BadInput(f"{policy.name} stands after {before}", where="policies", right=f"put {policy.name} first")
    return found


class Moment(msgspec.Struct, frozen=True):
    """One request under a chain: from which position on it differs from the one before it, and what was done."""

    request: Request
    changed: int
    changes: tuple[Change, ...]
    calls: tuple[Call, ...]
    frontier: int


class Chain:
    """Policies at work on one session, one after the other; `context` is as the last request had it.

    Raises:
        BadInput: see `checked`.
    """

    def __init__(self, session: Session, policies: Iterable[Policy]) -> None:
        self._policies, self._session = checked(policies), session
        self.context = Context(session)
        self._begin()

    def _begin(self) -> None:
        self._stages = [stage for policy in self._policies for stage in policy.stages(self._session)]
        self._saved = [0] * len(self._stages)
        self._shares: dict[int, dict[int, int]] = {}  # position -> stage -> tokens that it saved there

    def moments(self, requests: Sequence[Request] | None = None) -> Iterator[Moment]:
        """One a request, in order; the context is that request's while the caller looks at it."""
        for request in self._session.requests[:-1] if requests is None else requests:
            yield self._moment(request)

    def _moment(self, request: Request) -> Moment:
        context = self.context
        end, first = context.end, context.first
        changed = context.enter(request)
        if context.first != first:  # the transcript was compacted: what the stages did has left with the blocks
            self._begin()
        changes: list[Change] = []
        calls: list[Call] = []
        for index, stage in enumerate(self._stages):
            step = stage.step(request, context, context.total + sum(self._saved[index:]))
            for change in step.changes:
                if self._allowed(change):
                    self._credit(index, change.position, context.change(change))
                    changes.append(change)
                else:
                    self._cede(index, change)
            calls.extend(step.calls)
        frontier = min([stage.frontier(context) for stage in self._stages], default=context.end)
        changed = min([changed, end, *[change.position for change in changes]])
        return Moment(request, changed, tuple(changes), tuple(calls), frontier)

    def _credit(self, stage: int, position: int, saved: int) -> None:
        """Count what a stage saved; with it what later stages saved at this place, as they will not meet it again."""
        shares = self._shares.setdefault(position, {})
        for later in [other for other in shares if other > stage]:
            self._saved[later] -= shares[later]
            saved += shares.pop(later)
        shares[stage] = shares.get(stage, 0) + saved
        self._saved[stage] += saved

    def _cede(self, stage: int, change: Change) -> None:
        """Where a later stage has done more than this change would, count as this stage's what it would have saved."""
        shares = self._shares.get(change.position, {})
        later = min((other for other in shares if other > stage), default=None)
        if later is None:
            return
        entering = self.context.tokens(change.position) + sum(shares[other] for other in shares if other >= stage)
        more = entering - change.tokens - shares.get(stage, 0)
        if more > 0:
            for other, tokens in ((stage, more), (later, -more)):
                shares[other] = shares.get(other, 0) + tokens
                self._saved[other] += tokens

    def _allowed(self, change: Change) -> bool:
        """A block is changed only where it is still there, and never for something as long; but for a summary.

        Where a summary stands, only another one may take its place; one of the same words is no change.
        """
        context = self.context
        if change.summary:
            return context.here(change.position) and context.changes.get(change.position) != change
        if context.left(change.position):
            return False
        return change.text is None or change.tokens < context.tokens(change.position)
