"""Figures of all sessions at once: what policies save of tokens and of cost, and how well the cache is understood.

Where sessions are many, the one in the middle is marked: it is a session's own figure, no mean.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from measure import results
from measure.context.prices import dollars
from measure.context.reality import EXACT, LESS, LIVED, MORE, REACH, SHORTER
from measure.report.figures.context import FRONTIER, MINUS, MOVING, UNCACHED, both
from measure.report.figures.style import (
    BLUE,
    DEARER,
    FAINT,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    PURPLE,
    SMALL,
    VERMILLION,
    Drawn,
    Frame,
    canvas,
    quiet,
)
from measure.report.ladder import by, plural
from measure.scenario import Files
from measure.study.context.real import ContextReal, Reported, SessionTransition
from measure.study.context.rows import PolicyRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POLICIES_TITLE = "Masking at every request saves tokens and often loses money; in steps, it mostly saves both"
CACHE_TITLE = "The cache model tells to the token what nearly every call reads"

_GROUPS = {  # when a policy acts: the names that the study has for it
    "at every request": ("mask 10", "mask 3", "clear 30k"),
    "in steps": ("mask 10, steps of 10", "mask 3, steps of 10", "clear 30k, 5k at least", "clear 30k, 20k at least"),
    "by a rule on cost": ("cache-aware 10", "cache-aware 3"),
    "with summaries": ("hybrid", "summarize"),
}
_PANELS = {
    UNCACHED: "input tokens",
    MOVING: "cost, cached to system and last",
    FRONTIER: "cost, and to the frontier",
}
_REASONS = {  # the ring of each, and its words where room is scarce
    SHORTER: (VERMILLION, "something was taken out"),
    LIVED: (GREEN, "read after its life"),
    REACH: (INK, "out of the walk's reach"),
    MORE: (PURPLE, "more read than written"),
    LESS: (ORANGE, "less read than written"),
}


def policies(files: Files) -> Drawn:
    """A row a policy, a dot a session; a panel for tokens and one for each placement of breakpoints."""
    recorded = both(files)
    taken = sorted(one.input_tokens for one in recorded.sessions)
    costs = sorted(recorded.alone(one.session, MOVING).total_nanodollars for one in recorded.sessions)
    note = (
        f"Percent saved of what doing nothing takes in a session: of {taken[0]:,} to {taken[-1]:,} input tokens"
        f" ({recorded.synthetic.encoding}, measured, summaries simulated), and of {dollars(costs[0])} to"
        f" {dollars(costs[-1])} with a five-minute cache (simulated, prices of {recorded.priced}). A dot a session:"
        f" filled, {len(recorded.synthetic.sessions)} constructed; open, {len(recorded.real.sessions)} captured. Bar:"
        " the session in the middle. At zero nothing was removed, or nothing won. At the right: how many sessions"
        " cost more than doing nothing."
    )
    frame = Frame(left=1.85, right=0.75, bottom=1.4, top=0.95, across=0.75, widths=(0.5, 1.0, 1.0))
    figure, panels = canvas((10.4, 6.5), POLICIES_TITLE, note, frame)
    places = _places()
    made = {one.session for one in recorded.synthetic.sessions}
    said: dict[str, list[str]] = {policy: [] for policy in places}
    for axes, (terms, name) in zip(panels, _PANELS.items(), strict=True):
        for policy, place in places.items():
            held = [row for row in recorded.rows if (row.policy, row.cache, row.breakpoints) == (policy, *terms)]
            said[policy].append(f"{name}: {_strip(axes, place, held, made)}")
        _finished(axes, terms, places)
    _ticked(panels[0], places)
    told = ". ".join(f"{policy}: {'; '.join(parts)}" for policy, parts in said.items())
    return Drawn(figure, f"Dots of percent saved of tokens and of cost, by policy and session. {told}. {note}")


def _places() -> dict[str, float]:
    """A height for each policy, with room above each group for its name."""
    found, place = {}, 0.0
    for names in _GROUPS.values():
        place += 0.9
        for name in names:
            found[name] = place
            place += 1
    return found


def _percent(row: PolicyRow) -> float:
    return row.input_saving.percent if row.cache == "none" else row.cost_saving.percent


def _strip(axes: "Axes", place: float, rows: Sequence[PolicyRow], made: set[str]) -> str:
    """One policy's sessions as dots; in words, the middle one and how many cost more."""
    for row in rows:
        colour = VERMILLION if _percent(row) < 0 else BLUE
        face = colour if row.session in made else PAPER
        axes.plot(_percent(row), place, "o", markersize=5.5, color=colour, markerfacecolor=face, mew=1.2)
    middle = sorted(rows, key=_percent)[len(rows) // 2]
    axes.plot([_percent(middle)] * 2, [place - 0.36, place + 0.36], color=INK, lw=2.0, zorder=4)
    whole, shown = middle.input_saving.denominator, middle.input_saving.display
    if middle.cache == "none":
        return f"the middle session, {middle.session}, saves {shown} of {whole.tokens:,}"
    more = sum(_percent(row) < 0 for row in rows)
    said = f"{more} of {len(rows)}"
    axes.text(1.03, place, said, transform=axes.get_yaxis_transform(), size=SMALL, va="center", color=_ink(more))
    money = dollars(middle.cost_saving.denominator.nanodollars)
    return f"the middle session, {middle.session}, saves {middle.cost_saving.display} of {money}, {said} cost more"


def _ink(more: int) -> str:
    return DEARER[3] if more else MUTED


def _finished(axes: "Axes", terms: tuple[str, str], places: dict[str, float]) -> None:
    low = -5 if terms == UNCACHED else -250
    if terms != UNCACHED:
        axes.axvspan(low, 0, color=DEARER[0], lw=0)
        axes.text(low + 6, 0.12, "costs more", size=SMALL, color=DEARER[3], va="center")
        axes.text(103, 0.12, "cost more", size=SMALL, color=MUTED, va="center")
    axes.axvline(0, color=INK, lw=0.9)
    axes.set_xlim(low, 100)
    axes.set_ylim(max(places.values()) + 0.6, -0.35)
    axes.set_yticks(list(places.values()), [""] * len(places))
    axes.set_xticks([0, 50, 100] if terms == UNCACHED else [-200, -100, 0, 100])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f} %".replace("-", MINUS))
    axes.set_title(_PANELS[terms], loc="left", size=SMALL + 1, color=MUTED, pad=6)
    quiet(axes, "x", ("left", "bottom"))


