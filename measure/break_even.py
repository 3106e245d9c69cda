"""When a move pays back: what must be read once to use a text, against what each query then saves.

Whoever moves from one text to another is charged for the session texts that the destination needs and the source
did not. What both sides hold is sunk: it is listed and charged nothing. The answer is the first whole number of
queries with a positive net, or none, with the reason.

Not counted: the requests themselves, which differ by a few tokens between two queries, and what a host wraps round
a call; `batching` counts both, with the host's share as a parameter.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from measure.quantities import Denominator, Saving, Share, saving, share

QUERIES = (1, 5, 10, 20, 50, 100)

# Whoever adopts the layer comes from a plain response, which needs no contract and is the text of a rung with all
# fields, and goes to a rung of the layer.
BASELINES = {"plain response, pretty": "L0", "plain response, minified": "L1"}
DESTINATIONS = ("L3", "L4")
Count = Annotated[int, msgspec.Meta(ge=0)]


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counted text: whose, how it was written, and how many tokens."""

    name: str
    serialization: str
    tokens: Count

    def as_denominator(self) -> Denominator:
        """This count as what a percentage is taken of."""
        return Denominator(self.name, self.serialization, self.tokens)


class Side(msgspec.Struct, frozen=True):
    """One side of a move: the text that each query brings, and the session texts that it takes to use it."""

    text: Text
    holds: tuple[Text, ...] = ()


class Net(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens won after so many queries; negative where the move has not paid back."""

    queries: Count
    tokens: int


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From one text to another: what it saves a query, what it costs once, when it pays back.

    `mixed_serializations` says that the two texts are not written alike, so that the saving is not one of content
    alone. `one_time` is the charge in percent of the text before the move; null where nothing is charged.
    """

    move: str
    rows: Count
    encoding: str
    before: Text
    after: Text
    mixed_serializations: bool
    saving: Saving
    sunk: list[Text]
    charged: list[Text]
    one_time_tokens: Count
    one_time: Share | None
    break_even_queries: int | None
    reason: str | None
    net: list[Net]


def move(before: Side, after: Side, rows: int, encoding: str, name: str = "") -> Move:
    """The account of a move between two texts of the same records."""
    sunk = [text for text in after.holds if text in before.holds]
    charged = [text for text in after.holds if text not in before.holds]
    once = sum(text.tokens for text in charged)
    each = before.text.tokens - after.text.tokens
    queries, reason = break_even(each, once)
    return Move(
        move=name or f"{before.text.name}->{after.text.name}",
        rows=rows,
        encoding=encoding,
        before=before.text,
        after=after.text,
        mixed_serializations=before.text.serialization != after.text.serialization,
        saving=saving(before.text.as_denominator(), after.text.tokens),
        sunk=sunk,
        charged=charged,
        one_time_tokens=once,
        one_time=share(once, before.text.as_denominator()) if once else None,
        break_even_queries=queries,
        reason=reason,
        net=[Net(count, count * each - once) for count in QUERIES],
    )


def break_even(saved_each: int, one_time: int) -> tuple[int | None, str | None]:
    """The first whole number of queries, at least 1, whose net is positive; or None and why.

    >>> break_even(2, 21), break_even(239, 0), break_even(0, 21)
    ((11, None), (1, None), (None, 'a query saves nothing'))
    """
    if saved_each <= 0:
        return None, "a query saves nothing" if saved_each == 0 else f"a query costs {-saved_each} tokens more"
    return one_time // saved_each + 1, None


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several statements in one call against a call for each, under a host's framing of so many tokens a call.

    `saving` is of the separate calls, requests and framing included. `break_even_framing` is the smallest framing
    with which one call is cheaper.
    """

    calls: Count
    rows: Count
    encoding: str
    output: str
    framing_tokens: Count
    separate: Text
    together: Text
    saving: Saving
    break_even_framing: int | None
    reason: str | None


def batch(
    separate: Sequence[tuple[int, int]], together: tuple[int, int], framing: int, place: Mapping[str, str | int]
) -> Batch:
    """Compare calls, each as (tokens of the request, tokens of the answer); `place` has rows, encoding, output."""
    bare = sum(map(sum, separate)), sum(together)
    calls = len(separate)
    output = str(place["output"])
    before = Text(f"{calls} calls", output, bare[0] + calls * framing)
    after = Text("1 call", output, bare[1] + framing)
    least = break_even_framing(bare[0], bare[1], calls)
    return Batch(
        calls=calls,
        rows=int(place["rows"]),
        encoding=str(place["encoding"]),
        output=output,
        framing_tokens=framing,
        separate=before,
        together=after,
        saving=saving(before.as_denominator(), after.tokens),
        break_even_framing=least,
        reason=None if least is not None else "one call saves no framing",
    )


def break_even_framing(separate: int, together: int, calls: int) -> int | None:
    """The smallest framing a call, in whole tokens, with which one call is cheaper than `calls`.

    >>> break_even_framing(90, 97, 3), break_even_framing(90, 80, 3), break_even_framing(90, 80, 1)
    (4, 0, None)
    """
    if calls < 2:
        return None
    return max(0, (together - separate) // (calls - 1) + 1)
