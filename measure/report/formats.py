"""Tables of representations: the study's shapes, delimiters, families, projections."""

from collections.abc import Iterator

from measure import results
from measure.projections import Projection, Projections
from measure.report.ladder import by
from measure.report.table import Table, numeric
from measure.representation import FormatCount
from measure.scenario import Files
from measure.study.beyond import Beyond
from measure.study.families import FamiliesTable, FamilyFlip
from measure.study.formats import Formats


def formats(files: Files) -> Iterator[Table]:
    """Every format on every shape, in percent of minified JSON: a heat map's numbers."""
    recorded = results.table(files, "formats", Formats)
    encodings = list(dict.fromkeys(one.encoding for one in recorded.shapes[0].counts))
    names = list(recorded.cannot_carry)
    for encoding in encodings:
        for start in range(0, len(recorded.shapes), 4):
            shown = recorded.shapes[start : start + 4]
            held = [{c.format: c for c in shape.counts if c.encoding == encoding} for shape in shown]
            yield Table(
                f"Tokens in percent of minified JSON of the same rows · {encoding} · measured",
                ("format", *(shape.shape for shape in shown)),
                [(name, *(_share(counts.get(name)) for counts in held)) for name in names],
                numeric(*range(1, 1 + len(shown))),
                (
                    "minified JSON: " + ", ".join(f"{counts['minified'].tokens:,}" for counts in held) + " tokens",
                    "*: not lossless, so it does not compare with the others; -: cannot write these rows",
                ),
            )


def scenarios(files: Files) -> Iterator[Table]:
    """The shapes: what each exercises, and its cheapest lossless form in the first encoding."""
    recorded = results.table(files, "formats", Formats)
    encoding = recorded.shapes[0].counts[0].encoding
    firsts = [next(one for one in shape.counts if one.encoding == encoding) for shape in recorded.shapes]
    yield Table(
        f"The cheapest lossless form of each shape · {encoding} · measured",
        ("shape", "rows", "fields", "minified JSON", "cheapest", "tokens", "percent"),
        [
            (
                shape.shape,
                f"{first.rows:,}",
                str(len(shape.fields)),
                f"{first.share.denominator.tokens:,}",
                first.format,
                f"{first.tokens:,}",
                first.share.display,
            )
            for shape, first in zip(recorded.shapes, firsts, strict=True)
        ],
        numeric(1, 2, 3, 5, 6),
        (
            "percent of the tokens of minified JSON of the same rows",
            *(f"{shape.shape}: {shape.exercises}" for shape in recorded.shapes),
        ),
    )


def families(files: Files) -> Iterator[Table]:
    """The same texts in other vocabularies, each in percent of minified JSON in that vocabulary."""
    recorded = results.table(files, "families", FamiliesTable)
    names = [row.family for row in recorded.families]
    for shape, counts in by(recorded.counts, lambda one: one.shape):
        held = {(one.format, one.family): one for one in counts}
        formats = list(dict.fromkeys(one.format for one in counts))
        for start in range(0, len(names), 5):
            shown = names[start : start + 5]
            yield Table(
                f"{shape}: tokens in percent of minified JSON, by family",
                ("format", *shown),
                [
                    (
                        form,
                        *(held[form, name].share.display + "*" * (not held[form, name].lossless) for name in shown),
                    )
                    for form in formats
                ],
                numeric(*range(1, 1 + len(shown))),
                (
                    "minified JSON: " + ", ".join(f"{held['minified', name].tokens:,}" for name in shown) + " tokens",
                    "*: not lossless; "
                    + "; ".join(
                        dict.fromkeys(
                            f"{held['minified', one.family].evidence}, by {one.authority}"
                            for one in recorded.families
                            if one.family in shown
                        )
                    ),
                ),
            )
    for shape, flips in by(recorded.flips, lambda one: one.shape):
        yield Table(
            f"{shape}: lossless formats that a family ranks otherwise than cl100k_base",
            ("family", "cheaper", "dearer", "in cl100k_base", "in the family"),
            [(one.family, one.cheaper_in_cl100k_base, one.dearer_in_cl100k_base, *_both(one)) for one in flips],
            numeric(3, 4),
            ("in percent of minified JSON of the same rows in the same vocabulary; cheaper, dearer: in cl100k_base",),
        )


def _both(one: FamilyFlip) -> tuple[str, str]:
    return " < ".join(one.shares_in_cl100k_base), " > ".join(one.shares_in_family)


