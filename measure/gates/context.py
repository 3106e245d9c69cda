"""Gates on what sessions cost: usage that adds up, prices with their day, evidence by its name, exceptions told.

They read the results as plain JSON and share no line with what made them.
"""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from measure.gates.subject import Gate, Subject, objects
from measure.scenario import PRICES, content

_CONTEXT, _REAL = "results/context.json", "results/context_sessions.json"
_PUBLISHED = "results/context_published.json"
_AWARE = "cache-aware 3"
_USUAL = ("5m", "system+frontier+last")
_STAND_INS = ("summarize", "hybrid")


def usage(subject: Subject) -> Iterator[str]:
    """Add up every row: its tokens, its cost at the listed prices, and what it saves of doing nothing."""
    prices = {row["prices"]: row for row in subject.plain(_CONTEXT)["prices"]}
    for path in (_CONTEXT, _REAL):
        table = subject.plain(path)
        bases = {_on(row): row for row in table["rows"] if row["policy"] == "none"}
        for row in table["rows"]:
            place = f"{path}: {_place(row)}"
            if row["fresh"] + row["read"] + row["written"] != row["input"]:
                yield f"{place}: fresh, read and written are not the {row['input']:,} tokens of its input"
            if not (row["own_input"] <= row["fresh"] and row["own_output"] <= row["output"]):
                yield f"{place}: its own calls are more than all"
            if row["cache"] == "none" and (row["read"] or row["written"]):
                yield f"{place}: a cache where there is none"
            yield from _cost(place, row, prices[row["prices"]])
            base = bases[_on(row)]
            of = row["input_saving"]["denominator"]["tokens"], row["cost_saving"]["denominator"]["nanodollars"]
            if of != (base["input"], base["total_nanodollars"]):
                yield f"{place}: its savings are not of what doing nothing takes"
            saved = row["input_saving"]["saved_tokens"], row["cost_saving"]["saved_nanodollars"]
            if saved != (base["input"] - row["input"], base["total_nanodollars"] - row["total_nanodollars"]):
                yield f"{place}: its savings are not the difference to doing nothing"
        yield from _growth(path, table)


def _cost(place: str, row: dict[str, Any], prices: dict[str, Any]) -> Iterator[str]:
    write = prices["write_1h" if row["cache"] == "1h" else "write_5m"]
    cost = {
        "fresh": row["fresh"] * prices["fresh"],
        "read": row["read"] * prices["read"],
        "write": row["written"] * write,
        "output": row["output"] * prices["output"],
    }
    if row["nanodollars"] != cost or row["total_nanodollars"] != sum(cost.values()):
        yield f"{place}: its cost is not its tokens at the prices of {prices['prices']}"


def _growth(path: str, table: dict[str, Any]) -> Iterator[str]:
    """The requests of a session, one by one, against the sums that stand elsewhere."""
    uncached = {(row["session"], row["policy"]): row for row in table["rows"] if row["cache"] == "none"}
    for row in table["rows"]:  # what the cache-aware policy does depends on the cache; its growth is that of this one
        if row["policy"].startswith("cache-aware") and (row["cache"], row["breakpoints"]) == _USUAL:
            uncached[row["session"], row["policy"]] = row
    facts = {one["session"]: one for one in table["sessions"]}
    for one in table["growth"]:
        place, sent = f"{path}: {one['session']}, {one['policy']}", one["requests"]
        row = uncached[one["session"], one["policy"]]
        if len(sent) != facts[one["session"]]["calls"]:
            yield f"{place}: {len(sent)} requests, not one a call"
        if sum(sent) != row["input"] - row["own_input"]:
            yield f"{place}: its requests do not add up to its input"
    for name, one in facts.items():
        shares = one["kinds"]
        if sum(kind["share"]["tokens"] for kind in shares) != one["input_tokens"]:
            yield f"{path}: {name}: its kinds do not add up to its input"


def dated(subject: Subject) -> Iterator[str]:
    """Whatever is at prices names a model of fixtures/prices.toml, and the day of that model's table."""
    listed = tomllib.loads(content(subject.files, PRICES).decode())["providers"]
    days = {model["name"]: str(provider["date"]) for provider in listed for model in provider["models"]}
    for path in (_CONTEXT, _REAL, _PUBLISHED):
        for place, value in objects(subject.plain(path)):
            named, day = value.get("prices"), value.get("date")
            if not isinstance(named, str) or not ("nanodollars" in value or "date" in value):
                continue
            if named not in days or day != days[named]:
                yield f"{path}  {place}: a cost at prices of {named}, {day or 'of no day'}"


