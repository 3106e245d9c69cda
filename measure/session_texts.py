"""What a session reads once, as texts: the schema response in both serializations, the skill file, the alias legend.

`SESSION_TEXTS` is the registry; a later part adds its tool lists. Each is made from the scenario, at the largest
scale. The study counts them, and a gate counts them again.
"""

from collections.abc import Callable

from measure.ladder import LEGEND, SCHEMA
from measure.query import Dataset, ask
from measure.query.operations import OPERATIONS
from measure.query.skill import skill
from measure.scenario import Files, Scenario, dataset, scenario

SKILL = "skill file"
CONTRACTS = ((SCHEMA, "minified"), (SCHEMA, "pretty"), (SKILL, "Markdown"))

Writer = Callable[[Scenario, Dataset], str]
SESSION_TEXTS: dict[tuple[str, str], Writer] = {
    (SCHEMA, "minified"): lambda _, asked: ask("schema()", asked, "json"),
    (SCHEMA, "pretty"): lambda _, asked: ask("schema()", asked, "pretty"),
    (SKILL, "Markdown"): lambda _, asked: skill(asked, OPERATIONS, "tasks"),
    (LEGEND, "plain text"): lambda plan, _: plan.legend,
}


def session_texts(files: Files) -> dict[tuple[str, str], str]:
    """Every session text, by name and serialization."""
    plan = scenario(files)
    asked = dataset(files, max(plan.scales))
    return {key: write(plan, asked) for key, write in SESSION_TEXTS.items()}
