"""Gates on MCP as constructed: contracts, comparisons, arguments. Counted again by the study's other texts."""

import json
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

from measure.gates.subject import Gate, Subject
from measure.ladder import SCHEMA
from measure.mcp.captures import OWN
from measure.mcp.contract import PROFILES
from measure.scenario import scenario
from measure.session_texts import QUERY_TOOL, TOOLS, WITHOUT_BOTH, WITHOUT_FORMAT, session_texts
from measure.tokens import count

MCP = "results/mcp.json"
_SERIALIZATIONS = ("minified", "pretty")
_CONTRACTS = {"scenario": PROFILES, "example CLI": PROFILES, "one query tool": PROFILES[:1]}
_AGAINST = ("schema response", "its descriptions")
_QUERY = "one query tool"
_SCHEMAS = {"scenario": "schema response", "example CLI": "example schema response"}


def contracts(subject: Subject) -> Iterator[str]:
    """Look for every contract in every profile; count again what the session texts and the captures hold of them."""
    plan = scenario(subject.files)
    rows = subject.plain(MCP)["contracts"]
    found = {_key(row): row for row in rows}
    wanted = {
        (contract, text, profile, serialization, encoding)
        for contract, profiles in _CONTRACTS.items()
        for text, profile in (*(("tool list", one) for one in profiles), *((one, "") for one in _AGAINST))
        for serialization, encoding in product(_SERIALIZATIONS, plan.encodings)
    }
    for contract, text, profile, serialization, encoding in sorted(wanted - set(found)):
        yield f"{contract}, {text} {profile}, {serialization}, {encoding}: missing"
    if set(found) - wanted or len(rows) != len(found):
        yield f"{len(rows)} contracts recorded, {len(wanted)} to be counted"
    for row in rows:
        if row["evidence"] != "constructed":
            yield f"{row['contract']}, {row['profile']}: constructed, but called {row['evidence']}"
    texts = session_texts(subject.files)
    again = (("scenario", "tool list", TOOLS), (_QUERY, "tool list", QUERY_TOOL), (_QUERY, "schema response", SCHEMA))
    for (contract, text, name), serialization, encoding in product(again, _SERIALIZATIONS, plan.encodings):
        row = found.get((contract, text, "minimal" if text == "tool list" else "", serialization, encoding))
        if row and (name, serialization) in texts:
            tokens = count(texts[name, serialization], encoding)
            if row["tokens"] != tokens:
                yield f"{contract}, {text}, {serialization}, {encoding}: {row['tokens']} tokens, counted again {tokens}"
    yield from _as_served(subject, texts[TOOLS, "minified"])


def _as_served(subject: Subject, constructed: str) -> Iterator[str]:
    """Compare the constructed list with what our server was captured sending."""
    listed = subject.plain("fixtures/mcp/manifest.json")["files"]
    for path in (f"fixtures/mcp/{one['file']}" for one in listed):
        capture = subject.plain(path)
        if capture["server"] == OWN:
            results = (json.loads(one["line"]).get("result", {}) for one in capture["spoken"])
            sent = [result["tools"] for result in results if "tools" in result]
            if sent != [json.loads(constructed)["tools"]]:
                yield f"{path}: our server sends other tools than were constructed"


def comparisons(subject: Subject) -> Iterator[str]:
    """Set each tool list against both forms of the schema response, written alike, and see which is shorter."""
    recorded = subject.plain(MCP)
    tokens = {_key(row): row["tokens"] for row in recorded["contracts"]}
    wanted = [(key, against) for key in tokens for against in _AGAINST if key[1] == "tool list" and key[0] != _QUERY]
    compared = [
        ((row["contract"], "tool list", row["profile"], row["serialization"], row["encoding"]), row["against"])
        for row in recorded["comparisons"]
    ]
    if compared != wanted:
        yield "not each tool list is compared with both forms of its schema response, once"
    for row, (key, against) in zip(recorded["comparisons"], compared, strict=True):
        other = tokens.get((key[0], against, "", key[3], key[4]))
        place = f"{key[0]}, {key[2]}, {key[3]}, {key[4]}"
        if (row["tool_list_tokens"], row["other_tokens"]) != (tokens.get(key), other):
            counts = f"{row['tool_list_tokens']} against {row['other_tokens']}"
            yield f"{place}: {counts}, but in this serialization they are {tokens.get(key)} and {other} tokens"
        yield from _compared(row, place)
    yield from _originals(subject.plain("results/replication.json"))


