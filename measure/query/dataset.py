"""What can be asked of a record set: its fields and their types, presets, what may be filtered and sorted by.

All of it is inferred from the rows, or named in a small TOML file where the rows do not say enough:

    id = "key"                      # what get(…) looks up; by default "id", else the first field without repeats
    default = ["minimal"]           # what a statement without a projection gives; by default every field
    filterable = ["status"]         # by default every field whose values are not nested
    sortable = ["status"]           # the same
    [types]
    points = "integer"              # what the cells of a CSV file are; by default what all of a column's cells are
    [presets]
    minimal = ["key", "status"]     # a preset may name presets, to any depth, but never itself
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from measure.errors import BadInput
from measure.query.cells import typed
from measure.records import RecordSet
from measure.values import TYPE_NAMES, plain

NESTED = {"array", "object"}


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The TOML file, key by key; what it leaves out is inferred."""

    id: str | None = None
    default: list[str] | None = None
    filterable: list[str] | None = None
    sortable: list[str] | None = None
    presets: dict[str, list[str]] = {}
    types: dict[str, Literal["string", "integer", "number", "boolean"]] = {}


class Dataset(msgspec.Struct, frozen=True):
    """A record set and what can be asked of it.

    `default` and `presets` are as they were named; `expanded` holds the fields of each preset. `places` finds a
    record by its identifier, and `repeated` holds the identifiers that more than one record has.
    """

    records: RecordSet
    types: dict[str, str]
    id: str
    default: tuple[str, ...]
    filterable: tuple[str, ...]
    sortable: tuple[str, ...]
    presets: dict[str, tuple[str, ...]]
    expanded: dict[str, tuple[str, ...]]
    places: dict[str, int]
    repeated: frozenset[str]

    @classmethod
    def of(cls, records: RecordSet, settings: Settings | None = None, where: str = "") -> "Dataset":
        """The data set of these records; what `settings` does not name is inferred.

        Raises:
            BadInput: the settings name a field that is not there or cannot be filtered by, a preset that is empty or
                contains itself, or a type that a cell has not.
        """
        named = settings or Settings()
        for key, fields in (
            ("id", [named.id] if named.id else []),
            ("types", list(named.types)),
            ("filterable", named.filterable or []),
            ("sortable", named.sortable or []),
        ):
            _known(key, fields, records.fields, where)
        records = typed(records, named.types, where)
        types = _types(records)
        flat = [field for field, kind in types.items() if not NESTED.intersection(kind.split(" or "))]
        identifier = named.id or _identifying(records)
        expanded = _expanded(named.presets, records.fields, where)
        made = cls(
            records=records,
            types=types,
            id=identifier,
            default=tuple(named.default or records.fields),
            filterable=tuple(_filterable(flat) if named.filterable is None else named.filterable),
            sortable=tuple(flat if named.sortable is None else named.sortable),
            presets={name: tuple(members) for name, members in named.presets.items()},
            expanded=expanded,
            **_index(records, identifier),
        )
        reserved = [field for field in made.filterable if field not in _filterable(made.filterable)]
        if reserved:
            raise BadInput(f"filterable names {reserved[0]!r}, which an argument of list means already", where=where)
        try:
            made.expand(made.default)
        except BadInput as error:
            raise BadInput(f"default: {error}", where=where) from None
        return made

    def expand(self, words: Sequence[str]) -> tuple[str, ...]:
        """The fields that `words` (fields and presets) name, each once, in the order in which they first appear.

        Raises:
            BadInput: a word that is neither; with those that are.
        """
        fields: dict[str, None] = {}
        for word in words:  # a preset shadows a field of its name
            if word not in self.expanded and word not in self.types:
                raise BadInput(f"unknown field or preset {word!r}", right=f"known: {', '.join(self.names())}")
            fields |= dict.fromkeys(self.expanded.get(word, (word,)))
        return tuple(fields)

    def names(self) -> list[str]:
        """Everything that a projection may name: fields, then presets."""
        return list(dict.fromkeys((*self.types, *self.presets)))


def settings(table: Mapping[str, object], where: str) -> Settings:
    """Settings out of a parsed TOML file.

    Raises:
        BadInput: an unknown key, or a value of the wrong type.
    """
    try:
        return msgspec.convert(table, Settings)
    except msgspec.ValidationError as error:
        raise BadInput(str(error), where=where) from None


def _types(records: RecordSet) -> dict[str, str]:
    """For each field the types of its values, in the order in which they first appear, joined by " or "."""
    found: dict[str, dict[str, None]] = {field: {} for field in records.fields}
    for row in records.rows():
        for field, value in zip(records.fields, row, strict=True):
            found[field][TYPE_NAMES[type(value)]] = None
    return {field: " or ".join(kinds) for field, kinds in found.items()}


def _identifying(records: RecordSet) -> str:
    """The field `id`, else the first whose values never repeat, else the first."""
    if "id" in records.fields:
        return "id"
    for field in records.fields:
        values = [str(value) for (value,) in records.rows([field])]
        if len(set(values)) == len(values):
            return field
    return records.fields[0]


def _known(key: str, fields: Sequence[str], known: Sequence[str], where: str) -> None:
    for field in fields:
        if field not in known:
            raise BadInput(f"{key} names the unknown field {field!r}", where=where, right=f"known: {', '.join(known)}")


def _filterable(fields: Sequence[str]) -> list[str]:
    """Those of `fields` whose names mean nothing else to an operation."""
    return [field for field in fields if field not in ("skip", "take") and not field.startswith("sort_")]


def _index(records: RecordSet, identifier: str) -> dict[str, Any]:
    places: dict[str, int] = {}
    repeated = set()
    for place, (value,) in enumerate(records.rows([identifier])):
        if places.setdefault(plain(value), place) != place:
            repeated.add(plain(value))
    return {"places": places, "repeated": frozenset(repeated)}


def _expanded(presets: Mapping[str, Sequence[str]], fields: Sequence[str], where: str) -> dict[str, tuple[str, ...]]:
    """The fields of every preset, each expanded once, however deep they nest."""
    done: dict[str, tuple[str, ...]] = {}
    for root in presets:
        path = [root]
        while path:
            name = path[-1]
            unknown = [word for word in presets[name] if word not in presets and word not in fields]
            if unknown or not presets[name]:
                what = f"unknown field or preset {unknown[0]!r}" if unknown else "it names no field"
                raise BadInput(f"the preset {name!r}: {what}", where=where, right=f"known: {', '.join(fields)}")
            waiting = [word for word in presets[name] if word in presets and word not in done]
            if waiting and waiting[0] in path:
                around = path[path.index(waiting[0]) :]
                raise BadInput(
                    f"the preset {waiting[0]!r} contains itself: {' > '.join((*around, waiting[0]))}", where=where
                )
            if waiting:
                path.append(waiting[0])
            else:
                members = (done[word] if word in presets else (word,) for word in presets[name])
                done[path.pop()] = tuple(dict.fromkeys(field for some in members for field in some))
    return done
