"""Claude Code's session files: a line each for a message's piece, and many lines that no model reads.

One response is split over several lines, a block each, with its usage repeated: lines of one request become one
message. Each line names its parent, so a rewound session is a tree: the chain that leads to the last line counts, with
the parallel calls and results that hang beside it. Left out and counted: side chains, abandoned branches, replies that
the program made up, and lines that are no messages. Not in the file: the system text, the tools, and what the program
makes of its `attachment` lines when it sends them. Not handled: messages that a compaction carried over its boundary,
which are counted.
"""

from typing import Any

from measure.transcripts.anthropic import blocks, usage
from measure.transcripts.model import Message, Text, Transcript
from measure.transcripts.parse import Node, Source, Tally
from measure.transcripts.thread import Thread

NAME = "claude-code"
_SPOKEN = ("user", "assistant")
_SYNTHETIC = "<synthetic>"


def recognizes(source: Source) -> bool:
    """Lines, one of which at least is a user's or the assistant's and wraps a message."""
    return any(line.get("type") in _SPOKEN and isinstance(line.get("message"), dict) for line in _lines(source))


def read(source: Source) -> list[Transcript]:
    """The session's main thread; of a file with side chains alone, that one.

    Raises:
        BadInput: a line or block that is not of this form; with its place.
    """
    tally = Tally(source.lenient)
    lines = _main([line.on(tally) for line in _lines(source)])
    kept = _chain(lines)
    thread = Thread()
    compactions: list[int] = []
    boundary = False
    for line in lines:
        kind = line.text("type", "unknown")
        on = line.get("uuid") is None or line.get("uuid") in kept
        if kind in _SPOKEN and not on:
            tally.leave_out("line of an abandoned branch")
        elif kind == "assistant" and line.child("message").get("model") == _SYNTHETIC:
            tally.leave_out("synthetic assistant line")
        elif kind in _SPOKEN or (on and kind == "system" and line.get("subtype") == "local_command"):
            if boundary or line.get("isCompactSummary") is True:
                compactions.append(len(thread.messages))
                boundary = False
            _add(line, thread)
        elif on and _is_boundary(line):
            boundary = True
            if any(key.startswith("preserved") for key in line.inner("compactMetadata").value):
                tally.leave_out("compaction that carried messages over")
        else:
            tally.leave_out(_kind(line))
    made = Transcript(source.where, NAME, tuple(thread.messages), "", (), tuple(compactions), tally.left_out)
    return [made]


def _lines(source: Source) -> list[Node]:
    """The lines, or the values of an array that somebody made of them."""
    if len(source.values) == 1 and isinstance(source.values[0].value, list):
        return list(source.values[0].each("entry"))
    return [Node(line.value, line.where, line.place or "line 1", line.tally) for line in source.values]


def _main(lines: list[Node]) -> list[Node]:
    """The lines of one thread, each once."""
    spoken = [line for line in lines if line.object().get("type") in _SPOKEN]
    side = not all(line.get("isSidechain") is True for line in spoken)
    seen: set[Any] = set()
    found = []
    for line in lines:
        uuid = line.text("uuid", "")
        if side and line.get("isSidechain") is True:
            line.tally.leave_out("sidechain line")
        elif uuid and uuid in seen:
            line.tally.leave_out("repeated line")
        else:
            found.append(line)
            seen.add(uuid)
    return found


def _chain(lines: list[Node]) -> set[str]:
    """The ids of the lines that lead to the last message, and of the parallel ones beside them."""
    named = {line.text("uuid"): line for line in lines if line.get("uuid") is not None}
    before: dict[str, str] = {}  # the last message before a line, in the file's order
    last = ""
    for uuid, line in named.items():
        before[uuid] = last
        last = uuid if line.get("type") in _SPOKEN else last
    kept: set[str] = set()
    while last and last not in kept:
        kept.add(last)
        line = named[last]
        last = line.text("parentUuid", "")
        if not last and (_is_boundary(line) or line.get("isCompactSummary") is True):
            last = line.text("logicalParentUuid", "")
            last = last if last in named else before[line.text("uuid")]
        last = last if last in named else ""
    requests = {_request(named[uuid]) for uuid in kept if named[uuid].get("type") == "assistant"}
    calls = {
        uuid
        for uuid, line in named.items()
        if line.get("type") == "assistant" and (uuid in kept or _request(line) in requests)
    }
    results = {uuid for uuid, line in named.items() if line.text("parentUuid", "") in calls and _holds_result(line)}
    return kept | calls | results


def _add(line: Node, thread: Thread) -> None:
    """Add one line's piece of a message."""
    time = line.time("timestamp")
    if line.get("type") == "system":
        thread.add(Message("user", (Text(line.text("content")),), time))
        return
    inner = line.child("message")
    if line.get("type") == "user":
        thread.add(Message("user", blocks(inner), time))
        return
    reported = inner.maybe("usage")
    said = Message("assistant", blocks(inner), time, usage(reported) if reported else None, inner.text("model", ""))
    thread.call(_request(line), said)


def _request(line: Node) -> str:
    """What the lines of one response share; a line that says nothing of it stands alone."""
    return line.text("requestId", "") or line.inner("message").text("id", "") or line.text("uuid", "")


def _holds_result(line: Node) -> bool:
    content = line.inner("message").get("content") if line.get("type") == "user" else None
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in content
    )


def _is_boundary(line: Node) -> bool:
    return (line.get("type"), line.get("subtype")) == ("system", "compact_boundary")


def _kind(line: Node) -> str:
    """How a line that is no message is named where it is counted."""
    attached = line.get("attachment")
    detail = line.get("subtype") or (attached.get("type") if isinstance(attached, dict) else None)
    kind = line.text("type", "unknown")
    return f"{kind} line ({line.with_value({'it': detail}).text('it')})" if isinstance(detail, str) else f"{kind} line"
