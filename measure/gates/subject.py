"""What a gate is, and what gates look at: a study's files in memory, and two things that only floors above can do.

Measuring again and rendering documents belong to higher floors, so they come in as functions. A mutant is a
subject with one thing replaced.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from measure import results
from measure.context.edited import edited
from measure.context.policy import Policy
from measure.errors import BadInput
from measure.ladder import Ladder, Rung
from measure.scenario import Files, content
from measure.transcripts.model import Message, Transcript


class Subject(msgspec.Struct, frozen=True):
    """A study to be judged: its files, its tables' types, the ladder's registry, the vocabularies' bytes.

    `edit` makes the messages of the next request, under a chain of policies.
    """

    files: Files
    tables: Mapping[str, type[msgspec.Struct]]
    rungs: Sequence[Rung]
    vocabularies: Mapping[str, bytes]
    again: Callable[["Subject"], Files]
    documents: Callable[[Files], Files]
    edit: Callable[[Transcript, Sequence[Policy]], tuple[Message, ...]] = edited

    def ladder(self) -> Ladder:
        """The recorded ladder.

        Raises:
            BadInput: it is missing, or no ladder.
        """
        return results.table(self.files, "ladder", Ladder)

    def plain(self, path: str) -> Any:
        """A file's JSON as lists and dictionaries, for checks that share no type with what they check.

        Raises:
            BadInput: it is missing, or not JSON.
        """
        try:
            return json.loads(content(self.files, path))
        except ValueError as error:
            raise BadInput(f"not JSON: {error}", where=path) from None

    def recorded(self) -> list[str]:
        """The results' JSON files, schemas left out."""
        return sorted(
            path
            for path in self.files
            if path.startswith("results/") and path.endswith(".json") and not path.endswith(".schema.json")
        )


def objects(value: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in a file's JSON, the outer before the inner, with the place where it stands."""
    if isinstance(value, dict):
        yield place, value
        for key, inner in value.items():
            yield from objects(inner, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from objects(inner, f"{place}[{index}]")


Check = Callable[[Subject], Iterator[str]]


class Gate(msgspec.Struct, frozen=True):
    """One row of the table: what is claimed, how it is checked, and what to do when it is red."""

    name: str
    claim: str
    check: Check
    failure: str
