"""A checkout on disk: found, and read into memory once. The only reader of fixtures/."""

import os
from pathlib import Path

from measure.errors import BadInput
from measure.scenario import CAPTURES, SCENARIO
from measure.sessions import SESSIONS_FOLDER
from measure.shapes import SHAPES_FOLDER
from measure.study.experiment import Elsewhere
from measure.study.manifest import PUBLISHED, PUBLISHED_CONTEXT
from measure.study.published import facts
from measure.study.replication import needed, wished

ORIGINAL_VARIABLE = "CONTEXT_LADDER_ORIGINAL"
CAPTURES_VARIABLE = "CONTEXT_LADDER_MCP_CAPTURES"
TRANSCRIPTS_VARIABLE = "CONTEXT_LADDER_TRANSCRIPTS"
_BESIDE = ("README.md", "requirements.lock")  # without these a checkout is not whole


def root() -> Path:
    """The checkout that the working directory lies in.

    Raises:
        BadInput: it lies in none.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / SCENARIO).is_file():
            return folder
    raise BadInput(
        f"no {SCENARIO} in this folder or above it",
        right="the study runs in a clone of context-ladder; `measure ladder FILE` runs anywhere",
    )


def fixtures(folder: Path) -> dict[str, bytes]:
    """The inputs in the checkout `folder`: fixtures, captures, shapes, sessions, README, lock; and published facts.

    Raises:
        BadInput: one cannot be read.
    """
    folders = [folder / "fixtures", folder / CAPTURES, folder / SHAPES_FOLDER, folder / SESSIONS_FOLDER]
    paths = [path for one in folders if one.is_dir() for path in sorted(one.iterdir()) if path.is_file()]
    paths += [folder / name for name in _BESIDE]
    files = {path.relative_to(folder).as_posix(): _bytes(path) for path in paths}
    return {**files, PUBLISHED: facts(), PUBLISHED_CONTEXT: facts("context/published.toml")}


def elsewhere(original: Path | None, captures: Path | None, transcripts: Path | None) -> Elsewhere:
    """What the three folders hold that are no part of the project; where one is None, its variable may name it.

    Raises:
        BadInput: a folder lacks a file.
    """
    study, servers = original or _named(ORIGINAL_VARIABLE), captures or _named(CAPTURES_VARIABLE)
    agents = transcripts or _named(TRANSCRIPTS_VARIABLE)
    return Elsewhere(
        original=originals(study) if study else None,
        servers=captured_servers(servers) if servers else None,
        sessions=sessions(agents) if agents else None,
    )


def sessions(folder: Path) -> dict[str, bytes]:
    """The transcripts in `folder`, by their files' names.

    Raises:
        BadInput: there is no such folder, or a file is unreadable.
    """
    try:
        return {path.name: _bytes(path) for path in sorted(folder.iterdir()) if path.is_file()}
    except OSError as error:
        raise BadInput(error.strerror or "unreadable", where=str(folder)) from None


def captured_servers(folder: Path) -> dict[str, bytes]:
    """The captured tool lists in `folder`, by their files' names.

    Raises:
        BadInput: there is no such folder, or a file is unreadable.
    """
    try:
        return {path.name: _bytes(path) for path in sorted(folder.iterdir()) if path.suffix == ".json"}
    except OSError as error:
        raise BadInput(error.strerror or "unreadable", where=str(folder)) from None


def originals(folder: Path) -> dict[str, bytes]:
    """The original study's data in `folder`, by its files' names.

    Raises:
        BadInput: a file that is needed is missing or unreadable.
    """
    there = [name for name in wished() if (folder / name).is_file()]
    return {name: _bytes(folder / name) for name in (*needed(), *there)}


def write_readme(folder: Path, text: bytes) -> None:
    """Renew the README of the checkout `folder`, whole or not at all.

    Raises:
        BadInput: it cannot be written.
    """
    write_whole(folder / "README.md", text, str(folder / "README.md"))


def write_whole(path: Path, data: bytes, where: str) -> None:
    """Write a file whole or not at all; `where` names it in the message.

    Raises:
        BadInput: it cannot be written.
    """
    waiting = path.with_name(f".{path.name}.writing")
    try:
        waiting.write_bytes(data)
        waiting.replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", where=where) from None


def _named(variable: str) -> Path | None:
    named = os.environ.get(variable)
    return Path(named) if named else None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(error.strerror or "unreadable", where=str(path)) from None
