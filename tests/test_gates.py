"""Each branch of a gate, seen red: the mutants prove that every gate can fail, these that every part of it can."""

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from measure.canonical import canonical
from measure.errors import MeasureError
from measure.formats import Aliased, Format
from measure.gates import GATES, Subject, verdict
from measure.records import RecordSet
from measure.study.breakages import broken_rung
from measure.study.damage import at, edited, edited_json, more, replaced, without

LADDER, RANGES, REPLICATION = "results/ladder.json", "results/ranges.json", "results/replication.json"
BREAK_EVEN, ALIASES, MANIFEST = "results/break_even.json", "results/aliases.json", "results/manifest.json"
SCENARIO, FIXTURES = "fixtures/scenario.toml", "fixtures/manifest.json"
SHAPES, SHAPE_FILES = "fixtures/shapes.toml", "fixtures/shapes/manifest.json"
Damage = Callable[[Subject], Subject]


class DropsColumn(Aliased):
    """Writes no last column."""

    def encode(self, records: RecordSet):
        return super().encode(records.project(records.fields[:-1]))


def with_rung(form: Callable[[Any], Format]) -> Damage:
    def apply(subject: Subject) -> Subject:
        rungs = [msgspec.structs.replace(r, form=form) if r.name == "L5" else r for r in subject.rungs]
        return msgspec.structs.replace(subject, rungs=rungs)

    return apply


def added(path: str) -> Damage:
    return lambda subject: msgspec.structs.replace(subject, files={**subject.files, path: b"{}\n"})


def ladder(damage: Callable[[Any], object]) -> Damage:
    return edited_json(LADDER, damage)


def swap_orderings(value: Any) -> None:
    value["steps"] = [step for step in value["steps"] if step["ordering"] != "project-then-minify"]


def replace_display(value: Any) -> None:
    value["steps"][0]["saving"].update(percent="n/a", display="n/a")


def outside(value: Any) -> None:
    next(one for one in value["verdicts"] if one["holds"])["holds"] = False


def call_right(value: Any) -> None:
    """In the reading and in the total of its case, so that they add up."""
    one = next(one for one in value["readings"] if one["wrong_without_error"])
    for table in (one, next(t for t in value["totals"] if (t["case"], t["reader"]) == (one["case"], one["reader"]))):
        table["right"] += 1
        table["wrong_without_error"] -= 1


