"""Every projection: all subsets, shares that add up and are Shapley's by another way, the choice in its place."""

from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hostile import tables, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from measure.errors import BadInput
from measure.formats import Minified
from measure.projections import MOST, projections, shapley
from measure.records import RecordSet
from measure.tokens import count

ROWS = [{"id": number, "text": f"the text of row {number}", "done": number % 2 == 0} for number in range(7)]
FIELDS = ["id", "text", "done"]


def tokens(kept: tuple[str, ...]) -> int:
    if not kept:
        return count("[" + ",".join(["{}"] * len(ROWS)) + "]")
    return count("".join(Minified().encode(RecordSet.of(ROWS).project(kept))))


def by_orders(field: str) -> Fraction:
    """What the field adds, in each order of adding fields, and the mean of it."""
    added = []
    for order in permutations(FIELDS):
        before = order[: order.index(field)]
        first, second = (tuple(name for name in FIELDS if name in kept) for kept in (before, (*before, field)))
        added.append(tokens(second) - tokens(first))
    return Fraction(sum(added), len(added))


def test_shapley_is_the_mean_over_all_orders_of_adding_fields() -> None:
    counted = {kept: tokens(kept) for size in range(4) for kept in combinations(FIELDS, size)}
    for field in FIELDS:
        assert Fraction(*shapley(field, FIELDS, counted)) == by_orders(field)
    whole = sum(Fraction(*shapley(field, FIELDS, counted)) for field in FIELDS)
    assert whole == counted[tuple(FIELDS)] - counted[()]


def test_a_share_is_the_rounded_value_of_the_whole_text() -> None:
    found = projections(RecordSet.of(ROWS), ["id"], ["cl100k_base"])
    for one in found.fields:
        assert one.share.tokens == round(by_orders(one.field))
        assert one.share.denominator.tokens == tokens(tuple(FIELDS))
        without = tuple(name for name in FIELDS if name != one.field)
        assert one.dropped.saved_tokens == tokens(tuple(FIELDS)) - tokens(without)


@given(st.dictionaries(st.sets(st.sampled_from("abcd")).map(lambda kept: tuple(sorted(kept))), st.integers(0, 99)))
def test_the_shares_add_up_to_the_whole_whatever_the_counts(some: dict[tuple[str, ...], int]) -> None:
    every = {kept: some.get(kept, 0) for size in range(5) for kept in combinations("abcd", size)}
    total = sum(Fraction(*shapley(field, list("abcd"), every)) for field in "abcd")
    assert total == every[tuple("abcd")] - every[()]


@settings(max_examples=20)
@given(tables(texts).filter(lambda records: len(records[0]) > 1))
def test_every_proper_subset_is_counted_once_as_minified_json(records: list[dict]) -> None:
    asked = RecordSet.of(records)
    found = projections(asked, asked.fields[:1], ["cl100k_base"]).projections
    assert len({tuple(one.fields) for one in found}) == len(found) == 2 ** len(asked.fields) - 2
    for one in found:
        assert one.tokens == count("".join(Minified().encode(asked.project(one.fields))))


def test_a_choice_is_placed_among_all_of_its_size() -> None:
    asked = RecordSet.of(ROWS)
    alike = {kept: tokens(kept) for kept in combinations(FIELDS, 2)}
    for chosen, ours in alike.items():
        [placed] = projections(asked, chosen[::-1], ["cl100k_base"]).placed
        assert (placed.choices, placed.save_more) == (3, sum(other < ours for other in alike.values()))
        ends = (placed.least.saved_tokens, placed.most.saved_tokens)
        assert ends == (tokens(tuple(FIELDS)) - max(alike.values()), tokens(tuple(FIELDS)) - min(alike.values()))


@pytest.mark.parametrize(
    ("fields", "chosen", "said"),
    [
        (1, ["f0"], f"1 fields; from 2 to {MOST} can be chosen from"),
        (MOST + 1, ["f0"], f"{MOST + 1} fields; from 2 to {MOST} can be chosen from"),
        (3, ["f9"], "unknown field 'f9'"),
        (3, [], "no fields are named"),
    ],
)
def test_what_cannot_be_projected_is_said(fields: int, chosen: list[str], said: str) -> None:
    records = RecordSet.of([{f"f{number}": number for number in range(fields)}])
    with pytest.raises(BadInput, match=said):
        projections(records, chosen, ["cl100k_base"])


def test_keeping_every_field_is_no_choice() -> None:
    with pytest.raises(BadInput, match="every field"):
        projections(RecordSet.of(ROWS), FIELDS, ["cl100k_base"])
