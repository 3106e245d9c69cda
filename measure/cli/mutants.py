"""`measure mutants`: each gate's subject broken once, on a copy."""

from pathlib import Path

import click

from measure import results
from measure.canonical import canonical
from measure.cli.folders import results_folder
from measure.cli.options import as_json
from measure.cli.progress import progress
from measure.report import documents
from measure.report.figures.style import recorded_version
from measure.report.table import show
from measure.report.tables import hunted
from measure.study import STAGES, checkout, hunt_all


@click.command(name="mutants")
@results_folder
@as_json
def command(folder: Path | None, as_json: bool) -> None:
    """Break each gate's subject once, on a copy, and require that very gate to go red. Writes nothing.

    Exit status 1 where a mutant survives, or a gate has none.
    """
    root = checkout.root()
    recorded_version()
    files = checkout.fixtures(root) | results.read(folder or root / results.FOLDER)
    with progress(STAGES) as stage:
        table = hunt_all(files, documents.documents, stage)
    if as_json:
        click.echo(canonical(table), nl=False)
    else:
        show([hunted(table)])
