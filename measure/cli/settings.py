"""The option that names the query layer's settings, and the reading of that file."""

import tomllib

import click

from measure.errors import BadInput
from measure.query.dataset import Settings
from measure.query.dataset import settings as checked

layer_settings = click.option(
    "--settings",
    metavar="FILE",
    help="A TOML file: id, default, filterable, sortable, [presets], [types].",
)


def settings_in(path: str | None) -> Settings | None:
    """The query layer's settings in the TOML file `path`; None where there is none.

    Raises:
        BadInput: the file cannot be read, or is not such a file.
    """
    if path is None:
        return None
    try:
        with open(path, "rb") as stream:
            return checked(tomllib.load(stream), path)
    except OSError as error:
        raise BadInput(error.strerror or "unreadable", where=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"not TOML: {error}", where=path) from None