def _ticked(axes: "Axes", places: dict[str, float]) -> None:
    axes.set_yticks(list(places.values()), list(places))
    beside: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "size": SMALL, "color": MUTED, "va": "center"}
    for group, names in _GROUPS.items():
        axes.text(-0.06, places[names[0]] - 0.78, group, ha="right", **beside)


def cache_model(files: Files) -> Drawn:
    """Cache reads, reported against predicted, a panel a session; what is off the diagonal is ringed, and why."""
    recorded = results.table(files, "context_sessions", ContextReal)
    placements = list(by(recorded.reported, lambda one: one.breakpoints))
    breakpoints, best = max(placements, key=lambda pair: sum(one.exact for one in pair[1]))
    said = [
        f"with breakpoints at {places}, {sum(one.exact for one in found)} of"
        f" {sum(one.transitions for one in found)} transitions to the token"
        for places, found in placements
    ]
    note = (
        "Tokens read from the cache by each call after another: simulated by the model, and as the provider reported"
        f" them, in its own tokens · sessions captured. Shown: breakpoints at {breakpoints}; {'; '.join(said)}. Rings:"
        " what was read otherwise, and what the report shows of the reason."
    )
    frame = Frame(left=0.85, right=0.3, bottom=1.35, top=0.85, across=0.4, widths=(1.0,) * len(best))
    figure, panels = canvas((10.4, 4.95), CACHE_TITLE, note, frame)
    steps = [one for one in recorded.transitions if one.breakpoints == breakpoints]
    most = max(max(one.predicted, one.reported) for one in steps) * 1.06
    told = []
    for axes, one in zip(panels, best, strict=True):
        told.append(_diagonal(axes, one, [step for step in steps if step.session == one.session], most))
        axes.tick_params(labelleft=axes is panels[0])
    panels[0].set_ylabel("reported tokens")
    return Drawn(figure, f"Dots of reported against predicted cache reads. {'. '.join(told)}. {note}")


def _diagonal(axes: "Axes", about: Reported, steps: Sequence[SessionTransition], most: float) -> str:
    axes.plot([0, most], [0, most], color=FAINT, lw=1.2, zorder=1)
    axes.plot([one.predicted for one in steps], [one.reported for one in steps], "o", markersize=3, color=BLUE)
    said = f"{about.session}: {about.exact} of {about.transitions} exact"
    axes.set_title(said, loc="left", size=SMALL + 1, color=MUTED, pad=6)
    place = 0.93
    for reason, found in by((one for one in steps if one.reason != EXACT), lambda one: one.reason):
        colour, short = _REASONS[reason]
        ring: dict[str, Any] = {"marker": "o", "markerfacecolor": "none", "color": colour, "mew": 1.6, "ls": "none"}
        axes.plot([one.predicted for one in found], [one.reported for one in found], markersize=9, **ring)
        axes.plot(0.05, place, markersize=9, transform=axes.transAxes, **ring)
        calls = plural(len(found), "call").partition(" ")[2] + " " + ", ".join(str(one.call) for one in found)
        axes.text(0.1, place + 0.035, f"{calls}:\n{short}", transform=axes.transAxes, size=SMALL, va="top")
        place -= 0.17
        said += f"; {reason}: " + ", ".join(
            f"call {one.call} predicted {one.predicted:,}, reported {one.reported:,}" for one in found
        )
    axes.set_xlim(-most / 40, most)
    axes.set_ylim(-most / 40, most)
    ticks = [0, 50_000, 100_000]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_yticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_xlabel("predicted tokens")
    quiet(axes, "both", ("left", "bottom"))
    return said
