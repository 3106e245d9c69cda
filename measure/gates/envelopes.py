"""The gate on envelopes: every line is spelled again and counted, each part by itself, and the variations rebuilt.

It shares no code with `measure.mcp.envelope` and `measure.mcp.protocol`: lines are spelled out, escapes are replaced by
regular expressions, the lower-case ids are made by replacing letters in a text.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from measure.gates.subject import Gate, Subject
from measure.mcp.protocol import REVISIONS
from measure.query import ask
from measure.scenario import Scenario, dataset, scenario
from measure.tokens import count

_SUMMANDS = ("envelope", "quotes", "breaks", "fusion")
_VARIED = ("L3", "L4")
_VARIATIONS = (
    *("as in the study", "ids in lower case", "ids begin with a digit", "tabs between cells"),
    *("quotes in values", "values in Cyrillic", "ids in Cyrillic", "rows end with nothing"),
)
_META = "io.modelcontextprotocol"
_CLIENT = f'"{_META}/clientInfo":{{"name":"mcp","version":"0.1.0"}},"{_META}/clientCapabilities":{{}}'


def envelopes(subject: Subject) -> Iterator[str]:
    """Ask the layer, write each line again, count each part; miss no rung, scale, revision, encoding, variation."""
    plan = scenario(subject.files)
    recorded = subject.plain("results/mcp.json")
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
    queries = {rung.name: (plan.query if rung.projected else plan.full_query, str(rung.output)) for rung in layer}
    escapes = {
        (*place, encoding): _escapes(text, encoding)
        for (place, text), encoding in product(texts.items(), plan.encodings)
    }
    for row in recorded["envelopes"]:
        text = texts.get((row["rung"], row["rows"]))
        if text is not None:
            place = f"{row['rung']}, {row['rows']} rows, {row['revision']}, {row['encoding']}"
            yield from _counted(row, row["revision"], text, escapes[row["rung"], row["rows"], row["encoding"]], place)
            request = _request(row, *queries[row["rung"]], plan)
            if row["request"] != request:
                yield f"{place}: the request costs {row['request']} more than the command line, counted again {request}"
    yield from _variations(recorded["variations"], plan, texts)


def _escapes(text: str, encoding: str) -> tuple[int, int, int]:
    """The payload's count, and what its quotes and its breaks add, each escaped alone."""
    bare = count(text, encoding)
    quotes = count(re.sub(r'(["\\\\])', r"\\\1", text), encoding) - bare
    lines = Counter(re.split("[\\n\\t\\r]", text))
    marks = Counter(re.findall("[\\n\\t\\r]", text))
    breaks = sum(times * count(line, encoding) for line, times in lines.items())
    breaks += sum(times * count(repr(mark)[1:-1], encoding) for mark, times in marks.items())
    return bare, quotes, breaks - bare


def _counted(row: dict[str, Any], revision: str, text: str, escapes: tuple[int, int, int], place: str) -> Iterator[str]:
    bare, quotes, breaks = escapes
    encoding = row["encoding"]
    line, empty = (count(constructed_line(revision, one), encoding) for one in (text, ""))
    parts = {"added": line - bare, "envelope": empty, "quotes": quotes, "breaks": breaks}
    parts["fusion"] = parts["added"] - empty - quotes - breaks
    if (row["payload_tokens"], row["parts"]) != (bare, parts):
        yield f"{place}: {row['parts']} of {row['payload_tokens']}, counted again {parts} of {bare}"
    marks = {
        "double_quotes": text.count('"'),
        "breaks": sum(map(text.count, "\n\t\r")),
        "breaks_before_lower_case": len(re.findall("[\n\t\r][a-z]", text)),
    }
    if row["marks"] != marks:
        yield f"{place}: {row['marks']}, in the payload {marks}"


def _request(row: dict[str, Any], query: str, output: str, plan: Scenario) -> int:
    fields = plan.projected if query == plan.query else ["full"]
    arguments = f'{{"fields":{json.dumps(fields, separators=(",", ":"))},"format":"{output}"}}'
    meta = (
        ""
        if row["revision"] == "2025-11-25"
        else f',"_meta":{{"{_META}/protocolVersion":"{row["revision"]}",{_CLIENT}}}'
    )
    params = f'{{"name":"list","arguments":{arguments}{meta}}}'
    line = f'{{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{params}}}'
    command = f"measure query '{query}' tasks.json --format {output}"
    return count(line, row["encoding"]) - count(command, row["encoding"])


def _variations(recorded: list[dict[str, Any]], plan: Scenario, texts: dict[tuple[str, int], str]) -> Iterator[str]:
    wanted = Counter(product(_VARIATIONS, _VARIED, plan.encodings))
    if wanted != Counter((row["variation"], row["rung"], row["encoding"]) for row in recorded):
        yield "the variations are not each under each rung in each encoding"
    for row in recorded:
        place = f"{row['variation']}, {row['rung']}, {row['encoding']}"
        added = [one["parts"]["added"] for one in row["scales"]]
        if [one["rows"] for one in row["scales"]] != plan.scales:
            yield f"{place}: not at every scale"
        if row["constant"] != (len(set(added)) == 1):
            yield f"{place}: called constant: {row['constant']}, but adds {added}"
        grown = [name for name in _SUMMANDS if len({one["parts"][name] for one in row["scales"]}) > 1]
        if not all(f"{name} " in row["why"] for name in grown):
            yield f"{place}: {row['why']!r} does not name {', '.join(grown)}"
        for one in row["scales"]:
            rows = f"{place}, {one['rows']} rows"
            if sum(one["parts"][name] for name in _SUMMANDS) != one["parts"]["added"]:
                yield f"{rows}: the parts add up to another number than {one['parts']['added']}"
            if row["variation"] in _VARIATIONS[:2]:
                text = texts[row["rung"], one["rows"]]
                text = text if row["variation"] == _VARIATIONS[0] else text.replace("TASK-", "task-")
                yield from _counted(
                    {**one, "encoding": row["encoding"]}, row["revision"], text, _escapes(text, row["encoding"]), rows
                )


def constructed_line(revision: str, text: str) -> str:
    """A result of our server, spelled out."""
    quoted = json.dumps(text, ensure_ascii=False)
    body = f'"content":[{{"text":{quoted},"type":"text"}}],"isError":false'
    if revision != "2025-11-25":
        server = f'"{_META}/serverInfo":{{"name":"records","version":"1"}}'
        body += f',"resultType":"complete","_meta":{{{server}}}'
    return f'{{"jsonrpc":"2.0","id":3,"result":{{{body}}}}}'


GATES = (
    Gate(
        "envelopes",
        "each payload that the layer writes stands in its envelope, counted again, and the parts add up to the whole",
        envelopes,
        "an envelope is missing or miscounted: run `measure run`",
    ),
)
