"""`measure explain`: where the tokens of a user's own rows go, and what each step of the ladder would save."""

import os.path

import click

from measure import reading
from measure.canonical import canonical
from measure.cli.options import as_json, encoding, projected
from measure.explain import explain
from measure.formats.aliased import shortest_aliases
from measure.ladder import climb
from measure.report.ladder import own_ladder
from measure.report.own import explained
from measure.report.table import show
from measure.tokens import vocabulary


@click.command(name="explain")
@click.argument("file")
@click.option("--fields", metavar="A,B,C", multiple=True, help="The fields that a projection would keep.")
@click.option("--sparse", is_flag=True, help="Rows may lack fields that others have.")
@encoding
@as_json
def command(file: str, fields: tuple[str, ...], sparse: bool, encoding: str, as_json: bool) -> None:
    """Show where the tokens of your own rows go: to names, values, punctuation and white space, field by field.

    FILE is a JSON array of objects, JSON lines or CSV, or - for standard input. Below stand the steps of the ladder,
    for the projection that --fields names.

    \b
        measure explain tasks.json
        measure explain tasks.json --fields id,status
    """
    vocabulary(encoding)
    records = reading.load(file, sparse=sparse)
    where = reading.named(file)
    kept = projected(records, fields, file)
    found = explain(records, encoding)
    measured = climb(records, kept.fields, shortest_aliases(kept.fields), [encoding])
    if as_json:
        click.echo(canonical({"explained": found, "ladder": measured}), nl=False)
    else:
        _, steps = own_ladder(measured, "")
        show([explained(found, os.path.basename(where)), steps])
