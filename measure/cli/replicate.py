"""`measure replicate`: the published figures on the original study's own data."""

from pathlib import Path

import click

from measure.canonical import canonical
from measure.cli.options import as_json
from measure.errors import Refused
from measure.report.table import show
from measure.report.tables import beside, compared
from measure.study import checkout
from measure.study.replication import replicate


@click.command(name="replicate")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@as_json
def command(folder: Path, as_json: bool) -> None:
    """Recompute every published figure that the original's data in DIR allows, published beside ours.

    DIR holds tasks-5.json, tasks-20.json, tasks-100.json and tasks-500.json; where schema-response.json and
    example-schema-response.json are there too, their figures are computed as well. Exit status 1 where a figure
    differs and no rounding explains it.
    """
    table = replicate(checkout.originals(folder))
    if as_json:
        click.echo(canonical(table), nl=False)
    else:
        show([compared(table), beside(table)])
    if table.different():
        raise Refused(f"{table.different()} of {table.figures_compared} figures differ from the published ones")
