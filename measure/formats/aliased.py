"""Compact with aliases: the same rows under a header of short names, which the reader must be told once.

The legend that explains them is a session text, not part of the payload. Without it the rows cannot be read
back, so the format holds the aliases and decoding goes through them.
"""

from collections.abc import Mapping

from measure.errors import BadInput
from measure.formats.compact import Compact


class Aliased(Compact):
    r"""Header of aliases, and rows. A field without an alias keeps its name.

    >>> from measure.records import RecordSet
    >>> "".join(Aliased({"id": "i"}).encode(RecordSet.of([{"id": "T-1", "name": "plan"}])))
    'i,name\nT-1,plan\n'

    Raises:
        BadInput: two fields under one alias, or a field that is called like another's alias.
    """

    serialization = "aliased"
    label = "compact, aliases"

    def __init__(self, aliases: Mapping[str, str]) -> None:
        self._aliases = dict(aliases)
        self._fields: dict[str, str] = {}
        for field, alias in self._aliases.items():
            if alias in self._fields:
                raise BadInput(f"the alias {alias!r} stands for two fields: {self._fields[alias]!r}, {field!r}")
            self._fields[alias] = field

    def header_name(self, field: str) -> str:
        """See `Compact.header_name`. A field whose own name is the alias of another would be read as that other."""
        if field not in self._aliases and field in self._fields:
            raise BadInput(f"the field {field!r} has the name of an alias, that of {self._fields[field]!r}")
        return self._aliases.get(field, field)

    def field_name(self, name: str) -> str:
        """See `Compact.field_name`."""
        return self._fields.get(name, name)


def legend(aliases: Mapping[str, str]) -> str:
    r"""The text that explains a header of aliases: a line for each.

    >>> legend({"id": "i", "status": "s"})
    'compact header aliases:\ni = id\ns = status\n'
    """
    return "".join(["compact header aliases:\n", *(f"{alias} = {field}\n" for field, alias in aliases.items())])


def shortest_aliases(fields: tuple[str, ...]) -> dict[str, str]:
    """For each field the shortest beginning of its name that no other field has as alias or as name.

    >>> shortest_aliases(("id", "status", "assignee", "sprint"))
    {'id': 'i', 'status': 's', 'assignee': 'a', 'sprint': 'sp'}
    """
    taken = set(fields)
    aliases = {}
    for field in fields:
        starts = (field[:length] for length in range(1, len(field)))
        aliases[field] = next((start for start in starts if start not in taken), field)
        taken.add(aliases[field])
    return aliases
