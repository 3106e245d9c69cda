"""OpenHands' event histories: actions, observations and much that no model reads.

An instance a line, each with its `history`, or one array of events. What reaches the model, and as which text, is read
from OpenHands' own `ConversationMemory`: the response that an action came from is the assistant's message, once; an
observation's text has the marks that its kind gets there. Recalled knowledge reaches the model inside templates that
no history holds: its own texts are kept, and that a template is missing is counted. An evaluation's instances are run
without it (`enable_prompt_extensions` is off; the usage that they report agrees), and there it is left out. Not
handled: condensation (what it forgot is kept), a limit on an observation's characters, whether the model could see
images (they are kept).
"""

from typing import Any

from msgspec.structs import replace

from measure.transcripts.images import linked_image
from measure.transcripts.model import Block, Image, Message, Text, ToolResult, ToolUse, Transcript
from measure.transcripts.openai import assistant, usage
from measure.transcripts.parse import Node, Source, Tally
from measure.transcripts.thread import Thread

NAME = "openhands"
_CALLS = {"run", "run_ipython", "read", "write", "edit", "browse", "browse_interactive", "delegate", "think"}
_CALLS |= {"call_tool_mcp", "task_tracking"}
_SEEN = {"run", "run_ipython", "read", "write", "edit", "browse", "delegate", "think", "task_tracking", "error"}
_SEEN |= {"user_rejected", "condense", "download", "mcp"}
_MARKS = {
    "error": ("", "\n[Error occurred in processing last action]"),
    "user_rejected": ("OBSERVATION:\n", "\n[Last action has been rejected by the user]"),
}
_RECALLED = ("repo_instructions", "additional_agent_instructions", "conversation_instructions")


def recognizes(source: Source) -> bool:
    """Objects with a history of events, or an array of events; an event has an action or an observation, no role."""
    values = [node.value for node in source.values]
    return bool(values) and (all(map(_is_event, values)) or all(_is_instance(value) for value in values))


def read(source: Source) -> list[Transcript]:
    """One transcript an instance.

    Raises:
        BadInput: an event that is not of this form; with its place.
    """
    if all(_is_event(node.value) for node in source.values):
        tally = Tally(source.lenient)
        return [_History(tally, recalls=True).read([node.on(tally) for node in source.values], source.where)]
    found = []
    for value in source.values:
        node = value.on(Tally(source.lenient))
        listed = isinstance(node.value, list)
        events = [event.object() for event in node.each("event")] if listed else node.items("history", "event")
        place = f"{source.where}, {node.place}" if len(source.values) > 1 else source.where
        name = node.text("instance_id", "") or place if not listed else place
        found.append(_History(node.tally, recalls=listed).read(events, name))
    return found


def _is_event(value: Any) -> bool:
    return isinstance(value, dict) and ("action" in value or "observation" in value) and "role" not in value


def _is_instance(value: Any) -> bool:
    events = value.get("history") if isinstance(value, dict) else value
    return isinstance(events, list) and any(map(_is_event, events))


