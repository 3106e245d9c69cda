"""Sessions to cache, and slow, obvious caches: a list of blocks, compared block by block with lists sent before."""

import os
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st
from sessions import SUMMARIES, cheap, counted, tokens_of, transcripts

from measure import transcripts as loaders
from measure.context.cache import PLACES, Cache, Charge
from measure.context.edited import applied
from measure.context.policies import chain
from measure.context.policy import Chain, Moment, Policy
from measure.context.session import Session
from measure.context.session import counted as really_counted
from measure.context.state import Context
from measure.study.context.compared import STUDIED
from measure.transcripts.model import Message, Text, Thinking, ToolResult, ToolUse, Transcript, Usage

ROOT = Path(__file__).parent.parent
FIXTURES = ("search", "mixed", "retrieval", "research")
CHAINS = {name: text for name, text in STUDIED.items() if SUMMARIES or text not in ("summarize", "hybrid")}
SUBSETS = [places for size in range(1, len(PLACES) + 1) for places in combinations(PLACES, size)]


@lru_cache
def fixture(name: str) -> Session:
    """A synthetic session, counted in real tokens."""
    (found,) = loaders.load((ROOT / "fixtures" / "sessions" / f"{name}.json").read_bytes(), name)
    return really_counted(msgspec.structs.replace(found, name=name))


@lru_cache
def studied(name: str) -> tuple[Policy, ...]:
    return chain(STUDIED[name])


@lru_cache
def recorded() -> tuple[Session, ...]:
    """Real sessions, counted in real tokens; none where they are not at hand."""
    named = os.environ.get("CONTEXT_LADDER_TRANSCRIPTS")
    files = sorted(Path(named).iterdir()) if named else []
    loaded = [loaders.load(path.read_bytes(), path.name) for path in files if path.suffix != ".md"]
    return tuple(really_counted(one) for several in loaded for one in several)


def words(number: int) -> str:
    """A text of so many tokens of `cheap`."""
    return "abc" * number


def plain(*sizes: int, times: Sequence[float | None] = (), token: int = 10, system: str = "") -> Transcript:
    """A session whose requests grow by these numbers of blocks: the assistant's one, then the user's, `token` each."""
    messages: list[Message] = []
    for number, size in enumerate(sizes):
        if number:
            messages.append(Message("assistant", (Text(words(token)),), times[number - 1] if times else None))
        messages.append(Message("user", (Text(words(token)),) * (size - (number > 0))))
    messages.append(Message("assistant", (Text("well"),), times[len(sizes) - 1] if times else None))
    return Transcript("plain", "test", tuple(messages), system)


def calling(*results: int, said: int = 1, thought: int = 0, times: Sequence[float | None] = ()) -> Transcript:
    """A session of one call after the other, whose results have these tokens of `cheap`."""
    messages = [Message("user", (Text(words(20)),))]
    for number, size in enumerate(results):
        thinking = (Thinking(words(thought)),) * bool(thought)
        blocks = (*thinking, *(Text(words(said)),) * bool(said), ToolUse(f"c{number}", "read", "{}"))
        messages.append(Message("assistant", blocks, times[number] if times else None))
        messages.append(Message("user", (ToolResult(f"c{number}", (Text(words(size)),)),)))
    messages.append(Message("assistant", (Text("done"),), times[len(results)] if times else None))
    return Transcript("calling", "test", tuple(messages), "s" * 30)


def reported(transcript: Transcript, usages: Sequence[Usage | None]) -> Transcript:
    """The same with what a provider reported of each call."""
    given = iter(usages)
    messages = [
        msgspec.structs.replace(message, usage=next(given)) if message.role == "assistant" else message
        for message in transcript.messages
    ]
    return msgspec.structs.replace(transcript, messages=tuple(messages))


GAPS = (0, 1, 200, 299, 300, 301, 3_600, 3_601)


@st.composite
def timed(draw: st.DrawFn, most: int = 12) -> Transcript:
    """A random session with a clock, of which some messages may know nothing; or without one."""
    found = draw(transcripts(most))
    if draw(st.integers(0, 3)) == 0:
        return found
    gaps = draw(st.lists(st.sampled_from(GAPS), min_size=len(found.messages), max_size=len(found.messages)))
    known = draw(st.sampled_from((1, 1, 3)))
    messages = [
        msgspec.structs.replace(message, time=None if known > 1 and number % known == 0 else float(time))
        for number, (message, time) in enumerate(zip(found.messages, accumulate(gaps), strict=True))
    ]
    return msgspec.structs.replace(found, messages=tuple(messages))


_KNOWN: dict[Any, int] = {}  # blocks by what they hold: numbers are compared faster