def _originals(recorded: dict[str, Any]) -> Iterator[str]:
    """The original's data is not here; but pretty is never the shorter form of one text, nor has it two counts."""
    figures = {(one["figure"], one["unit"]): one["ours"] for one in recorded["figures"]}
    rows = {(r["contract"], r["profile"], r["serialization"], r["against"]): r for r in recorded["contracts"]}
    lists = [figure.removeprefix("tools, ").split(", ") for figure, unit in figures if unit == "tokens, pretty"]
    wanted = {(*one, written, against) for one in lists for written in _SERIALIZATIONS for against in _AGAINST}
    if set(rows) != wanted or len(recorded["contracts"]) != len(wanted):
        yield "the original's tool lists are not each compared, in both serializations, with both forms"
    others: dict[tuple[str, str, str], set[int]] = {}
    for (contract, profile, written, against), row in rows.items():
        place = f"the original's {contract}, {profile}, {written}"
        yield from _compared(row, place)
        others.setdefault((contract, written, against), set()).add(row["other_tokens"])
        pretty = rows.get((contract, profile, "pretty", against), row)
        if written == "minified" and not all(pretty[side] > row[side] for side in ("tool_list_tokens", "other_tokens")):
            yield f"{place}: no shorter than pretty, so one of the two is written otherwise"
        schema = figures.get((_SCHEMAS[contract], "tokens"))
        listed = figures.get((f"tools, {contract}, {profile}", "tokens, pretty"))
        if schema is None or listed is None or row["published_difference"] != listed - schema:
            yield f"{place}: {row['published_difference']} was not published"
    for (contract, written, against), counts in others.items():
        if len(counts) > 1:
            yield f"the original's {contract}, {written}: {against} has {len(counts)} counts"


def _compared(row: dict[str, Any], place: str) -> Iterator[str]:
    difference = row["tool_list_tokens"] - row["other_tokens"]
    words = "neither" if not difference else "tool list" if difference < 0 else row["against"]
    if (row["difference"], row["shorter"]) != (difference, words):
        yield f"{place}: differ by {row['difference']}, {row['shorter']} shorter; by {difference}, {words}"


def arguments(subject: Subject) -> Iterator[str]:
    """Take what an argument adds from the counts of the tool lists that lack it."""
    texts = {
        (one["encoding"], one["name"]): one["tokens"]
        for one in subject.plain("results/break_even.json")["session_texts"]
        if one["serialization"] == "minified"
    }
    wanted = []
    for encoding in scenario(subject.files).encodings:
        held = [texts[encoding, name] for name in (WITHOUT_BOTH, WITHOUT_FORMAT, TOOLS)]
        wanted += [
            (encoding, name, before, after, after - before)
            for name, (before, after) in zip(("fields", "format"), pairwise(held), strict=True)
        ]
    found = [
        (one["encoding"], one["argument"], one["without_tokens"], one["with_tokens"], one["added"])
        for one in subject.plain(MCP)["arguments"]
    ]
    if found != wanted:
        yield f"arguments add {found}, by the tool lists {wanted}"


def _key(row: dict[str, Any]) -> tuple[str, str, str, str, str]:
    return row["contract"], row["text"], row["profile"], row["serialization"], row["encoding"]


GATES = (
    Gate(
        "contracts",
        "every constructed contract is there in each profile and serialization, called so, and as our server sends it",
        contracts,
        "a contract is missing or mislabelled: run `measure run`",
    ),
    Gate(
        "comparisons",
        "a tool list is set against a schema response in the same serialization only, and the shorter is the shorter",
        comparisons,
        "two texts are compared that are not written alike: run `measure run`",
    ),
    Gate(
        "arguments",
        "what an argument adds is the difference of two counted tool lists, with it and without",
        arguments,
        "the price of an argument is miscounted: run `measure run`",
    ),
)
