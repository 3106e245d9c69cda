"""What holds of every policy and every chain of two, on random sessions; and of real ones where they are."""

import importlib
import os
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import (
    POLICIES,
    SUMMARIES,
    again,
    alone,
    by_kind,
    chains,
    counted,
    pairs,
    places,
    sent,
    transcripts,
)

from measure.context.cache_aware import CacheAware
from measure.context.edited import applied, edited
from measure.context.hybrid import Hybrid
from measure.context.mask import Mask
from measure.context.policies import POLICIES as BY_NAME
from measure.context.policies import parse
from measure.context.policy import Chain, Policy, Stage
from measure.context.session import KINDS, Request
from measure.context.session import counted as real
from measure.context.state import Context, Step
from measure.context.summarize import Summarize
from measure.transcripts.model import ToolUse, Transcript

EACH = pytest.mark.parametrize("name", POLICIES)


def upto(transcript: Transcript, request: Request) -> Transcript:
    """What the session was when this request was made."""
    since = tuple(index for index in transcript.compactions if index <= request.message)
    messages = transcript.messages[: request.message]
    return Transcript("prefix", "test", messages, transcript.system, transcript.tools, since)


def raw(transcript: Transcript, request: Request) -> Transcript:
    """The same without a policy: what a client sends."""
    return sent(upto(transcript, request), ())


def test_all_policies_are_tried() -> None:
    if not SUMMARIES:
        pytest.skip("lede is not installed: summarize and hybrid are not tried")
    assert set(POLICIES) == set(BY_NAME)


@given(st.data())
@EACH
def test_what_a_policy_shows_is_read_back_as_itself(name: str, data: st.DataObject) -> None:
    policy = data.draw(POLICIES[name])
    assert parse(policy.shown()) == policy


def check_every_request(transcript: Transcript, policies: tuple[Policy, ...]) -> None:
    """Sums, size, pairs and foresight of every request of a session."""
    before = deepcopy(transcript)
    session = counted(transcript)
    chain = Chain(session, policies)
    context = chain.context
    for moment in chain.moments(session.requests):
        request = moment.request
        now = again(transcript, applied(session, context.changes, request.end))
        unchanged = raw(transcript, request)
        found = by_kind(now)
        assert {kind: context.of_kind(kind) for kind in KINDS} == {kind: found[kind] for kind in KINDS}
        assert context.total == found.total() <= by_kind(unchanged).total()
        for number in range(request.message):
            position = session.position(number, 0)
            head = again(transcript, applied(session, context.changes, position))
            assert context.before(position) == by_kind(head).total()
            assert context.blocks_between(session.fixed, position) == len(list(places(head.messages)))
        assert not alone(now.messages) - alone(unchanged.messages)
        for message in now.messages:  # calls that were made together are there together
            made = {block.id for block in message.blocks if isinstance(block, ToolUse)}
            assert not made or any(
                made == {block.id for block in other.blocks if isinstance(block, ToolUse)}
                for other in unchanged.messages
            )
        assert all(message.blocks for message in now.messages)
        assert sent(upto(transcript, request), policies).messages == now.messages
    assert transcript == before


@EACH
@settings(max_examples=40)
@given(st.data())
def test_every_request_of_a_policy(name: str, data: st.DataObject) -> None:
    check_every_request(data.draw(transcripts(10)), (data.draw(POLICIES[name]),))


@settings(max_examples=60)
@given(transcripts(10), chains())
def test_every_request_of_a_chain(transcript: Transcript, policies: tuple[Policy, ...]) -> None:
    check_every_request(transcript, policies)


def in_order(transcript: Transcript) -> bool:
    """Whether every result follows its call at once, as an API demands."""
    return all(result[0] - use[0] <= 1 for use, result in pairs(transcript.messages))


@settings(max_examples=150)
@given(transcripts(20).filter(in_order), chains())
def test_nothing_before_the_frontier_changes_later(transcript: Transcript, policies: tuple[Policy, ...]) -> None:
    session = counted(transcript)
    seen: list[tuple[int, int, int]] = []
    for moment in Chain(session, policies).moments(session.requests):
        for first, frontier, end in seen:
            if first == moment.request.first:
                assert not [change for change in moment.changes if change.position < min(frontier, end)]
        seen.append((moment.request.first, moment.frontier, moment.request.end))


