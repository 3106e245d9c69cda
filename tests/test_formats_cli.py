"""`measure formats` and `measure explain`: a user's own rows in whatever file, in 80 columns; bad input in one line."""

import json
from pathlib import Path

import pytest
from test_cli import ROOT, run

from measure.engines import installed
from measure.families import SPLINTR
from measure.formats import FORMATS
from measure.representation import all_formats
from measure.shapes import shapes
from measure.study import checkout

BOARD = str(ROOT / "fixtures" / "tasks-100.json")
KEPT = "id,status,assignee,priority"
SPARSE = str(ROOT / "fixtures" / "shapes" / "sparse.json")
SHAPES = shapes(checkout.fixtures(ROOT))


def in_80_columns(shown: str) -> bool:
    return max(map(len, shown.splitlines())) <= 80


def test_formats_json_is_the_record_of_the_results(study) -> None:
    ours = json.loads(run("formats", BOARD, "--fields", KEPT, "--json").stdout)
    [recorded] = [one for one in study.plain("results/formats.json")["shapes"] if one["shape"] == "board, 4 fields"]
    assert ours["counts"] == [one for one in recorded["counts"] if one["encoding"] == "cl100k_base"]
    assert ours["fields"] == KEPT.split(",")


def test_formats_ranks_every_representation() -> None:
    shown = run("formats", BOARD, "--fields", KEPT).stdout
    assert shown.startswith("tasks-100.json · 100 rows, 4 fields · cl100k_base\n")
    names = [line.split(" ")[0] for line in shown.splitlines()[3 : 3 + len(all_formats())]]
    assert set(names) == set(all_formats())
    assert names[0] == "space"
    assert "percent of the 2,132 tokens of minified JSON" in shown


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_both_commands_take_every_shape_of_the_study_in_80_columns(shape) -> None:
    options = ["--sparse"] * shape.sparse
    for command in ("formats", "explain"):
        done = run(command, str(ROOT / shape.file), *options)
        assert (done.exit_code, done.stderr) == (0, "")
        assert in_80_columns(done.stdout)


def test_a_lossy_format_says_no_and_what_was_lost() -> None:
    shown = run("formats", SPARSE, "--sparse", "--format", "csv", "--format", "typed").stdout
    assert [line.split()[0] for line in shown.splitlines()[3:6]] == ["typed", "minified", "csv"]
    assert shown.splitlines()[5].endswith("  NO")
    assert "csv: weight, 47 numbers read back as string" in shown
    assert "missing values read back as" in shown


def test_formats_reads_csv_json_lines_and_standard_input(tmp_path: Path) -> None:
    made = {"rows.csv": "id,note\n1,a b\n2,\n", "rows.jsonl": '{"id": 1, "note": "a b"}\n{"id": 2, "note": ""}\n'}
    for name, text in made.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        from_file = run("formats", str(tmp_path / name), "--json")
        piped = run("formats", "-", "--json", given=text.encode())
        assert from_file.stdout == piped.stdout
        assert len(json.loads(piped.stdout)["counts"]) == len(all_formats())
        assert run("formats", "-", given=text.encode()).stdout.startswith("standard input · 2 rows, 2 fields")


def test_formats_names_what_cannot_write_these_rows() -> None:
    shown = run("formats", "-", given=b'[{"a\\u0001b": "x"}]').stdout
    assert "xml cannot write these rows: XML 1.0 cannot write a character" in shown
    assert "\nxml " not in shown.partition("percent of")[0]


def test_both_commands_count_in_another_encoding() -> None:
    for command in ("formats", "explain"):
        assert "o200k_base" in run(command, BOARD, "--encoding", "o200k_base").stdout.splitlines()[0]


@pytest.mark.skipif(not installed(SPLINTR), reason="splintr-rs is not installed")
def test_formats_counts_in_a_family_and_explain_says_that_it_cannot() -> None:
    shown = run("formats", BOARD, "--fields", KEPT, "--encoding", "qwen3").stdout
    assert "percent of the 2,332 tokens of minified JSON" in shown
    assert in_80_columns(shown)
    done = run("explain", BOARD, "--encoding", "qwen3")
    assert done.exit_code == 2
    assert done.stderr.endswith("cannot be told one by one; explain counts in cl100k_base, o200k_base\n")


def test_explain_adds_up_and_shows_the_steps_of_the_ladder() -> None:
    shown = run("explain", BOARD, "--fields", KEPT).stdout
    assert shown.startswith("tasks-100.json · 100 rows · 9,957 tokens as pretty JSON · cl100k_base\n")
    assert "L1->L3   7,158  2,132  5,026  70.22 %" in shown
    made = json.loads(run("explain", BOARD, "--fields", KEPT, "--json").stdout)
    assert made["explained"]["tokens"] == sum(one["tokens"] for one in made["explained"]["fields"]) == 9957
    assert made["ladder"]["rungs"][0]["tokens"] == 9957
    assert [one["field"] for one in made["explained"]["fields"]].count(None) == 1


BAD = [
    (["nowhere.json"], b"", "nowhere.json: No such file or directory"),
    (["-"], b"", "standard input: the file is empty"),
    (["-"], b"[1]", "standard input: "),
    (["-"], b'[{"a": NaN}]', "standard input: "),
    ([SPARSE], b"", "the field 'weight' is missing"),
    ([BOARD, "--fields", "id,nope"], b"", "--fields: unknown field 'nope'"),
    ([BOARD, "--fields", "id,id"], b"", "field 'id' is named twice"),
    ([BOARD, "--encoding", "gemini"], b"", "unknown encoding 'gemini'"),
]


@pytest.mark.parametrize("command", ["formats", "explain"])
@pytest.mark.parametrize(("arguments", "given", "said"), BAD, ids=[said for _, _, said in BAD])
def test_bad_input_is_one_line_and_status_2(command: str, arguments: list[str], given: bytes, said: str) -> None:
    done = run(command, *arguments, given=given)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("measure: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_unknown_format_is_named_with_those_there_are() -> None:
    done = run("formats", BOARD, "--format", "ascii")
    assert done.exit_code == 2
    assert all(name in done.stderr for name in FORMATS if name != "aliased")
