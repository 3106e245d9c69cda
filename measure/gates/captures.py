"""Gates on MCP as captured: the captures themselves, and what is counted of them."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from measure.gates.contracts import MCP
from measure.gates.envelopes import constructed_line
from measure.gates.subject import Gate, Subject
from measure.mcp.captures import OWN, PLAN
from measure.query import ask
from measure.scenario import CAPTURES, content, dataset, scenario
from measure.tokens import count

_MANIFEST = f"{CAPTURES}/manifest.json"
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
        spoken = {"2025-11-25": "initialize", "2026-07-28": "server/discover"}[capture["revision"]]
        if json.loads(capture["spoken"][0]["line"])["method"] != spoken:
            yield f"{path}: not a session of revision {capture['revision']}"
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
    counted = {place_of(row): row for row in subject.plain(MCP)["wire"]}
    seen = 0
    for path in (f"{CAPTURES}/{one['file']}" for one in subject.plain(_MANIFEST)["files"]):
        capture = subject.plain(path)
        for call, request, response in exchanges_of(capture):
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
    yield from _switches(subject.plain(MCP)["switches"], counted)


def _switches(switches: list[dict[str, Any]], counted: dict[Any, dict[str, Any]]) -> Iterator[str]:
    if {one["switch"] for one in switches} != set(_SWITCHES):
        yield f"not every switch was on and off: {', '.join(_SWITCHES)}"
    for switch in switches:
        on, off = (
            counted[switch[side], switch["revision"], switch["rows"], switch["call"], switch["encoding"]]
            for side in ("on_server", "off_server")
        )
        tokens = on["response_tokens"], off["response_tokens"]
        whole, saved = switch["saving"]["denominator"]["tokens"], switch["saving"]["saved_tokens"]
        if (switch["on_tokens"], switch["off_tokens"], whole, saved) != (*tokens, tokens[0], tokens[0] - tokens[1]):
            yield f"{switch['switch']}, {switch['call']}: {saved} of {whole}, on the wire {tokens[0]} and {tokens[1]}"


def exchanges_of(capture: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each call by its name, or its method, with the lines of request and response."""
    said = [(one["direction"], one["line"], json.loads(one["line"])) for one in capture["spoken"]]
    answers = {message["id"]: line for direction, line, message in said if direction == "server"}
    calls = iter(capture["calls"])
    for direction, line, message in said:
        if direction == "client" and "id" in message:
            call = next(calls) if message["method"] == "tools/call" else message["method"]
            yield call, line, answers[message["id"]]


def place_of(row: dict[str, Any]) -> tuple[str, str, int, str, str]:
    """What tells one captured exchange from another."""
    return row["server"], row["revision"], row["rows"], row["call"], row["encoding"]


_SWITCHES = (
    *("titles", "null unions", "titles and null unions"),
    *("structured content, text", "structured content, object", "structured content, rows"),
    *("an object for its text", "rows for an object", "text beside structured"),
)


GATES = (
    Gate(
        "captures",
        "every capture is the one listed, of the versions in the lock; a captured text line is the constructed one",
        captures,
        "record the sessions anew with `make captures`, and find out what moved",
    ),
    Gate(
        "wire",
        "every captured request and response is counted once, and a switch saves what its two responses differ by",
        wire,
        "what stood on the wire is miscounted: run `measure run`",
    ),
)
