"""Host policies: what a host makes of a tool result before the model reads it. Wire tokens are not context tokens.

A host gets a result object and gives its model a text. `POLICIES` is the registry of the ways in which hosts were seen
to do that; each is a pure function from a result, as it stood on the wire, to a text. The rows are policies and never
products: which host follows which one changes from release to release, and is a captured fact with a version.
"""

from collections.abc import Callable, Mapping
from typing import Any

from measure.mcp.listing import minified

Result = Mapping[str, Any]


def text_only(result: Result) -> str:
    """The text blocks, a line end between two; structured content is not shown."""
    return "\n".join(block["text"] for block in result.get("content", ()) if block.get("type") == "text")


def structured_else_text(result: Result) -> str:
    """Structured content as minified JSON; the text blocks where there is none."""
    if result.get("structuredContent") is None:
        return text_only(result)
    return minified(result["structuredContent"])


def both(result: Result) -> str:
    """The text blocks, and then structured content as minified JSON on a line of its own."""
    if result.get("structuredContent") is None:
        return text_only(result)
    return "\n".join(part for part in (text_only(result), minified(result["structuredContent"])) if part)


def content_stringified(result: Result) -> str:
    """The content array as minified JSON, so that its text is escaped once; structured content is not shown."""
    return minified(result.get("content", []))


def result_stringified(result: Result) -> str:
    """The result as minified JSON, structured content and all; without what belongs to the protocol alone."""
    return minified({key: value for key, value in result.items() if key not in _PROTOCOL})


_PROTOCOL = ("_meta", "resultType")

POLICIES: dict[str, Callable[[Result], str]] = {
    "text only": text_only,
    "structured, else text": structured_else_text,
    "text and structured": both,
    "content array stringified": content_stringified,
    "whole result stringified": result_stringified,
}
