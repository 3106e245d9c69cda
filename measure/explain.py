"""Where the tokens of a record set go: to names, values, punctuation or white space, field by field.

The text is pretty JSON, which has all four. A token may reach over a border, as `":` does; it belongs to the part in
which it begins. So every token is counted once, and the parts add up to the text. Needs an encoding that tells its
tokens' bytes, which the two of tiktoken do.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

import msgspec

from measure.errors import BadInput
from measure.formats.json_template import inside_pretty
from measure.quantities import Denominator, Share, share
from measure.records import RecordSet
from measure.tokens import VOCABULARIES, load
from measure.values import MISSING, minified

KINDS = ("names", "values", "punctuation", "white_space")
BRACKETS = None  # in place of a name: the array's and the records' own brackets and commas belong to no field
Piece = tuple[str, str | None, str]  # text, field, kind
_PORTION = 1 << 18  # characters


class FieldTokens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one field takes in all rows; `field` is null for what belongs to none. `share` is of the whole text."""

    field: str | None
    names: int
    values: int
    punctuation: int
    white_space: int
    tokens: int
    share: Share


class Explained(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every field, the dearest first, and the whole."""

    encoding: str
    rows: int
    tokens: int
    fields: list[FieldTokens]


def explain(records: RecordSet, encoding: str) -> Explained:
    """Where the tokens of these records as pretty JSON go.

    >>> found = explain(RecordSet.of([{"id": "T-1", "text": "as agreed, later"}]), "cl100k_base")
    >>> [(one.field, one.names, one.values) for one in found.fields], found.tokens
    ([('text', 1, 4), ('id', 1, 3), (None, 0, 0)], 25)

    Raises:
        BadInput: an encoding that does not tell its tokens' bytes.
    """
    if encoding not in VOCABULARIES:
        known = ", ".join(VOCABULARIES)
        raise BadInput(f"the tokens of {encoding} cannot be told one by one", right=f"explain counts in {known}")
    counted: Counter[tuple[str | None, str]] = Counter()
    for part in _parts(pieces(records)):
        counted.update(_attributed(part, encoding))
    whole = Denominator("L0", "pretty", sum(counted.values()))
    found = [_field(field, counted, whole) for field in (*records.fields, BRACKETS)]
    found.sort(key=lambda one: (-one.tokens, one.field is BRACKETS, one.field or ""))
    return Explained(encoding, len(records), whole.tokens, found)


def pieces(records: RecordSet) -> Iterator[Piece]:
    """The text of the records as pretty JSON, in labelled pieces."""
    order = sorted(records.fields)
    before = "["
    for row in records.rows(order):
        yield before, BRACKETS, "punctuation"
        yield "\n  ", BRACKETS, "white_space"
        yield "{", BRACKETS, "punctuation"
        comma = ""
        for field, value in zip(order, row, strict=True):
            if value is MISSING:
                continue
            yield from _member(field, inside_pretty(value), comma)
            comma = ","
        yield "\n  " if comma else "", BRACKETS, "white_space"
        yield "}", BRACKETS, "punctuation"
        before = ","
    yield "\n", BRACKETS, "white_space"
    yield "]", BRACKETS, "punctuation"


def _member(field: str, value: str, comma: str) -> Iterator[Piece]:
    yield comma, field, "punctuation"
    yield "\n    ", field, "white_space"
    yield '"', field, "punctuation"
    yield minified(field)[1:-1], field, "names"
    yield '":', field, "punctuation"
    yield " ", field, "white_space"
    if value.startswith('"'):
        yield '"', field, "punctuation"
        yield value[1:-1], field, "values"
        yield '"', field, "punctuation"
    else:
        yield value, field, "values"


def _parts(labelled: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The pieces in portions that can be counted apart: cut only between a name's last letter and its quote.

    There a run of letters or digits ends whatever follows; see `measure.tokens`.
    """
    held: list[Piece] = []
    length = 0
    for piece in labelled:
        held.append(piece)
        length += len(piece[0])
        if length > _PORTION and piece[2] == "names" and piece[0][-1:].isascii() and piece[0][-1:].isalnum():
            yield held
            held, length = [], 0
    yield held


def _attributed(part: list[Piece], encoding: str) -> Counter[tuple[str | None, str]]:
    """The tokens of a text, each under the piece in which it begins."""
    text = "".join(piece for piece, _, _ in part)
    loaded = load(encoding)
    sizes = map(len, loaded.decode_tokens_bytes(loaded.encode_ordinary(text)))
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    counted: Counter[tuple[str | None, str]] = Counter()
    ends = _ends(part)
    end, field, kind = next(ends)
    for start, _ in pairwise(starts):
        while start >= end:
            end, field, kind = next(ends)
        counted[field, kind] += 1
    return counted


def _ends(part: list[Piece]) -> Iterator[tuple[int, str | None, str]]:
    """Where each piece ends, in bytes."""
    at = 0
    for text, field, kind in part:
        at += len(text.encode())
        yield at, field, kind


def _field(field: str | None, counted: Counter[tuple[str | None, str]], whole: Denominator) -> FieldTokens:
    names, values, punctuation, white_space = (counted[field, kind] for kind in KINDS)
    tokens = names + values + punctuation + white_space
    return FieldTokens(field, names, values, punctuation, white_space, tokens, share(tokens, whole))
