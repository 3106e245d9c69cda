"""What a mutant is, and the ways to damage a study's files: each gives a copy with one thing wrong."""

import json
from collections.abc import Callable
from typing import Any

import msgspec

from measure.errors import Refused
from measure.gates import Subject

Damage = Callable[[Subject], Subject]


class Mutant(msgspec.Struct, frozen=True):
    """One row: the gate that must go red, the damage in words, and the damage."""

    gate: str
    damage: str
    apply: Damage


def edited(path: str, damage: Callable[[bytes], bytes]) -> Damage:
    """Damage the bytes of one file."""

    def apply(subject: Subject) -> Subject:
        return msgspec.structs.replace(subject, files={**subject.files, path: damage(subject.files[path])})

    return apply


def edited_json(path: str, damage: Callable[[Any], object]) -> Damage:
    """Damage a JSON file in place, and write it in the store's form: only the value is wrong."""

    def edit(data: bytes) -> bytes:
        value = json.loads(data)
        damage(value)
        return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"

    return edited(path, edit)


def replaced(path: str, old: str, new: str) -> Damage:
    """Replace the first `old` in a text; that there is none is an error of the mutant's."""

    def edit(data: bytes) -> bytes:
        if old.encode() not in data:
            raise Refused(f"the mutant finds no {old!r} in {path}")
        return data.replace(old.encode(), new.encode(), 1)

    return edited(path, edit)


def at(*keys: str | int, to: object) -> Callable[[Any], object]:
    """Set one leaf; `to` may be a function of the old value."""

    def edit(value: Any) -> None:
        for key in keys[:-1]:
            value = value[key]
        value[keys[-1]] = to(value[keys[-1]]) if callable(to) else to

    return edit


def without(path: str) -> Damage:
    """Lose one file."""
    return lambda subject: msgspec.structs.replace(
        subject, files={name: data for name, data in subject.files.items() if name != path}
    )


def more(by: int) -> Callable[[int], int]:
    """A leaf's value and `by`."""
    return lambda value: value + by
