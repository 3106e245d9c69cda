"""Summaries: when, of what, by what right; and the stand-in that writes them."""

import sys

import pytest
from sessions import SUMMARIES, again, by_kind, cheap, counted, prose, sent

from measure.context import extract as extracting
from measure.context.clear_tool_uses import ClearToolUses
from measure.context.edited import applied, edited
from measure.context.extract import extract
from measure.context.hybrid import Hybrid
from measure.context.mask import Mask
from measure.context.policy import Chain, Policy
from measure.context.state import Call
from measure.context.summarize import HEADER, INSTRUCTION, Summarize
from measure.errors import BadInput
from measure.transcripts.model import Image, Message, Text, Thinking, ToolResult, ToolUse, Transcript

needed = pytest.mark.skipif(not SUMMARIES, reason="lede is not installed: the extra `summaries`")

TASK = Message("user", (Text("Find out why the dates are wrong."),))


def turn(number: int, text: str = "") -> tuple[Message, Message]:
    """One call and what it gave."""
    name = f"t{number}"
    return (
        Message("assistant", (Text(f"Attempt {number} begins."), ToolUse(name, "read", '{"path":"a"}'))),
        Message("user", (ToolResult(name, (Text(text or f"Attempt {number} shows more. " + prose(number) * 3),)),)),
    )


def session(turns: int, *more: Message) -> Transcript:
    return Transcript("t", "test", (TASK, *(message for number in range(turns) for message in turn(number)), *more))


def summaries(transcript: Transcript) -> list[int]:
    """Where summaries stand."""
    return [
        number
        for number, message in enumerate(transcript.messages)
        if isinstance(message.blocks[0], Text) and message.blocks[0].text.startswith(HEADER)
    ]


@needed
def test_the_oldest_turns_are_summarized_when_enough_stand() -> None:
    policy = Summarize(4, 2, 300)
    assert sent(session(5), (policy,)).messages == session(5).messages
    found = sent(session(6), (policy,))
    assert found.messages[0] == TASK
    assert summaries(found) == [1]
    assert found.messages[1].role == "user"
    assert found.messages[2:] == session(6).messages[9:]
    assert len(found.messages[1].blocks[0].text) <= 300  # type: ignore[union-attr]


@needed
@pytest.mark.parametrize("turns", [6, 10, 11, 14, 30])
def test_one_summary_stands_at_a_time_and_the_next_one_reads_it(turns: int) -> None:
    """The code of The Complexity Trap carries three after fifteen turns (every 4, keep 2)."""
    found = sent(session(turns), (Summarize(4, 2, 300),))
    assert summaries(found) == [1]
    assert found.messages[1].blocks[0].text.count(HEADER) == 1  # type: ignore[union-attr]
    assert len(found.messages) == 2 + 2 * (2 + (turns - 6) % 4)


@needed
def test_a_summary_of_an_edited_list_is_known_as_one() -> None:
    """A client that sends the edited messages on, and goes on, has one summary still."""
    policy = Summarize(4, 2, 300)
    once = sent(session(6), (policy,))
    more = [message for number in range(6, 10) for message in turn(number)]
    twice = sent(again(once, (*once.messages, *more)), (policy,))
    assert twice.messages == sent(session(10), (policy,)).messages


@needed
def test_the_call_that_summarizes_is_charged() -> None:
    transcript = session(6)
    chain = Chain(counted(transcript), [Summarize(4, 2, 300)])
    moments = list(chain.moments(chain.context.session.requests))
    found = applied(chain.context.session, chain.context.changes)
    replaced = again(transcript, transcript.messages[1:9])
    assert [moment.calls for moment in moments[:-1]] == [()] * 6
    assert moments[-1].calls == (
        Call(by_kind(replaced).total() + cheap(INSTRUCTION), by_kind(again(transcript, found[1:2])).total()),
    )


@needed
def test_a_summary_that_is_no_shorter_is_dropped_and_charged_and_tried_again_with_more() -> None:
    short = [Message("assistant", (Text("Yes."),)), Message("user", (Text("Go on."),))]
    transcript = Transcript("t", "test", (TASK, *short * 8))
    chain = Chain(counted(transcript), [Summarize(2, 1, 100)])
    moments = list(chain.moments(chain.context.session.requests))
    assert [len(moment.calls) for moment in moments] == [0, 0, 0, 1, 0, 1, 0, 1, 0]
    assert summaries(again(transcript, applied(chain.context.session, chain.context.changes))) == []
    assert moments[5].calls[0].input > moments[3].calls[0].input


@needed
def test_a_result_that_comes_turns_later_leaves_with_its_call() -> None:
    """Whether it is there when its call is summarized, or comes after that."""
    for place in (3, 6):
        messages = list(session(8).messages)
        messages[1] = Message("assistant", (*messages[1].blocks, ToolUse("late", "bash", "{}")))
        answer = messages[2 * place + 2]
        messages[2 * place + 2] = Message("user", (*answer.blocks, ToolResult("late", (Text("here at last"),))))
        found = sent(Transcript("t", "test", tuple(messages)), (Summarize(4, 2, 300),))
        assert not any(
            isinstance(block, ToolResult) and block.use == "late" for m in found.messages for block in m.blocks
        )


