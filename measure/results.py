"""The store: how a table becomes a file in results/, how it is read, validated, compared, and written whole.

One file an experiment, its JSON Schema beside it. The schema is derived from the table's type, so shape and
code cannot part. The bytes are those of `measure.canonical`. Nothing here knows a time, a path or a machine.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from measure.canonical import canonical
from measure.errors import BadInput

FOLDER = "results"
FIGURES = "figures"  # a folder in it
Table = TypeVar("Table", bound=msgspec.Struct)

# What tells one record of a table from another: the first of these that it has whole.
_IDENTITIES = (
    ("shape", "cheaper", "dearer", "encoding", "other_encoding"),
    ("shape", "family", "cheaper_in_cl100k_base", "dearer_in_cl100k_base"),
    ("shape", "delimiter", "encoding"),
    ("family", "shape", "format"),
    ("ordering", "step", "rows", "encoding"),
    ("switch", "call", "rows", "revision", "encoding"),
    ("host", "server", "call", "encoding"),
    ("server", "revision", "rows", "call", "encoding"),
    ("contract", "text", "profile", "serialization", "encoding"),
    ("contract", "profile", "serialization", "encoding"),
    ("rung", "rows", "revision", "encoding"),
    ("variation", "rung", "encoding"),
    ("argument", "encoding"),
    ("session", "policy", "cache", "breakpoints", "prices"),
    ("policy", "of", "cache", "breakpoints", "prices"),
    ("session", "trigger", "cache", "breakpoints"),
    ("session", "cache", "breakpoints", "prices"),
    ("session", "breakpoints", "call"),
    ("session", "breakpoints"),
    ("session", "policy"),
    ("session", "file"),
    ("source", "figure"),
    ("source", "example"),
    ("kind",),
    ("model",),
    ("prices",),
    ("policy",),
    ("part",),
    ("rung", "rows", "encoding"),
    ("move", "rows", "encoding"),
    ("baseline", "contract", "contract_serialization"),
    ("output", "framing_tokens", "encoding"),
    ("name", "serialization", "encoding"),
    ("name", "encoding"),
    ("step", "encoding"),
    ("field", "type", "read_back_as"),
    ("field", "encoding"),
    ("format", "encoding"),
    ("shape", "encoding"),
    ("figure", "unit"),
    ("gate", "damage"),
    ("case", "reader"),
    ("queries",),
    ("rows",),
    ("encoding",),
    ("shape",),
    ("family",),
    ("format",),
    ("file",),
)


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
        known = dict(_name(new))
        for key in dict.fromkeys((*old, *new)):
            inner = f"{place}.{key}" if place else key
            yield from _leaves(old.get(key, _ABSENT), new.get(key, _ABSENT), inner, identity | known)
    elif isinstance(old, list) and isinstance(new, list):
        for index, was, now in _aligned(old, new):
            yield from _leaves(was, now, f"{place}[{index}]", identity)
    elif old is _ABSENT or new is _ABSENT or old != new or type(old) is not type(new):
        key = place.rpartition(".")[2]
        whole = dict(_name(new if old is _ABSENT else old))
        named = " ".join(f"{k}={v}" for k, v in (identity | whole).items() if k != key)
        yield place + (f"[{named}]" if named else ""), old, new


def _aligned(old: list[Any], new: list[Any]) -> Iterator[tuple[int, Any, Any]]:
    """Items side by side: by what identifies them where each has a name of its own, else by their places."""
    before: dict[Any, tuple[int, Any]]
    after: dict[Any, tuple[int, Any]]
    before, after = ({_name(item): (index, item) for index, item in enumerate(items)} for items in (old, new))
    if len(before) < len(old) or len(after) < len(new):
        before, after = ({index: (index, item) for index, item in enumerate(items)} for items in (old, new))
    for name in dict.fromkeys((*after, *before)):
        index, now = after.get(name, (before.get(name, (0,))[0], _ABSENT))
        yield index, before.get(name, (0, _ABSENT))[1], now


def _name(item: Any) -> tuple[tuple[str, Any], ...]:
    """What identifies a record, as pairs; nothing where it is none, or has no name of its own."""
    for keys in _IDENTITIES if isinstance(item, dict) else ():
        if all(isinstance(item.get(key), str | int) for key in keys):
            return tuple((key, item[key]) for key in keys)
    return ()


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "nothing"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, list | dict):
        return f"{len(value)} values" if isinstance(value, list) else "a record"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 70 else text[:67] + "..."


def read(folder: Path) -> dict[str, bytes]:
    """The files of a results folder and its figures, under the names that they have in a checkout.

    Hidden ones are not results.

    Raises:
        BadInput: there is no such folder, or it cannot be read.
    """
    try:
        return {f"{FOLDER}/{name}": (folder / name).read_bytes() for name in _names(folder)}
    except OSError as error:
        raise BadInput(
            error.strerror or "unreadable", where=str(folder), right="`measure run` writes results"
        ) from None


def _names(folder: Path, whole: bool = False) -> list[str]:
    """The files of a folder and of the figures in it, hidden ones left out; other folders too, to see them `whole`."""
    figures = folder / FIGURES
    there = [*folder.iterdir(), *(figures.iterdir() if figures.is_dir() else ())]
    visible = [file for file in sorted(there) if not file.name.startswith(".") and file != figures]
    return [file.relative_to(folder).as_posix() for file in visible if whole or file.is_file()]


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the results among `files` into `folder`: each to a hidden file first, and when all are there, rename.

    Whatever stops it, a file is the old one or the new one, and no hidden file is left. Only between two renames can
    the folder hold some of both, and then `measure check` says so.

    Raises:
        BadInput: the folder cannot be written, or holds files that are no results.
    """
    named = {name.removeprefix(f"{FOLDER}/"): data for name, data in files.items()}
    waiting = {name: (folder / name).with_name(f".{(folder / name).name}.writing") for name in named}
    try:
        _only_results(folder, named)
        for name in named:
            if (folder / name).is_dir():
                raise IsADirectoryError(0, f"{name} is a folder")
        for name, data in named.items():
            waiting[name].parent.mkdir(parents=True, exist_ok=True)
            waiting[name].write_bytes(data)
        for name, temporary in waiting.items():
            temporary.replace(folder / name)
    except OSError as error:
        raise BadInput(
            f"cannot be written ({error.strerror})", where=str(folder), right="name another with --results"
        ) from None
    finally:
        for temporary in waiting.values():
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _only_results(folder: Path, named: Mapping[str, bytes]) -> None:
    """Refuse a folder of something else: results would mix with it, or overwrite it."""
    foreign = [name for name in (_names(folder, whole=True) if folder.exists() else ()) if name not in named]
    if foreign:
        shown = ", ".join(foreign[:3])
        raise BadInput(f"holds what is no result: {shown}", where=str(folder), right="name an empty folder")
