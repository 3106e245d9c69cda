"""Saving and Share: the one place where a percentage is made, and none without its denominator.

A percentage is given at two precisions, each rounded once from the exact fraction: with four decimals for machines
(`percent`), with two for people (`display`). Halves go away from zero, as one would by hand. Everything is integer
arithmetic, so that no platform's floats can move a digit. Money is counted in nanodollars for the same reason.
"""

from fractions import Fraction
from typing import Annotated

import msgspec

from measure.errors import Refused


class Denominator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The count that a percentage is taken of: whose, how that text was written, and how many tokens."""

    of: Annotated[str, msgspec.Meta(min_length=1)]
    serialization: Annotated[str, msgspec.Meta(min_length=1)]
    tokens: Annotated[int, msgspec.Meta(gt=0)]


class Saving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens that a change takes away, in percent of the count before it; negative where it adds.

    Made by `saving`, never by hand.
    """

    saved_tokens: int
    denominator: Denominator
    percent: float
    display: str


class CostDenominator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cost that a percentage is taken of: whose, under which cache model, at which prices of which date."""

    of: Annotated[str, msgspec.Meta(min_length=1)]
    cache: Annotated[str, msgspec.Meta(min_length=1)]
    prices: Annotated[str, msgspec.Meta(min_length=1)]
    date: Annotated[str, msgspec.Meta(min_length=1)]
    nanodollars: Annotated[int, msgspec.Meta(gt=0)]


class CostSaving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that a change saves, in percent of the cost before it; negative where it costs more.

    Made by `cost_saving`, never by hand.
    """

    saved_nanodollars: int
    denominator: CostDenominator
    percent: float
    display: str


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a whole, in percent of that whole. Made by `share`, never by hand."""

    tokens: int
    denominator: Denominator
    percent: float
    display: str


def saving(before: Denominator, after: int) -> Saving:
    """What is saved from `before.tokens` to `after` tokens, in percent of `before`.

    >>> saving(Denominator("L1", "minified", 346), 107).display
    '69.08 %'
    """
    saved = before.tokens - after
    return Saving(saved, before, *_percent(saved, before.tokens, f"{before.of}: its count is {before.tokens} tokens"))


def cost_saving(before: CostDenominator, after_nanodollars: int) -> CostSaving:
    """What is saved from `before.nanodollars` to `after_nanodollars`, in percent of `before`.

    >>> cost_saving(CostDenominator("no policy", "explicit", "sonnet", "2026-08-21", 65_000_000), 67_000_000).display
    '-3.08 %'
    """
    saved = before.nanodollars - after_nanodollars
    whole = f"{before.of}: its cost is {before.nanodollars} nanodollars"
    return CostSaving(saved, before, *_percent(saved, before.nanodollars, whole))


def share(part: int, whole: Denominator) -> Share:
    """`part` tokens of `whole`, in percent of `whole`.

    >>> share(139, Denominator("L0", "pretty", 485)).display
    '28.66 %'
    """
    return Share(part, whole, *_percent(part, whole.tokens, f"{whole.of}: its count is {whole.tokens} tokens"))


def rounded_twice(quantity: Saving | Share) -> str:
    """The display that comes of rounding to four decimals first and that to two: a usual slip, not our way.

    >>> whole = Denominator("L2", "pretty", 18_433)
    >>> saving(whole, 10_434).display, rounded_twice(saving(whole, 10_434))
    ('43.39 %', '43.40 %')
    """
    four = round(quantity.percent * 10_000)
    return _shown(rounded(four, 100), quantity.percent)


def _percent(part: int, whole: int, said: str) -> tuple[float, str]:
    """The two precisions; `said` tells what the whole is and how much, where that is nothing."""
    if whole <= 0:
        raise Refused(f"no percentage of {said}")
    display = _shown(rounded(part * 10_000, whole), part)
    return rounded(part * 1_000_000, whole) / 10_000, display


def _shown(hundredths: int, exact: float) -> str:
    """Hundredths of a percent in words; `exact` tells a small number from none."""
    if exact and not hundredths:
        return "<0.01 %" if exact > 0 else ">-0.01 %"
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d} %"


def rounded(numerator: int, denominator: int) -> int:
    """The nearest integer to the fraction; a half goes away from zero.

    >>> rounded(5, 2), rounded(-5, 2), rounded(7, 3)
    (3, -3, 2)
    """
    nearest = (2 * abs(numerator) + denominator) // (2 * denominator)
    return nearest if numerator >= 0 else -nearest


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far a printed figure changed, in percent of what it was before. Made by `change`, never by hand.

    `before` and `after` are as printed; `of` says whose figure it is, `unit` what it counts.
    """

    of: Annotated[str, msgspec.Meta(min_length=1)]
    unit: Annotated[str, msgspec.Meta(min_length=1)]
    before: str
    after: str
    percent: float
    display: str


def change(of: str, unit: str, before: str, after: str) -> Change:
    """The change between two decimal figures that someone printed, positive where it grew.

    >>> change("a session's time", "minutes", "54", "44").display
    '-18.52 %'

    Raises:
        Refused: the figure before is not positive.
    """
    was, now = Fraction(before), Fraction(after)
    scale = was.denominator * now.denominator
    whole = f"{of}: it was {before} {unit}"
    return Change(of, unit, before, after, *_percent(int((now - was) * scale), int(was * scale), whole))


class PercentRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lowest and highest percentage over several scales, with what they are a percentage of."""

    of: Annotated[str, msgspec.Meta(min_length=1)]
    serialization: Annotated[str, msgspec.Meta(min_length=1)]
    low: float
    high: float


def points_outside(published: PercentRange, found: Saving) -> float:
    """How far `found` lies outside the range, in percentage points: negative below, positive above, else 0.

    Compared as printed, with two decimals: a published figure has no more.

    >>> points_outside(PercentRange("L1", "minified", 69.08, 70.31), saving(Denominator("L1", "minified", 346), 100))
    0.79
    """
    ours = rounded(found.saved_tokens * 10_000, found.denominator.tokens)
    low, high = round(published.low * 100), round(published.high * 100)
    return (min(ours - low, 0) or max(ours - high, 0)) / 100
