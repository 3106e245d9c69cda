"""The same kinds of things in each format in which agent sessions are recorded, and what each must be read as."""

import base64
import json
import struct
from typing import Any

from measure.transcripts.model import (
    Document,
    Image,
    Json,
    Message,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Usage,
)


def png(width: int, height: int) -> bytes:
    """The start of a PNG, which says its size."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def lines(*entries: Any) -> bytes:
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


PDF = b"%PDF-1.4\n1 0 obj<</Type /Pages /Count 2>>\n2 0 obj<</Type /Page>>\n3 0 obj<</Type/Page\n/A 1>>"
PICTURE = Image("image/png", 24, 640, 480)
PNG = b64(png(640, 480))

ANTHROPIC = {
    "system": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind.", "cache_control": {}}],
    "tools": [{"name": "look", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}],
    "messages": [
        {"role": "user", "content": "hello", "ts": "2026-01-31T12:00:00Z"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "xyz"},
                {"type": "redacted_thinking", "data": "c2VjcmV0"},
                {"type": "text", "text": "I look.", "cache_control": {"type": "ephemeral"}},
                {"type": "tool_use", "id": "a", "name": "look", "input": {"z": "é", "a": [1.5, None]}},
                {"type": "server_tool_use", "id": "b", "name": "web_search", "input": {"query": "x"}},
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "b",
                    "content": [{"type": "web_search_result", "url": "https://example.com", "title": "T"}],
                },
                {"type": "server_tool_use", "id": "c", "name": "web_fetch", "input": {}},
                {
                    "type": "web_fetch_tool_result",
                    "tool_use_id": "c",
                    "content": {
                        "type": "web_fetch_result",
                        "url": "https://example.com/a.pdf",
                        "content": {
                            "type": "document",
                            "source": {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)},
                        },
                    },
                },
                {
                    "type": "code_execution_tool_result",
                    "tool_use_id": "d",
                    "content": {"type": "code_execution_tool_result_error", "error_code": "unavailable"},
                },
            ],
            "model": "m-1",
            "request_id": "r",
            "usage": {
                "input_tokens": 3,
                "cache_read_input_tokens": 20,
                "cache_creation_input_tokens": 70,
                "cache_creation": {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 40},
                "output_tokens": 9,
            },
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "a",
                    "is_error": True,
                    "content": [
                        {"type": "text", "text": "seen"},
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "long"}},
                        {
                            "type": "search_result",
                            "title": "T",
                            "source": "https://example.com",
                            "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
                        },
                        {"type": "tool_reference", "tool_name": "look"},
                    ],
                },
                {"type": "tool_result", "tool_use_id": "e", "content": None},
                {"type": "tool_result", "tool_use_id": "f"},
                {"type": "tool_result", "tool_use_id": "g", "content": "text"},
                {"type": "text", "text": "and"},
                {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
                {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
                {
                    "type": "document",
                    "title": "Paper",
                    "context": "read it",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": b64(PDF)},
                },
                {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "inner"}]}},
            ],
        },
    ],
}
ANTHROPIC_READ = (
    Message("user", (Text("hello"),), 1769860800.0),
    Message(
        "assistant",
        (
            Thinking("hm"),
            Thinking("c2VjcmV0", redacted=True),
            Text("I look."),
            ToolUse("a", "look", '{"z":"é","a":[1.5,null]}'),
            ToolUse("b", "web_search", '{"query":"x"}', server=True),
            ToolResult("b", (Json('{"type":"web_search_result","url":"https://example.com","title":"T"}'),)),
            ToolUse("c", "web_fetch", "{}", server=True),
            ToolResult("c", (Text("https://example.com/a.pdf"), Document("application/pdf", bytes=len(PDF), pages=2))),
            ToolResult(
                "d", (Json('{"type":"code_execution_tool_result_error","error_code":"unavailable"}'),), error=True
            ),
        ),
        usage=Usage(3, 20, 30, 40, 9),
        model="m-1",
    ),
    Message(
        "user",
        (
            ToolResult(
                "a",
                (
                    Text("seen"),
                    PICTURE,
                    Document("text/plain", "long"),
                    Document("text/plain", "one\ntwo", title="T\nhttps://example.com"),
                    Json('{"type":"tool_reference","tool_name":"look"}'),
                ),
                error=True,
            ),
            ToolResult("e", ()),
            ToolResult("f", ()),
            ToolResult("g", (Text("text"),)),
            Text("and"),
            Image("", 0),
            Image("", 0),
            Document("application/pdf", None, len(PDF), 2, "Paper\nread it"),
            Document("text/plain", "inner"),
        ),
    ),
)


def cc(kind: str, uuid: str, parent: str | None, content: Any = None, **more: Any) -> dict[str, Any]:
    """A line of a Claude Code session; an assistant's has the request id that the first letter of its uuid names."""
    line: dict[str, Any] = {"type": kind, "uuid": uuid, "parentUuid": parent, "timestamp": "2026-01-31T12:00:00Z"}
    if kind in ("user", "assistant"):
        line["message"] = {"role": kind, "content": content}
    if kind == "assistant":
        line["requestId"] = f"request {uuid[0]}"
        line["message"] |= {"id": f"msg {uuid[0]}", "model": "m", "usage": {"input_tokens": 5, "output_tokens": 1}}
    elif content is not None:
        line["content"] = content
    return line | more


