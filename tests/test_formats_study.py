"""Formats in the study: what the results say, each branch of their gates seen red, and families kept where not here."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from measure import reading
from measure.errors import BadInput, Refused
from measure.families import FAMILIES, SPLINTR
from measure.gates import GATES, Subject, verdict
from measure.representation import all_formats, compare
from measure.shapes import shapes
from measure.study.damage import at, edited_json, more, without
from measure.study.experiment import Elsewhere, Inputs
from measure.study.families import SHAPES, FamiliesTable, run
from measure.study.formats import Formats

FORMATS, BEYOND = "results/formats.json", "results/beyond_the_header.json"
FAMILIES_COUNTED, PROJECTIONS = "results/families.json", "results/projections.json"
ENCODINGS = ("cl100k_base", "o200k_base")
Damage = Callable[[Subject], Subject]


def counts(study: Subject, shape: str, encoding: str) -> dict[str, dict[str, Any]]:
    [found] = [one for one in study.plain(FORMATS)["shapes"] if one["shape"] == shape]
    return {one["format"]: one for one in found["counts"] if one["encoding"] == encoding}


def test_the_studys_four_fields_save_most_of_all_choices_of_four(study: Subject) -> None:
    found = study.plain(PROJECTIONS)
    assert len(found["projections"]) == 2 * 254
    for one in found["placed"]:
        assert one["fields"] == ["id", "status", "assignee", "priority"]
        assert (one["choices"], one["save_more"]) == (70, 0)
        assert one["saving"] == one["most"] != one["least"]


def test_one_field_carries_more_than_a_third_of_what_a_projection_can_save(study: Subject) -> None:
    for encoding in ENCODINGS:
        fields = [one for one in study.plain(PROJECTIONS)["fields"] if one["encoding"] == encoding]
        [first, second, *_] = sorted((one["share"]["percent"] for one in fields), reverse=True)
        assert (max(fields, key=lambda one: one["share"]["tokens"])["field"], first > 33, second < 13) == (
            "description",
            True,
            True,
        )


def test_the_space_pays_where_values_are_words_without_spaces(study: Subject) -> None:
    for encoding in ENCODINGS:
        rows = [
            one
            for one in study.plain(BEYOND)["delimiters"]
            if (one["delimiter"], one["encoding"]) == ("space", encoding)
        ]
        saved = {one["shape"]: one["saving"]["percent"] for one in rows}
        assert {shape for shape, percent in saved.items() if percent > 2} == {"board, 4 fields", "wide"}
        assert {shape for shape, percent in saved.items() if 0 < percent <= 2} == {
            "board, 8 fields",
            "lower case",
            "numeric",
        }
        for one in rows:
            if one["spaced_cells"] >= one["cells"] / 5:
                assert one["saving"]["percent"] < 1
                assert one["quoted_cells"] >= one["spaced_cells"] > 0


def test_a_delimiter_keeps_exactly_what_the_comma_keeps(study: Subject) -> None:
    for one in study.plain(BEYOND)["delimiters"]:
        csv = counts(study, one["shape"], one["encoding"])["csv"]
        assert one["lossless"] == csv["lossless"]
        assert one["csv_in_mcp_string"] == csv["in_mcp_string"]


def test_columnar_json_is_lossless_wherever_every_row_has_every_field(study: Subject) -> None:
    sparse = {shape.name for shape in shapes(study.files) if shape.sparse}
    for encoding in ENCODINGS:
        for shape in shapes(study.files):
            assert counts(study, shape.name, encoding)["columnar"]["lossless"] == (shape.name not in sparse)


def test_columnar_json_is_the_cheapest_plain_json_but_for_arrays_and_sparse_rows(study: Subject) -> None:
    found = study.plain(BEYOND)["cheapest"]
    assert {one["standard"] for one in found if one["shape"] != "sparse"} == {"columnar", "arrays"}
    assert {one["standard"] for one in found if one["shape"] == "sparse"} == {"minified"}
    assert all(one["standard_saving"]["percent"] > 0 for one in found if one["shape"] != "sparse")
    assert all(one["columnar_over_cheapest"] >= 0 for one in found)


def test_rankings_flip_with_the_encoding_and_with_the_family(study: Subject) -> None:
    for one in study.plain(BEYOND)["flips"]:
        assert one["tokens"][0] < one["tokens"][1]
        assert one["other_tokens"][0] > one["other_tokens"][1]
        held = counts(study, one["shape"], one["encoding"])
        assert held[one["cheaper"]]["lossless"]
        assert held[one["dearer"]]["lossless"]
    assert len(study.plain(BEYOND)["flips"]) > 5
    flips = study.plain(FAMILIES_COUNTED)["flips"]
    assert {one["family"] for one in flips} >= {"deepseek-v3", "mistral-v3", "claude-4.8"}


def test_no_lossy_format_is_ranked_before_a_lossless_one(study: Subject) -> None:
    for shape in study.plain(FORMATS)["shapes"]:
        for encoding in ENCODINGS:
            marks = [one["lossless"] for one in shape["counts"] if one["encoding"] == encoding]
            assert marks == sorted(marks, reverse=True)
            assert marks[0]


def test_typed_rows_lose_nothing_on_any_shape_and_toon_a_fraction_of_zero(study: Subject) -> None:
    lossy = set()
    for shape in shapes(study.files):
        held = counts(study, shape.name, "cl100k_base")
        assert all(held[name]["lossless"] for name in ("typed", "minified", "jsonl", "yaml", "key_value"))
        if not held["toon"]["lossless"]:
            lossy.add(shape.name)
    assert lossy == {"numeric", "nested", "orders, 500 rows"}  # a number such as 1.0 comes back as an integer


def test_counts_by_a_reconstruction_are_simulated(study: Subject) -> None:
    for one in study.plain(FAMILIES_COUNTED)["counts"]:
        rebuilt = FAMILIES[one["family"]].evidence == "reconstruction"
        assert one["evidence"] == ("simulated" if rebuilt else "measured")


@pytest.mark.parametrize(("rows", "comma", "space"), [(100, 1154, 885), (500, 5748, 4384)])
def test_the_delimiter_saves_what_the_issue_says_on_the_originals_rows(
    rows: int, comma: int, space: int, original: Path
) -> None:
    records = reading.load(original / f"tasks-{rows}.json").project(["id", "status", "assignee", "priority"])
    found = {one.format: one for one in compare(records, ["cl100k_base"]).counts}
    assert (found["compact"].tokens, found["csv"].tokens, found["space"].tokens) == (comma, comma, space)
    assert found["space"].lossless


def elsewhere(study: Subject, monkeypatch: pytest.MonkeyPatch, *, here: bool) -> Inputs:
    """The families experiment where Claude's package is not, or no package is."""
    monkeypatch.setattr("measure.study.families.installed", lambda package: here and package == SPLINTR)
    return Inputs(study.files, Elsewhere(), {"formats": msgspec.json.decode(study.files[FORMATS], type=Formats)})


