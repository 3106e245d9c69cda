"""`measure check`: the recorded results against a new measurement. Writes nothing."""

from pathlib import Path

import click

from measure import results
from measure.cli.folders import original, results_folder
from measure.cli.progress import progress
from measure.errors import Refused
from measure.report import documents
from measure.report.ladder import plural
from measure.study import STAGES, check, checkout

DRIFT = "drift"  # its lines stand alone and first: a path, what was recorded, what is measured
SHOWN = 3  # lines of any other gate


@click.command(name="check")
@results_folder
@original
def command(folder: Path | None, original: Path | None) -> None:
    """Measure again, compare with results/, and name every drift. Writes nothing.

    Exit status 1 where a recorded value differs or a gate is red.
    """
    root = checkout.root()
    files = checkout.fixtures(root) | results.read(folder or root / results.FOLDER)
    data = checkout.original(original)
    with progress(STAGES) as stage:
        verdicts, drifts = check(files, data, documents.documents, stage)
    red = [verdict for verdict in verdicts if not verdict.green]
    for line in (*(line for verdict in red if verdict.gate.name == DRIFT for line in verdict.said), *drifts):
        click.echo(line)
    for verdict in red:
        said = () if verdict.gate.name == DRIFT else verdict.said
        for line in said[:SHOWN]:
            click.echo(f"{verdict.gate.name}: {line}")
        if len(said) > SHOWN:
            click.echo(f"{verdict.gate.name}: and {len(said) - SHOWN:,} more")
        click.echo(f"{verdict.gate.name} is red: {verdict.gate.failure}")
    if data is None:
        click.echo("replication: kept as recorded; --original DIR measures it again, from the original's data")
    if red or drifts:
        hunt = f", {plural(len(drifts), 'drift')} in the hunt" if drifts else ""
        raise Refused(f"{len(red)} of {len(verdicts)} gates {'is' if len(red) == 1 else 'are'} red{hunt}")
    click.echo(documents.summary(files))