def use(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "Read", "input": {}}


def result(name: str, content: Any = "ok") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": content}


last_usage = {"message": {"role": "assistant", "model": "m", "content": [use("2")], "usage": {"output_tokens": 44}}}
CLAUDE_CODE = [
    {"type": "summary", "summary": "About it", "leafUuid": "x"},
    {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
    cc("user", "u1", None, "go"),
    cc("user", "u2", "u1", "a thing that was rewound"),
    cc("assistant", "x1", "u2", [{"type": "text", "text": "abandoned"}]),
    cc("user", "u3", "u1", "<reminder>", isMeta=True),
    cc("assistant", "a1", "u3", [{"type": "thinking", "thinking": "hm", "signature": "s"}]),
    cc("assistant", "a2", "a1", [use("1")]),
    cc("user", "r1", "a2", [result("1", "one")], toolUseResult={"stdout": "one"}, sourceToolAssistantUUID="a2"),
    cc("assistant", "a3", "a2", **last_usage),
    cc("user", "s1", None, "for the other agent", isSidechain=True),
    cc("assistant", "s2", "s1", [{"type": "text", "text": "from it"}], isSidechain=True),
    cc("user", "r2", "a3", [result("2", [{"type": "text", "text": "two"}])], sourceToolAssistantUUID="a3"),
    cc("system", "y1", "r2", subtype="turn_duration", durationMs=5),
    cc("system", "y2", "y1", "<stdout>", subtype="local_command"),
    cc("attachment", "t1", "y2", attachment={"type": "todo"}),
    cc("assistant", "e1", "t1", message={"role": "assistant", "model": "<synthetic>", "content": "API error"}),
    cc("system", "b1", None, subtype="compact_boundary", logicalParentUuid="e1", compactMetadata={"trigger": "auto"}),
    cc("user", "c1", "b1", "What was said before.", isCompactSummary=True),
    cc("assistant", "z1", "c1", [{"type": "text", "text": "Done."}]),
]
NOON = 1769860800.0
CLAUDE_CODE_READ = (
    Message("user", (Text("go"),), NOON),
    Message("user", (Text("<reminder>"),), NOON),
    Message(
        "assistant",
        (Thinking("hm"), ToolUse("1", "Read", "{}"), ToolUse("2", "Read", "{}")),
        NOON,
        Usage(0, 0, 0, 0, 44),
        "m",
    ),
    Message("user", (ToolResult("1", (Text("one"),)), ToolResult("2", (Text("two"),))), NOON),
    Message("user", (Text("<stdout>"),), NOON),
    Message("user", (Text("What was said before."),), NOON),
    Message("assistant", (Text("Done."),), NOON, Usage(5, 0, 0, 0, 1), "m"),
)
CLAUDE_CODE_LEFT_OUT = {
    "sidechain line": 2,
    "summary line": 1,
    "file-history-snapshot line": 1,
    "line of an abandoned branch": 2,
    "system line (turn_duration)": 1,
    "attachment line (todo)": 1,
    "synthetic assistant line": 1,
}


def call(name: str, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": "look", "arguments": arguments}}


OPENAI = {
    "tools": [{"type": "function", "function": {"name": "look"}}],
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": [{"type": "input_text", "text": "Be kind."}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "see"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"}},
                {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
                {"type": "file", "file": {"filename": "p", "file_data": f"data:application/pdf;base64,{b64(PDF)}"}},
                {"type": "file", "file": {"filename": "t", "file_data": f"data:text/plain;base64,{b64(b'words')}"}},
                {"type": "file", "file": {"file_id": "f"}},
            ],
        },
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [call("a", '{"p": 1}'), call("b", "{not json"), call("c", {"p": 1})],
            "usage": {
                "prompt_tokens": 100,
                "completion_tokens": 7,
                "prompt_tokens_details": {"cached_tokens": 60},
            },
            "model": "m",
        },
        {"role": "tool", "tool_call_id": "a", "content": "one"},
        {"role": "tool", "tool_call_id": "b", "content": [{"type": "text", "text": "two"}]},
        {"role": "tool", "tool_call_id": "c", "content": None},
        {"role": "user", "content": "more"},
        {"role": "user", "content": "still more"},
        {"role": "system", "content": "A reminder."},
        {"role": "assistant", "content": "", "reasoning": "hm hm", "function_call": call("", "{}")["function"]},
        {"role": "function", "name": "look", "content": "three"},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}], "thinking_blocks": []},
        {"role": "assistant", "content": None, "refusal": "Never."},
        {
            "role": "assistant",
            "content": "ok",
            "thinking_blocks": [
                {"type": "thinking", "thinking": "h"},
                {"type": "redacted_thinking", "data": "c2VjcmV0"},
            ],
        },
    ],
}
OPENAI_READ = (
    Message(
        "user",
        (
            Text("see"),
            PICTURE,
            Image("", 0),
            Document("application/pdf", None, len(PDF), 2, "p"),
            Document("text/plain", "words", title="t"),
            Document(""),
        ),
    ),
    Message(
        "assistant",
        (
            Thinking("hm"),
            ToolUse("a", "look", '{"p": 1}'),
            ToolUse("b", "look", "{not json"),
            ToolUse("c", "look", '{"p":1}'),
        ),
        None,
        Usage(40, 60, 0, 0, 7),
        "m",
    ),
    Message("user", (ToolResult("a", (Text("one"),)), ToolResult("b", (Text("two"),)), ToolResult("c", ()))),
    Message("user", (Text("more"),)),
    Message("user", (Text("still more"),)),
    Message("user", (Text("A reminder."),)),
    Message("assistant", (Thinking("hm hm"), Text(""), ToolUse("function_call_10", "look", "{}"))),
    Message("user", (ToolResult("function_call_10", (Text("three"),)),)),
    Message("assistant", (Text("No."),)),
    Message("assistant", (Text("Never."),)),
    Message("assistant", (Thinking("h"), Thinking("c2VjcmV0", redacted=True), Text("ok"))),
)