@settings(max_examples=80)
@given(transcripts(16), POLICIES["clear_thinking"] | POLICIES["mask"], chains())
def test_a_stage_is_told_what_enters_it(transcript: Transcript, first: Policy, rest: tuple[Policy, ...]) -> None:
    """What the policies before it leave, as if it and those after it had never done anything."""
    session = counted(transcript)
    before, chain = Chain(session, [first]), Chain(session, [first, *(policy for policy in rest if not policy.first)])
    told: list[int] = []

    def spied(stage: Stage) -> Callable[[Request, Context, int], Step]:
        step = stage.step
        return lambda request, context, entering: told.append(entering) or step(request, context, entering)

    if len(chain._stages) == len(before._stages):
        return
    stage = chain._stages[len(before._stages)]
    stage.step = spied(stage)  # type: ignore[method-assign]
    for request in session.requests:
        for part in (before, chain):
            list(part.moments([request]))
        if before.context.first != session.fixed:  # a compaction made the stages anew
            return
        assert told[-1] == before.context.total


@EACH
@settings(max_examples=100)
@given(st.data())
def test_a_second_pass_changes_nothing(name: str, data: st.DataObject) -> None:
    transcript, policy = data.draw(transcripts(24)), data.draw(POLICIES[name])
    once = sent(transcript, (policy,))
    assert sent(once, (policy,)) == once


def depends_on_what_is_gone(policies: tuple[Policy, ...]) -> bool:
    """The exceptions: steps that are counted from a result which is gone, and costs weighed of blocks that are.

    The first is shown in test_summaries. The second is the cache-aware policy beside any other: its second pass sees a
    history in which the other's work was done from the start.
    """
    steps = any(isinstance(policy, Mask) and policy.batch > 1 for policy in policies)
    weighs = any(isinstance(policy, CacheAware) for policy in policies)
    summarizes = any(isinstance(policy, Summarize | Hybrid) for policy in policies)
    return (steps and summarizes) or (weighs and not all(isinstance(policy, CacheAware) for policy in policies))


@settings(max_examples=250)
@given(transcripts(20), chains().filter(lambda policies: not depends_on_what_is_gone(policies)))
def test_a_second_pass_of_a_chain_changes_nothing(transcript: Transcript, policies: tuple[Policy, ...]) -> None:
    once = sent(transcript, policies)
    assert sent(once, policies) == once


@settings(max_examples=30)
@given(transcripts(8), chains())
def test_the_edited_messages_are_what_the_chain_holds_in_real_tokens(
    transcript: Transcript, policies: tuple[Policy, ...]
) -> None:
    session = real(transcript)
    chain = Chain(session, policies)
    list(chain.moments(session.requests))
    found = again(transcript, edited(transcript, policies))
    assert real(found).until[-1] == chain.context.total <= session.until[-1]


REAL = (
    "none",
    "mask",
    "mask:window=3,batch=5",
    "clear_tool_uses:trigger=9000",
    "clear_thinking",
    "summarize",
    "hybrid",
)
REAL += ("clear_tool_uses:trigger=20,trigger_type=tool_uses,keep=5,clear_at_least=2000,clear_tool_inputs=true",)
REAL += ("clear_thinking:keep=2,turns=user", "summarize:every=7,keep=3", "hybrid:window=3,every=9,keep=4")


@pytest.fixture(scope="module")
def recorded() -> list[Transcript]:
    """Real sessions, without what providers reported: an edited session is not what they reported on."""
    named = os.environ.get("CONTEXT_LADDER_TRANSCRIPTS")
    if not named:
        pytest.skip("no recorded transcripts are here: CONTEXT_LADDER_TRANSCRIPTS is not set")
    load = getattr(importlib.import_module("measure.transcripts"), "load", None)
    if load is None:
        pytest.skip("measure.transcripts.load is not there yet")
    found = []
    for path in sorted(path for path in Path(named).iterdir() if path.is_file() and path.name != "README.md"):
        loaded = load(path.read_bytes(), path.name)
        for one in [loaded] if isinstance(loaded, Transcript) else loaded:
            messages = tuple(msgspec.structs.replace(message, usage=None) for message in one.messages)
            found.append(msgspec.structs.replace(one, messages=messages))
    assert found
    return found


@pytest.mark.parametrize("text", REAL)
def test_real_sessions(text: str, recorded: list[Transcript]) -> None:
    policy = parse(text)
    if policy.evidence == "simulated" and not SUMMARIES:
        pytest.skip("lede is not installed: the extra `summaries`")
    for transcript in recorded:
        before = deepcopy(transcript)
        session = counted(transcript)
        chain = Chain(session, [policy])
        for moment in chain.moments(session.requests):
            assert 0 < chain.context.total <= session.until[moment.request.end]
        once = again(transcript, applied(session, chain.context.changes))
        unchanged = sent(transcript, ())
        assert chain.context.total == by_kind(once).total() <= by_kind(unchanged).total()
        assert not alone(once.messages) - alone(unchanged.messages)
        assert sent(once, (policy,)) == once
        assert transcript == before
