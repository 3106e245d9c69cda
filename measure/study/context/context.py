"""Experiment: the synthetic sessions under every policy, without a cache, with either lifetime, and a provider's own.

Also which setting of a fixed grid is cheapest for each, what the API's clearing costs trigger by trigger, and where
the cache-aware policy was not the cheapest.
"""

from functools import lru_cache
from hashlib import sha256
from typing import Literal

import msgspec

from measure import sessions, transcripts
from measure.context.prices import Prices, read_prices
from measure.context.session import Session, counted
from measure.scenario import PRICES, content
from measure.study.context.compared import ENCODING, MODEL, STUDIED, all_terms, compared, facts
from measure.study.context.rows import Best, Cheaper, Compared, Growth, PolicyRow, SessionFacts, Spread, TriggerCost
from measure.study.context.spread import spreads
from measure.study.experiment import Experiment, Inputs
from measure.tokens import authority


class Studied(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy of the study: its name in tables, and the chain as a user writes it."""

    policy: str
    chain: str


class PriceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prices that the costs are at, in nanodollars a token, and of which day."""

    prices: str
    model: str
    provider: str
    date: str
    fresh: int
    read: int
    write_5m: int
    write_1h: int
    output: int
    minimum: int


class ContextTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every synthetic session under every policy on all terms."""

    evidence: Literal["constructed"]
    encoding: str
    authority: str
    prices: list[PriceRow]
    policies: list[Studied]
    sessions: list[SessionFacts]
    rows: list[PolicyRow]
    growth: list[Growth]
    triggers: list[TriggerCost]
    best: list[Best]
    cheaper: list[Cheaper]
    spreads: list[Spread]


def run(inputs: Inputs) -> ContextTable:
    """Count and compare every session."""
    priced = content(inputs.files, PRICES)
    found = sessions.load(inputs.files)
    made = [_compared(data, name, priced) for name, data in found.items()]
    terms = all_terms(read_prices(priced, PRICES), MODEL)
    return ContextTable(
        evidence="constructed",
        encoding=ENCODING,
        authority=authority(ENCODING),
        prices=[_row(one) for one in {one.prices.name: one.prices for one in terms}.values()],
        policies=[Studied(policy, chain) for policy, chain in STUDIED.items()],
        sessions=[
            facts(
                _counted(data, name), f"{sessions.SESSIONS_FOLDER}/{name}.json", sha256(data).hexdigest(), "constructed"
            )
            for name, data in found.items()
        ],
        rows=[row for one in made for row in one.rows],
        growth=[row for one in made for row in one.growth],
        triggers=[row for one in made for row in one.triggers],
        best=[row for one in made for row in one.best],
        cheaper=[row for one in made for row in one.cheaper],
        spreads=spreads([row for one in made for row in one.rows]),
    )


def _row(prices: Prices) -> PriceRow:
    held = msgspec.structs.asdict(prices)
    named = {"prices": prices.name, **held}
    return PriceRow(**{field: named[field] for field in PriceRow.__struct_fields__})


@lru_cache(maxsize=16)
def _counted(data: bytes, name: str) -> Session:
    (found,) = transcripts.load(data, f"{sessions.SESSIONS_FOLDER}/{name}.json")
    return counted(msgspec.structs.replace(found, name=name), ENCODING)


@lru_cache(maxsize=16)
def _compared(data: bytes, name: str, priced: bytes) -> Compared:
    """All that is asked of one session; remembered, as gates and mutants ask again and again."""
    return compared(_counted(data, name), all_terms(read_prices(priced, PRICES), MODEL))


CONTEXT = Experiment("context", ContextTable, run)
