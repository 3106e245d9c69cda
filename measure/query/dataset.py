"""What can be asked of a record set: its fields and their types, presets, what may be filtered and sorted by.

All of it is inferred from the rows, or named in a small TOML file where the rows do not say enough:

    id = "key"                      # what get(…) looks up; by default "id", else the first field without repeats
    default = ["minimal"]           # what a statement without a projection gives; by default every field
    filterable = ["status"]         # by default every field whose values are not nested
    sortable = ["status"]           # the same
    [types]
    points = "integer"              # what the cells of a CSV file are: string, integer, number or boolean
    [presets]
    minimal = ["key", "status"]     # a preset may name presets, to any depth, but never itself
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from measure.errors import BadInput
from measure.records import RecordSet
from measure.values import TYPE_NAMES, Value

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
    """A record set and what can be asked of it. `default` is as it was named, not expanded."""

    records: RecordSet
    types: dict[str, str]
    id: str
    default: tuple[str, ...]
    filterable: tuple[str, ...]
    sortable: tuple[str, ...]
    presets: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, records: RecordSet, settings: Settings | None = None, where: str = "") -> "Dataset":
        """The data set of these records; what `settings` does not name is inferred.

        Raises:
            BadInput: the settings name a field that is not there, or a preset that contains itself.
        """
        named = settings or Settings()
        _known("types", list(named.types), records.fields, where)
        records = _typed(records, named.types, where)
        types = _types(records)
        flat = [field for field, kind in types.items() if not NESTED.intersection(kind.split(" or "))]
        for key, fields in (("filterable", named.filterable), ("sortable", named.sortable), ("id", [named.id])):
            _known(key, [field for field in fields or () if field is not None], records.fields, where)
        made = cls(
            records=records,
            types=types,
            id=named.id or _identifying(records),
            default=tuple(records.fields if named.default is None else named.default),
            filterable=tuple(flat if named.filterable is None else named.filterable),
            sortable=tuple(flat if named.sortable is None else named.sortable),
            presets={name: tuple(members) for name, members in named.presets.items()},
        )
        for name in made.presets:
            _checked(made, (name,), f"the preset {name!r}", where)
        _checked(made, made.default, "default", where)
        return made

    def expand(self, words: Sequence[str]) -> tuple[str, ...]:
        """The fields that `words` (fields and presets) name, each once, in the order in which they first appear.

        Raises:
            BadInput: a word that is neither; with those that are.
        """
        return tuple(dict.fromkeys(self._expanded(words, ())))

    def _expanded(self, words: Iterable[str], inside: tuple[str, ...]) -> Iterable[str]:
        for word in words:
            if word in inside:
                raise BadInput(f"the preset {word!r} contains itself: {' > '.join((*inside, word))}")
            if word in self.presets:  # a preset shadows a field of its name
                yield from self._expanded(self.presets[word], (*inside, word))
            elif word in self.types:
                yield word
            else:
                raise BadInput(f"unknown field or preset {word!r}", right=f"known: {', '.join(self.names())}")

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


def _typed(records: RecordSet, types: Mapping[str, str], where: str) -> RecordSet:
    """The records with the text of the named columns read as these types; empty text as null, unless it is text."""
    wanted = {field: kind for field, kind in types.items() if kind != "string"}
    if not wanted:
        return records
    read = [
        {
            field: _read(value, wanted[field], f"{where}: row {number}, field {field!r}") if field in wanted else value
            for field, value in zip(records.fields, row, strict=True)
        }
        for number, row in enumerate(records.rows(), start=1)
    ]
    return RecordSet.of(read, where)


def _read(value: Value, kind: str, place: str) -> Value:
    if not isinstance(value, str):
        return value
    if not value:
        return None
    try:
        found = json.loads(value)
    except ValueError:
        found = value
    if TYPE_NAMES[type(found)] != kind and not (kind == "number" and type(found) is int):
        raise BadInput(f"{value!r} is no {kind}", where=place)
    return found  # type: ignore[no-any-return]


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


def _checked(dataset: Dataset, words: Sequence[str], what: str, where: str) -> None:
    try:
        dataset.expand(words)
    except BadInput as error:
        raise BadInput(f"{what}: {error}", where=where) from None
