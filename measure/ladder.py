"""The ladder: the same records as six texts, each step's saving, and the two orders in which one may climb.

A rung is a format and a choice of fields. L0 to L3 are the four corners of {pretty, minified} x {all fields,
projected}; L4 drops the names from the rows; L5 shortens those in the header. There are two ways from L0 to
L3, and they end at the same count. What differs is which step gets the credit, so every step is given in
percent of the rung that it starts from, in percent of L0 so far, and as its share of all that is saved.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from measure.formats import Aliased, Compact, Format, Minified, Pretty
from measure.quantities import Denominator, Saving, saving
from measure.records import RecordSet
from measure.round_trip import Loss, Payload, verified
from measure.tokens import authority, tally

Natural = Annotated[int, msgspec.Meta(ge=0)]
Aliases = Mapping[str, str]


class Rung(msgspec.Struct, frozen=True):
    """One row of the registry: how the rung is written, and whether only the projected fields are kept.

    `output` is the query layer's name for it, null where the layer does not write it; `holds` names the session
    texts that a reader needs to use the rung.
    """

    name: str
    projected: bool
    form: Callable[[Aliases], Format]
    output: str | None
    holds: tuple[str, ...]


SCHEMA, LEGEND = "schema response", "alias legend"
RUNGS = (
    Rung("L0", False, lambda _: Pretty(), "pretty", (SCHEMA,)),
    Rung("L1", False, lambda _: Minified(), "json", (SCHEMA,)),
    Rung("L2", True, lambda _: Pretty(), "pretty", (SCHEMA,)),
    Rung("L3", True, lambda _: Minified(), "json", (SCHEMA,)),
    Rung("L4", True, lambda _: Compact(), "compact", (SCHEMA,)),
    Rung("L5", True, Aliased, None, (SCHEMA, LEGEND)),
)
ORDERINGS: dict[str, tuple[str, ...]] = {
    "minify-then-project": ("L0", "L1", "L3", "L4", "L5"),
    "project-then-minify": ("L0", "L2", "L3", "L4", "L5"),
}


Source = Callable[[Rung], Iterable[str] | None]


class RungCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One payload, counted after it was decoded back. `fields` in the order in which the text has them.

    `records_sha256` is the digest of the records that the decoded payload was compared with; `payload_sha256` that
    of its bytes.
    """

    rung: str
    rows: Natural
    encoding: str
    serialization: str
    fields: list[str]
    bytes: Natural
    tokens: Natural
    lossless: bool
    lost: list[Loss]
    records_sha256: str
    payload_sha256: str

    def as_denominator(self) -> Denominator:
        """This count as what a percentage is taken of."""
        return Denominator(self.rung, self.serialization, self.tokens)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From one rung to the next in an ordering.

    `saving` is of the rung below, `cumulative` from the ordering's first rung to here, and `credit` the same saved
    tokens in percent of all that the ordering saves; null where it saves nothing at all.
    """

    ordering: str
    rows: Natural
    encoding: str
    step: str
    before_tokens: Natural
    after_tokens: Natural
    after_serialization: str
    saving: Saving
    cumulative: Saving
    credit: Saving | None


class Ladder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rungs of one record set or several, and the steps between them."""

    evidence: Literal["measured"]
    authority: str
    projected: list[str]
    aliases: dict[str, str]
    rungs: list[RungCount]
    steps: list[Step]


def payload(
    rung: Rung, records: RecordSet, projected: RecordSet, aliases: Aliases, source: Source | None = None
) -> Payload:
    """The rung's text for these records, or for their projection, decoded back and compared.

    Raises:
        Refused: the round trip is broken.
    """
    return verified(rung.form(aliases), projected if rung.projected else records, source(rung) if source else None)


def climb(
    records: RecordSet,
    projection: Sequence[str],
    aliases: Aliases,
    encodings: Sequence[str],
    rungs: Sequence[Rung] = RUNGS,
    source: Source | None = None,
) -> Ladder:
    """Every rung of these records, verified and counted in each encoding, and every step.

    A rung's text is written by its format; or by `source`, where one is given and writes that rung.

    Raises:
        BadInput: the projection names an unknown field, or an encoding is unknown.
        Refused: a round trip is broken.
    """
    kept = records.project(projection)
    counts: list[RungCount] = []
    for rung in rungs:
        text = payload(rung, records, kept, aliases, source)
        counts += _counted(rung.name, text, encodings)
        del text  # a payload may be larger than the file: never hold two
    counts.sort(key=lambda count: encodings.index(count.encoding))
    steps = [
        step
        for encoding in encodings
        for ordering in ORDERINGS
        for step in steps_of(ordering, [count for count in counts if count.encoding == encoding])
    ]
    return Ladder("measured", authority(*encodings), list(projection), dict(aliases), counts, steps)


def _counted(rung: str, text: Payload, encodings: Sequence[str]) -> list[RungCount]:
    sha256 = text.sha256()
    sizes = [tally(text.pieces, encoding) for encoding in encodings]
    return [
        RungCount(
            rung=rung,
            rows=text.rows,
            encoding=size.encoding,
            serialization=text.serialization,
            fields=list(text.fields),
            bytes=size.bytes,
            tokens=size.tokens,
            lossless=text.lossless,
            lost=list(text.losses),
            records_sha256=text.records_sha256,
            payload_sha256=sha256,
        )
        for size in sizes
    ]


def steps_of(ordering: str, counts: Sequence[RungCount]) -> list[Step]:
    """The steps of `ordering` between counts of one record set in one encoding."""
    by_rung = {count.rung: count for count in counts}
    path = [by_rung[name] for name in ORDERINGS[ordering]]
    base, final = path[0], path[-1]
    whole = f"{base.rung}-{final.rung}", f"{base.serialization} minus {final.serialization}"
    saved = base.tokens - final.tokens
    total = Denominator(*whole, saved) if saved > 0 else None
    return [
        Step(
            ordering=ordering,
            rows=after.rows,
            encoding=after.encoding,
            step=f"{before.rung}->{after.rung}",
            before_tokens=before.tokens,
            after_tokens=after.tokens,
            after_serialization=after.serialization,
            saving=saving(before.as_denominator(), after.tokens),
            cumulative=saving(base.as_denominator(), after.tokens),
            credit=saving(total, total.tokens - before.tokens + after.tokens) if total else None,
        )
        for before, after in pairwise(path)
    ]
