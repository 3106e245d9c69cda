"""Gates on accounts: the query layer, what is charged, when it pays back, serializations, alias readings.

They read the results as plain JSON and count anew, one query after the other where the science divides.
"""

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from measure.break_even import BASELINES, DESTINATIONS
from measure.formats.aliased import Aliased
from measure.gates.subject import Subject
from measure.ladder import ORDERINGS
from measure.query import ask
from measure.records import RecordSet
from measure.scenario import dataset, scenario, tasks
from measure.session_texts import CONTRACTS, session_texts
from measure.tokens import count
from measure.values import Value

_BREAK_EVEN, _ALIASES = "results/break_even.json", "results/aliases.json"
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
    for move in (*recorded["transitions"], *(one["account"] for one in recorded["adoption"])):
        place = f"{move['move']}, {move['rows']} rows, {move['encoding']}"
        for side in ("before", "after"):
            text = move[side]
            rung = BASELINES.get(text["name"], text["name"])
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
    """Read every header again with the real decoder under the names that the reader took, and add up what comes out."""
    recorded = subject.plain(_ALIASES)
    headers = _headers(subject)
    added: dict[tuple[str, str], list[int]] = {}
    for one in recorded["readings"]:
        place = f"{one['case']}, {one['reader']}"
        header = headers[one["case"].partition(", read ")[0]]
        truth, fates = header.truth, _fates(header, one["taken_for"])
        if [one[key] for key in _FATES] != fates:
            yield f"{place}: {[one[key] for key in _FATES]} records, decoded again {fates}"
        if one["evicted"] != [alias for alias in truth if alias not in one["legend"]]:
            yield f"{place}: lost {one['evicted']}, but holds {list(one['legend'])}"
        for alias, field in one["taken_for"].items():
            if field != one["legend"].get(alias) and (one["reader"] == "strict" or alias in one["legend"]):
                yield f"{place}: {alias!r} taken for {field!r}, though the legend says {one['legend'].get(alias)!r}"
        whole = added.setdefault((one["case"], one["reader"]), [0] * (2 + len(_FATES)))
        added[one["case"], one["reader"]] = [a + b for a, b in zip(whole, [1, one["records"], *fates], strict=True)]
    totals = {(t["case"], t["reader"]): [t[key] for key in ("legends", "records", *_FATES)] for t in recorded["totals"]}
    if totals != added or not totals:
        yield "the totals are not those of the readings"
    for case, header in headers.items():
        if case in {one["case"] for one in recorded["readings"]}:
            tried = [one["legend"] for one in recorded["readings"] if (one["case"], one["reader"]) == (case, "strict")]
            if len({tuple(held) for held in tried}) != 2 ** len(header.truth):
                yield f"{case}: {len(tried)} legends tried of {2 ** len(header.truth)}"
        elif not any(one["case"].startswith(f"{case}, read ") for one in recorded["readings"]):
            yield f"{case}: not read at all"


class _Header(NamedTuple):
    """What the aliases of a case really stand for, the text under them, and the records that it was made of."""

    truth: dict[str, str]
    text: tuple[str, ...]
    records: list[dict[str, Value]]


def _headers(subject: Subject) -> dict[str, _Header]:
    """The header of every case, written once."""
    plan = scenario(subject.files)
    records = tasks(subject.files, max(plan.scales))
    own = _header(plan.aliases, records.project(plan.projected))
    found = {"the study's header": own} | {tool.case: own for tool in plan.other_tools}
    for case in plan.alias_cases:
        rows = records.project([case.fields[field] for field in case.aliases]).rows()
        found[case.case] = _header(case.aliases, RecordSet(list(case.aliases), list(rows)))
    return found


def _header(aliases: dict[str, str], records: RecordSet) -> _Header:
    truth = {alias: field for field, alias in aliases.items()}
    rows = [dict(zip(records.fields, row, strict=True)) for row in records.rows()]
    return _Header(truth, tuple(Aliased(aliases).encode(records)), rows)


def _fates(header: _Header, taken: dict[str, str | None]) -> list[int]:
    """Right, refused and wrong: the records written under the true aliases, and decoded under the names taken."""
    names = [field for field in taken.values() if field is not None]
    if list(taken) != list(header.truth) or len(set(names)) < len(taken):
        return [0, len(header.records), 0]
    read = Aliased({str(field): alias for alias, field in taken.items()}).decode(header.text)
    right = sum(found == wanted for found, wanted in zip(read, header.records, strict=True))
    return [right, 0, len(header.records) - right]


_FATES = ("right", "refused", "wrong_without_error")
_TEXT = ("name", "serialization", "tokens")
