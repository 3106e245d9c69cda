"""The cache-aware policy clears when waiting has cost as much: never dearer here than doing nothing, and never rash."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from caches import FIXTURES, calling, fixture, recorded
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sessions import cheap, counted, transcripts

from measure.context.cache import Explicit
from measure.context.cache_aware import CacheAware
from measure.context.clear_tool_uses import PLACEHOLDER
from measure.context.policy import Chain, Policy, Stage
from measure.context.prices import read_prices
from measure.context.replay import usage
from measure.context.session import Request, Session
from measure.context.state import NOTHING, Change, Context, Step
from measure.context.sweep import outcomes
from measure.study.context.compared import MODEL, all_terms
from measure.transcripts.model import Transcript

PRICES = "fixtures/prices.toml"
TERMS = all_terms(read_prices((Path(__file__).parent.parent / PRICES).read_bytes(), PRICES), MODEL)


def cleared(session: Session, policy: Policy) -> list[list[int]]:
    """Of each request, which results are cleared before it."""
    number = {use.result: index for index, use in enumerate(session.uses)}
    return [[number[change.position] for change in moment.changes] for moment in Chain(session, [policy]).moments()]


def dearer(session: Session, keep: int) -> float:
    """The cost over doing nothing's, on the study's terms on which it compares worst."""
    nothing = outcomes([session], (), TERMS)
    found = outcomes([session], (CacheAware(keep),), TERMS)
    return max(aware.cost.total / doing.cost.total for doing, aware in zip(nothing, found, strict=True))


@pytest.mark.parametrize("file", FIXTURES)
def test_with_three_results_kept_it_is_never_dearer_than_doing_nothing_on_any_terms_of_the_study(file: str) -> None:
    assert dearer(fixture(file), 3) <= 1


def test_with_three_results_kept_it_is_never_dearer_than_doing_nothing_on_real_sessions(sessions: Path) -> None:
    assert sessions
    assert len(recorded()) >= 7
    for session in recorded():
        assert dearer(session, 3) <= 1, session.transcript.name


def test_with_ten_kept_it_may_clear_just_before_the_end_and_is_dearer_by_less_than_an_eighth() -> None:
    """It knows the past only: what a session's last clearing cost may never come back."""
    found = {file: dearer(fixture(file), 10) for file in FIXTURES}
    assert {file for file, ratio in found.items() if ratio > 1} == {"search", "retrieval"}
    assert max(found.values()) < 1.125


@settings(max_examples=40)
@given(transcripts(20), st.integers(0, 6), st.floats(0, 1), st.floats(1, 3))
def test_the_newest_results_stay_whole(transcript: Transcript, keep: int, read: float, write: float) -> None:
    session = counted(transcript)
    for request, gone in zip(session.requests, cleared(session, CacheAware(keep, read, write)), strict=False):
        assert all(request.since <= index < request.uses - keep for index in gone)


@settings(max_examples=30)
@given(transcripts(20), st.integers(0, 4))
def test_without_a_cache_all_that_can_be_shorter_is_cleared_at_once(transcript: Transcript, keep: int) -> None:
    """Where reading costs what a fresh token does, nothing is lost in changing it."""
    session, least = counted(transcript), cheap(PLACEHOLDER)
    seen = 0
    for request, gone in zip(session.requests, cleared(session, CacheAware(keep, 1.0, 1.0)), strict=False):
        first = max(seen, request.since)
        upto = max(request.uses - keep, first)
        long = [index for index in range(first, upto) if session.blocks[session.uses[index].result].tokens > least]
        assert gone == long
        seen = upto


def test_a_write_that_costs_too_much_is_never_made() -> None:
    session = counted(calling(*[100] * 40))
    assert not any(cleared(session, CacheAware(3, 0.1, 1e9)))
    assert any(cleared(session, CacheAware(3, 0.1, 1.25)))


def test_more_to_keep_than_there_are_results_clears_nothing() -> None:
    session = counted(calling(*[100] * 12))
    assert not any(cleared(session, CacheAware(12, 1.0, 1.0)))
    assert sum(map(len, cleared(session, CacheAware(11, 1.0, 1.0)))) == 1


def test_results_no_longer_than_the_placeholder_are_never_cleared() -> None:
    least = cheap(PLACEHOLDER)
    assert not any(cleared(counted(calling(*[least] * 20)), CacheAware(1, 1.0, 1.0)))
    assert sum(map(len, cleared(counted(calling(*[least + 1] * 20)), CacheAware(1, 1.0, 1.0)))) == 19


def test_when_the_cache_is_cold_all_but_the_newest_are_cleared() -> None:
    """At the sixth request, 301 seconds after the fifth; one second less, and it waits on."""
    sizes = [100] * 6
    for gap, found in ((300.0, []), (301.0, [0, 1])):
        times = [0.0, 10.0, 20.0, 30.0, 40.0, 40.0 + gap, 50.0 + gap]
        assert cleared(counted(calling(*sizes, times=times)), CacheAware(3, 0.1, 99.0))[5] == found


