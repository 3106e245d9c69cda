"""What can be counted, as tables: tiktoken's encodings, and the families of the extra `families`."""

from collections.abc import Iterator, Mapping

from measure.families import FAMILIES
from measure.report.table import Table
from measure.tokens import VOCABULARIES


def encodings() -> Table:
    """Tiktoken's encodings, whose vocabularies ship with the package."""
    return Table(
        "Encodings",
        ("encoding", "SHA-256 of the vocabulary"),
        [(row.name, row.sha256) for row in VOCABULARIES.values()],
    )


def families(installed: Mapping[str, bool]) -> Iterator[Table]:
    """The other families: by what they are counted, and whose vocabularies they are."""
    rows = FAMILIES.values()
    packages = {row.package.name: row.package for row in rows}.values()
    yield Table(
        "With the extra `families`",
        ("encoding", "of", "counted by", "installed"),
        [(row.name, row.label, row.authority, "yes" if installed[row.name] else "no") for row in rows],
    )
    yield Table(
        "Where the vocabularies of the families come from",
        ("encoding", "source", "licence of the vocabulary"),
        [(row.name, row.source, row.licence) for row in rows],
        notes=(
            *(f"{package.name}: the code is {package.licence}" for package in packages),
            *dict.fromkeys(
                f"{', '.join(row.name for row in rows if row.note == note)}: {note}"
                for note in (row.note for row in rows)
                if note
            ),
        ),
    )
