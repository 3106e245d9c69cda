"""Gates on MCP as constructed: contracts, comparisons, envelopes. They write every line and count every text again."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from measure.gates.subject import Subject
from measure.mcp.captures import OWN
from measure.mcp.contract import PROFILES
from measure.mcp.protocol import REVISIONS
from measure.query import ask
from measure.scenario import Scenario, dataset, scenario
from measure.session_texts import QUERY_TOOL, TOOLS, session_texts
from measure.tokens import remembered as count

MCP = "results/mcp.json"
_SERIALIZATIONS = ("minified", "pretty")
_CONTRACTS = {"scenario": PROFILES, "example CLI": PROFILES, "one query tool": PROFILES[:1]}
_SUMMANDS = ("envelope", "quotes", "breaks", "fusion")
_VARIED = ("L3", "L4")


def contracts(subject: Subject) -> Iterator[str]:
    """Look for every contract in every profile; count again what the session texts and the captures hold of them."""
    plan = scenario(subject.files)
    rows = subject.plain(MCP)["contracts"]
    found = {_key(row): row for row in rows}
    wanted = {
        (contract, text, profile, serialization, encoding)
        for contract, profiles in _CONTRACTS.items()
        for text, profile in (*(("tool list", one) for one in profiles), ("schema response", ""))
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
    for (contract, name), serialization, encoding in product(
        (("scenario", TOOLS), ("one query tool", QUERY_TOOL)), _SERIALIZATIONS, plan.encodings
    ):
        row = found.get((contract, "tool list", "minimal", serialization, encoding))
        if row and (name, serialization) in texts:
            tokens = count(texts[name, serialization], encoding)
            if row["tokens"] != tokens:
                yield f"{contract}, {serialization}, {encoding}: {row['tokens']} tokens, counted again {tokens}"
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
    """Set each tool list against the schema response in its own serialization, and see which is shorter."""
    recorded = subject.plain(MCP)
    tokens = {_key(row): row["tokens"] for row in recorded["contracts"]}
    lists = [key for key in tokens if key[1] == "tool list"]
    compared = [
        (row["contract"], "tool list", row["profile"], row["serialization"], row["encoding"])
        for row in recorded["comparisons"]
    ]
    if compared != lists:
        yield "not each tool list is compared, once"
    for row, key in zip(recorded["comparisons"], compared, strict=True):
        schema = tokens.get((key[0], "schema response", "", key[3], key[4]))
        yield from _compared(row, f"{key[0]}, {key[2]}, {key[3]}, {key[4]}", tokens.get(key), schema)
    for row in subject.plain("results/replication.json")["contracts"]:
        place = f"the original's {row['contract']}, {row['profile']}, {row['serialization']}"
        yield from _compared(row, place, row["tool_list_tokens"], row["schema_response_tokens"])


def _compared(row: dict[str, Any], place: str, tools: int | None, schema: int | None) -> Iterator[str]:
    if (row["tool_list_tokens"], row["schema_response_tokens"]) != (tools, schema):
        counts = f"{row['tool_list_tokens']} against {row['schema_response_tokens']}"
        yield f"{place}: {counts}, but in this serialization they are {tools} and {schema} tokens"
    difference = row["tool_list_tokens"] - row["schema_response_tokens"]
    words = "neither" if not difference else "tool list" if difference < 0 else "schema response"
    if (row["difference"], row["shorter"]) != (difference, words):
        yield f"{place}: differ by {row['difference']}, {row['shorter']} shorter; by {difference}, {words}"


def envelopes(subject: Subject) -> Iterator[str]:
    """Ask the layer, write each line again, count it, and add the parts up; miss no rung, scale, revision, encoding."""
    plan = scenario(subject.files)
    recorded = subject.plain(MCP)
    layer = [rung for rung in subject.rungs if rung.output]
    wanted = Counter(product((r.name for r in layer), plan.scales, REVISIONS, plan.encodings))
    found = Counter((e["rung"], e["rows"], e["revision"], e["encoding"]) for e in recorded["envelopes"])
    for rung, rows, revision, encoding in wanted - found:
        yield f"{rung}, {rows} rows, {revision}, {encoding}: no envelope was counted"
    if found - wanted:
        yield f"{sum((found - wanted).values())} envelopes of what is not in the study"
    held = {rows: dataset(subject.files, rows) for rows in plan.scales}
    texts = {
        (rung.name, rows): ask(plan.query if rung.projected else plan.full_query, asked, str(rung.output))
        for rung, (rows, asked) in product(layer, held.items())
    }
    for row in recorded["envelopes"]:
        text = texts.get((row["rung"], row["rows"]))
        if text is not None:
            yield from _counted(row, text)
    yield from _variations(recorded["variations"], plan)


def _counted(row: dict[str, Any], text: str) -> Iterator[str]:
    place = f"{row['rung']}, {row['rows']} rows, {row['revision']}, {row['encoding']}"
    bare = count(text, row["encoding"])
    added = count(constructed_line(row["revision"], text), row["encoding"]) - bare
    if (row["payload_tokens"], row["parts"]["added"]) != (bare, added):
        yield f"{place}: {row['parts']['added']} added to {row['payload_tokens']}, counted again {added} to {bare}"
    yield from _adds_up(row["parts"], place)
    if row["marks"]["double_quotes"] != text.count('"'):
        yield f"{place}: {row['marks']['double_quotes']} double quotes, in the payload {text.count(chr(34))}"


def _variations(recorded: list[dict[str, Any]], plan: Scenario) -> Iterator[str]:
    names = dict.fromkeys(row["variation"] for row in recorded)
    wanted = Counter(product(names, _VARIED, plan.encodings))
    if wanted != Counter((row["variation"], row["rung"], row["encoding"]) for row in recorded) or not names:
        yield "the variations are not each under each rung in each encoding"
    for row in recorded:
        place = f"{row['variation']}, {row['rung']}, {row['encoding']}"
        added = [one["parts"]["added"] for one in row["scales"]]
        if [one["rows"] for one in row["scales"]] != plan.scales:
            yield f"{place}: not at every scale"
        if row["constant"] != (len(set(added)) == 1):
            yield f"{place}: called constant: {row['constant']}, but adds {added}"
        for one in row["scales"]:
            yield from _adds_up(one["parts"], f"{place}, {one['rows']} rows")


def _adds_up(parts: dict[str, int], place: str) -> Iterator[str]:
    total = sum(parts[name] for name in _SUMMANDS)
    if total != parts["added"]:
        yield f"{place}: the parts add up to {total}, not to {parts['added']}"


def constructed_line(revision: str, text: str) -> str:
    """A result of our server, spelled out."""
    quoted = json.dumps(text, ensure_ascii=False)
    body = f'"content":[{{"text":{quoted},"type":"text"}}],"isError":false'
    if revision != "2025-11-25":
        server = '"io.modelcontextprotocol/serverInfo":{"name":"records","version":"1"}'
        body += f',"resultType":"complete","_meta":{{{server}}}'
    return f'{{"jsonrpc":"2.0","id":3,"result":{{{body}}}}}'


def _key(row: dict[str, Any]) -> tuple[str, str, str, str, str]:
    return row["contract"], row["text"], row["profile"], row["serialization"], row["encoding"]
