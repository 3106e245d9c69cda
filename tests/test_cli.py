"""The commands: what they print, where, with which exit status; bad input is one line and never a traceback."""

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import measure
from measure.cli import COMMANDS, main
from measure.errors import MeasureError
from measure.families import FAMILIES
from measure.gates import GATES
from measure.ladder import RUNGS
from measure.report.tables import TABLES
from measure.study import STAGES
from measure.study.mutants import MUTANTS
from measure.tokens import VOCABULARIES

ROOT = Path(__file__).parent.parent
TASKS = str(ROOT / "fixtures" / "tasks-20.json")
KEPT = "id,status,assignee,priority"


def run(*arguments: str, given: bytes | None = None) -> Result:
    done = CliRunner().invoke(main, arguments, input=given)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the checkout, and the working directory in it."""
    for name in ("fixtures", "results"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("README.md", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    for variable in ("CONTEXT_LADDER_ORIGINAL", "CONTEXT_LADDER_MCP_CAPTURES", "CONTEXT_LADDER_TRANSCRIPTS"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_help_lists_every_command_and_each_has_its_own_help() -> None:
    shown = run("--help").stdout
    for name, line in COMMANDS.items():
        assert f"  {name}" in shown
        assert line in shown
        assert "Usage: main" in run(name, "--help").stdout


def test_ladder_json_is_the_record_of_the_results(study) -> None:
    ours = json.loads(run("ladder", TASKS, "--fields", KEPT, "--json").stdout)
    recorded = json.loads(study.files["results/ladder.json"])
    wanted = [r for r in recorded["rungs"] if (r["rows"], r["encoding"]) == (20, "cl100k_base")]
    assert ours["rungs"] == wanted
    assert ours["steps"] == [s for s in recorded["steps"] if (s["rows"], s["encoding"]) == (20, "cl100k_base")]


def test_ladder_prints_every_rung_and_step_in_80_columns() -> None:
    shown = run("ladder", TASKS, "--fields", KEPT).stdout
    for rung in RUNGS:
        assert f"\n{rung.name}  " in shown
    assert max(map(len, shown.splitlines())) <= 80
    step = next(line for line in shown.splitlines() if line.startswith("L1->L3"))
    tokens = {line.split()[0]: line.split()[-2] for line in shown.splitlines() if re.match(r"L\d  ", line)}
    assert step.split()[1:3] == [tokens["L1"], tokens["L3"]]
    assert "%  L1, minified  " in step


def test_ladder_reads_standard_input_and_counts_in_another_encoding() -> None:
    given = Path(TASKS).read_bytes()
    ours = json.loads(run("ladder", "-", "--fields", "id", "--encoding", "o200k_base", "--json", given=given).stdout)
    assert {rung["encoding"] for rung in ours["rungs"]} == {"o200k_base"}
    assert ours["projected"] == ["id"]


def test_fields_may_be_quoted_spaced_and_repeated(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[{"last, name": "a", "id": "1", "note": "x"}]')
    for options in (["--fields", '"last, name", id'], ["--fields", '"last, name"', "--fields", "id"]):
        assert json.loads(run("ladder", str(path), *options, "--json").stdout)["projected"] == ["last, name", "id"]


def test_ladder_keeps_every_field_where_none_is_named() -> None:
    tokens = {r["rung"]: r["tokens"] for r in json.loads(run("ladder", TASKS, "--json").stdout)["rungs"]}
    assert (tokens["L2"], tokens["L3"]) == (tokens["L0"], tokens["L1"])


def test_ladder_marks_what_is_lossy_and_names_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[{"id": "a", "points": 3, "note": null}, {"id": "b", "points": 5, "note": "x"}]')
    shown = run("ladder", str(path)).stdout
    assert "L4, L5 lose: points, 2 integers read back as string" in shown
    assert "lose: note" not in shown
    assert "L4, L5 cannot carry types: numbers, booleans and nested values" in shown
    assert "L3->L4*" in shown
    assert "L1->L3 " in shown


def test_show_prints_the_payload_its_bytes_and_tokens() -> None:
    shown = run("show", "L4", "--rows", "5").stdout
    first, blank, *payload = shown.split("\n")
    size, tokens = len("\n".join(payload).encode()), measure.count("\n".join(payload))
    assert first == f"L4 · compact · 5 rows · {size} bytes · {tokens} tokens (cl100k_base)"
    assert (blank, payload[0]) == ("", "id,status,assignee,priority")
    raw = run("show", "L4", "--rows", "5", "--raw").stdout
    assert shown.endswith(raw)
    assert raw == "\n".join(payload)
    assert json.loads(run("show", "L4", "--rows", "5", "--json").stdout)["text"] == raw


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_printed_from_the_results(name: str) -> None:
    shown = run("table", name)
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) > 5


@pytest.mark.parametrize(
    "name",
    [name for name in TABLES if name not in ("aliases", "gates", "mutants")],
)
def test_tables_of_numbers_fit_80_columns(name: str) -> None:
    assert max(map(len, run("table", name).stdout.splitlines())) <= 80


def test_encodings_names_each_vocabularys_hash() -> None:
    shown = run("encodings").stdout
    listed = json.loads(run("encodings", "--json").stdout)
    for row in VOCABULARIES.values():
        assert row.sha256 in shown
    for family in FAMILIES.values():
        for word in (family.name, family.label, family.authority, family.source, family.licence):
            assert word in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert [one["encoding"] for one in listed] == [*VOCABULARIES, *FAMILIES]


def test_run_writes_the_recorded_bytes_and_prints_the_ladder(clone: Path) -> None:
    before = contents(clone)
    done = run("run")
    assert done.exit_code == 0
    assert contents(clone) == before
    assert "L5    compact, aliases, 4 fields" in done.stdout


def test_run_into_another_folder_writes_there_only(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other") / "results"
    before = contents(clone)
    assert run("run", "--results", str(other)).exit_code == 0
    assert contents(clone) == before
    assert contents(other) == {path.removeprefix("results/"): d for path, d in before.items() if "results/" in path}


def test_run_into_another_folder_leaves_a_stale_readme_alone(
    clone: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    stale = (clone / "README.md").read_bytes().replace(b"| L4 | compact, 4 fields |", b"| L4 | compact |")
    (clone / "README.md").write_bytes(stale)
    assert run("run", "--results", str(tmp_path_factory.mktemp("other"))).exit_code == 0
    assert (clone / "README.md").read_bytes() == stale


def test_a_named_folder_of_the_original_goes_before_the_environments(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTEXT_LADDER_ORIGINAL", str(clone))
    done = run("check", "--original", "nowhere")
    assert (done.exit_code, done.stderr) == (2, "measure: nowhere/tasks-5.json: No such file or directory\n")
    assert run("check").stderr == f"measure: {clone}/tasks-5.json: No such file or directory\n"


def test_run_renews_a_stale_block_of_the_readme(clone: Path) -> None:
    text = (clone / "README.md").read_bytes()
    (clone / "README.md").write_bytes(text.replace(b"| L4 | compact, 4 fields |", b"| L4 | compact |"))
    assert run("run").exit_code == 0
    assert (clone / "README.md").read_bytes() == text


def test_check_is_silent_on_drift_where_there_is_none_and_writes_nothing(clone: Path) -> None:
    before = contents(clone)
    done = run("check")
    assert (done.exit_code, contents(clone)) == (0, before)
    assert "  recorded " not in done.stdout
    assert f"{len(GATES)} gates green" in done.stdout
    assert "replication: kept as recorded" in done.stdout


def test_check_names_every_drift_and_exits_with_1(clone: Path) -> None:
    path = clone / "results" / "ladder.json"
    value = json.loads(path.read_bytes())
    value["rungs"][15]["tokens"] -= 7
    path.write_text(json.dumps(value, indent=2) + "\n")
    before = contents(clone)
    done = run("check")
    assert (done.exit_code, contents(clone)) == (1, before)
    place = "results/ladder.json  rungs[15].tokens[rung=L3 rows=100 encoding=cl100k_base]"
    tokens = value["rungs"][15]["tokens"]
    assert done.stdout.startswith(f"{place}  recorded {tokens:,}  measured {tokens + 7:,}\n")
    assert "drift is red: find out why it moved" in done.stdout
    assert done.stderr.startswith("measure: ")
    assert "gates are red" in done.stderr


def test_check_names_an_edited_hunt(clone: Path) -> None:
    path = clone / "results" / "mutants.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"red": true', '"red": false', 1), encoding="utf-8")
    done = run("check")
    assert done.exit_code == 1
    assert (
        "results/mutants.json  mutants[0].red[gate=fixtures damage=one byte of a fixture]  recorded false"
        in done.stdout
    )


def test_check_live_names_a_capture_that_comes_out_otherwise(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions themselves are held in test_mcp_wire; here one of them has said something else."""
    path = "fixtures/mcp/text-neither_5_2025-11-25.json"
    other = (clone / path).read_bytes().replace(b"TASK-0001", b"TASK-0009")
    held = {str(one.relative_to(clone)): one.read_bytes() for one in (clone / "fixtures" / "mcp").glob("*_*.json")}
    monkeypatch.setattr("measure.study.mcp.capturing.captured", lambda _: {**held, path: other})
    done = run("check", "--live")
    assert done.exit_code == 1
    assert any(line.startswith(f"{path}  ") for line in done.stdout.splitlines())
    assert "sessions held with the study's servers" in done.stdout
    monkeypatch.setattr("measure.study.mcp.capturing.captured", lambda _: held)
    assert run("check", "--live").exit_code == 0