@needed
def test_what_was_not_said_in_words_is_charged_and_not_quoted() -> None:
    odd = Message("assistant", (Thinking("c1pher", redacted=True), Text("Look at this picture of the failing page.")))
    image = Message("user", (Image("image/png", 900, 750, 100),))
    transcript = Transcript("t", "test", (TASK, odd, image, *turn(1), *turn(2)))
    chain = Chain(counted(transcript), [Summarize(2, 1, 400)])
    calls = [call for moment in chain.moments(chain.context.session.requests) for call in moment.calls]
    assert calls[0].input == by_kind(again(transcript, transcript.messages[1:5])).total() + cheap(INSTRUCTION)
    assert "c1pher" not in str(applied(chain.context.session, chain.context.changes))


@needed
def test_the_hybrid_is_a_summary_and_then_a_mask() -> None:
    for turns in (3, 7, 8, 20):
        both = sent(session(turns), (Hybrid(2, 5, 3, 300),))
        assert both == sent(session(turns), (Summarize(5, 3, 300), Mask(2)))
    assert summaries(both) == [1]


@needed
def test_a_summary_stays_whatever_stands_where_it_was_put() -> None:
    """It takes the place of the first block of its turns, be that a call whose input another policy would clear."""
    name = Message("assistant", (ToolUse("t", "read", '{"path":"' + "long" * 200 + '"}'),))
    result = Message("user", (ToolResult("t", (Text(prose(3) * 9),)),))
    transcript = Transcript("t", "test", (TASK, *(name, result) * 5))
    clear = ClearToolUses(1, keep=1, clear_tool_inputs=True)
    assert summaries(sent(transcript, (Summarize(2, 1, 200), clear))) == [1]


@needed
def test_a_trigger_in_uses_does_not_count_those_that_were_summarized() -> None:
    summarized = Summarize(4, 2, 300)
    clear = ClearToolUses(5, "tool_uses", keep=1)
    assert sent(session(7), (summarized, clear)) == sent(session(7), (summarized,))
    assert sent(session(7), (clear,)) != session(7)


@needed
def test_what_a_later_policy_saved_is_not_saved_once_a_summary_has_taken_it() -> None:
    """Else the trigger of the later one would count tokens that no longer enter it."""
    entering: list[int] = []

    class Spy(Mask, frozen=True):
        def stages(self, session):  # type: ignore[no-untyped-def]
            (stage,) = super().stages(session)
            step = stage.step

            def spied(request, context, tokens):  # type: ignore[no-untyped-def]
                entering.append(tokens)
                return step(request, context, tokens)

            stage.step = spied
            return (stage,)

    transcript = session(6)
    summarized = Summarize(4, 2, 300)
    chain = Chain(counted(transcript), [Mask(0), summarized, Spy(0)])
    list(chain.moments(chain.context.session.requests))
    assert entering[-1] == chain.context.total
    entering.clear()
    chain = Chain(counted(transcript), [summarized, Spy(0)])
    list(chain.moments(chain.context.session.requests))
    kept = by_kind(again(transcript, transcript.messages[9:])).total()
    assert entering[-1] == cheap(TASK.blocks[0].text) + kept + chain.context.tokens(1)  # type: ignore[union-attr]


@needed
def test_a_batch_of_masks_moves_when_a_summary_takes_some_of_its_results() -> None:
    """The one chain whose second pass may change more: steps are counted from the first result, and that has gone."""
    policies: tuple[Policy, ...] = (Mask(0, 2), Summarize(3, 2, 150))
    transcript = session(7)
    once = sent(transcript, policies)
    assert sent(once, policies) != once
    assert by_kind(sent(once, policies)).total() < by_kind(once).total() < by_kind(transcript).total()


@needed
def test_an_extract_is_the_same_on_every_python() -> None:
    """Five sentences of the same six words weigh the same; the built-in sum tells them apart before Python 3.12."""
    text = (
        "Oscar golf bravo november mike xray. November golf xray oscar mike bravo. Mike november bravo oscar golf xray."
        " Oscar xray mike golf bravo november. Oscar xray november bravo golf mike. Kilo november foxtrot quebec."
    )
    assert (
        extract(text, 120)
        == "Oscar golf bravo november mike xray. November golf xray oscar mike bravo. Kilo november foxtrot quebec."
    )


@needed
def test_an_extract_is_no_longer_than_asked_and_leaves_the_library_as_it_was() -> None:
    import lede.tfidf

    for length in (100, 500):
        for number in range(30):
            assert len(extract(prose(number) * 9, length)) <= length
    assert "sum" not in vars(lede.tfidf)
    assert extract("", 100) == ""


def test_without_the_library_a_summary_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lede", None)
    extracting._summarize.cache_clear()
    with pytest.raises(BadInput, match=r"^lede is not installed; install context-ladder with its extra `summaries`$"):
        edited(session(6), [Summarize(4, 2, 300)])
    assert edited(session(5), [Summarize(4, 2, 300)]) == session(5).messages
    monkeypatch.undo()
    extracting._summarize.cache_clear()
