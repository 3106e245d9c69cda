"""Mutants of alias readings."""

from typing import Any

from measure.study.damage import Mutant, at, edited_json, more

_ALIASES = "results/aliases.json"


def _call_right(value: Any) -> None:
    one = next(one for one in value["readings"] if one["wrong_without_error"])
    one["wrong_without_error"] -= 1
    one["right"] += 1


MUTANTS = (
    Mutant("alias-readings", "a wrong record called right", edited_json(_ALIASES, _call_right)),
    Mutant("alias-readings", "a record forgotten", edited_json(_ALIASES, at("readings", 0, "right", to=more(-1)))),
)
