"""MCP on the wire: the captures made anew, held against the specification; our server, and servers that misbehave."""

import json
import os
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from measure.errors import BadInput
from measure.gates import Subject
from measure.mcp.captures import PLAN, calls
from measure.mcp.listing import cost
from measure.mcp.protocol import REVISIONS, answered, line
from measure.mcp.server import IDENTITY
from measure.mcp.wire import Wish, drive, listed
from measure.query import ask
from measure.scenario import CAPTURES, dataset, scenario
from measure.study.mcp import capturing, recorded

ROOT = Path(__file__).parent.parent
SCHEMAS = {
    revision: json.loads((ROOT / "tests" / "mcp_schema" / f"{revision}.json").read_bytes()) for revision in REVISIONS
}
RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
}
REQUESTS = {name: f"{kind.removesuffix('Result')}Request" for name, kind in RESULTS.items()}


def validate(message: Any, kind: str, revision: str) -> None:
    """Against the specification's own schema of this revision."""
    schema = SCHEMAS[revision]
    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]}).validate(message)


def test_the_schemas_are_the_specifications_own() -> None:
    origin = (ROOT / "tests" / "mcp_schema" / "ORIGIN.md").read_text(encoding="utf-8")
    for revision in REVISIONS:
        data = (ROOT / "tests" / "mcp_schema" / f"{revision}.json").read_bytes()
        assert f"| {revision}.json | {sha256(data).hexdigest()} |" in origin


def test_sessions_held_now_are_the_captures_byte_for_byte(study: Subject) -> None:
    again = capturing.captured(study.files)
    kept = {path: data for path, data in study.files.items() if path in again}
    assert again == kept
    assert len(kept) == len(PLAN) + 1


@pytest.mark.parametrize("planned", PLAN, ids=lambda planned: planned.file)
def test_every_captured_message_is_valid_under_its_revision(planned: Any, study: Subject) -> None:
    capture = dict(recorded.captures(study.files))[planned.file]
    for one in capture.exchanges():
        request = json.loads(one.request)
        validate(request, REQUESTS[request["method"]], planned.revision)
        validate(one.message["result"], RESULTS[request["method"]], planned.revision)
        validate(one.message, "JSONRPCResultResponse", planned.revision)


def test_the_specification_refuses_what_it_must() -> None:
    """Or the test above could not fail."""
    with pytest.raises(jsonschema.ValidationError):
        validate({"content": []}, "CallToolResult", "2026-07-28")  # no resultType
    validate({"content": []}, "CallToolResult", "2025-11-25")
    with pytest.raises(jsonschema.ValidationError):
        validate({"tools": [{"name": "x"}]}, "ListToolsResult", "2025-11-25")


@pytest.mark.parametrize("revision", REVISIONS)
def test_at_500_rows_the_wire_has_the_line_that_is_constructed(revision: str, study: Subject) -> None:
    plan = scenario(study.files)
    asked = dataset(study.files, 500)
    settings = capturing.msgspec.json.encode(plan.layer).decode()
    command = [
        sys.executable,
        "-m",
        "measure.mcp.variants",
        "own server",
        str(ROOT / "fixtures/tasks-500.json"),
        settings,
    ]
    wanted = calls(plan.projected)
    names = ("L4", "L3", "L1")
    session = drive(command, Wish(revision, [wanted[name] for name in names]))
    for name, found in zip(names, session.responses("tools/call"), strict=True):
        query = plan.full_query if name == "L1" else plan.query
        text = ask(query, asked, recorded.OUTPUTS[name])
        assert found == line(answered(revision, json.loads(found)["id"], text, IDENTITY))


FAKE = """
import json, sys, time
def say(value): print(value if isinstance(value, str) else json.dumps(value), flush=True)
def heard(): return json.loads(sys.stdin.readline() or sys.exit(0))
def reply(asked, **more): say({"jsonrpc": "2.0", "id": asked["id"], **more})
TOOL = {"name": "t", "inputSchema": {"type": "object"}}
VERSION = "2024-11-05"
def greet():
    while True:
        asked = heard()
        if asked["method"] == "initialize":
            reply(asked, result={"protocolVersion": VERSION, "capabilities": {"tools": {}},
                                 "serverInfo": {"name": "fake", "version": "1"}})
        elif asked["method"] == "tools/list":
            return asked
        elif "id" in asked:
            reply(asked, error={"code": -32601, "message": "unknown method"})
"""