BEDROCK = {
    "system": [{"text": "Be brief."}, {"cachePoint": {"type": "default"}}, {"text": "Be kind."}],
    "toolConfig": {"tools": [{"toolSpec": {"name": "look"}}, {"cachePoint": {"type": "default"}}]},
    "messages": [
        {
            "role": "user",
            "content": [
                {"text": "see"},
                {"image": {"format": "png", "source": {"bytes": PNG}}},
                {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://a/b"}}}},
                {"document": {"format": "pdf", "name": "p", "source": {"bytes": b64(PDF)}}},
                {"document": {"format": "txt", "name": "t", "source": {"bytes": b64(b"words")}}},
                {"document": {"format": "md", "name": "m", "source": {"text": "words"}, "context": "c"}},
                {"document": {"name": "n", "source": {"content": [{"text": "a"}, {"text": "b"}]}}},
                {"guardContent": {"text": {"text": "guarded", "qualifiers": ["query"]}}},
                {"cachePoint": {"type": "default"}},
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
                {"reasoningContent": {"redactedContent": "c2VjcmV0"}},
                {"citationsContent": {"content": [{"text": "so "}, {"text": "said"}], "citations": []}},
                {"toolUse": {"toolUseId": "a", "name": "look", "input": {"z": 1, "a": "é"}}},
            ],
            "metadata": {
                "usage": {
                    "inputTokens": 3,
                    "outputTokens": 4,
                    "cacheReadInputTokens": 5,
                    "cacheWriteInputTokens": 6,
                }
            },
        },
        {
            "role": "user",
            "content": [
                {
                    "toolResult": {
                        "toolUseId": "a",
                        "status": "error",
                        "content": [
                            {"text": "no"},
                            {"json": {"z": "é", "a": [None, 1]}},
                            {"image": {"format": "png", "source": {"bytes": PNG}}},
                            {"document": {"format": "csv", "name": "c", "source": {"bytes": b64(b"a,b")}}},
                        ],
                    }
                }
            ],
        },
    ],
}
BEDROCK_READ = (
    Message(
        "user",
        (
            Text("see"),
            PICTURE,
            Image("image/png", 0),
            Document("application/pdf", None, len(PDF), 2, "p"),
            Document("text/plain", "words", title="t"),
            Document("text/md", "words", title="m\nc"),
            Document("text/plain", "a\nb", title="n"),
            Text("guarded"),
        ),
    ),
    Message(
        "assistant",
        (
            Thinking("hm"),
            Thinking("c2VjcmV0", redacted=True),
            Text("so said"),
            ToolUse("a", "look", '{"z":1,"a":"é"}'),
        ),
        None,
        Usage(3, 5, 6, 0, 4),
    ),
    Message(
        "user",
        (
            ToolResult(
                "a",
                (Text("no"), Json('{"z":"é","a":[null,1]}'), PICTURE, Document("text/csv", "a,b", title="c")),
                error=True,
            ),
        ),
    ),
)


def wrapped(number: int, message: dict[str, Any], redaction: Any = None) -> dict[str, Any]:
    """A message as Strands keeps it in a session."""
    return {
        "message": message,
        "message_id": number,
        "redact_message": redaction,
        "created_at": "2026-01-31T12:00:00+00:00",
    }


marked = {"image": {"format": "png", "source": {"bytes": {"__bytes_encoded__": True, "data": PNG}}}}
STRANDS = [
    wrapped(
        0, {"role": "user", "content": [{"text": "a secret"}]}, {"role": "user", "content": [{"text": "[redacted]"}]}
    ),
    wrapped(1, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "look", "input": {}}}]}),
    wrapped(2, {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [marked]}}]}),
]
STRANDS_READ = (
    Message("user", (Text("[redacted]"),), NOON),
    Message("assistant", (ToolUse("a", "look", "{}"),), NOON),
    Message("user", (ToolResult("a", (PICTURE,)),), NOON),
)


