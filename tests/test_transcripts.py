"""Transcripts: each format becomes the neutral form, nothing falls out of it silently, errors name their place."""

import contextlib
import json
import struct
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hostile import texts, values
from hypothesis import given
from hypothesis import strategies as st
from recorded import (
    ANTHROPIC,
    ANTHROPIC_READ,
    BEDROCK,
    BEDROCK_READ,
    CLAUDE_CODE,
    CLAUDE_CODE_LEFT_OUT,
    CLAUDE_CODE_READ,
    EVENTS,
    EVENTS_LEFT_OUT,
    EVENTS_READ,
    EXAMPLES,
    NOON,
    OPENAI,
    OPENAI_READ,
    PNG,
    STRANDS,
    STRANDS_READ,
    SWE_AGENT,
    SWE_AGENT_READ,
    b64,
    cc,
    event,
    lines,
    png,
    recalled,
    responded,
    result,
    swe,
    use,
)

from measure.errors import BadInput
from measure.tokens import count
from measure.transcripts import LOADERS, load, parse
from measure.transcripts.images import pixels
from measure.transcripts.model import (
    Block,
    Document,
    Image,
    Message,
    Part,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Transcript,
    Usage,
    calls,
)


def only(data: bytes | Any, lenient: bool = False) -> Transcript:
    """The one transcript in a file of these bytes, or of this value as JSON."""
    (found,) = load(data if isinstance(data, bytes) else json.dumps(data).encode(), "file", lenient)
    return found


@pytest.mark.parametrize(("name", "data"), EXAMPLES.values(), ids=EXAMPLES)
def test_a_file_is_recognized_by_exactly_one_loader(name: str, data: bytes) -> None:
    source = parse.read(data, "file", False, "")
    assert [one for one, loader in LOADERS.items() if loader.recognizes(source)] == [name]
    assert {found.format for found in load(data, "file")} == {name}


READ: dict[str, tuple[Any, tuple[Message, ...], dict[str, int]]] = {
    "anthropic": (ANTHROPIC, ANTHROPIC_READ, {}),
    "claude-code": (lines(*CLAUDE_CODE), CLAUDE_CODE_READ, CLAUDE_CODE_LEFT_OUT),
    "openai": (OPENAI, OPENAI_READ, {}),
    "bedrock": (BEDROCK, BEDROCK_READ, {}),
    "strands": (STRANDS, STRANDS_READ, {}),
    "swe-agent": (SWE_AGENT, SWE_AGENT_READ, {"message of another agent": 1}),
    "openhands": (EVENTS, EVENTS_READ, EVENTS_LEFT_OUT),
}


@pytest.mark.parametrize(("data", "messages", "left_out"), READ.values(), ids=READ)
def test_every_kind_of_block_is_read_and_what_is_left_out_is_counted(
    data: Any, messages: tuple[Message, ...], left_out: dict[str, int]
) -> None:
    found = only(data)
    assert found.messages == messages
    assert dict(found.left_out) == left_out


def test_system_text_and_tools_are_read_where_the_file_has_them() -> None:
    both = "Be brief.\nBe kind."
    assert (only(ANTHROPIC).system, only(OPENAI).system, only(BEDROCK).system) == (both, both, both)
    assert only(ANTHROPIC | {"system": "Be brief."}).system == "Be brief."
    assert only(ANTHROPIC).tools == ('{"name":"look","input_schema":{"type":"object"}}',)
    assert only(OPENAI).tools == ('{"type":"function","function":{"name":"look"}}',) == only(EVENTS).tools
    assert only(BEDROCK).tools == ('{"toolSpec":{"name":"look"}}',)
    assert (only(SWE_AGENT).system, only(EVENTS).system) == ("Solve it.", "Solve it.")


def test_instances_are_transcripts_of_their_own_and_an_evaluation_sends_no_recalled_texts() -> None:
    first, second = load(lines({"instance_id": "one", "history": EVENTS}, {"history": EVENTS}), "out.jsonl")
    assert (first.name, second.name) == ("one", "out.jsonl, line 2")
    assert first.messages == second.messages == (EVENTS_READ[0], *EVENTS_READ[2:])
    assert dict(first.left_out)["recalled texts"] == 1


def test_knowledge_that_is_recalled_again_for_the_workspace_is_sent_again() -> None:
    again = event(1, observation="recall", content="", extras=recalled | {"recall_type": "workspace_context"})
    found = only([event(0, observation="recall", content="", extras=recalled), again])
    assert found.messages == (Message("user", (Text("Use git."),), NOON),) * 2


