"""`measure encodings`: what can be counted, each with its vocabulary's SHA-256."""

import click

from measure.canonical import canonical
from measure.cli.options import as_json
from measure.report.ladder import encodings
from measure.report.table import show
from measure.tokens import AUTHORITY, VOCABULARIES, read_vocabulary


@click.command(name="encodings")
@as_json
def command(as_json: bool) -> None:
    """What can be counted. Each vocabulary is read and its SHA-256 compared with tiktoken's."""
    for row in VOCABULARIES.values():
        read_vocabulary(row)
    if as_json:
        listed = [
            {
                "encoding": row.name,
                "authority": AUTHORITY,
                "entries": row.entries,
                "sha256": row.sha256,
            }
            for row in VOCABULARIES.values()
        ]
        click.echo(canonical(listed), nl=False)
    else:
        show([encodings()])
