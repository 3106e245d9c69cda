"""Experiment: the same texts in other vocabularies. Does the ranking of formats survive another tokenizer?

Two shapes in every format, in every family whose package is installed; of the others, as some packages need a later
Python, the recorded counts are kept, unless somebody edited them. The evidence of a count by a reconstruction is
`simulated`: it is not the provider's own vocabulary that counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from measure import results
from measure.engines import installed
from measure.errors import BadInput, Refused
from measure.families import FAMILIES, Family
from measure.formats import FORMATS
from measure.quantities import Denominator, Share, share
from measure.representation import BASELINE, all_formats
from measure.round_trip import Payload, verified
from measure.shapes import shapes
from measure.study.experiment import Experiment, Inputs, unchanged
from measure.study.formats import Formats, records
from measure.tokens import remembered

SHAPES = ("board, 4 fields", "punctuated")


class FamilyCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One format of one shape in one family; `share` is in percent of minified JSON in the same family."""

    evidence: Literal["measured", "simulated"]
    family: str
    shape: str
    format: str
    lossless: bool
    tokens: int
    share: Share


class FamilyRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who counted: the package and version, the vocabulary's licence and source, and what it was checked against."""

    family: str
    authority: str
    source: str
    licence: str
    fingerprint: str
    checked_against: str


class FamilyFlip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pair of lossless formats that a family ranks otherwise than cl100k_base does; in percent of minified JSON."""

    shape: str
    family: str
    cheaper_in_cl100k_base: str
    dearer_in_cl100k_base: str
    shares_in_cl100k_base: list[str]
    shares_in_family: list[str]


class FamiliesTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every family: what it is, its counts, and the rankings that it turns round."""

    families: list[FamilyRow]
    counts: list[FamilyCount]
    flips: list[FamilyFlip]


def run(inputs: Inputs) -> FamiliesTable | None:
    """Count in every family that is installed; None where none is."""
    if not any(installed(row.package) for row in FAMILIES.values()):
        return None
    listed = {shape.name: shape for shape in shapes(inputs.files)}
    texts = {
        (name, form): verified(FORMATS[form](), records(inputs.files, listed[name]))
        for name in SHAPES
        for form in all_formats()
    }
    counts = [one for row in FAMILIES.values() for one in _counts(row, texts, inputs)]
    rows = [
        FamilyRow(row.name, row.authority, row.source, row.licence, row.fingerprint, row.checked_against)
        for row in FAMILIES.values()
    ]
    return FamiliesTable(rows, counts, list(flips(counts, inputs.tables["formats"])))


def flips(counts: Sequence[FamilyCount], base: Formats) -> Iterator[FamilyFlip]:
    """The pairs of lossless formats whose order in a family is not that of cl100k_base."""
    there = {
        (shape.shape, one.format): one
        for shape in base.shapes
        for one in shape.counts
        if one.encoding == "cl100k_base" and one.lossless
    }
    for family in dict.fromkeys(one.family for one in counts):
        for shape in SHAPES:
            here = {one.format: one for one in counts if (one.family, one.shape) == (family, shape) and one.lossless}
            for one, two in combinations(here, 2):
                cheaper, dearer = sorted((one, two), key=lambda name: there[shape, name].tokens)
                apart = there[shape, dearer].tokens - there[shape, cheaper].tokens
                if apart and here[cheaper].tokens > here[dearer].tokens:
                    yield FamilyFlip(
                        shape=shape,
                        family=family,
                        cheaper_in_cl100k_base=cheaper,
                        dearer_in_cl100k_base=dearer,
                        shares_in_cl100k_base=[there[shape, name].share.display for name in (cheaper, dearer)],
                        shares_in_family=[here[name].share.display for name in (cheaper, dearer)],
                    )


def _counts(row: Family, texts: Mapping[tuple[str, str], Payload], inputs: Inputs) -> Iterator[FamilyCount]:
    if not installed(row.package):
        yield from _kept(row, inputs)
        return
    for shape in SHAPES:
        base = remembered(texts[shape, BASELINE].text, row.name)
        whole = Denominator("minified JSON", BASELINE, base)
        for name in all_formats():
            tokens = remembered(texts[shape, name].text, row.name)
            yield FamilyCount(
                evidence="simulated" if row.evidence == "reconstruction" else "measured",
                family=row.name,
                shape=shape,
                format=name,
                lossless=texts[shape, name].lossless,
                tokens=tokens,
                share=share(tokens, whole),
            )


def _kept(row: Family, inputs: Inputs) -> list[FamilyCount]:
    path = results.path(FAMILIES_COUNTED.name)
    recorded = results.table(inputs.files, FAMILIES_COUNTED.name, FamiliesTable)
    if not unchanged(inputs.files, path):
        raise Refused(f"{path}: changed since it was measured, and {row.package.name} is not here; restore it")
    named = {one.family: one.authority for one in recorded.families}
    kept = [one for one in recorded.counts if one.family == row.name]
    if named.get(row.name) != row.authority or len(kept) != len(SHAPES) * len(all_formats()):
        raise BadInput(
            f"{row.name} is not recorded, and {row.package.name} is not installed",
            where=path,
            right="restore it, or install the extra `families` on Python 3.12",
        )
    return kept


FAMILIES_COUNTED = Experiment(
    "families", FamiliesTable, run, ("a package of the extra `families`", "the extra installed")
)
