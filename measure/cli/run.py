"""`measure run`: the whole study into results/."""

from pathlib import Path

import click

from measure import results
from measure.cli.folders import captures, original, results_folder, transcripts
from measure.cli.progress import progress
from measure.report import documents
from measure.report.figures.style import recorded_version
from measure.report.table import show
from measure.report.tables import TABLES
from measure.study import STAGES, checkout, record
from measure.study.mcp.servers import at_hand


@click.command(name="run")
@results_folder
@original
@captures
@transcripts
def command(folder: Path | None, original: Path | None, captures: Path | None, transcripts: Path | None) -> None:
    """Measure the fixtures, judge the outcome by every gate, hunt every mutant, and write results/.

    Nothing is written unless every gate is green and every mutant is killed. What is no part of the project is not
    measured again where it is not at hand: without the original study's data the recorded replication is kept, of
    public servers the recorded counts, and of real sessions what was recorded of them.
    """
    root = checkout.root()
    recorded_version()
    own = root / results.FOLDER
    target = folder or own
    files = checkout.fixtures(root) | (results.read(own) if own.exists() else {})
    elsewhere = checkout.elsewhere(original, captures, transcripts)
    met = at_hand(files, elsewhere.servers) if elsewhere.servers is not None else ""
    with progress(STAGES) as stage:
        complete = record(files, elsewhere, documents.documents, stage)
    results.write(target, {path: data for path, data in complete.items() if path.startswith("results/")})
    if target == own and complete.get(documents.README) != files.get(documents.README):
        checkout.write_readme(root, complete[documents.README])
    first = (next(TABLES[name](complete)) for name in ("steps", "ranges"))
    show([*TABLES["ladder"](complete), *first])
    click.echo(f"\n{met}" if met else "")
    click.echo(f"{documents.summary(complete)}\nmore: measure table {'|'.join(TABLES)}")
