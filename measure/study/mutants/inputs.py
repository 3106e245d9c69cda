"""Mutants of what goes in: fixtures, scenario, aliases, vocabularies."""

import msgspec

from measure.gates import Subject
from measure.study.damage import Mutant, edited, edited_json, replaced

_TASKS_5 = "fixtures/tasks-5.json"
_TASKS_20 = "fixtures/tasks-20.json"
_SPARSE = "fixtures/shapes/sparse.json"
_SCENARIO = "fixtures/scenario.toml"


def _flip_vocabulary_byte(subject: Subject) -> Subject:
    data = subject.vocabularies["cl100k_base"]
    damaged = {**subject.vocabularies, "cl100k_base": b"J" + data[1:]}
    return msgspec.structs.replace(subject, vocabularies=damaged)


MUTANTS = (
    Mutant("fixtures", "one byte of a fixture", replaced(_TASKS_5, "TASK-0003", "TASK-0008")),
    Mutant("fixtures", "a row dropped from a fixture", edited_json(_TASKS_20, lambda rows: rows.pop(7))),
    Mutant(
        "fixtures",
        "a fixture that the manifest does not list",
        lambda s: msgspec.structs.replace(s, files={**s.files, "fixtures/tasks-7.json": b"[]"}),
    ),
    Mutant("fixtures", "one byte of a shape", replaced(_SPARSE, "S-003", "S-008")),
    Mutant(
        "scales",
        "two rows of the 20 exchanged",
        edited_json(_TASKS_20, lambda rows: rows.insert(0, rows.pop(1))),
    ),
    Mutant("scales", "a row missing at 5 rows", edited_json(_TASKS_5, lambda rows: rows.pop())),
    Mutant("scenario", "the query names other fields", replaced(_SCENARIO, "{ id status", "{ id name")),
    Mutant("scenario", "the legend lacks an alias", replaced(_SCENARIO, "s = status\n", "")),
    Mutant(
        "scenario",
        "a field renamed in a fixture",
        edited(_TASKS_5, lambda data: data.replace(b'"updated"', b'"changed"')),
    ),
    Mutant("aliases", "two columns on one alias", replaced(_SCENARIO, 'status = "s"', 'status = "i"')),
    Mutant("aliases", "an alias that shortens nothing", replaced(_SCENARIO, 'id = "i"', 'id = "id"')),
    Mutant("aliases", "a column without an alias", replaced(_SCENARIO, 'assignee = "a"\n', "")),
    Mutant("vocabulary", "one byte of a vocabulary", _flip_vocabulary_byte),
)
