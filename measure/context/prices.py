"""Prices: what a token costs fresh, read, written and generated, in whole nanodollars. From bytes, never from disk.

A dollar per million tokens is a thousand nanodollars a token, so a cost is a sum of integers and no float can move
it. A price table says of which day and which source it is, since prices change; a user may give another one. Not
handled: batch and priority rates, rates by region or by length of prompt, currencies.
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from measure.errors import BadInput
from measure.quantities import rounded
from measure.values import repeated

NANODOLLARS = 1000  # a token, where a million tokens are a dollar
_TENTH_OF_MILLE = 100_000  # nanodollars in the last of four decimals of a dollar
_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)

_Name = Annotated[str, msgspec.Meta(min_length=1)]
_Tokens = Annotated[int, msgspec.Meta(ge=0)]


class Prices(msgspec.Struct, frozen=True):
    """A model's prices in nanodollars a token, and from how many tokens on its provider caches a prompt.

    `automatic` where the provider keeps prefixes unasked, a whole number of `step` tokens of them; else the caller
    marks what to cache and `step` is 1.
    """

    name: str
    model: str
    provider: str
    date: str
    source: str
    fresh: int
    read: int
    write_5m: int
    write_1h: int
    output: int
    minimum: int
    automatic: bool
    step: int


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What tokens cost in nanodollars, by what they were.

    >>> Cost(fresh=2_000, read=200, write=2_500, output=10_000).total
    14700
    """

    fresh: int
    read: int
    write: int
    output: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.fresh + self.read + self.write + self.output


class _Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: _Name
    model: _Name
    input: str
    output: str
    read: str
    write_5m: str
    write_1h: str
    minimum: _Tokens
    cache: Literal["explicit", "automatic"]
    step: Annotated[int, msgspec.Meta(ge=1)] | None = None


class _Provider(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: _Name
    date: date
    source: _Name
    models: Annotated[list[_Model], msgspec.Meta(min_length=1)]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    providers: Annotated[list[_Provider], msgspec.Meta(min_length=1)]


def read_prices(data: bytes, where: str) -> dict[str, Prices]:
    """The prices in a TOML file, by the models' names; `fixtures/prices.toml` shows how it is written.

    Raises:
        BadInput: it is no such file, two models have one name, or a price is no decimal number or no whole number of
            nanodollars a token.
    """
    try:
        table = msgspec.convert(tomllib.loads(data.decode()), _Table)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(str(error), where=where) from None
    twice = repeated([model.name for provider in table.providers for model in provider.models])
    if twice is not None:
        raise BadInput(f"two models are named {twice!r}", where=where)
    return {model.name: _prices(provider, model, where) for provider in table.providers for model in provider.models}


def chosen(prices: Mapping[str, Prices], name: str) -> Prices:
    """The prices of one model.

    Raises:
        BadInput: there is none of that name.
    """
    try:
        return prices[name]
    except KeyError:
        raise BadInput(f"no prices are named {name!r}", right=f"known: {', '.join(prices)}") from None


def dollars(nanodollars: int) -> str:
    """An amount with four decimals, rounded once; a small one is told from none.

    >>> dollars(123_450_000), dollars(-5_000_000_000), dollars(49_999), dollars(0)
    ('$0.1235', '-$5.0000', '<$0.0001', '$0.0000')
    """
    shown = rounded(nanodollars, _TENTH_OF_MILLE)
    if nanodollars and not shown:
        return "<$0.0001" if nanodollars > 0 else ">-$0.0001"
    return f"{'-' if shown < 0 else ''}${abs(shown) // 10_000}.{abs(shown) % 10_000:04d}"


def _prices(provider: _Provider, model: _Model, where: str) -> Prices:
    """The row of one model, its multipliers multiplied out."""
    automatic = model.cache == "automatic"
    if automatic != (model.step is not None):
        said = "an automatic cache needs a step" if automatic else "only an automatic cache has a step"
        raise BadInput(f"{model.name}: {said}", where=where)

    def price(field: str, base: Fraction = Fraction(NANODOLLARS)) -> Fraction:
        written = getattr(model, field)
        if not _DECIMAL.fullmatch(written):
            right = 'write a number as "2" or "0.25", not negative, up to nine digits on either side of the point'
            raise BadInput(f"{model.name}: {field} is {written!r}", where=where, right=right)
        made = Fraction(written) * base
        if made.denominator != 1:
            right = "a token's price must be a whole number of them"
            raise BadInput(
                f"{model.name}: {field} makes {_decimal(made)} nanodollars a token", where=where, right=right
            )
        return made

    fresh = price("input")
    return Prices(
        name=model.name,
        model=model.model,
        provider=provider.name,
        date=provider.date.isoformat(),
        source=provider.source,
        fresh=int(fresh),
        read=int(price("read", fresh)),
        write_5m=int(price("write_5m", fresh)),
        write_1h=int(price("write_1h", fresh)),
        output=int(price("output")),
        minimum=model.minimum,
        automatic=automatic,
        step=model.step or 1,
    )


def _decimal(number: Fraction) -> str:
    """A fraction whose denominator divides a power of ten, written out."""
    digits = f"{number * 10**12}".zfill(13)
    return f"{digits[:-12]}.{digits[-12:]}".rstrip("0")
