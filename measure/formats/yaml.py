r"""YAML, written and read by PyYAML: a block sequence of block mappings, names sorted, no line folded.

Always written by the library's Python code: its C code writes some characters otherwise, and a text must not depend
on how the library was built. PyYAML quotes what it would itself read as a boolean, number, date or null; here, so
is what only other readers take for one: `y` and `n` (YAML 1.1), `1e5`, `08` and `0o7` (YAML 1.2). Text with a
line separator other than "\n" is escaped in double quotes: the library reads its own U+0085 back as a space.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

from measure.errors import BadInput
from measure.formats.base import Format, batches, objects
from measure.formats.extra import library
from measure.records import RecordSet
from measure.values import Value, check_value

_OTHERS_BOOLEANS = re.compile(r"[yYnN]\Z")
_OTHERS_NUMBERS = re.compile(r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+)\Z")
_SEPARATORS = re.compile("[\x85\u2028\u2029]")
_UNFOLDED = 1 << 60
_FAILURES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)  # seen in PyYAML


class Yaml(Format):
    r"""The text of `yaml.safe_dump(records, allow_unicode=True, sort_keys=True)`, no line folded.

    >>> "".join(Yaml().encode(RecordSet.of([{"id": 1, "done": False, "flag": "no"}])))
    "- done: false\n  flag: 'no'\n  id: 1\n"
    """

    serialization = "yaml"
    label = "YAML"
    cannot_carry = "nothing"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yaml = library("yaml", "PyYAML")
        if not len(records):
            yield "[]\n"
        for batch in batches(records.present(self.order(records))):
            yield yaml.dump(
                batch,
                Dumper=_dumper(yaml),
                allow_unicode=True,
                default_flow_style=False,
                sort_keys=True,
                width=_UNFOLDED,
            )

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        yaml = library("yaml", "PyYAML")
        try:
            found = yaml.load("".join(pieces), Loader=_loader(yaml))
        except yaml.YAMLError as error:
            raise BadInput(f"not YAML: {' '.join(str(error).split())}", where="the payload") from None
        except _FAILURES as error:
            raise BadInput(f"not YAML: {type(error).__name__} while a value was read", where="the payload") from None
        for number, record in enumerate(objects(found), start=1):
            check_value(record, f"row {number}", "the payload")
            yield record


@cache
def _dumper(yaml: ModuleType) -> Any:
    """PyYAML's safe dumper without anchors, and with quotes for what other readers take for another type."""
    safe: Any = yaml.SafeDumper

    class Dumper(safe):  # type: ignore[misc]
        def ignore_aliases(self, data: object) -> bool:
            return True

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"' if _SEPARATORS.search(value) else None)

    Dumper.add_representer(str, text)
    Dumper.add_implicit_resolver("tag:yaml.org,2002:bool", _OTHERS_BOOLEANS, list("yYnN"))
    Dumper.add_implicit_resolver("tag:yaml.org,2002:float", _OTHERS_NUMBERS, list("-+.0123456789"))
    return Dumper


@cache
def _loader(yaml: ModuleType) -> Any:
    """PyYAML's safe loader, which takes the last of two equal keys and expands aliases: here both are refused.

    Its events come from libyaml where the library has it; what they mean is made of them by the same Python code.
    """
    composer: Any = yaml.composer.Composer
    fast = yaml.__with_libyaml__
    bases: Any = (composer, yaml.CSafeLoader) if fast else (yaml.SafeLoader,)

    class Loader(*bases):  # type: ignore[misc]
        def __init__(self, stream: str) -> None:
            if fast:
                composer.__init__(self)
            bases[-1].__init__(self, stream)

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.composer.ComposerError(None, None, "an alias", self.peek_event().start_mark)
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            made = super().construct_mapping(node, deep=deep)
            if len(made) != len(node.value):
                raise yaml.constructor.ConstructorError(None, None, "a key twice in one mapping", node.start_mark)
            return made

    return Loader
