"""Projection's own bound: what it saves as a function of what it keeps. Every choice of fields, counted.

A saving is a fact about the fields that were kept, not about projection. So every proper subset is written as minified
JSON and counted. What one field carries is given in two ways: what dropping it alone saves, and its Shapley value, the
mean of what it adds over all orders in which fields could be added; those add up to the whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import comb, gcd
from typing import Literal

import msgspec

from measure.errors import BadInput
from measure.formats import Minified
from measure.quantities import Denominator, Saving, Share, saving, share
from measure.records import RecordSet
from measure.tokens import tally

MOST = 12  # fields: 4,094 subsets; beyond that nobody waits
Kept = tuple[str, ...]


class Projection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One choice of fields. `saving` is of the minified text with every field."""

    fields: list[str]
    encoding: str
    tokens: int
    saving: Saving


class FieldShare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one field carries: `dropped` alone it saves that much; `share` is its Shapley value of the whole text."""

    field: str
    encoding: str
    dropped: Saving
    share: Share


class Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A choice among all choices of as many fields: how many of them save more, and the two ends."""

    fields: list[str]
    encoding: str
    choices: int
    save_more: int
    saving: Saving
    least: Saving
    most: Saving


class Projections(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every projection of one record set, field by field and choice by choice."""

    evidence: Literal["measured"]
    rows: int
    projections: list[Projection]
    fields: list[FieldShare]
    placed: list[Placed]


def projections(records: RecordSet, chosen: Sequence[str], encodings: Sequence[str]) -> Projections:
    """Count every proper subset of the fields; place `chosen` among its like.

    Raises:
        BadInput: too few fields, or too many, or `chosen` names one that is not there, or names them all.
    """
    if not 2 <= len(records.fields) <= MOST:
        raise BadInput(f"{len(records.fields)} fields", right=f"from 2 to {MOST} can be chosen from")
    records.project(chosen)
    if len(chosen) == len(records.fields):
        raise BadInput("every field is kept", right="a projection leaves at least one out")
    subsets = [kept for size in range(1, len(records.fields) + 1) for kept in combinations(records.fields, size)]
    texts = {kept: tuple(Minified().encode(records.project(kept))) for kept in subsets}
    made: list[Projection] = []
    shares: list[FieldShare] = []
    placed: list[Placed] = []
    for encoding in encodings:
        tokens = {kept: tally(text, encoding).tokens for kept, text in texts.items()}
        tokens[()] = tally(["[" + ",".join(["{}"] * len(records)) + "]"], encoding).tokens
        full = Denominator("all fields", "minified", tokens[tuple(records.fields)])
        found = [Projection(list(kept), encoding, tokens[kept], saving(full, tokens[kept])) for kept in subsets[:-1]]
        made += found
        shares += [_share(field, records.fields, tokens, encoding) for field in records.fields]
        placed.append(_placed(chosen, found))
    return Projections("measured", len(records), made, shares, placed)


def shapley(field: str, fields: Sequence[str], tokens: Mapping[Kept, int]) -> tuple[int, int]:
    """The field's mean marginal count as a fraction: numerator and denominator, both whole.

    >>> shapley("a", ["a", "b"], {(): 0, ("a",): 4, ("b",): 6, ("a", "b"): 9})
    (7, 2)
    """
    others = [name for name in fields if name != field]
    count = len(fields)
    total = 0
    scale = 1
    for size in range(count):
        scale = scale * comb(count - 1, size)
    for size in range(count):
        weight = scale // comb(count - 1, size)
        for kept in combinations(others, size):
            added = tuple(name for name in fields if name in kept or name == field)
            total += weight * (tokens[added] - tokens[kept])
    return _reduced(total, scale * count)


def _reduced(numerator: int, denominator: int) -> tuple[int, int]:
    shared = gcd(numerator, denominator) or 1
    return numerator // shared, denominator // shared


def _share(field: str, fields: Sequence[str], tokens: Mapping[Kept, int], encoding: str) -> FieldShare:
    whole = Denominator("all fields", "minified", tokens[tuple(fields)])
    without = tokens[tuple(name for name in fields if name != field)]
    part, of = shapley(field, fields, tokens)
    return FieldShare(field, encoding, saving(whole, without), share(round(part / of), whole))


def _placed(chosen: Sequence[str], found: Iterable[Projection]) -> Placed:
    alike = sorted((one for one in found if len(one.fields) == len(chosen)), key=lambda one: one.tokens)
    ours = next(one for one in alike if set(one.fields) == set(chosen))
    return Placed(
        fields=list(chosen),
        encoding=ours.encoding,
        choices=len(alike),
        save_more=sum(one.tokens < ours.tokens for one in alike),
        saving=ours.saving,
        least=alike[-1].saving,
        most=alike[0].saving,
    )
