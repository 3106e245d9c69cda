"""`measure formats`: a user's own rows in every representation."""

import os.path

import click

from measure import reading
from measure.canonical import canonical
from measure.cli.options import as_json, encoding, projected
from measure.report.own import own_formats
from measure.report.table import show
from measure.representation import compare
from measure.tokens import vocabulary


@click.command(name="formats")
@click.argument("file")
@click.option("--fields", metavar="A,B,C", multiple=True, help="The fields to keep, in this order; quoted as in CSV.")
@click.option("--format", "formats", metavar="NAME", multiple=True, help="Only this format, and minified JSON.")
@click.option("--sparse", is_flag=True, help="Rows may lack fields that others have.")
@encoding
@as_json
def command(file: str, encoding: str, as_json: bool, **asked: tuple[str, ...]) -> None:
    """Count your own rows in every representation, each read back first: which is cheapest, which are lossless.

    FILE is a JSON array of objects, JSON lines or CSV, or - for standard input. A format that is not lossless for
    these rows says NO, stands below those that are, and the line under the table says what it lost.

    \b
        measure formats tasks.json --fields id,status
        measure formats orders.jsonl --sparse --json
    """
    vocabulary(encoding)
    records = reading.load(file, sparse=bool(asked["sparse"]))
    where = reading.named(file)
    kept = projected(records, asked["fields"], file)
    found = compare(kept, [encoding], asked["formats"])
    if as_json:
        click.echo(canonical(found), nl=False)
    else:
        show(list(own_formats(found, os.path.basename(where))))
