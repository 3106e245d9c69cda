"""The original's own data through our code: every published figure, or the reason why not."""

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from measure.canonical import canonical
from measure.cli import main
from measure.errors import BadInput
from measure.gates import Subject
from measure.reading import read
from measure.study import checkout
from measure.study.published import published
from measure.study.replication import needed, replicate

KEPT = "id,status,assignee,priority"


@pytest.mark.parametrize("scale", published().rung_tokens, ids=lambda scale: f"{scale.rows} rows")
def test_the_ladder_command_prints_the_published_counts_to_the_token(scale, original: Path) -> None:
    path = original / f"tasks-{scale.rows}.json"
    done = CliRunner().invoke(main, ["ladder", str(path), "--fields", KEPT, "--json"])
    assert done.exit_code == 0
    assert {rung["rung"]: rung["tokens"] for rung in json.loads(done.stdout)["rungs"]} == scale.tokens


def test_all_published_figures_are_equal_but_the_one_that_was_rounded_twice(original: Path) -> None:
    table = replicate(checkout.originals(original))
    unequal = [one for one in table.figures if not one.equal]
    assert (table.equal_figures, table.figures_compared, table.different()) == (70, 71, 0)
    assert [(one.figure, one.published, one.ours) for one in unequal] == [
        ("L2->L3, highest of the scales", "43.40 %", "43.39 %")
    ]
    assert unequal[0].explained == "rounded twice: 7,999 of 18,433 is 43.39 %, but 43.3950 rounds to 43.40 %"
    assert all(one.as_published for one in table.inputs)


def test_the_recorded_replication_is_the_one_measured_now(original: Path, study: Subject) -> None:
    table = replicate(checkout.originals(original))
    assert canonical(table) == study.files["results/replication.json"]


def test_the_published_figures_are_those_of_the_originals_own_list(original: Path) -> None:
    theirs = json.loads((original / "published.json").read_bytes())
    ours = published()
    assert {str(one.rows): one.tokens for one in ours.rung_tokens} == theirs["rung_tokens"]
    assert {str(one.rows): one.bytes["L0"] for one in ours.rung_bytes} == theirs["l0_bytes"]
    assert {str(one.rows): one.quotes for one in ours.double_quotes} == theirs["payload_double_quotes"]
    assert {one.step: [one.low, one.high] for one in ours.ranges} == theirs["published_percent_ranges"]
    assert [one.tokens for one in ours.session_texts] == list(theirs["session_text_tokens"].values())
    assert {one.step: one.queries for one in ours.break_even} == theirs["break_even_queries"]
    assert {str(one.queries): one.tokens for one in ours.alias_net} == theirs["alias_net_tokens"]
    lists: dict[str, dict[str, int]] = {}
    for one in ours.tool_lists:
        lists.setdefault(one.contract.replace(" CLI", "_cli"), {})[one.profile] = one.pretty
    assert lists == theirs["mcp_tools_list_tokens"]
    assert {str(one.rows): one.tokens for one in ours.overheads} == theirs["mcp_overhead_tokens"]


def test_written_alike_the_originals_tool_list_is_shorter_than_the_response_and_longer_than_its_descriptions(
    original: Path,
) -> None:
    """What was published, -64, +141, +336 and +620 tokens, is a pretty list minus a minified response."""
    held = replicate(checkout.originals(original)).contracts
    assert {one.published_difference for one in held} == {-64, 141, 336, 620}
    assert len(held) == 16
    whole = {one.shorter for one in held if one.against == "schema response"}
    assert whole == {"tool list"}
    assert {(one.contract, one.profile) for one in held if one.shorter != "tool list"} == {
        (one.contract, one.profile) for one in held
    }


def test_the_scales_of_the_original_are_not_nested(original: Path) -> None:
    """Ours are; the original drew each anew, so between its scales more than the number of rows differs."""
    sets = [read(io.BytesIO((original / f"tasks-{n}.json").read_bytes()), "", ".json") for n in (5, 20)]
    assert sets[1].head(5).digest() != sets[0].digest()


def test_replicate_prints_a_line_a_figure_and_exits_with_0(original: Path) -> None:
    done = CliRunner().invoke(main, ["replicate", str(original)])
    assert done.exit_code == 0
    assert done.stdout.count("  equal\n") == 70
    assert "70 of 71 figures are equal" in done.stdout


def test_figures_of_files_that_are_not_there_are_left_out(original: Path, tmp_path: Path) -> None:
    for name in needed():
        (tmp_path / name).write_bytes((original / name).read_bytes())
    table = replicate(checkout.originals(tmp_path))
    assert (table.figures_compared, table.different()) == (61, 0)


def test_one_changed_row_makes_figures_differ_and_exits_with_1(original: Path, tmp_path: Path) -> None:
    for name in needed():
        (tmp_path / name).write_bytes((original / name).read_bytes())
    changed = (tmp_path / "tasks-5.json").read_text().replace('"assignee": "', '"assignee": "x', 1)
    (tmp_path / "tasks-5.json").write_text(changed)
    done = CliRunner().invoke(main, ["replicate", str(tmp_path)])
    assert done.exit_code == 1
    assert "DIFFERS" in done.stdout
    assert "tasks-5.json: not the published bytes" in done.stdout
    assert "figures differ from the published ones" in done.stderr


def test_a_folder_without_the_data_or_with_other_rows_is_bad_input(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["replicate", str(tmp_path)])
    assert (done.exit_code, done.stderr) == (2, f"measure: {tmp_path / 'tasks-5.json'}: No such file or directory\n")
    with pytest.raises(BadInput, match=r"tasks-5\.json: 1 rows; the study has 5"):
        replicate({"tasks-5.json": b'[{"id":"1","status":"s","assignee":"a","priority":"p"}]'})


def test_a_space_for_each_comma_saves_on_the_originals_rows_what_its_aliases_could_not(original: Path) -> None:
    found = {one.rows: one for one in replicate(checkout.originals(original)).delimiters}
    assert {rows: one.space_tokens for rows, one in found.items() if rows >= 100} == {100: 885, 500: 4384}
    assert {one.aliases.saved_tokens for one in found.values()} == {2}
    assert {one.space.denominator.of for one in found.values()} == {"L4"}
    assert found[500].space.saved_tokens == 1364
