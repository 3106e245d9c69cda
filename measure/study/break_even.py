"""Experiment: when each step of the ladder pays back, what adopting a query layer costs, and what batching saves.

A transition inside the layer charges only what its destination needs anew: nothing, but for the aliases' legend.
To adopt the layer is another question: the baseline is a plain response of all fields, which needs no contract at
all, and the contract is charged whole, in each of its forms.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Literal

import msgspec

from measure.break_even import BASELINES, DESTINATIONS, Batch, Move, Side, Text, batch, move
from measure.ladder import ORDERINGS, SCHEMA, Ladder, RungCount
from measure.mcp.layer import FIELDS, FORMAT
from measure.mcp.listing import minified
from measure.query import Dataset, ask
from measure.scenario import Files, Scenario, dataset, scenario
from measure.session_texts import CONTRACTS, TOOLS, WITHOUT_BOTH, WITHOUT_FORMAT, session_texts
from measure.study.experiment import Experiment, Inputs
from measure.tokens import tally

FRAMINGS = (0, 20, 80)
BATCHED = 3


class SessionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text that is read once a session, counted in one encoding."""

    name: str
    serialization: str
    encoding: str
    bytes: int
    tokens: int

    def as_text(self) -> Text:
        """The same without encoding and bytes, as accounts have it."""
        return Text(self.name, self.serialization, self.tokens)


class Adoption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From a plain response to a rung of the layer, its contract charged in one of its forms."""

    baseline: str
    contract: str
    contract_serialization: str
    account: Move


class BreakEven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Session texts, transitions inside the layer, adoption of it, projection over MCP, and batches."""

    evidence: Literal["measured"]
    session_texts: list[SessionText]
    transitions: list[Move]
    adoption: list[Adoption]
    over_mcp: list[Move]
    batches: list[Batch]


def run(inputs: Inputs) -> BreakEven:
    """Every account at every scale and in every encoding."""
    ladder: Ladder = inputs.tables["ladder"]
    plan = scenario(inputs.files)
    texts = list(counted(inputs.files, plan.encodings))
    by_place: dict[tuple[str, int], dict[str, RungCount]] = {}
    for count in ladder.rungs:
        by_place.setdefault((count.encoding, count.rows), {})[count.rung] = count
    holds = {rung.name: rung.holds for rung in inputs.rungs}
    asked = dataset(inputs.files, plan.scales[0])
    return BreakEven(
        evidence="measured",
        session_texts=texts,
        transitions=[one for rungs in by_place.values() for one in transitions(rungs, holds, texts)],
        adoption=[one for rungs in by_place.values() for one in adoptions(rungs, texts)],
        over_mcp=[one for rungs in by_place.values() for one in over_mcp(rungs, texts, plan)],
        batches=[one for encoding in plan.encodings for one in batches(asked, plan, encoding)],
    )


def counted(files: Files, encodings: Iterable[str]) -> Iterator[SessionText]:
    """Every session text in every encoding."""
    written = session_texts(files)
    for encoding in encodings:
        for (name, serialization), text in written.items():
            size = tally((text,), encoding)
            yield SessionText(name, serialization, encoding, size.bytes, size.tokens)


def transitions(
    rungs: dict[str, RungCount], holds: dict[str, tuple[str, ...]], texts: list[SessionText]
) -> Iterator[Move]:
    """Each step of the orderings once."""
    sides = {name: side(count, holds[name], texts) for name, count in rungs.items()}
    for before, after in dict.fromkeys(pair for path in ORDERINGS.values() for pair in pairwise(path)):
        yield move(sides[before], sides[after], rungs[after].rows, rungs[after].encoding)


def adoptions(rungs: dict[str, RungCount], texts: list[SessionText]) -> Iterator[Adoption]:
    """Each baseline against each destination, under each form of the contract."""
    for baseline, rung in BASELINES.items():
        plain = Side(msgspec.structs.replace(_text(rungs[rung]), name=baseline))
        for contract, serialization in CONTRACTS:
            for name in DESTINATIONS:
                held = [text.as_text() for text in texts if text.encoding == rungs[name].encoding]
                needed = [one for one in held if (one.name, one.serialization) == (contract, serialization)]
                there = Side(_text(rungs[name]), tuple(needed))
                account = move(plain, there, rungs[name].rows, rungs[name].encoding)
                yield Adoption(baseline, contract, serialization, account)


def over_mcp(rungs: dict[str, RungCount], texts: list[SessionText], plan: Scenario) -> Iterator[Move]:
    """From a list tool that gives every field to one that takes `fields`, and `format` too.

    What declaring an argument adds to the tool list is charged once; what naming it takes is paid in every call.
    """
    encoding, rows = rungs["L1"].encoding, rungs["L1"].rows
    held = {text.name: text.tokens for text in texts if (text.encoding, text.serialization) == (encoding, "minified")}
    bare = Text(WITHOUT_BOTH, "minified", held[WITHOUT_BOTH])
    fields = Text(f"argument {FIELDS}", "minified", held[WITHOUT_FORMAT] - held[WITHOUT_BOTH])
    output = Text(f"argument {FORMAT}", "minified", held[TOOLS] - held[WITHOUT_FORMAT])
    named = {FIELDS: plan.projected}
    calls: tuple[tuple[str, str, dict[str, Any], tuple[Text, ...]], ...] = (
        ("list()", "L1", {}, (bare,)),
        ("list(fields)", "L3", named, (bare, fields)),
        ("list(fields, format)", "L4", {**named, FORMAT: "compact"}, (bare, fields, output)),
    )
    sides = []
    for name, rung, arguments, holds in calls:
        asked = _tokens(minified({"name": "list", "arguments": arguments}), encoding)
        text = Text(f"{name}, {rung}", rungs[rung].serialization, asked + rungs[rung].tokens)
        sides.append((name, Side(text, holds)))
    for name, after in sides[1:]:
        yield move(sides[0][1], after, rows, encoding, f"{sides[0][0]}->{name}")


def side(count: RungCount, holds: tuple[str, ...], texts: list[SessionText]) -> Side:
    """A rung with the session texts that it needs; the schema response minified, as the layer answers it."""
    held = [
        text.as_text()
        for text in texts
        if text.encoding == count.encoding
        and text.name in holds
        and (text.name, text.serialization) != (SCHEMA, "pretty")
    ]
    return Side(_text(count), tuple(held))


def batches(asked: Dataset, plan: Scenario, encoding: str) -> Iterator[Batch]:
    """Some records by `get`, one by one and in one call, in each output under each framing."""
    projection = "{ " + " ".join(plan.projected) + " }"
    wanted = [value for (value,) in asked.records.head(BATCHED).rows([asked.id])]
    queries = [f"get({value}) {projection}" for value in wanted]
    for output in ("json", "compact"):
        apart = [(_tokens(query, encoding), _tokens(ask(query, asked, output), encoding)) for query in queries]
        joined = "; ".join(queries)
        together = _tokens(joined, encoding), _tokens(ask(joined, asked, output), encoding)
        place: dict[str, str | int] = {"rows": len(asked.records), "encoding": encoding, "output": output}
        for framing in FRAMINGS:
            yield batch(apart, together, framing, place)


def _text(count: RungCount) -> Text:
    return Text(count.rung, count.serialization, count.tokens)


def _tokens(text: str, encoding: str) -> int:
    return tally((text,), encoding).tokens


BREAK_EVEN = Experiment("break_even", BreakEven, run, of_rungs=True)