class _History:
    """One history as it is read: what was said, and what was recalled and called already."""

    def __init__(self, tally: Tally, recalls: bool) -> None:
        self.tally = tally
        self.recalls = recalls
        self.thread = Thread()
        self.system: list[str] = []
        self.tools: tuple[str, ...] = ()
        self.called: set[str] = set()
        self.recalled: set[str] = set()

    def read(self, events: list[Node], name: str) -> Transcript:
        """All events, in their order."""
        for event in events:
            if event.get("action") is not None:
                self.action(event)
            elif event.get("observation") is not None:
                self.observation(event)
            else:
                event.leave_out("event without action or observation", "one of both is needed")
        messages, system = tuple(self.thread.messages), "\n".join(self.system)
        return Transcript(name, NAME, messages, system, self.tools, (), self.tally.left_out)

    def action(self, event: Node) -> None:
        """What the agent did, or the user said."""
        kind, by_user = event.text("action"), event.get("source") == "user"
        arguments = event.inner("args")
        time = event.time("timestamp")
        if event.get("tool_call_metadata") is not None:
            self.call(event.child("tool_call_metadata"), arguments, time)
        elif kind == "system":
            self.system.append(arguments.text("content"))
            self.tools = tuple(tool.json() for tool in arguments.items("tools", "tool"))
        elif kind == "message":
            blocks: list[Block] = [Text(arguments.text("content", "")), *_images(arguments)]
            self.thread.add(Message("user" if by_user else "assistant", tuple(blocks), time))
        elif kind == "finish":
            said = arguments.text("final_thought", "") or _thought(arguments)
            self.thread.add(Message("user" if by_user else "assistant", (Text(said),), time))
        elif kind == "run" and by_user:
            said = f"User executed the command:\n{arguments.text('command', '')}"
            self.thread.add(Message("user", (Text(said),), time))
        elif kind in _CALLS and not by_user:
            self.plain_call(event, kind, arguments)
        else:
            self.tally.leave_out(f"action {kind!r}")

    def call(self, metadata: Node, arguments: Node, time: float | None) -> None:
        """The response that an action came from; its other calls are other actions."""
        response = metadata.inner("model_response")
        choices, reported = response.items("choices", "choice"), response.maybe("usage")
        said = assistant(choices[0].child("message")) if choices else Message("assistant", ())
        use = metadata.text("tool_call_id")
        key = response.text("id", "") or use
        if not self.thread.has(key):
            spent = usage(reported) if reported else None
            self.thread.call(key, replace(said, time=time, usage=spent, model=response.text("model", "")))
        if use not in [block.id for block in said.blocks if isinstance(block, ToolUse)]:
            missing = ToolUse(use, metadata.text("function_name", ""), _given(arguments))
            self.thread.call(key, Message("assistant", (missing,)))

    def plain_call(self, event: Node, kind: str, arguments: Node) -> None:
        """A call of a history that did not keep the model's response."""
        thought = _thought(arguments)
        use = ToolUse(_event_id(event, "id"), kind, _given(arguments))
        self.called.add(use.id)
        said = (Text(thought), use) if thought else (use,)
        self.thread.add(Message("assistant", said, event.time("timestamp")))

    def observation(self, event: Node) -> None:
        """What a call led to, or what the program saw."""
        kind, cause = event.text("observation"), _event_id(event, "cause")
        metadata = event.maybe("tool_call_metadata")
        extras = event.inner("extras")
        use = metadata.text("tool_call_id") if metadata else cause if cause in self.called else ""
        if kind == "recall":
            self.recall(extras, event.time("timestamp"))
            return
        if not use and kind not in _SEEN:
            self.tally.leave_out(f"observation {kind!r}")
            return
        if extras.get("screenshot"):
            self.tally.leave_out("screenshot")
        text = _shown(kind, event.text("content", ""), extras)
        if kind == "run" and not use:
            text = f"\nObserved result of command executed by user:\n{text}"
        parts: tuple[Text | Image, ...] = (Text(text), *_images(extras))
        self.thread.add(Message("user", (ToolResult(use, parts),) if use else parts, event.time("timestamp")))

    def recall(self, extras: Node, time: float | None) -> None:
        """Texts of the workspace, and knowledge that a word in the message called up; the same one only once."""
        texts = [extras.text(name, "") for name in _RECALLED]
        for item in extras.items("microagent_knowledge", "microagent"):
            name = item.text("name", "")
            if extras.get("recall_type") != "knowledge" or name not in self.recalled:
                texts.append(item.text("content", ""))
            self.recalled.add(name)
        blocks = tuple(Text(text) for text in texts if text.strip())
        if blocks and self.recalls:
            self.thread.add(Message("user", blocks, time))
            self.tally.leave_out("template round recalled texts")
        else:
            self.tally.leave_out("recalled texts" if blocks else "recall without texts")


def _event_id(event: Node, key: str) -> str:
    """What stands for the id of a call whose own id the history did not keep."""
    return f"event {event.with_value(event.get(key)).json()}"


def _given(arguments: Node) -> str:
    """A call's input, from what the action says of itself."""
    return arguments.with_value({name: value for name, value in arguments.value.items() if name != "thought"}).json()


def _thought(arguments: Node) -> str:
    """What the model said beside the call: text, or in newer histories an object with one."""
    if isinstance(arguments.get("thought"), dict):
        return arguments.child("thought").text("text", "")
    return arguments.text("thought", "")


def _images(holder: Node) -> list[Image]:
    urls = holder.get("image_urls")
    each = urls if isinstance(urls, list) else []
    return [linked_image(holder.with_value({"url": url}).text("url")) for url in each]


def _shown(kind: str, content: str, extras: Node) -> str:
    """An observation's text as the model sees it."""
    if kind == "run":
        return _run(content, extras)
    if kind == "run_ipython":
        return _cell(content)
    if kind == "delegate":
        return extras.inner("outputs").text("content", content)
    before, after = _MARKS.get(kind, ("", ""))
    return before + content + after


def _run(content: str, extras: Node) -> str:
    """A command's output and what its prompt told: the directory, the interpreter, the exit code."""
    metadata = extras.inner("metadata")
    text = metadata.text("prefix", "") + content + metadata.text("suffix", "")
    code = metadata.get("exit_code")
    marks = {
        "Current working directory:": metadata.text("working_dir", ""),
        "Python interpreter:": metadata.text("py_interpreter_path", ""),
        "Command finished with exit code": code if isinstance(code, int) and code != -1 else "",
    }
    return text + "".join(f"\n[{mark} {value}]" for mark, value in marks.items() if value != "")


def _cell(content: str) -> str:
    """A notebook cell's output, without the pictures that stand in it as text."""
    lines = content.split("\n")
    shown = "![image](data:image/png;base64, ...) already displayed to user"
    return "\n".join(shown if "![image](data:image/png;base64," in line else line for line in lines)
