"""Mutants of what is written: verdicts, schemas, manifest, bytes, documents, recorded values."""

from typing import Any

from measure.study.breakages import EndsLinesWithCRLF, broken_rung
from measure.study.damage import Mutant, at, edited, edited_json, more, replaced, without

_LADDER = "results/ladder.json"
_RANGES = "results/ranges.json"
_REPLICATION = "results/replication.json"


def _differ(value: Any) -> None:
    next(one for one in value["figures"] if one["equal"])["ours"] = "another"


def _explain(value: Any) -> None:
    next(one for one in value["figures"] if one["equal"] and one["saving"])["explained"] = "rounded twice"


MUTANTS = (
    Mutant(
        "ranges",
        "every verdict on a range turned round",
        edited_json(_RANGES, lambda value: [one.update(holds=not one["holds"]) for one in value["verdicts"]]),
    ),
    Mutant(
        "ranges",
        "a distance from the range off by a hundredth",
        edited_json(_RANGES, at("verdicts", 1, "measured", 0, "points_outside", to=lambda old: old + 0.01)),
    ),
    Mutant(
        "replication",
        "a figure that differs called equal",
        edited_json(_REPLICATION, _differ),
    ),
    Mutant(
        "replication",
        "an explanation that explains nothing",
        edited_json(_REPLICATION, _explain),
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
        "manifest", "results of another tiktoken", replaced("results/manifest.json", '"tiktoken": "', '"tiktoken": "9')
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
    Mutant("documents", "a line moved in a figure", replaced("results/figures/ladder.svg", 'd="M ', 'd="M 1')),
    Mutant("documents", "a figure lost", without("results/figures/ladder.svg")),
    Mutant(
        "drift",
        "one recorded count, one token off",
        edited_json(_LADDER, at("rungs", 3, "tokens", to=more(1))),
    ),
    Mutant("drift", "a recorded table lost", without(_RANGES)),
    Mutant("drift", "a format that ends its lines otherwise", broken_rung("L4", EndsLinesWithCRLF)),
)
