"""A user's own tool list as tables: what each tool costs, what a part of it costs, and what has changed."""

from collections.abc import Iterator, Sequence

from measure.mcp.changes import Changes
from measure.mcp.listing import ListCost, PartShare, ToolCost
from measure.report.ladder import plural
from measure.report.table import Table, numeric

PARTS = {
    "description": "descr.",
    "input_schema": "input",
    "parameter_descriptions": "(params)",
    "output_schema": "output",
    "annotations": "annot.",
    "other": "other",
}


def tool_list(cost: ListCost, tools: Sequence[ToolCost], name: str) -> Iterator[Table]:
    """The whole list in a row a tool, the dearest first; then its parts."""
    yield Table(
        f"{name} · {plural(cost.tools, 'tool')} · {cost.encoding}, {cost.authority} · {cost.evidence}",
        ("tool", "tokens", "pretty", *PARTS.values()),
        [
            (tool.name, f"{tool.tokens:,}", f"{tool.pretty_tokens:,}", *(f"{tool.parts[part]:,}" for part in PARTS))
            for tool in tools
        ],
        numeric(*range(1, 3 + len(PARTS))),
        (
            f"the list, its brackets and commas included: {cost.tokens:,} tokens minified ({cost.bytes:,} bytes),"
            f" {cost.pretty_tokens:,} pretty",
            f"forwarded to a model: {cost.forwarded_tokens:,} tokens minified, of name, description and input schema",
            "a part's tokens are what removing it saves of the minified tool; (params) are the descriptions within the"
            " input schema; other is all but name and the parts shown",
        ),
    )
    yield Table(
        f"What removing a part from every tool saves, of {cost.tokens:,} tokens (minified)",
        ("part", "tokens", "percent"),
        [_part(one) for one in cost.shares],
        numeric(1, 2),
    )


def _part(one: PartShare) -> tuple[str, ...]:
    return one.part.replace("_", " "), f"{one.share.tokens:,}", one.share.display


def changes(found: Changes) -> Table:
    """The tools that came, went, or cost another number of tokens."""
    before, after = found.before_tokens, found.after_tokens
    same = f"{plural(found.unchanged, 'tool')} unchanged"
    return Table(
        "Changed since the baseline",
        ("tool", "before", "now", "change"),
        [
            (one.name, _count(one.before), _count(one.after), f"{(one.after or 0) - (one.before or 0):+,}")
            for one in found.tools
        ],
        numeric(1, 2, 3),
        (
            f"the list: {before:,} tokens before, {after:,} now, {after - before:+,} (minified); {same}",
            "a tool that was reworded is shown, whatever it costs now" if found.tools else "nothing has changed",
        ),
    )


def _count(tokens: int | None) -> str:
    return "-" if tokens is None else f"{tokens:,}"
