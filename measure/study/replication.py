"""Experiment: the original study's own data through our code, its published figures beside ours.

A direct replication. The data is not part of the project: who has it names its folder, and what came out is
recorded as facts. `FIGURES` is the registry of what can be recomputed; a later part adds its row.
"""

import hashlib
import io
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from measure.errors import BadInput
from measure.formats.aliased import shortest_aliases
from measure.ladder import RUNGS, RungCount, climb, payload
from measure.quantities import Saving, rounded_twice
from measure.reading import read
from measure.records import RecordSet
from measure.scenario import Files, content
from measure.study.experiment import Experiment, Inputs
from measure.study.published import Published, Source, published
from measure.study.ranges import savings_of

_PROJECTED = ("id", "status", "assignee", "priority")


class OriginalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that the figures were computed from, and whether it is the one that the study published."""

    file: str
    rows: int
    bytes: int
    sha256: str
    as_published: bool


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One published figure and ours. A percentage is compared as printed; ours is in `saving`, whole.

    `explained` says why a figure is not equal though its counts are; null where it is equal, or differs.
    """

    figure: str
    unit: str
    published: int | str
    ours: int | str
    equal: bool
    explained: str | None
    saving: Saving | None


class Replication(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every published figure that the data allows, beside ours: equal, explained, or different."""

    evidence: Literal["measured"]
    source: Source
    inputs: list[OriginalFile]
    equal_figures: int
    explained_figures: int
    figures_compared: int
    figures: list[Comparison]

    def different(self) -> int:
        """How many figures are neither equal nor explained."""
        return self.figures_compared - self.equal_figures - self.explained_figures


class Original(msgspec.Struct, frozen=True):
    """The original's data, loaded and counted once."""

    records: dict[int, RecordSet]
    counts: list[RungCount]
    published: Published

    def count(self, rung: str, rows: int) -> RungCount:
        """Our count of one payload of the original's data."""
        return next(c for c in self.counts if c.rung == rung and c.rows == rows)


def _rung_tokens(original: Original) -> Iterator[Comparison]:
    for scale in original.published.rung_tokens:
        for rung, tokens in scale.tokens.items():
            ours = original.count(rung, scale.rows).tokens
            yield _compared(f"{rung}, {scale.rows} rows", "tokens", tokens, ours)


def _rung_bytes(original: Original) -> Iterator[Comparison]:
    for scale in original.published.rung_bytes:
        for rung, size in scale.bytes.items():
            ours = original.count(rung, scale.rows).bytes
            yield _compared(f"{rung}, {scale.rows} rows", "bytes", size, ours)


def _double_quotes(original: Original) -> Iterator[Comparison]:
    rungs = {rung.name: rung for rung in RUNGS}
    for scale in original.published.double_quotes:
        for name, quotes in scale.quotes.items():
            text = payload(rungs[name], original.records[scale.rows], _PROJECTED, _aliases()).text
            yield _compared(f"{name}, {scale.rows} rows", "double quotes", quotes, text.count('"'))


def _ranges(original: Original) -> Iterator[Comparison]:
    for one in original.published.ranges:
        found = savings_of(original.counts, original.published.source.encoding, one.step)
        ordered = sorted((ours for _, ours in found), key=lambda ours: ours.percent)
        for end, figure, ours in (
            ("lowest", one.low, ordered[0]),
            ("highest", one.high, ordered[-1]),
        ):
            unit = f"% of {ours.denominator.of}, {ours.denominator.serialization}"
            yield _compared(f"{one.step}, {end} of the scales", unit, f"{figure:.2f} %", ours.display, ours)


FIGURES: tuple[Callable[[Original], Iterator[Comparison]], ...] = (
    _rung_tokens,
    _rung_bytes,
    _double_quotes,
    _ranges,
)


def run(inputs: Inputs) -> Replication | None:
    """Compare, where the original's data is at hand."""
    return None if inputs.original is None else replicate(inputs.original)


def replicate(files: Files) -> Replication:
    """Recompute every figure of `FIGURES` from the original's data: `files` by their names.

    Raises:
        BadInput: a file is missing or has another number of rows.
    """
    facts = published()
    records: dict[int, RecordSet] = {}
    counts: list[RungCount] = []
    inputs: list[OriginalFile] = []
    for data in facts.data:
        text = content(files, data.file)
        found = read(io.BytesIO(text), data.file, ".json")
        if len(found) != data.rows:
            raise BadInput(f"{len(found)} rows", where=data.file, right=f"the study has {data.rows}")
        records[data.rows] = found
        counts += climb(found, _PROJECTED, _aliases(), [facts.source.encoding]).rungs
        sha256 = hashlib.sha256(text).hexdigest()
        inputs.append(OriginalFile(data.file, data.rows, len(text), sha256, sha256 == data.sha256))
    original = Original(records, counts, facts)
    figures = [comparison for figure in FIGURES for comparison in figure(original)]
    equal = sum(one.equal for one in figures)
    explained = sum(one.explained is not None for one in figures)
    return Replication("measured", facts.source, inputs, equal, explained, len(figures), figures)


def needed() -> list[str]:
    """The files of the original's data that the figures are computed from."""
    return [data.file for data in published().data]


def _aliases() -> dict[str, str]:
    return shortest_aliases(_PROJECTED)


def _compared(figure: str, unit: str, theirs: int | str, ours: int | str, saving: Saving | None = None) -> Comparison:
    explained = None
    if saving and theirs != ours and theirs == rounded_twice(saving):
        exact = f"{saving.saved_tokens:,} of {saving.denominator.tokens:,}"
        explained = f"rounded twice: {exact} is {ours}, but {saving.percent:.4f} rounds to {theirs}"
    return Comparison(figure, unit, theirs, ours, theirs == ours, explained, saving)


REPLICATION = Experiment("replication", Replication, run)
