"""OpenAI's chat completions: a message list, a request, or one of either a line.

The system and developer messages that come first are the system text; a later one stays in its place as a user
message. The `tool` messages after an assistant message become one user message with several results, as the neutral
form has it. Arguments are the string that the model wrote, even where it is not JSON. Also read, since programs that
keep this form add them: `reasoning_content`, `reasoning`, `thinking_blocks`, `usage`, `model`, the older
`function_call`. Not handled: audio, which has no text; encrypted reasoning.
"""

from measure.transcripts.chat import conversations, form
from measure.transcripts.images import document, linked_image
from measure.transcripts.model import (
    Block,
    Document,
    Image,
    Message,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Transcript,
    Usage,
)
from measure.transcripts.parse import Node, Source
from measure.transcripts.thread import Thread

NAME = "openai"
_SYSTEM = ("system", "developer")
_KNOWN = "text, input_text, output_text, refusal, image_url, file"


def recognizes(source: Source) -> bool:
    """A list of messages with a role, key, part, tool or usage of this form alone."""
    return form(source) == NAME


def read(source: Source) -> list[Transcript]:
    """One transcript a message list.

    Raises:
        BadInput: a message or part that is not of this form; with its place.
    """
    found = []
    for name, body, nodes, tally in conversations(source):
        tools = tuple(tool.json() for tool in body.items("tools", "tool"))
        system, messages = read_messages(nodes)
        found.append(Transcript(name, NAME, messages, system, tools, (), tally.left_out))
    return found


def read_messages(nodes: list[Node]) -> tuple[str, tuple[Message, ...]]:
    """The system text, and everything after it."""
    thread = Thread()
    leading: list[str] = []
    called = ""  # the id of the last function_call, which has none of its own
    for number, node in enumerate(nodes):
        role = node.object().text("role")
        if role in _SYSTEM and not thread.messages:
            leading += [part.text for part in content(node) if isinstance(part, Text)]
        elif role == "assistant":
            called = f"function_call_{number}"
            thread.add(assistant(node, called))
        elif role in ("tool", "function"):
            use = node.text("tool_call_id", called if role == "function" else "")
            thread.add(Message("user", (ToolResult(use, content(node)),)))
        elif role in ("user", *_SYSTEM):
            thread.add(Message("user", content(node)))
        else:
            raise node.error(f"the role is {role!r}", "system, developer, user, assistant, tool or function is needed")
    return "\n".join(leading), tuple(thread.messages)


def assistant(node: Node, called: str = "") -> Message:
    """What the model said in one call; `called` is the id of a `function_call`."""
    blocks: list[Block] = [*thoughts(node), *content(node)]
    for call in node.items("tool_calls", "tool call"):
        function = call.child("custom" if call.get("type") == "custom" else "function")
        blocks.append(ToolUse(call.text("id", ""), function.text("name"), arguments(function)))
    function_call = node.maybe("function_call")
    if function_call:
        blocks.append(ToolUse(called, function_call.text("name"), arguments(function_call)))
    reported = node.maybe("usage")
    return Message("assistant", tuple(blocks), None, usage(reported) if reported else None, node.text("model", ""))


def arguments(function: Node) -> str:
    """A call's arguments as the model wrote them; a program that parsed them has them as an object."""
    key = "arguments" if function.get("arguments") is not None else "input"
    given = function.get(key)
    return function.text(key, "") if given is None or isinstance(given, str) else function.with_value(given).json()


def thoughts(node: Node) -> list[Thinking]:
    """The model's reasoning: Anthropic's blocks where a program kept them, else the text."""
    found = []
    for block in node.items("thinking_blocks", "thinking block"):
        redacted = block.get("type") == "redacted_thinking"
        found.append(Thinking(block.text("data" if redacted else "thinking"), redacted))
    text = node.text("reasoning_content", "") or node.text("reasoning", "")
    return found or ([Thinking(text)] if text else [])


def content(node: Node) -> tuple[Text | Image | Document, ...]:
    """The content of a message: a string, parts, or nothing."""
    refusal, plain = node.text("refusal", ""), isinstance(node.get("content"), str)
    found: list[Text | Image | Document] = [Text(node.text("content"))] if plain else []
    for part in [] if plain else node.items("content", "part"):
        kind = part.text("type")
        if kind in ("text", "input_text", "output_text", "refusal"):
            found.append(Text(part.text("refusal" if kind == "refusal" else "text")))
        elif kind == "image_url":
            holder = part if isinstance(part.get("image_url"), str) else part.child("image_url")
            found.append(linked_image(holder.text("image_url" if holder is part else "url")))
        elif kind == "file":
            file = part.child("file")
            found.append(document("", file.text("file_data", ""), file.text("filename", "")))
        else:
            part.leave_out(f"unknown block {kind!r}", f"known are {_KNOWN}")
    if refusal:
        found.append(Text(refusal))
    return tuple(found)


def usage(node: Node) -> Usage:
    """What the API reported: its prompt tokens hold what was read from the cache, and what was written to it.

    Gateways to other providers add `cache_creation_input_tokens`. Some leave cached tokens out of the prompt's; then
    these are more than the prompt's, which are all fresh.
    """
    prompt, written = node.integer("prompt_tokens"), node.integer("cache_creation_input_tokens")
    read = node.inner("prompt_tokens_details").integer("cached_tokens") or node.integer("cache_read_input_tokens")
    fresh = prompt - read - written
    return Usage(fresh if fresh >= 0 else prompt, read, written, 0, node.integer("completion_tokens"))
