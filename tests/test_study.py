"""The recorded study: fixtures written again, gates green, each seen red, no value drifted."""

import json
import runpy
from pathlib import Path

import msgspec
import pytest

from measure import results
from measure.errors import BadInput, Refused
from measure.gates import GATES, Subject, verdict
from measure.records import RecordSet
from measure.report.documents import documents
from measure.scenario import scenario, tasks
from measure.study import STAGES, TABLES, check, hunt, hunt_all, measured, record
from measure.study.experiment import Elsewhere
from measure.study.manifest import PUBLISHED
from measure.study.mutants import MUTANTS
from measure.study.published import published

ROOT = Path(__file__).parent.parent


def test_the_fixtures_are_what_the_script_writes() -> None:
    written = runpy.run_path(str(ROOT / "fixtures" / "generate.py"))["generate"]()
    assert written == {name: (ROOT / "fixtures" / name).read_bytes() for name in written}


def test_the_shapes_are_what_their_script_writes() -> None:
    written = runpy.run_path(str(ROOT / "fixtures" / "generate_shapes.py"))["generate"]()
    folder = ROOT / "fixtures" / "shapes"
    assert written == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_sessions_are_what_their_script_writes() -> None:
    written = runpy.run_path(str(ROOT / "fixtures" / "generate_sessions.py"))["generate"]()
    folder = ROOT / "fixtures" / "sessions"
    assert written == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_fixtures_have_the_proportions_that_the_original_describes(study: Subject) -> None:
    rows = [
        dict(zip(records.fields, row, strict=True)) for records in [tasks(study.files, 500)] for row in records.rows()
    ]
    assert [row["id"] for row in rows] == [f"TASK-{number:04d}" for number in range(1, 501)]
    assert {len(row["name"].split()) for row in rows} == {3, 4, 5, 6}
    assert [len({row[field] for row in rows}) for field in ("status", "priority", "assignee")] == [5, 4, 20]
    lengths = [len(row["description"]) for row in rows]
    assert 90 < sum(lengths) / len(lengths) < 115
    assert all(row["description"].count(". ") <= 1 and row["description"].endswith(".") for row in rows)
    assert all(row["created"] <= row["updated"] for row in rows)


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
def test_gate_is_green_on_the_recorded_study(gate, study: Subject) -> None:
    assert verdict(gate, study).said == ()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.gate}: {mutant.damage}")
def test_mutant_turns_its_own_gate_red(mutant, study: Subject) -> None:
    gate = next(gate for gate in GATES if gate.name == mutant.gate)
    assert not verdict(gate, mutant.apply(study)).green


def test_every_gate_has_a_mutant_and_the_original_had_fewer() -> None:
    assert {gate.name for gate in GATES} == {mutant.gate for mutant in MUTANTS}
    assert len(MUTANTS) > 17


