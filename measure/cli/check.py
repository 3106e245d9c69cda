"""`measure check`: the recorded results against a new measurement. Writes nothing."""

from pathlib import Path

import click

from measure import results
from measure.cli.folders import original, results_folder
from measure.cli.progress import progress
from measure.errors import Refused
from measure.report import documents
from measure.study import STAGES, check, checkout


@click.command(name="check")
@results_folder
@original
def command(folder: Path | None, original: Path | None) -> None:
    """Measure again, compare with results/, and name every drift. Writes nothing.

    Exit status 1 where a recorded value differs or a gate is red.
    """
    root = checkout.root()
    files = checkout.fixtures(root) | results.read(folder or root / "results")
    data = checkout.original(original)
    with progress(STAGES) as stage:
        verdicts, drifts = check(files, data, documents.documents, stage)
    red = [verdict for verdict in verdicts if not verdict.green]
    for verdict in red:
        for line in verdict.said:
            click.echo(line if verdict.gate.name == "drift" else f"{verdict.gate.name}: {line}")
        click.echo(f"{verdict.gate.name} is red: {verdict.gate.failure}")
    for line in drifts:
        click.echo(line)
    if data is None:
        click.echo("replication: not measured again, as the original's data is not here (--original DIR)")
    if red or drifts:
        raise Refused(f"{len(red)} of {len(verdicts)} gates are red, {len(drifts)} mutants' results differ")
    click.echo(documents.summary(files))