def test_a_call_that_the_kept_response_lacks_is_made_of_the_action() -> None:
    action = event(0, action="run", args={"command": "ls", "thought": "hm"}, **responded("x", "R", "a"))
    (found,) = only([action]).messages
    blocks = (Text("R says"), ToolUse("a", "look", "{}"), ToolUse("x", "look", '{"command":"ls"}'))
    assert found == Message("assistant", blocks, NOON, Usage(50, 0, 0, 0, 5), "m")


def test_chats_one_a_line_are_transcripts_of_their_own() -> None:
    found = load(EXAMPLES["OpenAI requests, one a line"][1], "chats.jsonl")
    assert [transcript.name for transcript in found] == ["chats.jsonl, line 1", "chats.jsonl, line 2"]
    assert [transcript.messages for transcript in found] == [OPENAI_READ, OPENAI_READ]


def test_text_actions_have_plain_observations() -> None:
    found = only({"trajectory": [], "history": [swe("user", "go"), swe("assistant", "ls"), swe("user", "a  b")]})
    assert found.messages[2] == Message("user", (Text("a  b"),))


def test_two_user_messages_in_a_row_stay_two() -> None:
    for example, expected in ((CLAUDE_CODE, CLAUDE_CODE_READ), (OPENAI, OPENAI_READ)):
        assert only(lines(*example) if isinstance(example, list) else example).messages == expected
    twice = [{"role": "user", "content": "a"}, {"role": "user", "content": [{"type": "text", "text": "a"}]}]
    assert only(twice).messages == (Message("user", (Text("a"),)),) * 2


def test_results_of_one_assistant_message_stand_together_before_the_texts_among_them() -> None:
    text = {"type": "text", "text": "by the way"}
    found = only(
        [
            {"role": "assistant", "content": [use("1"), use("2")]},
            {"role": "user", "content": [result("1"), text]},
            {"role": "user", "content": [result("2")]},
            {"role": "assistant", "content": [use("3")]},
            {"role": "user", "content": [result("3")]},
        ]
    )
    one, two, three = (ToolResult(name, (Text("ok"),)) for name in "123")
    assert found.messages[1].blocks == (one, two, Text("by the way"))
    assert found.messages[3].blocks == (three,)


def test_orphans_and_reused_ids_are_kept_as_they_are() -> None:
    found = only(
        [
            {"role": "user", "content": [result("nobody's")]},
            {"role": "assistant", "content": [use("1"), use("1")]},
            {"role": "user", "content": [result("1")]},
            {"role": "assistant", "content": [use("unanswered")]},
        ]
    )
    assert [len(message.blocks) for message in found.messages] == [1, 2, 1, 1]


def test_a_compaction_is_the_message_that_stands_for_those_before() -> None:
    assert only(lines(*CLAUDE_CODE)).compactions == (5,)
    api = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [{"type": "compaction", "content": "so far"}, {"type": "text", "text": "b"}]},
        {"role": "assistant", "content": [{"type": "compaction", "content": None}]},
    ]
    assert only(api).compactions == (1,)
    assert only(api).messages[1].blocks == (Text("so far"), Text("b"))


def test_an_older_compaction_has_no_boundary_and_links_to_the_line_before() -> None:
    session = [
        cc("user", "u1", None, "go"),
        cc("assistant", "a1", "u1", "yes"),
        cc("user", "c1", None, "summary", isCompactSummary=True),
        cc("assistant", "b1", "c1", "on"),
    ]
    assert (only(lines(*session)).compactions, len(only(lines(*session)).messages)) == ((2,), 4)
    gone = cc("system", "b0", None, subtype="compact_boundary", logicalParentUuid="of another file")
    resumed = [*session[:2], gone, cc("user", "c1", "b0", "summary", isCompactSummary=True)]
    assert (only(lines(*resumed)).compactions, len(only(lines(*resumed)).messages)) == ((2,), 3)


def test_messages_that_a_compaction_carried_over_are_counted() -> None:
    boundary = {"subtype": "compact_boundary", "compactMetadata": {"preservedSegment": {"headUuid": "u1"}}}
    found = only(lines(cc("user", "u1", None, "go"), cc("system", "b", None, **boundary), cc("user", "c", "b", "sum")))
    assert found.left_out == (("compaction that carried messages over", 1),)


