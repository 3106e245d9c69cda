"""Every table that a person can ask for, built from the results. `TABLES` is the registry.

A builder takes the files of a study and formats what they hold. It adds up nothing: a number that is not in a
result cannot be in a table.
"""

from collections.abc import Callable, Iterator

from measure import results
from measure.gates import GATES
from measure.ladder import Ladder
from measure.report import accounts, context, contexts, formats, mcp, reality
from measure.report.ladder import by, of, once, what
from measure.report.table import Table, numeric
from measure.scenario import Files
from measure.study.figures import Comparison
from measure.study.hunt import Mutants
from measure.study.ranges import Ranges, RangeVerdict
from measure.study.replication import Replication


def ladder(files: Files) -> Iterator[Table]:
    """Tokens of each rung at each scale, a table an encoding."""
    recorded = results.table(files, "ladder", Ladder)
    for encoding, rungs in by(recorded.rungs, lambda count: count.encoding):
        scales = list(dict.fromkeys(count.rows for count in rungs))
        yield Table(
            f"Tokens of one payload · {encoding}, {recorded.authority} · measured",
            ("rung", "what it is", *(f"{rows} rows" for rows in scales)),
            [
                (rung, what(counts[0]), *(f"{count.tokens:,}" for count in counts))
                for rung, counts in by(rungs, lambda count: count.rung)
            ],
            numeric(*range(2, 2 + len(scales))),
        )


def steps(files: Files) -> Iterator[Table]:
    """What each step saves in percent of the rung that it starts from, and all of them in percent of L0."""
    recorded = results.table(files, "ladder", Ladder)
    for encoding, taken in by(recorded.steps, lambda step: step.encoding):
        scales = list(dict.fromkeys(step.rows for step in taken))
        yield Table(
            f"What a step saves, in percent of the rung that it starts from · {encoding}",
            ("step", "percent of the tokens of", *(f"{rows} rows" for rows in scales)),
            [
                (name, of(same[0].saving), *(step.saving.display for step in same))
                for name, same in by(once(taken), lambda step: step.step)
            ],
            numeric(*range(2, 2 + len(scales))),
        )
        yield Table(
            f"What has been saved when the step is done, in percent of L0 · {encoding}",
            ("step", "percent of the tokens of", *(f"{rows} rows" for rows in scales)),
            [
                (name, of(same[0].cumulative), *(step.cumulative.display for step in same))
                for name, same in by(once(taken), lambda step: step.step)
            ],
            numeric(*range(2, 2 + len(scales))),
        )


def orderings(files: Files) -> Iterator[Table]:
    """The same end by two ways: what each step saves, and its share of all that is saved."""
    recorded = results.table(files, "ladder", Ladder)
    for encoding, taken in by(recorded.steps, lambda step: step.encoding):
        scales = list(dict.fromkeys(step.rows for step in taken))
        ways = list(by(taken, lambda step: (step.ordering, step.step)))
        head = ("ordering", "step", *(f"{rows} rows" for rows in scales))
        yield Table(
            f"Two orders, one end: tokens that each step saves · {encoding}",
            head,
            [(*way, *(f"{step.saving.saved_tokens:,}" for step in same)) for way, same in ways],
            numeric(*range(2, 2 + len(scales))),
        )
        wholes = {step.rows: step.credit.denominator for step in taken if step.credit}
        yield Table(
            f"Two orders, one end: share of the tokens saved, L0 to L5 · {encoding}",
            head,
            [(*way, *(step.credit.display if step.credit else "-" for step in same)) for way, same in ways],
            numeric(*range(2, 2 + len(scales))),
            tuple(
                f"{rows} rows: percent of {whole.tokens:,} tokens, {whole.of} ({whole.serialization})"
                for rows, whole in wholes.items()
            ),
        )


def ranges(files: Files) -> Iterator[Table]:
    """The published ranges on our fixtures."""
    recorded = results.table(files, "ranges", Ranges)
    for encoding, verdicts in by(recorded.verdicts, lambda verdict: verdict.encoding):
        scales = [one.rows for one in verdicts[0].measured]
        yield Table(
            f"Published ranges on our fixtures, by number of rows · {encoding}",
            ("step", "percent of", "published", *map(str, scales), "holds"),
            [
                (
                    verdict.step,
                    f"{verdict.published.of}, {verdict.published.serialization}",
                    f"{verdict.published.low:.2f}-{verdict.published.high:.2f}",
                    *(one.saving.display for one in verdict.measured),
                    _holds(verdict),
                )
                for verdict in verdicts
            ],
            numeric(*range(3, 3 + len(scales))),
            ("no: the farthest, in percentage points outside the published range",),
        )


