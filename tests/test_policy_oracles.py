"""Each policy against its rule, worked out anew for every request from nothing but the messages."""

from collections.abc import Sequence

from hypothesis import given, settings
from sessions import POLICIES, again, by_kind, cheap, counted, pairs, tokens_of, transcripts

from measure.context.clear_thinking import ClearThinking
from measure.context.clear_tool_uses import PLACEHOLDER, ClearToolUses
from measure.context.edited import applied
from measure.context.mask import Mask, placeholder
from measure.context.policy import Chain, Policy
from measure.transcripts.model import (
    Block,
    Document,
    Image,
    Message,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Transcript,
)

Place = tuple[int, int]


def at(messages: Sequence[Message], place: Place) -> Block:
    return messages[place[0]].blocks[place[1]]


def with_changes(messages: Sequence[Message], new: dict[Place, Block]) -> tuple[Message, ...]:
    """The messages with these blocks in those places, wherever that is shorter."""
    found = []
    for number, message in enumerate(messages):
        blocks = []
        for index, block in enumerate(message.blocks):
            other = new.get((number, index), block)
            blocks.append(other if tokens_of(other, cheap) < tokens_of(block, cheap) else block)
        found.append(Message(message.role, tuple(blocks)))
    return tuple(found)


def cleared(transcript: Transcript, policy: ClearToolUses) -> tuple[Message, ...]:
    """What the API sends on to the model of a request with this whole history."""
    messages = transcript.messages
    completed = pairs(messages)

    def covers(tool: str) -> bool:
        return policy.clear_tool_inputs is True or tool in (policy.clear_tool_inputs or ())

    clearable = []
    for use, result in completed:
        call, answer = at(messages, use), at(messages, result)
        assert isinstance(call, ToolUse)
        assert isinstance(answer, ToolResult)
        text = not any(isinstance(part, Image | Document) for part in answer.parts)
        bytes_ = sum(len(part.text.encode()) for part in answer.parts) if text else 0
        tiny = text and 0 < bytes_ < 47
        if call.name not in policy.exclude_tools and not call.server and (not tiny or covers(call.name)):
            clearable.append((use, result))
    measured = by_kind(transcript).total() if policy.trigger_type == "input_tokens" else len(clearable)
    if not measured > policy.trigger or len(clearable) <= policy.keep:
        return messages
    old = clearable[: len(clearable) - policy.keep]
    old = [pair for pair in old if pair != completed[-1]]
    new: dict[Place, Block] = {}
    batch: dict[Place, Block] = {}
    for use, result in old:
        call, answer = at(messages, use), at(messages, result)
        assert isinstance(call, ToolUse)
        assert isinstance(answer, ToolResult)
        batch[result] = ToolResult(answer.use, (Text(PLACEHOLDER),), answer.error)
        if covers(call.name):
            batch[use] = ToolUse(call.id, call.name, "{}")
        shorter = by_kind(again(transcript, with_changes(messages, batch)))
        if by_kind(transcript).total() - shorter.total() >= policy.clear_at_least:
            new |= batch
            batch = {}
    return with_changes(messages, new)


def masked(transcript: Transcript, policy: Mask) -> tuple[Message, ...]:
    """All results that are older than the window, in whole steps."""
    messages, completed = transcript.messages, pairs(transcript.messages)
    past = max(len(completed) - policy.window, 0) // policy.batch * policy.batch
    new: dict[Place, Block] = {}
    for use, result in completed[:past]:
        call, answer = at(messages, use), at(messages, result)
        if isinstance(call, ToolUse) and isinstance(answer, ToolResult) and not call.server:
            new[result] = ToolResult(answer.use, (Text(placeholder(answer)),), answer.error)
    return with_changes(messages, new)


def thoughtless(transcript: Transcript, policy: ClearThinking) -> tuple[Message, ...]:
    """Thinking only in the newest turns that have some, counted from the end."""
    found, turns, counted_already = [], 0, False
    for message in reversed(transcript.messages):
        plain = tuple(block for block in message.blocks if not isinstance(block, Thinking))
        if message.role == "assistant" and len(plain) < len(message.blocks):
            turns += not counted_already
            counted_already = policy.turns == "user"
            old = policy.keep != "all" and turns > policy.keep
            message = Message("assistant", plain if old and plain else message.blocks)
        if message.role == "user" and not any(isinstance(block, ToolResult) for block in message.blocks):
            counted_already = False
        found.append(message)
    return tuple(reversed(found))


def check(transcript: Transcript, policy: Policy, rule: object) -> None:
    session = counted(transcript)
    chain = Chain(session, [policy])
    for moment in chain.moments(session.requests):
        number = moment.request.message
        since = max((index for index in transcript.compactions if index <= number), default=0)
        whole = again(transcript, transcript.messages[since:number])
        found = applied(session, chain.context.changes, moment.request.end)
        assert found == rule(whole, policy)  # type: ignore[operator]


@settings(max_examples=300)
@given(transcripts(20), POLICIES["clear_tool_uses"])
def test_clearing_tool_uses_is_the_rule_without_memory(transcript: Transcript, policy: Policy) -> None:
    check(transcript, policy, cleared)


@settings(max_examples=100)
@given(transcripts(20), POLICIES["mask"])
def test_masking_is_the_rule_without_memory(transcript: Transcript, policy: Policy) -> None:
    check(transcript, policy, masked)


@settings(max_examples=100)
@given(transcripts(20), POLICIES["clear_thinking"])
def test_clearing_thinking_is_the_rule_without_memory(transcript: Transcript, policy: Policy) -> None:
    check(transcript, policy, thoughtless)
