"""Options that several commands share."""

import click

from measure.tokens import DEFAULT_ENCODING

encoding = click.option(
    "--encoding",
    metavar="NAME",
    default=DEFAULT_ENCODING,
    show_default=True,
    help="See `measure encodings`.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="The same as JSON, for machines.")
