"""The original study's constructed MCP contract, made again from its schema responses; and what it was compared with.

Its four published counts are of pretty-printed tool lists, set against minified schema responses. `held_equal` writes
both sides in the same serialization, once in each.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from measure.mcp.contract import Operation, Parameter, Schema, Style, tool_list, tools
from measure.mcp.protocol import line
from measure.study.mcp.contracts import shorter
from measure.study.published import ContractTexts, Published, PublishedToolList

_TYPES = {"string": "string", "int": "integer", "bool": "boolean"}
_GIVES = {"list": "records", "get": "record"}


class HeldEqual(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool list against a schema response, both in one serialization; and the published difference, of two."""

    evidence: Literal["constructed"]
    contract: str
    profile: str
    serialization: str
    encoding: str
    tool_list_tokens: int
    schema_response_tokens: int
    difference: int
    shorter: str
    published_difference: int


def texts(schema: Mapping[str, Any], one: PublishedToolList, wording: ContractTexts) -> dict[str, str]:
    """The tool list of this contract as the original wrote it, pretty; and the same minified."""
    style = Style(titled=True, prefix=one.prefix, rows="records", total=wording.total)
    fields = dict.fromkeys(schema["fields"], "string")
    made = tools(_operations(schema, wording.projection), fields, one.profile, style)
    response = {"jsonrpc": "2.0", "id": 1, "result": tool_list(made)}
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
    """Each published tool list against its schema response in the same serialization; where the files are there."""
    for one in facts.tool_lists:
        if one.file not in files:
            continue
        schema = json.loads(files[one.file])
        minified = tokens(files[one.file])  # as it stands in the original's file
        lists = texts(schema, one, facts.contract_texts)
        schemas = {"minified": minified, "pretty": tokens(json.dumps(schema, ensure_ascii=False, indent=2))}
        for serialization in ("minified", "pretty"):
            listed = tokens(lists[serialization])
            yield HeldEqual(
                evidence="constructed",
                contract=one.contract,
                profile=one.profile,
                serialization=serialization,
                encoding=facts.source.encoding,
                tool_list_tokens=listed,
                schema_response_tokens=schemas[serialization],
                difference=listed - schemas[serialization],
                shorter=shorter(listed, schemas[serialization]),
                published_difference=one.pretty - minified,
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