def test_a_mutant_that_damages_nothing_survives_and_is_named(study: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    harmless = msgspec.structs.replace(MUTANTS[0], damage="nothing at all", apply=lambda subject: subject)
    monkeypatch.setattr("measure.study.hunt.MUTANTS", (*MUTANTS, harmless))
    with pytest.raises(Refused, match="fixtures survived: nothing at all"):
        hunt.run(study)


def test_a_gate_without_a_mutant_is_named(study: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("measure.study.hunt.MUTANTS", tuple(one for one in MUTANTS if one.gate != "scales"))
    with pytest.raises(Refused, match="scales has no mutant"):
        hunt.run(study)


def test_results_that_are_no_results_turn_gates_red_and_raise_nothing(study: Subject) -> None:
    for junk in (b"", b"[]", b"{}", b'{"rungs": 7, "steps": [null]}', b"\xff"):
        files = {path: junk if path.endswith("ladder.json") else data for path, data in study.files.items()}
        damaged = msgspec.structs.replace(study, files=files)
        assert not all(verdict(gate, damaged).green for gate in GATES)


def test_measuring_again_gives_the_recorded_bytes(study: Subject) -> None:
    again = record(study.files, Elsewhere(), documents)
    assert {path: data for path, data in again.items() if study.files.get(path) != data} == {}


def test_check_names_every_drift_and_is_not_disturbed_in_its_hunt(study: Subject) -> None:
    ladder = json.loads(study.files["results/ladder.json"])
    ladder["rungs"][0]["tokens"] += 1
    files = {**study.files, "results/ladder.json": results.canonical(ladder)}
    verdicts, drifts = check(files, Elsewhere(), documents)
    said = {one.gate.name: one.said for one in verdicts}
    tokens = ladder["rungs"][0]["tokens"]
    assert said["drift"][0] == (
        f"results/ladder.json  rungs[0].tokens[rung=L0 rows=5 encoding=cl100k_base]"
        f"  recorded {tokens}  measured {tokens - 1}"
    )
    assert drifts == []


def test_check_notices_an_edited_table_of_mutants(study: Subject) -> None:
    table = json.loads(study.files["results/mutants.json"])
    table["mutants"][0]["said"] = "nothing"
    verdicts, drifts = check({**study.files, "results/mutants.json": results.canonical(table)}, Elsewhere(), documents)
    assert all(one.green for one in verdicts)
    assert len(drifts) == 1
    assert (
        "mutants[0].said[gate=fixtures damage=one byte of a fixture]  recorded nothing  measured fixtures/tasks-5.json"
        in drifts[0]
    )


def test_a_red_gate_stops_the_recording(study: Subject) -> None:
    aliases = study.files["fixtures/scenario.toml"].replace(b'status = "s"', b'status = "st"')
    with pytest.raises(Refused, match="scenario is red: the legend does not explain exactly"):
        record({**study.files, "fixtures/scenario.toml": aliases}, Elsewhere(), documents)


def test_progress_counts_every_stage(study: Subject) -> None:
    stages: list[str] = []
    record(study.files, Elsewhere(), documents, stages.append)
    assert len(stages) == STAGES


def test_an_earlier_hunt_does_not_change_the_next(study: Subject) -> None:
    bare = {path: data for path, data in study.files.items() if "mutants" not in path}
    assert hunt_all(bare, documents) == hunt_all(study.files, documents)


@pytest.mark.parametrize("name", ["results/replication.json", "measure/study/published.toml"])
def test_a_replication_that_was_edited_is_not_recorded_again(name: str, study: Subject, monkeypatch) -> None:
    edited = study.files[name].replace(b"485", b"486")
    monkeypatch.setattr(
        "measure.study.manifest.facts", lambda: edited if name.endswith(".toml") else study.files[PUBLISHED]
    )
    with pytest.raises(Refused, match=f"{name}: changed since results/(replication|mcp_servers).json was measured"):
        measured({**study.files, name: edited}, Elsewhere())


def test_without_a_recorded_replication_the_remedy_is_named(study: Subject) -> None:
    files = {path: data for path, data in study.files.items() if "replication" not in path}
    with pytest.raises(BadInput, match="missing, and the original's data is not here; restore it, or measure it again"):
        measured(files, Elsewhere())


def test_the_recorded_replication_is_kept_where_the_originals_data_is_not(study: Subject) -> None:
    assert measured(study.files, Elsewhere())["results/replication.json"] == study.files["results/replication.json"]


@pytest.mark.parametrize("name", TABLES)
def test_every_result_lies_beside_its_schema(name: str, study: Subject) -> None:
    assert results.path(name) in study.files
    assert study.files[results.schema_path(name)] == results.schema(TABLES[name])


def test_a_range_is_judged_by_its_farthest_saving(study: Subject) -> None:
    verdicts = json.loads(study.files["results/ranges.json"])["verdicts"]
    assert {one["step"] for one in verdicts} == {one.step for one in published().ranges}
    assert len(verdicts) == len(published().ranges) * len(scenario(study.files).encodings)
    assert {one["holds"] for one in verdicts} == {True, False}


def test_the_smaller_scales_are_the_first_rows_of_the_larger(study: Subject) -> None:
    largest = list(tasks(study.files, 500).rows())
    for rows in (5, 20, 100):
        assert list(tasks(study.files, rows).rows()) == largest[:rows]
    assert isinstance(tasks(study.files, 5), RecordSet)