def replication(files: Files) -> Iterator[Table]:
    """The published figures on the original's own data."""
    recorded = results.table(files, "replication", Replication)
    yield compared(recorded)
    yield beside(recorded)


def beside(recorded: Replication) -> Table:
    """What lies beside the last step of the original's ladder: another delimiter, on its own rows."""
    return Table(
        f"Beside the original's last step, on its own rows · {recorded.source.encoding} · measured",
        ("rows", "L4", "with spaces", "saves", "of L4", "aliases save", "of L4"),
        [
            (
                str(one.rows),
                f"{one.space.denominator.tokens:,}",
                f"{one.space_tokens:,}",
                f"{one.space.saved_tokens:,}",
                one.space.display,
                f"{one.aliases.saved_tokens:,}",
                one.aliases.display,
            )
            for one in recorded.delimiters
        ],
        numeric(0, 1, 2, 3, 4, 5, 6),
        ("compact rows, four fields; with spaces: the same cells, a space for each comma; lossless both",),
    )


def compared(recorded: Replication) -> Table:
    """Every published figure beside ours, one line each."""
    source = recorded.source
    explained = [f"{one.figure}: {one.explained}" for one in recorded.figures if one.explained]
    beside = ["minified tool lists: not published, but counted by others of the original's data"] * any(
        one.evidence == "measured" for one in recorded.figures
    )
    changed = [f"{one.file}: not the published bytes" for one in recorded.inputs if not one.as_published]
    return Table(
        f"Published figures on the original's own data · {source.encoding}",
        ("figure", "unit", "published", "ours", ""),
        [
            (one.figure, one.unit, _number(one.published), _number(one.ours), _agreement(one))
            for one in recorded.figures
        ],
        numeric(2, 3),
        (f"{recorded.equal_figures} of {recorded.figures_compared} figures are equal", *beside, *explained, *changed),
    )


def _agreement(one: Comparison) -> str:
    return "equal" if one.equal else "explained" if one.explained else "DIFFERS"


def gates(_: Files) -> Iterator[Table]:
    """The gates and what each claims."""
    yield Table("Gates", ("gate", "claim"), [(gate.name, gate.claim) for gate in GATES])


def mutants(files: Files) -> Iterator[Table]:
    """The mutants, each with the gate that it turned red."""
    if results.path("mutants") in files:
        yield hunted(results.table(files, "mutants", Mutants))


def hunted(recorded: Mutants) -> Table:
    """What each mutant damaged, and whether its gate noticed."""
    return Table(
        "Mutants: the study broken once, on a copy",
        ("gate", "", "damage"),
        [(one.gate, "red" if one.red else "SURVIVED", one.damage) for one in recorded.mutants],
        notes=(f"{recorded.killed} of {recorded.mutants_tried} mutants killed, {recorded.gates} gates proven",),
    )


TABLES: dict[str, Callable[[Files], Iterator[Table]]] = {
    "ladder": ladder,
    "steps": steps,
    "orderings": orderings,
    "session-texts": accounts.session_texts,
    "break-even": accounts.break_even,
    "adoption": accounts.adoption,
    "batches": accounts.batches,
    "aliases": accounts.aliases,
    "mcp": mcp.mcp,
    "envelope": mcp.envelope,
    "hosts": contexts.hosts,
    "servers": contexts.servers,
    "formats": formats.formats,
    "scenarios": formats.scenarios,
    "beyond": formats.beyond,
    "families": formats.families,
    "projections": formats.projections,
    "policies": context.policies,
    "sessions": context.sessions,
    "growth": context.growth,
    "triggers": context.triggers,
    "advice": context.advice,
    "cache": reality.cache,
    "context-published": reality.published,
    "ranges": ranges,
    "replication": replication,
    "gates": gates,
    "mutants": mutants,
}


def _holds(verdict: RangeVerdict) -> str:
    worst = max((one.points_outside for one in verdict.measured), key=abs)
    return "yes" if verdict.holds else f"no: {worst:+.2f}"


def _number(value: int | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"
