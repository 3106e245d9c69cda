"""The command `measure`: reads, calls, prints; a number on the screen was a number in a result first.

A command is one file with one click command in it, imported only when it is called, so that counting a
file never waits for the study, for rich or for a schema validator. `COMMANDS` is their registry.
"""

import importlib
import sys

import click

from measure.errors import MeasureError

COMMANDS = {
    "ladder": "the ladder on your own rows: FILE or - for standard input",
    "query": "ask your own rows, as an agent would",
    "schema": "what an agent would read to query your own rows",
    "show": "print one payload of the study, its bytes and tokens",
    "table": "print a table of the results",
    "encodings": "what can be counted",
    "run": "measure the fixtures, write results/, print the ladder",
    "check": "measure again, compare with results/, write nothing",
    "mutants": "break each gate's subject once and see the gate go red",
    "replicate": "the published figures on the original's data in DIR",
}


class Commands(click.Group):
    """A group that imports a command when it is called, and turns our errors into one line and a status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The registry's order is the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"measure.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error meant for the user is one line on standard error."""
        try:
            return super().invoke(ctx)
        except MeasureError as error:
            sys.stdout.flush()
            click.echo(f"measure: {error}", err=True)
            ctx.exit(error.exit_status)


@click.command(cls=Commands, epilog="Exit status: 0 as recorded, 1 drift or a red gate, 2 bad input.")
@click.version_option(package_name="context-ladder")
def main() -> None:
    """Count what the text that an agent reads costs in tokens: offline, decoded back, every denominator named."""
