"""Agent transcripts: their neutral form in `model`, and a loader for each format in which programs record them.

`LOADERS` is the registry; a loader is one file with `recognizes` and `read`. A file's format is told by looking at
what it holds, never by its name, and each file is recognized by one loader at most. Not handled: following a session
over several files.
"""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from measure.errors import BadInput
from measure.transcripts import anthropic, bedrock, claude_code, openai, openhands, parse, swe_agent
from measure.transcripts.model import Transcript
from measure.values import TYPE_NAMES


class Loader(NamedTuple):
    """How a format is told from others, how it is read, and what it is called where it is explained."""

    recognizes: Callable[[parse.Source], bool]
    read: Callable[[parse.Source], list[Transcript]]
    title: str


LOADERS: dict[str, Loader] = {
    anthropic.NAME: Loader(anthropic.recognizes, anthropic.read, "an Anthropic message list or request"),
    claude_code.NAME: Loader(claude_code.recognizes, claude_code.read, "a Claude Code session (JSONL)"),
    openai.NAME: Loader(openai.recognizes, openai.read, "an OpenAI chat"),
    bedrock.NAME: Loader(bedrock.recognizes, bedrock.read, "Bedrock Converse or Strands messages"),
    swe_agent.NAME: Loader(swe_agent.recognizes, swe_agent.read, "a SWE-agent trajectory"),
    openhands.NAME: Loader(openhands.recognizes, openhands.read, "an OpenHands event history"),
}


def load(data: bytes, where: str, lenient: bool = False) -> list[Transcript]:
    """The transcripts in a file's bytes, one or several; `where` names the file in messages.

    With `lenient`, lines that are not JSON and blocks of an unknown kind are left out and counted in `left_out`, where
    they are an error otherwise.

    Raises:
        BadInput: not UTF-8 text, not JSON, none of the formats in `LOADERS`, or something in it that does not have its
            format's form; one line with the place.

    >>> load(b'[{"role": "user", "content": "hello"}]', "chat.json")[0].messages[0].blocks
    (Text(text='hello'),)
    """
    right = f"needed is {', '.join(loader.title for loader in LOADERS.values())}"
    source = parse.read(data, where, lenient, right)
    loader = next((loader for loader in LOADERS.values() if loader.recognizes(source)), None)
    if loader is None:
        raise BadInput(f"no transcript, but {_described(source)}", where=where, right=right)
    found = loader.read(source)
    if not any(transcript.messages for transcript in found):
        raise BadInput("no message in it", where=where, right="a transcript has one at least")
    if source.broken:
        found[0] = replace(found[0], left_out=(*found[0].left_out, ("broken line", source.broken)))
    return found


def _described(source: parse.Source) -> str:
    """What a file holds that is no transcript."""
    value = source.values[0].value
    kind = TYPE_NAMES[type(value)]
    if isinstance(value, dict):
        kind += f" (keys: {', '.join(list(value)[:6])})" if value else " without keys"
    return f"{len(source.values)} lines of JSON, the first an {kind}" if source.lines else f"JSON: {kind}"
