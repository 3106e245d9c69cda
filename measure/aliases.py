"""How aliases fail: what a reader makes of a short header when the legend is gone, shared or ambiguous.

The saving of an alias is one thing; the other is what happens when its legend is no longer in front of the reader.
A header decodes in one of three ways: right, refused (the reader notices), or wrong without an error. The last is the
expensive one, so it is counted, in records. No model is asked: a reader is a rule, named in `READERS`, and what comes
of it is `simulated`.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Literal

import msgspec

Legend = Mapping[str, str]  # field by alias
Reader = Callable[[str, Legend, Sequence[str]], str | None]
Count = Annotated[int, msgspec.Meta(ge=0)]


def strict(alias: str, legend: Legend, _: Sequence[str]) -> str | None:
    """Looks the alias up, and refuses what is not in the legend."""
    return legend.get(alias)


def guessing(alias: str, legend: Legend, fields: Sequence[str]) -> str | None:
    """Looks the alias up; else takes the first field of the schema that begins with it and is not explained."""
    if alias in legend:
        return legend[alias]
    free = [field for field in fields if field not in legend.values()]
    return next((field for field in free if field.startswith(alias)), None)


READERS: dict[str, Reader] = {"strict": strict, "guessing": guessing}


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One header read by one reader: of `records`, how many came out right, refused, and wrong without an error.

    `legend` is what the reader holds and `evicted` the aliases whose line it has lost. `taken_for` is what it makes of
    each column, null where it refuses.
    """

    case: str
    reader: str
    legend: dict[str, str]
    evicted: list[str]
    taken_for: dict[str, str | None]
    records: Count
    right: Count
    refused: Count
    wrong_without_error: Count
    evidence: Literal["simulated"]


def read(
    case: str, reader: str, truth: Legend, held: Legend, fields: Sequence[str], rows: Sequence[Sequence[str]]
) -> Reading:
    """Read `rows` under a header of the aliases in `truth`, holding the legend `held`.

    A refused column refuses every record: a header is read once. Two columns taken for one field are refused too. A
    record is wrong where some field got a value that is not its own; swapped columns with equal values are right.
    """
    taken = {alias: READERS[reader](alias, held, fields) for alias in truth}
    found = [field for field in taken.values() if field is not None]
    readable = len(found) == len(taken) and len(set(found)) == len(found)
    wrong = sum(
        any(
            dict(zip(found, row, strict=True)).get(field) != value
            for field, value in zip(truth.values(), row, strict=True)
        )
        for row in (rows if readable else ())
    )
    return Reading(
        case=case,
        reader=reader,
        legend=dict(held),
        evicted=[alias for alias in truth if alias not in held],
        taken_for=taken,
        records=len(rows),
        right=len(rows) - wrong if readable else 0,
        refused=0 if readable else len(rows),
        wrong_without_error=wrong,
        evidence="simulated",
    )


def evictions(legend: Legend) -> list[dict[str, str]]:
    """Every legend that is left when some of the lines, or all, are gone; whole first, empty last.

    >>> [list(left) for left in evictions({"i": "id", "s": "status"})]
    [['i', 's'], ['s'], ['i'], []]
    """
    return [
        {alias: field for alias, field in legend.items() if alias not in gone}
        for count in range(len(legend) + 1)
        for gone in combinations(legend, count)
    ]


def merged(first: Legend, second: Legend) -> dict[str, str]:
    """What a reader holds who read two tools' legends, one after the other: where both use a letter, the later wins.

    >>> merged({"i": "id", "s": "status"}, {"s": "sprint"})
    {'i': 'id', 's': 'sprint'}
    """
    return {**first, **second}
