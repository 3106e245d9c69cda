"""What holds of every policy and every chain of two, on random sessions; and of real ones where they are."""

from copy import deepcopy

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
    places,
    sent,
    transcripts,
)

from measure.context.edited import applied
from measure.context.policies import POLICIES as BY_NAME
from measure.context.policies import parse
from measure.context.policy import Chain, Policy
from measure.context.session import KINDS, Request
from measure.transcripts.model import ToolUse, Transcript

MANY, FEW = settings(max_examples=150), settings(max_examples=60)
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
    frontiers: list[tuple[int, int]] = []
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
        frontiers.append((moment.frontier, request.end))
    assert transcript == before


@EACH
@FEW
@given(st.data())
def test_every_request_of_a_policy(name: str, data: st.DataObject) -> None:
    check_every_request(data.draw(transcripts()), (data.draw(POLICIES[name]),))


@MANY
@given(transcripts(10), chains())
def test_every_request_of_a_chain(transcript: Transcript, policies: tuple[Policy, ...]) -> None:
    check_every_request(transcript, policies)


@EACH
@MANY
@given(st.data())
def test_a_second_pass_changes_nothing(name: str, data: st.DataObject) -> None:
    transcript, policy = data.draw(transcripts(24)), data.draw(POLICIES[name])
    once = sent(transcript, (policy,))
    assert sent(once, (policy,)) == once


@settings(max_examples=400)
@given(transcripts(20), chains())
def test_a_second_pass_of_a_chain_changes_nothing(transcript: Transcript, policies: tuple[Policy, ...]) -> None:
    once = sent(transcript, policies)
    assert sent(once, policies) == once
