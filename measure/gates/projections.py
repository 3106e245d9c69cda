"""The gate on projections: every subset of the fields is counted once, each text written anew by hand."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from measure.formats import FORMATS
from measure.gates.subject import Gate, Subject
from measure.records import RecordSet
from measure.scenario import scenario, tasks
from measure.tokens import remembered

_PROJECTIONS = "results/projections.json"


def projections(subject: Subject) -> Iterator[str]:
    """Look for every subset once, count a text for each, and place the study's choice again."""
    plan = scenario(subject.files)
    recorded = subject.plain(_PROJECTIONS)
    records = tasks(subject.files, recorded["rows"])
    subsets = {kept for size in range(1, len(records.fields)) for kept in combinations(records.fields, size)}
    for encoding in plan.encodings:
        found = {tuple(one["fields"]): one for one in recorded["projections"] if one["encoding"] == encoding}
        if set(found) != subsets:
            yield f"{encoding}: {len(found)} projections, {len(subsets)} subsets"
        full = remembered(_minified(records, records.fields), encoding)
        for kept, one in found.items():
            tokens = remembered(_minified(records, kept), encoding)
            whole = one["saving"]["denominator"]["tokens"]
            if (one["tokens"], one["saving"]["saved_tokens"], whole) != (tokens, full - tokens, full):
                yield f"{' '.join(kept)}, {encoding}: {one['tokens']} tokens, counted again {tokens} of {full}"
        yield from _fields(recorded["fields"], found, records, encoding)
        [placed] = [one for one in recorded["placed"] if one["encoding"] == encoding]
        alike = [one["tokens"] for kept, one in found.items() if len(kept) == len(placed["fields"])]
        ours = found[tuple(field for field in records.fields if field in placed["fields"])]["tokens"]
        better = sum(tokens < ours for tokens in alike)
        if (placed["choices"], placed["save_more"]) != (len(alike), better):
            yield f"{encoding}: the study's choice is placed {placed['save_more']} of {placed['choices']}, not {better}"


def _fields(
    recorded: list[dict[str, Any]], found: dict[tuple[str, ...], dict[str, Any]], records: RecordSet, encoding: str
) -> Iterator[str]:
    """What each field carries, by averaging first over the choices of one size and then over the sizes."""
    every = records.fields
    tokens = {kept: one["tokens"] for kept, one in found.items()}
    tokens |= {every: remembered(_minified(records, every), encoding)}
    tokens |= {(): remembered("[" + ",".join(["{}"] * len(records)) + "]", encoding)}
    ours = {one["field"]: one for one in recorded if one["encoding"] == encoding}
    if list(ours) != list(every):
        yield f"{encoding}: not each field's share is told, once"
        return
    for field, one in ours.items():
        others = [name for name in every if name != field]
        sizes = [
            Fraction(sum(tokens[_with(kept, field, every)] - tokens[kept] for kept in alike), len(alike))
            for alike in (list(combinations(others, size)) for size in range(len(every)))
        ]
        carried, dropped = round(sum(sizes) / len(sizes)), tokens[every] - tokens[tuple(others)]
        if one["dropped"]["saved_tokens"] != dropped:
            yield f"{field}, {encoding}: dropped alone it saves {dropped}, not {one['dropped']['saved_tokens']}"
        if one["share"]["tokens"] != carried:
            yield f"{field}, {encoding}: it carries {carried}, not {one['share']['tokens']}"


def _with(kept: tuple[str, ...], field: str, every: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in every if name in kept or name == field)


def _minified(records: RecordSet, kept: tuple[str, ...]) -> str:
    return "".join(FORMATS["minified"]().encode(records.project(kept)))


GATES = (
    Gate(
        "projections",
        "every subset of the fields is counted once, and the study's choice stands where the counts put it",
        projections,
        "a projection is missing or misplaced: run `measure run`",
    ),
)
