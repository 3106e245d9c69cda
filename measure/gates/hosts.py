"""Gates on what others make of MCP: hosts of the captured results, public servers of their tool lists."""

import json
import tomllib
from collections.abc import Iterator
from typing import Any

from measure.gates.captures import exchanges_of, place_of
from measure.gates.contracts import MCP
from measure.gates.subject import Gate, Subject
from measure.mcp.captures import OWN
from measure.scenario import CAPTURES, content, scenario
from measure.tokens import count

_HOSTS, _SERVERS = "results/mcp_hosts.json", "results/mcp_servers.json"
_LATEST = "2026-07-28"
_RUNGS = ("L0", "L1", "L2", "L3", "L4")


def hosts(subject: Subject) -> Iterator[str]:
    """Apply every policy to every captured result again; compare wire counts with the wire's, hosts with captures."""
    recorded = subject.plain(_HOSTS)
    wire = {place_of(row): row for row in subject.plain(MCP)["wire"]}
    results = dict(_results(subject))
    encodings = scenario(subject.files).encodings
    wanted = [(*place, encoding) for encoding in encodings for place in results if place[1] == _LATEST]
    if [place_of(row) for row in recorded["policies"]] != wanted:
        yield "not every captured result is under the policies, once in each encoding"
    for row in recorded["policies"]:
        place = f"{row['server']}, {row['call']}, {row['rows']} rows, {row['encoding']}"
        on_wire = wire[place_of(row)]
        if (row["wire_tokens"], row["payload_tokens"]) != (on_wire["response_tokens"], on_wire["payload_tokens"]):
            yield f"{place}: {row['wire_tokens']} tokens are not those of the wire"
        texts = _policies(results[place_of(row)[:4]])
        again = {name: count(text, row["encoding"]) for name, text in texts.items()}
        if {one["policy"]: one["context_tokens"] for one in row["policies"]} != again:
            yield f"{place}: counted again, the policies give {again}"
        for policy in row["policies"]:
            if policy["added"] != policy["context_tokens"] - row["payload_tokens"]:
                yield f"{place}, {policy['policy']}: {policy['added']} is not context minus payload"
            if policy["policy"] == "text only" and row["server"] in (OWN, "text") and policy["added"]:
                yield f"{place}: the text of a text answer is the payload, but {policy['added']} tokens are added"
    yield from _captured(subject, recorded["hosts"], results, encodings)


def _captured(
    subject: Subject, rows: list[dict[str, Any]], results: dict[Any, dict[str, Any]], encodings: list[str]
) -> Iterator[str]:
    captures = subject.plain(f"{CAPTURES}/hosts.json")["captures"]
    wire = {place_of(row): row["payload_tokens"] for row in subject.plain(MCP)["wire"]}
    expected = []
    for encoding in encodings:
        for one in captures:
            call = {"json": "L3", "compact": "L4"}[one["format"]]
            place = one["variant"], one["revision"], one["rows"], call
            tokens, payload = count(one["text"], encoding), wire[(*place, encoding)]
            same = [name for name, text in _policies(results[place]).items() if text == one["text"]]
            counts = payload, tokens, tokens - payload, count(one["definitions"], encoding)
            expected.append([one["host"], one["version"], one["sdk"], *place, encoding, *counts, same])
    keys = (
        *("host", "version", "sdk", "server", "revision", "rows", "call", "encoding"),
        *("payload_tokens", "context_tokens", "added", "definitions_tokens", "policies"),
    )
    if [[row[key] for key in keys] for row in rows] != expected:
        yield "what hosts gave their models is not what is recorded of them"


