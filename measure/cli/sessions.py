"""What the commands about sessions share: files read and counted, prices chosen, terms made, chains parsed."""

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, TypeVar

import click

from measure import transcripts
from measure.context.cache import PLACES
from measure.context.prices import Prices, chosen, read_prices
from measure.context.session import Session, counted
from measure.context.terms import BREAKPOINTS, CACHES, Terms
from measure.errors import BadInput
from measure.tokens import vocabulary

Command = TypeVar("Command", bound=Callable[..., Any])
_SHIPPED = "prices.toml"  # fixtures/prices.toml is a link to it: so it reaches those who install the wheel

files_argument = click.argument("paths", metavar="FILE...", nargs=-1, required=True)
lenient = click.option("--lenient", is_flag=True, help="Skip broken lines and unknown blocks, and count them.")
cache = click.option(
    "--cache", type=click.Choice(list(CACHES)), default="5m", show_default=True, help="How long the provider keeps it."
)
_NAME = click.option(
    "--prices", "name", metavar="NAME", default="sonnet", show_default=True, help="A model of the price list."
)
_LIST = click.option(
    "--price-list", "price_list", metavar="FILE", help="Your own prices, written as fixtures/prices.toml is."
)
breakpoints = click.option(
    "--breakpoints",
    metavar="A+B",
    default="+".join(BREAKPOINTS),
    show_default=True,
    help=f"Where the caller caches, of {', '.join(PLACES)}.",
)


def prices(command: Command) -> Command:
    """The two options that say what a token costs."""
    return _NAME(_LIST(command))


def prices_of(name: str, price_list: str | None) -> Prices:
    """The prices of a model, from the user's list or ours.

    Raises:
        BadInput: no such file, no such model, or a list that cannot be used.
    """
    data = _bytes(price_list) if price_list else files("measure.context").joinpath(_SHIPPED).read_bytes()
    return chosen(read_prices(data, price_list or _SHIPPED), name)


def terms_of(cache: str, prices: Prices, breakpoints: str) -> Terms:
    """The terms that the options name.

    Raises:
        BadInput: an unknown place of a breakpoint, or one named twice.
    """
    places = tuple(place.strip() for place in breakpoints.split("+"))
    if len(set(places)) < len(places):
        raise BadInput(f"{breakpoints!r} names a place twice", where="--breakpoints")
    terms = Terms(cache, prices, places)
    terms.new_cache()
    return terms


def sessions_of(paths: Sequence[str], lenient: bool, encoding: str) -> list[Session]:
    """Every session in these files, counted.

    Raises:
        BadInput: a file cannot be read, or is no transcript.
    """
    vocabulary(encoding)
    found = [one for path in paths for one in transcripts.load(_bytes(path), path, lenient)]
    return [counted(one, encoding) for one in found]


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise BadInput(error.strerror or type(error).__name__, where=path or "''") from None