BRANCHES: list[tuple[str, Damage, str]] = [
    ("fixtures", edited_json(FIXTURES, at("files", 0, "rows", to=6)), "its rows are not the ones"),
    ("fixtures", edited_json(FIXTURES, at("files", 0, "records_sha256", to="0")), "its rows are not the ones"),
    ("fixtures", edited_json(FIXTURES, at("files", 0, "bytes", to=more(1))), "1,721"),
    ("fixtures", without("fixtures/tasks-5.json"), "no such file"),
    ("fixtures", edited_json(SHAPE_FILES, at("files", 0, "rows", to=7)), "id-and-text.json: its rows are not the ones"),
    ("fixtures", edited_json(SHAPE_FILES, at("files", 1, "records_sha256", to=None)), "numeric.json: its rows are not"),
    ("fixtures", edited_json(SHAPE_FILES, at("files", 2, "bytes", to=more(1))), "null-and-boolean.json: SHA-256"),
    ("fixtures", added("fixtures/shapes/other.json"), "shapes/other.json: not in the manifest"),
    ("fixtures", without("fixtures/shapes/wide.json"), "shapes/wide.json: no such file"),
    ("fixtures", replaced(SHAPES, "shapes/nested.json", "shapes/wide.json"), "shapes/nested.json: no shape in"),
    ("fixtures", replaced("fixtures/sessions/mixed.json", "Done.", "done."), "sessions/mixed.json: SHA-256"),
    ("fixtures", added("fixtures/sessions/other.json"), "sessions/other.json: not in the manifest"),
    ("fixtures", without("fixtures/sessions/search.json"), "sessions/search.json: no such file"),
    (
        "fixtures",
        edited_json("fixtures/sessions/manifest.json", at("files", to=lambda files: files[1:])),
        "expected search.json, mixed",
    ),
    ("fixtures", replaced(SHAPES, "sparse = true", "sparse = false"), "sparse: rows lack fields; say sparse = true"),
    ("scenario", replaced(SCENARIO, '"updated"]\n', '"changed"]\n'), "unknown field or preset|its fields are not"),
    ("scenario", replaced(SCENARIO, "scales = [5, 20, 100, 500]", "scales = []"), "Expected `array` of length >= 1"),
    ("aliases", replaced(SCENARIO, 'status = "s"', 'status = "a"'), "the alias 'a' stands for 2 columns"),
    (
        "aliases",
        replaced(SCENARIO, 'id = "i"\n', 'id = "i"\nname = "n"\n'),
        "the alias 'n' stands for 'name', which is not",
    ),
    ("aliases", with_rung(DropsColumn), "the header is written 'i,s,a', not 'i,s,a,p'"),
    ("aliases", with_rung(lambda _: Aliased({})), "the header is written 'id,status,assignee,priority'"),
    (
        "same-records",
        ladder(lambda value: value["rungs"].append({**value["rungs"][0], "rung": "L6"})),
        "not in the study",
    ),
    ("same-records", without(LADDER), "results/ladder.json: missing"),
    (
        "round-trip",
        ladder(at("rungs", 4, "lost", to=[{"field": "id", "type": "integer", "read_back_as": "string", "values": 1}])),
        "lossy",
    ),
    ("closure", ladder(at("rungs", 5, "tokens", to=more(1))), "the rungs say"),
    ("closure", ladder(swap_orderings), "project-then-minify, 5 rows, cl100k_base: no steps"),
    ("denominators", ladder(at("steps", 0, "credit", "denominator", "tokens", to=more(1))), "credit is"),
    ("denominators", ladder(at("steps", 0, "cumulative", "denominator", "of", to="L1")), "cumulative is"),
    (
        "denominators",
        edited_json(RANGES, at("verdicts", 0, "measured", 0, "saving", "saved_tokens", to=more(1))),
        "in the ranges",
    ),
    ("percentages", ladder(at("steps", 0, "saving", "percent", to=lambda old: old + 0.00005)), "is 2"),
    ("percentages", ladder(replace_display), "unreadable: "),
    (
        "percentages",
        edited_json(BREAK_EVEN, at("transitions", 0, "saving", "percent", to=more(1))),
        "results/break_even.json",
    ),
    ("charges", edited_json(BREAK_EVEN, at("session_texts", 2, "tokens", to=more(1))), "skill file"),
    ("charges", edited_json(BREAK_EVEN, at("adoption", to=[])), "the adoptions are not each baseline"),
    (
        "charges",
        edited_json(BREAK_EVEN, lambda value: value["transitions"].pop(3)),
        "the transitions are not each step",
    ),
    (
        "charges",
        edited_json(BREAK_EVEN, at("adoption", 0, "account", "one_time", "denominator", "of", to="L0")),
        "in percent",
    ),
    (
        "break-even",
        edited_json(BREAK_EVEN, at("transitions", 0, "saving", "saved_tokens", to=more(100))),
        "the two texts differ by",
    ),
    ("break-even", edited_json(BREAK_EVEN, at("transitions", 0, "net", to=[])), "no net at all"),
    ("break-even", edited_json(BREAK_EVEN, at("batches", to=[])), "no batches at all"),
    ("break-even", edited_json(BREAK_EVEN, at("batches", 1, "together", "tokens", to=more(-50))), "together, json"),
    (
        "break-even",
        edited_json(BREAK_EVEN, at("batches", 1, "saving", "saved_tokens", to=more(7))),
        "difference of the two sides",
    ),
    (
        "alias-readings",
        edited_json(ALIASES, at("readings", 0, "taken_for", "i", to="name")),
        "decoded again|legend says",
    ),
    ("alias-readings", edited_json(ALIASES, at("readings", 2, "evicted", to=[])), "but holds"),
    (
        "alias-readings",
        edited_json(ALIASES, lambda value: value.update(readings=[], totals=[])),
        "not read at all|not those",
    ),
    ("alias-readings", edited_json(ALIASES, at("totals", 0, "legends", to=more(1))), "the totals are not those"),
    ("alias-readings", edited_json(ALIASES, call_right), "decoded again"),
    (
        "query-layer",
        replaced(SCENARIO, 'full_query = "list() { full }"', 'full_query = "list() { overview }"'),
        "L0, 5 rows",
    ),
    (
        "charges",
        edited_json(BREAK_EVEN, at("transitions", 0, "one_time_tokens", to=more(1))),
        "tokens once are not what",
    ),
    (
        "charges",
        edited_json(BREAK_EVEN, at("adoption", 0, "account", "charged", 0, "tokens", to=more(1))),
        "is not \\d+ tokens",
    ),
    ("break-even", edited_json(BREAK_EVEN, at("transitions", 0, "break_even_queries", to=None)), "break-even None"),
    (
        "break-even",
        edited_json(BREAK_EVEN, at("batches", 0, "break_even_framing", to=more(1))),
        "is not the smallest framing",
    ),
    (
        "serializations",
        edited_json(BREAK_EVEN, at("adoption", 0, "account", "before", "tokens", to=more(1))),
        "is called",
    ),
    (
        "serializations",
        edited_json(BREAK_EVEN, at("batches", 0, "together", "serialization", to="x")),
        "another output",
    ),
    (
        "serializations",
        edited_json(BREAK_EVEN, at("batches", 0, "saving", "denominator", "of", to="x")),
        "separate calls",
    ),
    (
        "serializations",
        edited_json(BREAK_EVEN, at("transitions", 0, "saving", "denominator", "of", to="x")),
        "not of the text",
    ),
    ("alias-readings", edited_json(ALIASES, at("totals", 0, "right", to=more(1))), "the totals are not those"),
    ("ranges", edited_json(RANGES, outside), "called False, but is True"),
    ("replication", edited_json(REPLICATION, at("explained_figures", to=more(1))), "recorded otherwise"),
    ("schema", without("results/ladder.schema.json"), "no such file"),
    ("schema", added("results/other.json"), "no experiment of this name"),
    ("manifest", edited_json(MANIFEST, at("vocabularies", 0, "sha256", to="0")), "not the vocabulary"),
    ("manifest", edited_json(MANIFEST, lambda value: value["files"].pop()), "not in results/manifest.json"),
    ("documents", edited("README.md", lambda _: b"no markers"), "0 generated blocks"),
    ("documents", edited("README.md", lambda data: data + b"\xff"), "unreadable: UnicodeDecodeError"),
    ("drift", added("results/other.json"), "recorded, but no experiment writes it"),
    ("drift", broken_rung("L4", Aliased), "broken|unreadable"),
]