def test_check_says_what_is_stale_in_the_readme(clone: Path) -> None:
    text = (clone / "README.md").read_text(encoding="utf-8")
    (clone / "README.md").write_text(text.replace("| L4 | compact, 4 fields |", "| L4 | compact |"), encoding="utf-8")
    done = run("check")
    assert done.exit_code == 1
    assert "documents: README.md: stale from line" in done.stdout


def test_mutants_prints_each_with_its_gate_and_writes_nothing(clone: Path) -> None:
    before = contents(clone)
    done = run("mutants")
    assert (done.exit_code, contents(clone)) == (0, before)
    assert f"{len(MUTANTS)} of {len(MUTANTS)} mutants killed, {len(GATES)} gates proven" in done.stdout
    assert json.loads(run("mutants", "--json").stdout)["killed"] == len(MUTANTS)


def test_query_answers_from_a_file_in_every_format(tmp_path: Path) -> None:
    done = run("query", "list(status=open) { id, assignee }", TASKS, "--format", "compact")
    tasks = json.loads(Path(TASKS).read_bytes())
    lines = [f"{task['id']},{task['assignee']}\n" for task in tasks if task["status"] == "open"]
    assert done.stdout == "".join(["id,assignee\n", *lines])
    path = tmp_path / "rows.csv"
    path.write_text("key,due date\nK-1,2026-01-31\nK-2,2026-02-28\n")
    done = run("query", 'get(K-2) { "due date" }', str(path))
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"due date": "2026-02-28"})


