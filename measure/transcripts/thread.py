"""Messages as they come, made into the list that is sent: the results of one assistant message stand together.

Programs record results one by one, or between the blocks of the message that they answer. Two plain user messages in
a row stay two. Not handled: results without a use and uses without a result stay as they are; policies deal with them.
"""

from msgspec.structs import replace

from measure.transcripts.model import Block, Message, ToolResult, Usage


class Thread:
    """A message list that grows at its end."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._calls: dict[str, int] = {}

    def add(self, message: Message) -> None:
        """Add one message; results go to those of the same assistant message."""
        before = self.messages[-1] if self.messages else None
        if before is None or not (_answers(message) and _answers(before)):
            self.messages.append(message)
            return
        blocks = (*before.blocks, *message.blocks)
        results = tuple(block for block in blocks if isinstance(block, ToolResult))
        others = tuple(block for block in blocks if not isinstance(block, ToolResult))
        time = before.time if message.time is None else message.time
        self.messages[-1] = replace(before, blocks=results + others, time=time)

    def call(self, key: str, message: Message) -> None:
        """Add what one model call said, piece by piece: pieces with the same `key` are one message.

        The first piece has the time, the last that reports a usage has the usage.
        """
        at = self._calls.get(key) if key else None
        if at is None:
            self._calls[key] = len(self.messages)
            self.messages.append(message)
            return
        before = self.messages[at]
        usage: Usage | None = message.usage or before.usage
        blocks: tuple[Block, ...] = (*before.blocks, *message.blocks)
        self.messages[at] = replace(before, blocks=blocks, usage=usage, model=before.model or message.model)

    def has(self, key: str) -> bool:
        """Whether a call with this key has spoken."""
        return key in self._calls


def _answers(message: Message) -> bool:
    """Whether a user message begins with a result, as every message with results must."""
    return message.role == "user" and bool(message.blocks) and isinstance(message.blocks[0], ToolResult)
