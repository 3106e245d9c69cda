"""`measure mcp`: any server's tools counted, compared and held to a budget; your own rows served to a real client."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from measure.cli import main
from measure.mcp.listing import minified
from measure.mcp.wire import Wish, drive
from measure.tokens import count

TIME = str(Path(sys.executable).parent / "mcp-server-time")
TOOLS = [
    {"name": "get", "description": "One record.", "inputSchema": {"type": "object"}},
    {
        "name": "list",
        "description": "Records.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
    },
]


def run(*arguments: str, given: str | None = None) -> Result:
    done = CliRunner().invoke(main, ["mcp", *arguments], input=given)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "tools.json").write_text(json.dumps({"tools": TOOLS}))
    return tmp_path / "tools.json"


def test_a_saved_list_is_counted_tool_by_tool(saved: Path) -> None:
    done = run("tools", "--capture", str(saved))
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{saved} · 2 tools · cl100k_base, tiktoken 0.14.0 · captured\n")
    assert f"included: {count(minified({'tools': TOOLS}))} tokens" in " ".join(done.stdout.split())
    assert done.stdout.index("\nlist ") < done.stdout.index("\nget ")
    assert max(map(len, done.stdout.splitlines()[2:])) <= 80


def test_the_same_as_json_and_from_standard_input(saved: Path) -> None:
    done = run("tools", "--capture", "-", "--json", "--encoding", "o200k_base", given=saved.read_text())
    shown = json.loads(done.stdout)
    assert shown["list"]["tokens"] == count(minified({"tools": TOOLS}), "o200k_base")
    assert [tool["name"] for tool in shown["tools"]] == ["list", "get"]
    assert shown["changes"] is None
    assert shown["list"]["minifying"]["denominator"]["serialization"] == "pretty"


def test_pages_a_line_each_are_one_list(tmp_path: Path) -> None:
    pages = [json.dumps({"jsonrpc": "2.0", "id": n, "result": {"tools": [tool]}}) for n, tool in enumerate(TOOLS)]
    (tmp_path / "pages.jsonl").write_text("\n".join(pages) + "\n")
    shown = json.loads(run("tools", "--capture", str(tmp_path / "pages.jsonl"), "--json").stdout)
    assert shown["list"]["tools"] == 2


def test_a_budget_is_kept_or_exits_with_1_after_all_was_shown(saved: Path) -> None:
    tokens = count(minified({"tools": TOOLS}))
    assert run("tools", "--capture", str(saved), "--budget", str(tokens)).exit_code == 0
    done = run("tools", "--capture", str(saved), "--budget", str(tokens - 1))
    assert done.exit_code == 1
    assert "2 tools" in done.stdout
    assert done.stderr == f"measure: {tokens} tokens (minified, cl100k_base): 1 above the budget of {tokens - 1}\n"


def test_a_baseline_shows_what_has_changed(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(json.dumps(TOOLS[:1]))
    done = run("tools", "--capture", str(saved), "--baseline", str(tmp_path / "old.json"))
    assert "Changed since the baseline" in done.stdout
    assert "1 tool unchanged" in done.stdout
    shown = json.loads(run("tools", "--capture", str(saved), "--baseline", str(tmp_path / "old.json"), "--json").stdout)
    assert [one["name"] for one in shown["changes"]["tools"]] == ["list"]


def test_a_server_is_started_counted_and_its_list_saved(tmp_path: Path) -> None:
    kept = tmp_path / "time.json"
    done = run("tools", "--save", str(kept), "--json", "--", TIME)
    assert (done.exit_code, done.stderr) == (0, "")
    again, first = json.loads(run("tools", "--capture", str(kept), "--json").stdout), json.loads(done.stdout)
    assert (first["server"], first["revision"]) == ("mcp-time 2026.10.19", "2026-07-28")
    assert {**again, "server": "", "revision": ""} == {**first, "server": "", "revision": ""}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["time.json"]


def test_what_is_no_plain_file_is_not_replaced_and_a_link_is_followed(saved: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "locked").touch()
    (tmp_path / "locked").chmod(0o444)
    for name in ("fifo", "locked", "."):
        done = run("tools", "--capture", str(saved), "--save", str(tmp_path / name))
        assert (done.exit_code, "not a file that may be written" in done.stderr) == (2, True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert run("tools", "--capture", str(saved), "--save", str(tmp_path / "link")).exit_code == 0
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "real").read_text())["tools"] == TOOLS


def test_a_name_that_would_steer_a_terminal_is_written_out(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps([{"name": "t\x1b[2J\n", "inputSchema": {}}]))
    shown = run("tools", "--capture", str(tmp_path / "x.json")).stdout
    assert "\x1b" not in shown
    assert "t\\x1b[2J\\n" in shown


def test_a_server_that_serves_is_ended_by_an_interrupt(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"id": "1"}]')
    command = [sys.executable, "-m", "measure", "mcp", "serve", str(tmp_path / "rows.json")]
    hello = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(hello)
        server.stdin.flush()
        assert '"id":1' in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(10) == 130
        assert server.stderr
        assert server.stderr.read() == ""


def test_a_filter_that_cannot_be_is_told_of_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"id": "1", "format": "A4"}]')
    command = [sys.executable, "-m", "measure", "mcp", "serve", str(tmp_path / "rows.json")]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=30)
    assert done.stderr == "measure: no filter by format: list has an argument of that name\n"


BAD: dict[str, tuple[list[str], str]] = {
    "neither": (["tools"], "a server's command after --, or --capture FILE: one of the two is needed  (see --help)"),
    "both": (["tools", "--capture", "x", "--", "y"], "one of the two is needed"),
    "no such file": (["tools", "--capture", "nowhere.json"], "measure: nowhere.json: No such file or directory"),
    "no such baseline": (["tools", "--capture", "{saved}", "--baseline", "nowhere"], "measure: nowhere: No such file"),
    "no json": (["tools", "--capture", "{text}"], "not JSON: Expecting value: line 1 column 1"),
    "no list": (["tools", "--capture", "{other}"], "no tool list; such as"),
    "no utf-8": (["tools", "--capture", "{bytes}"], "byte 0 is not UTF-8"),
    "no tool": (["tools", "--capture", "{empty}"], "the list holds no tool"),
    "unknown encoding": (
        ["tools", "--capture", "{saved}", "--encoding", "x"],
        "unknown encoding 'x'; known: cl100k_base",
    ),
    "negative budget": (["tools", "--capture", "{saved}", "--budget", "-1"], "Invalid value for '--budget'"),
    "no name to save under": (["tools", "--capture", "{saved}", "--save", ""], "--save: no file is named"),
    "nowhere to save": (
        ["tools", "--capture", "{saved}", "--save", "no/where.json"],
        "no/where.json: cannot be written",
    ),
    "no such server": (["tools", "--", "no-such-server"], "no-such-server: the server cannot be started: No such file"),
    "rows from standard input": (["serve", "-"], "-: standard input is where the client speaks; name a file"),
    "no rows": (["serve", "nowhere.json"], "measure: nowhere.json: No such file or directory"),
    "bad settings": (["serve", "{rows}", "--settings", "nowhere.toml"], "measure: nowhere.toml: No such file"),
}


@pytest.mark.parametrize(("arguments", "said"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line_and_status_2(arguments: list[str], said: str, saved: Path, tmp_path: Path) -> None:
    contents = {
        "text": b"hello",
        "other": b'{"a": 1}',
        "bytes": b"\xff",
        "empty": b'{"tools": []}',
        "rows": b'[{"a":1}]',
    }
    places = {"saved": str(saved)}
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
        places[name] = str(tmp_path / name)
    done = run(*(argument.format(**places) for argument in arguments))
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_serving_without_the_sdk_names_the_way_to_it(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "measure.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    monkeypatch.delattr("measure.mcp.server", raising=False)
    done = run("serve", str(saved))
    assert done.exit_code == 2
    assert done.stderr == "measure: the MCP SDK is not installed; install context-ladder with its extra `mcp`\n"


ROWS = 'sku,name,stock\nA-1,"bolt, long",12\nA-2,Mutter,0\nA-3,Schraube ü,7\n'


def test_a_users_rows_are_served_to_the_official_client(tmp_path: Path) -> None:
    (tmp_path / "parts.csv").write_text(ROWS, encoding="utf-8")
    command = [sys.executable, "-m", "measure", "mcp", "serve", "parts.csv"]
    asked = [
        ("list", {"fields": ["sku", "stock"], "sort": {"stock": "desc"}}),
        ("list", {"stock": 0, "format": "json"}),
        ("get", {"sku": "A-3"}),
        ("get", {"sku": "A-9"}),
        ("schema", {}),
    ]
    session = drive(command, Wish(calls=asked), cwd=tmp_path)
    results = [json.loads(line)["result"] for line in session.responses("tools/call")]
    texts = [one["content"][0]["text"] for one in results]
    assert texts[0] == "sku,stock\nA-1,12\nA-3,7\nA-2,0\n"
    assert json.loads(texts[1]) == [{"name": "Mutter", "sku": "A-2", "stock": 0}]
    assert texts[2] == "sku:A-3\nname:Schraube ü\nstock:7\n"
    assert [one["isError"] for one in results] == [False, False, False, True, False]
    assert json.loads(texts[4])["fields"] == {"sku": "string", "name": "string", "stock": "integer"}
    assert "grammar" not in texts[4]
    assert session.noise == ()


def test_the_one_tool_takes_the_whole_language(tmp_path: Path) -> None:
    (tmp_path / "parts.csv").write_text(ROWS, encoding="utf-8")
    command = [sys.executable, "-m", "measure", "mcp", "serve", "--one-tool", "parts.csv"]
    asked = [("query", {"q": "count(stock=0); get(A-2) { name }"}), ("list", {})]
    session = drive(command, Wish("2025-11-25", asked), cwd=tmp_path)
    [tools] = [json.loads(line)["result"]["tools"] for line in session.responses("tools/list")]
    assert [tool["name"] for tool in tools] == ["query"]
    results = [json.loads(line)["result"] for line in session.responses("tools/call")]
    assert results[0]["content"][0]["text"] == "[1] count 1\ncount:1\n[2] get 1\nname:Mutter\n"
    assert results[1] == {"content": [{"text": "no tool 'list'; known: query", "type": "text"}], "isError": True}
