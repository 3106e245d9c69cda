"""A table, and the three ways to show one: aligned text, Markdown, and colour on a terminal.

Text is the same in a pipe, a file and a test: no colour, no width but the content's. rich is imported only when a
person is looking, since it takes longer to load than a ladder to count.
"""

import sys
from collections.abc import Sequence
from textwrap import fill

import msgspec

WIDTH = 80  # of notes; a table is as wide as its cells, and those of the study's numbers fit too


class Table(msgspec.Struct, frozen=True):
    """Cells are ready-made text. `numeric` lists the columns that align to the right; `notes` stand below."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    numeric: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()


def numeric(*columns: int) -> frozenset[int]:
    """The columns that align to the right."""
    return frozenset(columns)


def printable(cell: str) -> str:
    r"""The cell with what would steer a terminal written out; a cell may hold a stranger's text.

    >>> printable("a\x1b[2Jb\n")
    'a\\x1b[2Jb\\n'
    """
    return cell if cell.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cell)


def text(table: Table) -> str:
    """The table in aligned columns, two spaces apart.

    >>> print(text(Table("tokens", ("rung", "tokens"), [("L0", "1,957"), ("L1", "9")], numeric(1))), end="")
    tokens
    <BLANKLINE>
    rung  tokens
    L0     1,957
    L1         9
    """
    lines = [tuple(map(printable, line)) for line in (table.columns, *table.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.columns))]
    shown = [
        "  ".join(
            cell.rjust(width) if column in table.numeric else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    notes = ["", *(fill(note, WIDTH, subsequent_indent="  ") for note in table.notes)] if table.notes else []
    return "\n".join([table.title, "", *shown, *notes]) + "\n"


def markdown(table: Table) -> str:
    """The table in Markdown, its title in bold above it and its notes below."""
    rule = ("---:" if column in table.numeric else "---" for column in range(len(table.columns)))
    lines = [table.columns, tuple(rule), *table.rows]
    cells = ["| " + " | ".join(printable(cell).replace("|", "\\|") for cell in line) + " |" for line in lines]
    notes = ["", *table.notes] if table.notes else []
    return "\n".join([f"**{table.title}**", "", *cells, *notes]) + "\n"


def show(tables: Sequence[Table]) -> None:
    """Print tables: with colour where a person looks at a terminal, as `text` everywhere else."""
    if sys.stdout is None:
        return
    plain = "\n".join(map(text, tables))
    if not sys.stdout.isatty():
        sys.stdout.write(plain)
        return
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console(highlight=False, markup=False, emoji=False)
    if max(map(len, plain.splitlines())) > console.width:  # rich would cut cells: better let the lines wrap
        console.print(plain, end="", soft_wrap=True)
        return
    for table in tables:
        console.print(table.title, style="bold")
        drawn = RichTable(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for column, name in enumerate(table.columns):
            right = column in table.numeric
            drawn.add_column(name, justify="right" if right else "left", style="" if column else "cyan")
        for row in table.rows:
            drawn.add_row(*map(printable, row))
        console.print(drawn)
        for note in table.notes:
            console.print(note, style="dim")
        console.print()
