"""Constructed contracts: the tool list that a schema response would be, were it published over MCP.

Both sides then offer the same operations, parameters and descriptions, so that only the form differs. A profile says
how much of a tool is published: `minimal` is name, description and input schema, `structured` adds an output schema
to each tool that gives records. A contract made here is `constructed`; what a server really sends is `captured`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from measure.values import Value

PROFILES = ("minimal", "structured")
JSON_TYPES = ("string", "integer", "number", "boolean", "null", "array", "object")

Schema = dict[str, Any]


class Parameter(msgspec.Struct, frozen=True):
    """An argument of an operation; `schema` is its JSON Schema."""

    name: str
    schema: Schema
    required: bool = False


class Operation(msgspec.Struct, frozen=True):
    """What becomes one tool. `gives` says what a call answers with: records, one record, or anything else."""

    name: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    gives: str = ""  # "records", "record", ""
    hints: Mapping[str, bool] = {}


class Style(msgspec.Struct, frozen=True):
    """How a contract is written, beyond its profile.

    `titled` repeats the description as a title, `prefix` stands before each name; `rows` and `total` are what the
    output of a list calls its rows, and says of their number.
    """

    titled: bool = False
    prefix: str = ""
    rows: str = "rows"
    total: str = "how many match"


OURS = Style()


def tools(
    operations: Iterable[Operation], fields: Mapping[str, str], profile: str, style: Style = OURS
) -> list[Schema]:
    """The tools of these operations over records with these fields (by their types).

    >>> [tool] = tools([Operation("get", "One record.", gives="record")], {"id": "string"}, "minimal")
    >>> tool
    {'name': 'get', 'description': 'One record.', 'inputSchema': {'type': 'object', 'properties': {}}}
    """
    return [_tool(operation, fields, profile, style) for operation in operations]


def tool_list(tools: Sequence[Schema]) -> Schema:
    """The list as its counts are taken: an object with the tools alone, without what a revision wraps round it."""
    return {"tools": list(tools)}


def _tool(operation: Operation, fields: Mapping[str, str], profile: str, style: Style) -> Schema:
    tool: Schema = {"name": style.prefix + operation.name}
    if style.titled:
        tool["title"] = operation.description or operation.name
    tool["description"] = operation.description
    tool["inputSchema"] = input_schema(operation.parameters)
    if profile == "structured" and operation.gives:
        tool["outputSchema"] = _output_schema(operation.gives, fields, style)
    if operation.hints:
        tool["annotations"] = dict(operation.hints)
    return tool


def input_schema(parameters: Sequence[Parameter]) -> Schema:
    """The JSON Schema of a call's arguments."""
    properties = {one.name: dict(one.schema) for one in parameters}
    required = sorted(one.name for one in parameters if one.required)
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def _output_schema(gives: str, fields: Mapping[str, str], style: Style) -> Schema:
    record = {"type": "object", "properties": {name: {"type": json_type(kind)} for name, kind in fields.items()}}
    if gives == "record":
        return record
    total = {"type": "integer", "description": style.total}
    properties = {style.rows: {"type": "array", "items": record}, "total": total}
    return {"type": "object", "properties": properties, "required": [style.rows]}


def json_type(kind: str) -> Value:
    """A type as our schema response writes it ("string or null"), as JSON Schema does.

    >>> json_type("string or null"), json_type("integer")
    (['string', 'null'], 'integer')
    """
    kinds: list[Value] = [one for one in kind.split(" or ") if one in JSON_TYPES]
    return kinds[0] if len(kinds) == 1 else kinds or "string"
