"""`measure session`, `sweep`, `advise` and `policies`: one's own transcripts, in 80 columns; bad input in one line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_cli import ROOT, run
from test_formats_cli import in_80_columns

from measure.context.cache import PLACES
from measure.context.policies import POLICIES
from measure.context.session import KINDS
from measure.context.terms import CACHES

SESSIONS = sorted(path for path in (ROOT / "fixtures" / "sessions").glob("*.json") if path.name != "manifest.json")
MIXED = str(ROOT / "fixtures" / "sessions" / "mixed.json")
SEARCH = str(ROOT / "fixtures" / "sessions" / "search.json")
PRICES = ROOT / "fixtures" / "prices.toml"
HI = {"role": "user", "content": "hello there"}
YES = {"role": "assistant", "content": "yes"}
COMMANDS = (("session",), ("sweep", "--policy", "mask"), ("advise",))


def asked(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith("}\n") or done.stdout.endswith("]\n")
    assert not done.stdout.endswith("\n\n")
    return json.loads(done.stdout)


def refused(*arguments: str, given: bytes | None = None) -> str:
    done = run(*arguments, given=given)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("measure: ")
    return done.stderr


@pytest.fixture(scope="module")
def mixed() -> dict[str, Any]:
    found: dict[str, Any] = asked("session", MIXED)[0]
    return found


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("cache", CACHES)
def test_the_usual_policies_are_compared_in_80_columns_under_a_title_with_cache_prices_and_day(
    path: Path, cache: str
) -> None:
    shown = run("session", str(path), "--cache", cache).stdout
    assert in_80_columns(shown)
    first, second = shown.splitlines()[:2]
    assert first.startswith(f"{path.name} · ")
    assert first.endswith(" · cl100k_base")
    told = "no cache" if cache == "none" else f"{cache}, system+frontier+last"
    assert second == f"Claude Sonnet 5, prices of 2026-08-21 · {told}"


def test_real_sessions_are_shown_in_80_columns(sessions: Path) -> None:
    files = [str(path) for path in sorted(sessions.iterdir()) if path.suffix != ".md"]
    assert in_80_columns(run("session", *files).stdout)
    for arguments in (("sweep", *files, "--policy", "mask", "--window", "1:3"), ("advise", files[0], "--keep", "7")):
        assert in_80_columns(run(*arguments).stdout)


def test_a_name_that_is_too_long_is_spelled_out_below_the_table() -> None:
    longer = "clear_thinking/clear_tool_uses:trigger=30000"
    shown = run("session", MIXED, "--policy", longer, "--policy", "mask").stdout
    assert "\nclear_thinking/… [1]  " in shown
    assert f"\n[1] {longer}\n" in shown
    assert "[1] " not in run("session", MIXED, "--policy", "mask").stdout


def test_none_stands_once_whatever_is_asked_for() -> None:
    for policies in (["none"], ["none", "mask", "mask", "mask:window=10"]):
        options = [word for policy in policies for word in ("--policy", policy)]
        [found] = asked("session", SEARCH, *options)
        shown = [one["policy"] for one in found["policies"]]
        assert shown == ["none", "mask:window=10,batch=1"][: len(set(policies) & {"none", "mask"})]


def test_session_json_says_what_it_rests_on(mixed: dict[str, Any]) -> None:
    assert set(mixed) == {
        *("session", "format", "encoding", "calls", "tool_results", "estimated_tokens", "left_out"),
        *("cache", "breakpoints", "prices", "policies", "cache_model"),
    }
    assert (mixed["cache"], mixed["breakpoints"]) == ("5m", ["system", "frontier", "last"])
    assert (mixed["prices"]["name"], mixed["prices"]["date"]) == ("sonnet", "2026-08-21")
    assert mixed["policies"][0]["policy"] == "none"
    for one in mixed["policies"]:
        assert set(one) == {"policy", "evidence", "usage", "nanodollars", "requests"}
        assert len(one["requests"]) == mixed["calls"]
        assert one["evidence"] == "simulated"


def test_requests_add_up_to_what_the_session_took(mixed: dict[str, Any]) -> None:
    for one in mixed["policies"]:
        usage = one["usage"]
        for sent in one["requests"]:
            assert sent["fresh"] + sent["read"] + sent["written"] == sent["input"] == sum(sent["of_kind"].values())
            assert set(sent["of_kind"]) == set(KINDS)
        for key in ("input", "fresh", "read", "written", "output"):
            assert sum(sent[key] for sent in one["requests"]) == usage[key], key
        prices, cost = mixed["prices"], one["nanodollars"]
        assert cost["total"] == (
            usage["fresh"] * prices["fresh"]
            + usage["read"] * prices["read"]
            + usage["written"] * prices["write_5m"]
            + usage["output"] * prices["output"]
        )


def test_own_calls_of_a_summary_are_in_usage_and_told_apart() -> None:
    [found] = asked("session", MIXED, "--policy", "summarize", "--cache", "none")
    none, summed = found["policies"]
    assert (none["evidence"], summed["evidence"]) == ("measured", "simulated")
    assert sum(sent["input"] for sent in summed["requests"]) + summed["usage"]["own_input"] == summed["usage"]["input"]
    assert sum(len(sent["own_calls"]) for sent in summed["requests"]) > 0
    shown = run("session", MIXED, "--policy", "summarize", "--cache", "none").stdout
    assert f"summarize: {summed['usage']['own_input']:,} in and" in shown
    assert "  read" not in shown


def test_what_the_table_says_is_what_the_json_says(mixed: dict[str, Any]) -> None:
    lines = [line.split() for line in run("session", MIXED).stdout.splitlines() if "$" in line and "%" in line]
    for line, one in zip(lines, mixed["policies"], strict=True):
        usage = one["usage"]
        assert line[0] == one["policy"].partition(":")[0] or line[0] == "mask:batch=10"
        assert [cell for cell in line if cell.replace(",", "").isdigit()] == [
            f"{usage[key]:,}" for key in ("input", "read", "written")
        ]


def test_standard_input_is_read_where_a_file_is_named_so() -> None:
    given = Path(MIXED).read_bytes()
    for command in COMMANDS:
        piped = run(*command, "-", "--json", given=given)
        assert piped.exit_code == 0
        text = run(*command, MIXED, "--json").stdout.replace(json.dumps(MIXED), '"standard input"')
        assert json.loads(piped.stdout) == json.loads(text)
    assert run("session", "-", given=given).stdout.startswith("standard input · 46 calls")
    assert "standard input: the file is empty" in refused("session", "-", given=b"")


def test_several_files_are_shown_one_by_one_and_swept_together() -> None:
    assert len(asked("session", MIXED, SEARCH)) == 2
    alone = [asked("sweep", path, "--policy", "mask")["settings"][0]["usage"] for path in (MIXED, SEARCH)]
    both = asked("sweep", MIXED, SEARCH, "--policy", "mask")
    assert both["settings"][0]["usage"] == {key: sum(one[key] for one in alone) for key in alone[0]}
    assert len(both["sessions"]) == 2


def test_sweep_json_has_every_combination_cheapest_first_on_named_terms() -> None:
    found = asked("sweep", SEARCH, "--policy", "mask", "--window", "1,3,10", "--batch", "2:9:3", "--cache", "1h")
    assert set(found) == {"sessions", "encoding", "cache", "breakpoints", "prices", "none", "settings"}
    assert (found["cache"], found["prices"]["date"]) == ("1h", "2026-08-21")
    wanted = {f"mask:window={window},batch={batch}" for window in (1, 3, 10) for batch in (2, 5, 8)}
    assert {one["policy"] for one in found["settings"]} == wanted
    costs = [one["nanodollars"]["total"] for one in found["settings"]]
    assert costs == sorted(costs)
    for one in (found["none"], *found["settings"]):
        assert set(one) == {"policy", "evidence", "usage", "nanodollars"}


def test_sweep_has_a_column_for_each_parameter_swept() -> None:
    shown = run("sweep", SEARCH, "--policy", "mask", "--window", "1:9", "--batch", "5", "--top", "4").stdout
    lines = shown.splitlines()
    assert lines[0] == "mask:batch=5: 9 settings · 1 session · cl100k_base"
    assert lines[3].split() == ["window", "input", "saved", "read", "written", "cost", "saved"]
    assert [line.split()[0] for line in lines[4:9]][-1] == "none"
    assert "and 5 settings more" in shown


@pytest.mark.parametrize(("text", "count"), [("7", 1), ("1,2", 2), (" 1 , 2 ", 2), ("0:50", 51), ("0:51", 20)])
def test_values_of_a_sweep(text: str, count: int) -> None:
    assert len(asked("sweep", SEARCH, "--policy", "mask", "--window", text)["settings"]) == count


def test_advice_is_the_cheapest_for_each_cache_and_never_dearer_than_nothing() -> None:
    found = asked("advise", SEARCH, "--keep", "5")
    assert set(found) == {"sessions", "encoding", "breakpoints", "prices", "keep", "advice"}
    assert [one["cache"] for one in found["advice"]] == list(CACHES)
    for one in found["advice"]:
        assert one["best_nanodollars"] <= one["none_nanodollars"]
        assert one["do_nothing"] == (one["best_nanodollars"] == one["none_nanodollars"])
        assert one["evidence"] == ("measured" if one["cache"] == "none" else "simulated")
        options = ("--policy", one["best"], "--cache", one["cache"])
        again = asked("session", SEARCH, *options)[0]["policies"][-1]
        assert again["nanodollars"]["total"] == one["best_nanodollars"]
    shown = run("advise", SEARCH, "--keep", "5").stdout
    assert in_80_columns(shown)
    assert "Claude Sonnet 5, prices of 2026-08-21 · cache: system+frontier+last" in shown


def test_advice_for_a_session_without_results_is_to_do_nothing(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps([HI, YES]), encoding="utf-8")
    assert all(one["do_nothing"] for one in asked("advise", str(tmp_path / "talk.json"))["advice"])
    assert run("advise", str(tmp_path / "talk.json")).stdout.count("doing nothing") == len(CACHES)


def test_one_call_and_no_results_is_a_table_of_nothing_saved(tmp_path: Path) -> None:
    (tmp_path / "talk.json").write_text(json.dumps([HI, YES]), encoding="utf-8")
    shown = run("session", str(tmp_path / "talk.json")).stdout
    assert shown.startswith("talk.json · 1 call, 0 results")
    assert shown.count("0.00 %") == 2 * 6


@pytest.mark.parametrize("messages", [[HI], [YES], [{**HI, "content": ""}, YES]], ids=["no call", "no input", "empty"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_session_of_which_nothing_was_sent_is_refused(
    command: tuple[str, ...], messages: list[Any], tmp_path: Path
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(messages), encoding="utf-8")
    assert "talk.json: nothing in it was sent to a model; needed is" in refused(*command, str(path))


def test_a_session_without_a_call_beside_others_has_no_percentages(tmp_path: Path) -> None:
    """Two instances of one OpenHands file, the second of which ended before the model answered."""
    said = {"id": 0, "source": "user", "action": "message", "args": {"content": "hello"}, "message": "hello"}
    answered = {"id": 1, "source": "agent", "action": "message", "args": {"content": "yes"}, "message": "yes"}
    lines = [{"instance_id": "a", "history": [said, answered]}, {"instance_id": "b", "history": [said]}]
    path = tmp_path / "output.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    first, second = run("session", str(path), "--policy", "mask").stdout.split("\n\nb · ")
    assert "%" in first.partition("none")[2]
    assert [line.split() for line in second.splitlines() if line.startswith(("none ", "mask "))] == [
        [name, "0", "-", "0", "0", "$0.0000", "-"] for name in ("none", "mask")
    ]


def test_free_input_costs_nothing_and_divides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "free.toml"
    text = (
        PRICES.read_text(encoding="utf-8")
        .replace('input = "2"', 'input = "0"')
        .replace('output = "10"', 'output = "0"')
    )
    path.write_text(text, encoding="utf-8")
    for command in COMMANDS:
        done = run(*command, SEARCH, "--price-list", str(path))
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.count("$0.0000") > 1


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"hello", "line 1, column 1: not JSON"),
        (b"\x00\x01\xff", "a binary file"),
        (b"[]", "no transcript, but JSON: array"),
        (b"{}", "object without keys"),
        (b'[{"id": 1}]', "no transcript"),
    ],
)
def test_a_file_that_is_no_transcript_is_one_line(
    command: tuple[str, ...], data: bytes, said: str, tmp_path: Path
) -> None:
    (tmp_path / "x.json").write_bytes(data)
    assert said in refused(*command, str(tmp_path / "x.json"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nofile",), "nofile: No such file"),
        (("",), "'': No such file"),
        ((str(ROOT),), "Is a directory"),
        (("no\nfile",), "no\\nfile: No such file"),
        ((MIXED, "--prices", "nope"), "no prices are named 'nope'; known: sonnet,"),
        ((MIXED, "--price-list", "nofile"), "nofile: No such file"),
        ((MIXED, "--price-list", MIXED), "mixed.json: "),
        ((MIXED, "--price-list", str(ROOT / "fixtures" / "shapes.toml")), "shapes.toml: Object"),
        ((MIXED, "--breakpoints", "system+system"), "--breakpoints: 'system+system' names a place twice"),
        ((MIXED, "--breakpoints", "nowhere"), f"no place 'nowhere'; known: {', '.join(PLACES)}"),
        ((MIXED, "--breakpoints", ""), "--breakpoints: no place ''"),
        ((MIXED, "--encoding", "nope"), "unknown encoding 'nope'; known: cl100k_base,"),
        ((), "Missing argument 'FILE...'"),
    ],
)
def test_what_cannot_be_used_is_one_line(command: tuple[str, ...], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(*command, *arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("session", MIXED, "--policy", "nope"), "unknown policy 'nope'; known: none, mask,"),
        (("session", MIXED, "--policy", ""), "unknown policy ''"),
        (("session", MIXED, "--policy", "mask:w=1"), "unknown parameter 'w' of mask; known: window, batch"),
        (("session", MIXED, "--policy", "mask:window=x"), "window cannot be 'x'; give a whole number from 0 on"),
        (("session", MIXED, "--policy", "mask/clear_thinking"), "clear_thinking stands after mask; put clear_"),
        (("session", MIXED, "--cache", "none", "--breakpoints", "nowhere"), "no place 'nowhere'"),
        (("session", MIXED, "--cache", "2h"), "'2h' is not one of 'none', '5m', '1h'"),
        (("advise", MIXED, "--keep", "-1"), "-1 is not in the range"),
        (("advise", MIXED, "--keep", "x"), "'x' is not a valid integer"),
        (("sweep", MIXED), "Missing option '--policy'"),
        (("sweep", MIXED, "--policy", "nope"), "unknown policy 'nope'"),
        (("sweep", MIXED, "--policy", "clear_thinking/mask"), "unknown policy 'clear_thinking/mask'"),
        (("sweep", MIXED, "--policy", "mask:window=3"), "write mask --window VALUES --batch VALUES"),
        (("sweep", MIXED, "--policy", "mask", "--trigger", "1"), "mask has no trigger; it has window, batch"),
        (("sweep", MIXED, "--policy", "mask", "--window", "10:1"), "--window: the range 10:1 runs down; write 1:10"),
        (("sweep", MIXED, "--policy", "mask", "--window", "1:9:0"), "--window: the range 1:9:0 has steps of 0"),
        (("sweep", MIXED, "--policy", "mask", "--window", "0:999999999:1"), "1,000,000,000 values; at most 100,000"),
        (("sweep", MIXED, "--policy", "mask", "--window", "1:300:1", "--batch", "1:400:1"), "120,000 settings; at"),
        (("sweep", MIXED, "--policy", "mask", "--window", "a:b"), "window cannot be 'a:b'"),
        (("sweep", MIXED, "--policy", "mask", "--window", "1,"), "window cannot be ''"),
        (("sweep", MIXED, "--policy", "mask", "--window", "1.5"), "window cannot be '1.5'"),
        (("sweep", MIXED, "--policy", "mask", "--top", "0"), "0 is not in the range"),
    ],
)
def test_a_wrong_setting_is_one_line(arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(*arguments)


def test_what_would_steer_a_terminal_is_written_out(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J\nb.json"
    path.write_bytes(Path(SEARCH).read_bytes())
    assert run("session", str(path)).stdout.startswith("a\\x1b[2J\\nb.json · ")


def test_policies_lists_each_with_its_parameters_source_and_evidence() -> None:
    found = {one["policy"]: one for one in asked("policies")}
    assert list(found) == list(POLICIES)
    assert in_80_columns(run("policies").stdout)
    shown = " ".join(run("policies").stdout.split())
    for name, kind in POLICIES.items():
        one = found[name]
        assert set(one["parameters"]) == set(kind.parameters())
        assert (one["about"], one["source"], one["evidence"]) == (kind.about, kind.source, kind.evidence)
        assert " ".join(kind.about.split()) in shown
        assert kind.source in shown
        assert all(f"{key}={kind().value(key)}" in shown for key in kind.parameters())


def test_the_commands_leave_the_study_and_heavy_libraries_alone() -> None:
    heavy = {"pandas", "matplotlib", "numpy", "rich", "jsonschema", "mcp", "ssl", "socket", "measure.study"}
    for command in COMMANDS:
        words = [*command, SEARCH]
        script = (
            "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr));"
            f"from measure.cli import main; main({words!r})"
        )
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
        loaded = set(done.stderr.split())
        assert "measure.context.replay" in loaded
        assert not loaded & heavy


@pytest.mark.parametrize("options", [(), ("--cache", "none")])
def test_the_command_as_a_process_gives_text_without_colour_in_a_pipe(options: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "measure", "session", "-", *options],
        cwd=ROOT,
        input=Path(SEARCH).read_bytes(),
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    assert b"\x1b" not in done.stdout
    assert done.stdout.decode() == run("session", "-", *options, given=Path(SEARCH).read_bytes()).stdout
