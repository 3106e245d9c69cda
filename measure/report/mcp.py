"""Tables of MCP: contracts, what the wire and the SDK add, envelopes and when they are constant."""

from collections.abc import Iterator

from measure import results
from measure.report.ladder import by
from measure.report.table import Table, numeric
from measure.scenario import Files
from measure.study.mcp.envelopes import Variation
from measure.study.mcp.mcp import Mcp
from measure.study.mcp.wires import TOOLS, WireCount
from measure.study.replication import Replication

_AGAINST = {"schema response": "response", "its descriptions": "descriptions"}


def mcp(files: Files) -> Iterator[Table]:
    """Contracts held equal, the published comparison held equal, what arguments and the SDK's switches add."""
    recorded = results.table(files, "mcp", Mcp)
    for encoding, compared in by(recorded.comparisons, lambda one: one.encoding):
        yield Table(
            f"Tokens of a tool list and of the schema response, written alike · {encoding}",
            ("contract", "profile", "written", "tools", "against", "tokens", "differ", "shorter"),
            [
                (
                    one.contract,
                    one.profile,
                    one.serialization,
                    f"{one.tool_list_tokens:,}",
                    _AGAINST[one.against],
                    f"{one.other_tokens:,}",
                    f"{one.difference:+,}",
                    _shorter(one.shorter),
                )
                for one in compared
            ],
            numeric(3, 5, 6),
            (
                "the schema response also teaches grammar, answers and examples; its descriptions are without them",
                f"constructed; tools alone, the same in revisions {compared[0].revision}",
                "minimal: no output schema; scenario: list, get, schema; example CLI: six reads, three mutations",
            ),
        )
    yield from _published(files)
    for encoding, arguments in by(recorded.arguments, lambda one: one.encoding):
        yield Table(
            f"Tokens that declaring an argument adds, minified · {encoding} · constructed",
            ("argument", "of tools", "without", "with", "added"),
            [
                (one.argument, str(one.tools), f"{one.without_tokens:,}", f"{one.with_tokens:,}", f"{one.added:,}")
                for one in arguments
            ],
            numeric(1, 2, 3, 4),
        )
    yield from _wire(recorded)
    yield from _switches(recorded)


def envelope(files: Files) -> Iterator[Table]:
    """What a result adds to each payload, in parts; and when compact adds a constant."""
    recorded = results.table(files, "mcp", Mcp)
    groups = by(recorded.envelopes, lambda one: (one.encoding, one.revision))
    for (encoding, revision), rows in groups:
        scales = sorted({one.rows for one in rows})
        shown = [one for one in rows if one.rows in (scales[0], scales[-1])]
        yield Table(
            f"Tokens that an MCP result adds to its payload · {revision}, {encoding}",
            ("rung", "rows", "payload", "added", "envelope", "quotes", "breaks", "fusion", "request"),
            [
                (
                    one.rung,
                    str(one.rows),
                    f"{one.payload_tokens:,}",
                    *(f"{n:,}" for n in (one.parts.added, one.parts.envelope, one.parts.quotes, one.parts.breaks)),
                    f"{one.parts.fusion:,}",
                    f"{one.request:+,}",
                )
                for one in shown
            ],
            numeric(*range(1, 9)),
            (
                "constructed; added: the sum of envelope, quotes, breaks (line ends and tabs) and fusion (what"
                " neighbours make of each other); request: the call minus the command line that asks the same",
            ),
        )
    for (encoding, rung), varied in by(recorded.variations, lambda one: (one.encoding, one.rung)):
        yield _varied(encoding, rung, varied)


def _published(files: Files) -> Iterator[Table]:
    recorded = results.table(files, "replication", Replication)
    if recorded.contracts:
        yield Table(
            f"The published comparison, written alike · {recorded.source.encoding}",
            ("contract", "profile", "written", "tools", "against", "tokens", "differ"),
            [
                (
                    one.contract,
                    one.profile,
                    one.serialization,
                    f"{one.tool_list_tokens:,}",
                    _AGAINST[one.against],
                    f"{one.other_tokens:,}",
                    f"{one.difference:+,}",
                )
                for one in recorded.contracts
            ],
            numeric(3, 5, 6),
            (
                "published, of a pretty tool list and a minified schema response: "
                + ", ".join(
                    f"{one.published_difference:+,} ({one.contract}, {one.profile})"
                    for one in {(o.contract, o.profile): o for o in recorded.contracts}.values()
                ),
                "tools alone here, without the JSON-RPC response that the published counts include",
            ),
        )


def _wire(recorded: Mcp) -> Iterator[Table]:
    smallest = min(one.rows for one in recorded.wire)
    for encoding, counted in by(recorded.wire, lambda one: one.encoding):
        shown = [one for one in counted if one.rows == smallest and one.server in ("own server", "query tool")]
        yield Table(
            f"Tokens on the wire, our server, {smallest} rows · {encoding} · captured",
            ("server", "revision", "call", "request", "response", "payload", "added"),
            [(one.server, one.revision, one.call, *_counts(one)) for one in shown],
            numeric(3, 4, 5, 6),
            (
                "L0 to L4: list, in the rung's format; the server has the settings of fixtures/scenario.toml",
                "captured with " + ", ".join(f"{name} {version}" for name, version in recorded.versions.items()),
            ),
        )


def _counts(one: WireCount) -> tuple[str, ...]:
    found = (one.request_tokens, one.response_tokens, one.payload_tokens, one.added)
    return tuple("-" if number is None else f"{number:,}" for number in found)


def _switches(recorded: Mcp) -> Iterator[Table]:
    latest = max(one.revision for one in recorded.switches)
    for encoding, compared in by(recorded.switches, lambda one: one.encoding):
        shown = [one for one in compared if one.revision == latest]
        yield Table(
            f"Tokens of a response, a switch of the SDK on and off · {encoding} · captured",
            ("switch", "response", "rows", "on", "off", "saved", "of on"),
            [
                (
                    one.switch,
                    one.call,
                    "-" if one.call == TOOLS else str(one.rows),
                    f"{one.on_tokens:,}",
                    f"{one.off_tokens:,}",
                    f"{one.saving.saved_tokens:,}",
                    one.saving.display,
                )
                for one in {(o.switch, o.call, o.on_tokens): o for o in shown}.values()
            ],
            numeric(2, 3, 4, 5, 6),
            (f"revision {latest}; of on: in percent of the response with the switch on; negative: off costs more",),
        )


def _varied(encoding: str, rung: str, varied: list[Variation]) -> Table:
    scales = [one.rows for one in varied[0].scales]
    return Table(
        f"Tokens that an MCP result adds to {rung}, by what the rows are like · {encoding}",
        ("rows are", *(f"{rows} rows" for rows in scales), "constant"),
        [
            (one.variation, *(f"{scale.parts.added:,}" for scale in one.scales), "yes" if one.constant else "no")
            for one in varied
        ],
        numeric(*range(1, 1 + len(scales))),
        (
            f"constructed, revision {varied[0].revision}",
            *(f"{', '.join(one.variation for one in same)}: {why}" for why, same in by(varied, lambda one: one.why)),
        ),
    )


def _shorter(word: str) -> str:
    return {"tool list": "tools", "neither": "neither"}.get(word, "other")
