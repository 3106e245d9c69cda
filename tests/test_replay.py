"""Replay is arithmetic: it gives what counting every request anew gives, and tokenizes nothing twice."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from caches import CHAINS, calling, fixture, studied, timed
from hypothesis import given, settings
from sessions import SUMMARIES, again, by_kind, chains, cheap, counted, places, tokens_of, transcripts

from measure.context.cache import Automatic, Cache, Explicit, Uncached
from measure.context.edited import applied
from measure.context.mask import Mask
from measure.context.policies import chain, parse
from measure.context.policy import Chain, Policy
from measure.context.replay import Sent, Usage, replay, usage
from measure.context.session import KINDS, Request, Session
from measure.context.sweep import grid
from measure.errors import BadInput
from measure.transcripts.model import Transcript

PLACES = ("system", "frontier", "last")


def caches(minimum: int = 0) -> list[Cache]:
    return [Uncached(), Explicit(300, minimum, PLACES), Explicit(3_600, minimum, ("last",)), Automatic(300, minimum, 8)]


def anew(session: Session, policies: Sequence[Policy], request: Request) -> Transcript:
    """The request as it would be sent, had the session ended with its answer; worked out from the first message on."""
    whole = session.transcript
    since = tuple(index for index in whole.compactions if index <= request.message)
    messages = whole.messages[: request.message + 1]
    short = Session(Transcript("", "", messages, whole.system, whole.tools, since), session.encoding, session.count)
    made = Chain(short, policies)
    for _ in made.moments():
        pass
    return again(whole, applied(short, made.context.changes, made.context.end))


def check(session: Session, policies: Sequence[Policy], one: Sent) -> None:
    """One request against itself, counted anew: kinds, total, how many blocks stand changed, and each cache's sum."""
    sent = anew(session, policies, one.request)
    found = by_kind(sent, session.count)
    assert one.kinds == tuple(found[kind] for kind in KINDS)
    assert one.total == found.total()
    since = session.message(one.request.first)  # what a compaction of the transcript took away, no policy changed
    was = Counter(block for _, block in places(session.transcript.messages[since : one.request.message]))
    stands = Counter(block for _, block in places(sent.messages))
    assert one.changed == (was - stands).total()
    assert {charge.fresh + charge.read + charge.written for charge in one.charges} == {one.total}


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("file", ["search", "retrieval"])
def test_every_request_of_a_fixture_is_what_counting_it_anew_gives(file: str, name: str) -> None:
    session = fixture(file)
    for one in replay(session, studied(name), caches(1_024)):
        check(session, studied(name), one)


@settings(max_examples=40)
@given(timed(10), chains())
def test_every_request_of_a_random_session_is_what_counting_it_anew_gives(
    transcript: Transcript, policies: tuple[Policy, ...]
) -> None:
    session = counted(transcript)
    for one in replay(session, policies, caches()):
        check(session, policies, one)


@settings(max_examples=50)
@given(timed(), chains())
def test_usage_is_the_sum_of_the_requests_and_of_the_policys_own_calls(
    transcript: Transcript, policies: tuple[Policy, ...]
) -> None:
    session = counted(transcript)
    sent = list(replay(session, policies, caches()))
    made = [message for message in transcript.messages if message.role == "assistant"]
    assert [one.request.output for one in sent] == [
        sum(tokens_of(block, cheap) for block in message.blocks) for message in made
    ]
    calls = [call for one in sent for call in one.calls]
    read, written = sum(call.input for call in calls), sum(call.output for call in calls)
    output = sum(one.request.output for one in sent)
    found = usage(session, policies, dict(enumerate(caches())))
    for place, took in found.items():
        charges = [one.charges[place] for one in sent]
        assert took == Usage(
            fresh=sum(charge.fresh for charge in charges) + read,
            read=sum(charge.read for charge in charges),
            written=sum(charge.written for charge in charges),
            output=output + written,
            own_input=read,
            own_output=written,
        )
        assert took.input == sum(one.total for one in sent) + read


@settings(max_examples=40)
@given(timed(), chains())
def test_a_cache_is_charged_the_same_whoever_else_looks_on(
    transcript: Transcript, policies: tuple[Policy, ...]
) -> None:
    session = counted(transcript)
    together = [one.charges for one in replay(session, policies, caches())]
    alone = [[one.charges[0] for one in replay(session, policies, [cache])] for cache in caches()]
    assert together == list(zip(*alone, strict=True))


