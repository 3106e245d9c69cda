"""Random sessions and policies for tests, and slow, obvious ways to say what they come to."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec

from hypothesis import strategies as st

from measure.context.cache_aware import CacheAware
from measure.context.clear_thinking import ClearThinking
from measure.context.clear_tool_uses import PLACEHOLDER, ClearToolUses
from measure.context.edited import applied
from measure.context.hybrid import Hybrid
from measure.context.mask import Mask
from measure.context.none import Nothing
from measure.context.policy import Chain, Policy
from measure.context.session import Session
from measure.context.summarize import Summarize
from measure.transcripts.model import (
    Block,
    Document,
    Image,
    Json,
    Message,
    Part,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Transcript,
)

SUMMARIES = find_spec("lede") is not None
TOOLS = ("read", "bash", "search")
SENTENCES = (
    "The parser reads a header before every block and keeps its offset.",
    "Running the tests shows 14 failures in the module for dates.",
    "A file named settings holds the limits of all queues.",
    "No",
    "Nothing was found there; the next attempt looks into the archive.",
)


def cheap(text: str) -> int:
    """A counter that costs nothing, is 0 for nothing alone, and is not additive."""
    return -(-len(text) // 3)


def counted(transcript: Transcript, count: Callable[[str], int] = cheap) -> Session:
    return Session(transcript, "cl100k_base", count)


def prose(number: int) -> str:
    return " ".join(SENTENCES[(number + place) % len(SENTENCES)] for place in range(number % 7 + 1))


PARTS: tuple[tuple[Part, ...], ...] = (
    (),
    (Text(""),),
    (Text("ok"),),
    (Text("x" * 46),),
    (Text("y" * 47),),
    (Text(PLACEHOLDER),),
    (Text("[tool result left out: 900 characters]"),),
    (Text(prose(5)),),
    (Text(prose(6) * 3), Text("tail")),
    (Json('{"rows":[' + ",".join(str(number) for number in range(70)) + "]}"),),
    (Image("image/png", 9_000, 300, 200),),
    (Image("image/png", 90, 9, 9),),
    (Text("see"), Image("image/png", 9_000)),
    (Document("application/pdf", bytes=40_000, pages=1),),
    (Document("text/plain", prose(13)),),
)


@st.composite
def call(draw: st.DrawFn) -> tuple[str, str, str, tuple[Part, ...], bool, str]:
    """A call as (id, tool, input, result, error, when): answered in the next message, a turn later, or never."""
    when = draw(st.sampled_from(("next",) * 8 + ("late", "never", "server")))
    reused = draw(st.sampled_from(("",) * 6 + ("a", "b")))
    given = draw(st.sampled_from(("{}", '{"path":"a.py"}', '{"text":"' + prose(4) + '"}')))
    return reused, draw(st.sampled_from(TOOLS)), given, draw(st.sampled_from(PARTS)), draw(st.booleans()), when


@st.composite
def turn(draw: st.DrawFn) -> dict[str, object]:
    return {
        "thinking": draw(st.sampled_from((0, 0, 1, 2))),
        "text": draw(st.sampled_from((-1, 0, 3, 9))),
        "calls": draw(st.lists(call(), max_size=3)),
        "orphan": draw(st.sampled_from((False,) * 9 + (True,))),
        "beside": draw(st.sampled_from((False,) * 4 + (True,))),
        "said": draw(st.sampled_from((0, 0, 0, 1, 2))),
        "compacted": draw(st.sampled_from((False,) * 14 + (True,))),
    }


@st.composite
def transcripts(draw: st.DrawFn, most: int = 14) -> Transcript:
    """A session with all that real ones hold, and what they should not: orphans, reused ids, answers that come late."""
    messages = [Message("user", (Text(prose(number)),)) for number in range(draw(st.sampled_from((0, 1, 1, 2))))]
    compactions: list[int] = []
    late: list[ToolResult] = []
    for number, plan in enumerate(draw(st.lists(turn(), max_size=most))):
        if plan["compacted"]:
            compactions.append(len(messages))
            messages.append(Message("user", (Text("What was before is gone. " + prose(number)),)))
        blocks: list[Block] = [Thinking(prose(number + 2), redacted=place == 1) for place in range(plan["thinking"])]
        blocks += [Text(prose(number))] if plan["text"] > 0 else [Text("")] if plan["text"] == 0 else []
        answers, coming = late, []
        for place, (reused, tool, given, parts, error, when) in enumerate(plan["calls"]):
            name = reused or f"{number}-{place}"
            blocks.append(ToolUse(name, tool, given, server=when == "server"))
            result = ToolResult(name, parts, error)
            if when == "server":
                blocks.append(result)
            elif when != "never":
                (answers if when == "next" else coming).append(result)
        answers += [ToolResult("nobody", (Text(prose(8)),))] if plan["orphan"] else []
        messages.append(Message("assistant", tuple(blocks) or (Text("well"),)))
        if answers:
            messages.append(Message("user", (*answers, *([Text("beside")] if plan["beside"] else []))))
        messages += [Message("user", (Text(prose(number + said)),)) for said in range(plan["said"])]
        late = coming
    known = draw(st.booleans())
    return Transcript(
        "random", "test", tuple(messages), "You help." * known, ('{"name":"read"}',) * known, tuple(compactions)
    )


NAMES = st.lists(st.sampled_from(TOOLS), max_size=2, unique=True).map(tuple)
POLICIES: dict[str, st.SearchStrategy[Policy]] = {
    "none": st.just(Nothing()),
    "mask": st.builds(Mask, st.integers(0, 6), st.integers(1, 4)),
    "clear_tool_uses": st.builds(
        ClearToolUses,
        trigger=st.sampled_from((1, 2, 5, 60, 200, 500)),
        trigger_type=st.sampled_from(("input_tokens", "tool_uses")),
        keep=st.integers(0, 5),
        clear_at_least=st.sampled_from((0, 0, 1, 40, 120, 10**6)),
        exclude_tools=NAMES,
        clear_tool_inputs=st.booleans() | NAMES,
    ),
    "cache_aware": st.builds(CacheAware, st.integers(0, 4)),
    "clear_thinking": st.builds(
        ClearThinking, st.just("all") | st.integers(1, 4), st.sampled_from(("assistant", "user"))
    ),
}
if SUMMARIES:
    POLICIES["summarize"] = st.builds(Summarize, st.integers(1, 5), st.integers(0, 4), st.sampled_from((100, 150, 400)))
    POLICIES["hybrid"] = st.builds(
        Hybrid, st.integers(0, 4), st.integers(1, 6), st.integers(0, 4), st.sampled_from((100, 250))
    )


def chains() -> st.SearchStrategy[tuple[Policy, ...]]:
    """Two policies in an order that is allowed."""
    one = st.one_of(list(POLICIES.values()))
    return st.tuples(one, one).filter(lambda pair: not pair[1].first)


def again(transcript: Transcript, messages: Sequence[Message]) -> Transcript:
    """The same session, had it been these messages."""
    return Transcript("again", "test", tuple(messages), transcript.system, transcript.tools)


def sent(transcript: Transcript, policies: Sequence[Policy], count: Callable[[str], int] = cheap) -> Transcript:
    """The session as the next request sends it."""
    session = counted(transcript, count)
    chain = Chain(session, policies)
    for _ in chain.moments(session.requests):
        pass
    return again(transcript, applied(session, chain.context.changes))


def places(messages: Sequence[Message]) -> Iterator[tuple[tuple[int, int], Block]]:
    for number, message in enumerate(messages):
        for index, block in enumerate(message.blocks):
            yield (number, index), block


def pairs(messages: Sequence[Message]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where each use with a result and its result stand: by result message, then by call."""
    free: list[tuple[tuple[int, int], str]] = []
    found = []
    for place, block in places(messages):
        if isinstance(block, ToolUse):
            free.append((place, block.id))
        elif isinstance(block, ToolResult):
            for use in reversed(free):
                if use[1] == block.use:
                    free.remove(use)
                    found.append((use[0], place))
                    break
    return sorted(found, key=lambda pair: (pair[1][0], pair[0]))


