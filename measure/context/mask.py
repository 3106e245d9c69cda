"""Observation masking: all tool results but the newest are replaced by a note of how long they were.

With a batch the window slides in steps, so that the prompt's beginning stays the same for several requests.
A result of the provider's own tool counts in the window and stays: it is part of what the assistant said.
"""

import re
from typing import Annotated, ClassVar

import msgspec

from measure.context.policy import Policy, Stage
from measure.context.session import Request, Session
from measure.context.state import NOTHING, Change, Context, Step
from measure.transcripts.model import Document, Image, ToolResult

_MASKED = re.compile(r"\[tool result left out: \d+ characters(, \d+ images?)?(, \d+ documents?)?\]")


class Mask(Policy, frozen=True):
    """The newest `window` results are kept whole; the others go, in steps of `batch`."""

    name: ClassVar[str] = "mask"
    about: ClassVar[str] = "results but the newest `window` become a note of their length"
    source: ClassVar[str] = "observation masking (arXiv 2508.21433); steps of `batch` as SWE-agent's `polling`"

    window: Annotated[int, msgspec.Meta(ge=0)] = 10
    batch: Annotated[int, msgspec.Meta(ge=1)] = 1

    def stages(self, session: Session) -> tuple[Stage]:
        """One stage."""
        return (_Stage(self, session),)


class _Stage:
    def __init__(self, policy: Mask, session: Session) -> None:
        self._policy, self._session = policy, session
        self._masked = -1  # how many uses of this context are behind the window

    def step(self, request: Request, context: Context, entering: int) -> Step:
        """Mask what has left the window since."""
        if self._masked < 0:
            self._masked = request.since
        past = max(request.uses - request.since - self._policy.window, 0)
        upto = request.since + past - past % self._policy.batch
        if upto == self._masked:
            return NOTHING
        behind = range(self._masked, upto)
        self._masked = upto
        uses = [self._session.uses[index] for index in behind]
        return Step(tuple(masked(self._session, use.result) for use in uses if not use.server))

    def frontier(self, context: Context) -> int:
        """The first result that is still whole."""
        return min(self._session.foremost(self._masked), context.end)


def masked(session: Session, position: int) -> Change:
    """The change that masks the result at a position; a result that is such a note already stays."""
    made: Change | None = session.memory.get((masked, position))
    if made is None:
        block = session.blocks[position]
        result = session.transcript.messages[block.message].blocks[block.index]
        assert isinstance(result, ToolResult)
        text = placeholder(result)
        made = session.memory[masked, position] = Change(position, session.count(text), text)
    return made


def placeholder(result: ToolResult) -> str:
    """What stands in a result's place: the characters of its texts, and how many images and documents it had.

    >>> from measure.transcripts.model import Text
    >>> placeholder(ToolResult("t1", (Text("a page"),)))
    '[tool result left out: 6 characters]'
    """
    texts = [part.text or "" for part in result.parts if not isinstance(part, Image)]
    if len(result.parts) == 1 and _MASKED.fullmatch(texts[0] if texts else ""):
        return texts[0]
    note = f"{sum(map(len, texts))} characters"
    for kind, name in ((Image, "image"), (Document, "document")):
        number = sum(isinstance(part, kind) for part in result.parts)
        note += f", {number} {name}{'s' * (number > 1)}" * bool(number)
    return f"[tool result left out: {note}]"
