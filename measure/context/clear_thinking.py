"""Thinking block clearing: what the model thought in all but its newest turns is taken out.

What the API calls a thinking turn is not documented where tools are used. Here it is one assistant message that holds
thinking, as inspect-ai counts and as the documentation's words "assistant turns with thinking blocks" read; with
`turns=user` it is everything between two messages of the user, so that a whole loop of tool calls is one. Blocks are
removed, not replaced. A message that consists of thinking keeps it, since no message may be empty, and is a turn still.
The API wants this edit first, and so do we. Not known: whether the model's provider needs the signatures; it refuses
changed turns on its newest models unless it is told that they may be dropped.
"""

from collections import deque
from typing import Annotated, ClassVar, Literal

import msgspec

from measure.context.policy import Policy, Stage
from measure.context.session import Request, Session
from measure.context.state import NOTHING, Change, Context, Step
from measure.transcripts.model import Message, Thinking, ToolResult


class ClearThinking(Policy, frozen=True):
    """Only the newest `keep` turns with thinking keep it; `all` keeps every one.

    A turn is an assistant message, or, with `turns` "user", all of them from one message of the user to the next;
    a message that brings tool results is not the user's in this sense.
    """

    name: ClassVar[str] = "clear_thinking"
    about: ClassVar[str] = "thinking of all but the newest `keep` turns is removed"
    source: ClassVar[str] = "clear_thinking_20251015 of Anthropic's API"
    first: ClassVar[bool] = True

    keep: Annotated[int, msgspec.Meta(ge=1)] | Literal["all"] = 1
    turns: Literal["assistant", "user"] = "assistant"

    def stages(self, session: Session) -> tuple[Stage, ...]:
        """One stage, or none where everything is kept."""
        return () if self.keep == "all" else (_Stage(self.keep, self.turns == "user", session),)


class _Stage:
    def __init__(self, keep: int, whole_loops: bool, session: Session) -> None:
        self._keep, self._whole_loops, self._session = keep, whole_loops, session
        self._turns: deque[list[int]] = deque()  # of each turn with thinking, what can be removed of it
        self._message = -1  # the next to be looked at
        self._open = False  # whether the newest turn goes on

    def step(self, request: Request, context: Context, entering: int) -> Step:
        """Remove the thinking of the turns that are too old since."""
        if self._message < 0:
            self._message = self._session.message(request.first)
        for number in range(self._message, request.message):
            self._read(number)
        self._message = request.message
        changes: list[Change] = []
        while len(self._turns) > self._keep:
            changes += map(Change, self._turns.popleft())
        return Step(tuple(changes)) if changes else NOTHING

    def frontier(self, context: Context) -> int:
        """The oldest thinking that may still be removed."""
        return next((positions[0] for positions in self._turns if positions), context.end)

    def _read(self, number: int) -> None:
        message = self._session.transcript.messages[number]
        if message.role == "user":
            self._open = self._open and any(isinstance(block, ToolResult) for block in message.blocks)
        elif any(isinstance(block, Thinking) for block in message.blocks):
            found = [self._session.position(number, index) for index in removable(message)]
            if self._open:
                self._turns[-1].extend(found)
            else:
                self._turns.append(found)
            self._open = self._whole_loops


def removable(message: Message) -> list[int]:
    """The indices of its thinking blocks; none where nothing else would be left.

    >>> from measure.transcripts.model import Text
    >>> removable(Message("assistant", (Thinking("hm"), Text("yes"))))
    [0]
    >>> removable(Message("assistant", (Thinking("hm"),)))
    []
    """
    found = [index for index, block in enumerate(message.blocks) if isinstance(block, Thinking)]
    return found if len(found) < len(message.blocks) else []