class Prompt:
    """One request as a list of blocks, from its edited messages, each counted anew; equal ones have one number."""

    def __init__(self, session: Session, context: Context) -> None:
        known = session.transcript
        fixed: list[Any] = [("fixed", block) for block in session.blocks[: session.fixed]]
        edited = [
            (message.role, block)
            for message in applied(session, context.changes, context.end)
            for block in message.blocks
        ]
        gone = {position for position, change in context.changes.items() if change.text is None}
        self._standing = [position for position in range(context.end) if position not in gone]
        self.held = fixed + edited
        self.blocks = tuple(_KNOWN.setdefault(block, len(_KNOWN)) for block in self.held)
        assert len(self.held) == len(self._standing)
        tokens = [block.tokens for block in session.blocks[: session.fixed]]
        if known.tools or known.system:
            texts = ["[" + ",".join(known.tools) + "]"] * bool(known.tools) + [known.system] * bool(known.system)
            tokens = [session.count(text) for text in texts]
        tokens += [tokens_of(block, session.count) for _, block in edited]
        self.until = [0, *accumulate(tokens)]

    def upto(self, position: int) -> int:
        """How many of its blocks stand before a position of the session."""
        return sum(standing < position for standing in self._standing)


class SlowExplicit:
    """Entries are beginnings of prompts: lists of blocks, and when each dies.

    As documented: a breakpoint goes to the nearest block, at or before its place, that can carry one: no thinking,
    no empty text. It finds the longest living entry within 20 positions, its own the first. What was found lives on.
    """

    def __init__(self, life: float, minimum: int, places: Sequence[str]) -> None:
        self.life, self.minimum, self.places = life, minimum, places
        self.entries: dict[tuple[int, ...], float | None] = {}
        self.lengths: set[int] = set()
        self.end = 0

    def charge(self, moment: Moment, prompt: Prompt, fixed: int) -> Charge:
        now, blocks, total = moment.request.time, prompt.blocks, prompt.until[-1]
        wanted = {
            "system": fixed,
            "frontier": prompt.upto(moment.frontier),
            "previous": prompt.upto(self.end),
            "last": len(blocks),
        }
        self.end = moment.request.end
        breakpoints = set()
        for name in self.places:
            place = wanted[name]
            while place and not carries(prompt.held[place - 1]):
                place -= 1
            if prompt.until[place] >= self.minimum:
                breakpoints.add(place)
        hits = [hit for place in breakpoints if (hit := self.walk(blocks, place, now)) is not None]
        dies = None if now is None else now + self.life
        for place in [*hits, *breakpoints]:
            self.entries[blocks[:place]] = dies
            self.lengths.add(place)
        read = prompt.until[max(hits, default=0)]
        cached = prompt.until[max(breakpoints, default=0)]
        return Charge(fresh=total - cached, read=read, written=cached - read)

    def walk(self, blocks: tuple[int, ...], place: int, now: float | None) -> int | None:
        for length in range(place, max(place - 20, -1), -1):
            if length in self.lengths and blocks[:length] in self.entries:
                dies = self.entries[blocks[:length]]
                if now is None or dies is None or now <= dies:
                    return length
        return None


def carries(block: tuple[str, Any]) -> bool:
    return not isinstance(block[1], Thinking) and block[1] != Text("")


class SlowAutomatic:
    """The longest beginning that a prompt shares with the one before it, block by block."""

    def __init__(self, life: float, minimum: int, step: int) -> None:
        self.life, self.minimum, self.step = life, minimum, step
        self.before: tuple[int, ...] = ()
        self.time: float | None = None

    def charge(self, moment: Moment, prompt: Prompt, fixed: int) -> Charge:
        now, shared = moment.request.time, 0
        while shared < min(len(self.before), len(prompt.blocks)) and self.before[shared] == prompt.blocks[shared]:
            shared += 1
        if now is not None and self.time is not None and now - self.time > self.life:
            shared = 0
        self.before, self.time = prompt.blocks, now
        tokens = prompt.until[shared]
        read = 0 if tokens < self.minimum else tokens // self.step * self.step
        return Charge(prompt.until[-1] - read, read, 0)


def agree(
    session: Session, policies: Sequence[Policy], pairs: Sequence[tuple[Cache, SlowExplicit | SlowAutomatic]]
) -> int:
    """Every cache charges every request as its slow twin does; how many charges were compared."""
    made = Chain(session, policies)
    compared = 0
    for number, moment in enumerate(made.moments()):
        prompt = Prompt(session, made.context)
        for fast, slow in pairs:
            charge = fast.charge(moment, made.context)
            assert charge == slow.charge(moment, prompt, session.fixed), (number, getattr(slow, "places", "prefix"))
            assert charge.fresh + charge.read + charge.written == prompt.until[-1] == made.context.total
            assert min(charge.fresh, charge.read, charge.written) >= 0
            compared += 1
    return compared


def charges(transcript: Transcript, cache: Cache, policies: Sequence[Policy] = ()) -> list[Charge]:
    """What a cache makes of each request."""
    made = Chain(counted(transcript, cheap), policies)
    return [cache.charge(moment, made.context) for moment in made.moments()]
