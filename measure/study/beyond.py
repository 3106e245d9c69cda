"""Experiment: what lies beyond the header. The alias rung saves a few tokens a payload; the delimiter a few a row.

The ladder's last step shortens the names in the header. Below it lies what stands between the cells: this experiment
sets every delimiter against the comma of L4 on every shape, says how many cells had to be quoted for it, and names
the cheapest lossless form, the cheapest of plain JSON, and the lossless formats that another encoding ranks otherwise.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from measure.formats import FORMATS
from measure.quantities import Denominator, Saving, saving
from measure.records import RecordSet
from measure.representation import FormatCount
from measure.shapes import shapes
from measure.study.experiment import Experiment, Inputs
from measure.study.formats import Formats, ShapeCounts, records

COMMA = "csv"
DELIMITERS = ("tsv", "pipe", "space")
STANDARD = ("minified", "columnar", "arrays", "jsonl")  # any JSON reader reads them


class DelimiterSaving(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A delimiter against the comma on one shape: `saving` is of the same rows as CSV.

    `quoted_cells` had to be quoted for it, of `cells`; `spaced_cells` hold a space. `in_mcp_string` is what escaping
    adds to this text, and to the CSV of it.
    """

    shape: str
    delimiter: str
    encoding: str
    saving: Saving
    cells: int
    quoted_cells: int
    spaced_cells: int
    lossless: bool
    in_mcp_string: int
    csv_in_mcp_string: int


class Cheapest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cheapest lossless form of a shape, and the cheapest that any JSON reader reads; of minified JSON."""

    shape: str
    encoding: str
    lossless: str
    lossless_saving: Saving
    standard: str
    standard_saving: Saving
    columnar_over_cheapest: int


class Flip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two lossless formats of a shape that one encoding ranks one way, and the other the other way."""

    shape: str
    cheaper: str
    dearer: str
    encoding: str
    tokens: list[int]
    other_encoding: str
    other_tokens: list[int]


class Beyond(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Delimiters, cheapest forms and flips, over every shape."""

    evidence: Literal["measured"]
    delimiters: list[DelimiterSaving]
    cheapest: list[Cheapest]
    flips: list[Flip]


def run(inputs: Inputs) -> Beyond:
    """Compare what the formats experiment counted; count cells again for the quotes."""
    counted: Formats = inputs.tables["formats"]
    sets = {shape.name: records(inputs.files, shape) for shape in shapes(inputs.files)}
    encodings = list(dict.fromkeys(one.encoding for one in counted.shapes[0].counts))
    return Beyond(
        evidence="measured",
        delimiters=[one for shape in counted.shapes for one in delimiters(shape, sets[shape.shape], encodings)],
        cheapest=[cheapest(shape, encoding) for shape in counted.shapes for encoding in encodings],
        flips=[one for shape in counted.shapes for one in flips(shape, encodings)],
    )


def delimiters(shape: ShapeCounts, records: RecordSet, encodings: Sequence[str]) -> Iterator[DelimiterSaving]:
    """Each delimiter against the comma, wherever both can write the shape."""
    texts = [FORMATS[COMMA]().carry(value) for row in records.rows() for value in row]
    quotes = {name: quoted(name, texts) for name in DELIMITERS}
    for encoding in encodings:
        held = {one.format: one for one in shape.counts if one.encoding == encoding}
        for name in DELIMITERS:
            if name in held and COMMA in held:
                comma, ours = held[COMMA], held[name]
                whole = Denominator(f"{shape.shape}, CSV", COMMA, comma.tokens)
                yield DelimiterSaving(
                    shape=shape.shape,
                    delimiter=name,
                    encoding=encoding,
                    saving=saving(whole, ours.tokens),
                    cells=len(texts),
                    quoted_cells=quotes[name],
                    spaced_cells=sum(" " in str(text) for text in texts),
                    lossless=ours.lossless,
                    in_mcp_string=ours.in_mcp_string,
                    csv_in_mcp_string=comma.in_mcp_string,
                )


def quoted(name: str, texts: Sequence[object]) -> int:
    """How many of these cells the format puts into quotes."""
    form = FORMATS[name]()
    found = 0
    for text in texts:
        line = "".join(form.encode(RecordSet(["a", "b"], [(str(text), "x")])))
        found += line.split("\n", 1)[1].startswith('"')
    return found


def cheapest(shape: ShapeCounts, encoding: str) -> Cheapest:
    """The cheapest lossless form, and the cheapest standard one, against minified JSON."""
    held = [one for one in shape.counts if one.encoding == encoding and one.lossless]
    base = next(one for one in held if one.format == "minified")
    whole = Denominator(f"{shape.shape}, minified JSON", "minified", base.tokens)
    first = min(held, key=_rank)
    standard = min((one for one in held if one.format in STANDARD), key=_rank)
    columnar = next((one.tokens for one in held if one.format == "columnar"), base.tokens)
    return Cheapest(
        shape=shape.shape,
        encoding=encoding,
        lossless=first.format,
        lossless_saving=saving(whole, first.tokens),
        standard=standard.format,
        standard_saving=saving(whole, standard.tokens),
        columnar_over_cheapest=columnar - first.tokens,
    )


def flips(shape: ShapeCounts, encodings: Sequence[str]) -> Iterator[Flip]:
    """The pairs of lossless formats that two encodings rank differently; equal counts are no order."""
    tokens = {(one.encoding, one.format): one.tokens for one in shape.counts}
    names = list(dict.fromkeys(one.format for one in shape.counts if one.lossless))
    for here, there in combinations(encodings, 2):
        for one, other in combinations(names, 2):
            first = tokens[here, one] - tokens[here, other]
            second = tokens[there, one] - tokens[there, other]
            if first * second < 0:
                cheaper, dearer = (one, other) if first < 0 else (other, one)
                yield Flip(
                    shape=shape.shape,
                    cheaper=cheaper,
                    dearer=dearer,
                    encoding=here,
                    tokens=[tokens[here, cheaper], tokens[here, dearer]],
                    other_encoding=there,
                    other_tokens=[tokens[there, cheaper], tokens[there, dearer]],
                )


def _rank(one: FormatCount) -> tuple[int, str]:
    return one.tokens, one.format


BEYOND = Experiment("beyond_the_header", Beyond, run)
