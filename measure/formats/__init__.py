"""Representations: ways to write the same records as text, and to read them back.

`FORMATS` is the registry that the ladder, the commands and the tests iterate over; a format is one file with
one class. See `measure.formats.base` for what a format promises. Those that are not on the ladder are imported
when they are asked for, as counting needs none of the machinery that they bring.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from measure.formats.aliased import Aliased
from measure.formats.base import Format
from measure.formats.compact import Compact
from measure.formats.minified import Minified
from measure.formats.pretty import Pretty


class _Registry(Mapping[str, type[Format]]):
    """Serialization -> class; a row that is still the class's name is imported when it is asked for."""

    def __init__(self, rows: Mapping[str, type[Format] | str]) -> None:
        self._rows = dict(rows)

    def __getitem__(self, serialization: str) -> type[Format]:
        found = self._rows[serialization]
        if isinstance(found, str):
            form: type[Format] = getattr(import_module(f"measure.formats.{serialization}"), found)
            self._rows[serialization] = found = form
        return found

    def __contains__(self, serialization: object) -> bool:
        return serialization in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


FORMATS: Mapping[str, type[Format]] = _Registry(
    {
        "pretty": Pretty,
        "minified": Minified,
        "compact": Compact,
        "aliased": Aliased,
        "jsonl": "JsonLines",
        "columnar": "Columnar",
        "arrays": "Arrays",
        "csv": "Csv",
        "tsv": "Tsv",
        "pipe": "Pipe",
        "space": "Space",
        "typed": "Typed",
        "toon": "Toon",
        "yaml": "Yaml",
        "xml": "Xml",
        "markdown": "Markdown",
        "key_value": "KeyValue",
    }
)

__all__ = ["FORMATS", "Aliased", "Compact", "Format", "Minified", "Pretty"]
