"""Gates on accounts: the query layer, what is charged, when it pays back, serializations.

They read the results as plain JSON and count anew, one query after the other where the science divides.
"""

import hashlib
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from measure.break_even import BASELINES, DESTINATIONS
from measure.gates.subject import Gate, Subject
from measure.ladder import ORDERINGS
from measure.query import ask
from measure.scenario import Scenario, dataset, scenario
from measure.session_texts import CONTRACTS, TOOLS, WITHOUT_BOTH, WITHOUT_FORMAT, session_texts
from measure.tokens import remembered as count

_BREAK_EVEN = "results/break_even.json"
_PATIENCE = 100_000  # queries after which a move that saves anything must have paid back


def query_layer(subject: Subject) -> Iterator[str]:
    """Ask the layer for every rung that it writes, and compare with the bytes that were counted."""
    plan = scenario(subject.files)
    counted: dict[tuple[int, str], set[str]] = {}
    for one in subject.ladder().rungs:
        counted.setdefault((one.rows, one.rung), set()).add(one.payload_sha256)
    for rows in plan.scales:
        asked = dataset(subject.files, rows)
        for rung in subject.rungs:
            if rung.output is not None:
                query = plan.query if rung.projected else plan.full_query
                found = hashlib.sha256(ask(query, asked, rung.output).encode()).hexdigest()
                if counted.get((rows, rung.name)) != {found}:
                    yield f"{rung.name}, {rows} rows: {query!r} answers with another text than was counted"


def charges(subject: Subject) -> Iterator[str]:
    """Recount every session text; compare what each move is charged with what its two sides hold; miss none."""
    plan = scenario(subject.files)
    recorded = subject.plain(_BREAK_EVEN)
    texts = {(t["encoding"], t["name"], t["serialization"]): t["tokens"] for t in recorded["session_texts"]}
    for (name, serialization), text in session_texts(subject.files).items():
        for encoding in plan.encodings:
            found = texts.get((encoding, name, serialization))
            if found != count(text, encoding):
                yield f"{name} ({serialization}), {encoding}: {found} tokens are not {count(text, encoding)}"
    holds = {rung.name: rung.holds for rung in subject.rungs}
    pairs = dict.fromkeys(pair for path in ORDERINGS.values() for pair in pairwise(path))
    grid = [(f"{a}->{b}", rows, encoding) for encoding in plan.encodings for rows in plan.scales for a, b in pairs]
    if grid != [(move["move"], move["rows"], move["encoding"]) for move in recorded["transitions"]]:
        yield "the transitions are not each step at each scale in each encoding"
    adopted = {
        (a["baseline"], a["contract"], a["contract_serialization"], a["account"]["after"]["name"])
        for a in recorded["adoption"]
    }
    wanted = {(plain, *contract, rung) for plain in BASELINES for contract in CONTRACTS for rung in DESTINATIONS}
    if adopted != wanted or len(recorded["adoption"]) != len(wanted) * len(plan.scales) * len(plan.encodings):
        yield "the adoptions are not each baseline under each contract at each scale in each encoding"
    for move in recorded["transitions"]:
        before, after = (holds[move[side]["name"]] for side in ("before", "after"))
        held = [name for name in after if name in before], [name for name in after if name not in before]
        yield from _charged(move, held, texts)
    for adoption in recorded["adoption"]:
        yield from _charged(adoption["account"], ([], [adoption["contract"]]), texts)
    yield from _over_mcp(recorded, texts, plan)


def _over_mcp(recorded: dict[str, Any], texts: dict[tuple[str, str, str], int], plan: Scenario) -> Iterator[str]:
    """An argument is charged what it adds to the tool list that lacks it."""
    wanted = [(rows, encoding) for encoding in plan.encodings for rows in plan.scales for _ in range(2)]
    if wanted != [(move["rows"], move["encoding"]) for move in recorded["over_mcp"]]:
        yield "projection over MCP is not charged twice at each scale in each encoding"
    for move in recorded["over_mcp"]:
        lists = [texts[move["encoding"], name, "minified"] for name in (WITHOUT_BOTH, WITHOUT_FORMAT, TOOLS)]
        added = [after - before for before, after in pairwise(lists)][: len(move["charged"])]
        found = [text["tokens"] for text in move["charged"]]
        if found != added or move["one_time_tokens"] != sum(added) or [s["tokens"] for s in move["sunk"]] != lists[:1]:
            place = f"{move['move']}, {move['rows']} rows, {move['encoding']}"
            yield f"{place}: charged {found}, the lists differ by {added}"


