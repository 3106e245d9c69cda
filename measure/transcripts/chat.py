"""Which of three programs' message lists this is: Anthropic's, OpenAI's or Bedrock's.

All three are lists of objects with a role and a content, bare or inside a request body, and a plain chat without tools
can be the same in two of them. A list is Bedrock's or OpenAI's where something in it belongs to that form alone, and
Anthropic's otherwise. Not handled: a list that mixes the forms; its loader refuses what it does not know.
"""

from typing import Any, NamedTuple

from measure.transcripts.parse import Node, Source, Tally

BEDROCK_KINDS = {"text", "toolUse", "toolResult", "reasoningContent", "image", "document", "cachePoint", "video"}
BEDROCK_KINDS |= {"citationsContent", "guardContent", "searchResult", "audio"}
_OPENAI_ROLES = ("system", "developer", "tool", "function")
_OPENAI_KEYS = ("tool_calls", "function_call", "tool_call_id", "reasoning_content", "reasoning", "refusal")
_OPENAI_PARTS = ("image_url", "file", "input_audio", "refusal", "input_text", "output_text")


class Conversation(NamedTuple):
    """One message list and the request body round it, which is empty for a bare list."""

    name: str
    body: Node
    messages: list[Node]
    tally: Tally


def conversations(source: Source) -> list[Conversation]:
    """The message lists of a file: one, or one a line; none where it holds something else."""
    values = [node.value for node in source.values]
    if values and all(_has_role(value) for value in values):
        tally = Tally(source.lenient)
        messages = [Node(node.value, node.where, node.place or "message 1", tally) for node in source.values]
        return [Conversation(source.where, Node({}, source.where, "", tally), messages, tally)]
    found = []
    for node in source.values:
        name = f"{source.where}, {node.place}" if len(values) > 1 else source.where
        listed = node.value if isinstance(node.value, list) else node.get("messages")
        if not isinstance(listed, list) or (listed is node.value and not any(map(_has_role, listed))):
            return []
        body = node.on(Tally(source.lenient))
        if listed is node.value:
            body = body.with_value({})
        found.append(Conversation(name, body, list(body.with_value(listed).each("message")), body.tally))
    return found


def form(source: Source) -> str:
    """`anthropic`, `openai` or `bedrock`; "" where the file holds no message lists."""
    found = conversations(source)
    if not found:
        return ""
    messages = [message.value for one in found for message in one.messages]
    bodies = [one.body.value for one in found]
    if any("toolConfig" in body for body in bodies) or any(map(_is_bedrock, messages)):
        return "bedrock"
    if any(_is_openai_tool(tool) for body in bodies for tool in _list(body.get("tools"))):
        return "openai"
    return "openai" if any(map(_is_openai, messages)) else "anthropic"


def is_wrapped(value: Any) -> bool:
    """Whether this is how Strands keeps a message in a session."""
    return isinstance(value, dict) and "message_id" in value and _has_role(value.get("message"))


def _has_role(value: Any) -> bool:
    return isinstance(value, dict) and ("role" in value or is_wrapped(value))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_bedrock(message: Any) -> bool:
    if not isinstance(message, dict):
        return False
    blocks = [block for block in _list(message.get("content")) if isinstance(block, dict)]
    return is_wrapped(message) or any("type" not in block and BEDROCK_KINDS & block.keys() for block in blocks)


def _is_openai(message: Any) -> bool:
    if not isinstance(message, dict):
        return False
    usage = message.get("usage")
    return (
        message.get("role") in _OPENAI_ROLES
        or any(key in message for key in _OPENAI_KEYS)
        or (isinstance(usage, dict) and "prompt_tokens" in usage)
        or any(isinstance(part, dict) and part.get("type") in _OPENAI_PARTS for part in _list(message.get("content")))
    )


def _is_openai_tool(tool: Any) -> bool:
    return isinstance(tool, dict) and isinstance(tool.get("function"), dict)
