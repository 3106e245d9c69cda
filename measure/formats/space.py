"""Cells between spaces: many words have a token that holds the space before them, so the delimiter is often free.

Readers of such text split it at any white space, and take two spaces for one: a cell with white space in it
stands in quotes, and so does an empty one, which would otherwise vanish.
"""

from collections.abc import Iterable, Iterator

from measure.formats.delimited import Delimited


class Space(Delimited):
    r"""CSV with spaces and some more quotes.

    >>> from measure.records import RecordSet
    >>> "".join(Space().encode(RecordSet.of([{"id": 1, "note": "plan it"}, {"id": 2, "note": None}])))
    'id note\n1 "plan it"\n2 ""\n'
    """

    serialization = "space"
    label = "space rows"
    delimiter = " "

    def lines(self, rows: Iterable[Iterable[str]]) -> Iterator[str]:
        """See `Delimited.lines`."""
        return (" ".join(map(_cell, row)) + "\n" for row in rows)


def _cell(text: str) -> str:
    if '"' not in text and text.split() == [text]:
        return text
    return '"' + text.replace('"', '""') + '"'
