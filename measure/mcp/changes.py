"""Two tool lists, an earlier and a later one: which tools came, which went, and which cost another number of tokens."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from measure.mcp.listing import Tool, by_tool, cost, minified


class Changed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool that is not as it was, in minified tokens; null where it is not there."""

    name: str
    before: int | None
    after: int | None


class Changes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tools that changed, the most expensive change first, and the two lists whole."""

    encoding: str
    before_tokens: int
    after_tokens: int
    unchanged: int
    tools: list[Changed]


def changes(before: Sequence[Tool], after: Sequence[Tool], encoding: str) -> Changes:
    """What changed. A tool of which only the wording changed is among them too, whatever it costs now.

    >>> tool = {"name": "get", "description": "One.", "inputSchema": {}}
    >>> changes([tool], [{**tool, "description": "One record."}], "cl100k_base").tools
    [Changed(name='get', before=14, after=15)]
    """
    whole = [cost(tools, encoding, "captured").tokens for tools in (before, after)]
    before, after = _told_apart(before), _told_apart(after)
    old, new = ({tool.name: tool.tokens for tool in by_tool(tools, encoding)} for tools in (before, after))
    texts = [{tool["name"]: minified(tool) for tool in tools} for tools in (before, after)]
    names = [name for name in {**old, **new} if texts[0].get(name) != texts[1].get(name)]
    found = [Changed(name, old.get(name), new.get(name)) for name in names]
    return Changes(
        encoding=encoding,
        before_tokens=whole[0],
        after_tokens=whole[1],
        unchanged=len({**old, **new}) - len(found),
        tools=sorted(found, key=lambda one: (-abs((one.after or 0) - (one.before or 0)), one.name)),
    )


def _told_apart(tools: Sequence[Tool]) -> list[Tool]:
    """The same tools; the second of a name, which no server should publish, is called "name (2)"."""
    seen: Counter[str] = Counter()
    found = []
    for tool in tools:
        seen[tool["name"]] += 1
        times = seen[tool["name"]]
        found.append(tool if times == 1 else {**tool, "name": f"{tool['name']} ({times})"})
    return found