def swe(role: str, content: Any, agent: str = "main", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "agent": agent, "message_type": "observation"} | more


SWE_AGENT = {
    "trajectory": [{"action": "ls", "observation": "a"}],
    "info": {"model_stats": {"instance_cost": float("nan")}},
    "history": [
        swe("system", "Solve it."),
        swe("user", [{"type": "text", "text": "The issue", "cache_control": {"type": "ephemeral"}}]),
        swe("assistant", "I list.", action="ls", tool_calls=[call("a")], thinking_blocks=None),
        swe("tool", "a  b", tool_call_ids=["a"]),
        swe("assistant", "Yes.", agent="reviewer", tool_calls=None),
        swe("assistant", "Done.", tool_calls=None),
    ],
}
SWE_AGENT_READ = (
    Message("user", (Text("The issue"),)),
    Message("assistant", (Text("I list."), ToolUse("a", "look", "{}"))),
    Message("user", (ToolResult("a", (Text("a  b"),)),)),
    Message("assistant", (Text("Done."),)),
)


def event(number: int, **more: Any) -> dict[str, Any]:
    return {"id": number, "timestamp": "2026-01-31T12:00:00", "source": "agent", "message": "for people"} | more


def responded(call_id: str, response: str, *call_ids: str) -> dict[str, Any]:
    """The metadata of an action or observation: which call of which response."""
    message = {"role": "assistant", "content": f"{response} says", "tool_calls": [call(one) for one in call_ids]}
    used = {"prompt_tokens": 50, "completion_tokens": 5, "prompt_tokens_details": None}
    made = {"id": response, "model": "m", "choices": [{"message": message}], "usage": used}
    metadata = {"function_name": "look", "tool_call_id": call_id, "model_response": made, "total_calls_in_response": 2}
    return {"tool_call_metadata": metadata}


