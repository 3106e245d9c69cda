"""What one block is in tokens: text counted, and an estimate, marked as one, of what has no text.

A tool use is its name and its input, a tool result its parts; an image, and a document whose text cannot be read, is
what its provider publishes as a formula.
"""

from collections.abc import Callable

import msgspec

from measure.transcripts.model import Block, Document, Image, Json, Message, Part, Text, Thinking, ToolResult, ToolUse

# Source: the vision and PDF pages of Anthropic's documentation, read 2026-08.
_PIXELS_A_TOKEN, _IMAGE, _PAGE = 750, 1_600, 3_000  # the largest an image becomes; a dense page of a document


class Counted(msgspec.Struct, frozen=True):
    """One block as counted: its kind, its tokens, and where it stands (message -1: system text or tools)."""

    kind: str
    tokens: int
    message: int
    index: int
    estimated: bool = False


def count_blocks(message: Message, index: int, count: Callable[[str], int]) -> list[Counted]:
    """The blocks of one message, whose index is given."""
    made = []
    for place, block in enumerate(message.blocks):
        tokens, estimated = _tokens(block, count)
        made.append(Counted(_kind(message, block), tokens, index, place, estimated))
    return made


def _kind(message: Message, block: Block) -> str:
    match block:
        case Thinking():
            return "thinking"
        case ToolUse():
            return "tool_input"
        case ToolResult():
            return "tool_result"
    return message.role


def _tokens(block: Block, count: Callable[[str], int]) -> tuple[int, bool]:
    """The tokens of a block, and whether any of them are estimated."""
    match block:
        case ToolUse():
            return count(block.name) + count(block.input), False
        case ToolResult():
            parts = [_part(part, count) for part in block.parts]
            return sum(tokens for tokens, _ in parts), any(estimated for _, estimated in parts)
        case Thinking():
            return count(block.text), block.redacted
    return _part(block, count)


def _part(part: Part, count: Callable[[str], int]) -> tuple[int, bool]:
    match part:
        case Image():
            if part.width is None or part.height is None:
                return _IMAGE, True
            return min(-(-part.width * part.height // _PIXELS_A_TOKEN), _IMAGE), True
        case Document():
            title = count(part.title) if part.title else 0
            return (title + _PAGE * (part.pages or 1), True) if part.text is None else (title + count(part.text), False)
    return count(part.text), False


def carries_mark(block: Counted) -> bool:
    """Whether a breakpoint may stand behind a block: not behind thinking, nor behind a text that is empty."""
    return block.kind != "thinking" and (block.tokens > 0 or block.kind in ("tool_input", "tool_result"))


def text_bytes(result: ToolResult) -> int | None:
    """UTF-8 bytes of a result's texts, summed; None where a part is something else."""
    if any(not isinstance(part, Text | Json) for part in result.parts):
        return None
    return sum(len(part.text.encode()) for part in result.parts if isinstance(part, Text | Json))
