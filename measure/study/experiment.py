"""What an experiment is: a name, a type of table, and a pure function from inputs to that table.

One whose inputs are not at hand keeps what was recorded, if that is what the results' manifest lists.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from measure import results
from measure.ladder import RUNGS, Rung
from measure.scenario import Files, content


class Elsewhere(msgspec.Struct, frozen=True):
    """Data that is no part of the project, where the caller has it; by the names of its files.

    `original` is that of the original study, `servers` holds the captured tool lists of public MCP servers, and
    `sessions` the transcripts of real agents.
    """

    original: Files | None = None
    servers: Files | None = None
    sessions: Files | None = None


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
    """One row of the registry. `run` gives None where its inputs are not at hand: `needs`, and the option for it.

    `of_rungs` says that the table depends on the ladder's registry, so that a mutant with a broken rung has another;
    `rests_on` names the files without whose recorded hash a table is not kept, beside the published facts.
    """

    name: str
    table: type[msgspec.Struct]
    run: Callable[[Inputs], msgspec.Struct | None]
    needs: tuple[str, str] = ("", "")
    of_rungs: bool = False
    rests_on: tuple[str, ...] = ()


def unchanged(files: Files, path: str) -> bool:
    """Whether this file is still the one that the recorded manifest lists.

    Raises:
        BadInput: there is no manifest.
    """
    recorded = json.loads(content(files, results.path("manifest")))["files"]
    named = {one["file"]: one["sha256"] for one in recorded}
    return named.get(path) == hashlib.sha256(content(files, path)).hexdigest()
