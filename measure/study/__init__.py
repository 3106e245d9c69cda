"""The study: fixtures in, tables out, handed to the store. `EXPERIMENTS` is the registry, in order of running.

An experiment is a pure function, and so is the whole of `measured`: files in memory go in, files come out.
Reading a checkout and writing results are done by `measure.study.checkout` and `measure.results`.
"""

from collections.abc import Callable, Mapping, Sequence
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
from measure.study.beyond import BEYOND
from measure.study.break_even import BREAK_EVEN
from measure.study.context.context import CONTEXT
from measure.study.context.published import CONTEXT_PUBLISHED
from measure.study.context.real import CONTEXT_REAL
from measure.study.experiment import Elsewhere, Experiment, Inputs
from measure.study.families import FAMILIES_COUNTED
from measure.study.formats import FORMATS_COMPARED
from measure.study.hunt import Mutants
from measure.study.ladder import LADDER
from measure.study.manifest import MANIFEST, PUBLISHED, unchanged
from measure.study.mcp.contexts import MCP_HOSTS
from measure.study.mcp.mcp import MCP
from measure.study.mcp.servers import MCP_SERVERS
from measure.study.mutants import MUTANTS
from measure.study.projections import PROJECTIONS
from measure.study.ranges import RANGES
from measure.study.replication import REPLICATION
from measure.tokens import VOCABULARIES, shipped

EXPERIMENTS: tuple[Experiment, ...] = (
    *(LADDER, RANGES, BREAK_EVEN, ALIASES),
    *(MCP, MCP_HOSTS, MCP_SERVERS),
    *(FORMATS_COMPARED, BEYOND, FAMILIES_COUNTED, PROJECTIONS),
    *(CONTEXT, CONTEXT_REAL, CONTEXT_PUBLISHED),
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
    return written(_tables(Inputs(files, elsewhere, {}, rungs), {}))


def _tables(inputs: Inputs, known: Mapping[str, Any]) -> dict[str, Any]:
    """Every experiment's table; those in `known` are taken as they are."""
    made: dict[str, Any] = {}
    for experiment in EXPERIMENTS:
        made[experiment.name] = known.get(experiment.name) or (
            experiment.run(msgspec.structs.replace(inputs, tables=made)) or _kept(experiment, inputs.files)
        )
    return made


class _Memory:
    """What was measured, by what it was made of: a broken rung has other steps, but no other formats."""

    def __init__(self) -> None:
        self._held: list[tuple[Files, Inputs, dict[str, Any]]] = []

    def tables(self, inputs: Inputs) -> dict[str, Any]:
        """Every table; measured again is what depends on rungs or on data that was not there before."""
        own = {path: data for path, data in inputs.files.items() if not path.startswith(f"{results.FOLDER}/")}
        known: dict[str, Any] = {}
        for made_of, other, made in self._held:
            if made_of == own:
                rungs, elsewhere = other.rungs == inputs.rungs, other.elsewhere == inputs.elsewhere
                same = [one for one in EXPERIMENTS if (rungs or not one.of_rungs) and (elsewhere or not one.needs[0])]
                known |= {one.name: made[one.name] for one in same if elsewhere or one.name != MANIFEST.name}
        tables = _tables(inputs, known)
        self._held.append((own, inputs, tables))
        return tables


def _kept(experiment: Experiment, files: Files) -> msgspec.Struct:
    """The recorded table of an experiment that cannot be measured here, if it is the one that was recorded."""
    path = results.path(experiment.name)
    needed, option = experiment.needs
    remedy = f"restore it, or measure it again with {option}"
    if path not in files:
        raise BadInput(f"missing, and {needed} is not here", where=path, right=remedy)
    unchanged(files, path, needed, option, (PUBLISHED, *experiment.rests_on))
    return results.table(files, experiment.name, experiment.table)


def written(tables: dict[str, Any]) -> dict[str, bytes]:
    """The files of these tables: each with its schema beside it."""
    files = {results.path(name): canonical(table) for name, table in tables.items()}
    return files | {results.schema_path(name): results.schema(TABLES[name]) for name in tables}


def subject(files: Files, elsewhere: Elsewhere, documents: Renderer, memory: _Memory | None = None) -> Subject:
    """These files as the gates see them. What is made of the same inputs is measured once, and is in `memory`."""
    remembering = memory or _Memory()

    def again(judged: Subject) -> dict[str, bytes]:
        return written(remembering.tables(Inputs(judged.files, elsewhere, {}, judged.rungs)))

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

    What the gates compare is measured a second time, but for texts that are remembered.

    Raises:
        BadInput: a fixture is missing or unreadable, or a table that cannot be measured here.
        Refused: a payload does not decode to its records, a gate is red, a mutant survived.
    """
    progress("measuring")
    complete = _without_hunt(files) | measured(files, elsewhere)
    complete |= documents(complete)
    memory = _Memory()
    red = [one for one in judge(subject(complete, elsewhere, documents, memory), progress) if not one.green]
    if red:
        raise Refused("; ".join(f"{one.gate.name} is red: {one.said[0]}" for one in red))
    complete |= written({"mutants": hunt_all(complete, documents, progress, memory)})
    return complete | documents(complete)


def check(
    files: Files, elsewhere: Elsewhere, documents: Renderer, progress: Progress = _silent
) -> tuple[list[Verdict], list[str]]:
    """What every gate says of the recorded files, and how the recorded hunt differs from one held now.

    The hunt is held on the study measured anew, so that an edited result does not disturb it.
    """
    memory = _Memory()
    verdicts = judge(subject(files, elsewhere, documents, memory), progress)
    try:
        anew = written(memory.tables(Inputs(files, elsewhere, {})))
        again = written({"mutants": hunt_all({**files, **anew}, documents, progress, memory)})
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


def hunt_all(files: Files, documents: Renderer, progress: Progress = _silent, memory: _Memory | None = None) -> Mutants:
    """Set every mutant on its gate. What is recorded of earlier hunts is left out, so it changes nothing.

    No mutant touches data that is no part of the project, so none is asked for.

    Raises:
        Refused: a mutant survived, or a gate has none.
    """
    bare = _without_hunt(files)
    return hunt.run(subject(bare | documents(bare), Elsewhere(), documents, memory), progress)


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
