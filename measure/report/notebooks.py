"""Notebooks, executed and written so that a run anywhere gives the same bytes.

A notebook is executed from its first cell to its last in a new kernel of this Python, in its own folder, with nothing
of the user's configuration. What a time, a machine or a chance would put into the file is left out: timings, versions,
ids. Compared are bytes; what differs is told cell by cell.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click import unstyle

from measure.errors import BadInput
from measure.study.checkout import write_whole

FOLDER = "notebooks"
SECONDS = 300  # a cell that takes longer hangs
_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def names(folder: Path) -> list[str]:
    """The notebooks in a folder, in order."""
    return sorted(path.name for path in folder.glob("*.ipynb"))


def executed(path: Path) -> bytes:
    """The notebook run anew, in canonical bytes.

    Raises:
        BadInput: it is no notebook, a cell fails, or what runs notebooks is not installed.
    """
    nbformat, client, errors = _libraries()
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except OSError as problem:
        raise BadInput(problem.strerror or "unreadable", where=path.name) from None
    except Exception as problem:  # nbformat raises what its parsers raise
        raise BadInput(f"no notebook: {str(problem).splitlines()[0]}", where=path.name) from None
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for number, cell in enumerate(notebook.cells, start=1):
        cell["id"], cell["metadata"] = f"cell-{number:02}", nbformat.from_dict({})
    try:
        _execute(client, notebook, path.parent)
    except errors as problem:
        lines = [line for line in unstyle(str(problem)).splitlines() if line.strip()]
        failed = next((n for n, cell in enumerate(notebook.cells, start=1) if _failed(cell)), 0)
        # where no cell answered, the kernel died or a cell took too long
        said = f"cell {failed} fails: {lines[-1]}" if failed else f"a cell does not end: {lines[0]}"
        raise BadInput(said, where=path.name) from None
    for part in notebook.cells:
        part["metadata"] = nbformat.from_dict({})
    notebook.metadata = nbformat.from_dict(_METADATA)  # the kernel has put its version into it
    text: str = nbformat.writes(notebook)
    return (text.rstrip("\n") + "\n").encode()


def _execute(client: Any, notebook: Any, folder: Path) -> None:
    """Run all cells in a kernel of this Python, whatever kernels the user has installed."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    with tempfile.TemporaryDirectory() as empty:
        manager = AsyncKernelManager(kernel_name="python3")
        manager.kernel_spec_manager = KernelSpecManager(kernel_dirs=[])
        running = client(
            notebook,
            timeout=SECONDS,
            km=manager,
            record_timing=False,
            resources={"metadata": {"path": str(folder)}},
        )
        environment = {**os.environ, "IPYTHONDIR": empty, "NO_COLOR": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
        running.execute(env=environment, stderr=subprocess.DEVNULL)


def _failed(cell: Any) -> bool:
    return any(output.output_type == "error" for output in cell.get("outputs", ()))


def _libraries() -> tuple[Any, Any, tuple[type[Exception], ...]]:
    try:
        import nbformat
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    except ImportError:
        raise BadInput(
            "what runs notebooks is not installed", right="pip install '.[notebooks]' in the clone"
        ) from None
    return nbformat, NotebookClient, (CellExecutionError, CellTimeoutError, DeadKernelError)


def write(path: Path, data: bytes) -> None:
    """Replace a notebook, whole or not at all.

    Raises:
        BadInput: it cannot be written.
    """
    write_whole(path, data, path.name)


def differences(path: Path, now: bytes) -> Iterator[str]:
    """One line for each cell that is not as recorded; one where only the bytes differ."""
    nbformat, _, _ = _libraries()
    recorded = path.read_bytes()
    if recorded == now:
        return
    where = f"{FOLDER}/{path.name}"
    old, new = (nbformat.reads(data.decode(), as_version=4).cells for data in (recorded, now))
    found = False
    for number, (was, is_now) in enumerate(zip(old, new, strict=True), start=1):
        if was.cell_type == "code" and was.get("execution_count") != is_now.execution_count:
            found = True
            yield f"{where}  cell {number}  was not run in this order: {was.get('execution_count')}"
        elif was.get("outputs") != is_now.get("outputs"):
            found = True
            before, after = _first(_lines(was), _lines(is_now))
            yield f"{where}  cell {number}  recorded {before}  now {after}"
    if not found:
        yield f"{where}  same cells and outputs, other bytes: it was not written by `measure notebooks`"


def _lines(cell: Any) -> list[str]:
    """Every line of a cell's outputs, in whatever form."""
    texts = [one.get("text", "") for one in cell.outputs]
    texts += [one for output in cell.outputs for _, one in sorted(output.get("data", {}).items())]
    return [line for text in texts for line in str(text).splitlines()]


def _first(before: list[str], after: list[str]) -> tuple[str, str]:
    pairs = zip([*before, "nothing"], [*after, "nothing"], strict=False)
    was, now = next(((was, now) for was, now in pairs if was != now), ("other outputs", "these"))
    return repr(was.strip()[:80]), repr(now.strip()[:80])
