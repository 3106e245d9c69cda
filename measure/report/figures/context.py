"""Figures of single sessions: how requests grow under policies, and what the API's clearing costs trigger by trigger.

A constructed session stands beside captured ones, and each panel says which it is. A cost is percent of what doing
nothing costs of the same session on the same terms; the sums that it is a percentage of stand in the panel.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from measure import results
from measure.context.clear_tool_uses import ClearToolUses
from measure.context.prices import dollars
from measure.report.figures.style import (
    BLUE,
    DEARER,
    GREEN,
    INK,
    KEPT_FIELDS,
    MUTED,
    PURPLE,
    SMALL,
    VERMILLION,
    Drawn,
    Frame,
    canvas,
    named,
    quiet,
)
from measure.report.ladder import plural
from measure.scenario import Files
from measure.study.context.context import ContextTable
from measure.study.context.real import ContextReal
from measure.study.context.rows import Growth, PolicyRow, SessionFacts, TriggerCost

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GROWTH_TITLE = "Left alone, each request carries all that came before; policies bend the line"
TRIGGERS_TITLE = "The same clearing saves money or loses it, by where the breakpoints stand"

UNCACHED, MOVING, FRONTIER = ("none", "-"), ("5m", "system+last"), ("5m", "system+frontier+last")
MINUS = "\N{MINUS SIGN}"

_GROWN = {
    "none": INK,
    "clear, API default": MUTED,
    "summarize": PURPLE,
    "mask 10": VERMILLION,
    "mask 10, steps of 10": KEPT_FIELDS[2],
    "clear 30k, 5k at least": BLUE,
    "cache-aware 3": GREEN,
}
_LINES = {
    UNCACHED: ("tokens", INK),
    FRONTIER: ("cost, frontier too", GREEN),
    MOVING: ("cost, system and last", VERMILLION),
}
_SHOWN = ("research", "claude-code 13", "openhands 1")  # one where both save, one of either sign, one that changes


class Both(NamedTuple):
    """The synthetic sessions and the real ones, as one."""

    synthetic: ContextTable
    real: ContextReal

    @property
    def sessions(self) -> list[SessionFacts]:
        """All sessions, the synthetic ones first."""
        return [*self.synthetic.sessions, *self.real.sessions]

    @property
    def rows(self) -> list[PolicyRow]:
        """Every session under every policy on all terms."""
        return [*self.synthetic.rows, *self.real.rows]

    @property
    def growth(self) -> list[Growth]:
        """The requests of every session under every policy."""
        return [*self.synthetic.growth, *self.real.growth]

    @property
    def triggers(self) -> list[TriggerCost]:
        """The API's clearing of every session at every trigger."""
        return [*self.synthetic.triggers, *self.real.triggers]

    @property
    def priced(self) -> str:
        """Whose prices a cost is at, and of which day."""
        return f"{self.synthetic.prices[0].model} of {self.synthetic.prices[0].date}"

    def facts(self, session: str) -> SessionFacts:
        """What is known of a session."""
        return next(one for one in self.sessions if one.session == session)

    def alone(self, session: str, terms: tuple[str, str]) -> PolicyRow:
        """A session where nothing is done: what its savings are of."""
        wanted = (session, "none", *terms)
        return next(row for row in self.rows if (row.session, row.policy, row.cache, row.breakpoints) == wanted)


def both(files: Files) -> Both:
    """Both results that figures of sessions read."""
    return Both(results.table(files, "context", ContextTable), results.table(files, "context_sessions", ContextReal))


def _headed(axes: "Axes", facts: SessionFacts, under: str = "") -> str:
    title = f"{facts.session} ({facts.evidence}), {plural(facts.calls, 'call')}"
    axes.set_title(title + under, loc="left", size=SMALL + 1, color=MUTED, pad=6, linespacing=1.3)
    return title


def growth(files: Files) -> Drawn:
    """Tokens of each request, call by call, a line a policy, in the longest session of either kind."""
    recorded = both(files)
    note = (
        f"Tokens of each request, at the right those of the last · {recorded.synthetic.encoding} · measured, but for"
        " summarize, whose summaries are simulated. mask 10: results before the newest ten are masked, at every request"
        " or in steps. clear: the API's clear_tool_uses, as it comes, or from 30k on and 5k at least."
    )
    frame = Frame(left=0.75, right=2.15, bottom=1.2, top=0.75, across=2.75, widths=(1.0, 1.0))
    figure, panels = canvas((10.6, 5.6), GROWTH_TITLE, note, frame)
    said = []
    kinds = (recorded.synthetic.sessions, recorded.real.sessions)
    for axes, sessions in zip(panels, kinds, strict=True):
        longest = max(sessions, key=lambda one: one.calls)
        lines = [one for one in recorded.growth if one.session == longest.session and one.policy in _GROWN]
        _grown(axes, lines)
        ends = (f"{one.policy} {one.requests[-1]:,}, at most {max(one.requests):,}" for one in lines)
        said.append(f"{_headed(axes, longest)}, tokens of the last request: {'; '.join(ends)}")
    return Drawn(figure, f"Lines of tokens against calls. {'. '.join(said)}. {note}")


