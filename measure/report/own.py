"""Tables of a user's own rows: every representation of them, and where their tokens go.

Apart from the study's tables because these are on the counting path: they import no more than they show.
"""

from collections.abc import Iterator

from measure.explain import BRACKETS, Explained
from measure.report.ladder import by, plural
from measure.report.table import Table, numeric
from measure.representation import Compared, FormatCount
from measure.round_trip import Loss
from measure.values import MISSING, TYPE_NAMES


def own_formats(compared: Compared, name: str) -> Iterator[Table]:
    """A user's own rows in every representation."""
    for encoding, counts in by(compared.counts, lambda one: one.encoding):
        whole = counts[0].share.denominator
        yield Table(
            f"{name} · {plural(counts[0].rows, 'row')}, {plural(len(compared.fields), 'field')} · {encoding}",
            ("format", "what it is", "tokens", "percent", "in MCP", "lossless"),
            [
                (
                    one.format,
                    one.label,
                    f"{one.tokens:,}",
                    one.share.display,
                    f"{one.in_mcp_string:+,}",
                    "yes" if one.lossless else "NO",
                )
                for one in counts
            ],
            numeric(2, 3, 4),
            (
                f"percent of the {whole.tokens:,} tokens of {whole.of}; in MCP: added by escaping in a JSON string",
                *_lost(counts),
                *(f"{one.format} cannot write these rows: {one.why}" for one in compared.refusals),
            ),
        )


def explained(found: Explained, name: str) -> Table:
    """Where the tokens of a user's own rows go."""
    return Table(
        f"{name} · {plural(found.rows, 'row')} · {found.tokens:,} tokens as pretty JSON · {found.encoding}",
        ("field", "names", "values", "punctuation", "space", "tokens", "percent"),
        [
            (
                "(brackets)" if one.field is BRACKETS else one.field,
                *(f"{n:,}" for n in (one.names, one.values, one.punctuation, one.white_space, one.tokens)),
                one.share.display,
            )
            for one in found.fields
        ],
        numeric(1, 2, 3, 4, 5, 6),
        (f"a token belongs to the part in which it begins; percent of all {found.tokens:,} tokens (L0, pretty)",),
    )


def _lost(counts: list[FormatCount]) -> Iterator[str]:
    """What the lossy formats lost, each loss once, with the formats that lose it."""
    lost = [(loss, one.format) for one in counts for loss in one.lost]
    for loss, pairs in by(lost, lambda pair: pair[0]):
        names = ", ".join(name for _, name in pairs)
        yield f"{names}: {loss.field}, {plural(loss.values, _kind(loss))} read back as {loss.read_back_as}"


def _kind(loss: Loss) -> str:
    return "missing value" if loss.type == TYPE_NAMES[type(MISSING)] else loss.type
