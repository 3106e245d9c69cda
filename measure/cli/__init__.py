"""The command `measure`: reads, calls, prints; a number on the screen was a number in a result first.

A command is one file with one click command in it, imported only when it is called, so that counting a
file never waits for the study, for rich or for a schema validator. `COMMANDS` is their registry.
"""

import importlib
import sys
from typing import Any

import click

from measure.errors import MeasureError
from measure.report.table import printable

COMMANDS = {
    "ladder": "the ladder on your own rows: FILE or - for standard input",
    "formats": "your own rows in every representation",
    "explain": "where the tokens of your own rows go, field by field",
    "query": "ask your own rows, as an agent would",
    "schema": "what an agent would read to query your own rows",
    "mcp": "serve your own rows over MCP; count the tools of any MCP server",
    "session": "your own agent sessions under policies, priced with the cache",
    "sweep": "thousands of settings of a policy over your own sessions",
    "advise": "what to do with your own sessions, and when nothing",
    "policies": "what can be done with a growing context",
    "show": "print one payload of the study, its bytes and tokens",
    "table": "print a table of the results",
    "encodings": "what can be counted",
    "run": "measure the fixtures, write results/, print the ladder",
    "check": "measure again, compare with results/, write nothing",
    "notebooks": "run the notebooks, write or compare what they show",
    "paper": "compile the paper from the results, write or compare it",
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

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command; an error meant for the user is one line on standard error, and a status."""
        try:
            return super().main(*args, **{**kwargs, "standalone_mode": False})
        except (MeasureError, click.ClickException) as error:
            message = error.format_message() if isinstance(error, click.ClickException) else str(error)
            usage = isinstance(error, click.UsageError)
            sys.stdout.flush()
            click.echo(f"measure: {printable(message)}{'  (see --help)' * usage}", err=True)
            status = error.exit_code if isinstance(error, click.ClickException) else error.exit_status
        except click.Abort:
            status = 130
        sys.exit(status)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 as recorded, 1 drift or a red gate, 2 bad input.",
)
@click.version_option(package_name="context-ladder")
def main() -> None:
    """Count what the text that an agent reads costs in tokens: offline, decoded back, every denominator named."""
