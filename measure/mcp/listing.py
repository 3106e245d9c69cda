"""A tool list taken apart: what each tool costs, and how much of that goes away when a part of it does.

A part's count is what removing it would save: the tokens of the minified tool, minus those without the part. That is
the figure that a decision needs, and it is exact; but the parts of a tool do not add up to the tool, whose name and
braces are in none of them. `forwarded` is what model APIs take of a tool: name, description and input schema.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from measure.errors import BadInput
from measure.mcp.contract import tool_list
from measure.quantities import Denominator, Saving, Share, saving, share
from measure.tokens import authority, tally

Tool = dict[str, Any]
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")  # their keys are names
_HOLDERS = ("result", "tools_list_pages")  # of a list, in a response and in a file of pages
_FORWARDED = ("name", "description", "inputSchema")


def _without(*members: str) -> Callable[[Tool], Tool]:
    return lambda tool: {key: value for key, value in tool.items() if key not in members}


def _undescribed(tool: Tool) -> Tool:
    return {**tool, "inputSchema": _bare(tool["inputSchema"])}


def _only_known(tool: Tool) -> Tool:
    known = (*_FORWARDED, "outputSchema", "annotations")
    return {key: value for key, value in tool.items() if key in known}


PARTS: dict[str, Callable[[Tool], Tool]] = {
    "description": _without("description"),
    "input_schema": _without("inputSchema"),
    "parameter_descriptions": _undescribed,
    "output_schema": _without("outputSchema"),
    "annotations": _without("annotations"),
    "other": _only_known,  # title, icons, _meta, execution and whatever a revision adds
}


class ToolCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tool: its tokens in both serializations, and what removing each part would save, minified."""

    name: str
    tokens: int
    pretty_tokens: int
    forwarded_tokens: int
    parts: dict[str, int]


class PartShare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What removing a part from every tool would save, of the minified list."""

    part: str
    share: Share


class ListCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole list, as an object with the tools alone.

    `minifying` is what minifying saves of the pretty list, `bytes` the size of the minified one.
    """

    evidence: Literal["captured", "constructed"]
    authority: str
    encoding: str
    tools: int
    bytes: int
    tokens: int
    pretty_tokens: int
    forwarded_tokens: int
    minifying: Saving
    shares: list[PartShare]


def cost(tools: Sequence[Tool], encoding: str, evidence: Literal["captured", "constructed"]) -> ListCost:
    """Count a list of tools, whole and by parts.

    Raises:
        BadInput: no tools at all, or an unknown encoding.
    """
    if not tools:
        raise BadInput("the list holds no tool", right="there is nothing to count")
    whole = tally((minified(tool_list(tools)),), encoding)
    pretty_tokens = tally((pretty(tool_list(tools)),), encoding).tokens
    denominator = Denominator("tool list", "minified", whole.tokens)
    shares = [
        PartShare(name, share(whole.tokens - _tokens(tool_list([remove(one) for one in tools]), encoding), denominator))
        for name, remove in PARTS.items()
    ]
    return ListCost(
        evidence=evidence,
        authority=authority(encoding),
        encoding=encoding,
        tools=len(tools),
        bytes=whole.bytes,
        tokens=whole.tokens,
        pretty_tokens=pretty_tokens,
        forwarded_tokens=_tokens(tool_list([_forwarded(tool) for tool in tools]), encoding),
        minifying=saving(Denominator("tool list", "pretty", pretty_tokens), whole.tokens),
        shares=shares,
    )


def by_tool(tools: Sequence[Tool], encoding: str) -> list[ToolCost]:
    """Each tool's cost, the dearest first."""
    return sorted((_tool_cost(tool, encoding) for tool in tools), key=lambda one: (-one.tokens, one.name))


def minified(value: Any) -> str:
    """As on the wire: no white space, raw UTF-8, members in the order in which they came."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pretty(value: Any) -> str:
    """Two spaces of indent, raw UTF-8, members in the order in which they came."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def saved(value: Any, where: str) -> list[Tool]:
    """The tools in a parsed JSON document: a list, an object with `tools`, a JSON-RPC response, or pages of either.

    Raises:
        BadInput: no tool list, or a tool without a name or an input schema.
    """
    tools = _found(value)
    if tools is not None and _goes_on(value):
        raise BadInput("the list is not complete: it names a next page", where=where, right="save every page")
    if tools is None:
        raise BadInput("no tool list", where=where, right='such as {"tools": [{"name": ..., "inputSchema": ...}]}')
    for number, tool in enumerate(tools, start=1):
        named = isinstance(tool, dict) and isinstance(tool.get("name"), str)
        if not named or not isinstance(tool.get("inputSchema"), dict):
            raise BadInput(f"tool {number} has no name or no input schema", where=where)
    return tools


def _found(value: Any) -> list[Tool] | None:
    if isinstance(value, dict):
        held = value.get("tools")
        if isinstance(held, list):
            return held
        return next((_found(value[member]) for member in _HOLDERS if member in value), None)
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(one, dict) and ("inputSchema" in one or "name" in one) for one in value):
        return value
    pages = [_found(page) for page in value]
    return None if None in pages else [tool for page in pages for tool in page or ()]


def _goes_on(value: Any) -> bool:
    """Whether the last page of a list names another."""
    while isinstance(value, list):
        value = value[-1] if value else None
    if not isinstance(value, dict):
        return False
    return bool(value.get("nextCursor")) or any(_goes_on(value[key]) for key in _HOLDERS if key in value)


def _tool_cost(tool: Tool, encoding: str) -> ToolCost:
    whole = _tokens(tool, encoding)
    return ToolCost(
        name=tool["name"],
        tokens=whole,
        pretty_tokens=tally((pretty(tool),), encoding).tokens,
        forwarded_tokens=_tokens(_forwarded(tool), encoding),
        parts={name: whole - _tokens(remove(tool), encoding) for name, remove in PARTS.items()},
    )


def _tokens(value: Any, encoding: str) -> int:
    return tally((minified(value),), encoding).tokens


def _forwarded(tool: Tool) -> Tool:
    return {key: tool[key] for key in _FORWARDED if key in tool}


def _bare(schema: Any) -> Any:
    """A JSON Schema without its descriptions; a property that is called `description` stays."""
    if isinstance(schema, list):
        return [_bare(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        key: {name: _bare(one) for name, one in value.items()}
        if key in _NAMED and isinstance(value, Mapping)
        else _bare(value)
        for key, value in schema.items()
        if key != "description" or not isinstance(value, str)
    }
