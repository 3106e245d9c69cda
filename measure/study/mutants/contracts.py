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
    row["schema_response_tokens"] = other["schema_response_tokens"]
    row["difference"] = row["tool_list_tokens"] - row["schema_response_tokens"]
    row["shorter"] = "tool list" if row["difference"] < 0 else "schema response"


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
        edited_json(_REPLICATION, at("contracts", 1, "difference", to=-64)),
    ),
    Mutant("envelopes", "a payload format left out of the envelope table", edited_json(_MCP, _drop_payload)),
    Mutant(
        "envelopes", "parts that do not add up", edited_json(_MCP, at("envelopes", 3, "parts", "quotes", to=more(1)))
    ),
    Mutant("envelopes", "an envelope that grows called constant", edited_json(_MCP, _call_constant)),
)
