"""`measure schema`: what an agent would read to query a user's own rows."""

import click

from measure import reading
from measure.cli.options import encoding
from measure.cli.settings import layer_settings, settings_in
from measure.query import Dataset, ask
from measure.query.operations import OPERATIONS
from measure.query.skill import skill
from measure.report.ladder import session_line
from measure.tokens import tally, vocabulary


@click.command(name="schema")
@click.argument("file")
@click.option("--format", "output", default="pretty", show_default=True, metavar="NAME", help="json, pretty, compact.")
@click.option("--skill", "as_skill", is_flag=True, help="The skill file instead of the schema response.")
@layer_settings
@encoding
def command(file: str, output: str, as_skill: bool, settings: str | None, encoding: str) -> None:
    """Print the schema response for your own rows; its size goes to standard error.

    Fields and types are inferred, and named in a small TOML where the rows do not say enough (--settings).
    """
    vocabulary(encoding)
    dataset = Dataset.of(reading.load(file), settings_in(settings), settings or "")
    shown = skill(dataset, OPERATIONS) if as_skill else ask("schema()", dataset, output)
    click.echo(shown, nl=not shown.endswith("\n"))
    click.echo(session_line("skill file" if as_skill else "schema response", tally((shown,), encoding)), err=True)