def beyond(files: Files) -> Iterator[Table]:
    """Delimiters against the comma, the cheapest lossless forms, and rankings that flip."""
    recorded = results.table(files, "beyond_the_header", Beyond)
    for encoding, rows in by(recorded.delimiters, lambda one: one.encoding):
        yield Table(
            f"A delimiter against the comma of CSV · {encoding} · measured",
            ("shape", "delimiter", "saved", "of CSV", "quoted", "spaced", "in MCP", "CSV's"),
            [
                (
                    one.shape + "*" * (not one.lossless),
                    one.delimiter,
                    f"{one.saving.saved_tokens:,}",
                    one.saving.display,
                    f"{one.quoted_cells:,}",
                    f"{one.spaced_cells:,}",
                    f"{one.in_mcp_string:+,}",
                    f"{one.csv_in_mcp_string:+,}",
                )
                for one in rows
            ],
            numeric(2, 3, 4, 5, 6, 7),
            (
                "saved: tokens, in percent of the CSV of the same rows; quoted, spaced: cells in quotes, with a space;"
                " in MCP: what escaping adds to this text, and to the CSV",
                "*: neither text is lossless: types or null are lost in both",
            ),
        )
    for encoding, found in by(recorded.cheapest, lambda one: one.encoding):
        yield Table(
            f"The cheapest lossless form, and the cheapest of plain JSON · {encoding}",
            ("shape", "lossless", "saves", "plain JSON", "saves", "columnar costs"),
            [
                (
                    one.shape,
                    one.lossless,
                    one.lossless_saving.display,
                    one.standard,
                    one.standard_saving.display,
                    f"{one.columnar_over_cheapest:+,}",
                )
                for one in found
            ],
            numeric(2, 4, 5),
            (
                "saves: in percent of minified JSON of the same rows; columnar costs: columnar JSON minus the cheapest"
                " lossless form, in tokens",
            ),
        )
    for (here, there), flips in by(recorded.flips, lambda one: (one.encoding, one.other_encoding)):
        yield Table(
            f"Lossless formats that {here} and {there} rank otherwise",
            ("shape", "cheaper", "dearer", here, there),
            [
                (
                    one.shape,
                    one.cheaper,
                    one.dearer,
                    " < ".join(f"{n:,}" for n in one.tokens),
                    " > ".join(f"{n:,}" for n in one.other_tokens),
                )
                for one in flips
            ],
            numeric(3, 4),
            (f"cheaper, dearer: in {here}; tokens of both",),
        )


def projections(files: Files) -> Iterator[Table]:
    """What a projection saves, by what it keeps."""
    recorded = results.table(files, "projections", Projections)
    for encoding, placed in by(recorded.placed, lambda one: one.encoding):
        one = placed[0]
        sized = by((each for each in recorded.projections if each.encoding == encoding), lambda each: len(each.fields))
        yield Table(
            f"What a projection saves, by how many fields it keeps · {recorded.rows} rows, {encoding}",
            ("kept", "choices", "saves least", "saves most", "which saves most"),
            [
                (
                    str(size),
                    str(len(same)),
                    min(same, key=lambda each: each.saving.percent).saving.display,
                    (best := max(same, key=lambda each: each.saving.percent)).saving.display,
                    _which(best, [each.field for each in recorded.fields if each.encoding == encoding]),
                )
                for size, same in sized
            ],
            numeric(0, 1, 2, 3),
            (
                f"in percent of all fields' {one.saving.denominator.tokens:,} tokens (minified)",
                f"the study's {' '.join(one.fields)} saves {one.saving.display}; of {one.choices} choices of"
                f" {len(one.fields)} fields {one.save_more} save more",
            ),
        )
        fields = [each for each in recorded.fields if each.encoding == encoding]
        yield Table(
            f"What each field carries · {recorded.rows} rows, {encoding}",
            ("field", "dropped alone", "share", "tokens"),
            [
                (each.field, each.dropped.display, each.share.display, f"{each.share.tokens:,}")
                for each in sorted(fields, key=lambda each: -each.share.tokens)
            ],
            numeric(1, 2, 3),
            (
                f"in percent of all fields' {one.saving.denominator.tokens:,} tokens (minified); share: what the field"
                " adds, as the mean over all orders of adding fields (its Shapley value)",
            ),
        )


def _which(one: Projection, every: list[str]) -> str:
    dropped = [field for field in every if field not in one.fields]
    return " ".join(one.fields) if len(one.fields) <= len(dropped) else f"all but {' '.join(dropped)}"


def _share(one: FormatCount | None) -> str:
    return "-" if one is None else one.share.display + "*" * (not one.lossless)
