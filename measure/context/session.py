"""A transcript, counted: each block tokenized once, and every request of the session as a stretch of blocks.

A policy, a cache and a price are then arithmetic on integers: nothing is tokenized again, however many settings are
tried. Not counted: what a provider wraps round a message, and its own text for tools; where the file has neither system
text nor tools but reported usage, what the first call's report exceeds its counted messages by stands in for both,
marked as estimated.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from measure.context.blocks import Counted, carries_mark, count_blocks, text_bytes
from measure.tokens import DEFAULT_ENCODING, remembered
from measure.transcripts.model import ToolResult, ToolUse, Transcript

KINDS = ("system", "tools", "user", "assistant", "thinking", "tool_input", "tool_result")


class Use(msgspec.Struct, frozen=True):
    """A tool use whose result is there: its tool, the positions of both, and the result's UTF-8 bytes.

    `bytes` is None where a part of the result is not text. `server` tools answer in the assistant's own message.
    """

    name: str
    use: int
    result: int
    bytes: int | None
    server: bool


class Request(msgspec.Struct, frozen=True):
    """What one model call is sent: the fixed blocks, and those in [first, end); of the uses, those in [since, uses).

    `message` is the index of the message that the call made, and `output` that message's tokens; the request after
    the last message has neither (the number of messages, and 0). `time`, in seconds since 1970, is when the answer was
    recorded, else when the last message before it was.
    """

    first: int
    end: int
    since: int
    uses: int
    message: int
    time: float | None
    output: int


class Session:
    """A counted transcript.

    `blocks` in the order of a request (tools, system, messages), `fixed` of them before the messages; `uses` message by
    message of their results, there in the order of the calls; `requests` one a model call, and one more for the call
    that would come next; `markable` says of each block whether a cache's breakpoint may stand behind it.
    """

    def __init__(self, transcript: Transcript, encoding: str, count: Callable[[str], int]) -> None:
        self.transcript, self.encoding, self.count = transcript, encoding, count
        self.memory: dict[Any, Any] = {}  # what policies made of its texts, so that they make it once
        self.blocks: list[Counted] = []
        starts: list[int] = []
        made = [count_blocks(message, index, count) for index, message in enumerate(transcript.messages)]
        self._fix(made)
        self.fixed = len(self.blocks)
        for blocks in made:
            starts.append(len(self.blocks))
            self.blocks.extend(blocks)
        self._starts = starts
        self.uses = list(_answered(transcript, starts))
        self.requests = self._requests()
        self.markable = [carries_mark(block) for block in self.blocks]
        self.until = [0, *accumulate(block.tokens for block in self.blocks)]
        self.until_of = {
            kind: [0, *accumulate(block.tokens * (block.kind == kind) for block in self.blocks)] for kind in KINDS
        }

    def position(self, message: int, index: int) -> int:
        """Where the block `index` of a message stands."""
        return self._starts[message] + index

    def foremost(self, index: int) -> int:
        """The first position of the results from the use `index` on; past the last use, past the last block.

        Uses come message by message of their results, which there need not be in the order of the calls.
        """
        if index >= len(self.uses):
            return len(self.blocks)
        first = self.uses[index].result
        message = self.blocks[first].message
        while index < len(self.uses) and self.blocks[self.uses[index].result].message == message:
            first = min(first, self.uses[index].result)
            index += 1
        return first

    def message(self, position: int) -> int:
        """The index of the message that a position belongs to; of one after the last block, how many there are."""
        return self.blocks[position].message if position < len(self.blocks) else len(self.transcript.messages)

    @property
    def estimated(self) -> int:
        """Tokens that are estimates, not counts."""
        return sum(block.tokens for block in self.blocks if block.estimated)

    @property
    def estimated_sent(self) -> int:
        """Those tokens in every request that holds them, where nothing is done."""
        until = [0, *accumulate(block.tokens * block.estimated for block in self.blocks)]
        return sum(until[self.fixed] + until[one.end] - until[one.first] for one in self.requests[:-1])

    @property
    def sent(self) -> int:
        """The input tokens of all calls where nothing is done; 0 where none was made, or none was sent anything."""
        fixed, until = self.until[self.fixed], self.until
        return sum(fixed + until[one.end] - until[one.first] for one in self.requests[:-1])

    def _fix(self, messages: Sequence[Sequence[Counted]]) -> None:
        """Put tools and system text before the messages, or what a report says that they are."""
        known = self.transcript
        if known.tools:
            self.blocks.append(Counted("tools", self.count("[" + ",".join(known.tools) + "]"), -1, 0))
        if known.system:
            self.blocks.append(Counted("system", self.count(known.system), -1, 0))
        first = next((index for index, message in enumerate(known.messages) if message.usage), None)
        if not self.blocks and first is not None:
            usage = known.messages[first].usage
            counted = sum(block.tokens for blocks in messages[:first] for block in blocks)
            if usage and usage.input > counted:
                self.blocks.append(Counted("system", usage.input - counted, -1, 0, estimated=True))

    def _requests(self) -> list[Request]:
        messages, ends = self.transcript.messages, [*self._starts, len(self.blocks)]
        made: list[Request] = []
        first, since, answered, time = self.fixed, 0, 0, None
        for index in range(len(messages) + 1):
            while answered < len(self.uses) and self.uses[answered].result < ends[index]:
                answered += 1
            ended = index == len(messages)
            own_call = not ended and messages[index].role == "assistant"  # which is sent what its answer compacts
            if index in self.transcript.compactions and not own_call:
                first, since = ends[index], answered
            if ended or messages[index].role == "assistant":
                own = None if ended else messages[index].time
                output = 0 if ended else sum(block.tokens for block in self.blocks[ends[index] : ends[index + 1]])
                made.append(Request(first, ends[index], since, answered, index, time if own is None else own, output))
            if index in self.transcript.compactions and own_call:
                first, since = ends[index], answered
            if not ended:
                time = messages[index].time if messages[index].time is not None else time
        return made


def counted(transcript: Transcript, encoding: str = DEFAULT_ENCODING) -> Session:
    """The session of a transcript, in tokens of `encoding`.

    Raises:
        BadInput: see `measure.tokens.count`.
    """
    return Session(transcript, encoding, lambda text: remembered(text, encoding))


def _answered(transcript: Transcript, starts: Sequence[int]) -> list[Use]:
    """Each use that has a result; an id that comes again is paired with the nearest use before that has none.

    A result is never paired with a call that a compaction took away: in every request that holds it, it is an orphan.
    """
    made: list[tuple[int, Use]] = []
    pending: dict[str, list[tuple[ToolUse, int]]] = {}
    for number, (message, start) in enumerate(zip(transcript.messages, starts, strict=True)):
        if number in transcript.compactions:
            pending.clear()
        for position, block in enumerate(message.blocks, start):
            if isinstance(block, ToolUse):
                pending.setdefault(block.id, []).append((block, position))
            elif isinstance(block, ToolResult) and pending.get(block.use):
                use, at = pending[block.use].pop()
                made.append((number, Use(use.name, at, position, text_bytes(block), use.server)))
    return [use for _, use in sorted(made, key=lambda pair: (pair[0], pair[1].use))]
