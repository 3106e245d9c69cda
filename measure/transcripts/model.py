"""One neutral form for agent transcripts: messages of blocks, whatever program recorded them.

A transcript is what a client would send again: the message list, the system text and the tools where they are known,
and what the provider reported of each call. Each assistant message is one model call; its request is everything
before it. Loaders make this form, policies rewrite it, `measure.context` counts it. JSON is kept as its text, as it
would be sent; an image as its size, since it has no text. Not kept: ids of messages, signatures, cache marks.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec


class Text(msgspec.Struct, frozen=True, tag="text"):
    """Plain text: of a message, or one part of a tool result."""

    text: str


class Json(msgspec.Struct, frozen=True, tag="json"):
    """A JSON value in a tool result, as the text that is sent."""

    text: str


class Image(msgspec.Struct, frozen=True, tag="image"):
    """A picture: what it is, how many bytes, and its size in pixels where that could be read."""

    media_type: str
    bytes: int
    width: int | None = None
    height: int | None = None


class Document(msgspec.Struct, frozen=True, tag="document"):
    """A document: its text, or, where it has none that can be read, its bytes and pages.

    `title` is what the model is told beside it: its name, and what the client said of it.
    """

    media_type: str
    text: str | None = None
    bytes: int = 0
    pages: int | None = None
    title: str = ""


Part = Text | Json | Image | Document


class Thinking(msgspec.Struct, frozen=True, tag="thinking"):
    """What the model thought; of redacted thinking, the ciphertext."""

    text: str
    redacted: bool = False


class ToolUse(msgspec.Struct, frozen=True, tag="tool_use"):
    """A call: the tool's name and its input as JSON text. `server` tools are run by the provider, not by the client."""

    id: str
    name: str
    input: str
    server: bool = False


class ToolResult(msgspec.Struct, frozen=True, tag="tool_result"):
    """The answer to the call `use`, part by part; `error` is the flag that the client set."""

    use: str
    parts: tuple[Part, ...]
    error: bool = False


Block = Text | Image | Document | Thinking | ToolUse | ToolResult


class Usage(msgspec.Struct, frozen=True):
    """What a provider reported of one call, in its own tokens: input is fresh + read + both writes."""

    fresh: int
    read: int
    write_5m: int
    write_1h: int
    output: int

    @property
    def written(self) -> int:
        """Tokens written to the cache, for either lifetime."""
        return self.write_5m + self.write_1h

    @property
    def input(self) -> int:
        """All of the prompt."""
        return self.fresh + self.read + self.written


class Message(msgspec.Struct, frozen=True):
    """One message: `time` in seconds since 1970; `usage` and `model` of the call that made it. None, "": unknown."""

    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...]
    time: float | None = None
    usage: Usage | None = None
    model: str = ""


class Transcript(msgspec.Struct, frozen=True):
    """A whole session, of one thread.

    `tools` are the definitions as JSON texts, `system` is "" where it is unknown. From each message whose index is in
    `compactions` on, nothing before it is sent any more. `left_out` says what the loader left out and how often:
    ("sidechain line", 12).
    """

    name: str
    format: str
    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[str, ...] = ()
    compactions: tuple[int, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()


def calls(messages: Sequence[Message]) -> list[int]:
    """The indices of the messages that a model call made.

    >>> calls([Message("user", (Text("hello"),)), Message("assistant", (Text("hi"),))])
    [1]
    """
    return [index for index, message in enumerate(messages) if message.role == "assistant"]
