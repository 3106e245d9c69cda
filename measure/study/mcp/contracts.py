"""Constructed contracts beside the schema response that they were made of, each written in both serializations.

The comparison holds the serialization equal on both sides. The published one did not: it set a pretty tool list
against a minified schema response, and its sign is that of the mismatch. Nor do the two say the same: a schema response
also teaches the grammar of queries and the form of answers, and a tool list declares how to choose fields and format.
So each list is set against the whole response, and against its descriptions alone.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from measure import values
from measure.mcp.contract import PROFILES, Operation, tool_list, tools
from measure.mcp.layer import FIELDS, FORMAT, SERVED, operations, query_operation, schema_response
from measure.mcp.listing import minified, pretty
from measure.query import Dataset
from measure.query.operations import OPERATIONS
from measure.scenario import Scenario
from measure.session_texts import QUERY_TOOL
from measure.tokens import tally

ORDERED = {"minified": minified, "pretty": pretty}  # a tool list, its members as they are sent
SORTED = {"minified": values.minified, "pretty": values.pretty}  # a schema response, as the layer answers it
ANY_REVISION = "2025-11-25, 2026-07-28"  # a list of tools alone is the same in both
TOOL_LIST, SCHEMA_RESPONSE, DESCRIPTIONS = "tool list", "schema response", "its descriptions"
LESSONS = ("grammar", "answers", "example", "examples")  # what a schema response teaches, and a tool list does not


class ContractCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text of a contract: its tool list in one profile, or its schema response, in one serialization."""

    evidence: Literal["constructed"]
    contract: str
    text: str
    profile: str
    revision: str
    serialization: str
    encoding: str
    tools: int
    bytes: int
    tokens: int


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool list against the schema response of the same operations, or its descriptions, in one serialization."""

    evidence: Literal["constructed"]
    contract: str
    profile: str
    revision: str
    serialization: str
    encoding: str
    against: str
    tool_list_tokens: int
    other_tokens: int
    difference: int
    shorter: str


class ArgumentCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What declaring an argument adds to the tool list, over all the tools that take it; minified."""

    evidence: Literal["constructed"]
    argument: str
    tools: int
    revision: str
    serialization: str
    encoding: str
    without_tokens: int
    with_tokens: int
    added: int


class Contract(msgspec.Struct, frozen=True):
    """A contract as values: its schema response, and its tools by profile."""

    name: str
    schema: dict[str, Any]
    lists: dict[str, list[dict[str, Any]]]


def contracts(dataset: Dataset, plan: Scenario) -> list[Contract]:
    """The scenario (what our server serves), the example command-line tool, and the one tool that takes a query."""
    mutations = {
        one.name: {key: value for key, value in msgspec.to_builtins(one).items() if key != "name"}
        for one in plan.mutations
    }
    scenario = schema_response(dataset, SERVED)
    example = schema_response(dataset, OPERATIONS) | {"mutations": mutations}
    found = [
        Contract(name, schema, {profile: tools(operations(schema), dataset.types, profile) for profile in PROFILES})
        for name, schema in (("scenario", scenario), ("example CLI", example))
    ]
    one_tool = tools([query_operation()], dataset.types, "minimal")
    return [*found, Contract(QUERY_TOOL, schema_response(dataset, OPERATIONS), {"minimal": one_tool})]


def counted(made: Sequence[Contract], encodings: Sequence[str]) -> list[ContractCount]:
    """Every text of every contract in every serialization and encoding."""
    return [
        _count(contract.name, text, profile, value, serialization, encoding)
        for encoding in encodings
        for contract in made
        for text, profile, value in _texts(contract)
        for serialization in ORDERED
    ]


def compared(counts: Sequence[ContractCount]) -> list[Comparison]:
    """Each tool list against both forms of its schema response in the same serialization.

    The one query tool is compared with nothing: without the schema response it cannot be used.
    """
    others = {(one.contract, one.text, one.serialization, one.encoding): one.tokens for one in counts}
    return [
        _comparison(one, against, others[one.contract, against, one.serialization, one.encoding])
        for one in counts
        for against in (SCHEMA_RESPONSE, DESCRIPTIONS)
        if one.text == TOOL_LIST and one.contract != QUERY_TOOL
    ]


def shorter(tool_list_tokens: int, other_tokens: int, against: str) -> str:
    """Which of the two is shorter, in words.

    >>> shorter(471, 535, "schema response"), shorter(676, 535, "schema response"), shorter(5, 5, "schema response")
    ('tool list', 'schema response', 'neither')
    """
    if tool_list_tokens == other_tokens:
        return "neither"
    return TOOL_LIST if tool_list_tokens < other_tokens else against


def descriptions(schema: Any) -> Any:
    """A schema response without what it teaches, at every depth: the operations, their parameters, the fields."""
    if isinstance(schema, dict):
        return {key: descriptions(value) for key, value in schema.items() if key not in LESSONS}
    return [descriptions(one) for one in schema] if isinstance(schema, list) else schema


def arguments(dataset: Dataset, encodings: Sequence[str]) -> Iterator[ArgumentCost]:
    """What `fields`, and then `format`, add to the scenario's list."""
    schema = schema_response(dataset)
    steps = [((FIELDS, FORMAT), (FORMAT,), FIELDS), ((FORMAT,), (), FORMAT)]
    for encoding in encodings:
        for without, then, name in steps:
            before, after = (operations(schema, left_out) for left_out in (without, then))
            tokens = [
                tally((minified(tool_list(tools(one, dataset.types, "minimal"))),), encoding).tokens
                for one in (before, after)
            ]
            taking = sum(_takes(one, name) for one in after)
            place = ANY_REVISION, "minified", encoding
            yield ArgumentCost("constructed", name, taking, *place, tokens[0], tokens[1], tokens[1] - tokens[0])


def _takes(operation: Operation, argument: str) -> bool:
    return argument in {parameter.name for parameter in operation.parameters}


def _texts(contract: Contract) -> Iterator[tuple[str, str, Any]]:
    for profile, listed in contract.lists.items():
        yield TOOL_LIST, profile, tool_list(listed)
    yield SCHEMA_RESPONSE, "", contract.schema
    yield DESCRIPTIONS, "", descriptions(contract.schema)


def _count(contract: str, text: str, profile: str, value: Any, serialization: str, encoding: str) -> ContractCount:
    write = (ORDERED if text == TOOL_LIST else SORTED)[serialization]
    size = tally((write(value),), encoding)
    tools_in = len(value["tools"]) if text == TOOL_LIST else 0
    return ContractCount(
        evidence="constructed",
        contract=contract,
        text=text,
        profile=profile,
        revision=ANY_REVISION if text == TOOL_LIST else "",
        serialization=serialization,
        encoding=encoding,
        tools=tools_in,
        bytes=size.bytes,
        tokens=size.tokens,
    )


def _comparison(one: ContractCount, against: str, other: int) -> Comparison:
    return Comparison(
        evidence="constructed",
        contract=one.contract,
        profile=one.profile,
        revision=one.revision,
        serialization=one.serialization,
        encoding=one.encoding,
        against=against,
        tool_list_tokens=one.tokens,
        other_tokens=other,
        difference=one.tokens - other,
        shorter=shorter(one.tokens, other, against),
    )
