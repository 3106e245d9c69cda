"""A percentage is right to the last digit, and cannot be had without its denominator."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure.errors import Refused
from measure.quantities import (
    CostDenominator,
    CostSaving,
    Denominator,
    PercentRange,
    Saving,
    cost_saving,
    points_outside,
    rounded_twice,
    saving,
    share,
)


def of(tokens: int) -> Denominator:
    return Denominator("L1", "minified", tokens)


def cost_of(nanodollars: int) -> CostDenominator:
    return CostDenominator("no policy", "explicit", "sonnet", "2026-08-21", nanodollars)


def test_a_saving_is_the_object_of_the_design() -> None:
    assert msgspec.to_builtins(saving(of(346), 107)) == {
        "saved_tokens": 239,
        "denominator": {"of": "L1", "serialization": "minified", "tokens": 346},
        "percent": 69.0751,
        "display": "69.08 %",
    }


@given(st.integers(1, 10**9), st.integers(0, 10**9))
def test_a_percentage_is_the_exact_fraction_rounded_once(before: int, after: int) -> None:
    made = saving(of(before), after)
    exact = Decimal(before - after) * 100 / Decimal(before)
    assert made.saved_tokens == before - after
    assert Decimal(str(made.percent)) == exact.quantize(Decimal("0.0001"), ROUND_HALF_UP)
    if not made.display.startswith(("<", ">")):
        assert made.display == f"{exact.quantize(Decimal('0.01'), ROUND_HALF_UP)} %".replace("-0.00", "0.00")
    else:
        assert 0 < abs(Fraction(before - after, before)) < Fraction(1, 10_000)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_share_and_a_saving_of_the_same_part_agree(part: int, whole: int) -> None:
    one, other = share(part, of(whole)), saving(of(whole), whole - part)
    assert (one.tokens, one.percent, one.display) == (other.saved_tokens, other.percent, other.display)


@pytest.mark.parametrize(
    ("before", "after", "display"),
    [
        (8, 7, "12.50 %"),
        (80_000, 79_996, "0.01 %"),
        (1_000_000, 999_999, "<0.01 %"),
        (1_000_000, 1_000_001, ">-0.01 %"),
        (65, 67, "-3.08 %"),
        (5, 5, "0.00 %"),
        (200, 0, "100.00 %"),
        (40_000, 39_999, "<0.01 %"),
        (20_000, 19_999, "0.01 %"),  # exactly half a hundredth goes up
    ],
)
def test_a_display_says_so_where_a_saving_is_small_negative_or_none(before: int, after: int, display: str) -> None:
    assert saving(of(before), after).display == display


def test_a_saving_of_money_says_whose_cost_under_which_cache_and_prices() -> None:
    assert msgspec.to_builtins(cost_saving(cost_of(65_000_000), 67_000_000)) == {
        "saved_nanodollars": -2_000_000,
        "denominator": {
            "of": "no policy",
            "cache": "explicit",
            "prices": "sonnet",
            "date": "2026-08-21",
            "nanodollars": 65_000_000,
        },
        "percent": -3.0769,
        "display": "-3.08 %",
    }


@given(st.integers(1, 10**13), st.integers(0, 10**13))
def test_money_and_tokens_are_rounded_alike(before: int, after: int) -> None:
    money, tokens = cost_saving(cost_of(before), after), saving(of(before), after)
    exact = Decimal(before - after) * 100 / Decimal(before)
    assert money.saved_nanodollars == tokens.saved_tokens == before - after
    assert (money.percent, money.display) == (tokens.percent, tokens.display)
    assert money.percent == float(exact.quantize(Decimal("0.0001"), ROUND_HALF_UP))


def test_nothing_is_in_percent_of_nothing() -> None:
    with pytest.raises(Refused, match="no percentage of L1: its count is 0 tokens"):
        saving(of(0), 0)
    with pytest.raises(Refused, match="no percentage of L1: its count is 0 tokens"):
        share(0, of(0))
    with pytest.raises(Refused, match="no percentage of no policy: its cost is 0 nanodollars"):
        cost_saving(cost_of(0), 0)


def test_json_without_a_denominator_is_no_saving() -> None:
    with pytest.raises(msgspec.ValidationError, match="denominator"):
        msgspec.convert({"saved_tokens": 1, "percent": 1.0, "display": "1.00 %"}, Saving)
    with pytest.raises(msgspec.ValidationError, match="denominator"):
        msgspec.convert({"saved_nanodollars": 1, "percent": 1.0, "display": "1.00 %"}, CostSaving)
    with pytest.raises(msgspec.ValidationError, match="nanodollars"):
        msgspec.convert(msgspec.to_builtins(cost_of(0)), CostDenominator)


@pytest.mark.parametrize(
    ("saved", "outside"), [(6908, 0.0), (7031, 0.0), (6907, -0.01), (7032, 0.01), (0, -69.08), (10_000, 29.69)]
)
def test_the_distance_from_a_range_counts_from_its_ends(saved: int, outside: float) -> None:
    found = saving(of(10_000), 10_000 - saved)
    assert points_outside(PercentRange("L1", "minified", 69.08, 70.31), found) == outside


def test_rounding_twice_is_told_from_rounding_once() -> None:
    once = saving(Denominator("L2", "pretty", 18_433), 10_434)
    assert (once.display, rounded_twice(once)) == ("43.39 %", "43.40 %")
    assert rounded_twice(saving(of(346), 107)) == "69.08 %"
