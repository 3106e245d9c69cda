"""`measure check`: the recorded results against a new measurement. Writes nothing."""

from pathlib import Path

import click

from measure import results
from measure.cli.folders import captures, original, results_folder, transcripts
from measure.cli.progress import progress
from measure.errors import Refused
from measure.mcp.captures import PLAN
from measure.report import documents
from measure.report.figures.style import recorded_version
from measure.report.ladder import plural
from measure.results import differences
from measure.scenario import Files
from measure.study import STAGES, check, checkout
from measure.study.mcp.servers import at_hand

DRIFT = "drift"  # its lines stand alone and first: a path, what was recorded, what is measured
SHOWN = 3  # lines of any other gate


@click.command(name="check")
@results_folder
@original
@captures
@transcripts
@click.option("--live", is_flag=True, help="Start the study's MCP servers too, and compare what they say now.")
def command(
    folder: Path | None, original: Path | None, captures: Path | None, transcripts: Path | None, live: bool
) -> None:
    """Measure again, compare with results/, and name every drift. Writes nothing.

    Exit status 1 where a recorded value differs or a gate is red. Starts no server, unless told to with --live.
    """
    root = checkout.root()
    recorded_version()
    files = checkout.fixtures(root) | results.read(folder or root / results.FOLDER)
    elsewhere = checkout.elsewhere(original, captures, transcripts)
    met = at_hand(files, elsewhere.servers) if elsewhere.servers is not None else ""
    with progress(STAGES) as stage:
        verdicts, drifts = check(files, elsewhere, documents.documents, stage)
    red = [verdict for verdict in verdicts if not verdict.green]
    if live:
        drifts += again(files)
    for line in (*(line for verdict in red if verdict.gate.name == DRIFT for line in verdict.said), *drifts):
        click.echo(line)
    for verdict in red:
        said = () if verdict.gate.name == DRIFT else verdict.said
        for line in said[:SHOWN]:
            click.echo(f"{verdict.gate.name}: {line}")
        if len(said) > SHOWN:
            click.echo(f"{verdict.gate.name}: and {len(said) - SHOWN:,} more")
        click.echo(f"{verdict.gate.name} is red: {verdict.gate.failure}")
    if elsewhere.original is None:
        click.echo("replication: kept as recorded; --original DIR measures it again, from the original's data")
    click.echo(met or "mcp_servers: kept as recorded; --captures DIR counts captured tool lists again")
    if elsewhere.sessions is None:
        click.echo("context_sessions: kept as recorded; --transcripts DIR counts the real sessions again")
    if live:
        click.echo(f"{plural(len(PLAN), 'session')} held with the study's servers and compared with fixtures/mcp/")
    if red or drifts:
        more = f", {plural(len(drifts), 'drift')} beside the gates" if drifts else ""
        raise Refused(f"{len(red)} of {len(verdicts)} gates {'is' if len(red) == 1 else 'are'} red{more}")
    click.echo(documents.summary(files))


def again(files: Files) -> list[str]:
    """How the recorded captures differ from sessions held now."""
    from measure.study.mcp.capturing import captured

    return [line for path, data in captured(files).items() for line in differences(path, files.get(path, b""), data)]
