"""A pipe that logs: `python -m measure.mcp.pipe LOG COMMAND ARGS…` stands between a client and a server's stdio.

Each line of either direction is passed on as it came, and written to LOG as a JSON array of direction and text. The
server's exit status is the pipe's own, and the log's last line. It is a process of its own, so that the official
client starts, and stops, what it believes to be the server. Imports nothing but the standard library.
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
_NOT_STARTED = 127  # a shell's status for a command that is not there


def main(log_path: str, command: list[str]) -> int:
    """Run the command between our own standard streams; its exit status."""
    with open(log_path, "w", encoding="utf-8") as log:
        write = _writer(log)
        try:
            server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            write(END, f"cannot be started: {error.strerror}")
            return _NOT_STARTED
        assert server.stdin is not None
        assert server.stdout is not None
        upwards = Thread(target=_pass_on, args=(sys.stdin.buffer, server.stdin, CLIENT, write), daemon=True)
        upwards.start()
        _pass_on(server.stdout, sys.stdout.buffer, SERVER, write)
        status = server.wait()
        write(END, f"ended with status {status}")
        return status if status >= 0 else 128 - status


def _writer(log: TextIO) -> Callable[[str, str], None]:
    """A function that writes one line of the log; whole, and at once."""
    lock = Lock()

    def write(direction: str, text: str) -> None:
        with lock, suppress(ValueError):  # the log of a pipe that ends is closed under the other thread
            log.write(json.dumps([direction, text], ensure_ascii=False) + "\n")
            log.flush()

    return write


def _pass_on(source: IO[bytes], target: IO[bytes], direction: str, write: Callable[[str, str], None]) -> None:
    for line in iter(source.readline, b""):
        write(direction, line.decode(errors="replace").rstrip("\r\n"))
        try:
            target.write(line)
            target.flush()
        except OSError:
            break
    with suppress(OSError):
        target.close()


if __name__ == "__main__":
    status = main(sys.argv[1], sys.argv[2:])
    os._exit(status)  # the other thread may wait for the client's next line for ever
