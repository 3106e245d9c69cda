"""SWE-agent's trajectory files (.traj): the history, whose messages are OpenAI's with a few keys of its own.

The history is what the agent kept, before any history processor shortened it; the steps of `trajectory` repeat it and
are not read. Messages of another agent than the first one's are not sent by it: they are left out and counted. Where
actions are text there is no tool role, and observations are plain user messages. Not handled: the tools, which the
file does not hold; the cost of calls, which it has only in sum.
"""

from measure.transcripts.model import Transcript
from measure.transcripts.openai import read_messages
from measure.transcripts.parse import Node, Source, Tally

NAME = "swe-agent"


def recognizes(source: Source) -> bool:
    """Objects with a trajectory, and a history of messages with roles."""
    return bool(source.values) and all(map(_is_trajectory, source.values))


def read(source: Source) -> list[Transcript]:
    """One transcript a trajectory.

    Raises:
        BadInput: a message that is not of this form; with its place.
    """
    found = []
    for node in source.values:
        tally = Tally(source.lenient)
        items = node.on(tally).items("history", "message")
        agents = [item.text("agent", "") for item in items]
        own = [item for item, agent in zip(items, agents, strict=True) if agent == agents[0]]
        if len(own) < len(items):
            tally.leave_out("message of another agent", len(items) - len(own))
        system, messages = read_messages([_as_openai(item) for item in own])
        name = f"{source.where}, {node.place}" if len(source.values) > 1 else source.where
        found.append(Transcript(name, NAME, messages, system, (), (), tally.left_out))
    return found


def _as_openai(item: Node) -> Node:
    """The message as it is sent: its result names one call."""
    ids = item.get("tool_call_ids")
    if isinstance(ids, list) and ids and item.get("role") == "tool":
        return item.with_value({**item.value, "tool_call_id": ids[0]})
    return item


def _is_trajectory(node: Node) -> bool:
    history = node.get("history")
    roles = isinstance(history, list) and any(isinstance(item, dict) and "role" in item for item in history)
    return "trajectory" in node.value and roles if isinstance(node.value, dict) else False
