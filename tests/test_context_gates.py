"""Each branch of the gates on sessions and what they cost, seen red; the mutants show only that each gate can fail."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from measure.context.edited import edited
from measure.context.policy import Policy
from measure.gates import GATES, Subject, verdict
from measure.gates import context as costs
from measure.gates import sessions as replays
from measure.study.damage import Damage, at, edited_json, more, replaced, without
from measure.transcripts.model import Message, Text, ToolResult, ToolUse, Transcript

CONTEXT, REAL = "results/context.json", "results/context_sessions.json"
PUBLISHED, PRICES = "results/context_published.json", "fixtures/prices.toml"
BOTH = (CONTEXT, REAL)


def row(edit: Callable[[Any], object], key: str = "rows", **wanted: object) -> Callable[[Any], object]:
    """Edit the first row of a list that has these values."""

    def damage(table: Any) -> None:
        edit(next(one for one in table[key] if all(one[name] == value for name, value in wanted.items())))

    return damage


def moved(source: str, target: str) -> Callable[[Any], None]:
    """One token called another, so that the sum stays."""

    def damage(one: Any) -> None:
        one[source] -= 1
        one[target] += 1

    return damage


def own(*pair: str) -> Callable[[Any], None]:
    def damage(one: Any) -> None:
        one[pair[0]] = one[pair[1]] + 1

    return damage


def dearer(table: Any) -> None:
    table["best"][0]["best_saving"].update(saved_nanodollars=-5, percent=-0.1)
    table["best"][0]["do_nothing"] = True


def wordy(made: tuple[Message, ...], _: Transcript) -> tuple[Message, ...]:
    """The first short result with more words than it had."""
    first = next(one for message in made for one in message.blocks if isinstance(one, ToolResult))
    longer = ToolResult(first.use, (*first.parts, Text("and more")), first.error)
    swapped = [tuple(longer if one is first else one for one in message.blocks) for message in made]
    return tuple(msgspec.structs.replace(one, blocks=blocks) for one, blocks in zip(made, swapped, strict=True))


ENDS = (("least", "most"), ("least_session", "most_session"))


def exchanged(one: str, other: str) -> Callable[[Any], None]:
    """The two ends of a range, each called the other."""

    def damage(table: Any) -> None:
        spread = next(one for one in table["spreads"] if one["policy"] == "mask 10" and one["cache"] == "5m")
        spread[one], spread[other] = spread[other], spread[one]

    return damage


def listed_twice(table: Any) -> None:
    """An exception that is none: the cache-aware policy was cheaper here."""
    of = next(one for one in table["rows"] if one["policy"] == "mask 10" and one["cache"] == "5m")
    named = {key: of[key] for key in ("session", "policy", "cache", "breakpoints", "prices")}
    table["cheaper"].append({**named, "saving": of["cost_saving"], "reason": "none"})


def step(table: Any, *, exact: bool) -> Any:
    return next(one for one in table["transitions"] if (one["reason"] == "exact") == exact)


def verdict_of(old: str, new: str) -> Damage:
    return edited_json(PUBLISHED, row(at("verdict", to=new), "changes", verdict=old))


def making(damage: Callable[[tuple[Message, ...], Transcript], tuple[Message, ...]]) -> Damage:
    """A policy that spoils what it makes."""

    def edit(given: Transcript, policies: Sequence[Policy]) -> tuple[Message, ...]:
        return damage(edited(given, policies), given)

    return lambda subject: msgspec.structs.replace(subject, edit=edit)


def less(kind: type) -> Callable[[tuple[Message, ...], Transcript], tuple[Message, ...]]:
    """Every message without its blocks of one kind."""

    def damage(made: tuple[Message, ...], _: Transcript) -> tuple[Message, ...]:
        kept = [(one, tuple(block for block in one.blocks if not isinstance(block, kind))) for one in made]
        return tuple(msgspec.structs.replace(one, blocks=blocks) for one, blocks in kept)

    return damage


def spoil(made: tuple[Message, ...], given: Transcript) -> tuple[Message, ...]:
    msgspec.structs.force_setattr(given, "system", given.system + " ")
    return made


BRANCHES: list[tuple[str, Damage, str]] = [
    *(("usage", edited_json(path, at("rows", 0, "input", to=more(1))), f"{path}.*are not the") for path in BOTH),
    ("usage", edited_json(CONTEXT, at("rows", 40, "written", to=more(1))), "fresh, read and written are not the"),
    ("usage", edited_json(CONTEXT, row(own("own_input", "fresh"))), "its own calls are more than all"),
    ("usage", edited_json(CONTEXT, row(own("own_output", "output"))), "its own calls are more than all"),
    ("usage", edited_json(CONTEXT, row(moved("fresh", "read"), cache="none")), "a cache where there is none"),
    ("usage", edited_json(CONTEXT, row(moved("fresh", "written"), cache="none")), "a cache where there is none"),
    *(
        ("usage", edited_json(CONTEXT, row(at("nanodollars", kind, to=more(1)))), "its cost is not its tokens at")
        for kind in ("fresh", "read", "write", "output")
    ),
    ("usage", edited_json(REAL, row(at("total_nanodollars", to=more(1)))), "its cost is not its tokens at"),
    *(
        ("usage", edited_json(CONTEXT, row(at("cache", to=other), cache=cache)), "its cost is not|unreadable")
        for cache, other in (("1h", "5m"), ("5m", "1h"))
    ),
    (
        "usage",
        edited_json(CONTEXT, row(at("input_saving", "denominator", "tokens", to=more(1)))),
        "its savings are not of what doing nothing takes",
    ),
    (
        "usage",
        edited_json(REAL, row(at("cost_saving", "denominator", "nanodollars", to=more(1)))),
        "its savings are not of what doing nothing takes",
    ),
    ("usage", edited_json(REAL, row(at("input_saving", "saved_tokens", to=more(1)))), "not the difference to doing"),
    ("usage", edited_json(CONTEXT, row(at("cost_saving", "saved_nanodollars", to=1))), "not the difference to doing"),
    ("usage", edited_json(CONTEXT, row(at("requests", to=lambda old: old[:-1]), "growth")), "requests, not one a call"),
    ("usage", edited_json(REAL, row(at("requests", 3, to=more(1)), "growth")), "requests do not add up to its input"),
    (
        "usage",
        edited_json(CONTEXT, row(at("requests", 3, to=more(1)), "growth", policy="summarize")),
        "requests do not add up to its input",
    ),
    ("usage", edited_json(REAL, at("sessions", 0, "kinds", 0, "share", "tokens", to=more(1))), "its kinds do not add"),
    ("price-dates", replaced(PRICES, 'date = "2026-06-04"', 'date = "2026-08-21"'), "prices of gpt-5.4, 2026-06-04"),
    ("price-dates", replaced(PRICES, 'name = "sonnet"', 'name = "sonata"'), "at prices of sonnet, 2026-08-21"),
    ("price-dates", edited_json(CONTEXT, at("prices", 0, "date", to="2026-08-22")), "at prices of sonnet, 2026-08-22"),
    ("price-dates", edited_json(REAL, row(at("date", to="2026-08-22"), "best")), r"best\[0\]: a cost at prices"),
    *(
        ("price-dates", edited_json(path, at("rows", 3, "cost_saving", "denominator", "date", to="")), "of no day")
        for path in BOTH
    ),
    (
        "price-dates",
        edited_json(CONTEXT, lambda table: table["rows"][3]["cost_saving"]["denominator"].pop("date")),
        "of no day",
    ),
    ("price-dates", edited_json(PUBLISHED, at("implied", 0, "date", to="2026-01-01")), r"implied\[0\]"),
    *(
        ("cache-evidence", edited_json(path, row(at("evidence", to="simulated"), key)), f"{path}.*it is measured")
        for path in BOTH
        for key in ("rows", "growth", "triggers", "best")
    ),
    *(
        ("cache-evidence", edited_json(CONTEXT, row(at("evidence", to="measured"), key, cache="1h")), "it is simulated")
        for key in ("rows", "best")
    ),
    (
        "cache-evidence",
        edited_json(CONTEXT, row(at("evidence", to="measured"), "triggers", cache="5m")),
        "it is simulated",
    ),
    *(
        ("cache-evidence", edited_json(REAL, row(at("evidence", to="measured"), policy=policy, cache="none")), "simul")
        for policy in ("summarize", "hybrid")
    ),
    ("cache-evidence", edited_json(CONTEXT, at("evidence", to="captured")), "its sessions are constructed"),
    ("cache-evidence", edited_json(REAL, at("sessions", 2, "evidence", to="constructed")), "its sessions are captured"),
    *(("spreads", edited_json(path, at("spreads", 1, "save", to=more(1))), "sessions, that save") for path in BOTH),
    *(
        ("spreads", edited_json(path, lambda table: table["spreads"].pop()), "are not those of its rows")
        for path in BOTH
    ),
    *(("spreads", edited_json(REAL, exchanged(*pair)), "which is not what its rows say") for pair in ENDS),
    ("spreads", edited_json(REAL, at("spreads", 20, "least", to="0.00 %")), "which is not what its rows say"),
    ("cheapest", edited_json(REAL, lambda table: table["cheaper"].pop(0)), "cheaper than cache-aware 3, but not"),
    ("cheapest", edited_json(CONTEXT, listed_twice), "cheaper than cache-aware 3, but not listed so"),
    ("cheapest", edited_json(REAL, at("cheaper", 0, "saving", "saved_nanodollars", to=more(1))), "not listed so"),
    ("cheapest", edited_json(REAL, at("cheaper", 3, "reason", to="")), "an exception without its reason"),
    *(
        ("cheapest", edited_json(path, at("best", 0, "do_nothing", to=lambda old: not old)), "or calls itself so")
        for path in BOTH
    ),
    ("cheapest", edited_json(CONTEXT, dearer), "the advice is dearer than doing nothing"),
    ("rewriting", making(spoil), "what was given is changed"),
    ("rewriting", making(lambda made, _: (*made[:1], *made[3:5], *made[1:3], *made[5:])), "did not stand before"),
    ("rewriting", making(lambda made, _: (*made, made[0])), "did not stand before"),
    ("rewriting", making(less(ToolResult)), "a use without its result, or the reverse"),
    ("rewriting", making(less(ToolUse)), "a use without its result, or the reverse"),
    ("rewriting", making(lambda made, _: (*made, Message("user", (Text("more " * 90_000),)))), "tokens made of"),
    ("rewriting", making(wordy), "tokens in the place of"),
    ("cache-reports", edited_json(REAL, lambda t: step(t, exact=True).update(predicted=0)), "called 'exact'"),
    (
        "cache-reports",
        edited_json(REAL, lambda t: step(t, exact=False).update(predicted=step(t, exact=False)["reported"])),
        "called '(?!exact)",
    ),
    ("cache-reports", edited_json(REAL, lambda t: t["reported"].pop()), "the reports counted are not those listed"),
    (
        "cache-reports",
        edited_json(REAL, lambda t: t["reported"].append({**t["reported"][0], "session": "x"})),
        "the reports counted are not those listed",
    ),
    *(
        ("cache-reports", edited_json(REAL, at("reported", 0, key, to=more(1))), "exact, counted again")
        for key in ("transitions", "exact")
    ),
    ("cache-reports", edited_json(REAL, at("reported", 0, "others", to={"because": 1})), "exact, counted again"),
    ("published-context", verdict_of("equal", "rounded"), "called rounded, it is equal"),
    ("published-context", verdict_of("rounded", "differs"), "called differs, it is rounded"),
    ("published-context", verdict_of("not printed", "equal"), "called equal, it is not printed"),
    (
        "published-context",
        edited_json(PUBLISHED, row(at("published", to="99.9"), "changes", verdict="equal")),
        "called equal, it is differs",
    ),
    *(
        ("published-context", edited_json(PUBLISHED, at("changes", 1, key, to=0.0)), "rounding allows")
        for key in ("low", "high")
    ),
    (
        "published-context",
        edited_json(PUBLISHED, at("turns", "models", 0, "inside", to=True)),
        "said to be where it is not",
    ),
    *(
        ("published-context", edited_json(PUBLISHED, at("turns", key, to=more(1))), "are counted")
        for key in ("inside", "at_least", "shorter")
    ),
    *((gate, without(path), "missing|no such file|unreadable") for gate in ("usage", "cheapest") for path in BOTH),
]


@pytest.mark.parametrize(("gate", "damage", "said"), BRANCHES, ids=[f"{gate}: {said}" for gate, _, said in BRANCHES])
def test_every_branch_of_a_gate_says_what_is_wrong(gate: str, damage: Damage, said: str, study: Subject) -> None:
    [judge] = [one for one in GATES if one.name == gate]
    lines = verdict(judge, damage(study)).said
    assert any(re.search(said, line) for line in lines), lines[:3]


@pytest.mark.parametrize("gate", [*costs.GATES, *replays.GATES], ids=lambda gate: gate.name)
def test_each_of_these_gates_is_green_on_the_recorded_study_and_has_a_red_case(gate: Any, study: Subject) -> None:
    assert not verdict(gate, study).said
    assert gate.name in {name for name, _, _ in BRANCHES}
