"""What an MCP result adds to each payload, part by part; and the same with what the study holds fixed, varied.

"Compact output pays a constant" is a claim about the letters that begin its rows. `VARIATIONS` changes one thing of
the records at a time: the case of the ids, the first character, the separator, quotes, other scripts, empty ends.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import msgspec

from measure.ladder import RUNGS, payload
from measure.mcp.captures import calls
from measure.mcp.envelope import Escapes, Marks, Parts, escapes, marks, wrapped
from measure.mcp.protocol import IDENTITY, LATEST, REVISIONS, answered, call, line
from measure.query import ask
from measure.records import RecordSet
from measure.scenario import Files, Scenario, dataset, tasks
from measure.tokens import remembered
from measure.values import Value

LAYER_RUNGS = {rung.name: rung for rung in RUNGS if rung.output}
_NUMBER = 3  # a request's number: any of one digit gives the same count


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One payload in one result. `request` is the call's line minus the command line that would ask the same."""

    evidence: Literal["constructed"]
    rung: str
    rows: int
    revision: str
    serialization: str
    encoding: str
    payload_tokens: int
    request: int
    parts: Parts
    marks: Marks


class VariedScale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A varied payload at one scale."""

    rows: int
    payload_tokens: int
    parts: Parts
    marks: Marks


class Variation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One variation under one rung. `constant` says whether the envelope adds the same at every scale, `why` why."""

    evidence: Literal["constructed"]
    variation: str
    rung: str
    revision: str
    serialization: str
    encoding: str
    scales: list[VariedScale]
    constant: bool
    why: str


def _ids(change: Callable[[str], str]) -> Callable[[dict[str, Value]], dict[str, Value]]:
    return lambda row: {**row, "id": change(str(row["id"]))}


def _with(field: str, change: Callable[[str], Value]) -> Callable[[dict[str, Value]], dict[str, Value]]:
    return lambda row: {**row, field: change(str(row[field]))}


def _same(text: str) -> str:
    return text


class Varied(msgspec.Struct, frozen=True):
    """A row of the registry: what becomes of a record, and of the compact text."""

    name: str
    record: Callable[[dict[str, Value]], dict[str, Value]]
    text: Callable[[str], str] = _same


_CYRILLIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстувщхыз")

VARIATIONS = (
    Varied("as in the study", dict),
    Varied("ids in lower case", _ids(str.lower)),
    Varied("ids begin with a digit", _ids(lambda text: text.removeprefix("TASK-"))),
    Varied("tabs between cells", dict, lambda text: text.replace(",", "\t")),
    Varied("quotes in values", _with("assignee", lambda text: f'"{text}"')),
    Varied("values in Cyrillic", _with("assignee", lambda text: text.translate(_CYRILLIC))),
    Varied("ids in Cyrillic", _ids(lambda text: text.lower().translate(_CYRILLIC))),
    Varied("rows end with nothing", _with("priority", lambda _: None)),
)


def envelopes(files: Files, plan: Scenario) -> Iterator[Envelope]:
    """Every rung that the layer writes, at every scale, in every revision and encoding."""
    held = {rows: dataset(files, rows) for rows in plan.scales}
    for encoding in plan.encodings:
        for rows, asked in held.items():
            for name, rung in LAYER_RUNGS.items():
                text = ask(plan.query if rung.projected else plan.full_query, asked, str(rung.output))
                found = escapes(text, partial(remembered, encoding=encoding))
                for revision in REVISIONS:
                    yield _envelope(text, found, plan, (name, rows, revision, encoding))


def variations(files: Files, plan: Scenario) -> Iterator[Variation]:
    """Every variation of the two projected texts that compete: minified JSON and compact."""
    held = [tasks(files, rows) for rows in plan.scales]
    for varied in VARIATIONS:
        for name in ("L3", "L4"):
            texts = {len(records): varied_text(records, plan, varied, name) for records in held}
            for encoding in plan.encodings:
                yield _variation(texts, plan, varied, (name, encoding))


def wrap(revision: str, text: str) -> str:
    """The line of a result around this text."""
    return line(answered(revision, _NUMBER, text, IDENTITY))


def request_tokens(plan: Scenario, rung: str, revision: str, encoding: str) -> int:
    """What the request costs beyond the command line that asks the same."""
    tool, asked = calls(plan.projected)[rung]
    command = f"measure query {plan.query if LAYER_RUNGS[rung].projected else plan.full_query!r} tasks.json"
    command += f" --format {LAYER_RUNGS[rung].output}"
    return remembered(line(call(revision, _NUMBER, tool, asked)), encoding) - remembered(command, encoding)


def _envelope(text: str, found: Escapes, plan: Scenario, place: tuple[str, int, str, str]) -> Envelope:
    name, rows, revision, encoding = place
    return Envelope(
        evidence="constructed",
        rung=name,
        rows=rows,
        revision=revision,
        serialization=LAYER_RUNGS[name].form(plan.aliases).serialization,
        encoding=encoding,
        payload_tokens=found.bare,
        request=request_tokens(plan, name, revision, encoding),
        parts=wrapped(text, partial(wrap, revision), partial(remembered, encoding=encoding), found),
        marks=marks(text),
    )


def varied_text(records: RecordSet, plan: Scenario, varied: Varied, rung: str) -> str:
    """The payload of varied records. The compact text alone is changed after it was written."""
    rows = (varied.record(dict(zip(records.fields, row, strict=True))) for row in records.rows())
    changed = RecordSet.of(rows)
    text = payload(LAYER_RUNGS[rung], changed, changed.project(plan.projected), plan.aliases).text
    return varied.text(text) if rung == "L4" else text


def _variation(texts: Mapping[int, str], plan: Scenario, varied: Varied, place: tuple[str, str]) -> Variation:
    rung, encoding = place
    tokens = partial(remembered, encoding=encoding)
    scales = []
    for rows, text in texts.items():
        found = escapes(text, tokens)
        added = wrapped(text, partial(wrap, LATEST), tokens, found)
        scales.append(VariedScale(rows, found.bare, added, marks(text)))
    return Variation(
        evidence="constructed",
        variation=varied.name,
        rung=rung,
        revision=LATEST,
        serialization=LAYER_RUNGS[rung].form(plan.aliases).serialization,
        encoding=encoding,
        scales=scales,
        constant=len({one.parts.added for one in scales}) == 1,
        why=reason(scales),
    )


def reason(scales: Sequence[VariedScale]) -> str:
    """Which part of what is added grows from the smallest to the largest scale, and what it grows with."""
    first, last = scales[0], scales[-1]
    rows = last.rows - first.rows
    grown = {name: getattr(last.parts, name) - getattr(first.parts, name) for name in ("quotes", "breaks", "fusion")}
    told = [f"{name} {tokens:+,}" for name, tokens in grown.items() if tokens]
    if not told:
        return "no escape costs a token that its bare character did not"
    lower = last.marks.breaks_before_lower_case - first.marks.breaks_before_lower_case
    counts: dict[str, Any] = {
        "double quotes": last.marks.double_quotes - first.marks.double_quotes,
        "breaks": last.marks.breaks - first.marks.breaks,
        "of them before a lower-case letter": lower,
    }
    there = ", ".join(f"{number:,} {name}" for name, number in counts.items() if number)
    return f"{', '.join(told)} on {rows:,} more rows with {there}"