def evidence(subject: Subject) -> Iterator[str]:
    """A cache is a model's answer, and so is a summary: neither is called measured."""
    chains = {row["policy"]: row["chain"] for row in subject.plain(_CONTEXT)["policies"]}
    for path in (_CONTEXT, _REAL):
        table = subject.plain(path)
        for row in (*table["rows"], *table["growth"], *table["triggers"], *table["best"]):
            stand_in = any(name in chains.get(row.get("policy", ""), "") for name in _STAND_INS)
            wanted = "simulated" if stand_in or row.get("cache", "none") != "none" else "measured"
            if row["evidence"] != wanted:
                yield f"{path}: {_place(row)}: {row['evidence']}, but it is {wanted}"
        expected = "constructed" if path == _CONTEXT else "captured"
        if {table["evidence"], *(one["evidence"] for one in table["sessions"])} != {expected}:
            yield f"{path}: its sessions are {expected}"


def cheapest(subject: Subject) -> Iterator[str]:
    """Each policy that was cheaper than the cache-aware one is listed with a reason, and no other."""
    for path in (_CONTEXT, _REAL):
        table = subject.plain(path)
        aware = {_on(row): row["total_nanodollars"] for row in table["rows"] if row["policy"] == _AWARE}
        found = {
            (*_on(row), row["policy"]): aware[_on(row)] - row["total_nanodollars"]
            for row in table["rows"]
            if row["cache"] != "none" and row["total_nanodollars"] < aware[_on(row)]
        }
        listed = {(*_on(one), one["policy"]): one["saving"]["saved_nanodollars"] for one in table["cheaper"]}
        if found != listed:
            differing = sorted(set(found.items()) ^ set(listed.items()))
            yield f"{path}: cheaper than {_AWARE}, but not listed so: {', '.join(differing[0][0])}"
        if not all(one["reason"] for one in table["cheaper"]):
            yield f"{path}: an exception without its reason"
        for one in table["best"]:
            if one["do_nothing"] != (one["best_saving"]["saved_nanodollars"] <= 0) or one["best_saving"]["percent"] < 0:
                yield f"{path}: {_place(one)}: the advice is dearer than doing nothing, or calls itself so"


def spreads(subject: Subject) -> Iterator[str]:
    """Find the least and the most of every policy again, and count the signs."""
    for path in (_CONTEXT, _REAL):
        table = subject.plain(path)
        groups: dict[tuple[str, ...], list[tuple[float, str, str]]] = {}
        for row in table["rows"]:
            saving = row["input_saving" if row["cache"] == "none" else "cost_saving"]
            key = (row["policy"], row["cache"], row["breakpoints"], row["prices"])
            groups.setdefault(key, []).append((saving["percent"], saving["display"], row["session"]))
        listed = {(one["policy"], one["cache"], one["breakpoints"], one["prices"]): one for one in table["spreads"]}
        if set(listed) != set(groups):
            yield f"{path}: the spreads are not those of its rows"
        for key, one in listed.items():
            found = groups.get(key, [(0.0, "", "")])
            signs = len(found), sum(saved > 0 for saved, _, _ in found), sum(saved < 0 for saved, _, _ in found)
            if (one["sessions"], one["save"], one["cost_more"]) != signs:
                yield f"{path}: {', '.join(key)}: counted {signs} sessions, that save, that cost more"
            low, high = min(found)[0], max(found)[0]
            least = {(display, session) for saved, display, session in found if saved == low}
            most = {(display, session) for saved, display, session in found if saved == high}
            named = (one["least"], one["least_session"]), (one["most"], one["most_session"])
            if named[0] not in least or named[1] not in most:
                yield f"{path}: {', '.join(key)}: from {one['least']} to {one['most']}, which is not what its rows say"


def _on(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return row["session"], row["cache"], row["breakpoints"], row["prices"]


def _place(row: Mapping[str, Any]) -> str:
    named = (row.get(key) for key in ("session", "policy", "trigger", "cache", "breakpoints"))
    return ", ".join(str(one) for one in named if one is not None)


GATES = (
    Gate(
        "usage",
        "of every session and policy, fresh + read + written is the input, and the cost is that at the listed prices",
        usage,
        "a cost is not that of its tokens: run `measure run`",
    ),
    Gate(
        "price-dates",
        "no cost stands without the prices that it is at, and the day of these is that of fixtures/prices.toml",
        dated,
        "prices change, so a cost without its day says nothing: run `measure run`",
    ),
    Gate(
        "cache-evidence",
        "what a modelled cache or a stand-in for a model says is called simulated, and nothing else is",
        evidence,
        "a model's answer is called a measurement: run `measure run`",
    ),
    Gate(
        "spreads",
        "what is said of a policy over all sessions is what its rows say: signs, the least and the most",
        spreads,
        "a range over sessions is wrong: run `measure run`",
    ),
    Gate(
        "cheapest",
        "wherever another policy is cheaper than the cache-aware one it is listed with a reason; no advice costs more",
        cheapest,
        "an exception is not told: run `measure run`",
    ),
)
