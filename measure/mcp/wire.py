"""A server process, driven by the official client through the logging pipe: what really stood on the wire.

The one room of this floor with a process in it. The SDK's client starts and stops the server, its whole process group
included; we set a limit of time, and say in one line what went wrong: the server could not be started, died, was
silent, answered with an error, or printed what is no JSON-RPC. Needs the extra `mcp`.
"""

import asyncio
import json
import logging
import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from measure.errors import BadInput
from measure.mcp import pipe
from measure.mcp.captures import Spoken
from measure.mcp.pipe import CLIENT, END, SERVER, WORDS

AUTO, HANDSHAKE = "auto", "handshake"
PAGES = 1_000  # of a list, after which a server that never comes to an end is left


class Session(msgspec.Struct, frozen=True):
    """Everything that was said, in order; and the lines of the server's standard output that were no JSON-RPC."""

    spoken: tuple[Spoken, ...]
    noise: tuple[str, ...]

    def responses(self, method: str) -> list[str]:
        """The server's lines that answer requests of this method, in order of asking.

        A server may ask too, under numbers of its own: only what has a result or an error is an answer.
        """
        asked = [json.loads(one.line) for one in self.spoken if one.direction == CLIENT]
        answers: dict[str, str] = {}
        for one in self.spoken:
            message = json.loads(one.line) if one.direction == SERVER else {}
            if "method" not in message and ("result" in message or "error" in message):
                answers.setdefault(json.dumps(message.get("id")), one.line)
        numbers = [json.dumps(message["id"]) for message in asked if message.get("method") == method]
        return [answers[number] for number in numbers if number in answers]

    def identity(self) -> tuple[str, str]:
        """The server's name and version, as it gives them, and the revision of the session; empty where it does not."""
        results = [json.loads(one.line).get("result") or {} for one in self.spoken if one.direction == SERVER]
        for result in results:
            told = result.get("serverInfo") or (result.get("_meta") or {}).get("io.modelcontextprotocol/serverInfo")
            if "protocolVersion" in result or "supportedVersions" in result:
                named = " ".join(str(told[key]) for key in ("name", "version") if told and told.get(key))
                return named, str(result.get("protocolVersion") or max(result["supportedVersions"]))
        return "", ""


class Wish(msgspec.Struct, frozen=True):
    """What a session should do: the revision (any, any with a handshake, or the one that it must be), and the calls."""

    revision: str = AUTO
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()


def drive(command: Sequence[str], wish: Wish, timeout: float = 30, cwd: Path | None = None) -> Session:
    """Start the server, list its tools to the last page, make the calls, stop it.

    `timeout` is in seconds, for all that is asked; a server that will not go is stopped within some five more.

    Raises:
        BadInput: the extra is missing; or the server failed, with what it said last on standard error.
    """
    try:
        import mcp  # noqa: F401
    except ModuleNotFoundError:
        raise BadInput("the MCP SDK is not installed", right="install context-ladder with its extra `mcp`") from None
    if not command or not command[0]:
        raise BadInput("no command", right="name the one that starts the server")
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        log.touch()
        try:
            asyncio.run(_session([str(log), *command], wish, timeout, cwd))
        except BadInput as error:
            raise BadInput(str(error), where=_shown(command)) from None
        except Exception as error:  # whatever the SDK, pydantic or anyio call it
            kind = EndedAtOnce if _ended_at_once(log) else BadInput
            raise kind(_failure(error, log, timeout), where=_shown(command)) from None
        return _read(log)


def listed(command: Sequence[str], timeout: float = 30) -> tuple[list[dict[str, Any]], Session]:
    """The tools of a server, in the revision that it speaks, and the whole session.

    A server that ends when it is asked for the newest revision is asked again for the older ones.

    Raises:
        BadInput: see `drive`.
    """
    try:
        session = drive(command, Wish(), timeout)
    except EndedAtOnce:
        session = drive(command, Wish(HANDSHAKE), timeout)
    pages = [json.loads(line) for line in session.responses("tools/list")]
    return [tool for page in pages for tool in page["result"]["tools"]], session


