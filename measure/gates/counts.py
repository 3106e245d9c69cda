"""Gates on what was counted: same records, round trips, steps that close, denominators, percentages.

The last two read the results as plain JSON and compute with decimals: they share no line with `quantities`.
"""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby, pairwise
from typing import Any

from measure.errors import MeasureError
from measure.gates.subject import Gate, Subject, objects
from measure.ladder import ORDERINGS, payload
from measure.records import RecordSet
from measure.scenario import scenario, tasks

_POINTS = Decimal("0.01")

# The fixtures' projected values hold no comma, quote or line end, so they alone would show no quoting bug.
_HOSTILE = (
    *(
        "a,b",
        'say "no"',
        "line\nfeed",
        "carriage\rreturn",
        "both\r\n",
        " spaces ",
        "",
        '"',
        ",",
        "\n",
    ),
    *(
        "back\\slash",
        "tab\t",
        "\u2028",
        "\ufeff",
        "null",
        "true",
        "0700",
        "[1]",
        "{a}",
        "100 %",
        "%s",
        "😀",
    ),
)


def hostile(fields: list[str]) -> RecordSet:
    """Text values that a careless format loses, each in every column."""
    return RecordSet.of([dict.fromkeys(fields, value) for value in _HOSTILE])


def same_records(subject: Subject) -> Iterator[str]:
    """Compare the recorded digests with the fixtures', for every combination that must be there."""
    plan = scenario(subject.files)
    recorded = {(c.encoding, c.rows, c.rung): c for c in subject.ladder().rungs}
    for rows in plan.scales:
        records = tasks(subject.files, rows)
        expected = {False: records.digest(), True: records.project(plan.projected).digest()}
        for encoding in plan.encodings:
            for rung in subject.rungs:
                count = recorded.pop((encoding, rows, rung.name), None)
                if count is None:
                    yield f"{rung.name}, {rows} rows, {encoding}: not in the results"
                elif count.records_sha256 != expected[rung.projected]:
                    yield f"{rung.name}, {rows} rows, {encoding}: made of other records than the fixtures'"
    for encoding, rows, name in recorded:
        yield f"{name}, {rows} rows, {encoding}: in the results, but not in the study"


def round_trip(subject: Subject) -> Iterator[str]:
    """Encode and decode every payload again, and values that the fixtures lack; look at what is recorded."""
    plan = scenario(subject.files)
    for count in subject.ladder().rungs:
        if not count.lossless or count.lost:
            yield f"{count.rung}, {count.rows} rows, {count.encoding}: recorded as lossy"
    sets = {f"{rows} rows": tasks(subject.files, rows) for rows in plan.scales}
    sets["hostile values"] = hostile(plan.full)
    for place, records in sets.items():
        projected = records.project(plan.projected)
        for rung in subject.rungs:
            try:
                text = payload(rung, records, projected, plan.aliases)
            except MeasureError as error:
                yield f"{rung.name}, {place}: {error}"
                continue
            for loss in text.losses:
                yield f"{rung.name}, {place}: {loss.field!r}, {loss.type} read back as {loss.read_back_as}"


def closure(subject: Subject) -> Iterator[str]:
    """Walk each ordering: from the base count, step by step, to the final count."""
    ladder = subject.ladder()
    tokens = {(c.encoding, c.rows, c.rung): c.tokens for c in ladder.rungs}
    walked = set()
    for (encoding, rows, ordering), group in groupby(
        ladder.steps, key=lambda step: (step.encoding, step.rows, step.ordering)
    ):
        steps = list(group)
        place = f"{ordering}, {rows} rows, {encoding}"
        walked.add((encoding, rows, ordering))
        path: tuple[str, ...] = ORDERINGS.get(ordering, ())
        if [step.step for step in steps] != [f"{a}->{b}" for a, b in pairwise(path)]:
            yield f"{place}: not the steps of this ordering"
            continue
        at = base = tokens.get((encoding, rows, path[0]), -1)
        for step in steps:
            if step.before_tokens != at:
                yield f"{place}: {step.step} starts at {step.before_tokens:,}, the step before ends at {at:,}"
            at = step.after_tokens
        final = tokens.get((encoding, rows, path[-1]), -1)
        total = sum(step.saving.saved_tokens for step in steps)
        if at != final or total != base - final:
            yield f"{place}: the steps save {total:,} and end at {at:,}; the rungs say {base - final:,}, {final:,}"
    for encoding, rows in dict.fromkeys((encoding, rows) for encoding, rows, _ in tokens):
        for ordering in ORDERINGS:
            if (encoding, rows, ordering) not in walked:
                yield f"{ordering}, {rows} rows, {encoding}: no steps"


