"""The store writes whole files or none, in one form, and names every leaf that has drifted."""

import json
from pathlib import Path

import jsonschema
import pytest

from measure import results
from measure.canonical import canonical
from measure.errors import BadInput
from measure.ladder import Ladder, climb
from measure.records import RecordSet
from measure.study import TABLES

RECORDS = RecordSet.of([{"id": "T-1", "status": "open"}, {"id": "T-2", "status": "done"}])
LADDER = climb(RECORDS, ["id"], {"id": "i"}, ["cl100k_base"])


def plain() -> dict:
    return json.loads(canonical(LADDER))


def validate(value: object) -> None:
    jsonschema.validate(value, json.loads(results.schema(Ladder)), cls=jsonschema.Draft202012Validator)


def test_a_result_validates_against_the_schema_beside_it() -> None:
    validate(plain())


@pytest.mark.parametrize("name", TABLES)
def test_every_schema_is_one_and_refuses_unknown_properties_throughout(name: str) -> None:
    schema = json.loads(results.schema(TABLES[name]))
    jsonschema.Draft202012Validator.check_schema(schema)
    objects = [one for one in schema["$defs"].values() if one["type"] == "object"]
    assert objects
    assert all(one["additionalProperties"] is False for one in objects)


@pytest.mark.parametrize("key", ["denominator", "saved_tokens", "display", "percent"])
def test_a_percentage_without_its_denominator_or_any_part_does_not_validate(key: str) -> None:
    value = plain()
    del value["steps"][0]["saving"][key]
    with pytest.raises(jsonschema.ValidationError, match=key):
        validate(value)


@pytest.mark.parametrize("key", ["of", "serialization", "tokens"])
def test_a_denominator_without_a_name_a_serialization_or_a_count_does_not_validate(key: str) -> None:
    value = plain()
    del value["steps"][0]["saving"]["denominator"][key]
    with pytest.raises(jsonschema.ValidationError, match=key):
        validate(value)


def test_a_bare_percentage_beside_the_others_does_not_validate() -> None:
    value = plain()
    value["steps"][0]["percent"] = 12.5
    with pytest.raises(jsonschema.ValidationError, match="percent"):
        validate(value)


def test_a_table_is_read_back_as_it_was_written() -> None:
    assert results.table({"results/ladder.json": canonical(LADDER)}, "ladder", Ladder) == LADDER


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "results/ladder.json: missing; `measure run` writes it"),
        ({"results/ladder.json": b"{"}, "results/ladder.json: "),
        ({"results/ladder.json": b"\xff"}, "results/ladder.json: "),
        ({"results/ladder.json": b"{}"}, "results/ladder.json: Object missing required field `evidence`"),
    ],
)
def test_a_table_that_cannot_be_read_is_named(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        results.table(files, "ladder", Ladder)
    assert str(caught.value).startswith(message)


def test_drift_names_the_leaf_and_what_was_recorded_and_measured() -> None:
    changed = plain()
    changed["rungs"][3]["tokens"] += 1_000
    tokens = LADDER.rungs[3].tokens
    assert list(results.differences("results/ladder.json", canonical(changed), canonical(LADDER))) == [
        "results/ladder.json  rungs[3].tokens[rung=L3 rows=2 encoding=cl100k_base]"
        f"  recorded {tokens + 1_000:,}  measured {tokens}"
    ]


def test_drift_names_every_leaf_and_what_is_missing_or_added() -> None:
    changed = plain()
    del changed["rungs"][0]["lossless"]
    changed["rungs"][1]["note"] = "x"
    changed["projected"].append("status")
    changed["rungs"][2]["lossless"] = 1
    lines = list(results.differences("r", canonical(changed), canonical(LADDER)))
    assert [line.split("  ")[1:] for line in lines] == [
        ["projected[1]", "recorded status", "measured nothing"],
        ["rungs[0].lossless[rung=L0 rows=2 encoding=cl100k_base]", "recorded nothing", "measured true"],
        ["rungs[1].note[rung=L1 rows=2 encoding=cl100k_base]", "recorded x", "measured nothing"],
        ["rungs[2].lossless[rung=L2 rows=2 encoding=cl100k_base]", "recorded 1", "measured true"],
    ]


def test_other_bytes_of_the_same_values_are_drift_too() -> None:
    other = canonical(LADDER).replace(b"  ", b"   ")
    assert list(results.differences("r", other, canonical(LADDER))) == [
        "r  same values, other bytes: it was not written by `measure run`"
    ]
    assert list(results.differences("r", b"{", canonical(LADDER))) == ["r  is not JSON, or not the recorded text"]
    assert not list(results.differences("r", canonical(LADDER), canonical(LADDER)))


def test_files_are_written_whole_and_nothing_else_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "results"
    results.write(folder, {"results/a.json": b"1\n", "results/b.json": b"2\n"})
    assert results.read(folder) == {"results/a.json": b"1\n", "results/b.json": b"2\n"}


def test_a_folder_that_cannot_be_written_keeps_what_it_had(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"old\n")
    (tmp_path / ".b.json.writing").mkdir()  # the second file cannot be written
    with pytest.raises(BadInput, match=f"{tmp_path}: cannot be written"):
        results.write(tmp_path, {"results/a.json": b"new\n", "results/b.json": b"new\n"})
    assert (tmp_path / "a.json").read_bytes() == b"old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".b.json.writing", "a.json"]


def test_what_an_earlier_writing_left_behind_is_no_result_and_is_cleared(tmp_path: Path) -> None:
    (tmp_path / ".a.json.writing").write_bytes(b'{"half')
    assert results.read(tmp_path) == {}
    results.write(tmp_path, {"results/a.json": b"new\n"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.json": b"new\n"}


def test_an_interrupted_writing_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_bytes(b"old\n")
    write = Path.write_bytes

    def interrupted(path: Path, data: bytes) -> int:
        write(path, data[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        results.write(tmp_path, {"results/a.json": b"new\n"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.json": b"old\n"}


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "scenario.toml").write_bytes(b"x")
    with pytest.raises(BadInput, match=r"holds what is no result: scenario\.toml; name an empty folder"):
        results.write(tmp_path, {"results/manifest.json": b"new\n"})
    assert [path.name for path in tmp_path.iterdir()] == ["scenario.toml"]


def test_a_record_left_out_or_added_is_one_line() -> None:
    changed = plain()
    del changed["rungs"][2]
    assert list(results.differences("r", canonical(changed), canonical(LADDER))) == [
        "r  rungs[2][rung=L2 rows=2 encoding=cl100k_base]  recorded nothing  measured a record"
    ]
    assert list(results.differences("r", canonical(LADDER), canonical(changed))) == [
        "r  rungs[2][rung=L2 rows=2 encoding=cl100k_base]  recorded a record  measured nothing"
    ]


def test_canonical_json_holds_no_number_that_json_lacks() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"x": float("nan")})