class EndedAtOnce(BadInput):
    """The server ended when it was asked for the newest revision, before it said anything: an old one may."""


async def _session(arguments: list[str], wish: Wish, timeout: float, cwd: Path | None) -> None:
    import anyio
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    logging.getLogger("mcp").disabled = True  # what it would print we say in one line
    for name in ("client", "mcp.client.stdio", "mcp.shared.jsonrpc_dispatcher"):
        logging.getLogger(name).disabled = True
    alone = ["-I", pipe.__file__, *arguments]  # whatever lies in the user's folder, it is this file that runs
    server = StdioServerParameters(command=sys.executable, args=alone, env=dict(os.environ), cwd=cwd)
    with open(os.devnull, "w") as errlog, anyio.fail_after(timeout):
        mode = "legacy" if wish.revision in (HANDSHAKE, "2025-11-25") else "auto"
        async with Client(stdio_client(server, errlog=errlog), mode=mode) as client:
            if wish.revision not in (AUTO, HANDSHAKE, client.protocol_version):
                raise BadInput(f"it speaks revision {client.protocol_version}, not {wish.revision}")
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
    where = f"page {len(cursors) + 1} leads back to {cursor!r}" if len(cursors) < PAGES else f"there are {PAGES} pages"
    raise BadInput(f"its list of tools does not end: {where}")


def _ended_at_once(log: Path) -> bool:
    """Whether the one request was for the newest revision, and the server then ended by itself."""
    lines = _lines(log)
    asked = [json.loads(text).get("method") for direction, text in lines if direction == CLIENT]
    ended = any(direction == END and text.startswith("ended") for direction, text in lines)
    return ended and asked == ["server/discover"]


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
        message = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and "jsonrpc" in message


def _failure(error: BaseException, log: Path, timeout: float) -> str:
    """What happened, in a line: what the pipe saw if it saw the end, else what the client met."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    lines = _lines(log)
    ends = [text for direction, text in lines if direction == END]
    noise = [text for direction, text in lines if direction == SERVER and not _is_message(text)]
    answered = any(direction == SERVER for direction, _ in lines)
    if isinstance(error, BadInput):
        what = str(error)
    elif ends and (_closed(error) or "stopped" in ends[0]):
        what = f"the server {ends[0]}" + (" before it answered" if "ended" in ends[0] and not answered else "")
    elif isinstance(error, TimeoutError):
        asked = [json.loads(text).get("method") for direction, text in lines if direction == CLIENT]
        what = f"no answer to {asked[-1] if asked else 'the first request'}; {timeout:g} seconds are over"
    else:
        what = _met(error)
    what += f"; on standard output, where only JSON-RPC belongs, it printed {noise[0][:80]!r}" if noise else ""
    said = _last_words(log)
    return what + (f"; its last words: {said}" if said else "")


def _closed(error: BaseException) -> bool:
    """Whether the client met the end of the connection, and no answer."""
    return "onnection closed" in str(error)


def _met(error: BaseException) -> str:
    """What the client made of an answer: the server's own error, or an answer that the protocol does not allow."""
    found = getattr(error, "errors", None)
    if callable(found):  # pydantic's: the first place, in the protocol's own words
        first = found()[0]
        place = ".".join(map(str, first["loc"]))
        return f"the server's answer is not one of the protocol: {place}: {first['msg']}"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return f"the server answers with an error: {lines[0][:200]}"


def _last_words(log: Path) -> str:
    """The last line of standard error that names an error, or else the last line."""
    kept = Path(f"{log}{WORDS}")
    text = kept.read_text(encoding="utf-8", errors="replace") if kept.exists() else ""
    said = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in said if re.search(r"\berror\b", line, re.IGNORECASE)]
    return "".join(c if c.isprintable() else " " for c in (named or said or [""])[-1])[:200]


def _shown(command: Sequence[str]) -> str:
    text = " ".join(" ".join(command).split())
    return text if len(text) <= 80 else text[:77] + "..."
