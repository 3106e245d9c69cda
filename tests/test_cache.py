"""A prompt cache charges as the documentation says, block by block; on random sessions, and on the study's own."""

import pytest
from caches import (
    CHAINS,
    FIXTURES,
    SUBSETS,
    SlowAutomatic,
    SlowExplicit,
    agree,
    charges,
    fixture,
    plain,
    studied,
    timed,
    words,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import POLICIES, SUMMARIES, chains, counted

from measure.context.cache import LIVES, Automatic, Cache, Charge, Explicit, Uncached
from measure.context.mask import Mask
from measure.context.policy import Chain, Policy
from measure.context.summarize import Summarize
from measure.errors import BadInput
from measure.transcripts.model import Block, Message, Text, Thinking, ToolResult, ToolUse, Transcript

Pairs = list[tuple[Cache, SlowExplicit | SlowAutomatic]]


def everywhere(life: float, minimum: int) -> Pairs:
    """A cache and its slow twin for each set of places of breakpoints."""
    return [(Explicit(life, minimum, places), SlowExplicit(life, minimum, places)) for places in SUBSETS]


def automatic(life: float, minimum: int, step: int) -> Pairs:
    return [(Automatic(life, minimum, step), SlowAutomatic(life, minimum, step))]


LIVING, LEAST = st.sampled_from(tuple(LIVES.values())), st.sampled_from((0, 1, 30, 100, 400))


@settings(max_examples=60)
@given(timed(), st.one_of(list(POLICIES.values())).map(lambda one: (one,)) | chains(), LIVING, LEAST)
def test_entries_are_found_as_if_every_prompt_were_compared_block_by_block(
    transcript: Transcript, policies: tuple[Policy, ...], life: float, minimum: int
) -> None:
    agree(counted(transcript), policies, everywhere(life, minimum))


@settings(max_examples=60)
@given(timed(), chains(), LIVING, LEAST, st.sampled_from((1, 7, 64)))
def test_a_common_prefix_is_found_as_if_prompts_were_compared_block_by_block(
    transcript: Transcript, policies: tuple[Policy, ...], life: float, minimum: int, step: int
) -> None:
    agree(counted(transcript), policies, automatic(life, minimum, step))


@pytest.mark.parametrize("session", FIXTURES)
def test_every_studied_chain_is_charged_by_the_documented_rules(session: str) -> None:
    for name in CHAINS:
        pairs = everywhere(300, 1_024) + automatic(300, 1_024, 128)
        assert agree(fixture(session), studied(name), pairs) > 300


def last_only(transcript: Transcript, life: float = 300, minimum: int = 0) -> list[Charge]:
    return charges(transcript, Explicit(life, minimum, ("last",)))


def ending_in(*blocks: Block) -> Transcript:
    """Two requests; the first one's last message is made of these blocks, the second one is longer by two."""
    more = Message("assistant", (Text(words(10)),)), Message("user", (Text(words(10)),)), Message("assistant", ())
    return Transcript("ending", "test", (Message("user", (Text(words(10)),)), Message("user", blocks), *more), "s" * 30)


def test_an_entry_at_block_15_is_found_from_block_34_and_not_from_block_35() -> None:
    """The documentation's own example."""
    assert last_only(plain(15, 19)) == [Charge(0, 0, 150), Charge(0, 150, 190)]
    assert last_only(plain(15, 20)) == [Charge(0, 0, 150), Charge(0, 0, 350)]


@pytest.mark.parametrize("life", LIVES.values())
def test_an_entry_lives_to_the_last_second_of_its_life_and_no_longer(life: int) -> None:
    assert last_only(plain(15, 2, times=(0.0, life)), life)[1] == Charge(0, 150, 20)
    assert last_only(plain(15, 2, times=(0.0, life + 1.0)), life)[1] == Charge(0, 0, 170)


def test_a_read_makes_an_entry_live_on() -> None:
    """The first breakpoint is read at 290 s and once more at 580 s, and would have died at 300 s."""
    times = (0.0, 290.0, 580.0)
    assert [charge.read for charge in last_only(plain(15, 2, 2, times=times))] == [0, 150, 170]
    far = charges(plain(5, 25, 25, times=times, system="s" * 30), Explicit(300, 0, ("system", "last")))
    assert [charge.read for charge in far] == [0, 10, 10]


def test_an_entry_that_is_not_read_dies_though_the_session_goes_on() -> None:
    session = plain(15, 25, 2, times=(0.0, 299.0, 598.0))
    assert [charge.read for charge in last_only(session)] == [0, 0, 400]
    first_is_read_never = plain(15, 25, 2, times=(0.0, 299.0, 900.0))
    assert [charge.read for charge in last_only(first_is_read_never)] == [0, 0, 0]


def test_without_times_no_entry_dies() -> None:
    assert last_only(plain(15, 2, times=(None, None)))[1] == last_only(plain(15, 2, times=(0.0, None)))[1]
    assert last_only(plain(15, 2, times=(None, 9_000.0)))[1].read == 150


def test_a_prompt_below_the_minimum_is_neither_written_nor_read() -> None:
    assert last_only(plain(15, 2, 2), minimum=171) == [Charge(150, 0, 0), Charge(170, 0, 0), Charge(0, 0, 190)]
    assert last_only(plain(15, 2, 2), minimum=170) == [Charge(150, 0, 0), Charge(0, 0, 170), Charge(0, 170, 20)]
    assert last_only(plain(15, 2, 2), minimum=1_000) == [Charge(tokens, 0, 0) for tokens in (150, 170, 190)]


def test_a_breakpoint_below_the_minimum_does_not_stand_though_a_later_one_does() -> None:
    """The system text of 10 tokens is no entry, so where the walk falls short nothing is read."""
    session = plain(5, 25, system="s" * 30)
    assert charges(session, Explicit(300, 10, ("system", "last")))[1].read == 10
    assert charges(session, Explicit(300, 11, ("system", "last")))[1].read == 0


@pytest.mark.parametrize("last", [Thinking("abc" * 5), Text(""), Thinking("x", redacted=True)])
def test_a_breakpoint_moves_back_from_thinking_and_from_an_empty_text(last: Block) -> None:
    """What it leaves behind is fresh, and no breakpoint can stand before the last block that can carry one."""
    size = len(last.text) // 3 + bool(len(last.text) % 3) if isinstance(last, Text | Thinking) else 0
    found = last_only(ending_in(Text(words(10)), last, last))
    assert found[0] == Charge(2 * size, 0, 30)
    assert found[1].read == 30


def test_a_breakpoint_stays_on_an_empty_tool_result() -> None:
    """It is no text: 19 blocks later its entry is found, which one block further back would not be."""
    use = Message("assistant", (ToolUse("a", "read", "{}"),))
    answer = Message("user", (ToolResult("a", ()),))
    for more, read in ((18, 3), (19, 0)):
        rest = Message("assistant", (Text("abc"),)), Message("user", (Text("abc"),) * more), Message("assistant", ())
        assert last_only(Transcript("empty", "test", (use, answer, *rest)))[-1].read == read


def test_an_empty_text_costs_the_walk_a_position() -> None:
    """The entry stands before it, though it is no dearer to stand behind it."""
    said = Message("user", (Text("abc"), Text("")))
    for more, read in ((18, 1), (19, 0)):
        rest = Message("assistant", (Text("abc"),) * more), Message("assistant", ())
        first = Message("assistant", ())
        assert last_only(Transcript("empty", "test", (said, first, *rest)))[-1].read == read


@pytest.mark.skipif(not SUMMARIES, reason="lede is not installed: the extra `summaries`")
def test_a_breakpoint_stands_on_a_summary_that_took_the_place_of_thinking() -> None:
    turn = Message("assistant", (Thinking(words(90)), Text(words(90)))), Message("user", (Text(words(9)),))
    session = Transcript("thinking", "test", (*turn, *turn[:1]))
    (first, second) = charges(session, Explicit(300, 0, ("last",)), (Summarize(1, 0, 100),))
    assert first == Charge(0, 0, 0)
    assert second.fresh == 0 < second.written


def many_calls_at_once(number: int) -> Transcript:
    """Between two requests: a thought, a text, calls and their results."""
    uses = tuple(ToolUse(f"c{place}", "read", "{}") for place in range(number))
    results = tuple(ToolResult(use.id, (Text(words(10)),)) for use in uses)
    messages = (
        Message("user", (Text(words(10)),)),
        Message("assistant", (Thinking(words(5)), Text(words(5)), *uses)),
        Message("user", results),
        Message("assistant", (Text("done"),)),
    )
    return Transcript("parallel", "test", messages, "s" * 30)


def test_nine_calls_at_once_lie_beyond_the_walk_and_a_breakpoint_at_the_previous_end_finds_the_entry() -> None:
    def read(number: int, *places: str) -> int:
        return charges(many_calls_at_once(number), Explicit(300, 0, places))[1].read

    assert [read(number, "system", "last") for number in (8, 9)] == [20, 10]
    assert [read(number, "system", "previous", "last") for number in (8, 9)] == [20, 20]


def test_a_window_that_slides_leaves_only_the_entries_before_it_and_a_breakpoint_there_makes_more() -> None:
    """Where the only breakpoint is the last block, nothing but the first request's entry is found ever again."""
    calls = tuple(
        message
        for number in range(5)
        for message in (
            Message("assistant", (ToolUse(f"c{number}", "read", "{}"),)),
            Message("user", (ToolResult(f"c{number}", (Text(words(100)),)),)),
        )
    )
    session = Transcript("sliding", "test", (Message("user", (Text(words(10)),)), *calls, Message("assistant", ())))
    ends = [charges(session, Explicit(300, 0, places), (Mask(1),)) for places in (("last",), ("frontier", "last"))]
    assert [charge.read for charge in ends[0]] == [0, 10, 10, 10, 10, 10]
    note = 13  # tokens of "[tool result left out: 300 characters]"
    call = 3  # of "read" and "{}"
    assert [charge.read for charge in ends[1]] == [0, 10, 13, *(13 + (note + call) * more for more in (1, 2, 3))]


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((), "a breakpoint nowhere; known: system, frontier, previous, last"),
        (("last", "middle"), "a breakpoint 'middle'; known: system, frontier, previous, last"),
        (("",), "a breakpoint ''; known: system, frontier, previous, last"),
    ],
)
def test_a_place_that_is_none_is_refused_with_one_line(places: tuple[str, ...], told: str) -> None:
    with pytest.raises(BadInput) as refused:
        Explicit(300, 0, places)
    assert str(refused.value) == told