def test_a_failed_statement_stands_in_place_and_the_status_is_2() -> None:
    done = run("query", "count(); list(stat=open)", TASKS)
    count, error = json.loads(done.stdout)
    assert (done.exit_code, count, list(error)) == (2, {"count": 20}, ["error"])


def test_query_takes_presets_from_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "layer.toml"
    path.write_text('default = ["few"]\n[presets]\nfew = ["id"]\n')
    done = run("query", "list(take=1)", TASKS, "--settings", str(path))
    assert json.loads(done.stdout)["rows"] == [{"id": "TASK-0001"}]


def test_schema_prints_the_response_and_its_size_on_standard_error() -> None:
    done = run("schema", TASKS)
    assert json.loads(done.stdout)["identifier"] == "id"
    assert "tokens (cl100k_base)" in done.stderr
    assert run("schema", TASKS, "--skill").stdout.startswith("# Querying records")


BAD = {
    "broken query": (
        ["query", "list(", TASKS],
        "query, offset 5 (line 1, column 6): no argument, found end of input",
    ),
    "unknown format": (["query", "list()", TASKS, "--format", "xml"], "unknown format 'xml'; known: json, pretty"),
    "no settings": (["query", "list()", TASKS, "--settings", "x.toml"], "x.toml: No such file or directory"),
    "broken settings": (["schema", TASKS, "--settings", "README.md"], "README.md: not TOML: "),
    "unknown setting": (
        ["schema", TASKS, "--settings", "pyproject.toml"],
        "pyproject.toml: Object contains unknown field",
    ),
    "no such file": (["ladder", "nowhere.json"], "nowhere.json: No such file or directory"),
    "a folder": (["ladder", "."], ".: Is a directory"),
    "unknown field": (
        ["ladder", TASKS, "--fields", "id,owner"],
        f"{TASKS}, --fields: unknown field 'owner'; known",
    ),
    "no field": (
        ["ladder", TASKS, "--fields", ""],
        f"{TASKS}, --fields: no fields are named; known fields: id, name",
    ),
    "field twice": (["ladder", TASKS, "--fields", "id,id"], f"{TASKS}, --fields: field 'id' is named twice"),
    "unknown encoding": (["ladder", TASKS, "--encoding", "gpt9"], "unknown encoding 'gpt9'; known: cl100k_base, o200k"),
    "unknown encoding to show": (["show", "L0", "--encoding", "gpt9"], "unknown encoding 'gpt9'; known: cl100k_base"),
    "unknown rung": (["show", "L9"], "unknown rung 'L9'; known: L0, L1, L2, L3, L4, L5"),
    "unknown scale": (["show", "L1", "--rows", "7"], "--rows: no fixture of 7 rows; known scales: 5, 20, 100, 500"),
    "unknown table": (["table", "x"], "unknown table 'x'; known: ladder, steps"),
    "no results": (
        ["check", "--results", "nowhere"],
        "nowhere: No such file or directory; `measure run` writes results",
    ),
    "no original": (["run", "--original", "nowhere"], "nowhere/tasks-5.json: No such file or directory"),
    "unwritable results": (["run", "--results", "README.md/x"], "README.md/x: cannot be written (Not a directory)"),
    "results are a file": (["run", "--results", "README.md"], "README.md: cannot be written (Not a directory)"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line_on_standard_error_and_status_2(arguments: list[str], message: str, clone: Path) -> None:
    before = contents(clone)
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"measure: {message}")
    assert done.stderr.count("\n") == 1
    assert contents(clone) == before


def test_an_empty_results_folder_is_drift_by_name(clone: Path) -> None:
    (clone / "empty").mkdir()
    done = run("check", "--results", "empty")
    assert done.exit_code == 1
    assert "results/ladder.json: missing; `measure run` writes it" in done.stdout


def test_a_damaged_fixture_is_one_line(clone: Path) -> None:
    (clone / "fixtures" / "tasks-5.json").write_text("[{]")
    done = run("run")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("measure: fixtures/tasks-5.json: line 1, column 3: not JSON")


def test_outside_a_clone_the_study_says_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["run"], ["check"], ["show", "L0"], ["table", "ladder"], ["mutants"]):
        done = run(*command)
        assert done.exit_code == 2
        assert "the study runs in a clone of context-ladder" in done.stderr


