"""The command as a process: broken pipes, full disks, closed streams, narrow locales, interrupts."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TASKS = str(ROOT / "fixtures" / "tasks-20.json")
MEASURE = [sys.executable, "-m", "measure"]


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    line = line.replace("measure", f"{sys.executable} -m measure", 1)
    env = {**os.environ, **environment}
    return subprocess.run(["bash", "-c", line], cwd=ROOT, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("command", ["check", "show L0 --rows 500", "table ladder", f"ladder {TASKS} --json"])
def test_a_pipe_that_closes_early_is_no_error(command: str) -> None:
    done = shell(f"measure {command} | head -1")
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("command", [f"ladder {TASKS}", "table ladder", "show L0 --rows 500 --raw"])
def test_a_full_disk_is_one_line_and_status_2(command: str) -> None:
    done = shell(f"measure {command} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "measure: the output cannot be written: No space left on device\n")


def test_closed_streams_are_no_traceback() -> None:
    done = shell("measure ladder - --fields id <&-")
    assert (done.returncode, done.stderr) == (2, "measure: standard input: closed\n")
    assert "Traceback" not in shell(f"measure ladder {TASKS} >&-").stderr


@pytest.mark.parametrize("environment", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "POSIX"}])
def test_output_is_utf8_whatever_the_locale(environment: dict[str, str]) -> None:
    line = "measure table ladder"
    assert shell(line, **environment).stdout == shell(line).stdout != ""


def test_an_interrupt_ends_quietly_with_130() -> None:
    """It waits for rows that never come, so the moment does not matter once the program has started."""
    process = subprocess.Popen(
        [*MEASURE, "ladder", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.default_int_handler
        ),  # a job in the background ignores it
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors.strip()) == (130, b"")


@pytest.mark.parametrize(
    "arguments", [["--nothing"], ["nothing"], ["ladder"], ["ladder", TASKS, "--nothing"], ["show", "L4", "--rows", "x"]]
)
def test_a_wrong_call_is_one_line_and_status_2(arguments: list[str]) -> None:
    done = subprocess.run([*MEASURE, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("measure: ")
    assert done.stderr.endswith("(see --help)\n")
