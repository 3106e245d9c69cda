"""Captures: sessions of our servers, recorded off the wire, as they lie in `fixtures/mcp/`.

`calls` is the registry of what a session asks: the rungs that the tool `list` gives, a record, the schema, and a call
that cannot be right. `PLAN` says which server is asked for what. A capture names the versions that it was made with,
because every one of them writes a part of the bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from measure.errors import BadInput
from measure.mcp.protocol import REVISIONS, Message, parsed

VERSIONED = ("mcp", "mcp-types", "pydantic")
OWN, QUERY_TOOL = "own server", "query tool"


def calls(projected: Sequence[str]) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """What a session may ask: a tool and its arguments, by the name of the call."""
    fields = list(projected)
    return {
        "L0": ("list", {"fields": ["full"], "format": "pretty"}),
        "L1": ("list", {"fields": ["full"], "format": "json"}),
        "L2": ("list", {"fields": fields, "format": "pretty"}),
        "L3": ("list", {"fields": fields, "format": "json"}),
        "L4": ("list", {"fields": fields, "format": "compact"}),
        "get": ("get", {"id": "TASK-0001"}),
        "schema": ("schema", {}),
        "bad argument": ("list", {"format": "xml"}),
        "query": ("query", {"q": f"list() {{ {' '.join(fields)} }}", "format": "compact"}),
        "query schema": ("query", {"q": "schema()", "format": "json"}),
    }


RUNGS = ("L0", "L1", "L2", "L3", "L4")
_WHOLE = (*RUNGS, "get", "schema", "bad argument")
WRITTEN = ("L1", "L3")  # rungs of which a handler that returns records knows: it has no format


class Planned(msgspec.Struct, frozen=True):
    """A session to be captured: the server, the revision, how many rows it holds, and the calls by their names."""

    server: str
    revision: str
    rows: int
    calls: tuple[str, ...]

    @property
    def file(self) -> str:
        """The name of the capture's file."""
        return f"{self.server.replace(', ', '-').replace(' ', '-').lower()}_{self.rows}_{self.revision}.json"


_TEXT = ("text", "text, SDK default", "text, no null unions", "text, no titles", "text, neither")
_RECORDS = ("object", "object, SDK default", "rows", "rows, SDK default", "structured only")
_LARGE = {"text": ("L1", "L3", "L4"), "text, SDK default": ("L1", "L3", "L4"), **dict.fromkeys(_RECORDS, WRITTEN)}
PLAN = (
    *(Planned(name, revision, 5, _WHOLE) for name in (OWN, "text") for revision in REVISIONS),
    *(Planned(QUERY_TOOL, revision, 5, ("query", "query schema")) for revision in REVISIONS),
    *(Planned(name, revision, 5, ("L3", "L4")) for name in _TEXT[1:] for revision in REVISIONS),
    *(Planned(name, revision, 5, WRITTEN) for name in _RECORDS for revision in REVISIONS),
    *(Planned(name, "2026-07-28", 100, calls) for name, calls in _LARGE.items()),
)


class Spoken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the wire, without its line end, and who said it."""

    direction: Literal["client", "server"]
    line: str


class Capture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One session, whole. `calls` names the calls of tools in the order in which they were made."""

    evidence: Literal["captured"]
    server: str
    revision: str
    rows: int
    versions: dict[str, str]
    calls: list[str]
    spoken: list[Spoken]

    def exchanges(self) -> list["Exchange"]:
        """Each request with its response, in order of asking.

        Raises:
            BadInput: a line is no JSON-RPC, a request was not answered, or there are other calls than are named.
        """
        where = f"{self.server}, {self.revision}"
        said = [(one, parsed(one.line, where)) for one in self.spoken]
        answers = {
            message["id"]: (one.line, message)
            for one, message in said
            if one.direction == "server" and ("result" in message or "error" in message)
        }
        names = iter(self.calls)
        found = []
        for one, message in said:
            if one.direction == "server" or "id" not in message:
                continue
            name = next(names, "") if message["method"] == "tools/call" else message["method"]
            if message["id"] not in answers or not name:
                raise BadInput(f"request {message['id']} has no answer or no name", where=where)
            found.append(Exchange(self, name, one.line, *answers[message["id"]]))
        if next(names, None):
            raise BadInput("a call is named that was not made", where=where)
        return found


class Exchange(NamedTuple):
    """A request and its response, as lines of the wire; `call` is the tool call's name, or the method."""

    capture: Capture
    call: str
    request: str
    response: str
    message: Message  # the response, parsed


class CaptureFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the captures' manifest says of one file."""

    file: str
    sha256: str


class CaptureManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/mcp/manifest.json`: the versions that all captures were made with, and their files."""

    evidence: Literal["captured"]
    versions: dict[str, str]
    files: list[CaptureFile]
