"""What was captured on the wire: tokens of each request and response, and what each switch of the SDK adds to them."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from measure.mcp.captures import Exchange
from measure.quantities import Denominator, Saving, saving
from measure.scenario import Files, Scenario
from measure.study.mcp.recorded import exchanges, payloads, serialization
from measure.tokens import remembered


class WireCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request and its response as captured. `added` is the response minus the payload, null where there is none.

    The payload is what the layer writes for the same rung: a server that is given records writes them its own way.
    """

    evidence: Literal["captured"]
    server: str
    revision: str
    rows: int
    call: str
    serialization: str
    encoding: str
    request_tokens: int
    response_tokens: int
    payload_tokens: int | None
    added: int | None


class SwitchCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One addition of the SDK, on and off, in one response. `saving` is what switching it off saves of the response.

    A line of the wire is minified JSON; what stands in its texts may be written otherwise.
    """

    evidence: Literal["captured"]
    switch: str
    call: str
    rows: int
    revision: str
    serialization: Literal["minified"]
    encoding: str
    on_server: str
    off_server: str
    on_tokens: int
    off_tokens: int
    saving: Saving


class Switch(msgspec.Struct, frozen=True):
    """A row of the registry: two servers that differ in how a handler is written, and the responses to compare.

    A handler that returns an object for its text has it written pretty, and under a name; one that returns rows has a
    text block written for each.
    """

    name: str
    on: str
    off: str
    calls: tuple[str, ...]


TOOLS = "tools/list"
SWITCHES = (
    Switch("titles", "text", "text, no titles", (TOOLS,)),
    Switch("null unions", "text", "text, no null unions", (TOOLS,)),
    Switch("titles and null unions", "text", "text, neither", (TOOLS,)),
    Switch("structured content, text", "text, SDK default", "text", (TOOLS, "L3", "L4")),
    Switch("structured content, object", "object, SDK default", "object", (TOOLS, "L3")),
    Switch("structured content, rows", "rows, SDK default", "rows", (TOOLS, "L3")),
    Switch("an object for its text", "object", "text", ("L3", "L1")),
    Switch("rows for an object", "rows", "object", ("L3", "L1")),
    Switch("text beside structured", "object, SDK default", "structured only", ("L3", "L1")),
)


def wires(files: Files, plan: Scenario) -> Iterator[WireCount]:
    """Every request and response of every capture, in every encoding."""
    found = exchanges(files)
    texts = payloads(files, plan, {one.capture.rows for one in found})
    for encoding in plan.encodings:
        for one in found:
            payload = texts.get((one.call, one.capture.rows))
            yield _wire(one, payload, encoding)


def switches(counts: Sequence[WireCount]) -> Iterator[SwitchCost]:
    """Each switch on and off, wherever both were captured."""
    held = {(one.server, one.call, one.rows, one.revision, one.encoding): one.response_tokens for one in counts}
    for switch in SWITCHES:
        for server, call, rows, revision, encoding in held:
            off = (switch.off, call, rows, revision, encoding)
            if server == switch.on and call in switch.calls and off in held:
                on_tokens = held[server, call, rows, revision, encoding]
                whole = Denominator(f"response to {call}, {server}", "minified", on_tokens)
                yield SwitchCost(
                    evidence="captured",
                    switch=switch.name,
                    call=call,
                    rows=rows,
                    revision=revision,
                    serialization="minified",
                    encoding=encoding,
                    on_server=server,
                    off_server=switch.off,
                    on_tokens=on_tokens,
                    off_tokens=held[off],
                    saving=saving(whole, held[off]),
                )


def _wire(one: Exchange, payload: str | None, encoding: str) -> WireCount:
    response = remembered(one.response, encoding)
    tokens = None if payload is None else remembered(payload, encoding)
    return WireCount(
        evidence="captured",
        server=one.capture.server,
        revision=one.capture.revision,
        rows=one.capture.rows,
        call=one.call,
        serialization=serialization(one.call),
        encoding=encoding,
        request_tokens=remembered(one.request, encoding),
        response_tokens=response,
        payload_tokens=tokens,
        added=None if tokens is None else response - tokens,
    )
