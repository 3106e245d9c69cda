"""`measure ladder`: the ladder on a user's own rows."""

import os.path

import click

from measure import reading
from measure.canonical import canonical
from measure.cli.options import as_json, encoding
from measure.formats.aliased import shortest_aliases
from measure.ladder import climb
from measure.report.ladder import own_ladder
from measure.report.table import show
from measure.tokens import vocabulary


@click.command(name="ladder")
@click.argument("file")
@click.option(
    "--fields",
    metavar="A,B,C",
    help="The fields that the projection keeps, in the compact header's order.",
)
@encoding
@as_json
def command(file: str, fields: str | None, encoding: str, as_json: bool) -> None:
    """Count your own rows in six representations, each decoded back first.

    FILE is a JSON array of objects, JSON lines or CSV, or - for standard input. Without --fields the
    projection keeps every field, so that L2 is L0 and L3 is L1.

    \b
        measure ladder tasks.json --fields id,status
        curl -s localhost/tasks | measure ladder - --fields id,status --json
    """
    vocabulary(encoding)
    records = reading.load(file)
    name = "standard input" if file == reading.STANDARD_INPUT else os.path.basename(file)
    projection = records.fields if fields is None else tuple(fields.split(","))
    kept = records.project(projection, where=f"{name}, --fields")
    measured = climb(records, kept.fields, shortest_aliases(kept.fields), [encoding])
    if as_json:
        click.echo(canonical(measured), nl=False)
    else:
        show(list(own_ladder(measured, name)))
