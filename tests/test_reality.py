"""The cache model against reports: each reason on a session made for it, and real ones met to the token."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from caches import plain, recorded, reported
from sessions import counted

from measure.context import reality
from measure.context.reality import transitions
from measure.errors import BadInput
from measure.transcripts.model import Transcript, Usage

LAST = ("last",)


def use(read: int, written: int, fresh: int = 0, hour: int = 0) -> Usage:
    return Usage(fresh, read, written, hour, 1)


def found(transcript: Transcript, *usages: Usage | None, places: Sequence[str] = LAST) -> list[tuple[int, int, str]]:
    steps = transitions(counted(reported(transcript, usages)), places)
    return [(step.predicted, step.reported, step.reason) for step in steps]


def test_a_read_of_all_that_was_read_and_written_before_is_exact() -> None:
    session = plain(3, 2, 2)
    assert found(session, use(0, 500), use(500, 70), use(570, 9)) == [
        (500, 500, reality.EXACT),
        (570, 570, reality.EXACT),
    ]


def test_no_read_where_nothing_could_be_found_is_exact_too() -> None:
    assert found(plain(3, 25), use(0, 500), use(0, 900)) == [(0, 0, reality.EXACT)]


def test_a_prompt_shorter_than_the_one_before_had_something_taken_out() -> None:
    assert found(plain(3, 2), use(0, 500), use(100, 300)) == [(500, 100, reality.SHORTER)]


@pytest.mark.parametrize(("gap", "hour", "reason"), [(301.0, 0, "lived"), (3_600.0, 9, "exact"), (3_601.0, 9, "lived")])
def test_a_read_after_the_life_of_its_entry_is_named(gap: float, hour: int, reason: str) -> None:
    """A request whose report has writes for an hour is held to an hour."""
    wrote = use(0, 500 - hour, hour=hour)
    reads = [(0, 500, reality.LIVED)] if reason == "lived" else [(500, 500, reality.EXACT)]
    assert found(plain(3, 2, times=(0.0, gap)), wrote, use(500, 30, hour=hour)) == reads


def test_a_read_where_the_walk_finds_nothing_is_named() -> None:
    assert found(plain(3, 25), use(0, 500), use(500, 90)) == [(0, 500, reality.REACH)]


def test_more_or_less_than_was_written_stays_unexplained() -> None:
    assert found(plain(3, 2), use(0, 500), use(501, 90)) == [(500, 501, reality.MORE)]
    assert found(plain(3, 2), use(0, 500), use(499, 90)) == [(500, 499, reality.LESS)]


def test_each_reason_has_its_case_here() -> None:
    made = (reality.EXACT, reality.SHORTER, reality.LIVED, reality.REACH, reality.MORE, reality.LESS)
    assert made == reality.REASONS


def test_a_call_without_a_report_is_in_no_transition() -> None:
    assert found(plain(3, 2, 2), use(0, 500), None, use(570, 9)) == []
    assert len(found(plain(3, 2, 2, 2), None, use(0, 500), use(500, 9), use(509, 1))) == 2


def test_reports_that_know_of_no_cache_are_not_compared() -> None:
    assert found(plain(3, 2, 2), *[use(0, 0, fresh=900)] * 3) == []
    assert found(plain(3, 2, 2), None, None, None) == []


def test_a_breakpoint_at_the_previous_end_explains_a_read_beyond_the_walk() -> None:
    reports = use(0, 500), use(500, 90)
    assert found(plain(3, 25), *reports, places=("previous", "last")) == [(500, 500, reality.EXACT)]


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(BadInput, match="a breakpoint 'middle'"):
        found(plain(3, 2), use(0, 5), use(5, 1), places=("middle",))


@pytest.mark.parametrize("places", [("system", "last"), ("system", "previous", "last")])
def test_more_than_nine_in_ten_reads_of_real_sessions_are_met_to_the_token(
    places: tuple[str, ...], sessions: Path
) -> None:
    """149 of 159 where a breakpoint stands at the previous end, 148 where none does, as the results record."""
    assert sessions
    steps = [step for session in recorded() for step in transitions(session, places)]
    reasons = Counter(step.reason for step in steps)
    assert len(steps) >= 159
    assert reasons[reality.EXACT] >= 148 + ("previous" in places)
    assert 10 * reasons[reality.EXACT] > 9 * len(steps)
    assert set(reasons) <= set(reality.REASONS)
    for step in steps:
        assert (step.reason == reality.EXACT) == (step.predicted == step.reported)


def test_what_is_cached_is_not_what_is_counted_here() -> None:
    """Both sides are the provider's tokens: the session's own counts play no part."""
    reports = use(0, 500), use(500, 70)
    small, large = plain(3, 2), plain(3, 2, token=999)
    assert found(small, *reports) == found(large, *reports)
