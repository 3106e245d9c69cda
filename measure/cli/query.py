"""`measure query`: the query layer on a user's own rows."""

import sys

import click

from measure import reading
from measure.cli.settings import layer_settings, settings_in
from measure.query import Dataset, answer, parse, text


@click.command(name="query")
@click.argument("query")
@click.argument("file")
@click.option("--format", "output", default="json", show_default=True, metavar="NAME", help="json, pretty or compact.")
@layer_settings
def command(query: str, file: str, output: str, settings: str | None) -> None:
    """Ask your own rows, as an agent would.

    FILE is a JSON array of objects, JSON lines or CSV, or - for standard input. Exit status 2 where a statement
    fails; its error stands in its place among the answers.

    \b
        measure query 'list(status=open) { id assignee }' tasks.json --format compact
        measure query 'count(status=open); get(TASK-0003)' tasks.json
        measure query 'list(sort_created=desc, take=3) { id, created }' tasks.json
    """
    statements = parse(query)
    dataset = Dataset.of(reading.load(file), settings_in(settings), settings or "")
    answers = [answer(statement, dataset) for statement in statements]
    shown = text(output, answers)
    click.echo(shown, nl=not shown.endswith("\n"))
    if any(one.error for one in answers):
        sys.stdout.flush()
        sys.exit(2)
