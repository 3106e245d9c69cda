"""A server process, driven by the official client through the logging pipe: what really stood on the wire.

The one room of this floor with a process in it. The SDK's client starts and stops the server, its whole process group
included; we set a limit of time, and say in one line what went wrong: the server could not be started, died, was
silent, answered with an error, or printed what is no JSON-RPC. Needs the extra `mcp`.
"""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from measure.errors import BadInput
from measure.mcp.captures import Spoken
from measure.mcp.pipe import CLIENT, END, SERVER

PAGES = 1_000  # of a list, after which a server that never comes to an end is left


class Session(msgspec.Struct, frozen=True):
    """Everything that was said, in order; and the lines of the server's standard output that were no JSON-RPC."""

    spoken: tuple[Spoken, ...]
    noise: tuple[str, ...]

    def responses(self, method: str) -> list[str]:
        """The server's lines that answer requests of this method, in order of asking."""
        asked = [(json.loads(one.line), one) for one in self.spoken if one.direction == CLIENT]
        numbers = [message["id"] for message, _ in asked if message.get("method") == method]
        said = [one.line for one in self.spoken if one.direction == SERVER]
        by_number = {json.loads(line).get("id"): line for line in said}
        return [by_number[number] for number in numbers if number in by_number]


class Wish(msgspec.Struct, frozen=True):
    """What a session should do: the revision ("auto" or one that the SDK speaks), and which tools to call."""

    revision: str = "auto"
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()


def drive(command: Sequence[str], wish: Wish, timeout: float = 30, cwd: Path | None = None) -> Session:
    """Start the server, list its tools to the last page, make the calls, stop it.

    Raises:
        BadInput: the extra is missing; or the server failed, with what it said last on standard error.
    """
    try:
        import mcp  # noqa: F401
    except ModuleNotFoundError:
        raise BadInput("the MCP SDK is not installed", right="pip install 'context-ladder[mcp]'") from None
    with TemporaryDirectory() as folder:
        log, complaints = Path(folder) / "log", Path(folder) / "stderr"
        log.touch()
        try:
            asyncio.run(_session([str(log), *command], wish, timeout, complaints, cwd))
        except Exception as error:  # whatever the SDK, pydantic or anyio call it
            raise BadInput(_failure(error, log, complaints, timeout), where=_shown(command)) from None
        return _read(log)


def listed(command: Sequence[str], timeout: float = 30) -> tuple[list[dict[str, Any]], Session]:
    """The tools of a server, in the revision that it speaks, and the whole session.

    A server that ends when it is asked for the newest revision is asked again for the older ones.

    Raises:
        BadInput: see `drive`.
    """
    try:
        session = drive(command, Wish(), timeout)
    except BadInput as error:
        if "ended with status" not in str(error):
            raise
        session = drive(command, Wish("2025-11-25"), timeout)
    pages = [json.loads(line) for line in session.responses("tools/list")]
    return [tool for page in pages for tool in page["result"]["tools"]], session


async def _session(arguments: list[str], wish: Wish, timeout: float, complaints: Path, cwd: Path | None) -> None:
    import anyio
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    logging.getLogger("mcp").disabled = True  # what it would print we say in one line
    for name in ("client", "mcp.client.stdio", "mcp.shared.jsonrpc_dispatcher"):
        logging.getLogger(name).disabled = True
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "measure.mcp.pipe", *arguments], env=dict(os.environ), cwd=cwd
    )
    with complaints.open("w", encoding="utf-8", errors="replace") as errlog, anyio.fail_after(timeout):
        mode = "legacy" if wish.revision == "2025-11-25" else "auto"
        async with Client(stdio_client(server, errlog=errlog), mode=mode) as client:
            await _pages(client.list_tools)
            for tool, call in wish.calls:
                await client.call_tool(tool, dict(call))


async def _pages(list_tools: Callable[..., Awaitable[Any]]) -> None:
    """Ask for every page; the pipe keeps what is answered."""
    cursors: set[str] = set()
    cursor = None
    while len(cursors) < PAGES:
        page = await list_tools(cursor=cursor)
        cursor = page.next_cursor
        if not cursor:
            return
        if cursor in cursors:
            break
        cursors.add(cursor)
    raise ValueError(f"its list of tools does not end: page {len(cursors) + 1} leads back to {cursor!r}")


def _read(log: Path) -> Session:
    spoken, noise = [], []
    for direction, text in _lines(log):
        if direction == SERVER and not _is_message(text):
            noise.append(text)
        elif direction != END:
            spoken.append(Spoken("client" if direction == CLIENT else "server", text))
    return Session(tuple(spoken), tuple(noise))


def _lines(log: Path) -> list[tuple[str, str]]:
    return [tuple(json.loads(line)) for line in log.read_text(encoding="utf-8").splitlines() if line.endswith("]")]


def _is_message(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _failure(error: BaseException, log: Path, complaints: Path, timeout: float) -> str:
    """What happened, in a line: what the pipe saw if it saw the end, else what the client met."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    lines = _lines(log)
    ends = [text for direction, text in lines if direction == END]
    noise = [text for direction, text in lines if direction == SERVER and not _is_message(text)]
    if isinstance(error, TimeoutError):
        asked = [json.loads(text).get("method") for direction, text in lines if direction == CLIENT]
        what = f"no answer to {asked[-1] if asked else 'the first request'} within {timeout:g} seconds"
    elif ends and not _answered(error):
        what = f"the server {ends[0]}" + ("" if any(d == SERVER for d, _ in lines) else " before it answered")
    else:
        what = f"the server answers with an error: {_first_line(error)}"
    said = complaints.read_text(encoding="utf-8", errors="replace").strip().splitlines() if complaints.exists() else []
    what += f"; on standard output, where only JSON-RPC belongs, it printed {noise[0][:80]!r}" if noise else ""
    return what + (f"; its last words: {said[-1].strip()[:200]}" if said else "")


def _answered(error: BaseException) -> bool:
    """Whether the client met an answer, and not the end of the connection."""
    return isinstance(error, ValueError) or "onnection closed" not in str(error)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return "; ".join(lines[:2])[:200]


def _shown(command: Sequence[str]) -> str:
    text = " ".join(" ".join(command).split())
    return text if len(text) <= 80 else text[:77] + "..."
