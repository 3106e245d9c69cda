"""The same three tools as the SDK's decorator writes them, one switch at a time: what the SDK adds by itself.

`python -m measure.mcp.variants NAME FILE [SETTINGS]` serves the rows of FILE so; SETTINGS are the layer's, as JSON.
Only captures are made of these servers; the one to use is `measure.mcp.server`. `VARIANTS` is the registry: what a
handler returns, whether the SDK makes structured content of it, and how an argument that may be left out is declared.
Arguments are those of `measure.mcp.layer` without filters, which a decorated function would have to name one by one.
"""

import json
import sys
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from mcp.server import MCPServer
from mcp_types import CallToolResult, Tool

from measure import reading
from measure.mcp.captures import OWN, QUERY_TOOL
from measure.mcp.layer import call
from measure.mcp.protocol import IDENTITY
from measure.mcp.server import serve, server
from measure.query import Dataset
from measure.query.dataset import Settings

Output = Literal["json", "pretty", "compact"]
Rows = list[dict[str, Any]]
Names = list[str]


class Variant(msgspec.Struct, frozen=True):
    """How the handlers are written.

    `returns` is "text" (the payload, written by the layer), "rows" (a list of records), "object" (the same list as a
    member), or "result" (a result object whose structured content alone holds the records). `structured` leaves the
    SDK's default on; `nulls` declares optional arguments as "or null"; `titles` keeps what the generator adds.
    """

    name: str
    returns: str
    structured: bool = False
    nulls: bool = True
    titles: bool = True


VARIANTS = {
    one.name: one
    for one in (
        Variant("text", "text"),
        Variant("text, SDK default", "text", structured=True),
        Variant("text, no null unions", "text", nulls=False),
        Variant("text, no titles", "text", titles=False),
        Variant("text, neither", "text", nulls=False, titles=False),
        Variant("object", "object"),
        Variant("object, SDK default", "object", structured=True),
        Variant("rows", "rows"),
        Variant("rows, SDK default", "rows", structured=True),
        Variant("structured only", "result"),
    )
}


class Untitled(MCPServer[Any]):
    """The same server, its list cleared of the titles that the generator wrote."""

    async def list_tools(self) -> list[Tool]:
        """The tools without titles."""
        return [Tool.model_validate(_untitled(tool.model_dump(by_alias=True))) for tool in await super().list_tools()]


def variant(dataset: Dataset, made: Variant) -> MCPServer[Any]:
    """The server of this variant over these records."""
    build = MCPServer[Any] if made.titles else Untitled
    app = build(IDENTITY.name, version=IDENTITY.version)
    answer = _answering(dataset, made.returns)
    returned = {"text": str, "rows": Rows, "object": dict[str, Rows], "result": CallToolResult}[made.returns]
    for handler in (_with_nulls if made.nulls else _with_defaults)(answer):
        handler.__annotations__["return"] = returned
        app.add_tool(handler, structured_output=None if made.structured or made.returns == "result" else False)

    def schema() -> str:
        """What the fields are, and how to ask."""
        return call(dataset, "schema", {})[0]

    app.add_tool(schema, structured_output=None if made.structured else False)
    return app


Answering = Callable[[str, dict[str, Any]], Any]


def _answering(dataset: Dataset, returns: str) -> Answering:
    def answer(name: str, arguments: dict[str, Any]) -> Any:
        asked = {key: value for key, value in arguments.items() if value not in (None, [], 0)}
        if returns == "text":
            return call(dataset, name, asked)[0]
        records = json.loads(call(dataset, name, {**asked, "format": "json"})[0])
        records = records if isinstance(records, list) else [records]
        if returns == "rows":
            return records
        held = {"rows": records}
        return held if returns == "object" else CallToolResult(content=[], structured_content=held)

    return answer


def _with_nulls(answer: Answering) -> list[Callable[..., Any]]:
    """Handlers whose optional arguments are "or null", as most are written."""

    def list(fields: Names | None = None, format: Output = "compact", skip: int = 0, take: int | None = None) -> Any:
        """Records that match every filter, sorted, and a part of them where asked."""
        return answer("list", {"fields": fields, "format": format, "skip": skip, "take": take})

    def get(id: str, fields: Names | None = None, format: Output = "compact") -> Any:
        """One record by its identifier."""
        return answer("get", {"id": id, "fields": fields, "format": format})

    return [list, get]


def _with_defaults(answer: Answering) -> list[Callable[..., Any]]:
    """The same with a default of the argument's own type: an empty list, nothing to take."""

    def list(
        fields: Names = [],
        format: Output = "compact",
        skip: int = 0,
        take: int = 0,
    ) -> Any:
        """Records that match every filter, sorted, and a part of them where asked."""
        return answer("list", {"fields": fields, "format": format, "skip": skip, "take": take})

    def get(id: str, fields: Names = [], format: Output = "compact") -> Any:
        """One record by its identifier."""
        return answer("get", {"id": id, "fields": fields, "format": format})

    return [list, get]


def _untitled(schema: Any) -> Any:
    """`schema` without the member `title` wherever it is the generator's, which is everywhere."""
    if isinstance(schema, dict):
        return {key: _untitled(value) for key, value in schema.items() if key != "title" or not isinstance(value, str)}
    return [_untitled(one) for one in schema] if isinstance(schema, list) else schema


def main(name: str, file: str, settings: str = "{}") -> None:
    """Serve the rows of `file` as the variant `name`, or as our own server does."""
    dataset = Dataset.of(reading.load(file), msgspec.json.decode(settings, type=Settings))
    if name in (OWN, QUERY_TOOL):
        serve(server(dataset, one_tool=name == QUERY_TOOL))
    else:
        variant(dataset, VARIANTS[name]).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
