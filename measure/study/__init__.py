"""The study: fixtures in, tables out, handed to the store. `EXPERIMENTS` is the registry, in order of running.

An experiment is a pure function, and so is the whole of `measured`: files in memory go in, files come out.
Reading a checkout and writing results are done by `measure.study.checkout` and `measure.results`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from measure import results
from measure.canonical import canonical
from measure.errors import BadInput, MeasureError, Refused
from measure.gates import GATES, Subject, Verdict, verdict
from measure.ladder import RUNGS, Rung
from measure.scenario import Files
from measure.study import hunt
from measure.study.aliases import ALIASES
from measure.study.break_even import BREAK_EVEN
from measure.study.experiment import Elsewhere, Experiment, Inputs
from measure.study.hunt import Mutants
from measure.study.ladder import LADDER
from measure.study.manifest import MANIFEST, unchanged
from measure.study.mcp.contexts import MCP_HOSTS
from measure.study.mcp.mcp import MCP
from measure.study.mcp.servers import MCP_SERVERS
from measure.study.mutants import MUTANTS
from measure.study.ranges import RANGES
from measure.study.replication import REPLICATION
from measure.tokens import VOCABULARIES, shipped

EXPERIMENTS: tuple[Experiment, ...] = (
    *(LADDER, RANGES, BREAK_EVEN, ALIASES),
    *(MCP, MCP_HOSTS, MCP_SERVERS),
    *(REPLICATION, MANIFEST),
)
TABLES: dict[str, type[msgspec.Struct]] = {
    **{experiment.name: experiment.table for experiment in EXPERIMENTS},
    "mutants": Mutants,
}

STAGES = 1 + len(GATES) + len(MUTANTS)  # for a progress bar

Renderer = Callable[[Files], dict[str, bytes]]
Progress = Callable[[str], None]


def _silent(_: str) -> None:
    """The progress that nobody watches."""


def measured(files: Files, elsewhere: Elsewhere, rungs: Sequence[Rung] = RUNGS) -> dict[str, bytes]:
    """Run every experiment on the fixtures in `files`; the results' files and their schemas.

    An experiment whose inputs are not at hand keeps the table that `files` has of it.

    Raises:
        BadInput: a fixture is missing or unreadable, or a table that cannot be measured here.
        Refused: a payload does not decode to its records.
    """
    made: dict[str, Any] = {}
    for experiment in EXPERIMENTS:
        made[experiment.name] = experiment.run(Inputs(files, elsewhere, made, rungs)) or _kept(experiment, files)
    return written(made)


def _kept(experiment: Experiment, files: Files) -> msgspec.Struct:
    """The recorded table of an experiment that cannot be measured here, if it is the one that was recorded."""
    path = results.path(experiment.name)
    needed, option = experiment.needs
    remedy = f"restore it, or measure it again with {option}"
    if path not in files:
        raise BadInput(f"missing, and {needed} is not here", where=path, right=remedy)
    unchanged(files, path, needed, option)
    return results.table(files, experiment.name, experiment.table)


def written(tables: dict[str, Any]) -> dict[str, bytes]:
    """The files of these tables: each with its schema beside it."""
    files = {results.path(name): canonical(table) for name, table in tables.items()}
    return files | {results.schema_path(name): results.schema(TABLES[name]) for name in tables}


def subject(files: Files, elsewhere: Elsewhere, documents: Renderer) -> Subject:
    """These files as the gates see them. What is made of the same inputs by the same rungs is measured once."""
    known: list[tuple[Files, Sequence[Rung], dict[str, bytes]]] = []

    def again(judged: Subject) -> dict[str, bytes]:
        inputs = {path: data for path, data in judged.files.items() if not path.startswith(f"{results.FOLDER}/")}
        for held, rungs, made in known:
            if held == inputs and rungs == judged.rungs:
                return made
        made = measured(judged.files, elsewhere, judged.rungs)
        known.append((inputs, judged.rungs, made))
        return made

    return Subject(
        files=files,
        tables=TABLES,
        rungs=RUNGS,
        vocabularies={name: shipped(row) for name, row in VOCABULARIES.items()},
        again=again,
        documents=documents,
    )


def record(files: Files, elsewhere: Elsewhere, documents: Renderer, progress: Progress = _silent) -> dict[str, bytes]:
    """Measure, judge, hunt: every file of the study as it should be after `measure run`.

    Raises:
        BadInput: a fixture is missing or unreadable, or a table that cannot be measured here.
        Refused: a payload does not decode to its records, a gate is red, a mutant survived.
    """
    progress("measuring")
    complete = _without_hunt(files) | measured(files, elsewhere)
    complete |= documents(complete)
    red = [one for one in judge(subject(complete, elsewhere, documents), progress) if not one.green]
    if red:
        raise Refused("; ".join(f"{one.gate.name} is red: {one.said[0]}" for one in red))
    complete |= written({"mutants": hunt_all(complete, documents, progress)})
    return complete | documents(complete)


def check(
    files: Files, elsewhere: Elsewhere, documents: Renderer, progress: Progress = _silent
) -> tuple[list[Verdict], list[str]]:
    """What every gate says of the recorded files, and how the recorded hunt differs from one held now.

    The hunt is held on the study measured anew, so that an edited result does not disturb it.
    """
    verdicts = judge(subject(files, elsewhere, documents), progress)
    try:
        again = written({"mutants": hunt_all({**files, **measured(files, elsewhere)}, documents, progress)})
    except MeasureError as error:
        return verdicts, [f"no hunt: {error}"]
    drifts = [line for path, data in again.items() for line in results.differences(path, files.get(path, b""), data)]
    return verdicts, drifts


def judge(judged: Subject, progress: Progress = _silent) -> list[Verdict]:
    """What every gate says, in the order of the table."""
    verdicts = []
    for gate in GATES:
        progress(f"gate {gate.name}")
        verdicts.append(verdict(gate, judged))
    return verdicts


def hunt_all(files: Files, documents: Renderer, progress: Progress = _silent) -> Mutants:
    """Set every mutant on its gate. What is recorded of earlier hunts is left out, so it changes nothing.

    No mutant touches data that is no part of the project, so none is asked for.

    Raises:
        Refused: a mutant survived, or a gate has none.
    """
    bare = _without_hunt(files)
    return hunt.run(subject(bare | documents(bare), Elsewhere(), documents), progress)


def _without_hunt(files: Files) -> dict[str, bytes]:
    own = (results.path("mutants"), results.schema_path("mutants"))
    return {path: data for path, data in files.items() if path not in own}


__all__ = [
    "EXPERIMENTS",
    "STAGES",
    "TABLES",
    "check",
    "hunt_all",
    "judge",
    "measured",
    "record",
    "subject",
]
