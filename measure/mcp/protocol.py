"""JSON-RPC lines as the official Python SDK writes them, a revision a row; nothing here is sent.

What is constructed here is compared byte for byte with what was captured, so that a payload of any size can be put
into an envelope without a server. Sources: the schemas of the revisions, and the captures in `fixtures/mcp/`.
"""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from measure.errors import BadInput
from measure.mcp.listing import minified

Message = dict[str, Any]

_META = "io.modelcontextprotocol"


class Revision(msgspec.Struct, frozen=True):
    """A released revision of the protocol.

    In a `stateless` one there is no handshake: every request says who asks, and every result who answers.
    """

    name: str
    stateless: bool


REVISIONS = {one.name: one for one in (Revision("2025-11-25", False), Revision("2026-07-28", True))}
LATEST = "2026-07-28"


class Identity(msgspec.Struct, frozen=True):
    """Who speaks: a name and a version."""

    name: str
    version: str


IDENTITY = Identity("records", "1")  # of our server; short, as a stateless revision repeats it in every result
CLIENT = Identity("mcp", "0.1.0")  # what the SDK's client calls itself


def line(message: Message) -> str:
    """A message as it stands on the wire: minified, raw UTF-8, members in order, without its line end."""
    return minified(message)


def request(revision: str, number: int, method: str, params: Message, client: Identity = CLIENT) -> Message:
    """A request with these parameters."""
    if REVISIONS[revision].stateless:
        meta = {
            f"{_META}/protocolVersion": revision,
            f"{_META}/clientInfo": msgspec.to_builtins(client),
            f"{_META}/clientCapabilities": {},
        }
        params = {**params, "_meta": meta}
    return {"jsonrpc": "2.0", "id": number, "method": method} | ({"params": params} if params else {})


def call(revision: str, number: int, tool: str, arguments: Mapping[str, Any]) -> Message:
    """A request of `tools/call`."""
    return request(revision, number, "tools/call", {"name": tool, "arguments": dict(arguments)})


def answered(revision: str, number: int, text: str, server: Identity) -> Message:
    """The response to `tools/call` whose result is one text."""
    result: Message = {"content": [{"text": text, "type": "text"}], "isError": False}
    if REVISIONS[revision].stateless:
        result |= {"resultType": "complete", "_meta": {f"{_META}/serverInfo": msgspec.to_builtins(server)}}
    return {"jsonrpc": "2.0", "id": number, "result": result}


def parsed(text: str, where: str) -> Message:
    """A line of the wire as a message.

    Raises:
        BadInput: no JSON object.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("not a line of JSON-RPC", where=where) from None
    if not isinstance(message, dict):
        raise BadInput("not a JSON-RPC message", where=where, right="an object is needed")
    return message
