"""Our server: the query layer over stdio, to any MCP client. `measure mcp serve FILE` runs it.

It is written on the SDK's low-level server, with the schemas of `measure.mcp.layer`: the high-level one generates
schemas with titles and null unions and, unless told otherwise, sends every answer twice. What that costs is measured
on `measure.mcp.variants`. The name and version are short because a stateless revision repeats them in every result.
"""

import os
import signal
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

from measure.mcp.layer import call, served
from measure.mcp.protocol import IDENTITY, Identity
from measure.query import Dataset


def server(dataset: Dataset, one_tool: bool = False, identity: Identity = IDENTITY) -> Server[Any]:
    """The server over these records: `list`, `get` and `schema`; or `query` alone."""
    listed = [Tool.model_validate(tool) for tool in served(dataset, one_tool)]

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=listed)

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in {tool.name for tool in listed}:
            text, failed = f"no tool {params.name!r}; known: {', '.join(tool.name for tool in listed)}", True
        else:
            text, failed = call(dataset, params.name, params.arguments or {})
        return CallToolResult(content=[TextContent(type="text", text=text)], is_error=failed)

    return Server(identity.name, version=identity.version, on_list_tools=list_tools, on_call_tool=call_tool)


def serve(made: Server[Any]) -> None:
    """Run it on standard input and output until the client goes."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # a thread that reads standard input hears of no interrupt

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing):
            await made.run(incoming, outgoing, made.create_initialization_options())

    anyio.run(run)