def _grown(axes: "Axes", lines: Sequence[Growth]) -> None:
    for one in lines:
        thick = 2.6 if one.policy == "none" else 1.5
        axes.plot(range(1, len(one.requests) + 1), one.requests, color=_GROWN[one.policy], lw=thick)
    axes.set_xlim(0, len(lines[0].requests))
    most = max(max(one.requests) for one in lines)
    axes.set_ylim(0, most * 1.03)
    axes.set_yticks(range(0, most, 20_000))
    axes.set_xlabel("call of the session")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    quiet(axes, "y", ("left",))
    named(axes, [(float(one.requests[-1]), f"{one.policy}: {one.requests[-1]:,}", _GROWN[one.policy]) for one in lines])


def triggers(files: Files) -> Drawn:
    """What clear_tool_uses saves by its trigger: of tokens, and of cost with the breakpoints placed in two ways."""
    recorded = both(files)
    note = (
        "Percent saved by clear_tool_uses, the rest at its defaults, of what doing nothing takes: of the sums in each"
        f" panel · tokens {recorded.synthetic.encoding}, measured · cost simulated, prices of {recorded.priced},"
        " five-minute cache, breakpoints after the system text and at the last block, without and with one at the"
        " frontier, before the first block that may still change. Ring: the first trigger of the other sign."
    )
    frame = Frame(left=0.75, right=0.3, bottom=1.45, top=0.95, across=0.35, widths=(1.0,) * len(_SHOWN))
    figure, panels = canvas((10.4, 5.4), TRIGGERS_TITLE, note, frame)
    every = [one for one in recorded.triggers if one.session in _SHOWN]
    low = min(one.cost_saving.percent for one in every)
    said = []
    for axes, session in zip(panels, _SHOWN, strict=True):
        found = [one for one in every if one.session == session]
        alone = {terms: recorded.alone(session, terms) for terms in _LINES}
        told = "; ".join(_by_trigger(axes, found, base, terms) for terms, base in alone.items())
        money = dict.fromkeys(dollars(base.total_nanodollars) for terms, base in alone.items() if terms != UNCACHED)
        _scaled(axes, [one.trigger for one in found], low)
        axes.tick_params(labelleft=axes is panels[0])
        under = f"\nof {alone[UNCACHED].input:,} tokens, {' and '.join(money)}"
        said.append(f"{_headed(axes, recorded.facts(session), under)}: {told}")
    return Drawn(figure, f"Lines of percent saved against triggers in tokens. {'. '.join(said)}. {note}")


def _percent(row: TriggerCost) -> float:
    return row.input_saving.percent if row.cache == "none" else row.cost_saving.percent


def _by_trigger(axes: "Axes", found: Sequence[TriggerCost], base: PolicyRow, terms: tuple[str, str]) -> str:
    """Draw one line with its name; in words, where it begins, of what, and where its sign turns."""
    name, colour = _LINES[terms]
    line = [one for one in found if (one.cache, one.breakpoints) == terms]
    whole = f"{base.input:,}" if terms == UNCACHED else dollars(base.total_nanodollars)
    axes.plot([one.trigger for one in line], list(map(_percent, line)), color=colour, marker="o", markersize=3)
    for one in _turned(line):
        axes.plot(one.trigger, _percent(one), "o", markersize=10, markerfacecolor="none", color=colour, zorder=4)
    start, off = (line[0].trigger, _percent(line[0])), (0, 5) if terms == UNCACHED else (0, -13)
    axes.annotate(name, start, off, textcoords="offset points", color=colour, size=SMALL)
    shown = [one.input_saving.display if terms == UNCACHED else one.cost_saving.display for one in line]
    ends = f"{shown[0]} of {whole} at {line[0].trigger:,}"
    return f"{name}: {ends}" + "".join(f", of the other sign from {one.trigger:,}" for one in _turned(line))


def _turned(line: Sequence[TriggerCost]) -> Iterator[TriggerCost]:
    """Those whose sign is not the one of the last before that saved or cost anything."""
    acted = [one for one in line if _percent(one)]
    yield from (after for one, after in pairwise(acted) if _percent(one) * _percent(after) < 0)


def _scaled(axes: "Axes", at: Sequence[int], low: float) -> None:
    axes.axhspan(low * 1.45, 0, color=DEARER[0], lw=0)
    axes.axhline(0, color=INK, lw=0.9)
    place: dict[str, Any] = {"transform": axes.transAxes, "size": SMALL, "ha": "right"}
    axes.text(0.98, 0.03, "costs more than doing nothing", color=DEARER[3], **place)
    axes.set_xscale("log")
    axes.set_xlim(min(at) / 1.12, max(at) * 1.12)
    axes.set_ylim(low * 1.45, 100)
    usual = ClearToolUses().trigger
    axes.set_xticks([10_000, 30_000, usual], ["10,000", "30,000", f"{usual:,}\nAPI default"])
    axes.minorticks_off()
    axes.set_xlabel("trigger, input tokens (logarithmic)")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f} %".replace("-", MINUS))
    quiet(axes, "y", ("left", "bottom"))
