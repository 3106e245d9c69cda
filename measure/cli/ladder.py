"""`measure ladder`: the ladder on a user's own rows."""

import os.path

import click

from measure import reading
from measure.canonical import canonical
from measure.cli.options import as_json, encoding, projected
from measure.cli.progress import progress
from measure.formats.aliased import shortest_aliases
from measure.ladder import RUNGS, Rung, climb
from measure.report.ladder import own_ladder
from measure.report.table import show
from measure.tokens import vocabulary

LONG = 20_000  # rows from which on a person may wonder what is going on


@click.command(name="ladder")
@click.argument("file")
@click.option(
    "--fields",
    metavar="A,B,C",
    multiple=True,
    help="The fields that the projection keeps, in the compact header's order; quoted as in CSV.",
)
@encoding
@as_json
def command(file: str, fields: tuple[str, ...], encoding: str, as_json: bool) -> None:
    """Count your own rows in six representations, each decoded back first.

    FILE is a JSON array of objects, JSON lines or CSV, or - for standard input. Without --fields the
    projection keeps every field, so that L2 is L0 and L3 is L1.

    \b
        measure ladder tasks.json --fields id,status
        curl -s localhost/tasks | measure ladder - --fields id,status --json
    """
    vocabulary(encoding)
    records = reading.load(file)
    where = reading.named(file)
    kept = projected(records, fields, file)
    with progress(len(RUNGS) if len(records) > LONG else 0) as stage:

        def source(rung: Rung) -> None:
            """Writes no rung, but is asked for each: the place to show how far it is."""
            stage(rung.name)

        measured = climb(records, kept.fields, shortest_aliases(kept.fields), [encoding], source=source)
    if as_json:
        click.echo(canonical(measured), nl=False)
    else:
        show(list(own_ladder(measured, os.path.basename(where))))