recalled = {"recall_type": "knowledge", "microagent_knowledge": [{"name": "git", "content": "Use git."}]}
shell = {"prefix": "<", "suffix": ">", "working_dir": "/w", "py_interpreter_path": "/p", "exit_code": 0}
EVENTS = [
    event(
        0, action="system", args={"content": "Solve it.", "tools": [{"type": "function", "function": {"name": "look"}}]}
    ),
    event(1, source="user", action="message", args={"content": "go", "image_urls": [f"data:image/png;base64,{PNG}"]}),
    event(2, source="user", action="recall", args={"query": "go"}),
    event(3, source="environment", observation="recall", content="Added", extras=recalled),
    event(4, source="environment", observation="agent_state_changed", content="", extras={}),
    event(5, action="run", args={"command": "ls"}, **responded("a", "R", "a", "b")),
    event(6, observation="run", cause=5, content="out", extras={"metadata": shell}, **responded("a", "R", "a", "b")),
    event(7, action="read", args={"path": "f"}, **responded("b", "R", "a", "b")),
    event(8, observation="read", cause=7, content="text", extras={}, **responded("b", "R", "a", "b")),
    event(9, observation="error", content="bad call", extras={}),
    event(10, source="environment", observation="recall", content="Added", extras=recalled),
    event(11, action="run_ipython", args={"code": "1", "thought": {"text": "I run."}}),
    event(
        12,
        observation="run_ipython",
        cause=11,
        content="![image](data:image/png;base64,abc)\n1",
        extras={"image_urls": []},
    ),
    event(13, source="user", action="run", args={"command": "pwd"}),
    event(14, source="user", observation="run", cause=13, content="/w", extras={"metadata": {"exit_code": -1}}),
    event(15, action="delegate", args={"agent": "x"}, **responded("c", "S", "c")),
    event(
        16, observation="delegate", content="?", extras={"outputs": {"content": "by it"}}, **responded("c", "S", "c")
    ),
    event(17, observation="browse", content="page", extras={"screenshot": "data:image/png;base64,abc"}),
    event(18, observation="user_rejected", content="no", extras={}),
    event(19, action="message", args={"content": "Done?", "wait_for_response": True}),
    event(20, action="finish", args={"final_thought": "Done.", "thought": ""}),
    event(
        21,
        action="edit",
        args={"path": "f", "thought": ""},
        tool_call_metadata={"tool_call_id": "d", "function_name": "edit"},
    ),
]
EVENTS_READ = (
    Message("user", (Text("go"), PICTURE), NOON),
    Message("user", (Text("Use git."),), NOON),
    Message(
        "assistant",
        (Text("R says"), ToolUse("a", "look", "{}"), ToolUse("b", "look", "{}")),
        NOON,
        Usage(50, 0, 0, 0, 5),
        "m",
    ),
    Message(
        "user",
        (
            ToolResult(
                "a",
                (
                    Text(
                        "<out>\n[Current working directory: /w]\n[Python interpreter: /p]\n"
                        "[Command finished with exit code 0]"
                    ),
                ),
            ),
            ToolResult("b", (Text("text"),)),
        ),
        NOON,
    ),
    Message("user", (Text("bad call\n[Error occurred in processing last action]"),), NOON),
    Message("assistant", (Text("I run."), ToolUse("event 11", "run_ipython", '{"code":"1"}')), NOON),
    Message(
        "user",
        (ToolResult("event 11", (Text("![image](data:image/png;base64, ...) already displayed to user\n1"),)),),
        NOON,
    ),
    Message("user", (Text("User executed the command:\npwd"),), NOON),
    Message("user", (Text("\nObserved result of command executed by user:\n/w"),), NOON),
    Message("assistant", (Text("S says"), ToolUse("c", "look", "{}")), NOON, Usage(50, 0, 0, 0, 5), "m"),
    Message("user", (ToolResult("c", (Text("by it"),)),), NOON),
    Message("user", (Text("page"),), NOON),
    Message("user", (Text("OBSERVATION:\nno\n[Last action has been rejected by the user]"),), NOON),
    Message("assistant", (Text("Done?"),), NOON),
    Message("assistant", (Text("Done."),), NOON),
    Message("assistant", (ToolUse("d", "edit", '{"path":"f"}'),), NOON),
)
EVENTS_LEFT_OUT = {
    "action 'recall'": 1,
    "template round recalled texts": 1,
    "observation 'agent_state_changed'": 1,
    "recall without texts": 1,
    "screenshot": 1,
}

