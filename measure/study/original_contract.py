"""The original study's constructed MCP contract, made again from its schema responses; and what it was compared with.

Its four published counts are of pretty-printed tool lists in their JSON-RPC response, set against minified schema
responses. `held_equal` writes both sides in the same serialization, once in each: the tools alone, raw UTF-8; against
the whole response, and against its descriptions alone.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from measure.mcp.contract import Operation, Parameter, Schema, Style, tool_list, tools
from measure.mcp.protocol import line
from measure.study.mcp.contracts import DESCRIPTIONS, ORDERED, SCHEMA_RESPONSE, descriptions, shorter
from measure.study.published import ContractTexts, Published, PublishedToolList

_TYPES = {"string": "string", "int": "integer", "bool": "boolean"}
_GIVES = {"list": "records", "get": "record"}


class HeldEqual(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool list against a schema response, or its descriptions, written alike; and the published difference."""

    evidence: Literal["constructed"]
    contract: str
    profile: str
    serialization: str
    encoding: str
    against: str
    tool_list_tokens: int
    other_tokens: int
    difference: int
    shorter: str
    published_difference: int


def listed(schema: Mapping[str, Any], one: PublishedToolList, wording: ContractTexts) -> Schema:
    """The tool list of this contract, tools alone."""
    style = Style(titled=True, prefix=one.prefix, rows="records", total=wording.total)
    fields = dict.fromkeys(schema["fields"], "string")
    return tool_list(tools(_operations(schema, wording.projection), fields, one.profile, style))


def texts(schema: Mapping[str, Any], one: PublishedToolList, wording: ContractTexts) -> dict[str, str]:
    """The response to `tools/list` as the original wrote it, pretty; and the same minified."""
    response = {"jsonrpc": "2.0", "id": 1, "result": listed(schema, one, wording)}
    return {"pretty": json.dumps(response, indent=2) + "\n", "minified": line(response)}


def request(fields: Sequence[str]) -> str:
    """The original's request of `tools/call`."""
    params = {"name": "tasks_list", "arguments": {"fields": list(fields)}}
    return line({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})


def result(text: str) -> str:
    """The original's result around a payload, its ASCII escapes included."""
    content = [{"type": "text", "text": text}]
    response = {"jsonrpc": "2.0", "id": 2, "result": {"content": content, "isError": False}}
    return json.dumps(response, separators=(",", ":"))


def held_equal(files: Mapping[str, str], facts: Published, tokens: Callable[[str], int]) -> Iterator[HeldEqual]:
    """Each published tool list against both forms of its schema response, written alike; where the files are there."""
    for one in facts.tool_lists:
        if one.file not in files:
            continue
        schema = json.loads(files[one.file])
        tool_list = listed(schema, one, facts.contract_texts)
        published = one.pretty - tokens(files[one.file])
        for serialization, write in ORDERED.items():
            for against, other in ((SCHEMA_RESPONSE, schema), (DESCRIPTIONS, descriptions(schema))):
                sides = tokens(write(tool_list)), tokens(write(other))
                yield HeldEqual(
                    evidence="constructed",
                    contract=one.contract,
                    profile=one.profile,
                    serialization=serialization,
                    encoding=facts.source.encoding,
                    against=against,
                    tool_list_tokens=sides[0],
                    other_tokens=sides[1],
                    difference=sides[0] - sides[1],
                    shorter=shorter(*sides, against),
                    published_difference=published,
                )


def _operations(schema: Mapping[str, Any], projection: str) -> Iterator[Operation]:
    words = [*schema["fields"], *sorted(schema.get("presets", {}))]
    fields = Parameter(
        "fields", {"type": "array", "items": {"type": "string", "enum": words}, "description": projection}
    )
    for name in sorted(schema["operations"]):
        described = schema["operationMetadata"].get(name, {})
        parameters = [*_parameters(described), *([fields] if name in _GIVES else [])]
        yield Operation(name, described.get("description", ""), tuple(parameters), _GIVES.get(name, ""))
    for name, described in sorted(schema.get("mutationMetadata", {}).items()):
        hints = {f"{hint}Hint": described[hint] for hint in ("destructive", "idempotent")}
        yield Operation(name, described["description"], tuple(_parameters(described)), hints=hints)


def _parameters(described: Mapping[str, Any]) -> Iterator[Parameter]:
    for one in described.get("parameters", ()):
        schema: Schema = {"type": _TYPES.get(one["type"], "string"), "description": one["description"]}
        schema |= {key: one[key] for key in ("default", "enum") if one.get(key) is not None}
        yield Parameter(one["name"], schema, one.get("required") is True or one.get("optional") is False)
