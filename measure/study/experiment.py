"""What an experiment is: a name, a type of table, and a pure function from inputs to that table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from measure.ladder import RUNGS, Rung
from measure.scenario import Files


class Elsewhere(msgspec.Struct, frozen=True):
    """Data that is no part of the project, where the caller has it; by the names of its files.

    `original` is that of the original study, `servers` holds the captured tool lists of public MCP servers.
    """

    original: Files | None = None
    servers: Files | None = None


class Inputs(msgspec.Struct, frozen=True):
    """Everything that an experiment may look at.

    `files` is the checkout (fixtures, lock, recorded results), `tables` what the experiments before this one measured,
    and `rungs` the ladder's registry.
    """

    files: Files
    elsewhere: Elsewhere
    tables: Mapping[str, Any]
    rungs: Sequence[Rung] = RUNGS


class Experiment(msgspec.Struct, frozen=True):
    """One row of the registry. `run` gives None where its inputs are not at hand: `needs`, and the option for it."""

    name: str
    table: type[msgspec.Struct]
    run: Callable[[Inputs], msgspec.Struct | None]
    needs: tuple[str, str] = ("", "")
