"""Figures of MCP: what escaping adds inside a result, what public tool lists cost, what hosts give their models.

In the first encoding of the results. Wire tokens are in none of them: no model reads a line of the wire.
"""

from typing import TYPE_CHECKING

from measure import results
from measure.ladder import RUNGS
from measure.mcp.envelope import Parts
from measure.report.figures.style import (
    BLUE,
    CHEAPER,
    DEARER,
    FAINT,
    INK,
    MUTED,
    ORANGE,
    PAPER,
    SMALL,
    VERMILLION,
    Drawn,
    Frame,
    canvas,
    quiet,
    readable,
    shade,
)
from measure.report.ladder import by, plural
from measure.scenario import Files
from measure.study.mcp.contexts import HostCount, McpHosts
from measure.study.mcp.envelopes import Envelope, VariedScale
from measure.study.mcp.mcp import Mcp
from measure.study.mcp.servers import McpServers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ESCAPING_TITLE = "Escaping grows with the quotes, and with the case of what follows a line end"
SERVERS_TITLE = "What a server's tools cost does not follow from their number"
HOSTS_TITLE = "The same result is another text in each host"

_PARTS = (("envelope", MUTED), ("quotes", BLUE), ("breaks", VERMILLION), ("fusion", ORANGE))


def escaping(files: Files) -> Drawn:
    """Left, what quotes add to JSON payloads of every scale; right, what all parts add to L4 when its cells differ."""
    recorded = results.table(files, "mcp", Mcp)
    last = recorded.variations[0]
    counted = [
        one
        for one in recorded.envelopes
        if (one.encoding, one.revision) == (last.encoding, last.revision) and one.marks.double_quotes
    ]
    varied = [one for one in recorded.variations if (one.encoding, one.rung) == (last.encoding, "L4")]
    largest = [(one.variation, one.scales[-1]) for one in varied]
    note = (
        f"One result in JSON-RPC, revision {last.revision} · {last.encoding} · {last.evidence}. Left: each rung at each"
        f" scale, both axes logarithmic. Right: L4, {largest[0][1].rows} rows; under each name, the tokens of the bare"
        " payload. Grey: envelope; blue: quotes; red: line ends; orange: what fuses at them."
    )
    frame = Frame(left=0.75, right=0.75, top=0.8, bottom=1.3, across=2.15, widths=(1.0, 1.15))
    figure, (left, right) = canvas((9.0, 5.2), ESCAPING_TITLE, note, frame)
    _quotes(left, counted)
    _variations(right, largest)
    said = "; ".join(
        f"{rung}, {found[-1].rows} rows: {found[-1].parts.quotes:,} tokens for {found[-1].marks.double_quotes:,} quotes"
        for rung, found in by(counted, lambda one: one.rung)
    )
    told = "; ".join(f"{name}: {one.parts.added:,} added to {one.payload_tokens:,}" for name, one in largest)
    return Drawn(figure, f"Left, lines: {said}. Right, bars of tokens added to L4: {told}. {note}")


