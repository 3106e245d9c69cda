"""Mutants of what is counted: records, round trips, steps, denominators, percentages."""

from typing import Any

from measure.study.breakages import DropsRow, ForgetsQuotes, SplitsLines, SwapsColumns, TrimsValues, broken_rung
from measure.study.damage import Mutant, at, edited_json, more

_LADDER = "results/ladder.json"
_RANGES = "results/ranges.json"


def _swap_steps(value: Any) -> None:
    steps = value["steps"]
    steps[0]["saving"], steps[4]["saving"] = steps[4]["saving"], steps[0]["saving"]


MUTANTS = (
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
    Mutant(
        "denominators",
        "a step that ends at another serialization",
        edited_json(_LADDER, at("steps", 2, "after_serialization", to="pretty")),
    ),
    Mutant(
        "denominators",
        "a range in percent of another rung",
        edited_json(_RANGES, at("verdicts", 1, "measured", 0, "saving", "denominator", "of", to="L0")),
    ),
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
)
