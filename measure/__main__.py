"""The command `measure`, as `measure` and as `python -m measure`.

What a process needs and a library must not do is done here. Output is UTF-8 whatever the locale says, so that it is
the same everywhere. A closed pipe ends the process quietly, as it ends any other in a pipeline. And the garbage
collector is off: a command makes many rows and no cycles, so that looking for some, again and again while rows
are read, would find nothing.
"""

import gc
import io
import signal
import sys


def main() -> None:
    """Run the command; 130 where it is interrupted."""
    gc.disable()
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    try:
        from measure.cli import main as command

        status = command(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        status = 130
    except OSError as error:
        status = 2
        if sys.stderr is not None:
            sys.stderr.write(f"measure: the output cannot be written: {error.strerror}\n")
        sys.stdout = None  # or the interpreter tries again at its end
    sys.exit(status)


if __name__ == "__main__":
    main()
