"""Experiment: what the results belong to. Versions and hashes; no time, no machine, no Python version."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from measure import results
from measure.canonical import canonical
from measure.errors import Refused
from measure.scenario import CAPTURES, PRICES, SCENARIO, TRANSCRIPTS, Files, content, generated
from measure.scenario import MANIFEST as MANIFEST_OF_FIXTURES
from measure.sessions import SESSIONS_MANIFEST
from measure.shapes import SHAPES, SHAPES_MANIFEST
from measure.study.experiment import Experiment, Inputs
from measure.study.published import facts
from measure.tokens import VOCABULARIES, authority

LOCK = "requirements.lock"
PUBLISHED = "measure/study/published.toml"
PUBLISHED_CONTEXT = "measure/study/context/published.toml"
_OF_FIXTURES = (MANIFEST_OF_FIXTURES, SCENARIO, SHAPES, SHAPES_MANIFEST, SESSIONS_MANIFEST, PRICES, TRANSCRIPTS)
_CAPTURED = tuple(f"{CAPTURES}/{name}" for name in ("manifest.json", "hosts.json", "servers.toml"))


class HashedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file and its SHA-256; the path is that in the checkout."""

    file: str
    sha256: str


class HashedVocabulary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An encoding and the SHA-256 of its vocabulary."""

    encoding: str
    sha256: str


class Versions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The versions that a count depends on."""

    tiktoken: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Inputs, vocabularies, lock, published facts and results, each with its hash."""

    evidence: Literal["measured"]
    command: str
    versions: Versions
    vocabularies: list[HashedVocabulary]
    files: list[HashedFile]


def run(inputs: Inputs) -> Manifest:
    """Hash the inputs and the tables that the experiments before this one made."""
    listed = {path: content(inputs.files, path) for path in (LOCK, *_OF_FIXTURES, *_CAPTURED)}
    listed |= {path: inputs.files[path] for path in generated(inputs.files)}
    listed |= {PUBLISHED: facts(), PUBLISHED_CONTEXT: facts("context/published.toml"), **tables(inputs.tables)}
    return Manifest(
        evidence="measured",
        command="measure run",
        versions=Versions(authority(*VOCABULARIES).removeprefix("tiktoken ")),
        vocabularies=[HashedVocabulary(row.name, row.sha256) for row in VOCABULARIES.values()],
        files=[HashedFile(path, hashlib.sha256(data).hexdigest()) for path, data in sorted(listed.items())],
    )


def unchanged(
    files: Files, path: str, needed: str, option: str = "--captures DIR", rests_on: Sequence[str] = (PUBLISHED,)
) -> None:
    """See that a recorded table is the one that was recorded, and of the facts and fixtures that are here.

    Raises:
        Refused: one of them has another hash than the recorded manifest says.
        BadInput: there is no such manifest, or one is missing.
    """
    listed = {one.file: one.sha256 for one in results.table(files, MANIFEST.name, Manifest).files}
    for name in (path, *rests_on):
        if hashlib.sha256(content({**files, PUBLISHED: facts()}, name)).hexdigest() != listed.get(name):
            remedy = f"restore it, or measure it again with {option}"
            raise Refused(f"{name}: changed since {path} was measured, and {needed} is not here; {remedy}")


def tables(made: Mapping[str, msgspec.Struct]) -> Files:
    """The canonical bytes of the tables, under their paths."""
    return {results.path(name): canonical(table) for name, table in made.items()}


MANIFEST = Experiment("manifest", Manifest, run, of_rungs=True)
