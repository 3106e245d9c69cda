"""What the commands about sessions share: files read and counted, prices chosen, terms made, what JSON says of them."""

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, TypeVar

import click
import msgspec

from measure import reading, transcripts
from measure.context.cache import PLACES
from measure.context.prices import Prices, chosen, read_prices
from measure.context.session import Session, counted
from measure.context.sweep import Outcome
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
    data = reading.content(price_list) if price_list else files("measure.context").joinpath(_SHIPPED).read_bytes()
    return chosen(read_prices(data, reading.named(price_list or _SHIPPED)), name)


def terms_of(cache: str, prices: Prices, breakpoints: str) -> Terms:
    """The terms that the options name.

    Raises:
        BadInput: an unknown place of a breakpoint, or one named twice.
    """
    places = tuple(place.strip() for place in breakpoints.split("+"))
    for place in places:
        if place not in PLACES:
            right = f"known: {', '.join(PLACES)}; several are joined by +"
            raise BadInput(f"no place {place!r}", where="--breakpoints", right=right)
    if len(set(places)) < len(places):
        raise BadInput(f"{breakpoints!r} names a place twice", where="--breakpoints")
    return Terms(cache, prices, places)


def sessions_of(paths: Sequence[str], lenient: bool, encoding: str) -> list[Session]:
    """Every session in these files, counted.

    Raises:
        BadInput: a file cannot be read, is no transcript, or holds nothing that a model was sent.
    """
    vocabulary(encoding)
    found: list[Session] = []
    for path in paths:
        where = reading.named(path)
        held = [counted(one, encoding) for one in transcripts.load(reading.content(path), where, lenient)]
        if not any(one.sent for one in held):
            right = "needed is a message of the assistant with something before it"
            raise BadInput("nothing in it was sent to a model", where=where, right=right)
        found += held
    return found


def record(sessions: Sequence[Session], terms: Terms) -> dict[str, Any]:
    """What every JSON about sessions says of where its numbers are from."""
    return {
        "sessions": [one.transcript.name for one in sessions],
        "encoding": sessions[0].encoding,
        "cache": terms.cache,
        "breakpoints": list(terms.breakpoints) if terms.explicit else [],
        "prices": terms.prices,
    }


def taken(one: Outcome) -> dict[str, Any]:
    """A chain and what sessions took under it, for JSON."""
    return {
        "policy": one.shown,
        "evidence": one.evidence,
        "usage": {**msgspec.structs.asdict(one.usage), "input": one.usage.input},
        "nanodollars": {**msgspec.structs.asdict(one.cost), "total": one.cost.total},
    }
