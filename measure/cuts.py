"""Where a long text may be divided without changing its count: so that memory for tokens stays small.

That is exact, and not a sum of parts that merely comes close: see `CUT`. It holds for cl100k_base and o200k_base,
and was shown for no other encoding.
"""

import re
from collections.abc import Iterable, Iterator

PIECE = 1 << 18  # characters: bounds the memory for token lists, and is slow for no text

# A place where a text may be cut without changing its count, in cl100k_base and o200k_base alike. Both
# split a text by a pattern before they merge, and no branch of either pattern looks behind. A run of letters or
# digits ends here whatever follows, because nothing that may join it does: no letter, no digit, no
# combining mark, no apostrophe of a contraction. The next branch then starts afresh.
CUT = re.compile(r"[A-Za-z0-9](?=[\x00-&(-/:-@\[-`{-\x7f])")


def safe_parts(pieces: Iterable[str]) -> Iterator[str]:
    """The same text, divided anew: only where `CUT` allows, and about `PIECE` characters long."""
    held: list[str] = []
    length, wanted = 0, PIECE
    for piece in (long[at : at + PIECE] for long in pieces for at in range(0, len(long), PIECE)):
        held.append(piece)
        length += len(piece)
        if length < wanted:
            continue
        text = "".join(held)
        cut = _last_cut(text)
        if cut:
            yield text[:cut]
        held = [text[cut:]]
        length = len(held[0])
        wanted = length + max(PIECE, length)
    yield "".join(held)


def _last_cut(text: str) -> int:
    """The last place where `text` may be cut; 0 where there is none."""
    for start in (max(0, len(text) - 4096), 0):
        cut = max((found.end() for found in CUT.finditer(text, start)), default=0)
        if cut:
            return cut
    return 0
