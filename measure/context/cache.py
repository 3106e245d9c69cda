"""Prompt caches: what of a request is read, what is written, what is fresh. Two kinds, as providers document them.

`Explicit` keeps entries, each the prompt's beginning up to a breakpoint of some request. A later request finds one by
walking back from each of its own breakpoints; so an entry can be right and out of reach, and a prompt whose middle
changes finds only what was written before that place. `Automatic` finds the longest beginning that two requests share.

Assumed, where the documentation is silent: a breakpoint inside what was read makes an entry at no cost; where a
transcript has no times, no entry dies. Not modelled: concurrent requests, mixed lifetimes in one request, and blocks
of a provider's own that stand before the prompt.
"""

from bisect import bisect_right, insort
from collections.abc import Sequence
from typing import Protocol

import msgspec

from measure.context.policy import Moment
from measure.context.state import Context
from measure.errors import BadInput

LIVES = {"5m": 300, "1h": 3_600}  # seconds
WALK = 20  # positions looked at from a breakpoint on, itself the first
# Source of both: the prompt-caching page of Anthropic's documentation, read 2026-08.


class Charge(msgspec.Struct, frozen=True):
    """One request's input, in tokens: fresh + read + written."""

    fresh: int
    read: int
    written: int


class Cache(Protocol):
    """A cache over one session; it is shown every request once, in order."""

    def charge(self, moment: Moment, context: Context) -> Charge:
        """What this request reads and writes; the cache is then as it leaves it."""


class Uncached:
    """No cache: everything is fresh, every time."""

    def charge(self, moment: Moment, context: Context) -> Charge:
        """All of it."""
        return Charge(context.total, 0, 0)


class Entry(msgspec.Struct):
    """The prompt up to a position: its tokens, and when it dies (None: never)."""

    position: int
    tokens: int
    dies: float | None


PLACES = {  # where a breakpoint may stand
    "system": "after the tools and the system text",
    "frontier": "before the first block that the policy may still change",
    "previous": "where the request before ended: so its entry is found, however many blocks have come since",
    "last": "at the last block; alone, it is what a provider's automatic breakpoint does",
}


class Explicit:
    """Entries at breakpoints. `life` in seconds; a prompt below `minimum` tokens is neither written nor read.

    `places` are of `PLACES`: so there are never more breakpoints than the four that a request may have.

    Raises:
        BadInput: an unknown place, or none.
    """

    def __init__(self, life: float, minimum: int, places: Sequence[str]) -> None:
        unknown = [place for place in places if place not in PLACES]
        if unknown or not places:
            named = repr(unknown[0]) if unknown else "nowhere"
            raise BadInput(f"a breakpoint {named}", right=f"known: {', '.join(PLACES)}")
        self.life = life
        self.found = self.left = 0  # up to where the last request was read, and the last entry that it left
        self._minimum, self._places = minimum, tuple(places)
        self._positions: list[int] = []  # of the entries, in order
        self._entries: dict[int, Entry] = {}  # by position
        self._end = 0

    def charge(self, moment: Moment, context: Context) -> Charge:
        """Look the request up, then write it."""
        while self._positions and self._positions[-1] > moment.changed:
            del self._entries[self._positions.pop()]
        total, now = context.total, moment.request.time
        places = self._standing(moment, context, total)
        if not places:
            self.found = self.left = 0
            return Charge(total, 0, 0)
        dies = None if now is None else now + self.life
        self.found = read = 0
        for entry in [self._reached(place, context, now) for place in places]:
            if entry is not None:
                entry.dies = dies
                if entry.position > self.found:
                    self.found, read = entry.position, entry.tokens
        for place, tokens in places.items():
            if place not in self._entries:
                insort(self._positions, place)
            self._entries[place] = Entry(place, tokens, dies)
        self.left = max(places)
        cached = places[self.left]
        return Charge(total - cached, read, cached - read)

    def _standing(self, moment: Moment, context: Context, total: int) -> dict[int, int]:
        """Where this request's breakpoints stand, and the tokens before each; those that are too short are not."""
        stand = {
            "system": context.session.fixed,
            "frontier": moment.frontier,
            "previous": self._end,
            "last": context.end,
        }
        self._end = context.end
        made: dict[int, int] = {}
        for name in self._places:
            place = _cacheable(stand[name], context)
            if place not in made:
                tokens = total if place == context.end else context.before(place)
                if tokens >= self._minimum:
                    made[place] = tokens
        return made

    def _reached(self, place: int, context: Context, now: float | None) -> Entry | None:
        """The longest living entry that a walk back from `place` meets."""
        for index in range(bisect_right(self._positions, place) - 1, -1, -1):
            position = self._positions[index]
            if context.blocks_between(position, place) >= WALK:
                return None
            entry = self._entries[position]
            if entry.dies is None or now is None or now <= entry.dies:
                return entry
        return None


class Automatic:
    """The longest common prefix with the request before, in whole `step`s from `minimum` tokens on."""

    def __init__(self, life: float, minimum: int, step: int) -> None:
        self._life, self._minimum, self._step = life, minimum, step
        self._end = 0
        self._time: float | None = None

    def charge(self, moment: Moment, context: Context) -> Charge:
        """Compare the request with the one before it."""
        now, before = moment.request.time, self._time
        alive = now is None or before is None or now - before <= self._life
        shared = context.before(min(self._end, moment.changed)) if alive else 0
        read = shared - shared % self._step if shared >= self._minimum else 0
        self._end, self._time = context.end, now
        return Charge(context.total - read, read, 0)


def _cacheable(place: int, context: Context) -> int:
    """The nearest place, at or before this one, whose last block can carry a breakpoint; a replacement always can."""
    markable, changes = context.session.markable, context.changes
    while place and not (markable[place - 1] if place - 1 not in changes else changes[place - 1].text is not None):
        place -= 1
    return place
