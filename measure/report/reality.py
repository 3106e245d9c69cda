"""Tables that hold the study of sessions against the world: reported cache reads, and what others published."""

from collections.abc import Iterator

from measure import results
from measure.report.ladder import by
from measure.report.table import Table, numeric
from measure.scenario import Files
from measure.study.context.published import ContextPublished
from measure.study.context.real import ContextReal


def cache(files: Files) -> Iterator[Table]:
    """The cache model against reported cache reads."""
    recorded = results.table(files, "context_sessions", ContextReal)
    yield Table(
        "Cache reads: the model against the provider's report, in the provider's tokens",
        ("session", "breakpoints", "transitions", "exact"),
        [(one.session, one.breakpoints, str(one.transitions), str(one.exact)) for one in recorded.reported],
        numeric(2, 3),
        tuple(
            f"{breakpoints}: exact in {sum(one.exact for one in same)} of {sum(one.transitions for one in same)}"
            for breakpoints, same in by(recorded.reported, lambda one: one.breakpoints)
        ),
    )
    yield Table(
        "Transitions that the model does not predict to the token",
        ("session", "breakpoints", "call", "seconds", "predicted", "reported"),
        [
            (
                one.session,
                one.breakpoints,
                str(one.call),
                "-" if one.seconds is None else str(one.seconds),
                f"{one.predicted:,}",
                f"{one.reported:,}",
            )
            for one in recorded.transitions
            if one.predicted != one.reported
        ],
        numeric(2, 3, 4, 5),
        tuple(
            f"{reason}: "
            + ", ".join(f"{one.session} call {one.call}" for one in {(s.session, s.call): s for s in same}.values())
            for reason, same in by(
                (one for one in recorded.transitions if one.predicted != one.reported), lambda one: one.reason
            )
        ),
    )


def published(files: Files) -> Iterator[Table]:
    """What others published, computed again from the figures that they print."""
    recorded = results.table(files, "context_published", ContextPublished)
    for source, changes in by(recorded.changes, lambda one: one.source):
        yield Table(
            f"{source}: computed again",
            ("figure", "before", "after", "said", "ours", ""),
            [
                (
                    one.figure,
                    one.recomputed.before,
                    one.recomputed.after,
                    f"{one.published} %" if one.published else "-",
                    one.recomputed.display,
                    "-" if one.verdict == "not printed" else one.verdict,
                )
                for one in changes
            ],
            numeric(1, 2, 3, 4),
            (f"in {changes[0].recomputed.unit}; percent of before; rounded: within what the printed digits allow",),
        )
    turns = recorded.turns
    yield Table(
        f"{turns.source}: turns with summaries against masking",
        ("model", "masking", "summaries", "longer", f"{turns.low}-{turns.high} %"),
        [
            (one.model, one.longer.before, one.longer.after, one.longer.display, "yes" if one.inside else "no")
            for one in turns.models
        ],
        numeric(1, 2, 3),
        (
            f"percent of the turns with masking; {turns.inside} of {len(turns.models)} inside the range that was said,"
            f" {turns.at_least} at least {turns.low} % longer, {turns.shorter} shorter",
        ),
    )
    yield Table(
        "The masking article: what it paid for a million tokens, against a list price",
        ("example", "list", "paid", "above the list price"),
        [(str(one.example), one.against.before, one.against.after, one.against.display) for one in recorded.implied],
        numeric(1, 2, 3),
        (
            f"dollars; percent of the list price, {recorded.implied[0].against.of}, of {recorded.implied[0].date}",
            "a cache read costs a tenth of it: so hardly any of this input can have been read from a cache",
        ),
    )
    yield Table(
        "Published, and not to be computed again",
        ("figure", "source"),
        [(one.figure, one.source) for one in recorded.unsupported],
        notes=tuple(f"{one.figure}: {one.why}" for one in recorded.unsupported),
    )
