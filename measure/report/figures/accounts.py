"""Figures of what is read once: when it is paid back, and how a legend of aliases fails.

A line between two recorded nets is straight because the saving of a query is a constant; nothing is computed for it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from measure import results
from measure.break_even import Move
from measure.report.figures.style import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    SMALL,
    VERMILLION,
    Drawn,
    Frame,
    canvas,
    named,
    quiet,
    readable,
)
from measure.report.ladder import by
from measure.scenario import Files
from measure.study.aliases import Aliases, Total
from measure.study.break_even import BreakEven

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BREAK_EVEN_TITLE = "A contract is paid back within a few queries; a legend takes longer"
READERS_TITLE = "A lost legend is mostly noticed, an overwritten one never"

_SHOWN = 10  # queries of the first panel: all of it happens early
_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE)


def break_even(files: Files) -> Drawn:
    """Net tokens against queries at the smallest scale: adopting the query layer, and the alias step inside it."""
    recorded = results.table(files, "break_even", BreakEven)
    encoding, rows = recorded.transitions[0].encoding, min(move.rows for move in recorded.transitions)
    here = [one for one in recorded.adoption if (one.account.encoding, one.account.rows) == (encoding, rows)]
    (baseline,) = {one.baseline for one in here if one.baseline.endswith("minified")}
    adopted = [
        (one.contract, one.account)
        for one in here
        if (one.baseline, one.account.after.serialization) == (baseline, "compact")
        and one.contract_serialization != "pretty"
    ]
    (alias,) = (
        move
        for move in recorded.transitions
        if (move.encoding, move.rows) == (encoding, rows) and move.after.serialization == "aliased"
    )
    note = (
        f"Tokens saved so far, minus what is read once; {rows} rows a response · {encoding} · measured. Left: from"
        f" {baseline}, to {adopted[0][1].after.name} and the contract named. Right: {alias.move}, its legend charged,"
        " the contract read anyway. Rings: the first query with a positive net."
    )
    frame = Frame(left=0.8, right=0.35, bottom=1.3, top=0.75, across=2.3, widths=(1.15, 1.0))
    figure, (left, right) = canvas((8.4, 4.5), BREAK_EVEN_TITLE, note, frame)
    ends = []
    for (contract, account), colour in zip(adopted, _COLOURS, strict=False):
        tokens = _net(left, account, _SHOWN, colour)
        ends.append((float(tokens), f"{contract}, {account.one_time_tokens:,}", colour))
    _finish(left, "adopting the query layer", _SHOWN)
    named(left, ends)
    tokens = _net(right, alias, 50, ORANGE)
    _finish(right, "aliases", 50)
    spot = (alias.net[-2].queries, tokens)
    legend = f"legend, {alias.one_time_tokens:,}"
    right.annotate(legend, spot, (-8, 0), textcoords="offset points", ha="right", va="center", size=SMALL)
    said = "; ".join(
        f"with the {contract}, {account.one_time_tokens:,} tokens read once, at query {account.break_even_queries}"
        for contract, account in adopted
    )
    told = f"aliases, {alias.one_time_tokens:,} tokens read once, at query {alias.break_even_queries}"
    return Drawn(figure, f"Lines of net tokens against queries. First positive net: {said}; {told}. {note}")


def _net(axes: "Axes", account: Move, until: int, colour: str) -> int:
    """Draw one account up to `until` queries, and ring where it breaks even; the last net drawn."""
    points = [net for net in account.net if net.queries <= until]
    axes.plot([net.queries for net in points], [net.tokens for net in points], color=colour, marker="o", markersize=3.5)
    if account.break_even_queries is not None:
        axes.plot(account.break_even_queries, 0, "o", markersize=9, markerfacecolor="none", color=colour, zorder=4)
    return points[-1].tokens


def _finish(axes: "Axes", title: str, until: int) -> None:
    axes.axhline(0, color=INK, lw=0.9)
    axes.set_xlim(0, until * 1.02)
    axes.set_xticks(range(0, until + 1, until // 5))
    axes.set_xlabel("queries of a session")
    axes.set_title(f"net tokens: {title}", loc="left", size=SMALL + 1, color=MUTED, pad=5)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}".replace("-", "\N{MINUS SIGN}"))
    quiet(axes, "y", ("left", "bottom"))


def alias_readers(files: Files) -> Drawn:
    """What each reader makes of each case: a bar of records, as wide for few as for many, with counts in it."""
    recorded = results.table(files, "aliases", Aliases)
    note = (
        "Records of the case, each counted once a legend; the whole bar is the number at its right ·"
        f" {recorded.evidence}: readers are rules, not models. Green: read right. Grey: refused."
        " Red: taken for another, without an error."
    )
    figure, (axes,) = canvas((9.0, 5.3), READERS_TITLE, note, Frame(left=3.3, right=1.15, top=0.6, bottom=0.85))
    place, ticks, said = 0.0, [], []
    for case, found in by(recorded.totals, lambda one: one.case):
        for total in found:
            _stacked(axes, place, total)
            ticks.append((place, f"{case}, {total.reader}"))
            said.append(
                f"{case}, {total.reader} reader: {total.right:,} right, {total.refused:,} refused,"
                f" {total.wrong_without_error:,} wrong without error, of {total.records:,} records"
            )
            place += 1
        place += 0.45
    axes.set_yticks([at for at, _ in ticks], [name for _, name in ticks])
    axes.set_ylim(place - 0.9, -0.6)
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    quiet(axes, "", ("left", "bottom"))
    return Drawn(figure, f"Stacked bars. {'; '.join(said)}. {note}")


def _stacked(axes: "Axes", place: float, total: Total) -> None:
    start = 0.0
    parts: Sequence[tuple[int, str]] = (
        (total.right, GREEN),
        (total.refused, FAINT),
        (total.wrong_without_error, VERMILLION),
    )
    for records, colour in parts:
        if records:
            wide = records / total.records  # a length, not a figure: the counts are what is said
            axes.barh(place, wide, left=start, color=colour, height=0.78)
            where = start + wide / 2
            axes.text(where, place, f"{records:,}", color=readable(colour), size=SMALL, ha="center", va="center")
            start += wide
    axes.text(1.015, place, f"of {total.records:,}", size=SMALL, color=MUTED, va="center", ha="left")
