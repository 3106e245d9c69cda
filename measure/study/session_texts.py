"""What a session reads once: the schema response in both serializations, the skill file, the alias legend.

`SESSION_TEXTS` is the registry; a later part adds its tool lists. Each is made from the scenario, at the largest
scale, though the types of the fields are all that the schema takes from the records.
"""

from collections.abc import Callable, Iterator

import msgspec

from measure.break_even import Text
from measure.ladder import LEGEND, SCHEMA
from measure.query import Dataset, ask
from measure.query.operations import OPERATIONS
from measure.query.skill import skill
from measure.scenario import Files, Scenario, dataset, scenario
from measure.tokens import tally

SKILL = "skill file"
CONTRACTS = ((SCHEMA, "minified"), (SCHEMA, "pretty"), (SKILL, "Markdown"))


class SessionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text that is read once a session, counted in one encoding."""

    name: str
    serialization: str
    encoding: str
    bytes: int
    tokens: int

    def as_text(self) -> Text:
        """The same without encoding and bytes, as accounts have it."""
        return Text(self.name, self.serialization, self.tokens)


Writer = Callable[[Scenario, Dataset], str]
SESSION_TEXTS: dict[tuple[str, str], Writer] = {
    (SCHEMA, "minified"): lambda _, asked: ask("schema()", asked, "json"),
    (SCHEMA, "pretty"): lambda _, asked: ask("schema()", asked, "pretty"),
    (SKILL, "Markdown"): lambda _, asked: skill(asked, OPERATIONS, "tasks"),
    (LEGEND, "plain text"): lambda plan, _: plan.legend,
}


def written(files: Files) -> dict[tuple[str, str], str]:
    """Every session text, by name and serialization."""
    plan = scenario(files)
    asked = dataset(files, max(plan.scales))
    return {key: write(plan, asked) for key, write in SESSION_TEXTS.items()}


def counted(files: Files) -> Iterator[SessionText]:
    """Every session text in every encoding of the scenario."""
    for encoding in scenario(files).encodings:
        for (name, serialization), text in written(files).items():
            size = tally((text,), encoding)
            yield SessionText(name, serialization, encoding, size.bytes, size.tokens)
