"""Options that several commands share."""

import csv
from collections.abc import Sequence

import click

from measure import reading
from measure.records import RecordSet
from measure.tokens import DEFAULT_ENCODING

encoding = click.option(
    "--encoding",
    metavar="NAME",
    default=DEFAULT_ENCODING,
    show_default=True,
    help="See `measure encodings`.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="The same as JSON, for machines.")


def projected(records: RecordSet, fields: Sequence[str], file: str) -> RecordSet:
    """The records with the fields that --fields names, quoted as in CSV; all of them where it names none.

    Raises:
        BadInput: a field that is not there, or named twice.
    """
    named = [name for row in csv.reader(fields, skipinitialspace=True) for name in row]
    return records.project(named if fields else records.fields, where=f"{reading.named(file)}, --fields")
