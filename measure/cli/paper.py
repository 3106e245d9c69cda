"""`measure paper`: compile the paper from the results, and write or compare it."""

import click

from measure.errors import Refused
from measure.report import paper
from measure.study import checkout


@click.command(name="paper")
@click.option("--check", is_flag=True, help="Compare with the PDF that is recorded, and write nothing.")
def command(check: bool) -> None:
    """Compile paper/paper.typ, whose every number is looked up in results/, to paper/paper.pdf.

    The same bytes come out on every Python and machine. With --check, exit status 1 where they are not the recorded
    ones. A number that was typed, or that no result holds, is exit status 2.
    """
    folder = checkout.root()
    data = paper.compiled(folder)
    if not check:
        paper.write(folder, data)
        click.echo(f"{paper.PDF} written")
    elif data == paper.recorded(folder):
        click.echo(f"{paper.PDF} as recorded")
    else:
        raise Refused(f"{paper.PDF} is not what its source and the results give; `measure paper` writes it anew")
