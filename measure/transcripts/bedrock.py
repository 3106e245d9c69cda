"""Bedrock's Converse form, which Strands sessions have too: blocks keyed by their kind.

A bare message list, a Converse request, or the session's wrappers round each message, as a list or one a line; of a
redacted message the redaction counts. Bytes are base64 text, plain or as Strands marks them. A JSON part of a result
is JSON text without white space. Not kept: cache points, signatures, guard content's qualifiers. Not handled: video
and audio, which have no text.
"""

from collections.abc import Callable
from typing import TypeVar

from measure.transcripts.chat import conversations, form, is_wrapped
from measure.transcripts.images import document, image
from measure.transcripts.model import (
    Block,
    Document,
    Image,
    Json,
    Message,
    Part,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Transcript,
    Usage,
)
from measure.transcripts.parse import Node, Source
from measure.transcripts.thread import Thread

NAME = "bedrock"
T = TypeVar("T")
_TEXT_FORMATS = ("txt", "md", "csv", "html")
_IGNORED = {"cachePoint"}


def recognizes(source: Source) -> bool:
    """A list of messages with a block keyed by its kind, in a Strands wrapper, or beside a toolConfig."""
    return form(source) == NAME


def read(source: Source) -> list[Transcript]:
    """One transcript a message list.

    Raises:
        BadInput: a message or block that is not of this form; with its place.
    """
    found = []
    for name, body, messages, tally in conversations(source):
        thread = Thread()
        for node in messages:
            thread.add(_message(node.object()))
        system = "\n".join(
            block.text("text") for block in body.items("system", "system block") if not _IGNORED & block.value.keys()
        )
        tools = tuple(
            tool.json() for tool in body.inner("toolConfig").items("tools", "tool") if not _IGNORED & tool.value.keys()
        )
        found.append(Transcript(name, NAME, tuple(thread.messages), system, tools, (), tally.left_out))
    return found


def _message(node: Node) -> Message:
    time = node.time("created_at") if is_wrapped(node.value) else None
    if is_wrapped(node.value):
        node = node.maybe("redact_message") or node.child("message")
    role = node.text("role")
    if role not in ("user", "assistant"):
        raise node.error(f"the role is {role!r}", "'user' or 'assistant' is needed")
    reported = node.inner("metadata").maybe("usage")
    blocks: list[Block] = []
    for block in node.items("content", "block"):
        blocks.extend(_each(block, _BLOCKS))
    return Message("user" if role == "user" else "assistant", tuple(blocks), time, _usage(reported))


def _usage(node: Node | None) -> Usage | None:
    """What Bedrock reported; its input tokens are those that the cache had no part in."""
    if node is None:
        return None
    read, written = node.integer("cacheReadInputTokens"), node.integer("cacheWriteInputTokens")
    return Usage(node.integer("inputTokens"), read, written, 0, node.integer("outputTokens"))


def _each(block: Node, readers: dict[str, Callable[[Node], T]]) -> list[T]:
    """What one block holds, by the key that names its kind."""
    found = []
    for kind in block.value:
        if kind in readers:
            found.append(readers[kind](block))
        elif kind not in _IGNORED:
            block.leave_out(f"unknown block {kind!r}", f"known are {', '.join(readers)}")
    return found


def _text(node: Node) -> Text:
    return Text(node.text("text"))


def _bytes(source: Node, key: str = "bytes") -> str:
    """Base64 text; none where the data lies elsewhere."""
    if isinstance(source.get(key), dict):
        return source.child(key).text("data", "")
    return source.text(key, "")


def _image(node: Node) -> Image:
    inner = node.child("image")
    return image(f"image/{inner.text('format', '')}", _bytes(inner.child("source")))


def _document(node: Node) -> Document:
    inner = node.child("document")
    source = inner.child("source")
    kind = inner.text("format", "txt")
    media_type = f"text/{'plain' if kind == 'txt' else kind}" if kind in _TEXT_FORMATS else f"application/{kind}"
    title = "\n".join(filter(None, (inner.text("name", ""), inner.text("context", ""))))
    if source.get("text") is not None:
        return Document(media_type, source.text("text"), title=title)
    if source.get("content") is not None:
        text = "\n".join(part.text("text") for part in source.items("content", "part"))
        return Document(media_type, text, title=title)
    return document(media_type, _bytes(source), title)


def _reasoning(node: Node) -> Thinking:
    inner = node.child("reasoningContent")
    if inner.get("redactedContent") is not None:
        return Thinking(_bytes(inner, "redactedContent"), redacted=True)
    return Thinking(inner.child("reasoningText").text("text"))


def _use(node: Node) -> ToolUse:
    inner = node.child("toolUse")
    if inner.get("input") is None:
        raise inner.error("the field 'input' is missing", "an object is needed")
    return ToolUse(inner.text("toolUseId"), inner.text("name"), inner.with_value(inner.get("input")).json())


def _result(node: Node) -> ToolResult:
    inner = node.child("toolResult")
    parts: list[Part] = []
    for part in inner.items("content", "part"):
        parts.extend(_each(part, _PARTS))
    return ToolResult(inner.text("toolUseId"), tuple(parts), inner.text("status", "") == "error")


def _json(node: Node) -> Json:
    return Json(node.with_value(node.get("json")).json())


def _cited(node: Node) -> Text:
    """Text with citations; they are not sent again as text."""
    return Text("".join(part.text("text") for part in node.child("citationsContent").items("content", "part")))


def _guarded(node: Node) -> Text:
    return Text(node.child("guardContent").child("text").text("text"))


_PARTS: dict[str, Callable[[Node], Part]] = {
    "text": _text,
    "json": _json,
    "image": _image,
    "document": _document,
}
_BLOCKS: dict[str, Callable[[Node], Block]] = {
    "text": _text,
    "image": _image,
    "document": _document,
    "reasoningContent": _reasoning,
    "toolUse": _use,
    "toolResult": _result,
    "citationsContent": _cited,
    "guardContent": _guarded,
}
