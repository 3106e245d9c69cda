"""Figures of the ladder: its rungs, the two orders of its steps, and the last step, which no ladder can show.

Drawn in the first encoding of the results; the tables beside them hold the others. Nothing is added up here: lengths
are counts of the results, and texts are theirs.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from measure import results
from measure.ladder import Ladder, RungCount, Step
from measure.quantities import Saving
from measure.report.figures.style import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    MUTED,
    PURPLE,
    SKY,
    SMALL,
    Drawn,
    Frame,
    canvas,
    named,
    quiet,
    shade,
)
from measure.report.ladder import by, what
from measure.scenario import Files

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LADDER_TITLE = "Dropping fields and names saves; aliases cannot be seen"
ORDERINGS_TITLE = "The order of two steps decides which one gets the credit"
ALIASES_TITLE = "Aliases save the same few tokens however many rows"

MINUS = "\N{MINUS SIGN}"


def ladder(files: Files) -> Drawn:
    """Tokens of each rung against rows, both logarithmic; a hue a field set, a shade a serialization."""
    recorded = results.table(files, "ladder", Ladder)
    counted = [one for one in recorded.rungs if one.encoding == recorded.rungs[0].encoding]
    whole = max(len(one.fields) for one in counted)
    note = (
        f"Tokens of one payload · {counted[0].encoding}, {recorded.authority} · measured. Blue: {whole} fields;"
        f" orange: {len(recorded.projected)} fields; the darker, the less is written round the values. Rings: L5."
    )
    figure, (axes,) = canvas((7.4, 4.6), LADDER_TITLE, note, Frame(left=0.8, right=2.5, bottom=1.1))
    ends: list[tuple[float, str, str]] = []
    for rung, found in by(counted, lambda one: one.rung):
        first, last = found[0], found[-1]
        colour = shade(len(first.fields), whole, first.serialization)
        hidden = bool(ends) and last.serialization == "aliased"
        axes.plot(
            [one.rows for one in found],
            [one.tokens for one in found],
            color=colour,
            marker="o",
            markersize=9 if hidden else 4,
            markerfacecolor="none" if hidden else colour,
            linestyle="none" if hidden else "-",
        )
        ends.append((float(last.tokens), f"{rung} {what(first)}", shade(len(first.fields), whole, "compact")))
    scales = list(dict.fromkeys(one.rows for one in counted))
    _logarithmic(axes, scales, [one.tokens for one in counted])
    named(axes, ends)
    return Drawn(figure, _ladder_alt(counted, scales, note))


def _logarithmic(axes: "Axes", scales: Sequence[int], tokens: Sequence[int]) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(list(scales), [str(rows) for rows in scales])
    decades = [10**power for power in range(2, 6) if 10**power < max(tokens)]
    axes.set_yticks(decades, [f"{decade:,}" for decade in decades])
    axes.minorticks_off()
    axes.set_xlim(scales[0] / 1.25, scales[-1] * 1.25)
    axes.set_xlabel("rows of the payload (logarithmic)")
    axes.set_ylabel("tokens (logarithmic)")


def _ladder_alt(counted: Sequence[RungCount], scales: Sequence[int], note: str) -> str:
    ends = (
        f"{rung} ({what(found[0])}) from {found[0].tokens:,} to {found[-1].tokens:,}"
        for rung, found in by(counted, lambda one: one.rung)
    )
    return f"Lines of tokens against rows, from {scales[0]} to {scales[-1]} rows: {'; '.join(ends)}. {note}"


def orderings(files: Files) -> Drawn:
    """From L0 to L5 by two ways, at the largest scale: what each step saves, and of what."""
    recorded = results.table(files, "ladder", Ladder)
    encoding, rows = recorded.steps[0].encoding, max(step.rows for step in recorded.steps)
    rungs = {one.rung: one for one in recorded.rungs if (one.encoding, one.rows) == (encoding, rows)}
    taken = [step for step in recorded.steps if (step.encoding, step.rows) == (encoding, rows)]
    note = (
        f"{rows} rows · {encoding} · measured. Under each bar: percent of the tokens of the rung that the step starts"
        " from. Green: written shorter. Purple: fields dropped."
    )
    figure, panels = canvas((7.4, 6.9), ORDERINGS_TITLE, note, Frame(left=0.3, top=0.75, down=1.2, bottom=1.3), rows=2)
    said = []
    for axes, (ordering, steps) in zip(panels, by(taken, lambda step: step.ordering), strict=True):
        _waterfall(axes, ordering, steps, rungs)
        said.append(f"{ordering}: " + "; ".join(f"{step.step} saves {_of(step.saving)}" for step in steps))
    return Drawn(figure, f"Two waterfalls from L0 to L5. {'. '.join(said)}. {note}")


def _waterfall(axes: "Axes", ordering: str, steps: Sequence[Step], rungs: dict[str, RungCount]) -> None:
    first, last = rungs[steps[0].step[:2]], rungs[steps[-1].step[-2:]]
    axes.bar([0, len(steps) + 1], [first.tokens, last.tokens], color=[MUTED, MUTED], width=0.62)
    under = [f"{first.rung}\n{first.tokens:,} tokens\n{first.serialization}"]
    for place, step in enumerate(steps, start=1):
        before, after = rungs[step.step[:2]], rungs[step.step[-2:]]
        colour = PURPLE if len(before.fields) != len(after.fields) else GREEN
        axes.bar(place, step.before_tokens - step.after_tokens, bottom=step.after_tokens, color=colour, width=0.62)
        axes.plot([place - 0.69, place + 0.31], [step.before_tokens] * 2, color=MUTED, lw=0.8)
        saved = f"{MINUS}{step.saving.saved_tokens:,}"
        axes.annotate(saved, (place, step.before_tokens), (0, 4), textcoords="offset points", ha="center", size=SMALL)
        whole = step.saving.denominator
        name = step.step.replace("->", "\N{RIGHTWARDS ARROW}")
        under.append(f"{name}\n{step.saving.display}\nof {whole.tokens:,}\n{whole.serialization}")
    under.append(f"{last.rung}\n{last.tokens:,} tokens\n{last.serialization}")
    axes.set_xticks(range(len(under)), under, linespacing=1.3)
    axes.set_ylim(0, first.tokens * 1.12)
    axes.set_yticks([])
    axes.set_title(ordering, loc="left", size=SMALL + 1, color=MUTED, pad=4)
    quiet(axes, "")


def aliases(files: Files) -> Drawn:
    """L4 minus L5 at each scale, a panel an encoding: the difference that the ladder's lines hide."""
    recorded = results.table(files, "ladder", Ladder)
    last = f"{recorded.rungs[-2].rung}->{recorded.rungs[-1].rung}"
    once = {(step.encoding, step.rows): step for step in recorded.steps if step.step == last}
    encodings = list(by(once.values(), lambda step: step.encoding))
    note = (
        "Tokens that aliases in the header save, L4 minus L5; under each bar, percent of the tokens of L4 (compact)."
        f" The legend that explains them is not charged here · {recorded.authority} · measured"
    )
    frame = Frame(left=0.3, top=0.75, bottom=1.35, across=0.4, widths=(1.0,) * len(encodings))
    figure, panels = canvas((7.4, 3.9), ALIASES_TITLE, note, frame)
    most = max(step.saving.saved_tokens for step in once.values())
    for axes, (encoding, steps), colour in zip(panels, encodings, (BLUE, SKY), strict=False):
        axes.bar(range(len(steps)), [step.saving.saved_tokens for step in steps], color=colour, width=0.6)
        for place, step in enumerate(steps):
            tokens = f"{step.saving.saved_tokens}"
            axes.text(place, step.saving.saved_tokens + most * 0.03, tokens, ha="center", va="bottom", color=INK)
        under = [f"{s.rows} rows\n{s.saving.display}\nof {s.saving.denominator.tokens:,}" for s in steps]
        axes.set_xticks(range(len(steps)), under, linespacing=1.3)
        axes.set_ylim(0, most * 1.2)
        axes.set_yticks([])
        axes.set_title(f"{encoding}, tokens saved", loc="left", size=SMALL + 1, color=MUTED, pad=4)
        axes.axhline(0, color=FAINT, lw=0.8)
        quiet(axes, "")
    said = ". ".join(
        f"{encoding}: " + "; ".join(f"{step.rows} rows, {_of(step.saving)}" for step in steps)
        for encoding, steps in encodings
    )
    return Drawn(figure, f"Bars of the tokens that aliases save. {said}. {note}")


def _of(saving: Saving) -> str:
    whole = saving.denominator
    return (
        f"{saving.saved_tokens:,} tokens, {saving.display} of {whole.of}'s {whole.tokens:,} tokens"
        f" ({whole.serialization})"
    )