def test_every_error_of_ours_has_a_status_that_the_help_names() -> None:
    assert {kind.exit_status for kind in MeasureError.__subclasses__()} == {1, 2}
    assert "1 drift or a red gate, 2 bad input" in run("--help").stdout


def in_terminal(*arguments: str, **environment: str) -> str:
    """What the command writes to a terminal of 80 columns."""
    main_end, command_end = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", "measure", *arguments],
            stdout=command_end,
            stderr=command_end,
            cwd=ROOT,
            env={**os.environ, "COLUMNS": "80", "TERM": "xterm-256color", **environment},
        )
        os.close(command_end)
        shown = b""
        while True:
            try:
                block = os.read(main_end, 4096)
            except OSError:  # the other end is closed
                break
            if not block:
                break
            shown += block
        assert process.wait() == 0
    finally:
        os.close(main_end)
    return shown.decode()


def test_a_terminal_gets_colour_a_pipe_and_no_color_do_not() -> None:
    assert "\x1b[36m" in in_terminal("ladder", TASKS, "--fields", KEPT)
    assert "\x1b[3" not in in_terminal("ladder", TASKS, "--fields", KEPT, NO_COLOR="1")
    assert "\x1b" not in run("ladder", TASKS, "--fields", KEPT).stdout


def test_a_terminal_sees_the_same_cells_as_a_pipe() -> None:
    plain = run("ladder", TASKS, "--fields", KEPT).stdout.split()
    assert in_terminal("ladder", TASKS, "--fields", KEPT, NO_COLOR="1", TERM="dumb").split() == plain


def test_check_shows_its_progress_on_a_terminal_only() -> None:
    assert f"/{STAGES}" in in_terminal("check")
    assert run("check").stderr == ""