def denominators(subject: Subject) -> Iterator[str]:
    """Look up every denominator of the steps, and redo every difference."""
    recorded = subject.plain("results/ladder.json")
    counts = {(c["encoding"], c["rows"], c["rung"]): (c["serialization"], c["tokens"]) for c in recorded["rungs"]}
    for step in recorded["steps"]:
        place = f"{step['step']} ({step['ordering']}), {step['rows']} rows, {step['encoding']}"
        key = step["encoding"], step["rows"]
        first, last = ORDERINGS[step["ordering"]][0], ORDERINGS[step["ordering"]][-1]
        before, after = step["step"].split("->")
        ends = {name: counts[(*key, name)] for name in (first, last, before, after)}
        whole = (f"{ends[first][0]} minus {ends[last][0]}", ends[first][1] - ends[last][1])
        expected = {
            "saving": (before, *ends[before], ends[before][1] - ends[after][1]),
            "cumulative": (first, *ends[first], ends[first][1] - ends[after][1]),
            "credit": (f"{first}-{last}", *whole, ends[before][1] - ends[after][1]),
        }
        for name, wanted in expected.items():
            share = step[name] or {}
            said = share.get("denominator", {})
            part = share.get("saved_tokens", share.get("tokens"))
            if (said.get("of"), said.get("serialization"), said.get("tokens"), part) != wanted:
                found = f"{part} of {said.get('of')}'s {said.get('tokens')} ({said.get('serialization')})"
                yield f"{place}: {name} is {found}, not {wanted[3]} of {wanted[0]}'s {wanted[2]} ({wanted[1]})"
        if step["after_serialization"] != ends[after][0]:
            yield f"{place}: ends at a text called {step['after_serialization']}, counted as {ends[after][0]}"
    for verdict in subject.plain("results/ranges.json")["verdicts"]:
        before, after = verdict["step"].split("->")
        for one in verdict["measured"]:
            start, end = (counts[verdict["encoding"], one["rows"], name] for name in (before, after))
            whole, part = one["saving"]["denominator"], one["saving"]["saved_tokens"]
            if (whole["of"], whole["serialization"], whole["tokens"], part) != (before, *start, start[1] - end[1]):
                yield f"{verdict['step']}, {one['rows']} rows, {verdict['encoding']}: {part} of {whole} in the ranges"


def percentages(subject: Subject) -> Iterator[str]:
    """Find every object with a percentage in every result, and work it out again."""
    for path in subject.recorded():
        for place, share in objects(subject.plain(path)):
            if "percent" not in share:
                continue
            part, whole = _integers(share)
            if part is None or whole is None or whole <= 0:
                yield f"{path}  {place}: a percentage without its two numbers"
                continue
            exact = part * 100 / whole
            four = exact.quantize(Decimal("0.0001"), ROUND_HALF_UP)
            if Decimal(str(share["percent"])) != four or share.get("display") != _display(part, exact):
                shown = f"{share['percent']}, {share.get('display')!r}"
                yield f"{path}  {place}: {part} of {whole} is {four}, {_display(part, exact)!r}, not {shown}"


def _integers(share: dict[str, Any]) -> tuple[Decimal | None, Decimal | None]:
    """What the percentage is, and of what: tokens, nanodollars, or two figures that someone printed."""
    denominator = share.get("denominator")
    if isinstance(denominator, dict):
        part = next((share[key] for key in ("saved_tokens", "tokens", "saved_nanodollars") if key in share), None)
        whole = denominator.get("tokens", denominator.get("nanodollars"))
        if isinstance(part, int) and isinstance(whole, int):
            return Decimal(part), Decimal(whole)
    elif isinstance(share.get("before"), str) and isinstance(share.get("after"), str):
        before = Decimal(share["before"])
        return Decimal(share["after"]) - before, before
    return None, None


def _display(part: Decimal, exact: Decimal) -> str:
    two = exact.quantize(_POINTS, ROUND_HALF_UP)
    if part and not two:
        return "<0.01 %" if part > 0 else ">-0.01 %"
    return f"{two} %"


GATES = (
    Gate(
        "same-records",
        "every rung of a scale is made of the same records, and no rung, scale or encoding is missing",
        same_records,
        "rungs of different records cannot be compared: run `measure run`",
    ),
    Gate(
        "round-trip",
        "every payload decodes to its records: count, order, fields, values and types",
        round_trip,
        "a format is broken, or the study's data is beyond it: no count of it is reported",
    ),
    Gate(
        "closure",
        "in each ordering the steps add up to base minus final rung, to the token",
        closure,
        "a step was lost or counted twice: run `measure run`",
    ),
    Gate(
        "denominators",
        "every denominator of the ladder and the ranges is the count, in the serialization, of the rung it names",
        denominators,
        "a percentage is taken of another count than it says: run `measure run`",
    ),
    Gate(
        "percentages",
        "every percentage follows from its own two integers, by code that shares nothing with quantities",
        percentages,
        "a percentage was edited, or its rounding is broken",
    ),
)
