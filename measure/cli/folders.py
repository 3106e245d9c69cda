"""Options that name a folder; apart from the others, as a command that only counts needs no pathlib."""

from pathlib import Path

import click

results_folder = click.option(
    "--results",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Another folder than the checkout's results/.",
)
original = click.option(
    "--original",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The original study's data; by default what CONTEXT_LADDER_ORIGINAL names.",
)
transcripts = click.option(
    "--transcripts",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The real agent sessions of the study; by default what CONTEXT_LADDER_TRANSCRIPTS names.",
)
captures = click.option(
    "--captures",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Captured tool lists of public servers; by default what CONTEXT_LADDER_MCP_CAPTURES names.",
)
