"""Figures of representations: on every shape, in every vocabulary, by delimiter, and by the fields that are kept.

A colour is a band of percent of minified JSON, and the count that it is a percentage of stands beside its row or under
its column. What lost something is crossed out: it is cheaper because it says less.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from measure import results
from measure.formats import FORMATS
from measure.projections import Projections
from measure.report.figures.style import (
    ALL_FIELDS,
    BLUE,
    CHEAPER,
    DEARER,
    FAINT,
    INK,
    KEPT_FIELDS,
    MUTED,
    PAPER,
    PURPLE,
    SMALL,
    VERMILLION,
    Drawn,
    Frame,
    canvas,
    quiet,
    readable,
)
from measure.report.ladder import by
from measure.scenario import Files
from measure.study.beyond import Beyond
from measure.study.families import FamiliesTable, FamilyCount
from measure.study.formats import Formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS_TITLE = "Which representation is cheapest depends on the shape of the data"
FAMILIES_TITLE = "A ranking in one vocabulary is not quite one in another"
DELIMITERS_TITLE = "A delimiter can save what aliases cannot, or cost it: the data decide"
PROJECTIONS_TITLE = "What a projection saves depends on which fields it keeps"

_BANDS = ((50, CHEAPER[0]), (65, CHEAPER[1]), (80, CHEAPER[2]), (98, CHEAPER[3]), (102, PAPER))
_ABOVE = ((120, DEARER[0]), (150, DEARER[1]), (200, DEARER[2]))


def _band(percent: float) -> str:
    return next((colour for until, colour in (*_BANDS, *_ABOVE) if percent < until), DEARER[3])


def formats(files: Files) -> Drawn:
    """A row a shape, a column a format; at the right, the cheapest lossless one and what its percentage is of."""
    recorded = results.table(files, "formats", Formats)
    cheapest = results.table(files, "beyond_the_header", Beyond).cheapest
    encoding = recorded.shapes[0].counts[0].encoding
    best = {one.shape: one for one in cheapest if one.encoding == encoding}
    columns = _ordered(one.format for one in recorded.shapes[0].counts)
    note = (
        f"Percent of the tokens of minified JSON, whose count stands at the right · {encoding} · measured. Blue:"
        " cheaper, darkest below half; white: within two points; orange: dearer, darkest from double. Cross: lossy."
        " Ring: the cheapest lossless form, named at the right with what it saves."
    )
    figure, (axes,) = canvas((9.4, 7.2), FORMATS_TITLE, note, Frame(left=1.6, right=2.65, top=1.55, bottom=0.85))
    said = []
    for row, shape in enumerate(recorded.shapes):
        found = best[shape.shape]
        for one in shape.counts:
            if one.encoding == encoding:
                _square(axes, columns.index(one.format), row, one.share.percent, one.lossless)
        ring = _band(next(one.share.percent for one in shape.counts if one.format == found.lossless))
        axes.plot(
            columns.index(found.lossless), row, "o", markersize=9, markerfacecolor="none", color=readable(ring), mew=2
        )
        whole = found.lossless_saving.denominator.tokens
        text = f"{_short(found.lossless)}: {found.lossless_saving.display} of {whole:,}"
        axes.text(len(columns) - 0.3, row, text, size=SMALL, va="center", ha="left")
        said.append(
            f"{shape.shape}: {FORMATS[found.lossless].label} saves {found.lossless_saving.display} of {whole:,}"
        )
    _grid(axes, [_short(name) for name in columns], [shape.shape for shape in recorded.shapes])
    return Drawn(figure, f"A heat map of formats by shapes. Cheapest lossless form: {'; '.join(said)}. {note}")


def families(files: Files) -> Drawn:
    """The same formats in other vocabularies, a panel a shape; the count of minified JSON under each column."""
    recorded = results.table(files, "families", FamiliesTable)
    rows = _ordered(one.format for one in recorded.counts)
    shapes = list(by(recorded.counts, lambda one: one.shape))
    note = (
        "Percent of the tokens of minified JSON in the same vocabulary, whose count stands under each column. Blue:"
        " cheaper, darkest below half; white: within two points; orange: dearer, darkest from double. Cross: lossy."
        " Measured, and simulated for the names in italics, which are a reconstruction."
    )
    frame = Frame(left=1.35, right=0.2, top=0.85, bottom=2.2, across=0.3, widths=(1.0,) * len(shapes))
    figure, panels = canvas((9.4, 6.9), FAMILIES_TITLE, note, frame)
    said = []
    for axes, (shape, counted) in zip(panels, shapes, strict=True):
        names = list(by(counted, lambda one: one.family))
        for column, (_, found) in enumerate(names):
            for one in found:
                _square(axes, column, rows.index(one.format), one.share.percent, one.lossless)
        under = [f"{family} · {found[0].share.denominator.tokens:,}" for family, found in names]
        _grid(axes, under, [_short(name) for name in rows] if axes is panels[0] else [""] * len(rows), above=False)
        for text, (_, found) in zip(axes.get_xticklabels(), names, strict=True):
            text.set_fontstyle("italic" if found[0].evidence == "simulated" else "normal")
        axes.set_title(shape, loc="left", size=SMALL + 1, color=MUTED, pad=5)
        said.append(f"{shape}: " + "; ".join(_cheapest(family, found) for family, found in names))
    return Drawn(figure, f"Two heat maps of formats by vocabulary. {'. '.join(said)}. {note}")


def _cheapest(family: str, found: Sequence[FamilyCount]) -> str:
    least = min((one for one in found if one.lossless), key=lambda one: one.tokens)
    whole = least.share.denominator
    return f"{family}, cheapest lossless {_short(least.format)}, {least.share.display} of {whole.tokens:,} ({whole.of})"


def _square(axes: "Axes", column: int, row: int, percent: float, lossless: bool) -> None:
    colour = _band(percent)
    axes.barh(row, 0.96, left=column - 0.48, height=0.94, color=colour, edgecolor=FAINT, lw=0.5)
    if not lossless:
        axes.plot(column, row, "x", markersize=5, color=MUTED if readable(colour) == INK else PAPER, mew=1.2)


def _grid(axes: "Axes", columns: Sequence[str], rows: Sequence[str], above: bool = True) -> None:
    axes.set_xticks(range(len(columns)), columns, rotation=90)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    quiet(axes, "", ("left", "bottom"))
    if above:
        axes.xaxis.tick_top()


def _ordered(names: Iterable[str]) -> list[str]:
    """The formats among `names`, in the order of their registry."""
    wanted = set(names)
    return [name for name in FORMATS if name in wanted]


def _short(name: str) -> str:
    return name.replace("_", " ")


def delimiters(files: Files) -> Drawn:
    """Each delimiter against the comma, shape by shape, in percent of the same rows as CSV."""
    recorded = results.table(files, "beyond_the_header", Beyond)
    counted = [one for one in recorded.delimiters if one.encoding == recorded.delimiters[0].encoding]
    shapes = list(by(counted, lambda one: one.shape))
    colours = dict(zip(dict.fromkeys(one.delimiter for one in counted), (BLUE, PURPLE, VERMILLION), strict=False))
    note = (
        "Saved, in percent of the tokens of the same rows as CSV, whose count stands beside the shape ·"
        f" {counted[0].encoding} · measured. Left of the line, the delimiter costs more than the comma."
        " Hollow: the text loses types."
    )
    figure, (axes,) = canvas((7.6, 6.6), DELIMITERS_TITLE, note, Frame(left=2.35, right=0.35, top=0.85, bottom=1.15))
    said = []
    for row, (shape, found) in enumerate(shapes):
        axes.plot([one.saving.percent for one in found], [row] * len(found), color=FAINT, lw=2, zorder=1)
        for one in found:
            colour = colours[one.delimiter]
            fill = colour if one.lossless else PAPER
            axes.plot(one.saving.percent, row, "o", markersize=7, color=colour, markerfacecolor=fill, mew=1.6)
        whole = found[0].saving.denominator
        said.append(
            f"{shape}, of {whole.tokens:,}: "
            + ", ".join(f"{one.delimiter} {one.saving.display}{'' if one.lossless else ' (lossy)'}" for one in found)
        )
    axes.axvline(0, color=INK, lw=0.9)
    names = [f"{shape} · {found[0].saving.denominator.tokens:,}" for shape, found in shapes]
    axes.set_yticks(range(len(shapes)), names)
    axes.set_ylim(len(shapes) - 0.5, -0.5)
    ends = [10 * (int(side(one.saving.percent for one in counted)) // 10) for side in (min, max)]
    ticks = range(ends[0], ends[1] + 1, 10)
    axes.set_xticks(ticks, [f"{tick:+} %".replace("-", "\N{MINUS SIGN}") if tick else "0 %" for tick in ticks])
    axes.set_xlabel("saved, percent of CSV")
    for place, (name, colour) in enumerate(colours.items()):
        axes.text(place * 0.17, 1.015, name, color=colour, transform=axes.transAxes, weight="bold", va="bottom")
    quiet(axes, "x", ("left", "bottom"))
    return Drawn(figure, f"Dots of what a delimiter saves against the comma. {'; '.join(said)}. {note}")


def projections(files: Files) -> Drawn:
    """Every choice of fields: what it saves against how many it keeps; the study's own choice is named."""
    recorded = results.table(files, "projections", Projections)
    placed = recorded.placed[0]
    counted = [one for one in recorded.projections if one.encoding == placed.encoding]
    whole = placed.saving.denominator
    note = (
        f"Percent of the {whole.tokens:,} tokens of {whole.of} ({whole.serialization}), {recorded.rows} rows ·"
        f" {placed.encoding} · measured. A dash a choice of fields; ring: the study's, {', '.join(placed.fields)}."
    )
    figure, (axes,) = canvas((7.4, 4.8), PROJECTIONS_TITLE, note, Frame(left=0.8, right=0.3, top=0.6, bottom=1.15))
    for fields, found in by(counted, lambda one: len(one.fields)):
        heights = [one.saving.percent for one in found]
        axes.plot([fields] * len(found), heights, "_", markersize=22, color=ALL_FIELDS[0], mew=1.2)
    axes.plot(
        len(placed.fields), placed.saving.percent, "o", markersize=11, markerfacecolor="none", color=KEPT_FIELDS[1]
    )
    said = f"{placed.saving.display} of {whole.tokens:,} tokens"
    ink, spot = KEPT_FIELDS[2], (len(placed.fields), placed.saving.percent)
    axes.annotate(said, spot, (14, 5), textcoords="offset points", color=ink, size=SMALL, va="bottom")
    axes.set_xticks(sorted({len(one.fields) for one in counted}))
    axes.set_ylim(0, 100)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %")
    axes.set_xlabel("fields kept")
    axes.set_ylabel("saved, percent of all fields")
    quiet(axes, "y", ("left", "bottom"))
    alt = (
        f"Dashes of what each choice of fields saves. With {len(placed.fields)} fields kept, {placed.choices} choices"
        f" save {placed.least.display} to {placed.most.display} of {whole.tokens:,} tokens; the study's saves"
        f" {placed.saving.display}. {note}"
    )
    return Drawn(figure, alt)
