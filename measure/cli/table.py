"""`measure table`: any table of the recorded results."""

from pathlib import Path

import click

from measure import results
from measure.cli.folders import results_folder
from measure.errors import BadInput
from measure.report.table import show
from measure.report.tables import TABLES
from measure.study import checkout


@click.command(name="table")
@click.argument("name", metavar="|".join(TABLES))
@results_folder
def command(name: str, folder: Path | None) -> None:
    """Print a table of the results, as `measure run` recorded them."""
    if name not in TABLES:
        raise BadInput(f"unknown table {name!r}", right=f"known: {', '.join(TABLES)}")
    recorded = results.read(folder or checkout.root() / results.FOLDER)
    show(list(TABLES[name](recorded)))
