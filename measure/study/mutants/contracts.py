"""Mutants of MCP as constructed: contracts, comparisons, envelopes."""

from typing import Any

from measure.study.damage import Mutant, at, edited_json, more, replaced

_MCP = "results/mcp.json"
_REPLICATION = "results/replication.json"


def _drop_profile(value: Any) -> None:
    value["contracts"] = [row for row in value["contracts"] if row["profile"] != "structured"]


def _drop_payload(value: Any) -> None:
    value["envelopes"] = [row for row in value["envelopes"] if row["rung"] != "L2"]


def _mix(value: Any) -> None:
    """As published: the pretty list, against the minified response."""
    rows = value["comparisons"]
    row = next(one for one in rows if one["serialization"] == "pretty")
    other = next(one for one in rows if one["serialization"] == "minified" and one["contract"] == row["contract"])
    _set(row, other["other_tokens"])


def _set(row: Any, other: int) -> None:
    row["other_tokens"] = other
    row["difference"] = row["tool_list_tokens"] - other
    row["shorter"] = "tool list" if row["difference"] < 0 else row["against"]


def _mix_the_originals(value: Any) -> None:
    rows = [one for one in value["contracts"] if one["against"] == "schema response"]
    pretty = next(one for one in rows if one["serialization"] == "pretty")
    _set(pretty, next(one for one in rows if one["serialization"] == "minified")["other_tokens"])


def _shift(value: Any) -> None:
    """From one part to another, so that they still add up."""
    for row in value["envelopes"]:
        row["parts"]["breaks"] += 1
        row["parts"]["fusion"] -= 1


def _drop_variations(value: Any) -> None:
    value["variations"] = [row for row in value["variations"] if row["variation"] == "as in the study"]


def _call_constant(value: Any) -> None:
    next(one for one in value["variations"] if not one["constant"])["constant"] = True


MUTANTS = (
    Mutant(
        "contracts",
        "a constructed contract labelled captured",
        edited_json(_MCP, at("contracts", 0, "evidence", to="captured")),
    ),
    Mutant("contracts", "a profile missing", edited_json(_MCP, _drop_profile)),
    Mutant("contracts", "a tool list a token short", edited_json(_MCP, at("contracts", 0, "tokens", to=more(-1)))),
    Mutant(
        "contracts",
        "a captured tool list that is not the constructed one",
        replaced("fixtures/mcp/own-server_5_2026-07-28.json", "Records that match every filter", "Records"),
    ),
    Mutant("comparisons", "a comparison across serializations", edited_json(_MCP, _mix)),
    Mutant(
        "comparisons",
        "the longer text called the shorter",
        edited_json(_MCP, at("comparisons", 0, "shorter", to="schema response")),
    ),
    Mutant(
        "comparisons",
        "the original's pretty list against its minified response, as published",
        edited_json(_REPLICATION, _mix_the_originals),
    ),
    Mutant("envelopes", "a payload format left out of the envelope table", edited_json(_MCP, _drop_payload)),
    Mutant(
        "envelopes", "parts that do not add up", edited_json(_MCP, at("envelopes", 3, "parts", "quotes", to=more(1)))
    ),
    Mutant("envelopes", "a token of one part called another's", edited_json(_MCP, _shift)),
    Mutant("envelopes", "the variations left out", edited_json(_MCP, _drop_variations)),
    Mutant(
        "envelopes", "a request without the command line", edited_json(_MCP, at("envelopes", 0, "request", to=more(9)))
    ),
    Mutant("arguments", "an argument that costs less", edited_json(_MCP, at("arguments", 0, "added", to=more(-5)))),
    Mutant("envelopes", "an envelope that grows called constant", edited_json(_MCP, _call_constant)),
)
