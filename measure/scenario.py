"""The study's scenario: which records, which fields, which aliases. Parsed from fixtures' bytes, never from disk.

`Files` is how the study sees a checkout: relative paths and bytes, read once by `study`. Whatever checks the
study works on such a mapping, so a damaged copy costs nothing to make and touches no disk.
"""

import io
import tomllib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Annotated

import msgspec

from measure.errors import BadInput
from measure.query.dataset import Dataset, Settings
from measure.reading import read
from measure.records import RecordSet

Files = Mapping[str, bytes]

SCENARIO = "fixtures/scenario.toml"
MANIFEST = "fixtures/manifest.json"
CAPTURES = "fixtures/mcp"
_SCRIPTS = ("generate.py", "generate_shapes.py", "generate_sessions.py", "capture.py", "capture_hosts.py")
PRICES = "fixtures/prices.toml"
TRANSCRIPTS = "fixtures/transcripts.toml"
_HAND_WRITTEN = (SCENARIO, PRICES, TRANSCRIPTS, "fixtures/shapes.toml", *(f"fixtures/{script}" for script in _SCRIPTS))


class AliasCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another header over the same tasks: the schema, a task's field by column, the aliases of the columns."""

    case: str
    schema: list[str]
    fields: dict[str, str]
    aliases: dict[str, str]


class OtherTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The aliases of a second tool, by its fields."""

    case: str
    aliases: dict[str, str]


class MutationParameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A parameter of a mutation; `values` are those that it may have, none where any will do."""

    name: str
    type: str
    required: bool
    description: str
    values: list[str] = []


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An operation of the example command-line tool that changes something."""

    name: str
    description: str
    destructive: bool
    idempotent: bool
    parameters: list[MutationParameter]


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/scenario.toml`, field by field."""

    scales: Annotated[list[int], msgspec.Meta(min_length=1)]
    encodings: Annotated[list[str], msgspec.Meta(min_length=1)]
    full: list[str]
    projected: list[str]
    query: str
    full_query: str
    legend: str
    aliases: dict[str, str]
    layer: Settings
    alias_cases: list[AliasCase]
    other_tools: list[OtherTool]
    mutations: list[Mutation]


class FixtureFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the fixtures' manifest says of one file."""

    file: str
    sha256: str
    bytes: int
    rows: int
    records_sha256: str


class FixtureManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/manifest.json`, field by field."""

    seed: int
    evidence: str
    files: list[FixtureFile]


def scenario(files: Files) -> Scenario:
    """The scenario in `files`.

    Raises:
        BadInput: it is missing, or not what `Scenario` describes.
    """
    try:
        return msgspec.convert(tomllib.loads(content(files, SCENARIO).decode()), Scenario)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(str(error), where=SCENARIO) from None


def manifest(files: Files) -> FixtureManifest:
    """The fixtures' manifest in `files`.

    Raises:
        BadInput: it is missing, or not what `FixtureManifest` describes.
    """
    try:
        return msgspec.json.decode(content(files, MANIFEST), type=FixtureManifest)
    except msgspec.MsgspecError as error:
        raise BadInput(str(error), where=MANIFEST) from None


def tasks(files: Files, rows: int) -> RecordSet:
    """The study's records at one scale.

    Raises:
        BadInput: the file is missing, or holds no record set.
    """
    path = tasks_path(rows)
    return read(io.BytesIO(content(files, path)), path, ".json")


def dataset(files: Files, rows: int) -> Dataset:
    """The records at one scale, as the query layer holds them.

    Raises:
        BadInput: the file is missing, holds no record set, or lacks a field that the layer names.
    """
    return Dataset.of(tasks(files, rows), scenario(files).layer, SCENARIO)


def tasks_path(rows: int) -> str:
    """Where the records of one scale stand."""
    return f"fixtures/tasks-{rows}.json"


def generated(files: Files) -> list[str]:
    """The fixture files that the manifest must list."""
    listed = (path for path in files if PurePosixPath(path).parent.name == "fixtures" and path != MANIFEST)
    return sorted(path for path in listed if path not in _HAND_WRITTEN)


def content(files: Files, path: str) -> bytes:
    """The bytes of `path`.

    Raises:
        BadInput: there is no such file.
    """
    try:
        return files[path]
    except KeyError:
        raise BadInput("no such file", where=path) from None
