"""Tables of what others make of MCP: hosts of a tool result, public servers of their tool lists."""

from collections.abc import Iterator

from measure import results
from measure.mcp.listing import PartShare
from measure.report.ladder import by
from measure.report.table import Table, numeric
from measure.report.tool_list import PARTS
from measure.scenario import Files
from measure.study.mcp.contexts import McpHosts
from measure.study.mcp.servers import McpServers

_LETTERS = "ABCDE"  # of the host policies, in their order


def hosts(files: Files) -> Iterator[Table]:
    """Context tokens under each host policy, and what host libraries gave their models."""
    recorded = results.table(files, "mcp_hosts", McpHosts)
    for (encoding, rows), found in by(recorded.policies, lambda one: (one.encoding, one.rows)):
        names = [policy.policy for policy in found[0].policies]
        yield Table(
            f"Context tokens by host policy, {rows} rows · {encoding}",
            ("server", "call", "payload", "wire", *_LETTERS[: len(names)]),
            [
                (
                    one.server,
                    one.call,
                    f"{one.payload_tokens:,}",
                    f"{one.wire_tokens:,}",
                    *(f"{policy.context_tokens:,}" for policy in one.policies),
                )
                for one in found
            ],
            numeric(*range(2, 4 + len(names))),
            (
                _legend(names),
                f"results captured in revision {found[0].revision}, policies applied; 0: the model sees nothing",
                "wire tokens are not context tokens: no model reads a line of the wire",
            ),
        )
    names = [policy.policy for policy in recorded.policies[0].policies]
    for encoding, captured in by(recorded.hosts, lambda one: one.encoding):
        yield Table(
            f"What host libraries gave their model · {encoding} · captured",
            ("host", "server", "call", "context", "added", "tools", "as"),
            [
                (
                    f"{one.host} {one.version}",
                    one.server,
                    one.call,
                    str(one.context_tokens),
                    f"{one.added:+,}",
                    str(one.definitions_tokens),
                    "".join(_LETTERS[names.index(policy)] for policy in one.policies) or "-",
                )
                for one in captured
            ],
            numeric(3, 4, 5),
            (
                "; ".join(
                    f"{revision}: {', '.join(dict.fromkeys(one.host for one in same))}"
                    for revision, same in by(captured, lambda one: one.revision)
                ),
                f"{captured[0].rows} rows, mcp {captured[0].sdk}; added: context minus payload; tools: tokens of the"
                " three tools as the model was told of them; as: the policies that give the same bytes; -: none",
                _legend(names),
            ),
        )


def servers(files: Files) -> Iterator[Table]:
    """Contracts of public servers, and what is left of the folk figure."""
    recorded = results.table(files, "mcp_servers", McpServers)
    for encoding, rows in by(recorded.servers, lambda one: one.encoding):
        counted = sorted(rows, key=lambda one: (one.tokens, one.name))
        yield Table(
            f"Tool lists of public MCP servers · {encoding} · captured",
            ("server", "version", "tools", "minified", "pretty", "forwarded"),
            [
                (
                    one.name,
                    one.version,
                    str(one.tools),
                    *(f"{n:,}" for n in (one.tokens, one.pretty_tokens, one.forwarded_tokens)),
                )
                for one in counted
            ],
            numeric(2, 3, 4, 5),
            (
                "forwarded: name, description and input schema alone, minified",
                *(
                    f"revision {revision}: {', '.join(one.name for one in same)}"
                    for revision, same in by(counted, lambda one: one.revision)
                ),
                *(f"{one.name}: {one.note}" for one in counted if one.note),
            ),
        )
        yield Table(
            f"What removing a part saves, in percent of the minified list · {encoding}",
            ("server", *PARTS.values()),
            [(one.name, *(_display(one.shares, part) for part in PARTS)) for one in counted],
            numeric(*range(1, 1 + len(PARTS))),
            (
                "(params): the descriptions within the input schema, part of it; other: all but the name and the parts"
                " shown; the parts do not add up to 100 %, as names and brackets are in none",
            ),
        )
    figure = recorded.folk[0].figure
    yield Table(
        f'"{figure.low:,} to {figure.high:,} tokens", said of {figure.least} to {figure.most} operations',
        ("encoding", "written", "inside", "below", "above", "others", "of them inside"),
        [
            (
                one.encoding,
                one.serialization,
                *(str(len(names)) for names in (one.inside, one.below, one.above)),
                str(one.other_servers),
                str(one.other_servers_inside),
            )
            for one in recorded.folk
        ],
        numeric(2, 3, 4, 5, 6),
        (
            f"numbers of servers; published: {figure.source}; others: servers with fewer or more operations",
            *(
                f"{one.encoding}, {one.serialization}: "
                + "; ".join(
                    f"{side} {', '.join(names)}"
                    for side, names in (("inside", one.inside), ("below", one.below), ("above", one.above))
                    if names
                )
                for one in recorded.folk
            ),
        ),
    )


def _display(shares: list[PartShare], part: str) -> str:
    return next(one.share.display for one in shares if one.part == part)


def _legend(names: list[str]) -> str:
    return "; ".join(f"{letter}: {name}" for letter, name in zip(_LETTERS, names, strict=False))
