r"""What an MCP result adds to a payload, taken apart: the envelope, the quotes, the line ends, and what fuses.

The payload stands in the line as a JSON string, so a quote becomes `\"` and a line end `\n`, two characters each. What
that costs depends on the tokenizer: an escaped line end alone is one token, as the bare one is; but its letter n joins
a lower-case letter that follows, and then both cost more. So the parts are counted in this order, and add up:

- `envelope`: the line around an empty text;
- `quotes`: the payload with only its quotes and backslashes escaped, minus the payload;
- `breaks`: the payload's lines each for themselves and an escaped line end or tab between them, minus the payload;
- `fusion`: whatever is left: what the escaped text's neighbours make of each other, and of the envelope's ends.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import msgspec

_BREAKS = re.compile("[\n\r\t]")
_BEFORE_LOWER_CASE = re.compile("[\n\r\t](?=[a-z])")
Tokens = Callable[[str], int]
Wrapper = Callable[[str], str]


class Parts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tokens that an envelope adds to a payload: `added` is the sum of the other four."""

    added: int
    envelope: int
    quotes: int
    breaks: int
    fusion: int


class Marks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What there is to escape in a payload; a break is a line end or a tab."""

    double_quotes: int
    breaks: int
    breaks_before_lower_case: int


def parts(payload: str, wrap: Wrapper, tokens: Tokens) -> Parts:
    r"""What `wrap` (text to line) adds to the payload, by what adds it.

    >>> from measure.tokens import count
    >>> parts("id\ntask-1\n", lambda text: '{"text":' + json.dumps(text) + "}", count)
    Parts(added=5, envelope=4, quotes=0, breaks=0, fusion=1)
    """
    return wrapped(payload, wrap, tokens, escapes(payload, tokens))


class Escapes(NamedTuple):
    """A payload's tokens, and what escaping its quotes, and its breaks, adds to them without an envelope."""

    bare: int
    quotes: int
    breaks: int


def escapes(payload: str, tokens: Tokens) -> Escapes:
    """What the payload itself brings into any envelope."""
    bare = tokens(payload)
    quotes = tokens(payload.replace("\\", "\\\\").replace('"', '\\"')) - bare
    breaks = sum(times * tokens(line) for line, times in Counter(_BREAKS.split(payload)).items()) - bare
    breaks += sum(times * tokens(json.dumps(mark)[1:-1]) for mark, times in Counter(_BREAKS.findall(payload)).items())
    return Escapes(bare, quotes, breaks)


def wrapped(payload: str, wrap: Wrapper, tokens: Tokens, found: Escapes) -> Parts:
    """The parts, where the payload's own escapes are counted already."""
    added = tokens(wrap(payload)) - found.bare
    envelope = tokens(wrap(""))
    return Parts(added, envelope, found.quotes, found.breaks, added - envelope - found.quotes - found.breaks)


def marks(payload: str) -> Marks:
    r"""What there is to escape.

    >>> marks('id\nTASK-1,"a"\ntask-2\n')
    Marks(double_quotes=2, breaks=3, breaks_before_lower_case=1)
    """
    return Marks(payload.count('"'), len(_BREAKS.findall(payload)), len(_BEFORE_LOWER_CASE.findall(payload)))
