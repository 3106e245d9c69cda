"""`measure show`: one payload of the study, as an agent would read it."""

import click

from measure.canonical import canonical
from measure.cli.options import as_json, encoding
from measure.errors import BadInput
from measure.ladder import RUNGS, payload
from measure.report.ladder import payload_line
from measure.scenario import scenario, tasks
from measure.study import checkout
from measure.tokens import tally, vocabulary


@click.command(name="show")
@click.argument("rung")
@click.option(
    "--rows",
    default=5,
    show_default=True,
    metavar="N",
    help="The scale; see fixtures/scenario.toml.",
)
@click.option("--raw", is_flag=True, help="The payload alone, byte for byte.")
@encoding
@as_json
def command(rung: str, rows: int, raw: bool, encoding: str, as_json: bool) -> None:
    """Print one payload of the study, its bytes and tokens.

    \b
        measure show L4 --rows 5
        measure show L0 --rows 500 --raw | wc -c
    """
    vocabulary(encoding)
    files = checkout.fixtures(checkout.root())
    plan = scenario(files)
    if rows not in plan.scales:
        known = ", ".join(map(str, plan.scales))
        raise BadInput(f"no fixture of {rows} rows", where="--rows", right=f"known scales: {known}")
    by_name = {one.name: one for one in RUNGS}
    if rung not in by_name:
        raise BadInput(f"unknown rung {rung!r}", right=f"known: {', '.join(by_name)}")
    records = tasks(files, rows)
    text = payload(by_name[rung], records, records.project(plan.projected), plan.aliases)
    size = tally(text.pieces, encoding)
    if raw:
        click.echo(text.text, nl=False)
    elif as_json:
        shown = {"rung": rung, "rows": rows, "serialization": text.serialization, "text": text.text}
        click.echo(
            canonical({**shown, "encoding": encoding, "bytes": size.bytes, "tokens": size.tokens}),
            nl=False,
        )
    else:
        click.echo(payload_line(rung, rows, text.serialization, size))
        click.echo()
        click.echo(text.text, nl=not text.text.endswith("\n"))
