"""A progress bar on standard error, where a person is looking at a terminal; nothing anywhere else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(stages: int) -> Iterator[Callable[[str], None]]:
    """A function to call with the name of each stage as it begins; `stages` is how many there are; none, no bar."""
    if not stages or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        BarColumn(bar_width=20),
        TextColumn("{task.completed}/{task.total}"),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=stages)
        yield lambda name: bar.update(task, advance=1, description=name)
