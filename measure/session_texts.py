"""What a session reads once, as texts: schema response, skill file, alias legend, and the tool lists of MCP.

`SESSION_TEXTS` is the registry. Each is made from the scenario, at the largest scale. The study counts them, and a gate
counts them again. The tool lists are constructed, and they are what our server publishes.
"""

from collections.abc import Callable
from typing import Any

from measure.ladder import LEGEND, SCHEMA
from measure.mcp.contract import tool_list, tools
from measure.mcp.layer import FIELDS, FORMAT, operations, schema_response, served
from measure.mcp.listing import minified, pretty
from measure.query import Dataset, ask
from measure.query.operations import OPERATIONS
from measure.query.skill import skill
from measure.scenario import Files, Scenario, dataset, scenario

SKILL = "skill file"
TOOLS, QUERY_TOOL = "tool list", "one query tool"
WITHOUT_BOTH, WITHOUT_FORMAT = "tool list, no fields or format", "tool list, no format"
CONTRACTS = (
    *((SCHEMA, "minified"), (SCHEMA, "pretty"), (SKILL, "Markdown")),
    *((TOOLS, "minified"), (TOOLS, "pretty"), (QUERY_TOOL, "minified")),
)


def _tools(without: tuple[str, ...] = ()) -> Callable[[Scenario, Dataset], Any]:
    """The list of the three tools, with some arguments left out."""
    return lambda _, asked: tool_list(
        tools(operations(schema_response(asked), without), asked.types, "minimal") if without else served(asked)
    )


Writer = Callable[[Scenario, Dataset], str]
SESSION_TEXTS: dict[tuple[str, str], Writer] = {
    (SCHEMA, "minified"): lambda _, asked: ask("schema()", asked, "json"),
    (SCHEMA, "pretty"): lambda _, asked: ask("schema()", asked, "pretty"),
    (SKILL, "Markdown"): lambda _, asked: skill(asked, OPERATIONS, "tasks"),
    (LEGEND, "plain text"): lambda plan, _: plan.legend,
    (TOOLS, "minified"): lambda plan, asked: minified(_tools()(plan, asked)),
    (TOOLS, "pretty"): lambda plan, asked: pretty(_tools()(plan, asked)),
    (QUERY_TOOL, "minified"): lambda _, asked: minified(tool_list(served(asked, one_tool=True))),
    (WITHOUT_BOTH, "minified"): lambda plan, asked: minified(_tools((FIELDS, FORMAT))(plan, asked)),
    (WITHOUT_FORMAT, "minified"): lambda plan, asked: minified(_tools((FORMAT,))(plan, asked)),
}


def session_texts(files: Files) -> dict[tuple[str, str], str]:
    """Every session text, by name and serialization."""
    plan = scenario(files)
    asked = dataset(files, max(plan.scales))
    return {key: write(plan, asked) for key, write in SESSION_TEXTS.items()}
