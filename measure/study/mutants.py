"""Mutants: each breaks the study once, in a copy, and the gate that it names must go red. No survivor.

A gate that nobody has seen red proves nothing. The table is data: what is damaged, which gate must notice,
and a function from a subject to the damaged subject. Other gates may go red too; that is not required.
"""

from typing import Any

import msgspec

from measure.gates import Subject
from measure.study.breakages import (
    DropsRow,
    EndsLinesWithCRLF,
    ForgetsQuotes,
    SplitsLines,
    SwapsColumns,
    TrimsValues,
    broken_rung,
)
from measure.study.damage import Mutant, at, edited, edited_json, more, replaced, without


def _swap_steps(value: Any) -> None:
    steps = value["steps"]
    steps[0]["saving"], steps[4]["saving"] = steps[4]["saving"], steps[0]["saving"]


def _flip_vocabulary_byte(subject: Subject) -> Subject:
    data = subject.vocabularies["cl100k_base"]
    damaged = {**subject.vocabularies, "cl100k_base": b"J" + data[1:]}
    return msgspec.structs.replace(subject, vocabularies=damaged)


_LADDER, _RANGES, _REPLICATION = (
    "results/ladder.json",
    "results/ranges.json",
    "results/replication.json",
)
_TASKS_5, _TASKS_20 = "fixtures/tasks-5.json", "fixtures/tasks-20.json"
_SCENARIO = "fixtures/scenario.toml"


