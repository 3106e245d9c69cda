"""Formats that are broken on purpose, each in one way that has happened to somebody. Material for mutants."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from measure.formats import Compact, Format, Minified
from measure.gates import Subject
from measure.records import RecordSet
from measure.values import Value


class DropsRow(Minified):
    """Writes all rows but the last."""

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        return super().encode(records.head(len(records) - 1))


class SwapsColumns(Compact):
    """Writes the last two columns in the wrong order, under the right header."""

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        *others, last, end = records.fields
        header, rest = "".join(super().encode(records)), records.project([*others, end, last])
        return iter((header.partition("\n")[0] + "\n", "".join(super().encode(rest)).partition("\n")[2]))


class TrimsValues(Compact):
    """Strips white space from every cell on the way back."""

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        for record in super().decode(pieces):
            yield {field: str(value).strip() for field, value in record.items()}


class ForgetsQuotes(Compact):
    """Joins cells without looking at them."""

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yield ",".join(records.fields) + "\n"
        yield from (",".join(map(str, row)) + "\n" for row in records.rows())


class SplitsLines(Compact):
    """Splits the text into lines first and the lines at commas, as if there were no quotes."""

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        header, *lines = "".join(pieces).splitlines()
        for line in lines:
            yield dict(zip(header.split(","), line.split(","), strict=False))


class EndsLinesWithCRLF(Compact):
    """Decodes well, and is another text than the one that was counted."""

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        return (piece.replace("\n", "\r\n") for piece in super().encode(records))

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        return super().decode("".join(pieces).replace("\r\n", "\n").splitlines(keepends=True))


def broken_rung(name: str, form: type[Format]) -> Callable[[Subject], Subject]:
    """Put `form` in the place of the rung's own format."""

    def apply(subject: Subject) -> Subject:
        rungs = [
            msgspec.structs.replace(r, form=lambda _: form(), output=None) if r.name == name else r
            for r in subject.rungs
        ]
        return msgspec.structs.replace(subject, rungs=rungs)

    return apply
