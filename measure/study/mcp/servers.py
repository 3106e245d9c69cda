"""Experiment: contracts of public servers, as counts. Their texts are their authors' and no part of the project.

`fixtures/mcp/servers.toml` says which package in which version, and how it was started. Whose capture is at hand is
counted anew; of the others the recorded counts are kept. A folk figure, "an MCP server costs 2,000 to 3,000 tokens",
is set against the servers that its own denominator allows: those of 10 to 15 operations.
"""

import json
import tomllib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec

from measure import results
from measure.errors import BadInput
from measure.mcp.contract import tool_list
from measure.mcp.listing import ListCost, PartShare, cost, minified, saved
from measure.quantities import Saving
from measure.scenario import CAPTURES, Files, content, scenario
from measure.study.experiment import Experiment, Inputs
from measure.study.manifest import unchanged
from measure.study.published import FolkFigure, published

SERVERS = f"{CAPTURES}/servers.toml"


class Started(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a server was started. `environment` holds dummies; nothing secret was ever needed."""

    name: str
    package: str
    version: str
    registry: Literal["pypi", "npm"]
    licence: str
    command: list[str]
    environment: dict[str, str] = {}
    note: str = ""


class ServerCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One server's contract, counted in one encoding: `tokens` minified, `pretty_tokens` pretty.

    `revision` is the one that it was listed in, `list_sha256` the hash of its minified list of tools.
    """

    evidence: Literal["captured"]
    name: str
    package: str
    version: str
    note: str
    revision: str
    encoding: str
    tools: int
    list_sha256: str
    bytes: int
    tokens: int
    pretty_tokens: int
    forwarded_tokens: int
    minifying: Saving
    shares: list[PartShare]


class FolkVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A folk figure against the captured servers: those with as many operations as it is said of, and all others."""

    evidence: Literal["published"]
    figure: FolkFigure
    encoding: str
    serialization: str
    servers_meant: list[str]
    inside: list[str]
    below: list[str]
    above: list[str]
    other_servers: int
    other_servers_inside: int


class McpServers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every server in every encoding, and what is left of the folk figure."""

    evidence: Literal["captured"]
    servers: list[ServerCount]
    folk: list[FolkVerdict]


def run(inputs: Inputs) -> McpServers | None:
    """Count every list at hand; None where none is."""
    if inputs.elsewhere.servers is None:
        return None
    encodings = scenario(inputs.files).encodings
    counts = [one for started in servers(inputs.files) for one in _counts(started, inputs, encodings)]
    counts.sort(key=lambda one: encodings.index(one.encoding))
    return McpServers("captured", counts, list(folk(counts)))


def at_hand(files: Files, given: Files) -> str:
    """How many of the servers `given` holds captures of, in a line.

    Raises:
        BadInput: of none, so that it cannot be the folder that was meant.
    """
    names = [f"{started.name}.json" for started in servers(files)]
    again = [name for name in names if name in given]
    others = [name for name in given if name not in names]
    if not again:
        raise BadInput(f"no capture of a server in {SERVERS}", where="--captures", right=f"such as {names[0]}")
    ignored = f"; not in {SERVERS}: {', '.join(others)}" if others else ""
    return f"mcp_servers: {len(again)} of {len(names)} lists counted again, the others kept{ignored}"


def servers(files: Files) -> list[Started]:
    """The servers and how each was started.

    Raises:
        BadInput: the file is missing, or not what `Started` describes.
    """
    try:
        held = tomllib.loads(content(files, SERVERS).decode())
        return msgspec.convert(held.get("servers", []), list[Started])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(str(error), where=SERVERS) from None


def folk(counts: Sequence[ServerCount]) -> Iterator[FolkVerdict]:
    """The folk figure in each encoding and serialization."""
    figure = published().folk_contract
    for encoding in dict.fromkeys(one.encoding for one in counts):
        for serialization in ("minified", "pretty"):
            tokens = {
                one.name: (one.tools, one.tokens if serialization == "minified" else one.pretty_tokens)
                for one in counts
                if one.encoding == encoding
            }
            meant = {name: size for name, (tools, size) in tokens.items() if figure.least <= tools <= figure.most}
            others = [size for name, (_, size) in tokens.items() if name not in meant]
            yield FolkVerdict(
                evidence="published",
                figure=figure,
                encoding=encoding,
                serialization=serialization,
                servers_meant=list(meant),
                inside=[name for name, size in meant.items() if figure.low <= size <= figure.high],
                below=[name for name, size in meant.items() if size < figure.low],
                above=[name for name, size in meant.items() if size > figure.high],
                other_servers=len(others),
                other_servers_inside=sum(figure.low <= size <= figure.high for size in others),
            )


def _counts(started: Started, inputs: Inputs, encodings: Sequence[str]) -> Iterator[ServerCount]:
    captured = (inputs.elsewhere.servers or {}).get(f"{started.name}.json")
    if captured is None:
        yield from _kept(started, inputs.files, encodings)
        return
    where = f"{started.name}.json"
    session = _parsed(captured, where)
    tools = saved(session, where)
    hashed = sha256(minified(tool_list(tools)).encode()).hexdigest()
    for encoding in encodings:
        yield _count(started, _revision(session, where), cost(tools, encoding, "captured"), hashed)


def _kept(started: Started, files: Files, encodings: Sequence[str]) -> list[ServerCount]:
    unchanged(files, results.path(MCP_SERVERS.name), "its capture")
    recorded = results.table(files, MCP_SERVERS.name, McpServers)
    kept = [
        one for one in recorded.servers if (one.name, one.package, one.version) == (started.name, *_package(started))
    ]
    if [one.encoding for one in kept] != list(encodings):
        raise BadInput(f"{started.name} is not recorded, and its capture is not here", where=SERVERS)
    return [msgspec.structs.replace(one, note=started.note) for one in kept]


def _package(started: Started) -> tuple[str, str]:
    return started.package, started.version


def _parsed(data: bytes, where: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("not JSON", where=where) from None


def _revision(session: Any, where: str) -> str:
    """The revision that the server answered `initialize` with."""
    try:
        return str(session["initialize"]["result"]["protocolVersion"])
    except (KeyError, TypeError):
        raise BadInput("no answer to initialize", where=where, right="the session's handshake is needed") from None


def _count(started: Started, revision: str, counted: ListCost, hashed: str) -> ServerCount:
    return ServerCount(
        evidence="captured",
        name=started.name,
        package=started.package,
        version=started.version,
        note=started.note,
        revision=revision,
        encoding=counted.encoding,
        tools=counted.tools,
        list_sha256=hashed,
        bytes=counted.bytes,
        tokens=counted.tokens,
        pretty_tokens=counted.pretty_tokens,
        forwarded_tokens=counted.forwarded_tokens,
        minifying=counted.minifying,
        shares=counted.shares,
    )


MCP_SERVERS = Experiment("mcp_servers", McpServers, run, ("a folder of captured tool lists", "--captures DIR"))
