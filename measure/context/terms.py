"""On which terms a session is sent: which cache, at whose prices, with breakpoints where. And what it costs then.

`CACHES` are the choices: no cache, or one whose entries live five minutes or an hour. Whether that is a cache of
entries at breakpoints or of common prefixes is the provider's, so the prices say it.
"""

from collections.abc import Iterable

import msgspec

from measure.context.cache import LIVES, Automatic, Cache, Explicit, Uncached
from measure.context.policy import Policy
from measure.context.prices import Cost, Prices
from measure.context.replay import Usage
from measure.errors import BadInput

UNCACHED = "none"
CACHES = {UNCACHED: "nothing is kept", "5m": "entries live five minutes", "1h": "entries live an hour"}
BREAKPOINTS = ("system", "frontier", "last")  # unless a user says otherwise


class Terms(msgspec.Struct, frozen=True):
    """A cache of `CACHES`, prices, and the places of breakpoints; these matter where the caller sets them.

    Raises:
        BadInput: an unknown cache.
    """

    cache: str
    prices: Prices
    breakpoints: tuple[str, ...] = BREAKPOINTS

    def __post_init__(self) -> None:
        if self.cache not in CACHES:
            raise BadInput(f"no cache {self.cache!r}", right=f"known: {', '.join(CACHES)}")

    @property
    def cached(self) -> bool:
        """Whether anything is kept."""
        return self.cache != UNCACHED

    @property
    def explicit(self) -> bool:
        """Whether breakpoints play a part."""
        return self.cached and not self.prices.automatic

    @property
    def shown(self) -> str:
        """In a few words: `5m, system+frontier+last`."""
        if not self.cached:
            return "no cache"
        return f"{self.cache}, {'+'.join(self.breakpoints)}" if self.explicit else f"{self.cache}, common prefix"

    def new_cache(self) -> Cache:
        """An empty cache.

        Raises:
            BadInput: an unknown place of a breakpoint.
        """
        if not self.cached:
            return Uncached()
        life, prices = LIVES[self.cache], self.prices
        if prices.automatic:
            return Automatic(life, prices.minimum, prices.step)
        return Explicit(life, prices.minimum, self.breakpoints)

    def cost(self, usage: Usage) -> Cost:
        """What these tokens cost, in nanodollars."""
        prices = self.prices
        return Cost(
            fresh=usage.fresh * prices.fresh,
            read=usage.read * prices.read,
            write=usage.written * self._write,
            output=usage.output * prices.output,
        )

    def suited(self, policies: Iterable[Policy]) -> tuple[Policy, ...]:
        """The policies; one that weighs prices is told these, `read` and `write` such that a fresh token is 1."""
        fresh, weighed = self.prices.fresh, self.cached and bool(self.prices.fresh)  # input may be free
        held = {
            "read": self.prices.read / fresh if weighed else 1.0,
            "write": self._write / fresh if weighed else 1.0,
            "life": LIVES.get(self.cache, LIVES["5m"]),
            "rewritten": self._rewritten,
        }
        return tuple(policy.suited(held) for policy in policies)

    @property
    def _rewritten(self) -> str:
        """From where on a prompt is written again after a change."""
        if not self.explicit or "frontier" in self.breakpoints:
            return "change"
        return "messages" if "system" in self.breakpoints else "start"

    @property
    def _write(self) -> int:
        if self.prices.automatic:
            return self.prices.fresh
        return self.prices.write_1h if self.cache == "1h" else self.prices.write_5m