def alone(messages: Sequence[Message]) -> Counter[tuple[str, str]]:
    """Calls without a result and results without a call, by id."""
    paired = {place for pair in pairs(messages) for place in pair}
    return Counter(
        (type(block).__name__, block.id if isinstance(block, ToolUse) else block.use)
        for place, block in places(messages)
        if isinstance(block, ToolUse | ToolResult) and place not in paired
    )


def tokens_of(block: Block, count: Callable[[str], int]) -> int:
    match block:
        case ToolUse():
            return count(block.name) + count(block.input)
        case ToolResult():
            return sum(tokens_of(part, count) for part in block.parts)
        case Image():
            sized = block.width is not None and block.height is not None
            return min(-(-block.width * block.height // 750), 1_600) if sized else 1_600
        case Document() if block.text is None:
            return 3_000 * (block.pages or 1)
    return count(block.text or "")


def kind_of(message: Message, block: Block) -> str:
    names = {Thinking: "thinking", ToolUse: "tool_input", ToolResult: "tool_result"}
    return names.get(type(block), message.role)


def by_kind(transcript: Transcript, count: Callable[[str], int] = cheap) -> Counter[str]:
    """Tokens of each kind, every block counted anew."""
    found: Counter[str] = Counter()
    found["tools"] = count("[" + ",".join(transcript.tools) + "]") if transcript.tools else 0
    found["system"] = count(transcript.system)
    for message in transcript.messages:
        for block in message.blocks:
            found[kind_of(message, block)] += tokens_of(block, count)
    return found
