"""The store: how a table becomes a file in results/, how it is read, validated, compared, and written whole.

One file an experiment, its JSON Schema beside it. The schema is derived from the table's type, so shape and
code cannot part. The bytes are those of `measure.canonical`. Nothing here knows a time, a path or a machine.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from measure.canonical import canonical
from measure.errors import BadInput

FOLDER = "results"
Table = TypeVar("Table", bound=msgspec.Struct)

_IDENTITY = ("ordering", "step", "rung", "rows", "encoding", "figure", "gate", "file")


def path(name: str) -> str:
    """Where the table `name` stands."""
    return f"{FOLDER}/{name}.json"


def schema_path(name: str) -> str:
    """Where the table's JSON Schema stands."""
    return f"{FOLDER}/{name}.schema.json"


def schema(table: type[msgspec.Struct]) -> bytes:
    """The JSON Schema (draft 2020-12) of a table's type; unknown properties are refused throughout."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **msgspec.json.schema(table),
    }
    return canonical(described)


def table(files: Mapping[str, bytes], name: str, kind: type[Table]) -> Table:
    """The table `name` in `files`, as its type.

    Raises:
        BadInput: it is missing or not of that type; with the place.
    """
    try:
        return msgspec.json.decode(files[path(name)], type=kind)
    except KeyError:
        raise BadInput("missing", where=path(name), right="`measure run` writes it") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(str(error), where=path(name)) from None


def differences(name: str, recorded: bytes, measured: bytes) -> Iterator[str]:
    """One line for each leaf in which a recorded file differs from the file measured now."""
    if recorded == measured:
        return
    try:
        old, new = json.loads(recorded), json.loads(measured)
    except ValueError:
        yield f"{name}  is not JSON, or not the recorded text"
        return
    found = False
    for place, was, now in _leaves(old, new, "", {}):
        found = True
        yield f"{name}  {place}  recorded {_shown(was)}  measured {_shown(now)}"
    if not found:
        yield f"{name}  same values, other bytes: it was not written by `measure run`"


_ABSENT: Any = object()


def _leaves(old: Any, new: Any, place: str, identity: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        known = {key: new[key] for key in _IDENTITY if isinstance(new.get(key), str | int)}
        for key in dict.fromkeys((*old, *new)):
            inner = f"{place}.{key}" if place else key
            yield from _leaves(old.get(key, _ABSENT), new.get(key, _ABSENT), inner, identity | known)
    elif isinstance(old, list) and isinstance(new, list):
        for index in range(max(len(old), len(new))):
            was, now = (items[index] if index < len(items) else _ABSENT for items in (old, new))
            yield from _leaves(was, now, f"{place}[{index}]", identity)
    elif old is _ABSENT or new is _ABSENT or old != new or type(old) is not type(new):
        key = place.rpartition(".")[2]
        named = " ".join(f"{k}={v}" for k, v in identity.items() if k != key)
        yield place + (f"[{named}]" if named else ""), old, new


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "nothing"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 70 else text[:67] + "..."


def read(folder: Path) -> dict[str, bytes]:
    """The files of a results folder, under the names that they have in a checkout.

    Raises:
        BadInput: there is no such folder, or it cannot be read.
    """
    try:
        return {f"{FOLDER}/{file.name}": file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}
    except OSError as error:
        raise BadInput(
            error.strerror or "unreadable", where=str(folder), right="`measure run` writes results"
        ) from None


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the results among `files` into `folder`, each first to a temporary file, and then rename them.

    Raises:
        BadInput: the folder cannot be written; then none of the files has changed.
    """
    named = {name.removeprefix(f"{FOLDER}/"): data for name, data in files.items()}
    waiting = {name: folder / f".{name}.writing" for name in named}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in named.items():
            waiting[name].write_bytes(data)
        for name, temporary in waiting.items():
            temporary.replace(folder / name)
    except OSError as error:
        _remove(waiting.values())
        raise BadInput(
            f"cannot be written ({error.strerror})", where=str(folder), right="name another with --results"
        ) from None


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink(missing_ok=True)
