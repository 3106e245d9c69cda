"""Experiment: what hosts make of the captured results. Wire tokens are not context tokens.

Two kinds of rows. Each captured result under each host policy: the policy is a rule, the result was captured. And what
host libraries, run offline against a model that only records, really gave that model: captured, with their versions,
and compared byte for byte with the policies.
"""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from measure.errors import BadInput
from measure.mcp.captures import Exchange
from measure.mcp.hosts import POLICIES
from measure.mcp.protocol import LATEST
from measure.scenario import CAPTURES, Files, Scenario, content, scenario
from measure.study.experiment import Experiment, Inputs
from measure.study.mcp.recorded import OUTPUTS, exchanges, payloads, serialization
from measure.tokens import remembered

HOSTS = f"{CAPTURES}/hosts.json"


class PolicyCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a policy gives the model of one result, and how much more that is than the payload."""

    policy: str
    context_tokens: int
    added: int


class ContextCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One captured result of the newest revision, under every policy."""

    evidence: Literal["captured"]
    server: str
    revision: str
    rows: int
    call: str
    serialization: str
    encoding: str
    payload_tokens: int
    wire_tokens: int
    policies: list[PolicyCount]


class HostCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host library gave its model. `policies` are those that give the same bytes of the same result.

    `definitions_tokens` counts the tools as the host told its model of them, minified.
    """

    evidence: Literal["captured"]
    host: str
    version: str
    sdk: str
    server: str
    revision: str
    rows: int
    call: str
    serialization: str
    encoding: str
    payload_tokens: int
    context_tokens: int
    added: int
    policies: list[str]
    definitions_tokens: int


class McpHosts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Policies on captured results, and captured hosts."""

    policies: list[ContextCount]
    hosts: list[HostCount]


class HostCapture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/mcp/hosts.json`, one capture: the text that the model was given, and the tools it was told of."""

    host: str
    version: str
    sdk: str
    variant: str
    format: str
    rows: int
    revision: str
    text: str
    definitions: str


class HostCaptures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/mcp/hosts.json`, whole."""

    evidence: Literal["captured"]
    captures: list[HostCapture]


def run(inputs: Inputs) -> McpHosts:
    """Apply every policy to every captured result; count and compare what the hosts gave."""
    plan = scenario(inputs.files)
    found = [one for one in exchanges(inputs.files) if one.call in OUTPUTS]
    texts = payloads(inputs.files, plan, {one.capture.rows for one in found})
    latest = [one for one in found if one.capture.revision == LATEST]
    return McpHosts(list(_policies(latest, texts, plan)), list(_hosts(inputs.files, found, texts, plan)))


def host_captures(files: Files) -> list[HostCapture]:
    """What host libraries gave their models, as recorded.

    Raises:
        BadInput: the file is missing, or not what `HostCaptures` describes.
    """
    try:
        return msgspec.json.decode(content(files, HOSTS), type=HostCaptures).captures
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(str(error), where=HOSTS) from None


def call_of(capture: HostCapture) -> str:
    """The rung that a host's call asked for."""
    return {"json": "L3", "compact": "L4"}[capture.format]


def _policies(found: list[Exchange], texts: dict[tuple[str, int], str], plan: Scenario) -> Iterator[ContextCount]:
    for encoding in plan.encodings:
        for one in found:
            payload = remembered(texts[one.call, one.capture.rows], encoding)
            given = {name: remembered(policy(one.message["result"]), encoding) for name, policy in POLICIES.items()}
            yield ContextCount(
                evidence="captured",
                server=one.capture.server,
                revision=one.capture.revision,
                rows=one.capture.rows,
                call=one.call,
                serialization=serialization(one.call),
                encoding=encoding,
                payload_tokens=payload,
                wire_tokens=remembered(one.response, encoding),
                policies=[PolicyCount(name, tokens, tokens - payload) for name, tokens in given.items()],
            )


def _hosts(
    files: Files, found: list[Exchange], texts: dict[tuple[str, int], str], plan: Scenario
) -> Iterator[HostCount]:
    results: dict[tuple[str, str, str, int], Any] = {
        (one.capture.server, one.capture.revision, one.call, one.capture.rows): one.message["result"] for one in found
    }
    for encoding in plan.encodings:
        for capture in host_captures(files):
            call = call_of(capture)
            payload = remembered(texts[call, capture.rows], encoding)
            tokens = remembered(capture.text, encoding)
            result = results[capture.variant, capture.revision, call, capture.rows]
            same = [name for name, policy in POLICIES.items() if policy(result) == capture.text]
            yield HostCount(
                evidence="captured",
                host=capture.host,
                version=capture.version,
                sdk=capture.sdk,
                server=capture.variant,
                revision=capture.revision,
                rows=capture.rows,
                call=call,
                serialization=serialization(call),
                encoding=encoding,
                payload_tokens=payload,
                context_tokens=tokens,
                added=tokens - payload,
                policies=same,
                definitions_tokens=remembered(capture.definitions, encoding),
            )


MCP_HOSTS = Experiment("mcp_hosts", McpHosts, run)