def test_it_clears_at_the_first_request_at_which_waiting_has_cost_as_much_as_clearing() -> None:
    """By hand: from request 2 on 199 tokens of the first result are dead, so that each request costs 19.9 more.

    Behind it live a placeholder of 11 tokens and 4 a call: 33, 45, then 57 to write, for 19.9, 39.8, then 59.7.
    """
    found = cleared(counted(calling(210, *[1] * 9, said=0)), CacheAware(1, 0.1, 3.1))
    assert [place for place, gone in enumerate(found) if gone] == [4]


class Scheduled(Policy, frozen=True):
    """Clears whatever is dead at the requests it was told."""

    name = "scheduled"
    about = "a schedule"
    source = "tests"

    keep: int = 1
    at: tuple[int, ...] = ()

    def stages(self, session: Session) -> tuple[Stage]:
        return (_Scheduled(self, session),)


class _Scheduled:
    def __init__(self, policy: Scheduled, session: Session) -> None:
        self._policy, self._session = policy, session
        self._number, self._done, self._end = -1, 0, 0
        self._dead: list[Change] = []

    def step(self, request: Request, context: Context, entering: int) -> Step:
        self._number += 1
        for use in self._session.uses[self._done : max(request.uses - self._policy.keep, self._done)]:
            change = Change(use.result, cheap(PLACEHOLDER), PLACEHOLDER)
            if change.tokens < context.tokens(use.result):
                self._dead.append(change)
        self._done = max(request.uses - self._policy.keep, self._done)
        end, self._end = self._end, context.end
        if self._dead:
            saved = sum(context.tokens(change.position) - change.tokens for change in self._dead)
            survives = context.before(end) - context.before(self._dead[0].position) - saved
            self._session.memory["prices"][self._number] = (WRITE - READ) * survives
        if self._number not in self._policy.at:
            return NOTHING
        changes, self._dead = tuple(self._dead), []
        return Step(changes)

    def frontier(self, context: Context) -> int:
        if self._dead:
            return self._dead[0].position
        uses = self._session.uses
        return min(uses[self._done].result if self._done < len(uses) else context.end, context.end)


FRESH, READ, WRITE = 20, 2, 25  # as dear as in the price list, in whole numbers


def cost(session: Session, policy: Policy) -> int:
    """Of all requests under the documented cache."""
    took = usage(session, [policy], {0: Explicit(300, 0, ("system", "frontier", "last"))})[0]
    return took.fresh * FRESH + took.read * READ + took.written * WRITE


def floor(session: Session, requests: int) -> int:
    """The same, were clearing free and done at once: what was sent before is read, what is new is written."""
    total = end = 0
    chain = Chain(session, [Scheduled(at=tuple(range(requests)))])
    for moment in chain.moments():
        before = chain.context.before(end)
        total += before * READ + (chain.context.total - before) * WRITE
        end = moment.request.end
    return total


def compared(sizes: Sequence[int]) -> tuple[int, int, int, float]:
    """What clearing and waiting cost: by the rule, never clearing, and the best of all schedules.

    The last is by how much the price of clearing grew, at most, while the rule waited.
    """
    session = counted(calling(*sizes, said=0))
    requests = len(session.requests) - 1
    prices: dict[int, int] = {}
    session.memory["prices"] = prices
    least = floor(session, requests)
    rule = CacheAware(1, READ / FRESH, WRITE / FRESH)
    times = [place for place, gone in enumerate(cleared(session, rule)) if gone]
    every = [at for number in range(requests - 1) for at in combinations(range(2, requests), number)]
    costs = {at: cost(session, Scheduled(at=at)) - least for at in every}
    assert cost(session, rule) - least == costs[tuple(times)]
    prices.clear()
    cost(session, Scheduled(at=tuple(times)))
    grew, lowest = 1.0, 0
    for number, price in sorted(prices.items()):
        lowest = min(lowest or price, price)
        grew = max(grew, price / lowest if lowest else 1.0)
        if number in times:
            lowest = 0
    return costs[tuple(times)], costs[()], min(costs.values()), grew


RESULTS = st.lists(st.sampled_from((1, 11, 12, 30, 100, 300, 1_000, 5_000)), min_size=2, max_size=7)


@settings(max_examples=40)
@example([100] * 7)
@example([5_000, 1, 1, 1, 1, 1, 1])
@example([30, 12, 5_000, 1, 1, 1, 1])
@given(RESULTS)
def test_it_costs_at_most_twice_never_clearing_and_twice_the_best_schedule_for_as_much_as_its_price_grew(
    sizes: list[int],
) -> None:
    """The bound of part-period balancing is twice the best; here the price of clearing may grow while one waits.

    At each clearing the waiting has cost as much as the clearing, and one request before it had not. So where the best
    schedule waits as long, the rule costs at most twice that; where it cleared earlier, at most twice the price then,
    times what the price has grown since. Both hold of what the cache charges, not only of what the rule believes.
    """
    rule, never, best, grew = compared(sizes)
    assert 0 <= best <= rule <= 2 * never
    assert rule <= 2 * grew * best
