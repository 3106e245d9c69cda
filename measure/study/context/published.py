"""Experiment: what others published about context over a session, computed again from the figures that they print.

A printed figure is rounded, so a change computed from two of them lies in a range. A published change is `equal` where
it is what the printed figures give, `rounded` where it lies in that range, and `differs` where it does not. Nothing
here is measured by this package.
"""

import tomllib
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from measure.context.prices import chosen, read_prices
from measure.quantities import Change, change
from measure.scenario import PRICES, content
from measure.study.experiment import Experiment, Inputs
from measure.study.published import facts

Verdict = Literal["equal", "rounded", "differs", "not printed"]


class _Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    figure: str
    unit: str
    before: str
    after: str
    published: str


class _Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    model: str
    masking: str
    summary: str


class _Turns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    low: str
    high: str
    models: list[_Model]


class _Implied(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str
    prices: str
    dollars: list[str]


class Unsupported(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published figure that cannot be computed again, and why."""

    source: str
    figure: str
    why: str


class _Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    changes: list[_Change]
    turns: _Turns
    implied: _Implied
    unsupported: list[Unsupported]


class Recomputed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A published change beside the one that its own figures give; `low` to `high` is what their rounding allows."""

    source: str
    figure: str
    published: str | None
    recomputed: Change
    low: float
    high: float
    verdict: Verdict


class TurnsOfModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much longer one model's runs are with summaries than with masking; `inside` the claimed range."""

    model: str
    longer: Change
    inside: bool
    at_least: bool
    shorter: bool


class Turns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The claim that summaries run `low` to `high` percent longer, model by model."""

    source: str
    low: str
    high: str
    models: list[TurnsOfModel]
    inside: int
    at_least: int
    shorter: int


class ImpliedPrice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars a million tokens that an example paid, against the list price of fresh input."""

    source: str
    example: int
    against: Change
    prices: str
    date: str


class ContextPublished(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every published figure, computed again where it can be."""

    evidence: Literal["published"]
    changes: list[Recomputed]
    turns: Turns
    implied: list[ImpliedPrice]
    unsupported: list[Unsupported]


def run(inputs: Inputs) -> ContextPublished:
    """Compute all of it again."""
    known = _facts()
    prices = chosen(read_prices(content(inputs.files, PRICES), PRICES), known.implied.prices)
    listed = str(Decimal(prices.fresh) / 1000)
    return ContextPublished(
        evidence="published",
        changes=[_recomputed(one) for one in known.changes],
        turns=_turns(known.turns),
        implied=[
            ImpliedPrice(
                known.implied.source,
                number,
                change(f"{prices.model}, fresh input", "dollars a million tokens", listed, paid),
                prices.name,
                prices.date,
            )
            for number, paid in enumerate(known.implied.dollars, 1)
        ],
        unsupported=known.unsupported,
    )


@lru_cache(maxsize=1)
def _facts() -> _Facts:
    return msgspec.convert(tomllib.loads(facts("context/published.toml").decode()), _Facts)


def _recomputed(one: _Change) -> Recomputed:
    found = change(one.figure, one.unit, one.before, one.after)
    low, high = _range(one.before, one.after)
    verdict: Verdict = "not printed"
    if one.published:
        given, half = Fraction(one.published), _half(one.published)
        exact = (Fraction(one.after) / Fraction(one.before) - 1) * _HUNDRED
        if abs(exact - given) <= half:
            verdict = "equal"
        else:
            verdict = "rounded" if low - half <= given <= high + half else "differs"
    return Recomputed(one.source, one.figure, one.published or None, found, _decimals(low), _decimals(high), verdict)


_HUNDRED = Fraction("1e2")


def _range(before: str, after: str) -> tuple[Fraction, Fraction]:
    """The changes in percent that two printed figures leave open."""
    low = (Fraction(after) - _half(after)) / (Fraction(before) + _half(before)) - 1
    high = (Fraction(after) + _half(after)) / (Fraction(before) - _half(before)) - 1
    return low * _HUNDRED, high * _HUNDRED


def _half(printed: str) -> Fraction:
    """Half of the last digit that is printed."""
    decimals = len(printed.partition(".")[2])
    return Fraction(1, 2 * 10**decimals)


def _decimals(percent: Fraction) -> float:
    return float(round(percent, 4))


def _turns(claim: _Turns) -> Turns:
    models = []
    for one in claim.models:
        longer = change(one.model, "turns, masking to summary", one.masking, one.summary)
        inside = float(claim.low) <= longer.percent <= float(claim.high)
        models.append(TurnsOfModel(one.model, longer, inside, longer.percent >= float(claim.low), longer.percent < 0))
    return Turns(
        source=claim.source,
        low=claim.low,
        high=claim.high,
        models=models,
        inside=sum(one.inside for one in models),
        at_least=sum(one.at_least for one in models),
        shorter=sum(one.shorter for one in models),
    )


CONTEXT_PUBLISHED = Experiment("context_published", ContextPublished, run)
