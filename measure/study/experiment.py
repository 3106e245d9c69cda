"""What an experiment is: a name, a type of table, and a pure function from inputs to that table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from measure.ladder import RUNGS, Rung
from measure.scenario import Files


class Inputs(msgspec.Struct, frozen=True):
    """Everything that an experiment may look at.

    `files` is the checkout (fixtures, lock), `original` the original study's data where the caller has it,
    `tables` what the experiments before this one measured, and `rungs` the ladder's registry.
    """

    files: Files
    original: Files | None
    tables: Mapping[str, Any]
    rungs: Sequence[Rung] = RUNGS


class Experiment(msgspec.Struct, frozen=True):
    """One row of the registry. `run` gives None where its inputs are not at hand."""

    name: str
    table: type[msgspec.Struct]
    run: Callable[[Inputs], msgspec.Struct | None]
