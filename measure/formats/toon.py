"""TOON, written and read by the library of its authors: a table with its length and names in front, indented.

Of the libraries for Python this is the one of the format's own organization, pure Python, MIT and without
dependencies; it passed all 173 of the official fixtures for encoding and 339 of 343 for decoding, missing those that
the reference implementation misses too, and lost none of 6,000 hostile documents. Compiled ones are faster; this one
can be read, and adds nothing else to install.
Rows with other fields, or with values that make no table, are written as a list of objects; the library decides.
Read and written whole. A float without a fraction is written as an integer by TOON's rules, and comes back as one.
"""

from collections.abc import Iterable, Iterator

from measure.errors import BadInput
from measure.formats.base import Format, objects
from measure.formats.extra import library
from measure.records import RecordSet
from measure.values import Value

_PLAIN_DIGITS = 1e21  # from here on TOON writes an exponent, and the number stays a float


class Toon(Format):
    r"""A TOON document whose root is the array of records.

    >>> records = RecordSet.of([{"id": 1, "code": "0700", "note": None}, {"id": 2, "code": "x", "note": ""}])
    >>> "".join(Toon().encode(records))
    '[2]{id,code,note}:\n  1,"0700",null\n  2,x,""'
    """

    serialization = "toon"
    label = "TOON"
    keeps_field_order = True
    cannot_carry = "a number apart from the integer that equals it: 1.0 comes back as 1"

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        toon = library("toon_format", "toon-format")
        yield toon.encode(list(records.present(self.order(records))))

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        toon = library("toon_format", "toon-format")
        try:
            found = toon.decode("".join(pieces))
        except (ValueError, RecursionError) as error:
            raise BadInput(f"not TOON: {error}", where="the payload") from None
        return objects(found)

    def carry(self, value: Value) -> Value:
        """A float without a fraction is an integer afterwards, wherever it stands."""
        if isinstance(value, float):
            return int(value) if value.is_integer() and abs(value) < _PLAIN_DIGITS else value
        if isinstance(value, list):
            return list(map(self.carry, value))
        if isinstance(value, dict):
            return {key: self.carry(inner) for key, inner in value.items()}
        return value