def test_no_more_breakpoints_stand_than_a_request_may_have() -> None:
    cache = Explicit(300, 0, ("system", "frontier", "previous", "last"))
    made = Chain(counted(plain(15, 2, 2, system="s" * 30)), ())
    for moment in made.moments():
        assert len(cache._standing(moment, made.context, made.context.total)) <= 4
        cache.charge(moment, made.context)


def test_a_common_prefix_is_read_in_whole_steps_from_the_minimum_on() -> None:
    session = plain(15, 2, 2)
    assert [charge.read for charge in charges(session, Automatic(300, 0, 1))] == [0, 150, 170]
    assert [charge.read for charge in charges(session, Automatic(300, 0, 64))] == [0, 128, 128]
    assert [charge.read for charge in charges(session, Automatic(300, 160, 64))] == [0, 0, 128]
    assert all(charge.written == 0 for charge in charges(session, Automatic(300, 0, 1)))


def test_a_common_prefix_dies_when_no_request_has_come_for_its_life() -> None:
    for gap, read in ((300.0, 150), (301.0, 0)):
        assert charges(plain(15, 2, times=(0.0, gap)), Automatic(300, 0, 1))[1].read == read


@settings(max_examples=20)
@given(timed(), chains())
def test_without_a_cache_all_is_fresh(transcript: Transcript, policies: tuple[Policy, ...]) -> None:
    session = counted(transcript)
    made = Chain(session, policies)
    for moment in made.moments():
        assert Uncached().charge(moment, made.context) == Charge(made.context.total, 0, 0)
