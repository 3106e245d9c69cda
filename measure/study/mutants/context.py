"""Mutants of sessions under policies: usage, prices, evidence, order, reports, published figures."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from measure.context.edited import edited
from measure.context.policy import Policy
from measure.gates import Subject
from measure.study.damage import Damage, Mutant, at, edited_json, more, replaced
from measure.transcripts.model import Message, Text, ToolResult, Transcript

_CONTEXT, _REAL = "results/context.json", "results/context_sessions.json"
_PUBLISHED = "results/context_published.json"
_PRICES = "fixtures/prices.toml"

Messages = tuple[Message, ...]


def _editing(damage: Callable[[Messages, Transcript], Messages]) -> Damage:
    """A policy that spoils what it makes."""

    def edit(given: Transcript, policies: Sequence[Policy]) -> Messages:
        return damage(edited(given, policies), given)

    return lambda subject: msgspec.structs.replace(subject, edit=edit)


def _reorders(made: Messages, _: Transcript) -> Messages:
    return (*made[:1], *made[3:5], *made[1:3], *made[5:])


def _orphans(made: Messages, _: Transcript) -> Messages:
    place = next(n for n, message in enumerate(made) if any(isinstance(one, ToolResult) for one in message.blocks))
    return made[:place] + made[place + 1 :]


def _lengthens(made: Messages, _: Transcript) -> Messages:
    """The shortest result becomes a note that is longer."""
    results = [one for message in made for one in message.blocks if isinstance(one, ToolResult) and one.parts]
    short = min(results, key=lambda one: len(str(one.parts)))
    note = ToolResult(short.use, (Text("left out, and told at length why " * 60),), short.error)
    return tuple(
        msgspec.structs.replace(message, blocks=tuple(note if one is short else one for one in message.blocks))
        for message in made
    )


def _mutates(made: Messages, given: Transcript) -> Messages:
    msgspec.structs.force_setattr(given, "system", given.system + " ")
    return made


def _fewer(table: Any) -> None:
    table["growth"][0]["requests"].pop()


def _undated(table: Any) -> None:
    table["rows"][20]["cost_saving"]["denominator"]["date"] = ""


def _unlisted(table: Any) -> None:
    table["cheaper"].pop()


def _first_cached(key: str, to: object) -> Callable[[Any], object]:
    def edit(table: Any) -> None:
        row = next(row for row in table["rows"] if row["cache"] == "5m")
        row[key] = to(row[key]) if callable(to) else to

    return edit


def _silent(subject: Subject) -> Subject:
    """The exceptions to the cache-aware policy without what is said of them."""

    def edit(table: Any) -> None:
        for one in table["cheaper"]:
            one["reason"] = ""

    return edited_json(_REAL, edit)(subject)


MUTANTS = (
    Mutant(
        "usage",
        "a session that read a token more than it was sent",
        edited_json(_CONTEXT, _first_cached("read", more(1))),
    ),
    Mutant(
        "usage", "a cost a nanodollar too low", edited_json(_REAL, at("rows", 30, "total_nanodollars", to=more(-1)))
    ),
    Mutant("usage", "a write at the price of another lifetime", edited_json(_CONTEXT, _first_cached("cache", "1h"))),
    Mutant("usage", "a request lost", edited_json(_CONTEXT, _fewer)),
    Mutant(
        "usage",
        "a saving of another policy's input",
        edited_json(_CONTEXT, at("rows", 3, "input_saving", "denominator", "tokens", to=more(1))),
    ),
    Mutant("price-dates", "a cost of no day", edited_json(_CONTEXT, _undated)),
    Mutant("price-dates", "prices of another day", replaced(_PRICES, "2026-08-21", "2026-09-21")),
    Mutant("price-dates", "a cost dated by hand", edited_json(_REAL, at("rows", 40, "date", to="2026-01-01"))),
    Mutant(
        "cache-evidence", "a modelled cache called measured", edited_json(_REAL, _first_cached("evidence", "measured"))
    ),
    Mutant(
        "cache-evidence",
        "a stand-in for a model called measured",
        edited_json(
            _CONTEXT,
            lambda table: next(one for one in table["growth"] if one["policy"] == "summarize").update(
                evidence="measured"
            ),
        ),
    ),
    Mutant("cache-evidence", "real sessions called constructed", edited_json(_REAL, at("evidence", to="constructed"))),
    Mutant("spreads", "a session more that saves", edited_json(_CONTEXT, at("spreads", 1, "save", to=more(1)))),
    Mutant("spreads", "a range without its worst", edited_json(_REAL, at("spreads", 16, "least", to="0.00 %"))),
    Mutant("spreads", "a policy left out", edited_json(_REAL, lambda table: table["spreads"].pop())),
    Mutant("cheapest", "an exception left out", edited_json(_REAL, _unlisted)),
    Mutant("cheapest", "exceptions without their reasons", _silent),
    Mutant(
        "cheapest",
        "an advice called doing nothing",
        edited_json(_CONTEXT, at("best", 0, "do_nothing", to=True)),
    ),
    Mutant("rewriting", "a policy that reorders", _editing(_reorders)),
    Mutant("rewriting", "a policy that drops results and keeps their uses", _editing(_orphans)),
    Mutant("rewriting", "a policy whose notes are longer than what they replace", _editing(_lengthens)),
    Mutant("rewriting", "a policy that changes what it was given", _editing(_mutates)),
    Mutant(
        "cache-reports",
        "a wrong prediction called exact",
        edited_json(_REAL, at("transitions", 0, "predicted", to=more(1))),
    ),
    Mutant(
        "cache-reports",
        "an unexplained transition left out",
        edited_json(_REAL, at("reported", 0, "exact", to=more(1))),
    ),
    Mutant(
        "published-context",
        "a figure called equal that is only within its rounding",
        edited_json(_PUBLISHED, at("changes", 0, "verdict", to="equal")),
    ),
    Mutant("published-context", "a model more that holds", edited_json(_PUBLISHED, at("turns", "inside", to=more(1)))),
)
