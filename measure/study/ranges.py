"""Experiment: does each published range hold on our fixtures? An independent replication, in both encodings.

The original gives the lowest and the highest saving of each step over its four scales, on its own rows, in
cl100k_base. Our rows are other words in the same proportions, so agreement is evidence and not arithmetic.
A range that does not hold is a result like any other: it says by how many percentage points.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec

from measure.ladder import Ladder, RungCount
from measure.quantities import PercentRange, Saving, points_outside, saving
from measure.study.experiment import Experiment, Inputs
from measure.study.published import Range, published


class ScaleSaving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Our saving at one scale, and how far it lies outside the published range."""

    rows: int
    saving: Saving
    points_outside: float


class RangeVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One published range beside our savings. `holds` where none of them lies outside."""

    step: str
    encoding: str
    published: PercentRange
    measured: list[ScaleSaving]
    holds: bool


class Ranges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every published range, in every encoding."""

    evidence: Literal["measured"]
    verdicts: list[RangeVerdict]


def run(inputs: Inputs) -> Ranges:
    """Compare the ladder's counts with the published ranges."""
    ladder: Ladder = inputs.tables["ladder"]
    encodings = dict.fromkeys(count.encoding for count in ladder.rungs)
    return Ranges(
        evidence="measured",
        verdicts=[verdict(ladder.rungs, encoding, one) for encoding in encodings for one in published().ranges],
    )


def verdict(counts: Sequence[RungCount], encoding: str, claim: Range) -> RangeVerdict:
    """One range, at each scale that `counts` holds."""
    savings = savings_of(counts, encoding, claim.step)
    denominator = savings[0][1].denominator
    claimed = PercentRange(denominator.of, denominator.serialization, claim.low, claim.high)
    measured = [ScaleSaving(rows, ours, points_outside(claimed, ours)) for rows, ours in savings]
    holds = not any(one.points_outside for one in measured)
    return RangeVerdict(claim.step, encoding, claimed, measured, holds)


def savings_of(counts: Sequence[RungCount], encoding: str, step: str) -> list[tuple[int, Saving]]:
    """The saving of `step` (such as "L1->L3") at each scale, in percent of its first rung."""
    start, end = step.split("->")
    by_rung = {(count.rung, count.rows): count for count in counts if count.encoding == encoding}
    scales = dict.fromkeys(rows for _, rows in by_rung)
    return [(rows, saving(by_rung[start, rows].as_denominator(), by_rung[end, rows].tokens)) for rows in scales]


RANGES = Experiment("ranges", Ranges, run, of_rungs=True)