def fake(body: str) -> list[str]:
    return [sys.executable, "-c", FAKE + body]


def test_a_list_of_several_pages_is_read_to_its_end_from_a_server_of_the_oldest_revision() -> None:
    pages = "for n in range(3):\n    asked = greet()\n    more = {'nextCursor': str(n)} if n < 2 else {}\n"
    pages += "    assert asked.get('params', {}).get('cursor') == (str(n - 1) if n else None)\n"
    pages += "    reply(asked, result={'tools': [{**TOOL, 'name': f't{n}'}], **more})\nheard()"
    tools, session = listed(fake(pages))
    assert [tool["name"] for tool in tools] == ["t0", "t1", "t2"]
    assert any('"protocolVersion":"2024-11-05"' in one.line.replace(" ", "") for one in session.spoken)


def test_logs_on_standard_output_are_told_apart_and_kept() -> None:
    body = "say('starting up')\nasked = greet()\nsay('[info] listing')\n"
    tools, session = listed(fake(body + "reply(asked, result={'tools': [TOOL]})\nheard()"))
    assert [tool["name"] for tool in tools] == ["t"]
    assert session.noise == ("starting up", "[info] listing")


def test_a_server_that_ends_at_the_newest_revision_is_asked_for_an_older_one() -> None:
    body = "first = heard()\nif first['method'] == 'server/discover': sys.exit(4)\n"
    body += "server = {'name': 'f', 'version': '1'}\n"
    body += "reply(first, result={'protocolVersion': '2025-06-18', 'capabilities': {}, 'serverInfo': server})\n"
    body += "reply(greet(), result={'tools': [TOOL]})\nheard()"
    assert listed(fake(body))[0] == [{"name": "t", "inputSchema": {"type": "object"}}]


def test_a_server_that_asks_back_under_the_same_number_is_no_trouble() -> None:
    body = "asked = greet()\nreply(asked, result={'tools': [TOOL]})\n"
    body += "say({'jsonrpc': '2.0', 'id': asked['id'], 'method': 'ping'})\n"
    body += "say({'jsonrpc': '2.0', 'id': [1], 'method': 'ping'})\nheard()"
    assert [tool["name"] for tool in listed(fake(body))[0]] == ["t"]


def test_a_wanted_revision_is_had_or_refused() -> None:
    with pytest.raises(BadInput, match="it speaks revision 2024-11-05, not 2026-07-28"):
        drive(fake("reply(greet(), result={'tools': [TOOL]})\nheard()"), Wish("2026-07-28"))