def test_a_chain_may_go_through_lines_that_are_no_messages_and_need_not_end() -> None:
    session = [
        cc("user", "u1", "u2", "a circle of parents"),
        cc("progress", "p1", "u1"),
        cc("user", "u2", "p1", "b"),
        cc("user", "u2", "p1", "b, written again"),
        {"type": "user", "message": {"role": "user", "content": "without a place in the tree"}},
    ]
    found = only(lines(*session))
    assert [message.blocks[0] for message in found.messages][:2] == [Text("a circle of parents"), Text("b")]
    assert len(found.messages) == 3
    assert found.left_out == (("repeated line", 1), ("progress line", 1))


def test_a_subagents_own_file_is_read_as_its_thread() -> None:
    session = [cc("user", "u1", None, "go", isSidechain=True), cc("assistant", "a1", "u1", "yes", isSidechain=True)]
    assert len(only(lines(*session)).messages) == 2


@pytest.mark.parametrize(
    ("reported", "expected"),
    [
        ({"input_tokens": 1, "output_tokens": 2}, Usage(1, 0, 0, 0, 2)),
        ({"input_tokens": 1, "cache_creation_input_tokens": 5, "cache_read_input_tokens": None}, Usage(1, 0, 5, 0, 0)),
        (
            {"cache_creation_input_tokens": 5, "cache_creation": {"ephemeral_1h_input_tokens": 5}},
            Usage(0, 0, 0, 5, 0),
        ),
        (
            {"cache_creation_input_tokens": 5, "cache_creation": {"ephemeral_5m_input_tokens": 0}},
            Usage(0, 0, 5, 0, 0),
        ),
        ({"prompt_tokens": 9, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 5}, Usage(1, 5, 3, 0, 0)),
        ({"prompt_tokens": 9, "cache_read_input_tokens": 50}, Usage(9, 50, 0, 0, 0)),
    ],
)
def test_usage_is_divided_as_the_provider_means_it(reported: dict[str, Any], expected: Usage) -> None:
    found = only([{"role": "assistant", "content": "a", "usage": reported}])
    assert found.messages[0].usage == expected


JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc4\0\x02\xff\x01\xff\xc2\0\x0b\x08" + struct.pack(">HH", 480, 640)
HEADERS = {
    "PNG": png(640, 480),
    "GIF": b"GIF89a" + struct.pack("<HH", 640, 480),
    "JPEG": JPEG,
    "WebP, lossy": b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640 | 0x4000, 480),
    "WebP, lossless": b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + struct.pack("<I", 639 | 479 << 14),
    "WebP, extended": b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0" + b"\x7f\x02\0" + b"\xdf\x01\0",
}


@pytest.mark.parametrize("data", HEADERS.values(), ids=HEADERS)
def test_pixels_are_read_from_the_header_and_unknown_where_it_is_cut(data: bytes) -> None:
    assert pixels(data + b"and more") == (640, 480)
    assert {pixels(data[:end]) for end in range(len(data))} == {None}


