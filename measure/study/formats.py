"""Experiment: every representation on every shape of data, in both encodings, read back before it is counted."""

from functools import lru_cache
from typing import Literal

import msgspec

from measure.formats import FORMATS
from measure.records import RecordSet
from measure.representation import FormatCount, Refusal, all_formats, compare
from measure.scenario import Files, content, scenario
from measure.shapes import Shape, rows, shapes
from measure.study.experiment import Experiment, Inputs


class ShapeCounts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One shape in every representation: in each encoding the lossless ones first, the cheapest first."""

    shape: str
    exercises: str
    fields: list[str]
    counts: list[FormatCount]
    refusals: list[Refusal]


class Formats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every shape; and what each format says of itself that it cannot carry."""

    evidence: Literal["measured"]
    cannot_carry: dict[str, str]
    shapes: list[ShapeCounts]


def run(inputs: Inputs) -> Formats:
    """Write, read back and count every shape in every format."""
    encodings = scenario(inputs.files).encodings
    return Formats(
        evidence="measured",
        cannot_carry={name: FORMATS[name].cannot_carry for name in all_formats()},
        shapes=[_counted(inputs.files, shape, encodings) for shape in shapes(inputs.files)],
    )


def records(files: Files, shape: Shape) -> RecordSet:
    """The rows of a shape as a record set.

    Raises:
        BadInput: the shape's file is missing or damaged.
    """
    return RecordSet.of(rows(files, shape), shape.file, sparse=shape.sparse)


def _counted(files: Files, shape: Shape, encodings: list[str]) -> ShapeCounts:
    return _remembered(content(files, shape.file), msgspec.json.encode(shape), tuple(encodings))


@lru_cache(maxsize=256)  # for whoever measures twice in one process: the drift gate, and tests
def _remembered(data: bytes, encoded: bytes, encodings: tuple[str, ...]) -> ShapeCounts:
    shape = msgspec.json.decode(encoded, type=Shape)
    found = compare(records({shape.file: data}, shape), encodings)
    return ShapeCounts(shape.name, shape.exercises, found.fields, found.counts, found.refusals)


FORMATS_COMPARED = Experiment("formats", Formats, run)
