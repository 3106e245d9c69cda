"""Summaries in place of old turns: when enough of them stand, all but the newest become one message of the user.

The parameters are those of The Complexity Trap. Unlike its code, which carries every summary that it ever made again
after a request, one summary stands at a time: the next one reads it and takes its place. The summary is an extract
(`measure.context.extract`), so this is a simulation of what a model's summaries would cost, and the call that would
make them is charged. What comes before the first assistant message stays: it is the task.
A turn is an assistant message and everything up to the next, so calls and their results leave together; a result
that comes in a later turn than its call leaves with the call, unread. Images are charged, and not described.
"""

from bisect import bisect_right
from hashlib import sha256
from typing import Annotated, ClassVar

import msgspec

from measure.context.extract import extract
from measure.context.policy import Policy, Stage
from measure.context.session import Request, Session, Use
from measure.context.state import NOTHING, Call, Change, Context, Step
from measure.transcripts.model import Block, Document, Image, Part, Text, Thinking, ToolResult, ToolUse

HEADER = "[Summary of the earlier turns]\n"  # by it an earlier summary is known
INSTRUCTION = (
    "Summarize the conversation above for the agent that goes on with it: the task, what was done and found, what"
    " failed, what is left to do. Answer with the summary alone."
)


class Summarize(Policy, frozen=True):
    """When `every` + `keep` turns stand, the oldest `every` become one summary of at most `length` characters.

    Where the summary has as many tokens as what it would replace, it is dropped, and tried again with `every` turns
    more. Its call is charged all the same: one knows only afterwards.
    """

    name: ClassVar[str] = "summarize"
    about: ClassVar[str] = "at `every` + `keep` turns, the oldest `every` become a summary"
    source: ClassVar[str] = "LLM summaries of The Complexity Trap (arXiv 2508.21433); the text by lede 0.5.1"
    evidence: ClassVar[str] = "simulated"

    every: Annotated[int, msgspec.Meta(ge=1)] = 21
    keep: Annotated[int, msgspec.Meta(ge=0)] = 10
    length: Annotated[int, msgspec.Meta(ge=100)] = 2_000

    def stages(self, session: Session) -> tuple[Stage]:
        """One stage."""
        return (_Stage(self, session),)


class _Stage:
    def __init__(self, policy: Summarize, session: Session) -> None:
        self._policy, self._session = policy, session
        self._turns: list[int] = []  # where each begins
        self._done = 0  # how many of them are in the summary,
        self._summary: int | None = None  # which stands here
        self._take = policy.every  # how many the next one reads
        self._message = self._uses = -1  # what is to be looked at next
        self._late: list[Use] = []  # uses whose result came in a later turn

    def step(self, request: Request, context: Context, entering: int) -> Step:
        """Summarize, if enough turns stand."""
        self._read(request)
        changes: list[Change] = []
        calls: tuple[Call, ...] = ()
        standing = len(self._turns) - self._done
        if standing >= self._take + self._policy.keep:
            after = self._done + self._take
            start, end = self._turns[self._done], self._turns[after] if after < len(self._turns) else context.end
            call, changes = self._summarized(start, end, context)
            calls = (call,)
            if changes:
                self._done, self._summary, self._take = after, changes[0].position, self._policy.every
                changes += [Change(use.result) for use in self._late if start <= use.use < end <= use.result]
            else:
                self._take += self._policy.every
        self._late = [use for use in self._late if not context.left(use.result)]
        changes += [Change(use.result) for use in self._late if context.left(use.use)]
        return Step(tuple(changes), calls) if changes or calls else NOTHING

    def frontier(self, context: Context) -> int:
        """The summary that the next one will replace, or the first turn."""
        first = self._turns[self._done] if self._done < len(self._turns) else context.end
        return first if self._summary is None else self._summary

    def _read(self, request: Request) -> None:
        """Take in the turns and the late results since."""
        session = self._session
        if self._message < 0:
            self._message, self._uses = session.message(request.first), request.since
        for number in range(self._message, request.message):
            message = session.transcript.messages[number]
            if message.role == "assistant" and message.blocks:
                place = session.position(number, 0)
                if not self._turns and place > request.first and _is_summary(self._block(place - 1)):
                    self._summary = place - 1
                self._turns.append(place)
        self._message = request.message
        for use in session.uses[self._uses : request.uses]:
            if bisect_right(self._turns, use.use) != bisect_right(self._turns, use.result):
                self._late.append(use)
        self._uses = request.uses

    def _summarized(self, start: int, end: int, context: Context) -> tuple[Call, list[Change]]:
        """The call that reads the summary and [start, end), and what puts its answer there: nothing if no shorter."""
        count = self._session.count
        there = [position for position in range(start, end) if context.here(position)]
        if self._summary is not None:
            start = self._summary
            there.insert(0, start)
        texts = [self._text(position, context) for position in there]
        summary = self._summary_of("\n\n".join(filter(None, texts)))
        reads, writes = context.before(end) - context.before(start), count(summary)
        call = Call(reads + count(INSTRUCTION), writes)
        if writes >= reads:
            return call, []
        return call, [Change(there[0], writes, summary, summary=True), *map(Change, there[1:])]

    def _summary_of(self, text: str) -> str:
        """Made once a session, a text and a length."""
        memory, key = self._session.memory, (HEADER, self._policy.length, sha256(text.encode()).digest())
        if key not in memory:
            memory[key] = HEADER + extract(text, self._policy.length - len(HEADER))
        return str(memory[key])

    def _text(self, position: int, context: Context) -> str:
        """What the summary can quote of a block as it stands."""
        block, change = self._block(position), context.changes.get(position)
        if change is None or change.text is None:
            return written(block).removeprefix(HEADER)
        return f"{block.name} {change.text}" if isinstance(block, ToolUse) else change.text.removeprefix(HEADER)

    def _block(self, position: int) -> Block:
        found = self._session.blocks[position]
        return self._session.transcript.messages[found.message].blocks[found.index]


def _is_summary(block: Block) -> bool:
    return isinstance(block, Text) and block.text.startswith(HEADER)


def written(block: Block | Part) -> str:
    """A block as the text that is summarized; of ciphertext and pictures nothing.

    >>> written(ToolUse("t1", "read", '{"path":"a.py"}'))
    'read {"path":"a.py"}'
    """
    match block:
        case ToolUse():
            return f"{block.name} {block.input}"
        case ToolResult():
            return "\n".join(filter(None, map(written, block.parts)))
        case Thinking():
            return "" if block.redacted else block.text
        case Image():
            return ""
        case Document():
            return block.text or ""
    return block.text
