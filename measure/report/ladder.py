"""The ladder of a user's own rows as tables, and the words that every table of rungs and steps shares.

Apart from the study's tables because it is on the counting path: it imports no more than it shows.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from measure.formats import FORMATS
from measure.ladder import Ladder, RungCount, Step
from measure.quantities import Saving
from measure.report.table import Table, numeric
from measure.tokens import Count

T = TypeVar("T")
K = TypeVar("K")


def own_ladder(measured: Ladder, name: str) -> Iterator[Table]:
    """The ladder of a user's own rows."""
    first = measured.rungs[0]
    lossy = {count.rung for count in measured.rungs if not count.lossless}
    yield Table(
        f"{name} · {plural(first.rows, 'row')} · {first.encoding}, {measured.authority}",
        ("rung", "what it is", "bytes", "tokens", "lossless"),
        [(c.rung, what(c), f"{c.bytes:,}", f"{c.tokens:,}", "yes" if c.lossless else "NO") for c in measured.rungs],
        numeric(2, 3),
        (_projected(measured), _aliased(measured), *_lost(measured)),
    )
    yield Table(
        "What each step saves",
        ("step", "before", "after", "saved", "percent", "of the tokens of", "so far, of L0"),
        [
            (
                step.step + ("*" if step.step[-2:] in lossy else ""),
                f"{step.before_tokens:,}",
                f"{step.after_tokens:,}",
                f"{step.saving.saved_tokens:,}",
                step.saving.display,
                of(step.saving),
                step.cumulative.display,
            )
            for step in once(measured.steps)
        ],
        numeric(1, 2, 3, 4, 6),
        (
            "two orders: L0 to L3 by way of L1, or of L2",
            *["* the text after this step is not lossless, so it does not compare with the others"] * bool(lossy),
        ),
    )


def _projected(measured: Ladder) -> str:
    everything = measured.rungs[0].fields == sorted(measured.projected)
    return f"projected: {', '.join(measured.projected)}" + " (all: name some with --fields)" * everything


def _aliased(measured: Ladder) -> str:
    shorter = [f"{alias} = {field}" for field, alias in measured.aliases.items() if alias != field]
    if not shorter:
        return "aliases: none, as no name can be shortened"
    return f"aliases: {', '.join(shorter)} (a legend to be read once, not counted here)"


def _lost(measured: Ladder) -> Iterator[str]:
    """What the lossy rungs lost, column by column, and what their formats cannot carry."""
    lost = [(loss, count) for count in measured.rungs for loss in count.lost]
    for loss, pairs in by(lost, lambda pair: pair[0]):
        rungs = ", ".join(count.rung for _, count in pairs)
        verb = "loses" if len(pairs) == 1 else "lose"
        yield f"{rungs} {verb}: {loss.field}, {plural(loss.values, loss.type)} read back as {loss.read_back_as}"
    for limit, pairs in by(lost, lambda pair: FORMATS[pair[1].serialization].cannot_carry):
        yield f"{', '.join(dict.fromkeys(count.rung for _, count in pairs))} cannot carry {limit}"


def by(items: Iterable[T], key: Callable[[T], K]) -> Iterator[tuple[K, list[T]]]:
    """Groups of equal key, in the order in which the keys first appear."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    yield from groups.items()


def once(taken: Iterable[Step]) -> list[Step]:
    """Each step once a scale: the two orderings share those behind L3."""
    return list({(step.step, step.rows): step for step in taken}.values())


def what(count: RungCount) -> str:
    """A rung in words."""
    return f"{FORMATS[count.serialization].label}, {plural(len(count.fields), 'field')}"


def plural(number: int, noun: str) -> str:
    """A number and its noun.

    >>> plural(1, "row"), plural(1_500, "row")
    ('1 row', '1,500 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def of(saving: Saving) -> str:
    """What a saving is a percentage of, in words."""
    return f"{saving.denominator.of}, {saving.denominator.serialization}"


def session_line(name: str, size: Count) -> str:
    """A session text's name and size in a line."""
    return f"{name} · {size.bytes:,} bytes · {size.tokens:,} tokens ({size.encoding})"


def payload_line(rung: str, rows: int, serialization: str, size: Count) -> str:
    """One payload's name and size in a line."""
    counted = f"{size.bytes:,} bytes · {size.tokens:,} tokens ({size.encoding})"
    return f"{rung} · {serialization} · {plural(rows, 'row')} · {counted}"