def servers(subject: Subject) -> Iterator[str]:
    """See that each server is counted under the version that was started, and judge the folk figure again."""
    started = tomllib.loads(content(subject.files, f"{CAPTURES}/servers.toml").decode())["servers"]
    recorded = subject.plain(_SERVERS)
    encodings = scenario(subject.files).encodings
    told = ("name", "package", "version", "note")
    wanted = [[one.get(key, "") for key in told] + [encoding] for encoding in encodings for one in started]
    if wanted != [[row[key] for key in (*told, "encoding")] for row in recorded["servers"]]:
        yield "the servers counted are not those that were started, in those versions"
    lists: dict[str, set[tuple[str, int, int]]] = {}
    for row in recorded["servers"]:
        place = f"{row['name']}, {row['encoding']}"
        lists.setdefault(row["name"], set()).add((row["list_sha256"], row["bytes"], row["tools"]))
        whole = row["minifying"]["denominator"]
        if (whole["tokens"], whole["serialization"]) != (row["pretty_tokens"], "pretty"):
            yield f"{place}: what minifying saves is not in percent of the pretty list"
        if row["minifying"]["saved_tokens"] != row["pretty_tokens"] - row["tokens"]:
            yield f"{place}: minifying saves {row['minifying']['saved_tokens']}, the two lists differ otherwise"
        wholes = [one["share"]["denominator"] for one in row["shares"]]
        if {(one["tokens"], one["serialization"]) for one in wholes} != {(row["tokens"], "minified")}:
            yield f"{place}: the shares are not of the minified list"
        if not row["forwarded_tokens"] <= row["tokens"] <= row["bytes"]:
            yield f"{place}: {row['forwarded_tokens']} forwarded of {row['tokens']} tokens in {row['bytes']} bytes"
    for name, held in lists.items():
        if len(held) > 1:
            yield f"{name}: not the same list in every encoding"
    judged = [(one["encoding"], one["serialization"]) for one in recorded["folk"]]
    if judged != [(encoding, written) for encoding in encodings for written in ("minified", "pretty")]:
        yield "the folk figure is not judged in every encoding and serialization"
    for verdict in recorded["folk"]:
        yield from _folk(verdict, recorded["servers"])


def _folk(verdict: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[str]:
    figure = verdict["figure"]
    size = "tokens" if verdict["serialization"] == "minified" else "pretty_tokens"
    sides: dict[str, list[str]] = {"servers_meant": [], "inside": [], "below": [], "above": []}
    others = [0, 0]
    for row in (row for row in rows if row["encoding"] == verdict["encoding"]):
        side = "below" if row[size] < figure["low"] else "above" if row[size] > figure["high"] else "inside"
        if figure["least"] <= row["tools"] <= figure["most"]:
            sides["servers_meant"].append(row["name"])
            sides[side].append(row["name"])
        else:
            others = [others[0] + 1, others[1] + (side == "inside")]
    found = {side: verdict[side] for side in sides}, [verdict["other_servers"], verdict["other_servers_inside"]]
    if found != (sides, others):
        yield f"the folk figure, {verdict['serialization']}, {verdict['encoding']}: judged otherwise, {sides}, {others}"


def _results(subject: Subject) -> Iterator[tuple[tuple[str, str, int, str], dict[str, Any]]]:
    """Every captured result of a rung, under its place."""
    for path in (f"{CAPTURES}/{one['file']}" for one in subject.plain(f"{CAPTURES}/manifest.json")["files"]):
        capture = subject.plain(path)
        for call, _, response in exchanges_of(capture):
            if call in _RUNGS:
                yield (capture["server"], capture["revision"], capture["rows"], call), json.loads(response)["result"]


def _policies(result: dict[str, Any]) -> dict[str, str]:
    """Every policy's text, spelled out again."""

    def written(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    texts = "\n".join(block["text"] for block in result["content"] if block["type"] == "text")
    structured = written(result["structuredContent"]) if "structuredContent" in result else None
    own = {key: value for key, value in result.items() if key not in ("_meta", "resultType")}
    return {
        "text only": texts,
        "structured, else text": texts if structured is None else structured,
        "text and structured": "\n".join(part for part in (texts, structured) if part),
        "content array stringified": written(result["content"]),
        "whole result stringified": written(own),
    }


GATES = (
    Gate(
        "hosts",
        "every captured result is under every host policy, wire and context apart, and hosts gave what is recorded",
        hosts,
        "wire tokens stand for context tokens, or a host is miscounted: run `measure run`",
    ),
    Gate(
        "servers",
        "every public server is counted under the version started, and the folk figure is judged by its own rule",
        servers,
        "a server's contract is not what it says: run `measure run --captures DIR`",
    ),
)
