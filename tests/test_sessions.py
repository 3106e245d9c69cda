"""The synthetic sessions: each is what it is named for, sound as a request, and refused where it was changed."""

import base64
import json
import re
import struct
import zlib
from datetime import datetime
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from measure.errors import BadInput
from measure.gates import Subject
from measure.sessions import SESSIONS, SESSIONS_FOLDER, SESSIONS_MANIFEST, load, session_files, session_manifest
from measure.tokens import count

NAMES = list(SESSIONS)
FIVE_MINUTES, HOUR = 300, 3600


def body(study: Subject, name: str) -> dict[str, Any]:
    return json.loads(load(study.files)[name])


def blocks(message: dict[str, Any], *types: str) -> list[dict[str, Any]]:
    return [one for one in message["content"] if isinstance(one, dict) and one["type"] in types]


def results(session: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for message in session["messages"] for block in blocks(message, "tool_result")]


def text_of(result: dict[str, Any]) -> str:
    content = result["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def turns(session: dict[str, Any]) -> list[int]:
    return [at for at, message in enumerate(session["messages"]) if isinstance(message["content"], str)]


def times(session: dict[str, Any]) -> list[float]:
    return [datetime.fromisoformat(message["ts"]).timestamp() for message in session["messages"]]


def kinds(study: Subject, name: str) -> dict[str, list[int]]:
    return session_manifest(study.files).files[NAMES.index(name)].kinds


def test_the_sessions_are_listed_in_order_and_read(study: Subject) -> None:
    assert list(load(study.files)) == NAMES == ["search", "mixed", "retrieval", "research"]
    assert session_files(study.files) == sorted(f"{SESSIONS_FOLDER}/{name}.json" for name in NAMES)
    assert all("\n" not in said for said in SESSIONS.values())
    assert sum(map(len, load(study.files).values())) < 1_600_000


@pytest.mark.parametrize("name", NAMES)
def test_a_session_is_a_request_with_a_message_a_line(study: Subject, name: str) -> None:
    session = body(study, name)
    assert list(session) == ["system", "tools", "messages"]
    lines = load(study.files)[name].decode().splitlines()
    whole = [msgspec.json.decode(line.removesuffix(",")) for line in lines if line.startswith('{"role"')]
    assert whole == session["messages"]
    assert load(study.files)[name].endswith(b"]}\n")
    assert all(list(message) == ["role", "content", "ts"] for message in session["messages"])


@pytest.mark.parametrize("name", NAMES)
def test_the_manifest_counts_right(study: Subject, name: str) -> None:
    entry = session_manifest(study.files).files[NAMES.index(name)]
    session = body(study, name)
    uses = [block for message in session["messages"] for block in blocks(message, "tool_use")]
    calls = [message for message in session["messages"] if message["role"] == "assistant"]
    assert (entry.messages, entry.user_turns) == (len(session["messages"]), len(turns(session)))
    assert (entry.model_calls, entry.tool_uses) == (len(calls), len(uses))


@pytest.mark.parametrize("name", NAMES)
def test_roles_alternate_and_an_answer_ends_the_session(study: Subject, name: str) -> None:
    messages = body(study, name)["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * (len(messages) // 2)
    assert [block["type"] for block in messages[-1]["content"]] in (["text"], ["thinking", "text"])


@pytest.mark.parametrize("name", NAMES)
def test_every_call_is_answered_in_order_in_the_next_message(study: Subject, name: str) -> None:
    messages = body(study, name)["messages"]
    seen: list[str] = []
    for message, following in pairwise(messages):
        used = [block["id"] for block in blocks(message, "tool_use")]
        answered = [block["tool_use_id"] for block in blocks(following, "tool_result")]
        assert used == answered
        if used:
            assert len(following["content"]) == len(answered)
        seen += used
    assert len(set(seen)) == len(seen)
    assert all(re.fullmatch(r"toolu_\w{24}", one) for one in seen)


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_of_defined_tools_with_the_inputs_that_these_need(study: Subject, name: str) -> None:
    session = body(study, name)
    tools = {tool["name"]: tool["input_schema"] for tool in session["tools"]}
    assert 4 <= len(tools) <= 8
    for message in session["messages"]:
        for use in blocks(message, "tool_use"):
            schema = tools[use["name"]]
            assert set(schema["required"]) <= set(use["input"]) <= set(schema["properties"])


@pytest.mark.parametrize("name", NAMES)
def test_thinking_comes_first_and_is_signed(study: Subject, name: str) -> None:
    messages = body(study, name)["messages"]
    found = [(message, block) for message in messages for block in blocks(message, "thinking")]
    assert found
    for message, block in found:
        assert message["content"][0] is block
        assert block["thinking"]
        assert 0 < len(block["signature"]) < 20


@pytest.mark.parametrize("name", NAMES)
def test_a_step_takes_2_to_40_seconds(study: Subject, name: str) -> None:
    session = body(study, name)
    gaps = [after - before for before, after in pairwise(times(session))]
    inside = [gap for at, gap in enumerate(gaps, start=1) if at not in turns(session)]
    assert min(inside) >= 2
    assert max(inside) <= 40


@pytest.mark.parametrize("name", NAMES)
def test_system_prompts_and_texts_are_as_long_in_tokens_as_real_ones(study: Subject, name: str) -> None:
    session = body(study, name)
    assert 600 <= count(session["system"]) <= 2_500
    prose = [
        text_of(block)
        for block, use in zip(results(session), uses_of(session), strict=True)
        if use["name"] in ("search_notes", "open_note") and not block.get("is_error")
    ]
    answers = [block["text"] for message in session["messages"] for block in blocks(message, "text")]
    for texts in (prose, answers):
        characters, tokens = sum(map(len, texts)), sum(map(count, texts))
        assert not texts or 3.5 < characters / tokens < 5


def uses_of(session: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for message in session["messages"] for block in blocks(message, "tool_use")]


def test_search_is_searches_of_1000_to_2000_characters(study: Subject) -> None:
    session = body(study, "search")
    assert {use["name"] for use in uses_of(session)} == {"search_notes"}
    assert 35 <= len(results(session)) <= 45
    assert all(1_000 <= len(text_of(result)) <= 2_000 for result in results(session))
    assert len(turns(session)) == 2


def test_mixed_has_many_tools_and_results_of_a_few_bytes(study: Subject) -> None:
    session = body(study, "mixed")
    assert 55 <= len(results(session)) <= 65
    assert {use["name"] for use in uses_of(session)} == {tool["name"] for tool in session["tools"]}
    tiny = [text_of(result) for result in results(session) if 0 < len(text_of(result).encode()) < 47]
    assert len(tiny) >= 8
    assert {"ok", "Done."} <= set(tiny)


def test_retrieval_is_pages_of_5000_to_20000_characters(study: Subject) -> None:
    session = body(study, "retrieval")
    assert 20 <= len(results(session)) <= 30
    pages = [text_of(result) for result in results(session) if not result.get("is_error")]
    assert all(5_000 <= len(page) <= 20_000 for page in pages)
    assert max(map(len, pages)) > 15_000


def test_research_is_a_day_of_twelve_turns_and_a_hundred_calls(study: Subject) -> None:
    session = body(study, "research")
    assert len(turns(session)) == 12
    assert 95 <= sum(message["role"] == "assistant" for message in session["messages"]) <= 105
    clock = times(session)
    waits = [clock[at] - clock[at - 1] for at in turns(session)[1:]]
    assert sum(FIVE_MINUTES < wait < HOUR for wait in waits) >= 3
    assert sum(wait > HOUR for wait in waits) == 1
    assert sum(wait < FIVE_MINUTES for wait in waits) >= 4
    assert len({use["name"] for use in uses_of(session)}) == 8
    assert sum(count(json.dumps(message, ensure_ascii=False)) for message in session["messages"]) > 100_000


def test_every_kind_is_there_and_where_the_manifest_says(study: Subject) -> None:
    found: set[str] = set()
    for name in NAMES:
        messages = body(study, name)["messages"]
        for kind, indices in kinds(study, name).items():
            found.add(kind)
            assert indices == sorted(set(indices))
            assert all(IS[kind](messages[at]) for at in indices), (name, kind)
            if kind not in ("code", "other script"):  # these two are looked for nowhere else
                assert indices == [at for at, one in enumerate(messages) if IS[kind](one)], (name, kind)
    assert found == set(IS)


def some(test: Any) -> Any:
    return lambda message: any(test(result) for result in blocks(message, "tool_result"))


def is_json(result: dict[str, Any]) -> bool:
    try:
        return isinstance(json.loads(text_of(result)), dict)
    except json.JSONDecodeError:
        return False


IS = {
    "parallel calls": lambda message: len(blocks(message, "tool_use")) > 1,
    "text beside calls": lambda message: blocks(message, "text") and blocks(message, "tool_use"),
    "thinking": lambda message: blocks(message, "thinking"),
    "error": some(lambda result: result.get("is_error") is True),
    "JSON": some(is_json),
    "empty": some(lambda result: result["content"] == ""),
    "tiny": some(lambda result: 0 < len(text_of(result).encode()) < 47 and not isinstance(result["content"], list)),
    "text parts": some(lambda result: isinstance(result["content"], list)),
    "image": some(lambda result: any(part["type"] == "image" for part in result["content"] if isinstance(part, dict))),
    "other script": some(
        lambda result: len(re.findall(r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff]", text_of(result))) > 400
    ),
    "code": some(lambda result: re.search(r"^(?: *\d+\t)?(def|class) \w+.*:$", text_of(result), re.MULTILINE)),
}


def test_parallel_calls_go_from_two_to_nine_and_there_are_several_errors(study: Subject) -> None:
    sizes = {len(blocks(m, "tool_use")) for name in NAMES for m in body(study, name)["messages"]}
    assert {2, 3, 4, 9} <= sizes
    assert max(sizes) == 9
    assert sum(len(kinds(study, name).get("error", [])) for name in NAMES) >= 6
    pages = [text_of(result) for name in NAMES for result in results(body(study, name))]
    for script in (r"[а-яё]{3}", r"[\u4e00-\u9fff]{4}", r"[\u3040-\u309f]{2}"):
        assert any(re.search(script, page) for page in pages)


def test_the_image_is_a_png_of_the_size_that_its_header_says(study: Subject) -> None:
    parts = [p for r in results(body(study, "mixed")) if isinstance(r["content"], list) for p in r["content"]]
    (source,) = [part["source"] for part in parts if part["type"] == "image"]
    data = base64.b64decode(source["data"], validate=True)
    assert (source["type"], source["media_type"], data[:8]) == ("base64", "image/png", b"\x89PNG\r\n\x1a\n")
    assert len(data) < 2_000
    chunks, at = {}, 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, held = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + held)
        chunks[kind] = held
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBB", chunks[b"IHDR"][:10]) == (1092, 1092, 1, 0)
    assert zlib.decompress(chunks[b"IDAT"]) == bytes(1092 * (1 + 137))


def test_the_same_file_read_twice_is_the_same_text(study: Subject) -> None:
    read: dict[str, str] = {}
    for use, result in zip(uses_of(body(study, "mixed")), results(body(study, "mixed")), strict=True):
        if use["name"] == "read_file" and not result.get("is_error"):
            assert read.setdefault(use["input"]["path"], text_of(result)) == text_of(result)
    assert len(read) > 10


def test_no_address_is_real(study: Subject) -> None:
    hosts = re.findall(r"https?://([\w.-]+)", b"".join(load(study.files).values()).decode())
    assert {host.removeprefix("www.").removeprefix("river.") for host in hosts} == {"example.org", "example.com"}


def test_answers_name_documents_that_were_read(study: Subject) -> None:
    for name in NAMES:
        said = ""
        for message in body(study, name)["messages"]:
            for block in blocks(message, "text"):
                for title in re.findall(r"“((?:[A-Z]\w+ on) [^”]+)”", block["text"]):
                    assert title in said, (name, title)
            said += json.dumps(message, ensure_ascii=False)


@pytest.mark.parametrize("name", NAMES)
def test_a_session_that_was_changed_is_refused(study: Subject, name: str) -> None:
    path = f"{SESSIONS_FOLDER}/{name}.json"
    with pytest.raises(BadInput, match=rf"^{path}: SHA-256 [0-9a-f]{{12}}…; {SESSIONS_MANIFEST} lists "):
        load({**study.files, path: study.files[path] + b" "})


def test_what_is_missing_is_named(study: Subject) -> None:
    for path in (SESSIONS_MANIFEST, f"{SESSIONS_FOLDER}/mixed.json"):
        with pytest.raises(BadInput, match=f"^{path}: no such file"):
            load({name: data for name, data in study.files.items() if name != path})


@pytest.mark.parametrize("data", [b"{}", b"\xff", b"["])
def test_a_manifest_that_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match=f"^{SESSIONS_MANIFEST}: "):
        session_manifest({SESSIONS_MANIFEST: data})


def test_a_manifest_of_other_sessions_is_refused(study: Subject) -> None:
    value = json.loads(study.files[SESSIONS_MANIFEST])
    value["files"].reverse()
    with pytest.raises(BadInput, match=r"it lists research\.json, .*; expected search\.json, mixed\.json"):
        session_manifest({SESSIONS_MANIFEST: json.dumps(value).encode()})