@given(st.sampled_from([b"", b"\xff\xd8", b"\xff\xd8\xff\xc4", *HEADERS.values()]), st.binary(max_size=40))
def test_no_bytes_make_the_header_reader_fail(head: bytes, tail: bytes) -> None:
    found = pixels(head[: len(head) // 2] + tail)
    assert found is None or all(found)


@pytest.mark.parametrize("data", ["", "[image data removed]", PNG[:20], "aGVsbG8"])
def test_an_image_whose_data_was_taken_out_has_no_size(data: str) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": data}
    (found,) = only([{"role": "user", "content": [{"type": "image", "source": source}]}]).messages[0].blocks
    assert isinstance(found, Image)
    assert (found.media_type, found.width, found.height) == ("image/png", None, None)


def test_a_document_that_is_not_the_text_that_it_says_is_bytes() -> None:
    block = {"document": {"format": "txt", "name": "", "source": {"bytes": b64(b"\xff\xfe")}}}
    assert only([{"role": "user", "content": [block]}]).messages[0].blocks == (Document("text/plain", None, 2),)


# The Anthropic form, written from the neutral one: loading it must give the same back.


def part(one: Part) -> dict[str, Any]:
    match one:
        case Text(text):
            return {"type": "text", "text": text}
        case Image(media_type, weight, width, height):
            data = (png(width, height) if width and height else b"").ljust(weight, b"x")
            return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": b64(data)}}
        case Document(media_type, None, weight, pages, title):
            data = (b"/Type/Page " * (pages or 0)).ljust(weight, b"x")
            source = {"type": "base64", "media_type": media_type, "data": b64(data)}
            return {"type": "document", "source": source, "title": title}
        case Document(media_type, text, _, _, title):
            return {
                "type": "document",
                "source": {"type": "text", "media_type": media_type, "data": text},
                "title": title,
            }
    raise AssertionError(one)


def block(one: Block) -> dict[str, Any]:
    match one:
        case Thinking(text, True):
            return {"type": "redacted_thinking", "data": text}
        case Thinking(text):
            return {"type": "thinking", "thinking": text}
        case ToolUse(name, tool, given, server):
            kind = "server_tool_use" if server else "tool_use"
            return {"type": kind, "id": name, "name": tool, "input": json.loads(given)}
        case ToolResult(name, parts, error):
            return {"type": "tool_result", "tool_use_id": name, "content": [*map(part, parts)], "is_error": error}
    return part(one)


def message(one: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": one.role, "content": [block(each) for each in one.blocks], "model": one.model}
    if one.usage:
        used = one.usage
        written["usage"] = {
            "input_tokens": used.fresh,
            "cache_read_input_tokens": used.read,
            "cache_creation_input_tokens": used.written,
            "cache_creation": {
                "ephemeral_5m_input_tokens": used.write_5m,
                "ephemeral_1h_input_tokens": used.write_1h,
            },
            "output_tokens": used.output,
        }
    return written


pictures = st.builds(Image, st.just("image/png"), st.just(24), st.integers(1, 5000), st.integers(1, 5000))
unknown_pictures = st.builds(Image, texts, st.integers(0, 30))
pdfs = st.integers(1, 3).flatmap(
    lambda pages: st.builds(Document, st.just("application/pdf"), st.none(), st.integers(40, 50), st.just(pages), texts)
)
documents = st.builds(Document, texts, texts, st.just(0), st.none(), texts)
kinds = st.one_of(st.builds(Text, texts), pictures, unknown_pictures, pdfs, documents)
inputs = st.dictionaries(texts, values, max_size=3).map(parse.json_text)
said = st.one_of(
    st.builds(Thinking, texts, st.booleans()), st.builds(ToolUse, texts, texts, inputs, st.booleans()), kinds
)
results = st.builds(ToolResult, texts, st.lists(kinds, max_size=3).map(tuple), st.booleans())
counts = st.integers(0, 10**6)
usages = st.one_of(st.none(), st.builds(Usage, counts, counts, counts, counts, counts))
answers = st.tuples(st.lists(results, max_size=2), st.lists(kinds, max_size=2)).map(lambda both: (*both[0], *both[1]))
turns = st.tuples(
    st.builds(Message, st.just("user"), answers),
    st.builds(Message, st.just("assistant"), st.lists(said, max_size=3).map(tuple), st.none(), usages, texts),
)


@given(st.lists(turns, min_size=1, max_size=3))
def test_a_neutral_transcript_written_as_anthropic_reads_back_equal(pairs: list[tuple[Message, Message]]) -> None:
    messages = tuple(one for pair in pairs for one in pair)
    assert only([message(one) for one in messages]).messages == messages


@given(st.recursive(values, lambda inner: st.lists(inner, max_size=3), max_leaves=8), st.booleans())
def test_any_json_is_a_transcript_or_one_clear_line(value: Any, lenient: bool) -> None:
    try:
        assert load(json.dumps(value).encode(), "file", lenient)
    except BadInput as error:
        assert "\n" not in str(error)


def damaged(value: Any, at: int, put: Any) -> tuple[Any, int]:
    """`value` with the node of this number replaced, counted in depth first order."""
    if at == 0:
        return put, -1
    at -= 1
    if isinstance(value, dict | list):
        items = list(value.items() if isinstance(value, dict) else enumerate(value))
        for index, (key, inner) in enumerate(items):
            new, at = damaged(inner, at, put)
            items[index] = (key, new)
            if at < 0:
                break
        return (dict(items) if isinstance(value, dict) else [inner for _, inner in items]), at
    return value, at


@given(
    st.sampled_from([ANTHROPIC, CLAUDE_CODE, OPENAI, BEDROCK, STRANDS, SWE_AGENT, EVENTS]),
    st.integers(0, 250),
    st.sampled_from([None, 3, -1, True, "text", [], {}, [3], {"type": "text"}, "\ud800", float("nan")]),
    st.booleans(),
)
def test_one_damaged_value_anywhere_is_read_or_refused_in_one_line(
    example: Any, at: int, put: Any, lenient: bool
) -> None:
    data = json.dumps(damaged(example, at, put)[0]).encode()
    try:
        assert msgspec.json.encode(load(data, "file", lenient))
    except BadInput as error:
        assert "\n" not in str(error)
        assert str(error).startswith("file: ")


@pytest.mark.parametrize("example", [ANTHROPIC, CLAUDE_CODE, OPENAI, BEDROCK, STRANDS, SWE_AGENT, EVENTS])
def test_text_that_utf8_cannot_write_never_gets_into_a_transcript(example: Any) -> None:
    at = 0
    while True:
        hurt, left = damaged(example, at, "\ud800")
        if left >= 0:
            break
        with contextlib.suppress(BadInput):
            assert msgspec.json.encode(load(json.dumps(hurt).encode(), "file"))
        at += 1
    assert at > 20


def said_by(role: str, content: Any) -> bytes:
    return json.dumps([{"role": "user", "content": "a"}, {"role": role, "content": content}]).encode()


KNOWN = (
    "needed is an Anthropic message list or request, a Claude Code session (JSONL), an OpenAI chat, Bedrock Converse or"
    " Strands messages, a SWE-agent trajectory, an OpenHands event history"
)
RIGHT = lines({"role": "user", "content": "a"})
BAD = {
    "empty": (b"", f"file: the file is empty; {KNOWN}"),
    "white space": (b" \n\t", "file: the file is empty"),
    "NUL": (b"[\0]", "file: byte 1 is NUL: a binary file; text is needed"),
    "UTF-16": ("[]".encode("utf-16"), "file: UTF-16 text; save it as UTF-8"),
    "not UTF-8": (b'["\xff"]', "file: byte 2 is not UTF-8"),
    "prose": (b"Dear all,\nno", f"file: line 1, column 1: not JSON: Expecting value; {KNOWN}"),
    "broken JSON": (b'[\n{"role": user}]', "file: line 2, column 10: not JSON: Expecting value"),
    "two documents in an array's place": (b"[1]x", "file: line 1, column 4: not JSON: text after the end"),
    "a number": (b"42", f"file: no transcript, but JSON: integer; {KNOWN}"),
    "an empty array": (b"[]", "file: no transcript, but JSON: array"),
    "an empty object": (b"{}", "file: no transcript, but JSON: object without keys"),
    "rows": (b'[{"id": 1}]', "file: no transcript, but JSON: array"),
    "another object": (b'{"id": 1, "name": 2}', "file: no transcript, but JSON: object (keys: id, name)"),
    "other lines": (
        b'{"id": 1}\n{"id": 2}',
        "file: no transcript, but 2 lines of JSON, the first an object (keys: id)",
    ),
    "no messages": (b'{"messages": []}', "file: no message in it; a transcript has one at least"),
    "deep nesting": (b"[" * 100_000, "file: line 1: nested too deeply"),
    "less deep nesting": (
        said_by("assistant", [use("1") | {"input": eval("[" * 150 + "]" * 150)}]),
        "file: message 2, block 1: nested",
    ),
    "a huge integer": (
        b'[{"role": "user", "content": ' + b"1" * 5000 + b"}]",
        "file: line 1: an integer has too many digits",
    ),
    "a key twice": (b'[{"role": "user", "role": "user"}]', "file: line 1: the key 'role' stands twice in one object"),
    "a lone surrogate": (said_by("user", "\ud800"), "file: message 2: a lone surrogate (U+D800); text that UTF-8"),
    "NaN": (
        said_by("assistant", [use("1") | {"input": float("nan")}]),
        "file: message 2, block 1: nan is not a finite number",
    ),
    "a broken line": (
        RIGHT + b'{"role": "user"\n' + RIGHT,
        "file: line 2, column 16: not JSON: Expecting ',' delimiter; each",
    ),
    "a line that is cut": (
        RIGHT + RIGHT[:-9],
        "file: line 2, column 18: not JSON: Unterminated string starting at; each line",
    ),
    "a line's place": (RIGHT + lines({"role": "user"}), "file: line 2: the field 'content' is missing; a string or an"),
    "no message": (b'[{"role": "user", "content": "a"}, 7]', "file: message 2: not an object but: integer"),
    "a role": (said_by("robot", "a"), "file: message 2: the role is 'robot'; 'user' or 'assistant' is needed"),
    "no content": (said_by("user", None), "file: message 2: the field 'content' is missing"),
    "content": (said_by("user", 7), "file: message 2: the field 'content' is not an array but: integer"),
    "no block": (said_by("user", ["a"]), "file: message 2, block 1: not an object but: string"),
    "no type": (said_by("user", [{}]), "file: message 2, block 1: the field 'type' is missing; a string is needed"),
    "a block's kind": (
        said_by("user", [{"type": "xyz"}]),
        "file: message 2, block 1: unknown block 'xyz'; known are text,",
    ),
    "a part's kind": (
        said_by("user", [result("1", [{"type": "text", "text": ""}, {"type": "xyz"}])]),
        "file: message 2, block 1, part 2: unknown block 'xyz'; known are text, image, document, search_result",
    ),
    "no input": (
        said_by("assistant", [{"type": "tool_use"}]),
        "file: message 2, block 1: the field 'input' is missing",
    ),
    "text": (
        said_by("user", [{"type": "text", "text": 7}]),
        "file: message 2, block 1: the field 'text' is not a string",
    ),
    "time": (
        b'[{"role": "user", "content": "a", "ts": "noon"}]',
        "file: message 1: 'ts' is 'noon'; a time such as 2026",
    ),
    "usage": (
        b'[{"role": "assistant", "content": "a", "usage": {"input_tokens": -1}}]',
        "file: message 1: the field 'input_tokens' is -1; a count is needed",
    ),
    "OpenAI's role": (
        json.dumps([{"role": "tool", "content": "a"}, {"role": "robot"}]).encode(),
        "file: message 2: the role is 'robot'; system, developer, user, assistant, tool or function is needed",
    ),
    "OpenAI's part": (
        json.dumps([{"role": "tool", "content": [{"type": "input_audio"}]}]).encode(),
        "file: message 1, part 1: unknown block 'input_audio'; known are text, input_text",
    ),
    "Bedrock's block": (
        json.dumps([{"role": "user", "content": [{"text": "a"}, {"video": {}}]}]).encode(),
        "file: message 1, block 2: unknown block 'video'; known are text, image",
    ),
    "Bedrock's role": (
        json.dumps([{"role": "x", "content": [{"text": "a"}]}]).encode(),
        "file: message 1: the role is 'x'",
    ),
    "Bedrock's input": (
        json.dumps([{"role": "assistant", "content": [{"toolUse": {}}]}]).encode(),
        "file: message 1, block 1: the field 'input' is missing",
    ),
    "Claude Code's message": (
        lines(CLAUDE_CODE[2], {"type": "assistant", "uuid": "x", "parentUuid": "u1"}),
        "file: line 2: the field 'message' is missing; an object is needed",
    ),
    "Claude Code's block": (
        lines(cc("user", "u", None, [{"type": "xyz"}])),
        "file: line 1, block 1: unknown block 'xyz'",
    ),
    "OpenHands' event": (
        lines({"history": [EVENTS[1], {"id": 3}]}, {"history": EVENTS}),
        "file: line 1, event 2: event without action or observation; one of both is needed",
    ),
}


@pytest.mark.parametrize(("data", "begins"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line_that_says_what_where_and_what_would_be_right(data: bytes, begins: str) -> None:
    with pytest.raises(BadInput) as caught:
        load(data, "file")
    assert str(caught.value).startswith(begins)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["a block's kind", "a part's kind", "OpenAI's part", "Bedrock's block", "OpenHands' event"]
)
def test_lenient_reading_leaves_out_what_is_unknown_and_counts_it(name: str) -> None:
    data, begins = BAD[name]
    found = load(data, "file", lenient=True)
    what = begins[begins.rindex(": ", 0, begins.index(";")) + 2 : begins.index(";")]
    assert found[0].left_out == ((what, 1),)


def test_lenient_reading_leaves_out_broken_lines_and_counts_them() -> None:
    assert only(RIGHT + b"{broken\n" + RIGHT + RIGHT[:-9], lenient=True).left_out == (("broken line", 2),)
    assert only(b"{broken\n" + RIGHT, lenient=True).left_out == (("broken line", 1),)
    with pytest.raises(BadInput, match="line 1, column 2: not JSON"):
        load(b"{broken\n" + RIGHT, "file")


def test_white_space_round_lines_and_a_byte_order_mark_are_no_matter() -> None:
    data = b"\xef\xbb\xbf\r\n" + RIGHT.replace(b"\n", b" \r\n\r\n") + RIGHT
    assert len(only(data).messages) == 2


# Calls and tool results that its read-me counts in each real transcript.
REAL = {
    "claude-code_13-db96e5c261-0.messages.json": (73, 129, 11),
    "claude-code_86-4e0c91f5c0-0.messages.json": (42, 50, 1),
    "claude-code_ad-a8171575ce-0.messages.json": (47, 58, 1),
    "openhands_multi_swe_bench_example_output.jsonl": (105, 103, 0),
    "swe-agent_marshmallow-1867_function_calling_replace_from_source.traj": (13, 13, 0),
}


def blocks_of(found: list[Transcript], kind: type) -> list[Any]:
    return [one for each in found for message in each.messages for one in message.blocks if isinstance(one, kind)]


@pytest.mark.parametrize(("name", "expected"), REAL.items(), ids=REAL)
def test_real_transcripts_have_the_calls_and_results_that_were_counted_by_hand(
    sessions: Path, name: str, expected: tuple[int, int, int]
) -> None:
    found = load((sessions / name).read_bytes(), name)
    results = blocks_of(found, ToolResult)
    assert (sum(len(calls(each.messages)) for each in found), len(results), sum(r.error for r in results)) == expected
    assert {one.use for one in results} <= {one.id for one in blocks_of(found, ToolUse)}


def test_real_openhands_prompts_exceed_the_counted_text_by_the_same_at_the_start_of_each(sessions: Path) -> None:
    """So what was left out was not sent: with the recalled texts, one of the three would differ by 900 tokens."""
    name = "openhands_multi_swe_bench_example_output.jsonl"
    over = []
    for found in load((sessions / name).read_bytes(), name):
        (first, *_) = calls(found.messages)
        sent = [found.system, *found.tools]
        sent += [one.text for each in found.messages[:first] for one in each.blocks if isinstance(one, Text)]
        usage = found.messages[first].usage
        assert usage is not None
        over.append(usage.input - sum(map(count, sent)))
    assert max(over) - min(over) < 10
    assert len(over) == 3


def test_a_real_picture_has_the_size_that_its_header_says(sessions: Path) -> None:
    name = "claude-code_ad-a8171575ce-0.messages.json"
    results = blocks_of(load((sessions / name).read_bytes(), name), ToolResult)
    (found,) = [one for each in results for one in each.parts if isinstance(one, Image)]
    assert found == Image("image/png", 360165, 1112, 2532)


def as_session(messages: list[dict[str, Any]]) -> bytes:
    """An Anthropic list as Claude Code writes it: a line a block, results as children of their call's line."""
    session: list[dict[str, Any]] = []
    called: dict[str, str] = {}
    for one in messages:
        pieces: list[Any] = []
        for piece in one["content"] if isinstance(one["content"], list) else [one["content"]]:
            if isinstance(piece, dict) and (one["role"] == "assistant" or piece["type"] == "tool_result"):
                pieces.append([piece])
            elif pieces:
                pieces[-1].append(piece)  # a text that came with the last result
            else:
                pieces.append([piece] if isinstance(piece, dict) else piece)
        for piece in pieces:
            uuid, parent = f"line {len(session)}", f"line {len(session) - 1}"
            first = piece[0] if isinstance(piece, list) else {}
            line = cc(one["role"], uuid, called.get(first.get("tool_use_id", ""), parent), piece, timestamp=one["ts"])
            if one["role"] == "assistant":
                line |= {"requestId": one["request_id"]}
                line["message"] |= {"model": one["model"], "usage": one["usage"]}
                called |= {first["id"]: uuid} if "id" in first else {}
            session.append(line)
    return lines(*session)


@pytest.mark.parametrize("name", [name for name in REAL if name.startswith("claude-code")])
def test_a_real_session_written_as_lines_reads_as_its_message_list(sessions: Path, name: str) -> None:
    data = (sessions / name).read_bytes()
    expected, found = only(data), only(as_session(json.loads(data)))
    assert found.left_out == ()
    assert found.messages == expected.messages
