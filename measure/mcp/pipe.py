"""A pipe that logs: `python -I pipe.py LOG COMMAND ARGS…` stands between a client and a server's stdio.

Each line of either direction is passed on as it came, and written to LOG as a JSON array of direction and text. The
server's exit status is the pipe's own, and the log's last line; its last words on standard error stand in LOG.stderr.
It is a process of its own, so that the official client starts, and stops, what it believes to be the server. A server
that floods either stream fills neither memory nor disk. Run by its path, it imports the standard library alone.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import IO, TextIO

CLIENT, SERVER, END = "client", "server", "end"
WORDS = ".stderr"
_NOT_STARTED = 127  # a shell's status for a command that is not there
_LINE = 1 << 26  # bytes of one line, and
_ALL = 1 << 28  # of all lines from the server, beyond which it is stopped
_POLL, _DRAIN = 0.02, 0.2  # seconds
_TAIL = 4096  # bytes of standard error that are kept

Write = Callable[[str, str], None]


def main(log_path: str, command: list[str]) -> int:
    """Run the command between our own standard streams; its exit status."""
    with open(log_path, "w", encoding="utf-8") as log:
        write = _writer(log)
        to_us = subprocess.PIPE
        try:
            server = subprocess.Popen(command, stdin=to_us, stdout=to_us, stderr=to_us)
        except (OSError, ValueError) as error:
            write(END, f"cannot be started: {error.strerror if isinstance(error, OSError) else error}")
            return _NOT_STARTED
        assert server.stdin is not None
        assert server.stdout is not None
        Thread(target=_pass_on, args=(sys.stdin.buffer, server.stdin, CLIENT, write), daemon=True).start()
        words = Thread(target=_keep_tail, args=(server.stderr, log_path + WORDS), daemon=True)
        words.start()
        source, within = server.stdout, list[bool]()
        downwards = Thread(
            target=lambda: within.append(_pass_on(source, sys.stdout.buffer, SERVER, write)), daemon=True
        )
        downwards.start()
        while server.poll() is None and within != [False]:
            downwards.join(_POLL) if downwards.is_alive() else server.wait()
        if within == [False]:
            server.kill()
            write(END, f"was stopped: it printed more than {_LINE >> 20} MB in a line, or {_ALL >> 20} MB in all")
            return 1
        for thread in (downwards, words):  # a child of the server may hold its streams open
            thread.join(_DRAIN)
        write(END, f"ended with status {server.returncode}")
        return server.returncode if server.returncode >= 0 else 128 - server.returncode


def _writer(log: TextIO) -> Write:
    """A function that writes one line of the log; whole, and at once."""
    lock = Lock()

    def write(direction: str, text: str) -> None:
        with lock, suppress(ValueError):  # the log of a pipe that ends is closed under the other thread
            log.write(json.dumps([direction, text], ensure_ascii=False) + "\n")
            log.flush()

    return write


def _pass_on(source: IO[bytes], target: IO[bytes], direction: str, write: Write) -> bool:
    """Pass on every line; false where there was too much of them."""
    passed = 0
    for line in iter(lambda: source.readline(_LINE), b""):
        passed += len(line)
        if len(line) == _LINE or passed > _ALL:
            return False
        write(direction, line.decode(errors="replace").rstrip("\r\n"))
        try:
            target.write(line)
            target.flush()
        except OSError:
            break
    with suppress(OSError):
        target.close()
    return True


def _keep_tail(source: IO[bytes], path: str) -> None:
    """Keep the end of what is said, in a file that a killed pipe leaves behind."""
    tail = b""
    with open(path, "wb") as kept:
        for said in iter(lambda: os.read(source.fileno(), 1 << 16), b""):
            tail = (tail + said)[-_TAIL:]
            kept.seek(0)
            kept.truncate()
            kept.write(tail)
            kept.flush()


if __name__ == "__main__":
    status = main(sys.argv[1], sys.argv[2:])
    os._exit(status)  # the other thread may wait for the client's next line for ever