MUTANTS = (
    Mutant("fixtures", "one byte of a fixture", replaced(_TASKS_5, "TASK-0003", "TASK-0008")),
    Mutant("fixtures", "a row dropped from a fixture", edited_json(_TASKS_20, lambda rows: rows.pop(7))),
    Mutant(
        "fixtures",
        "a fixture that the manifest does not list",
        lambda s: msgspec.structs.replace(s, files={**s.files, "fixtures/tasks-7.json": b"[]"}),
    ),
    Mutant(
        "scales",
        "two rows of the 20 exchanged",
        edited_json(_TASKS_20, lambda rows: rows.insert(0, rows.pop(1))),
    ),
    Mutant("scales", "a row missing at 5 rows", edited_json(_TASKS_5, lambda rows: rows.pop())),
    Mutant("scenario", "the query names other fields", replaced(_SCENARIO, "{ id status", "{ id name")),
    Mutant("scenario", "the legend lacks an alias", replaced(_SCENARIO, "s = status\n", "")),
    Mutant(
        "scenario",
        "a field renamed in a fixture",
        edited(_TASKS_5, lambda data: data.replace(b'"updated"', b'"changed"')),
    ),
    Mutant("aliases", "two columns on one alias", replaced(_SCENARIO, 'status = "s"', 'status = "i"')),
    Mutant("aliases", "an alias that shortens nothing", replaced(_SCENARIO, 'id = "i"', 'id = "id"')),
    Mutant("aliases", "a column without an alias", replaced(_SCENARIO, 'assignee = "a"\n', "")),
    Mutant("vocabulary", "one byte of a vocabulary", _flip_vocabulary_byte),
    Mutant(
        "same-records",
        "a rung made of other records",
        edited_json(_LADDER, at("rungs", 3, "records_sha256", to="0" * 64)),
    ),
    Mutant("same-records", "a rung left out", edited_json(_LADDER, lambda value: value["rungs"].pop(4))),
    Mutant(
        "same-records",
        "a rung counted at a scale that is not in the study",
        edited_json(_LADDER, at("rungs", 3, "rows", to=6)),
    ),
    Mutant("round-trip", "an encoder that drops the last row", broken_rung("L1", DropsRow)),
    Mutant(
        "round-trip",
        "an encoder that exchanges two columns under one header",
        broken_rung("L4", SwapsColumns),
    ),
    Mutant("round-trip", "a decoder that trims values", broken_rung("L4", TrimsValues)),
    Mutant("round-trip", "an encoder that forgets to quote", broken_rung("L4", ForgetsQuotes)),
    Mutant(
        "round-trip",
        "a decoder that splits lines before it looks at quotes",
        broken_rung("L4", SplitsLines),
    ),
    Mutant(
        "round-trip",
        "a lossy rung recorded",
        edited_json(_LADDER, at("rungs", 4, "lossless", to=False)),
    ),
    Mutant(
        "closure",
        "a step that saves one token more",
        edited_json(_LADDER, at("steps", 2, "saving", "saved_tokens", to=more(1))),
    ),
    Mutant(
        "closure",
        "a step that starts where none ended",
        edited_json(_LADDER, at("steps", 1, "before_tokens", to=more(1))),
    ),
    Mutant("closure", "a step left out", edited_json(_LADDER, lambda value: value["steps"].pop(3))),
    Mutant("denominators", "two denominators exchanged", edited_json(_LADDER, _swap_steps)),
    Mutant(
        "denominators",
        "a denominator under another serialization's name",
        edited_json(_LADDER, at("steps", 1, "saving", "denominator", "serialization", to="pretty")),
    ),
    Mutant(
        "denominators",
        "a cumulative saving in percent of the rung below",
        edited_json(
            _LADDER,
            lambda value: at("steps", 1, "cumulative", to=value["steps"][1]["saving"])(value),
        ),
    ),
    Mutant(
        "percentages",
        "a percentage one ten-thousandth off",
        edited_json(_LADDER, at("steps", 0, "saving", "percent", to=lambda old: round(old + 0.0001, 4))),
    ),
    Mutant(
        "percentages",
        "a display that rounds the other way",
        edited_json(_RANGES, at("verdicts", 0, "measured", 0, "saving", "display", to="99.99 %")),
    ),
    Mutant(
        "ranges",
        "a range that fails called holding",
        edited_json(_RANGES, lambda value: [one.update(holds=True) for one in value["verdicts"]]),
    ),
    Mutant(
        "ranges",
        "a distance from the range off by a hundredth",
        edited_json(_RANGES, at("verdicts", 1, "measured", 0, "points_outside", to=lambda old: old + 0.01)),
    ),
    Mutant(
        "replication",
        "a figure that differs called equal",
        edited_json(_REPLICATION, at("figures", 0, "ours", to=more(1))),
    ),
    Mutant(
        "replication",
        "an explanation that explains nothing",
        edited_json(_REPLICATION, at("figures", 33, "explained", to="rounded twice")),
    ),
    Mutant(
        "replication",
        "one figure too many counted as equal",
        edited_json(_REPLICATION, at("equal_figures", to=more(1))),
    ),
    Mutant(
        "schema",
        "a percentage without its denominator",
        edited_json(_LADDER, lambda value: value["steps"][0]["saving"].pop("denominator")),
    ),
    Mutant(
        "schema",
        "a property that the schema does not know",
        edited_json(_LADDER, lambda value: value.update(note="checked")),
    ),
    Mutant(
        "schema",
        "a schema that allows more",
        replaced(
            "results/ladder.schema.json",
            '"additionalProperties": false',
            '"additionalProperties": true',
        ),
    ),
    Mutant(
        "manifest",
        "the lock of another installation",
        edited("requirements.lock", lambda data: data + b"\n"),
    ),
    Mutant("manifest", "results of another run", replaced(_LADDER, '"tokens": ', '"tokens": 1')),
    Mutant(
        "canonical",
        "a result with other white space",
        replaced(_LADDER, '  "evidence"', '    "evidence"'),
    ),
    Mutant(
        "canonical",
        "a time in a result",
        edited_json("results/manifest.json", at("command", to="measure run at 2026-11-30T12:00:00")),
    ),
    Mutant(
        "canonical",
        "a path of a machine in a result",
        edited_json("results/manifest.json", at("command", to="/home/someone/measure run")),
    ),
    Mutant(
        "documents",
        "a number edited in the README's table",
        replaced("README.md", "| L4 |", "| L4  |"),
    ),
    Mutant("documents", "a stale table beside the results", replaced("results/README.md", "| L0", "| L9")),
    Mutant(
        "drift",
        "one recorded count, one token off",
        edited_json(_LADDER, at("rungs", 3, "tokens", to=more(1))),
    ),
    Mutant("drift", "a recorded table lost", without(_RANGES)),
    Mutant("drift", "a format that ends its lines otherwise", broken_rung("L4", EndsLinesWithCRLF)),
)
