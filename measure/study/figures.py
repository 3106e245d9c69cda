"""What can be recomputed of the published figures: `FIGURES` is the registry, a function a kind of figure.

Each takes the original's data, loaded and counted once, and yields published figures beside ours. A figure whose file
is not at hand yields nothing. A later part adds its function.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import msgspec

from measure.break_even import Move, Side, Text, move
from measure.formats.aliased import legend, shortest_aliases
from measure.ladder import LEGEND, RUNGS, SCHEMA, RungCount, payload
from measure.mcp.envelope import parts
from measure.quantities import Saving, rounded_twice
from measure.records import RecordSet
from measure.study import original_contract
from measure.study.published import Published
from measure.study.ranges import savings_of
from measure.tokens import count

PROJECTED = ("id", "status", "assignee", "priority")
ALIASES = shortest_aliases(PROJECTED)
_RUNGS = {rung.name: rung for rung in RUNGS}


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One published figure and ours. A percentage is compared as printed; ours is in `saving`, whole.

    `evidence` is that of the figure in `published`: "measured" where others counted it of the original's data and it
    was not published. `explained` says why a figure is not equal though its counts are; null where it is equal, or
    differs.
    """

    figure: str
    unit: str
    evidence: Literal["published", "measured"]
    published: int | str
    ours: int | str
    equal: bool
    explained: str | None
    saving: Saving | None


class Original(msgspec.Struct, frozen=True):
    """The original's data, loaded and counted once."""

    records: Mapping[int, RecordSet]
    texts: Mapping[str, str]
    counts: list[RungCount]
    published: Published

    def rung(self, name: str, rows: int) -> RungCount:
        """Our count of one payload of the original's data."""
        return next(c for c in self.counts if c.rung == name and c.rows == rows)

    def tokens(self, text: str) -> int:
        """Our count of a text, in the encoding of the original."""
        return count(text, self.published.source.encoding)


def _rung_tokens(original: Original) -> Iterator[Comparison]:
    for scale in original.published.rung_tokens:
        for rung, tokens in scale.tokens.items():
            ours = original.rung(rung, scale.rows).tokens
            yield _compared(f"{rung}, {scale.rows} rows", "tokens", tokens, ours)


def _rung_bytes(original: Original) -> Iterator[Comparison]:
    for scale in original.published.rung_bytes:
        for rung, size in scale.bytes.items():
            ours = original.rung(rung, scale.rows).bytes
            yield _compared(f"{rung}, {scale.rows} rows", "bytes", size, ours)


def _double_quotes(original: Original) -> Iterator[Comparison]:
    for scale in original.published.double_quotes:
        records = original.records[scale.rows]
        for name, quotes in scale.quotes.items():
            text = payload(_RUNGS[name], records, records.project(PROJECTED), ALIASES).text
            yield _compared(f"{name}, {scale.rows} rows", "double quotes", quotes, text.count('"'))


def _ranges(original: Original) -> Iterator[Comparison]:
    for one in original.published.ranges:
        found = savings_of(original.counts, original.published.source.encoding, one.step)
        ordered = sorted((ours for _, ours in found), key=lambda ours: ours.percent)
        for end, figure, ours in (
            ("lowest", one.low, ordered[0]),
            ("highest", one.high, ordered[-1]),
        ):
            unit = f"% of {ours.denominator.of}, {ours.denominator.serialization}"
            yield _compared(f"{one.step}, {end} of the scales", unit, f"{figure:.2f} %", ours.display, ours)


def _session_texts(original: Original) -> Iterator[Comparison]:
    for text in original.published.session_texts:
        found = legend(ALIASES) if text.name == LEGEND else original.texts.get(text.file)
        if found is not None:
            yield _compared(text.name, "tokens", text.tokens, original.tokens(found))


def _break_even(original: Original) -> Iterator[Comparison]:
    for one in original.published.break_even:
        found = {moved.break_even_queries for moved in _moves(original, one.step)}
        ours: int | str = found.pop() or "never" if len(found) == 1 else "differs by scale"
        yield _compared(f"{one.step}, break-even", "queries", one.queries, ours)


def _alias_net(original: Original) -> Iterator[Comparison]:
    for one in original.published.alias_net:
        found = {net.tokens for moved in _moves(original, "L4->L5") for net in moved.net if net.queries == one.queries}
        ours: int | str = found.pop() if len(found) == 1 else "differs by scale"
        yield _compared(f"aliases, net after {one.queries} queries", "tokens", one.tokens, ours)


def _moves(original: Original, step: str) -> Iterator[Move]:
    """The step at every scale. The schema response is sunk wherever it is held, so its count does not matter."""
    held = {SCHEMA: Text(SCHEMA, "minified", 0), LEGEND: Text(LEGEND, "plain text", original.tokens(legend(ALIASES)))}
    start, end = step.split("->")
    for rows in original.records:
        counts = (original.rung(name, rows) for name in (start, end))
        before, after = (
            Side(
                Text(one.rung, one.serialization, one.tokens),
                tuple(held[name] for name in _RUNGS[one.rung].holds),
            )
            for one in counts
        )
        yield move(before, after, rows, original.published.source.encoding)


def _tool_lists(original: Original) -> Iterator[Comparison]:
    facts = original.published
    for one in facts.tool_lists:
        if one.file in original.texts:
            schema = json.loads(original.texts[one.file])
            texts = original_contract.texts(schema, one, facts.contract_texts)
            name = f"tools, {one.contract}, {one.profile}"
            yield _compared(name, "tokens, pretty", one.pretty, original.tokens(texts["pretty"]))
            beside = _compared(name, "tokens, minified", one.minified, original.tokens(texts["minified"]))
            yield msgspec.structs.replace(beside, evidence="measured")


def _overheads(original: Original) -> Iterator[Comparison]:
    command = original.tokens(original.published.contract_texts.command)
    request = original.tokens(original_contract.request(PROJECTED)) - command
    for scale in original.published.overheads:
        records = original.records[scale.rows]
        for name, tokens in scale.tokens.items():
            text = payload(_RUNGS[name], records, records.project(PROJECTED), ALIASES).text
            ours = request + parts(text, original_contract.result, original.tokens).added
            yield _compared(f"MCP adds, {name}, {scale.rows} rows", "tokens", tokens, ours)


def _compared(figure: str, unit: str, theirs: int | str, ours: int | str, saving: Saving | None = None) -> Comparison:
    explained = None
    if saving and theirs != ours and theirs == rounded_twice(saving):
        exact = f"{saving.saved_tokens:,} of {saving.denominator.tokens:,}"
        explained = f"rounded twice: {exact} is {ours}, but {saving.percent:.4f} rounds to {theirs}"
    return Comparison(figure, unit, "published", theirs, ours, theirs == ours, explained, saving)


FIGURES: tuple[Callable[[Original], Iterator[Comparison]], ...] = (
    _rung_tokens,
    _rung_bytes,
    _double_quotes,
    _ranges,
    _session_texts,
    _break_even,
    _alias_net,
    _tool_lists,
    _overheads,
)
