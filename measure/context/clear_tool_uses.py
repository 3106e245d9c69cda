"""Tool result clearing, as the API does it by what was measured, which is not what its documentation lets one think.

Over the trigger, all but the newest results become a placeholder. The rule has no memory: whoever sends the whole
history has it worked out anew for every request. As a session grows it only ever clears more, so a stage that
remembers where it stopped does the same, and looks at each use once.

Ours where nothing is known: the placeholder's wording, short enough to count as tiny afterwards. A result provided by
the provider's own tool stays and counts nowhere, since it is part of what the assistant said; a call without a result
counts nowhere, since no request may hold one. An empty result counts like any other and is never changed: every
placeholder is longer. Not done: taking an edit back where an earlier policy of a chain brings the prompt under the
trigger again, and counting a result that another policy changed later as it was.
"""

from itertools import accumulate, takewhile
from typing import Annotated, ClassVar, Literal

import msgspec

from measure.context.policy import Policy, Stage
from measure.context.session import Request, Session, Use
from measure.context.state import NOTHING, Change, Context, Step

PLACEHOLDER = "[Old tool result content cleared]"
TINY = 46  # UTF-8 bytes of the longest text that is never cleared
_NO_INPUT = "{}"

# A tool's name, as far as it can be written in a list: `exclude_tools=Read+Bash`.
Tool = Annotated[str, msgspec.Meta(pattern=r"^(?!(true|false)\Z)[^\s,+/]+\Z")]


class ClearToolUses(Policy, frozen=True):
    """Strictly above the trigger, all results but the newest `keep` are cleared, the oldest first.

    `trigger` is in tokens of the prompt as it enters the policy, or in uses that can be cleared (`trigger_type`).
    Results of `exclude_tools`, and texts of 1 to 46 bytes, stay and are counted neither in `keep` nor in a trigger in
    uses; but a tiny one is where `clear_tool_inputs` (all tools, or those named) also clears its call's input, to {}.
    With `clear_at_least` (tokens) they are cleared in batches that free as much each; an incomplete one waits. Keep 0
    is still one: the newest result of all.
    """

    name: ClassVar[str] = "clear_tool_uses"
    about: ClassVar[str] = "above `trigger`, all but the newest `keep` results are cleared"
    source: ClassVar[str] = "clear_tool_uses_20250919 of Anthropic's API, as LiteLLM 1.110.2 measured it in 2026-10"

    trigger: Annotated[int, msgspec.Meta(ge=1)] = 100_000
    trigger_type: Literal["input_tokens", "tool_uses"] = "input_tokens"
    keep: Annotated[int, msgspec.Meta(ge=0)] = 3
    clear_at_least: Annotated[int, msgspec.Meta(ge=0)] = 0
    exclude_tools: tuple[Tool, ...] = ()
    clear_tool_inputs: bool | tuple[Tool, ...] = False

    def stages(self, session: Session) -> tuple[Stage]:
        """One stage."""
        return (_Stage(self, session),)

    def clears_input(self, use: Use) -> bool:
        """Whether the input of the call is cleared with its result."""
        inputs = self.clear_tool_inputs
        return inputs if isinstance(inputs, bool) else use.name in inputs

    def clearable(self, use: Use) -> bool:
        """Whether this use can ever be cleared: what can not counts nowhere."""
        if use.server or use.name in self.exclude_tools:
            return False
        return use.bytes is None or not 1 <= use.bytes <= TINY or self.clears_input(use)


class _Stage:
    def __init__(self, policy: ClearToolUses, session: Session) -> None:
        self._policy, self._session = policy, session
        self._clearable, self._until = _clearables(policy, session)
        self._first = -1  # the clearable use that this context begins with; of those from there on,
        self._walked = 0  # those that are in a batch, be it incomplete;
        self._cleared = 0  # those in complete batches, all of which were cleared;
        self._left = 0  # and those that another policy has taken out of the context since
        self._end = 0  # the first that is not answered yet
        self._batch: list[Change] = []  # the incomplete batch, and the tokens in it
        self._freed = 0
        self._known, self._foremost = -1, 0  # the frontier when so many were cleared

    def step(self, request: Request, context: Context, entering: int) -> Step:
        """Clear what has become old enough, if the prompt is large enough."""
        policy, clearable = self._policy, self._clearable
        if self._first < 0:
            self._first = self._walked = self._cleared = self._left = self._until[request.since]
        self._end = end = self._until[request.uses]
        while self._left < end and context.left(clearable[self._left].result):
            self._left += 1
        if (entering if policy.trigger_type == "input_tokens" else end - self._left) <= policy.trigger:
            return NOTHING
        old = end - policy.keep
        if policy.keep == 0 and end > self._first and clearable[end - 1] is self._session.uses[request.uses - 1]:
            old -= 1
        if self._walked >= old:
            return NOTHING
        changes: list[Change] = []
        while self._walked < old:
            for change in self._changes(clearable[self._walked]):
                saved = context.tokens(change.position) - change.tokens
                if saved > 0 and not context.left(change.position):  # nothing becomes longer, what has left stays away
                    self._batch.append(change)
                    self._freed += saved
            self._walked += 1
            if self._freed >= policy.clear_at_least:
                changes += self._batch
                self._cleared, self._batch, self._freed = self._walked, [], 0
        return Step(tuple(changes)) if changes else NOTHING

    def frontier(self, context: Context) -> int:
        """The first use that may still be cleared, as far as results come in the order of their calls."""
        if self._cleared >= self._end:
            return context.end
        if self._known != self._cleared:
            waiting = (self._clearable[index] for index in range(self._cleared, self._end))
            first = next(waiting)
            at = self._message(first)  # the results of one message need not be in the order of their calls
            beside = takewhile(lambda use: self._message(use) == at, waiting)
            self._known = self._cleared
            self._foremost = min(use.use if self._policy.clears_input(use) else use.result for use in (first, *beside))
        return self._foremost

    def _message(self, use: Use) -> int:
        return self._session.blocks[use.result].message

    def _changes(self, use: Use) -> list[Change]:
        """What clearing a use would change; made once a session."""
        memory, inputs = self._session.memory, self._policy.clears_input(use)
        key = (PLACEHOLDER, use.use, inputs)
        if key not in memory:
            count = self._session.count
            memory[key] = [Change(use.result, count(PLACEHOLDER), PLACEHOLDER)]
            if inputs:
                memory[key].append(Change(use.use, count(use.name) + count(_NO_INPUT), _NO_INPUT))
        found: list[Change] = memory[key]
        return found


def _clearables(policy: ClearToolUses, session: Session) -> tuple[list[Use], list[int]]:
    """The uses that can ever be cleared, and how many of them there are before each use; made once a session."""
    key = (ClearToolUses, policy.exclude_tools, policy.clear_tool_inputs)
    if key not in session.memory:
        can = [policy.clearable(use) for use in session.uses]
        session.memory[key] = (
            [use for use, one in zip(session.uses, can, strict=True) if one],
            [0, *accumulate(map(int, can))],
        )
    found: tuple[list[Use], list[int]] = session.memory[key]
    return found
