"""Gates on MCP as captured: the captures themselves, what is counted of them, hosts, and public servers."""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from measure.gates.contracts import MCP, constructed_line
from measure.gates.subject import Subject
from measure.mcp.captures import OWN, PLAN
from measure.query import ask
from measure.scenario import CAPTURES, content, dataset, scenario
from measure.tokens import remembered as count

_MANIFEST = f"{CAPTURES}/manifest.json"
_HOSTS, _SERVERS = "results/mcp_hosts.json", "results/mcp_servers.json"
_OUTPUTS = {"L0": "pretty", "L1": "json", "L2": "pretty", "L3": "json", "L4": "compact"}


def captures(subject: Subject) -> Iterator[str]:
    """Hash every capture, compare its versions with those of the manifest and the lock, and redo its texts."""
    manifest = subject.plain(_MANIFEST)
    lock = content(subject.files, "requirements.lock").decode()
    for name, version in manifest["versions"].items():
        if not re.search(rf"^{re.escape(name)}=={re.escape(version)}(?![\w.])", lock, re.MULTILINE):
            yield f"captured with {name} {version}, which is not the version in requirements.lock"
    if [one["file"] for one in manifest["files"]] != [planned.file for planned in PLAN]:
        yield f"{_MANIFEST} does not list what was to be captured"
    for one in manifest["files"]:
        path = f"{CAPTURES}/{one['file']}"
        if hashlib.sha256(content(subject.files, path)).hexdigest() != one["sha256"]:
            yield f"{path}: not the file that {_MANIFEST} lists"
        capture = subject.plain(path)
        if capture["versions"] != manifest["versions"]:
            yield f"{path}: made with {capture['versions']}, not with the manifest's versions"
        if capture["server"] in (OWN, "text"):
            yield from _as_constructed(subject, path, capture)


def _as_constructed(subject: Subject, path: str, capture: dict[str, Any]) -> Iterator[str]:
    """The text of a rung stands in the captured line just as in the constructed one."""
    plan = scenario(subject.files)
    asked = dataset(subject.files, capture["rows"])
    lines = [one["line"] for one in capture["spoken"] if one["direction"] == "server"]
    answers = [line for line in lines if '"content":' in line]
    for call, line in zip(capture["calls"], answers, strict=True):
        if call in _OUTPUTS:
            text = ask(plan.full_query if call in ("L0", "L1") else plan.query, asked, _OUTPUTS[call])
            number = json.loads(line)["id"]
            if line != constructed_line(capture["revision"], text).replace('"id":3', f'"id":{number}'):
                yield f"{path}: {call} is not the line that is constructed"


def wire(subject: Subject) -> Iterator[str]:
    """Count every captured line again, and see that no context count stands for a wire count, nor the reverse."""
    plan = scenario(subject.files)
    counted = {_place(row): row for row in subject.plain(MCP)["wire"]}
    seen = 0
    for path in (f"{CAPTURES}/{one['file']}" for one in subject.plain(_MANIFEST)["files"]):
        capture = subject.plain(path)
        for call, request, response in _exchanges(capture):
            for encoding in plan.encodings:
                seen += 1
                row = counted.get((capture["server"], capture["revision"], capture["rows"], call, encoding))
                tokens = count(request, encoding), count(response, encoding)
                if row is None or (row["request_tokens"], row["response_tokens"]) != tokens:
                    yield f"{path}, {call}, {encoding}: {tokens} tokens on the wire, recorded otherwise"
                elif row["payload_tokens"] is not None and row["added"] != tokens[1] - row["payload_tokens"]:
                    yield f"{path}, {call}, {encoding}: {row['added']} added, by difference another number"
    if seen != len(subject.plain(MCP)["wire"]):
        yield f"{len(subject.plain(MCP)['wire'])} exchanges are counted, {seen} were captured"
    for switch in subject.plain(MCP)["switches"]:
        on, off = (
            counted[switch[side], switch["revision"], switch["rows"], switch["call"], switch["encoding"]]
            for side in ("on_server", "off_server")
        )
        saved = on["response_tokens"] - off["response_tokens"]
        whole = switch["saving"]["denominator"]["tokens"]
        if (switch["saving"]["saved_tokens"], whole) != (saved, on["response_tokens"]):
            yield f"{switch['switch']}, {switch['call']}: the switch does not save {switch['saving']['saved_tokens']}"