def test_a_file_of_the_users_does_not_stand_in_for_the_pipes_imports(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('shadowed')")
    command = [sys.executable, "-P", "-c", FAKE + "reply(greet(), result={'tools': [TOOL]})\nheard()"]
    assert drive(command, Wish(), cwd=tmp_path).responses("tools/list")


MISBEHAVING: dict[str, tuple[list[str], str]] = {
    "is not there": (["no-such-server"], r"^no-such-server: the server cannot be started: No such file or directory"),
    "dies at once": (
        ["sh", "-c", "echo no licence >&2; exit 3"],
        r"the server ended with status 3 before it answered; its last words: no licence$",
    ),
    "dies when asked": (
        fake("greet()\nprint('out of memory', file=sys.stderr)\nsys.exit(9)"),
        r"ended with status 9; its last words: out of memory$",
    ),
    "is killed": (fake("import os, signal\ngreet()\nos.kill(os.getpid(), signal.SIGKILL)"), r"ended with status -9$"),
    "is silent": (fake("time.sleep(60)"), r"no answer to server/discover; 1\.5 seconds are over$"),
    "greets and is silent": (fake("greet()\ntime.sleep(60)"), r"no answer to tools/list; 1\.5 seconds are over$"),
    "talks nonsense": (
        fake("say('hello there')\ntime.sleep(60)"),
        r"no answer to server/discover; 1\.5 seconds are over; on standard output, where only JSON-RPC belongs, it"
        r" printed 'hello there'$",
    ),
    "answers with an error": (
        fake("reply(greet(), error={'code': -32000, 'message': 'no database'})\nheard()"),
        r"the server answers with an error: no database$",
    ),
    "never comes to an end": (
        fake("while True: reply(greet(), result={'tools': [TOOL], 'nextCursor': 'again'})"),
        r"its list of tools does not end: page 2 leads back to 'again'$",
    ),
    "sends a tool without a schema": (
        fake("reply(greet(), result={'tools': [{'name': 't'}]})\nheard()"),
        r"the server's answer is not one of the protocol: tools\.0\.inputSchema: Field required$",
    ),
    "floods standard error": (
        ["sh", "-c", "yes flood >&2"],
        r"no answer to server/discover; 1\.5 seconds are over; its last words: flood$",
    ),
    "floods standard output": (
        ["yes", "flood"],
        r"no answer to server/discover; 1\.5 seconds are over; on standard output",
    ),
    "prints a line without an end": (["cat", "/dev/zero"], r"was stopped: it printed more than 64 MB in a line"),
    "says more than one last word": (
        ["sh", "-c", "echo 'Error: no token' >&2; echo '    at main.js:1' >&2; exit 1"],
        r"ended with status 1 before it answered; its last words: Error: no token$",
    ),
    "is no command": ([""], r"no command; name the one that starts the server$"),
    "lists pages without end": (
        fake("for n in range(2000): reply(greet(), result={'tools': [TOOL], 'nextCursor': str(n)})"),
        r"its list of tools does not end: there are 1000 pages|no answer to tools/list",
    ),
    "ends but for a child": (["sh", "-c", "sleep 30 & exit 3"], r"ended with status 3 before it answered$"),
    "speaks a revision of its own": (
        fake("VERSION = '1999-01-01'\ngreet()\nheard()"),
        r"the server answers with an error: Unsupported protocol version.*1999-01-01",
    ),
}


@pytest.mark.parametrize(("command", "said"), MISBEHAVING.values(), ids=MISBEHAVING)
def test_a_server_that_misbehaves_is_one_line(command: list[str], said: str) -> None:
    began = time.monotonic()
    with pytest.raises(BadInput, match=said) as refused:
        listed(command, timeout=1.5)
    assert "\n" not in str(refused.value)
    assert time.monotonic() - began < 15


def test_no_process_is_left_of_a_server_that_will_not_go(tmp_path: Path) -> None:
    """Nor of what it started: it ignores the polite signal, and so does its child."""
    note = tmp_path / "pids"
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"
    body = "import os, signal, subprocess\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    body += f"child = subprocess.Popen([sys.executable, '-c', {stubborn!r}])\n"
    body += f"open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
    body += "reply(greet(), result={'tools': [TOOL]})\ntime.sleep(60)"
    assert len(listed(fake(body))[0]) == 1
    for pid in map(int, note.read_text().split()):
        for _ in range(50):
            if not _alive(pid):
                break
            time.sleep(0.1)
        assert not _alive(pid)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")  # a zombie that nobody has collected is no process that runs
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(("package", "tools"), [("mcp-server-time", 2), ("mcp-server-git", 12)])
def test_real_servers_that_ask_for_nothing_are_counted(package: str, tools: int, study: Subject) -> None:
    """Their lists are those recorded of the captured servers, token for token."""
    command = [str(Path(sys.executable).parent / package)]
    found, session = listed(command)
    assert (len(found), session.noise) == (tools, ())
    rows = study.plain("results/mcp_servers.json")["servers"]
    [row] = [one for one in rows if (one["name"], one["encoding"]) == (package, "cl100k_base")]
    counted = cost(found, "cl100k_base", "captured")
    assert (counted.tokens, counted.pretty_tokens) == (row["tokens"], row["pretty_tokens"])


def test_without_the_sdk_the_way_to_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(BadInput, match="the MCP SDK is not installed; install context-ladder with its extra `mcp`"):
        drive(["true"], Wish())


def test_the_manifest_lists_every_capture(study: Subject) -> None:
    there = {path for path in study.files if path.startswith(f"{CAPTURES}/") and path.endswith(".json")}
    listed_there = {f"{CAPTURES}/{one.file}" for one in recorded.manifest(study.files).files}
    assert there - listed_there == {f"{CAPTURES}/manifest.json", f"{CAPTURES}/hosts.json"}