def _called(plan: Scenario, call: str, encoding: str) -> int:
    """Tokens of a call that names its arguments, as its parameters stand in a request."""
    spelled = {"fields": json.dumps(plan.projected, separators=(",", ":")), "format": '"compact"'}
    named = [name for name in call.removeprefix("list").strip("()").split(", ") if name]
    arguments = ",".join(f'"{name}":{spelled[name]}' for name in named)
    return count(f'{{"name":"list","arguments":{{{arguments}}}}}', encoding)


def _charged(
    move: dict[str, Any], wanted: tuple[list[str], list[str]], texts: dict[tuple[str, str, str], int]
) -> Iterator[str]:
    place = f"{move['move']}, {move['rows']} rows, {move['encoding']}"
    found = tuple([text["name"] for text in move[kind]] for kind in ("sunk", "charged"))
    if found != wanted:
        yield f"{place}: sunk {found[0]}, charged {found[1]}; the two sides hold {wanted[0]} and need {wanted[1]} anew"
    for text in (*move["sunk"], *move["charged"]):
        if texts.get((move["encoding"], text["name"], text["serialization"])) != text["tokens"]:
            yield f"{place}: {text['name']} ({text['serialization']}) is not {text['tokens']} tokens"
    if move["one_time_tokens"] != sum(text["tokens"] for text in move["charged"]):
        yield f"{place}: {move['one_time_tokens']} tokens once are not what is charged"
    share = move["one_time"] or {"tokens": 0, "denominator": None}
    whole = {"of": move["before"]["name"], **{k: move["before"][k] for k in ("serialization", "tokens")}}
    if share["tokens"] != move["one_time_tokens"] or share["denominator"] not in (None, whole):
        yield f"{place}: the charge in percent is {share['tokens']} of {share['denominator']}"


def break_even(subject: Subject) -> Iterator[str]:
    """Walk query by query until the net is positive; redo every net and every framing."""
    recorded = subject.plain(_BREAK_EVEN)
    for move in (*recorded["transitions"], *recorded["over_mcp"], *(one["account"] for one in recorded["adoption"])):
        place = f"{move['move']}, {move['rows']} rows, {move['encoding']}"
        each = move["before"]["tokens"] - move["after"]["tokens"]
        net, queries = -move["one_time_tokens"], 0
        while net <= 0 and each > 0 and queries < _PATIENCE:
            net += each
            queries += 1
        expected = queries if net > 0 else None
        if move["break_even_queries"] != expected or (move["reason"] is None) != (expected is not None):
            yield f"{place}: break-even {move['break_even_queries']} ({move['reason']}), not {expected}"
        if move["saving"]["saved_tokens"] != each:
            yield f"{place}: saves {move['saving']['saved_tokens']}, the two texts differ by {each}"
        if not move["net"]:
            yield f"{place}: no net at all"
        for one in move["net"]:
            if one["tokens"] != one["queries"] * each - move["one_time_tokens"]:
                yield f"{place}: {one['tokens']} tokens after {one['queries']} queries"
    yield from _batches(subject, recorded["batches"])