def hosts(subject: Subject) -> Iterator[str]:
    """Compare the wire counts with those of the wire, count what hosts gave again, and look for every policy."""
    recorded = subject.plain(_HOSTS)
    counted = {_place(row): row for row in subject.plain(MCP)["wire"]}
    names = {tuple(policy["policy"] for policy in row["policies"]) for row in recorded["policies"]}
    if len(names) != 1 or len(next(iter(names), ())) < len(_POLICIES) or set(next(iter(names))) != set(_POLICIES):
        yield f"not every result is under every policy: {', '.join(_POLICIES)}"
    for row in recorded["policies"]:
        place = f"{row['server']}, {row['call']}, {row['rows']} rows, {row['encoding']}"
        on_wire = counted[_place(row)]
        if (row["wire_tokens"], row["payload_tokens"]) != (on_wire["response_tokens"], on_wire["payload_tokens"]):
            yield f"{place}: {row['wire_tokens']} tokens are not those of the wire"
        for policy in row["policies"]:
            if policy["added"] != policy["context_tokens"] - row["payload_tokens"]:
                yield f"{place}, {policy['policy']}: {policy['added']} is not context minus payload"
            if policy["policy"] == "text only" and row["server"] in (OWN, "text") and policy["added"]:
                yield f"{place}: the text of a text answer is the payload, but {policy['added']} tokens are added"
    texts = subject.plain(f"{CAPTURES}/hosts.json")["captures"]
    encodings = scenario(subject.files).encodings
    expected = [
        (one["host"], one["version"], one["variant"], encoding, count(one["text"], encoding))
        for encoding in encodings
        for one in texts
    ]
    found = [
        (row["host"], row["version"], row["server"], row["encoding"], row["context_tokens"])
        for row in recorded["hosts"]
    ]
    if found != expected:
        yield "what hosts gave their models is not what is recorded of them"


def servers(subject: Subject) -> Iterator[str]:
    """See that each server is counted under the version that was started, and judge the folk figure again."""
    started = tomllib.loads(content(subject.files, f"{CAPTURES}/servers.toml").decode())["servers"]
    recorded = subject.plain(_SERVERS)
    encodings = scenario(subject.files).encodings
    wanted = [(one["name"], one["package"], one["version"], encoding) for encoding in encodings for one in started]
    if wanted != [(row["name"], row["package"], row["version"], row["encoding"]) for row in recorded["servers"]]:
        yield "the servers counted are not those that were started, in those versions"
    for row in recorded["servers"]:
        place = f"{row['name']}, {row['encoding']}"
        whole = row["minifying"]["denominator"]
        if (whole["tokens"], whole["serialization"]) != (row["pretty_tokens"], "pretty"):
            yield f"{place}: what minifying saves is not in percent of the pretty list"
        wholes = {
            (one["share"]["denominator"]["tokens"], one["share"]["denominator"]["serialization"])
            for one in row["shares"]
        }
        if wholes != {(row["tokens"], "minified")}:
            yield f"{place}: the shares are not of the minified list"
    for verdict in recorded["folk"]:
        yield from _folk(verdict, recorded["servers"])


def _folk(verdict: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[str]:
    figure = verdict["figure"]
    size = "tokens" if verdict["serialization"] == "minified" else "pretty_tokens"
    counted = [row for row in rows if row["encoding"] == verdict["encoding"]]
    meant = [row for row in counted if figure["least"] <= row["tools"] <= figure["most"]]
    sides: dict[str, list[str]] = {"inside": [], "below": [], "above": []}
    for row in meant:
        side = "below" if row[size] < figure["low"] else "above" if row[size] > figure["high"] else "inside"
        sides[side].append(row["name"])
    if {side: verdict[side] for side in sides} != sides or verdict["other_servers"] != len(counted) - len(meant):
        yield f"the folk figure, {verdict['serialization']}, {verdict['encoding']}: judged otherwise, {sides}"


def _exchanges(capture: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    said = [(one["direction"], one["line"], json.loads(one["line"])) for one in capture["spoken"]]
    answers = {message["id"]: line for direction, line, message in said if direction == "server"}
    calls = iter(capture["calls"])
    for direction, line, message in said:
        if direction == "client" and "id" in message:
            call = next(calls) if message["method"] == "tools/call" else message["method"]
            yield call, line, answers[message["id"]]


def _place(row: dict[str, Any]) -> tuple[str, str, int, str, str]:
    return row["server"], row["revision"], row["rows"], row["call"], row["encoding"]


_POLICIES = (
    *("text only", "structured, else text", "text and structured"),
    *("content array stringified", "whole result stringified"),
)
