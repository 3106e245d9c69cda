"""Gates on accounts: the query layer, what is charged, when it pays back, serializations, alias readings.

They read the results as plain JSON and count anew, one query after the other where the science divides.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from measure.gates.subject import Subject
from measure.query import ask
from measure.scenario import dataset, scenario

_BREAK_EVEN, _ALIASES = "results/break_even.json", "results/aliases.json"
_PATIENCE = 100_000  # queries after which a move that saves anything must have paid back


def query_layer(subject: Subject) -> Iterator[str]:
    """Ask the layer for every rung that it writes, and compare with the bytes that were counted."""
    plan = scenario(subject.files)
    counted: dict[tuple[int, str], set[str]] = {}
    for count in subject.ladder().rungs:
        counted.setdefault((count.rows, count.rung), set()).add(count.payload_sha256)
    for rows in plan.scales:
        asked = dataset(subject.files, rows)
        for rung in subject.rungs:
            if rung.output is not None:
                query = plan.query if rung.projected else plan.full_query
                found = hashlib.sha256(ask(query, asked, rung.output).encode()).hexdigest()
                if counted.get((rows, rung.name)) != {found}:
                    yield f"{rung.name}, {rows} rows: {query!r} answers with another text than was counted"


def charges(subject: Subject) -> Iterator[str]:
    """Compare what each move is charged with what its two sides hold, and each text with its own count."""
    recorded = subject.plain(_BREAK_EVEN)
    texts = {(t["encoding"], t["name"], t["serialization"]): t["tokens"] for t in recorded["session_texts"]}
    holds = {rung.name: rung.holds for rung in subject.rungs}
    for move in recorded["transitions"]:
        before, after = (holds[move[side]["name"]] for side in ("before", "after"))
        wanted = [name for name in after if name in before], [name for name in after if name not in before]
        yield from _charged(move, wanted, texts)
    for adoption in recorded["adoption"]:
        yield from _charged(adoption["account"], ([], [adoption["contract"]]), texts)


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


def break_even(subject: Subject) -> Iterator[str]:
    """Walk query by query until the net is positive; redo every net and every framing."""
    recorded = subject.plain(_BREAK_EVEN)
    for move in (*recorded["transitions"], *(one["account"] for one in recorded["adoption"])):
        place = f"{move['move']}, {move['rows']} rows, {move['encoding']}"
        each = move["before"]["tokens"] - move["after"]["tokens"]
        net, queries = -move["one_time_tokens"], 0
        while net <= 0 and each > 0 and queries < _PATIENCE:
            net += each
            queries += 1
        expected = queries if net > 0 else None
        if move["break_even_queries"] != expected or (move["reason"] is None) != (expected is not None):
            yield f"{place}: break-even {move['break_even_queries']} ({move['reason']}), not {expected}"
        for one in move["net"]:
            if one["tokens"] != one["queries"] * each - move["one_time_tokens"]:
                yield f"{place}: {one['tokens']} tokens after {one['queries']} queries"
    for batch in recorded["batches"]:
        least, framing = batch["break_even_framing"], batch["framing_tokens"]
        gap = batch["separate"]["tokens"] - batch["together"]["tokens"] - framing * (batch["calls"] - 1)
        if (
            least is None
            or gap + least * (batch["calls"] - 1) <= 0
            or (least and gap + (least - 1) * (batch["calls"] - 1) > 0)
        ):
            yield f"{batch['calls']} calls, {batch['output']}, {batch['encoding']}: {least} is not the smallest framing"


def serializations(subject: Subject) -> Iterator[str]:
    """Look for both serializations of every comparison, and hold each against the text that was counted."""
    recorded = subject.plain(_BREAK_EVEN)
    counted = {(c.encoding, c.rows, c.rung): (c.serialization, c.tokens) for c in subject.ladder().rungs}
    plain = {"plain response, pretty": "L0", "plain response, minified": "L1"}
    for move in (*recorded["transitions"], *(one["account"] for one in recorded["adoption"])):
        place = f"{move['move']}, {move['rows']} rows, {move['encoding']}"
        for side in ("before", "after"):
            text = move[side]
            rung = plain.get(text["name"], text["name"])
            if counted.get((move["encoding"], move["rows"], rung)) != (text["serialization"], text["tokens"]):
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


def alias_readings(subject: Subject) -> Iterator[str]:
    """Add up what became of the records, under each legend and in the totals."""
    recorded = subject.plain(_ALIASES)
    added: dict[tuple[str, str], list[int]] = {}
    for one in recorded["readings"]:
        parts = [one[key] for key in _FATES]
        whole = added.setdefault((one["case"], one["reader"]), [0] * len(_FATES))
        added[one["case"], one["reader"]] = [a + b for a, b in zip(whole, parts, strict=True)]
        if sum(parts) != one["records"]:
            yield f"{one['case']}, {one['reader']}: {parts} are not {one['records']} records"
        unread = any(field is None for field in one["taken_for"].values())
        lost = one["reader"] == "strict" and one["evicted"]
        if (unread or lost) and one["refused"] != one["records"]:
            yield f"{one['case']}, {one['reader']}: a column was refused, and not every record"
    totals = {(one["case"], one["reader"]): [one[key] for key in _FATES] for one in recorded["totals"]}
    if totals != added:
        yield "the totals are not those of the readings"


_FATES = ("right", "refused", "wrong_without_error")
_TEXT = ("name", "serialization", "tokens")
