r"""A Markdown table (GitHub's): what chats and issue trackers show, and what many tools print for a model.

Cells are text: no types, nothing that tells null from empty. A pipe is written `\|` and a line feed `<br>`; a
space or tab at an end, which a reader of Markdown trims, and a carriage return are character references. So is
text that would be read as one of these. Nothing else is escaped: `*` stays `*`.
"""

import re
from collections.abc import Iterable, Iterator

from measure.errors import BadInput
from measure.formats.base import Format, batches, keyed
from measure.records import RecordSet
from measure.rows import lines
from measure.values import MISSING, Value, plain

_REFERENCES = {"amp": "&", "lt": "<", "#32": " ", "#9": "\t", "#13": "\r"}
_WRITTEN = {character: f"&{name};" for name, character in _REFERENCES.items()}
_LIKE_A_REFERENCE = re.compile("&(?=(?:amp|lt|#32|#9|#13);)|<(?=br>)")
_ESCAPED = re.compile(r"&(amp|lt|#32|#9|#13);|<br>|\\\|")
_EDGE = re.compile(r"\A[ \t]+|[ \t]+\Z")
_RULE = re.compile(r"\|(?: :?-+:? \|)+")
_PIPE = re.compile(r"(?<!\\)\|")


class Markdown(Format):
    r"""Header, rule, a row a line; cells are not padded.

    >>> "".join(Markdown().encode(RecordSet.of([{"id": 1, "note": "a or b"}])))
    '| id | note |\n| --- | --- |\n| 1 | a or b |\n'
    """

    serialization = "markdown"
    label = "Markdown table"
    keeps_field_order = True
    cannot_carry = (
        "types, nor null or a missing field apart from empty text: numbers, booleans and nested values come back as"
        " text, null as empty text"
    )

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yield _line(map(_cell, records.fields)) + _line("---" for _ in records.fields)
        for batch in batches(records.rows()):
            yield "".join(_line(map(_cell, row)) for row in batch)

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        found = enumerate(lines(pieces), start=1)
        number, first = next(found, (1, ""))
        header = _cells(first, number)
        _, rule = next(found, (2, ""))
        if not _RULE.fullmatch(rule.rstrip("\n")) or rule.count("|") != len(header) + 1:
            raise BadInput(
                "line 2 is not the rule of the table",
                where="the payload",
                right=f"'| --- |' for {len(header)} columns is needed",
            )
        return keyed(header, (_cells(line, number) for number, line in found))

    def carry(self, value: Value) -> Value:
        """A cell is text, whatever it was."""
        return _text(value)


def _text(value: Value) -> str:
    return "" if value is None or value is MISSING else plain(value)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(value: Value) -> str:
    text = _LIKE_A_REFERENCE.sub(lambda found: _WRITTEN[found[0]], _text(value))
    text = _EDGE.sub(lambda found: "".join(_WRITTEN[character] for character in found[0]), text)
    return text.replace("|", "\\|").replace("\n", "<br>").replace("\r", _WRITTEN["\r"])


def _cells(line: str, number: int) -> list[str]:
    first, *cells, last = _PIPE.split(line.removesuffix("\n")) if "|" in line else ("", "")
    if first or last or not cells:
        raise BadInput(f"line {number} is no row of a table", where="the payload", right="'| a | b |' is needed")
    return [_ESCAPED.sub(_read, cell.strip(" \t")) for cell in cells]


def _read(found: re.Match[str]) -> str:
    if found[1]:
        return _REFERENCES[found[1]]
    return "\n" if found[0] == "<br>" else "|"
