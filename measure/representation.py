"""The same records in every representation: which is the cheapest, which are lossless, what an MCP string adds.

Every text is decoded back before it is counted, as on the ladder. The baseline is minified JSON of the same records.
A format that cannot write these records at all is named with its reason; it has no count, and is no failure.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from measure.errors import BadInput
from measure.formats import FORMATS
from measure.mcp.protocol import line
from measure.quantities import Denominator, Share, share
from measure.records import RecordSet
from measure.round_trip import Loss, Payload, verified
from measure.tokens import remembered, tally

BASELINE = "minified"
LADDER_ONLY = ("aliased",)  # needs aliases, which are not the records' own


class FormatCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One representation, counted; `share` is in percent of minified JSON of the same records.

    `in_mcp_string` is what escaping adds to the tokens where the text stands as a string in a minified JSON line.
    """

    format: str
    label: str
    rows: int
    encoding: str
    bytes: int
    tokens: int
    share: Share
    lossless: bool
    lost: list[Loss]
    in_mcp_string: int


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A representation that cannot write these records, and why."""

    format: str
    label: str
    why: str


class Compared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every representation of one record set in every encoding: the lossless ones first, the cheapest first."""

    evidence: Literal["measured"]
    fields: list[str]
    counts: list[FormatCount]
    refusals: list[Refusal]


def compare(records: RecordSet, encodings: Sequence[str], formats: Sequence[str] = ()) -> Compared:
    """Write, read back and count these records in every format, or in those named; minified JSON is always among them.

    Raises:
        BadInput: an unknown encoding or format.
        Refused: a round trip is broken.
    """
    names = _named(formats)
    texts: dict[str, Payload] = {}
    refusals = []
    for name in names:
        try:
            texts[name] = verified(FORMATS[name](), records)
        except BadInput as error:
            refusals.append(Refusal(name, FORMATS[name].label, str(error)))
    if BASELINE not in texts:
        raise BadInput(refusals[0].why)
    counts = [one for encoding in encodings for one in ranked(_counted(texts, encoding))]
    return Compared("measured", list(records.fields), counts, refusals)


def ranked(counts: Iterator[FormatCount] | Sequence[FormatCount]) -> list[FormatCount]:
    """The lossless ones first, and among these, and among the others, the cheapest first."""
    return sorted(counts, key=lambda one: (not one.lossless, one.tokens, one.format))


def all_formats() -> list[str]:
    """Every representation that records can be written in without being told anything else."""
    return [name for name in FORMATS if name not in LADDER_ONLY]


def _named(formats: Sequence[str]) -> list[str]:
    known = all_formats()
    for name in formats:
        if name not in known:
            raise BadInput(f"unknown format {name!r}", right=f"known: {', '.join(known)}")
    return list(dict.fromkeys((*formats, BASELINE))) if formats else known


def _counted(texts: dict[str, Payload], encoding: str) -> Iterator[FormatCount]:
    base = tally(texts[BASELINE].pieces, encoding)
    whole = Denominator("minified JSON", BASELINE, base.tokens)
    for name, text in texts.items():
        size = tally(text.pieces, encoding)
        yield FormatCount(
            format=name,
            label=FORMATS[name].label,
            rows=text.rows,
            encoding=encoding,
            bytes=size.bytes,
            tokens=size.tokens,
            share=share(size.tokens, whole),
            lossless=text.lossless,
            lost=list(text.losses),
            in_mcp_string=escaped(text.text, encoding) - size.tokens,
        )


def escaped(text: str, encoding: str) -> int:
    """Tokens of the text inside a JSON string: those of a line that holds it, minus those of the line without it."""
    return tally((_held(text),), encoding).tokens - remembered(_held(""), encoding)


def _held(text: str) -> str:
    return line({"text": text, "type": "text"})
