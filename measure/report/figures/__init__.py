"""Every figure, drawn from the results: `FIGURES` is the registry. The same functions draw for whatever shows results.

A figure names the results that it is drawn from and sees no other file, so that two studies that agree in these give
one figure, drawn once. A title says a finding in words; every number in a figure was one in a result.
"""

from collections.abc import Callable
from functools import lru_cache
from xml.sax.saxutils import unescape

import msgspec

from measure import results
from measure.report.figures import accounts, context, formats, ladder, mcp, policies
from measure.report.figures.style import Drawn, recorded_version, styled
from measure.report.figures.svg import svg
from measure.scenario import Files, content

FOLDER = f"{results.FOLDER}/{results.FIGURES}"


class Figure(msgspec.Struct, frozen=True):
    """One row: the figure's name, the finding that it shows, the results that it reads, and who draws it."""

    name: str
    title: str
    needs: tuple[str, ...]
    draw: Callable[[Files], Drawn]


_SESSIONS = ("context", "context_sessions")
_ROWS = (
    Figure("ladder", ladder.LADDER_TITLE, ("ladder",), ladder.ladder),
    Figure("orderings", ladder.ORDERINGS_TITLE, ("ladder",), ladder.orderings),
    Figure("break-even", accounts.BREAK_EVEN_TITLE, ("break_even",), accounts.break_even),
    Figure("aliases", ladder.ALIASES_TITLE, ("ladder",), ladder.aliases),
    Figure("alias-readers", accounts.READERS_TITLE, ("aliases",), accounts.alias_readers),
    Figure("escaping", mcp.ESCAPING_TITLE, ("mcp",), mcp.escaping),
    Figure("servers", mcp.SERVERS_TITLE, ("mcp_servers",), mcp.servers),
    Figure("hosts", mcp.HOSTS_TITLE, ("mcp_hosts",), mcp.hosts),
    Figure("formats", formats.FORMATS_TITLE, ("formats", "beyond_the_header"), formats.formats),
    Figure("families", formats.FAMILIES_TITLE, ("families",), formats.families),
    Figure("delimiters", formats.DELIMITERS_TITLE, ("beyond_the_header",), formats.delimiters),
    Figure("projections", formats.PROJECTIONS_TITLE, ("projections",), formats.projections),
    Figure("growth", context.GROWTH_TITLE, _SESSIONS, context.growth),
    Figure("policies", policies.POLICIES_TITLE, _SESSIONS, policies.policies),
    Figure("triggers", context.TRIGGERS_TITLE, _SESSIONS, context.triggers),
    Figure("cache-model", policies.CACHE_TITLE, ("context_sessions",), policies.cache_model),
)
FIGURES: dict[str, Figure] = {row.name: row for row in _ROWS}


def path(name: str) -> str:
    """Where the figure `name` stands."""
    return f"{FOLDER}/{name}.svg"


def figure(files: Files, name: str) -> bytes:
    """The SVG of one figure, drawn from the results in `files`.

    Raises:
        BadInput: matplotlib is not installed, or a result is missing or of another shape.
    """
    row = FIGURES[name]
    return _drawn(name, tuple(content(files, results.path(one)) for one in row.needs))


def figures(files: Files) -> dict[str, bytes]:
    """The SVG of every figure, under its path, as it is recorded.

    Raises:
        BadInput: as `figure`, or matplotlib is not the version whose bytes are recorded.
    """
    recorded_version()
    return {path(name): figure(files, name) for name in FIGURES}


def alt(drawn: str) -> str:
    """The words of a figure's SVG: what it shows, for who cannot see it."""
    return unescape(drawn.partition("<desc ")[2].partition(">")[2].partition("</desc>")[0])


@lru_cache(maxsize=128)
def _drawn(name: str, needed: tuple[bytes, ...]) -> bytes:
    """A figure of these results; a gate and its mutants ask for the same ones many times."""
    row = FIGURES[name]
    files = {results.path(one): data for one, data in zip(row.needs, needed, strict=True)}
    with styled():
        drawn = row.draw(files)
        return svg(drawn.figure, name, row.title, drawn.alt)
