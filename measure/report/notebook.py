"""What a notebook needs to show results: `load`, `frame`, `table`, `figure`. It selects, pivots and computes nothing.

The results are those of the checkout that the notebook lies in. pandas and matplotlib are imported when they are asked
for, so that importing this costs nothing; both come with the extra `notebooks`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from measure import results
from measure.context.prices import dollars
from measure.errors import BadInput
from measure.report import figures
from measure.report.table import text
from measure.report.tables import TABLES
from measure.study import checkout

if TYPE_CHECKING:
    import pandas


class Picture:
    """A figure that a notebook shows as SVG, and as its words where no picture is shown."""

    def __init__(self, svg: bytes) -> None:
        self.svg = svg.decode()

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return figures.alt(self.svg)


@cache
def _files() -> Mapping[str, bytes]:
    return results.read(checkout.root() / results.FOLDER)


def load(name: str) -> Any:
    """A result as it is in its file, in lists and dictionaries.

    Raises:
        BadInput: there is no such result.
    """
    data = _files().get(results.path(name))
    if data is None:
        known = ", ".join(path[len("results/") : -len(".json")] for path in _files() if _is_table(path))
        raise BadInput(f"no result {name!r}", right=f"known: {known}")
    return json.loads(data)


def _is_table(path: str) -> bool:
    return path.endswith(".json") and not path.endswith(".schema.json")


def frame(
    name: str, part: str, index: Sequence[str], values: str | Sequence[str], columns: str = "", **where: object
) -> "pandas.DataFrame":
    """The records of one `part` of a result, those whose members are as `where` says, as a DataFrame.

    A row for each value of `index`; a column for each of `values`, or with `columns` one for each value of that member.
    A part or a member inside another is named with a dot: `shapes.counts`, `parts.quotes`. A saving or a share is shown
    with what it is of: 28.21 % of L0, 49,629 (pretty); one of a cost: 15.35 % of none, $0.1241 (5m, system+last).

    Raises:
        BadInput: no such result, part or member; or a cell would have to hold two values.
    """
    try:
        import pandas
    except ImportError:
        raise BadInput("pandas is not installed", right="pip install '.[notebooks]' in the clone") from None
    pandas.set_option("display.width", 160, "display.max_colwidth", 120, "display.max_columns", None)
    wanted = [values] if isinstance(values, str) else list(values)
    cells: dict[tuple[Any, ...], dict[str, Any]] = {}
    for record in _records(load(name), part.split("."), {}):
        if all(_member(record, key, name) == value for key, value in where.items()):
            row = cells.setdefault(tuple(_member(record, key, name) for key in index), {})
            for value in wanted:
                column = str(_member(record, columns, name)) if columns else value
                cell = _member(record, value, name)
                if row.setdefault(column, cell) != cell:
                    raise BadInput(f"several {value} for one cell", where=name, right="name more members")
    if not cells:
        raise BadInput(f"no record of {part} is as asked: {where}", where=name)
    names = list(dict.fromkeys(column for row in cells.values() for column in row))
    held = [[row.get(column, "") for column in names] for row in cells.values()]
    labels = _short([*index, *([columns] if columns else names)])
    rows = pandas.MultiIndex.from_tuples(list(cells), names=labels[: len(index)])
    head = pandas.Index(names, name=labels[-1]) if columns else pandas.Index(labels[len(index) :])
    plain = rows if len(index) > 1 else rows.get_level_values(0)
    return pandas.DataFrame(held, index=plain, columns=head, dtype=object)


def _short(paths: Sequence[str]) -> list[str]:
    """The last part of each path, where no other path ends alike."""
    ends = [path.rpartition(".")[2] for path in paths]
    return [path if ends.count(end) > 1 else end for path, end in zip(paths, ends, strict=True)]


def _records(value: Any, part: Sequence[str], known: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The records of a part, each with the plain members of those that it lies in."""
    plain = {key: one for key, one in value.items() if not isinstance(one, list | dict)}
    held = value.get(part[0])
    if not isinstance(held, list):
        lists = ", ".join(key for key, one in value.items() if isinstance(one, list))
        raise BadInput(f"no list {part[0]!r}", right=f"known: {lists}")
    for one in held:
        if len(part) > 1:
            yield from _records(one, part[1:], {**known, **plain})
        else:
            yield {**known, **plain, **one}


def _member(record: Mapping[str, Any], path: str, name: str) -> Any:
    value: Any = record
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            raise BadInput(f"no member {path!r}", where=name, right=f"known: {', '.join(record)}")
        value = value[key]
    if isinstance(value, dict) and "display" in value:
        return f"{value['display']} of {_whole(value)}"
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _whole(percent: Mapping[str, Any]) -> str:
    """What a saving, a saving of cost or a change is of."""
    if "denominator" not in percent:
        return f"{percent['before']} ({percent['unit']})"
    whole = percent["denominator"]
    if "nanodollars" in whole:
        return f"{whole['of']}, {dollars(whole['nanodollars'])} ({whole['cache']})"
    return f"{whole['of']}, {whole['tokens']:,} ({whole['serialization']})"


def table(name: str, *places: int) -> None:
    """Print the tables that `measure table NAME` prints, or only those at these places, counted from 0.

    Raises:
        BadInput: there is no such table.
    """
    if name not in TABLES:
        raise BadInput(f"unknown table {name!r}", right=f"known: {', '.join(TABLES)}")
    made = list(TABLES[name](_files()))
    print("\n".join(text(one) for place, one in enumerate(made) if not places or place in places), end="")  # noqa: T201


def figure(name: str) -> Picture:
    """A figure, drawn anew from the results.

    Raises:
        BadInput: there is no such figure, or matplotlib is not installed.
    """
    if name not in figures.FIGURES:
        raise BadInput(f"unknown figure {name!r}", right=f"known: {', '.join(figures.FIGURES)}")
    return Picture(figures.figure(_files(), name))