dumped = {name: json.dumps(value).encode() for name, value in {"anthropic": ANTHROPIC, "openai": OPENAI}.items()}
EXAMPLES: dict[str, tuple[str, bytes]] = {
    "Anthropic request": ("anthropic", dumped["anthropic"]),
    "Anthropic list": ("anthropic", json.dumps(ANTHROPIC["messages"]).encode()),
    "a chat that says nothing of its form": ("anthropic", b'[{"role":"user","content":"hi"}]'),
    "Claude Code lines": ("claude-code", lines(*CLAUDE_CODE)),
    "Claude Code lines in an array": ("claude-code", json.dumps(CLAUDE_CODE).encode()),
    "OpenAI request": ("openai", dumped["openai"]),
    "OpenAI list": ("openai", json.dumps(OPENAI["messages"]).encode()),
    "OpenAI requests, one a line": ("openai", lines(OPENAI, OPENAI)),
    "OpenAI messages, one a line": ("openai", lines(*OPENAI["messages"])),
    "a chat with OpenAI's tools": (
        "openai",
        json.dumps(OPENAI | {"messages": [{"role": "user", "content": "hi"}]}).encode(),
    ),
    "Bedrock request": ("bedrock", json.dumps(BEDROCK).encode()),
    "Bedrock list": ("bedrock", json.dumps(BEDROCK["messages"]).encode()),
    "Strands list": ("bedrock", json.dumps(STRANDS).encode()),
    "Strands lines": ("bedrock", lines(*STRANDS)),
    "one Strands message": ("bedrock", lines(STRANDS[1])),
    "SWE-agent": ("swe-agent", json.dumps(SWE_AGENT).encode()),
    "OpenHands events": ("openhands", json.dumps(EVENTS).encode()),
    "OpenHands events, one a line": ("openhands", lines(*EVENTS)),
    "OpenHands instances": ("openhands", lines({"instance_id": "one", "history": EVENTS}, {"history": EVENTS})),
}