def _batches(subject: Subject, batches: list[dict[str, Any]]) -> Iterator[str]:
    """Ask again, one by one and together, and count; then look for the smallest framing that pays."""
    plan = scenario(subject.files)
    asked = dataset(subject.files, plan.scales[0])
    projection = "{ " + " ".join(plan.projected) + " }"
    if not batches:
        yield "no batches at all"
    for batch in batches:
        queries = [f"get({row[0]}) {projection}" for row in asked.records.head(batch["calls"]).rows([asked.id])]
        for side, calls in (("separate", queries), ("together", ["; ".join(queries)])):
            texts = [text for query in calls for text in (query, ask(query, asked, batch["output"]))]
            tokens = sum(count(text, batch["encoding"]) for text in texts) + len(calls) * batch["framing_tokens"]
            if batch[side]["tokens"] != tokens:
                yield f"{side}, {batch['output']}, {batch['encoding']}: {batch[side]['tokens']} tokens are not {tokens}"
        if batch["saving"]["saved_tokens"] != batch["separate"]["tokens"] - batch["together"]["tokens"]:
            yield f"{batch['output']}, {batch['encoding']}: the saving is not the difference of the two sides"
        least, more_calls = batch["break_even_framing"], batch["calls"] - 1
        bare = batch["separate"]["tokens"] - batch["together"]["tokens"] - batch["framing_tokens"] * more_calls
        pays = least is not None and bare + least * more_calls > 0
        less_pays = bool(least) and bare + (least - 1) * more_calls > 0
        if not pays or less_pays:
            yield f"{batch['calls']} calls, {batch['output']}, {batch['encoding']}: {least} is not the smallest framing"


def serializations(subject: Subject) -> Iterator[str]:
    """Look for both serializations of every comparison, and hold each against the text that was counted."""
    recorded = subject.plain(_BREAK_EVEN)
    counted = {(c.encoding, c.rows, c.rung): (c.serialization, c.tokens) for c in subject.ladder().rungs}
    for move in (*recorded["transitions"], *recorded["over_mcp"], *(one["account"] for one in recorded["adoption"])):
        place = f"{move['move']}, {move['rows']} rows, {move['encoding']}"
        for side in ("before", "after"):
            text = move[side]
            rung = BASELINES.get(text["name"], text["name"])
            call, _, carried = rung.rpartition(", ")  # over MCP a text is a call and the payload that it brings
            asked = _called(scenario(subject.files), call, move["encoding"]) if call else 0
            if counted.get((move["encoding"], move["rows"], carried)) != (
                text["serialization"],
                text["tokens"] - asked,
            ):
                yield f"{place}: {text['name']} is called {text['serialization']}, {text['tokens']} tokens"
        if move["mixed_serializations"] != (move["before"]["serialization"] != move["after"]["serialization"]):
            yield f"{place}: two serializations, and it does not say so (or one, and it says two)"
        whole = move["saving"]["denominator"]
        if [whole["of"], whole["serialization"], whole["tokens"]] != [move["before"][k] for k in _TEXT]:
            yield f"{place}: the saving is in percent of {whole}, not of the text before the move"
    for adoption in recorded["adoption"]:
        held = [text["serialization"] for text in adoption["account"]["charged"]]
        if held != [adoption["contract_serialization"]]:
            yield f"{adoption['baseline']}: the contract is called {adoption['contract_serialization']}, charged {held}"
    for batch in recorded["batches"]:
        if {batch["separate"]["serialization"], batch["together"]["serialization"]} != {batch["output"]}:
            yield f"{batch['calls']} calls, {batch['output']}: compared with another output"
        if [batch["saving"]["denominator"][k] for k in ("of", "serialization", "tokens")] != [
            batch["separate"][k] for k in _TEXT
        ]:
            yield f"{batch['calls']} calls, {batch['output']}: the saving is not in percent of the separate calls"


_TEXT = ("name", "serialization", "tokens")


GATES = (
    Gate(
        "query-layer",
        "the rungs that the query layer writes are byte for byte what it answers",
        query_layer,
        "a rung is not what a caller gets: run `measure run`",
    ),
    Gate(
        "charges",
        "a move is charged what its destination needs anew, once, and nothing that both sides hold",
        charges,
        "a break-even stands on a wrong charge: run `measure run`",
    ),
    Gate(
        "break-even",
        "the break-even is the first query count with a positive net, found by walking",
        break_even,
        "a break-even is off: run `measure run`",
    ),
    Gate(
        "serializations",
        "every comparison names both serializations, as counted, and says so where they differ",
        serializations,
        "two texts are compared that are not written alike: run `measure run`",
    ),
)
