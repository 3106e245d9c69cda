"""Experiment: the original study's own data through our code, its published figures beside ours.

A direct replication. The data is not part of the project: who has it names its folder, and what came out is
recorded as facts. `measure.study.figures` holds what can be recomputed.
"""

import hashlib
import io
from typing import Literal

import msgspec

from measure.errors import BadInput
from measure.formats import FORMATS
from measure.ladder import RungCount, climb
from measure.quantities import Saving, saving
from measure.reading import read
from measure.records import RecordSet
from measure.round_trip import verified
from measure.scenario import Files, content
from measure.study import original_contract
from measure.study.experiment import Experiment, Inputs
from measure.study.figures import ALIASES, FIGURES, PROJECTED, Comparison, Original
from measure.study.original_contract import HeldEqual
from measure.study.published import Source, published


class OriginalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that the figures were computed from, and whether it is the one that the study published."""

    file: str
    rows: int
    bytes: int
    sha256: str
    as_published: bool


class OriginalDelimiter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The original's rows with spaces between the cells, and its alias rung: both in percent of its L4.

    Nothing of the kind was published: it is what lies beside the last step of the original's ladder.
    """

    rows: int
    encoding: str
    space_tokens: int
    space: Saving
    aliases: Saving


class Replication(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every published figure that the data allows, beside ours: equal, explained, or different.

    `contracts` sets the original's tool lists against its schema responses once more, the serialization held equal;
    `delimiters` sets a space against the comma of its L4.
    """

    evidence: Literal["measured"]
    source: Source
    inputs: list[OriginalFile]
    equal_figures: int
    explained_figures: int
    figures_compared: int
    figures: list[Comparison]
    contracts: list[HeldEqual]
    delimiters: list[OriginalDelimiter]

    def different(self) -> int:
        """How many figures are neither equal nor explained."""
        return self.figures_compared - self.equal_figures - self.explained_figures


def run(inputs: Inputs) -> Replication | None:
    """Compare, where the original's data is at hand."""
    return None if inputs.elsewhere.original is None else replicate(inputs.elsewhere.original)


def replicate(files: Files) -> Replication:
    """Recompute every figure of `FIGURES` from the original's data: `files` by their names.

    Raises:
        BadInput: a file is missing, is not UTF-8 or has another number of rows.
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
        found.project(PROJECTED, where=data.file)  # says in which file a field is missing
        records[data.rows] = found
        counts += climb(found, PROJECTED, ALIASES, [facts.source.encoding]).rungs
        sha256 = hashlib.sha256(text).hexdigest()
        inputs.append(OriginalFile(data.file, data.rows, len(text), sha256, sha256 == data.sha256))
    texts = {name: _text(name, files[name]) for name in wished() if name in files}
    original = Original(records, texts, counts, facts)
    figures = [comparison for figure in FIGURES for comparison in figure(original)]
    equal = sum(one.equal for one in figures)
    explained = sum(one.explained is not None for one in figures)
    delimiters = [_delimiter(original, rows) for rows in records]
    contracts = list(original_contract.held_equal(original.texts, facts, original.tokens))
    return Replication("measured", facts.source, inputs, equal, explained, len(figures), figures, contracts, delimiters)


def _delimiter(original: Original, rows: int) -> OriginalDelimiter:
    comma = original.rung("L4", rows)
    space = verified(FORMATS["space"](), original.records[rows].project(PROJECTED)).text
    encoding = original.published.source.encoding
    whole = comma.as_denominator()
    tokens, aliased = original.tokens(space), original.rung("L5", rows).tokens
    return OriginalDelimiter(rows, encoding, tokens, saving(whole, tokens), saving(whole, aliased))


def needed() -> list[str]:
    """The files that the original's data must have."""
    return [data.file for data in published().data]


def wished() -> list[str]:
    """The files of which figures are computed where they are there."""
    return [text.file for text in published().session_texts if text.file]


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"byte {error.start} is not UTF-8", where=name) from None


REPLICATION = Experiment("replication", Replication, run, ("the original's data", "--original DIR"))