def test_families_that_are_not_installed_are_kept_as_recorded(study: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(elsewhere(study, monkeypatch, here=True)) == msgspec.json.decode(
        study.files[FAMILIES_COUNTED], type=FamiliesTable
    )
    assert run(elsewhere(study, monkeypatch, here=False)) is None


def test_an_edited_count_is_not_kept(study: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = elsewhere(study, monkeypatch, here=True)
    edited = study.files[FAMILIES_COUNTED].replace(b'"tokens": 3405', b'"tokens": 3404', 1)
    assert edited != study.files[FAMILIES_COUNTED]
    with pytest.raises(Refused, match=r"families\.json: changed since it was measured, and ctok is not here"):
        run(msgspec.structs.replace(inputs, files={**study.files, FAMILIES_COUNTED: edited}))


def test_a_family_that_was_never_recorded_is_named(study: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = elsewhere(study, monkeypatch, here=True)
    renamed = study.files[FAMILIES_COUNTED].replace(b"ctok 1.3.0 (reconstruction)", b"ctok 1.2.0 (reconstruction)")
    monkeypatch.setattr("measure.study.families.unchanged", lambda *_: True)
    with pytest.raises(BadInput, match="claude-3 is not recorded, and ctok is not installed"):
        run(msgspec.structs.replace(inputs, files={**study.files, FAMILIES_COUNTED: renamed}))


def test_both_shapes_of_the_families_are_counted_in_every_format(study: Subject) -> None:
    found = study.plain(FAMILIES_COUNTED)["counts"]
    assert len(found) == len(FAMILIES) * len(SHAPES) * len(all_formats())


def formats(damage: Callable[[Any], object]) -> Damage:
    return edited_json(FORMATS, damage)


def beyond(damage: Callable[[Any], object]) -> Damage:
    return edited_json(BEYOND, damage)


def families(damage: Callable[[Any], object]) -> Damage:
    return edited_json(FAMILIES_COUNTED, damage)


def projections(damage: Callable[[Any], object]) -> Damage:
    return edited_json(PROJECTIONS, damage)


def lose(value: Any) -> None:
    one = next(one for shape in value["shapes"] for one in shape["counts"] if one["lossless"])
    one["lost"] = [{"field": "id", "type": "string", "read_back_as": "null", "values": 1}]


def put_last(value: Any) -> None:
    counts = value["shapes"][4]["counts"]
    counts.insert(0, counts.pop(next(place for place, one in enumerate(counts) if not one["lossless"])))


BRANCHES: list[tuple[str, Damage, str]] = [
    ("formats", formats(lambda value: value["shapes"].reverse()), "not every shape is counted, once and in order"),
    ("formats", formats(lambda value: value["shapes"].pop()), "orders, 500 rows: not every format is counted"),
    (
        "formats",
        formats(lambda value: value["shapes"][1]["counts"].append(value["shapes"][1]["counts"][0])),
        "board, 8 fields: not every format",
    ),
    ("formats", formats(lose), "called lossless: True, decoded again: True"),
    ("formats", formats(at("shapes", 2, "counts", 3, "tokens", to=more(1))), "tokens, counted again"),
    ("formats", formats(at("shapes", 2, "counts", 3, "in_mcp_string", to=more(1))), "more in an MCP string"),
    (
        "formats",
        formats(at("shapes", 0, "counts", 0, "share", "denominator", "serialization", to="pretty")),
        "not of minified JSON of the same rows",
    ),
    ("formats", formats(at("shapes", 0, "counts", 0, "share", "tokens", to=more(1))), "tokens in percent"),
    ("formats", formats(put_last), "a lossy format is ranked among the lossless ones"),
    ("formats", without(FORMATS), "no such file"),
    (
        "beyond",
        beyond(lambda value: value["delimiters"].append(value["delimiters"][0])),
        "not every delimiter is set against the comma",
    ),
    ("beyond", beyond(at("delimiters", 4, "saving", "denominator", "tokens", to=more(1))), "is not the difference"),
    ("beyond", beyond(at("cheapest", 0, "lossless", to="pretty")), "pretty is not the cheapest lossless form"),
    ("beyond", beyond(at("cheapest", 0, "standard", to="jsonl")), "jsonl is not the cheapest plain JSON"),
    ("beyond", beyond(at("cheapest", 1, "lossless_saving", "saved_tokens", to=more(1))), "the savings are not those"),
    ("beyond", beyond(at("cheapest", 2, "columnar_over_cheapest", to=more(1))), "columnar JSON does not cost"),
    ("beyond", beyond(at("flips", 0, "cheaper", to="pretty")), "pairs flip by the table"),
    ("beyond", without(BEYOND), "no such file"),
    (
        "families",
        families(lambda value: value["families"].reverse()),
        "the families counted are not those of the registry",
    ),
    (
        "families",
        families(at("families", 0, "authority", to="splintr-rs 0.23.0")),
        "llama3: counted by splintr-rs 0.23",
    ),
    ("families", families(at("families", 2, "family", to="gemini")), "gemini: counted by"),
    ("families", families(lambda value: value["counts"].pop()), "not every family is counted in every format"),
    ("families", families(at("counts", 0, "evidence", to="simulated")), "counted by a reconstruction: .*llama3"),
    ("families", families(at("counts", 2, "share", "tokens", to=more(1))), "counted again"),
    ("families", families(at("counts", 0, "share", "denominator", "tokens", to=more(1))), "another vocabulary's count"),
    ("families", without(FAMILIES_COUNTED), "no such file"),
    ("projections", projections(at("rows", to=500)), "no fixture|counted again|no such file"),
    (
        "projections",
        projections(lambda value: value["projections"].__delitem__(slice(0, 3))),
        "251 projections, 254 subsets",
    ),
    (
        "projections",
        projections(at("projections", 9, "saving", "denominator", "tokens", to=more(1))),
        "tokens, counted again",
    ),
    ("projections", projections(at("placed", 1, "choices", to=69)), "o200k_base: the study's choice is placed"),
    ("projections", projections(at("fields", 0, "dropped", "saved_tokens", to=more(1))), "dropped alone"),
    ("projections", projections(at("fields", 3, "share", "tokens", to=more(1))), "carries"),
    ("projections", without(PROJECTIONS), "no such file"),
]


@pytest.mark.parametrize(("gate", "damage", "said"), BRANCHES, ids=[f"{gate}: {said}" for gate, _, said in BRANCHES])
def test_every_branch_of_a_gate_says_what_is_wrong(gate: str, damage: Damage, said: str, study: Subject) -> None:
    by_name = {one.name: one for one in GATES}
    lines = verdict(by_name[gate], damage(study)).said
    assert any(re.search(said, line) for line in lines), lines
    assert not verdict(by_name[gate], study).said


@pytest.mark.parametrize("junk", [b"", b"[]", b"{}", b"\xff", json.dumps({"shapes": [None]}).encode()])
def test_no_gate_of_formats_raises_whatever_a_result_holds(junk: bytes, study: Subject) -> None:
    for path, name in zip((FORMATS, BEYOND, FAMILIES_COUNTED, PROJECTIONS), SUBJECTS, strict=True):
        damaged = msgspec.structs.replace(study, files={**study.files, path: junk})
        assert not verdict(next(gate for gate in GATES if gate.name == name), damaged).green


SUBJECTS = ("formats", "beyond", "families", "projections")
