"""`measure mcp`: serve your own rows to any MCP client, and count the tools of any server."""

import json
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click

from measure import reading
from measure.canonical import canonical
from measure.cli.options import as_json, encoding
from measure.cli.settings import layer_settings, settings_in
from measure.errors import BadInput, Refused
from measure.mcp.changes import changes
from measure.mcp.layer import hidden
from measure.mcp.listing import Tool, by_tool, cost, pretty, saved
from measure.query import Dataset
from measure.report import tool_list
from measure.report.ladder import plural
from measure.report.table import show
from measure.tokens import vocabulary


@click.group(name="mcp")
def command() -> None:
    """MCP: serve your own rows, or count the tools of any server."""


@command.command(name="serve", short_help="Serve your own rows to any MCP client.")
@click.argument("file")
@click.option("--one-tool", is_flag=True, help="Publish the one tool `query` instead of list, get and schema.")
@layer_settings
def serve(file: str, one_tool: bool, settings: str | None) -> None:
    """Serve your own rows over stdio, to any MCP client, until it goes.

    FILE is a JSON array of objects, JSON lines or CSV. Nothing is written. Needs the extra `mcp`.

    \b
        {"command": "measure", "args": ["mcp", "serve", "tasks.json"]}   in a client's configuration
    """
    if file == reading.STANDARD_INPUT:
        raise BadInput("standard input is where the client speaks", where="-", right="name a file")
    try:
        from measure.mcp import server
    except ModuleNotFoundError:
        raise BadInput("the MCP SDK is not installed", right="install context-ladder with its extra `mcp`") from None
    dataset = Dataset.of(reading.load(file), settings_in(settings), settings or "")
    left_out = [] if one_tool else hidden(dataset)
    if left_out:
        click.echo(f"measure: no filter by {', '.join(left_out)}: list has an argument of that name", err=True)
    if sys.stdin is not None and sys.stdin.isatty():
        click.echo(f"serving {file} over stdio: an MCP client is expected on standard input", err=True)
    server.serve(server.server(dataset, one_tool))


@command.command(name="tools", short_help="Tokens of any MCP server's tools.")
@click.argument("server", nargs=-1, metavar="-- COMMAND ARGS...")
@click.option("--capture", metavar="FILE", help="Count a saved list instead of starting a server; - is standard input.")
@click.option("--save", metavar="FILE", help="Write the list, for --capture and --baseline.")
@click.option("--baseline", metavar="FILE", help="A saved list: show what has changed since.")
@click.option("--budget", metavar="N", type=click.IntRange(min=0), help="Exit with 1 above N tokens, minified.")
@click.option(
    "--timeout",
    metavar="SECONDS",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0.1, 3600),
    help="For the whole session; to stop a server that will not go takes some five seconds more.",
)
@encoding
@as_json
def tools(server: tuple[str, ...], encoding: str, as_json: bool, **asked: Any) -> None:
    """Tokens of an MCP server's tools: whole, tool by tool, and part by part.

    The server is started, asked for its list to the last page, and stopped; it keeps this process's environment.
    Needs the extra `mcp`, unless a saved list is read.

    \b
        measure mcp tools -- mcp-server-git --repository .
        measure mcp tools --save tools.json -- npx -y @modelcontextprotocol/server-memory
        measure mcp tools --baseline tools.json --budget 2000 -- mcp-server-git
    """
    vocabulary(encoding)
    if bool(server) == bool(asked["capture"]):
        raise click.UsageError("a server's command after --, or --capture FILE: one of the two is needed")
    if asked["save"] is not None:
        _writable(asked["save"])
    earlier = _saved(asked["baseline"]) if asked["baseline"] else None
    source = _listed(server, asked["timeout"]) if server else Source(_saved(asked["capture"]), asked["capture"])
    listed = source.tools
    counted, by_name = cost(listed, encoding, "captured"), by_tool(listed, encoding)
    changed = changes(earlier, listed, encoding) if earlier is not None else None
    if asked["save"] is not None:
        held = {"server": source.name, "revision": source.revision, "tools": listed}
        _write(asked["save"], pretty(held) + "\n")
    if as_json:
        told = {"server": source.name, "revision": source.revision}
        click.echo(canonical({**told, "list": counted, "tools": by_name, "changes": changed}), nl=False)
    else:
        tables = tool_list.tool_list(counted, by_name, source.name)
        show([*tables, *([tool_list.changes(changed)] if changed else [])])
    budget = asked["budget"]
    if budget is not None and counted.tokens > budget:
        above = counted.tokens - budget
        raise Refused(f"{counted.tokens:,} tokens (minified, {encoding}): {above:,} above the budget of {budget:,}")


class Source(NamedTuple):
    """A list of tools, whose it is, and the revision that it was sent in; empty where a file does not say."""

    tools: list[Tool]
    name: str
    revision: str = ""


def _listed(server: tuple[str, ...], timeout: float) -> Source:
    from measure.mcp.wire import listed

    found, session = listed(server, timeout)
    if session.noise:
        some = plural(len(session.noise), "line")
        click.echo(f"measure: {server[0]}: {some} of its output no JSON-RPC: {session.noise[0][:60]!r}", err=True)
    if not found:
        raise BadInput("it publishes no tool", where=server[0], right="there is nothing to count")
    name, revision = session.identity()
    return Source(saved(found, server[0]), name or os.path.basename(server[0]), revision)


def _saved(file: str) -> list[Tool]:
    """The tools of a saved list: JSON, or a page of JSON a line."""
    try:
        text = sys.stdin.read() if file == reading.STANDARD_INPUT else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(error.strerror or "unreadable", where=file) from None
    except UnicodeDecodeError as error:
        raise BadInput(f"byte {error.start} is not UTF-8", where=file) from None
    try:
        return saved(json.loads(text), file)
    except (ValueError, RecursionError):
        pass
    try:
        return saved([json.loads(line) for line in text.splitlines() if line.strip()], file)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON: {error}", where=file) from None


def _writable(file: str) -> None:
    """Refuse what a list must not replace, before a server is started for it."""
    if not file or file == reading.STANDARD_INPUT:
        raise BadInput("no file is named", where="--save", right="the list goes to a file; --json prints the counts")
    there = Path(os.path.realpath(file))
    if there.exists() and (not there.is_file() or not there.stat().st_mode & stat.S_IWUSR):
        raise BadInput("not a file that may be written", where=file)


def _write(file: str, text: str) -> None:
    """Write it whole or not at all; a link is followed."""
    there = Path(os.path.realpath(file))
    waiting = there.with_name(f".{there.name}.writing")
    try:
        waiting.write_text(text, encoding="utf-8")
        waiting.replace(there)
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", where=file) from None
    finally:
        with suppress(OSError):
            waiting.unlink(missing_ok=True)
