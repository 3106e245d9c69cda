"""A user's rows from a file or standard input: JSON array, JSON lines or CSV, told apart by looking.

The name decides where it says anything (.csv, .json, .jsonl, .ndjson); else the first character does. A file is read
in blocks, never whole. Numbers are read as Python reads them: one with more digits than a double holds is rounded.
Not handled: other separators than the comma, other encodings than UTF-8 (a UTF-8 byte order mark is dropped), and
compressed files.
"""

import codecs
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO

from measure.errors import BadInput
from measure.records import RecordSet
from measure.rows import Record, csv_rows, json_rows

STANDARD_INPUT = "-"
_BLOCK = 1 << 18
_JSON_LINES = (".jsonl", ".ndjson")


def load(path: str | os.PathLike[str], sparse: bool = False) -> RecordSet:
    """The record set in the file `path`, or in standard input where that is "-"; for `sparse` see `RecordSet.of`.

    Raises:
        BadInput: no such file, not text, not JSON or CSV, or rows that do not make a record set.
    """
    name = os.fspath(path)
    suffix = "" if name == STANDARD_INPUT else os.path.splitext(name)[1].lower()
    with _opened(name) as stream:
        return read(stream, named(name), suffix, sparse)


def content(path: str) -> bytes:
    """All bytes of the file `path`, or of standard input where that is "-".

    Raises:
        BadInput: it cannot be read.
    """
    with _opened(path) as stream:
        return stream.read()


def named(path: str) -> str:
    """What messages and titles call it.

    >>> named("-"), named("rows.json")
    ('standard input', 'rows.json')
    """
    return "standard input" if path == STANDARD_INPUT else path


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """A file or standard input, open; what goes wrong while it is read is told in one line."""
    where = named(name) or "''"
    try:
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise BadInput("closed", where=where)
            yield sys.stdin.buffer
        else:
            with open(name, "rb") as stream:
                yield stream
    except OSError as error:
        raise BadInput(error.strerror or type(error).__name__, where=where) from None


def read(stream: BinaryIO, where: str, suffix: str, sparse: bool = False) -> RecordSet:
    """The record set in a binary stream; `where` names it in messages, `suffix` hints at the format.

    Raises:
        BadInput: see `load`.
    """
    pieces = text_pieces(stream, where)
    first = next(pieces, "")
    while first and not first.strip():
        first = next(pieces, "")
    if not first:
        raise BadInput("the file is empty", where=where, right="a JSON array, JSON lines or CSV is needed")
    pieces = chain((first,), pieces)
    start = first.lstrip(" \t\r\n")[:1]
    if suffix == ".csv" or (start not in "[{" and suffix not in (".json", *_JSON_LINES)):
        cells = csv_rows(pieces, where)
        header = next(cells)
        _check_header(header, where, sure=suffix == ".csv")
        made = RecordSet.of((dict(zip(header, row, strict=True)) for row in cells), where)
        made.untyped = True
        return made
    if start not in "[{":
        raise BadInput(
            f"not JSON: it starts with {start!r}, at line {first[: first.index(start)].count(chr(10)) + 1},"
            f" column {_column(first, start)}",
            where=where,
            right="'[' (an array of rows) or '{' (one row a line) is needed",
        )
    records = json_rows(pieces, where)
    if start == "{" and suffix not in _JSON_LINES:
        records = _several(records, where)
    return RecordSet.of(records, where, sparse)


def _check_header(header: list[str], where: str, sure: bool) -> None:
    """Refuse a header that other separators, or no table at all, would explain better."""
    if "" in header:
        raise BadInput(
            f"cell {header.index('') + 1} of the header is empty", where=where, right="each column needs a name"
        )
    if len(header) == 1 and any(separator in header[0] for separator in ";\t|"):
        raise BadInput(f"one column, named {header[0]!r}", where=where, right="cells are separated by commas here")
    if len(header) == 1 and not sure:
        raise BadInput(
            "neither JSON nor a table: the first line has no comma",
            where=where,
            right="a CSV file of one column is taken for one where its name ends in .csv",
        )


def _column(text: str, start: str) -> int:
    before = text[: text.index(start)]
    return len(before) - before.rfind("\n")


def _several(records: Iterator[Record], where: str) -> Iterator[Record]:
    """The same rows, unless there is only one: then it is an object, most likely a wrapper round the rows."""
    first = next(records)
    second = next(records, None)
    if second is None:
        keys = ", ".join(list(first)[:8])
        raise BadInput(
            f"one JSON object (keys: {keys}), not rows",
            where=where,
            right="an array of objects is needed, or one object a line in a .jsonl file",
        )
    yield from chain((first, second), records)


def text_pieces(stream: BinaryIO, where: str) -> Iterator[str]:
    """The stream as text, block by block.

    Raises:
        BadInput: not UTF-8, or a NUL byte; with the offset.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    offset = 0
    ended = False
    while not ended:
        block = stream.read(_BLOCK)
        ended = not block
        if offset == 0:
            block += stream.read(len(codecs.BOM_UTF8))  # so that a mark at the start is never in two blocks
            if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise BadInput("UTF-16 text", where=where, right="save it as UTF-8")
            if block.startswith(codecs.BOM_UTF8):
                offset, block = len(codecs.BOM_UTF8), block[len(codecs.BOM_UTF8) :]
        if b"\0" in block:
            at = offset + block.index(b"\0")
            raise BadInput(f"byte {at} is NUL: a binary file", where=where, right="text is needed")
        try:
            piece = decoder.decode(block, final=ended)
        except UnicodeDecodeError as error:
            pending = len(error.object) - len(block)
            at = offset - pending + error.start
            raise BadInput(
                f"byte {at} is not UTF-8 ({error.reason})", where=where, right="UTF-8 text is needed"
            ) from None
        offset += len(block)
        if piece:
            yield piece
