"""Anthropic's Messages API: a message list, or a whole request with its system text and tools.

Beside role and content a message may say `ts` (an ISO time), `model` and `usage` (what the API reported), as slim
copies of Claude Code sessions do. A `compaction` block drops what was before it, as the API does. Results of the
provider's own tools stand in the assistant's message. Not kept: cache_control, signatures, citations.
"""

from collections.abc import Callable
from typing import TypeVar

from measure.transcripts.chat import conversations, form
from measure.transcripts.images import document, image, linked_image
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

NAME = "anthropic"
T = TypeVar("T")


def recognizes(source: Source) -> bool:
    """A list of messages that is neither OpenAI's nor Bedrock's."""
    return form(source) == NAME


def read(source: Source) -> list[Transcript]:
    """One transcript a message list.

    Raises:
        BadInput: a message or block that is not of this form; with its place.
    """
    found = []
    for name, body, messages, tally in conversations(source):
        thread = Thread()
        compactions = []
        for node in messages:
            thread.add(message(node.object()))
            if compacts(node):
                compactions.append(len(thread.messages) - 1)
        tools = tuple(definition(tool) for tool in body.items("tools", "tool"))
        made = Transcript(name, NAME, tuple(thread.messages), system(body), tools, tuple(compactions), tally.left_out)
        found.append(made)
    return found


def message(node: Node) -> Message:
    """One message, with what it says of the call that made it."""
    role = node.text("role")
    if role not in ("user", "assistant"):
        raise node.error(f"the role is {role!r}", "'user' or 'assistant' is needed")
    reported = node.maybe("usage")
    return Message(
        "user" if role == "user" else "assistant",
        blocks(node),
        node.time("ts"),
        usage(reported) if reported else None,
        node.text("model", ""),
    )


def system(body: Node) -> str:
    """The system text of a request: a string, or its blocks, joined by line feeds."""
    if isinstance(body.get("system"), str):
        return body.text("system")
    return "\n".join(block.text("text") for block in body.items("system", "system block"))


def definition(tool: Node) -> str:
    """A tool as JSON text, without its cache mark."""
    return tool.with_value({key: value for key, value in tool.value.items() if key != "cache_control"}).json()


def usage(node: Node) -> Usage:
    """What the API reported; writes are of the five-minute cache where it does not tell the two apart."""
    written = node.integer("cache_creation_input_tokens")
    split = node.inner("cache_creation")
    write_1h = split.integer("ephemeral_1h_input_tokens")
    write_5m = max(split.integer("ephemeral_5m_input_tokens"), written - write_1h)
    fresh, read = node.integer("input_tokens"), node.integer("cache_read_input_tokens")
    return Usage(fresh, read, write_5m, write_1h, node.integer("output_tokens"))


def compacts(node: Node) -> bool:
    """Whether a message holds the summary that stands for everything before it."""
    found = node.get("content") if node.get("role") == "assistant" else None
    blocks = found if isinstance(found, list) else []
    return any(block.get("type") == "compaction" and bool(block.get("content")) for block in blocks)


def blocks(node: Node) -> tuple[Block, ...]:
    """The content of a message: a string is one text."""
    if node.get("content") is None:
        raise node.error("the field 'content' is missing", "a string or an array of blocks is needed")
    if isinstance(node.get("content"), str):
        return (Text(node.text("content")),)
    return _each(node.items("content", "block"), _BLOCKS)


def parts(node: Node) -> tuple[Part, ...]:
    """The content of a tool result: a string, blocks, or nothing."""
    if isinstance(node.get("content"), str):
        return (Text(node.text("content")),)
    return _each(node.items("content", "part"), _PARTS)


def _each(nodes: list[Node], readers: dict[str, Callable[[Node], T]]) -> tuple[T, ...]:
    found = []
    for node in nodes:
        kind = node.text("type")
        reader = readers.get(kind) or readers.get("*" + kind[kind.find("_tool_result") :])
        if reader:
            found.append(reader(node))
        else:
            known = ", ".join(name for name in readers if "*" not in name)
            node.leave_out(f"unknown block {kind!r}", f"known are {known}")
    return tuple(found)


def _text(node: Node) -> Text:
    return Text(node.text("text"))


def _image(node: Node) -> Image:
    source = node.child("source")
    if source.get("type") == "url":
        return linked_image(source.text("url"))
    return image(source.text("media_type", ""), source.text("data", ""))


def _document(node: Node) -> Document:
    """Its text, or its bytes; of a document made of blocks, the text and the bytes of the pictures."""
    source = node.child("source")
    title = "\n".join(filter(None, (node.text("title", ""), node.text("context", ""))))
    kind = source.text("type")
    if kind == "text":
        return Document(source.text("media_type", "text/plain"), source.text("data"), title=title)
    if kind == "content":
        inside = parts(source)
        text = "\n".join(part.text for part in inside if isinstance(part, Text))
        weight = sum(part.bytes for part in inside if isinstance(part, Image))
        return Document("text/plain", text, weight, title=title)
    return document(source.text("media_type", ""), source.text("data", ""), title)


def _search_result(node: Node) -> Document:
    texts = [part.text("text") for part in node.items("content", "part")]
    title = "\n".join((node.text("title", ""), node.text("source", "")))
    return Document("text/plain", "\n".join(texts), title=title)


def _reference(node: Node) -> Json:
    return Json(node.json())


def _thinking(node: Node) -> Thinking:
    return Thinking(node.text("thinking"))


def _redacted(node: Node) -> Thinking:
    return Thinking(node.text("data"), redacted=True)


def _use(node: Node) -> ToolUse:
    given = node.get("input")
    if given is None:
        raise node.error("the field 'input' is missing", "an object is needed")
    text = node.text("input") if isinstance(given, str) else node.with_value(given).json()
    return ToolUse(node.text("id"), node.text("name"), text, node.get("type") != "tool_use")


def _result(node: Node) -> ToolResult:
    return ToolResult(node.text("tool_use_id"), parts(node), node.get("is_error") is True)


def _server_result(node: Node) -> ToolResult:
    """The result of a tool that the provider ran: JSON, but for a document that it fetched."""
    content = node.get("content")
    values = content if isinstance(content, list) else [] if content is None else [content]
    found: list[Part] = []
    failed = False
    for value in values:
        inner = node.with_value(value)
        failed = failed or str(inner.get("type")).endswith("_error")
        fetched = inner.maybe("content") if isinstance(inner.get("content"), dict) else None
        if fetched and fetched.get("type") == "document":
            found += [Text(inner.text("url", "")), _document(fetched)]
        else:
            found.append(_reference(inner))
    return ToolResult(node.text("tool_use_id"), tuple(found), failed)


def _compaction(node: Node) -> Text:
    return Text(node.text("content", ""))


_PLAIN: dict[str, Callable[[Node], Text | Image | Document]] = {
    "text": _text,
    "image": _image,
    "document": _document,
    "search_result": _search_result,
}
_PARTS: dict[str, Callable[[Node], Part]] = {**_PLAIN, "tool_reference": _reference}
_BLOCKS: dict[str, Callable[[Node], Block]] = {
    **_PLAIN,
    "thinking": _thinking,
    "redacted_thinking": _redacted,
    "tool_use": _use,
    "server_tool_use": _use,
    "mcp_tool_use": _use,
    "tool_result": _result,
    "mcp_tool_result": _result,
    "*_tool_result": _server_result,
    "compaction": _compaction,
}