def _quotes(axes: "Axes", counted: list[Envelope]) -> None:
    kept = {rung.name: int(rung.projected) for rung in RUNGS}
    for rung, found in by(counted, lambda one: one.rung):
        colour = shade(kept[rung], 0, found[0].serialization)
        marks, tokens = [one.marks.double_quotes for one in found], [one.parts.quotes for one in found]
        axes.plot(marks, tokens, color=colour, marker="o", markersize=4)
        offset, across = ((0, 6), "center") if found[0].serialization == "minified" else ((0, -14), "center")
        ink = shade(kept[rung], 0, "compact")
        axes.annotate(
            rung, (marks[-1], tokens[-1]), offset, textcoords="offset points", ha=across, color=ink, size=SMALL
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks([100, 1000, 10000], ["100", "1,000", "10,000"])
    axes.set_yticks([10, 100, 1000], ["10", "100", "1,000"])
    axes.minorticks_off()
    axes.margins(0.12)
    axes.set_xlabel("double quotes in the payload")
    axes.set_title("JSON: tokens that escaped quotes add", loc="left", size=SMALL + 1, color=MUTED, pad=6)
    quiet(axes, "both", ("left", "bottom"))


def _variations(axes: "Axes", varied: list[tuple[str, VariedScale]]) -> None:
    for place, (_, one) in enumerate(varied):
        start = 0
        for part, colour in _PARTS:
            wide = _part(one.parts, part)
            axes.barh(place, wide, left=start, color=colour, height=0.66)
            start += wide
        axes.annotate(
            f"+{one.parts.added:,}", (start, place), (4, 0), textcoords="offset points", va="center", size=SMALL
        )
    names = [f"{name}\n{one.payload_tokens:,} tokens" for name, one in varied]
    axes.set_yticks(range(len(varied)), names, linespacing=1.2)
    axes.set_ylim(len(varied) - 0.5, -0.5)
    axes.set_xticks([])
    axes.set_title("L4: tokens that MCP adds", loc="left", size=SMALL + 1, color=MUTED, pad=6)
    quiet(axes, "", ("bottom",))


def _part(parts: Parts, name: str) -> int:
    return int(getattr(parts, name))


def servers(files: Files) -> Drawn:
    """Each server's tool list, minified and pretty, on a logarithmic axis; the published figure as a band."""
    recorded = results.table(files, "mcp_servers", McpServers)
    encoding = recorded.servers[0].encoding
    counted = sorted(
        (one for one in recorded.servers if one.encoding == encoding), key=lambda one: (-one.tokens, one.name)
    )
    folk = recorded.folk[0].figure
    note = (
        f"Tokens of a tools/list result, logarithmic · {encoding} · captured. Dot: minified, with its count; ring: the"
        f" same list written pretty. Band: {folk.low:,} to {folk.high:,} tokens, published of servers with"
        f" {folk.least} to {folk.most} operations; their names are in orange."
    )
    figure, (axes,) = canvas((7.4, 7.3), SERVERS_TITLE, note, Frame(left=2.75, right=0.7, top=0.5, bottom=1.15))
    axes.axvspan(folk.low, folk.high, color=DEARER[0], lw=0)
    for place, one in enumerate(counted):
        axes.plot([one.tokens, one.pretty_tokens], [place, place], color=CHEAPER[2], lw=2)
        axes.plot(one.pretty_tokens, place, "o", markersize=6, color=BLUE, markerfacecolor=PAPER)
        axes.plot(one.tokens, place, "o", markersize=6, color=BLUE)
        axes.annotate(
            f"{one.tokens:,}",
            (one.tokens, place),
            (-6, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            size=SMALL,
        )
    axes.set_xscale("log")
    axes.set_xlim(90, max(one.pretty_tokens for one in counted) * 1.25)
    axes.set_xticks([100, 1000, 10000], ["100", "1,000", "10,000"])
    axes.minorticks_off()
    axes.set_yticks(range(len(counted)), [f"{one.name} · {plural(one.tools, 'tool')}" for one in counted])
    axes.set_ylim(len(counted) - 0.4, -0.6)
    for text, one in zip(axes.get_yticklabels(), counted, strict=True):
        text.set_color(DEARER[-1] if folk.least <= one.tools <= folk.most else INK)
    quiet(axes, "x", ("left", "bottom"))
    said = "; ".join(
        f"{one.name}, {plural(one.tools, 'tool')}: {one.tokens:,}, pretty {one.pretty_tokens:,}" for one in counted
    )
    return Drawn(figure, f"Dots of tool list sizes in tokens. {said}. {note}")


def hosts(files: Files) -> Drawn:
    """A row a host library, a column a server and a call: the tokens that the model got, and how many were added."""
    recorded = results.table(files, "mcp_hosts", McpHosts)
    counted = [one for one in recorded.hosts if one.encoding == recorded.hosts[0].encoding]
    names = list(dict.fromkeys(f"{one.host}\n{one.version}" for one in counted))
    columns = list(by(counted, lambda one: (one.server, one.call)))
    first = counted[0]
    note = (
        f"Context tokens of one result of {first.rows} rows, and what they are above or below those of the bare"
        f" payload, named under each column · {first.encoding} · captured, mcp {first.sdk}. White: nothing"
        " added; the darker, the more."
    )
    figure, (axes,) = canvas((7.8, 4.8), HOSTS_TITLE, note, Frame(left=1.45, right=0.25, top=0.55, bottom=1.75))
    for column, (_, found) in enumerate(columns):
        for one in found:
            _cell(axes, column, names.index(f"{one.host}\n{one.version}"), one)
    under = [f"{server}\n{call}\n{found[0].payload_tokens} tokens" for (server, call), found in columns]
    axes.set_xticks(range(len(columns)), [text.replace(", ", ",\n") for text in under], linespacing=1.25)
    axes.set_yticks(range(len(names)), names, linespacing=1.25)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    quiet(axes, "", ("left", "bottom"))
    said = "; ".join(
        f"{one.host}, server {one.server}, {one.call}: {one.context_tokens} of a payload of {one.payload_tokens}"
        for one in counted
    )
    return Drawn(figure, f"A matrix of context tokens by host and server. {said}. {note}")


def _cell(axes: "Axes", column: int, row: int, one: HostCount) -> None:
    """One square: the more a host added, measured by the payload, the darker."""
    steps = (0, one.payload_tokens // 4, one.payload_tokens, 2 * one.payload_tokens)
    dark = sum(one.added > step for step in steps)
    colour = (PAPER, *DEARER)[dark]
    axes.barh(row, 0.94, left=column - 0.47, height=0.9, color=colour, edgecolor=FAINT, lw=0.8)
    axes.text(column, row, f"{one.context_tokens}\n{one.added:+,}", color=readable(colour), ha="center", va="center")
