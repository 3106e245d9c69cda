"""`measure notebooks`: run the notebooks, and record or compare what their cells show."""

import click

from measure.cli.progress import progress
from measure.errors import BadInput, Refused
from measure.report import notebooks
from measure.report.ladder import plural
from measure.study import checkout


@click.command(name="notebooks")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--check", is_flag=True, help="Compare with what is recorded, and write nothing.")
def command(names: tuple[str, ...], check: bool) -> None:
    """Run every notebook of the checkout, or those that a NAME begins, and write them with what their cells show.

    The same bytes come out on every Python and machine. With --check, exit status 1 and a line a cell that differs.
    """
    folder = checkout.root() / notebooks.FOLDER
    known = notebooks.names(folder)
    for name in names:
        if not any(one.startswith(name) for one in known):
            raise BadInput(f"no notebook begins with {name!r}", right=f"known: {', '.join(known)}")
    chosen = [one for one in known if not names or one.startswith(names)]
    stale = []
    with progress(len(chosen)) as stage:
        for name in chosen:
            stage(name)
            data = notebooks.executed(folder / name)
            if check:
                stale += list(notebooks.differences(folder / name, data))
            else:
                notebooks.write(folder / name, data)
    for line in stale:
        click.echo(line)
    if stale:
        raise Refused(f"{plural(len(stale), 'cell')} not as recorded; `measure notebooks` records what they show now")
    click.echo(f"{plural(len(chosen), 'notebook')} {'as recorded' if check else 'run and written'}")