@pytest.mark.parametrize(("name", "damage", "said"), BRANCHES, ids=[f"{name}: {said}" for name, _, said in BRANCHES])
def test_every_branch_of_a_gate_says_what_is_wrong(name: str, damage: Damage, said: str, study: Subject) -> None:
    gate = next(gate for gate in GATES if gate.name == name)
    assert re.search(said, "\n".join(verdict(gate, damage(study)).said))


@pytest.mark.parametrize(
    "junk", [b"", b"[]", b"{}", b"null", b'{"rungs": 7}', b"\xff", canonical({"steps": [], "rungs": []})]
)
def test_no_gate_raises_whatever_a_result_holds(junk: bytes, study: Subject) -> None:
    for path in (LADDER, RANGES, BREAK_EVEN, ALIASES, MANIFEST, REPLICATION, SCENARIO):
        damaged = msgspec.structs.replace(study, files={**study.files, path: junk})
        assert not all(verdict(gate, damaged).green for gate in GATES)


def test_what_a_gate_said_before_it_failed_is_kept(study: Subject) -> None:
    def check(_: Subject):
        yield "first"
        raise MeasureError("then")

    gate = msgspec.structs.replace(GATES[0], check=check)
    assert verdict(gate, study).said == ("first", "then")


def test_the_recorded_study_is_json_that_the_standard_library_reads(study: Subject) -> None:
    for path in study.recorded():
        assert json.loads(study.files[path])
