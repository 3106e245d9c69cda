"""Mutants of accounts: the query layer, charges, break-even, serializations."""

from typing import Any

from measure.study.damage import Mutant, at, edited_json, more, replaced

_LADDER = "results/ladder.json"
_SCENARIO = "fixtures/scenario.toml"
_BREAK_EVEN = "results/break_even.json"


def _charge_sunk(value: Any) -> None:
    move = value["transitions"][2]
    move["charged"] += move["sunk"]
    move["one_time_tokens"] += move["sunk"][0]["tokens"]


def _charge_nothing(value: Any) -> None:
    move = next(one for one in value["transitions"] if one["charged"])
    move.update(charged=[], one_time_tokens=0, one_time=None, break_even_queries=1)


def _charge_twice(value: Any) -> None:
    account = value["adoption"][0]["account"]
    account["charged"] *= 2
    account["one_time_tokens"] *= 2


def _swap_serializations(value: Any) -> None:
    before, after = (value["transitions"][0][side] for side in ("before", "after"))
    before["serialization"], after["serialization"] = after["serialization"], before["serialization"]


def _call_minified(value: Any) -> None:
    adoption = next(one for one in value["adoption"] if one["contract_serialization"] == "pretty")
    adoption["contract_serialization"] = "minified"


MUTANTS = (
    Mutant(
        "query-layer",
        "a rung of another text than the layer answers",
        edited_json(_LADDER, at("rungs", 4, "payload_sha256", to="0" * 64)),
    ),
    Mutant(
        "query-layer", "a query whose fields stand in another order", replaced(_SCENARIO, "{ id status", "{ status id")
    ),
    Mutant("charges", "a sunk text charged again", edited_json(_BREAK_EVEN, _charge_sunk)),
    Mutant("charges", "a transition without its prerequisites", edited_json(_BREAK_EVEN, _charge_nothing)),
    Mutant("charges", "a contract charged twice", edited_json(_BREAK_EVEN, _charge_twice)),
    Mutant(
        "charges",
        "an argument declared for nothing",
        edited_json(_BREAK_EVEN, at("over_mcp", 0, "charged", 0, "tokens", to=0)),
    ),
    Mutant(
        "break-even",
        "a break-even off by one",
        edited_json(_BREAK_EVEN, at("transitions", 3, "break_even_queries", to=more(-1))),
    ),
    Mutant(
        "break-even",
        "a break-even where there is none",
        edited_json(_BREAK_EVEN, at("transitions", 2, "reason", to="never")),
    ),
    Mutant(
        "break-even",
        "a net off by a token",
        edited_json(_BREAK_EVEN, at("adoption", 0, "account", "net", 2, "tokens", to=more(1))),
    ),
    Mutant(
        "break-even",
        "a framing that does not pay yet",
        edited_json(_BREAK_EVEN, at("batches", 0, "break_even_framing", to=more(-1))),
    ),
    Mutant("serializations", "the two sides' serializations exchanged", edited_json(_BREAK_EVEN, _swap_serializations)),
    Mutant(
        "serializations",
        "mixed serializations that are not called so",
        edited_json(_BREAK_EVEN, at("transitions", 0, "mixed_serializations", to=False)),
    ),
    Mutant("serializations", "a pretty contract called minified", edited_json(_BREAK_EVEN, _call_minified)),
)