def test_a_chain_in_a_wrong_order_is_refused() -> None:
    with pytest.raises(BadInput, match="put clear_thinking first"):
        list(replay(counted(calling(5)), [Mask(), parse("clear_thinking")], []))


class Counting:
    """A counter that knows what it was asked, and how often."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, text: str) -> int:
        self.asked[text] += 1
        return cheap(text)


def replayed(transcript: Transcript, policies: Sequence[Policy]) -> tuple[Counter[str], Counter[str]]:
    """What is tokenized in counting a session, and then in replaying it under each of the policies."""
    count = Counting()
    session = Session(transcript, "cl100k_base", count)
    before = count.asked.copy()
    for policy in policies:
        usage(session, [policy], dict(enumerate(caches())))
    return before, count.asked - before


def texts(transcript: Transcript) -> Counter[str]:
    """Every text of a session."""
    asked = Counting()
    by_kind(transcript, asked)
    return asked.asked - Counter([""] * (not transcript.system))


FIFTY = list(grid(Mask, {"window": range(10), "batch": range(1, 6)}))


@settings(max_examples=25)
@given(transcripts(20))
def test_a_sessions_texts_are_tokenized_once_and_fifty_masks_tokenize_no_more_than_one(transcript: Transcript) -> None:
    """Of one mask that leaves nothing whole, each note is tokenized once; forty-nine more settings tokenize nothing."""
    first, one = replayed(transcript, [Mask(0)])
    again, fifty = replayed(transcript, [*FIFTY])
    assert len(FIFTY) == 50
    assert first == again == texts(transcript)
    assert fifty == one
    session = counted(transcript)
    seen = session.requests[-2].uses if len(session.requests) > 1 else 0
    assert one.total() <= sum(not use.server for use in session.uses[:seen])


@pytest.mark.parametrize(
    "text", ["none", "clear_thinking", "clear_tool_uses:trigger=9,clear_tool_inputs=true", "cache_aware"]
)
@settings(max_examples=20)
@given(transcript=transcripts(20))
def test_no_other_policy_tokenizes_a_text_of_the_session(text: str, transcript: Transcript) -> None:
    """But for its placeholder, the empty input and the name of a tool whose input was cleared."""
    _, more = replayed(transcript, chain(text) if text != "none" else [])
    names = {block.name for _, block in places(transcript.messages) if hasattr(block, "name")}
    assert set(more) <= {"[Old tool result content cleared]", "{}", *names}


GROWING = {
    "none": "none",
    "mask": "mask",
    "mask in steps": "mask:window=3,batch=10",
    "clear": "clear_tool_uses:trigger=300",
    "clear in batches": "clear_tool_uses:trigger=300,clear_at_least=400,clear_tool_inputs=true",
    "thinking, then clear": "clear_thinking/clear_tool_uses:trigger=300",
    "summarize": "summarize:every=5,keep=3",
    "hybrid": "hybrid:window=3,every=12",
    "cache-aware": "cache_aware",
}


def lines(work: Callable[[], Any]) -> int:
    """How many lines of `measure/context` are executed: steps that depend on no clock."""
    executed = 0

    def local(_: FrameType, event: str, *__: Any) -> Any:
        nonlocal executed
        executed += event == "line"
        return local

    def trace(frame: FrameType, *_: Any) -> Any:
        return local if "/measure/context/" in frame.f_code.co_filename.replace("\\", "/") else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return executed


@pytest.mark.parametrize("name", GROWING)
def test_twice_as_many_calls_take_twice_as_many_steps(name: str) -> None:
    """With four breakpoints; a little more than twice, as sums are trees. A session of n calls has n requests of it."""
    text = GROWING[name]
    if not SUMMARIES and name in ("summarize", "hybrid"):
        pytest.skip("lede is not installed: the extra `summaries`")
    taken = []
    for calls in (60, 120, 240):
        session = counted(calling(*[number % 7 * 20 for number in range(calls)], thought=9))
        everything = [Explicit(300, 0, ("system", "frontier", "previous", "last")), Automatic(300, 0, 8)]
        taken.append(lines(lambda: usage(session, chain(text), dict(enumerate(everything)))))  # noqa: B023
    assert all(less < more for less, more in pairwise(taken))
    assert all(more / less < 2.3 for less, more in pairwise(taken)), taken
