"""A chain of policies as a plain function: messages in, messages out, nothing mutated.

It is what a client would send as its next request. The replay does the same by arithmetic; that both agree, token for
token, is a test.
"""

from collections.abc import Mapping, Sequence

from measure.context.policy import Chain, Policy
from measure.context.session import Session, counted
from measure.context.state import Change
from measure.tokens import DEFAULT_ENCODING
from measure.transcripts.model import Block, Message, Text, Thinking, ToolResult, ToolUse, Transcript


def edited(transcript: Transcript, policies: Sequence[Policy], encoding: str = DEFAULT_ENCODING) -> tuple[Message, ...]:
    """The messages of the next request under these policies, in this order.

    Raises:
        BadInput: see `measure.tokens.count`, or a chain in a wrong order.
    """
    session = counted(transcript, encoding)
    chain = Chain(session, policies)
    for _ in chain.moments(session.requests):
        pass
    return applied(session, chain.context.changes)


def applied(session: Session, changes: Mapping[int, Change], end: int | None = None) -> tuple[Message, ...]:
    """The session's messages with these changes, as far as the position `end`; one that lost every block is gone."""
    made: list[Message] = []
    for number, message in enumerate(session.transcript.messages):
        start = session.position(number, 0)
        if end is not None and start >= end:
            break
        found = [changes.get(position) for position in range(start, start + len(message.blocks))]
        if not any(found):
            made.append(message)
            continue
        blocks: list[Block] = []
        for block, change in zip(message.blocks, found, strict=True):
            if change is None:
                blocks.append(block)
            elif change.summary and change.text is not None:
                made.append(Message("user", (Text(change.text),)))
            elif change.text is not None:
                blocks.append(_replaced(block, change.text))
        if blocks:
            made.append(Message(message.role, tuple(blocks), message.time, message.usage, message.model))
    return tuple(made)


def _replaced(block: Block, text: str) -> Block:
    match block:
        case ToolResult():
            return ToolResult(block.use, (Text(text),), block.error)
        case ToolUse():
            return ToolUse(block.id, block.name, text, block.server)
        case Thinking():
            return Thinking(text)
    return Text(text)
