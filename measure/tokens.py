"""Counting: how many tokens a text is, by tiktoken, offline and never by estimate.

The vocabularies ship with the package and are checked against tiktoken's own SHA-256 whenever one is
loaded. tiktoken's loader would go to the network, or take a file from a cache folder without looking at
its hash; so this module reads the file itself and hands the ranks to `tiktoken.Encoding`. Text that spells
a special token, such as `<|endoftext|>`, is ordinary text here: that is what a tool's payload is.

A long text is counted in pieces. That is exact, and not a sum of parts that merely comes close: see `_CUT`.
"""

import hashlib
import os.path
import re
from binascii import a2b_base64
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

import msgspec
import tiktoken

from measure.errors import BadInput, Refused

AUTHORITY = f"tiktoken {tiktoken.__version__}"  # pinned in pyproject.toml: another version is another measurement
DEFAULT_ENCODING = "cl100k_base"

_FOLDER = os.path.join(os.path.dirname(__file__), "vocabularies")  # pathlib alone would cost a tenth of the start
_PIECE = 1 << 18  # characters: bounds the memory for token lists, and is slow for no text
_WHITE_SPACE = 900_000  # characters: from a million on, tiktoken panics

# A place where a text may be cut without changing its count, in cl100k_base and o200k_base alike. Both
# split a text by a pattern before they merge, and no branch of either pattern looks behind. A run of letters or
# digits ends here whatever follows, because nothing that may join it does: no letter, no digit, no
# combining mark, no apostrophe of a contraction. The next branch then starts afresh.
_CUT = re.compile(r"[A-Za-z0-9](?=[\x00-&(-/:-@\[-`{-\x7f])")


class Vocabulary(msgspec.Struct, frozen=True):
    """One encoding: its merge table's SHA-256 and length, and the pattern that splits a text.

    Source of all three: `tiktoken_ext/openai_public.py` of tiktoken 0.14.0.
    """

    name: str
    sha256: str
    entries: int
    pattern: str

    @property
    def file(self) -> str:
        """The file's name in the package; one line a token, in the order of ranks."""
        return f"{self.name}.tiktoken"


class Count(msgspec.Struct, frozen=True):
    """A text's size: UTF-8 bytes, and tokens in `encoding`."""

    encoding: str
    bytes: int
    tokens: int


_CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_TABLE = (
    Vocabulary(
        "cl100k_base",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        100256,
        _CL100K,
    ),
    Vocabulary(
        "o200k_base",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        199998,
        _O200K,
    ),
)
VOCABULARIES = {vocabulary.name: vocabulary for vocabulary in _TABLE}


def vocabulary(encoding: str) -> Vocabulary:
    """The registry's row for `encoding`.

    Raises:
        BadInput: no such encoding; the message names those there are.
    """
    try:
        return VOCABULARIES[encoding]
    except KeyError:
        known = ", ".join(VOCABULARIES)
        raise BadInput(f"unknown encoding {encoding!r}", right=f"known: {known}") from None


def shipped(row: Vocabulary) -> bytes:
    """The file of the merge table, whatever is in it.

    Raises:
        Refused: there is none.
    """
    try:
        with open(os.path.join(_FOLDER, row.file), "rb") as stream:
            return stream.read()
    except OSError as error:
        raise Refused(f"{row.file}: {error.strerror}; reinstall context-ladder") from None


def read_vocabulary(row: Vocabulary) -> bytes:
    """The merge table's bytes, after their hash was compared.

    Raises:
        Refused: the file is missing, or is not the one that tiktoken names.
    """
    data = shipped(row)
    found = hashlib.sha256(data).hexdigest()
    if found != row.sha256:
        raise Refused(f"{row.file}: SHA-256 {found} is not tiktoken's {row.sha256}; reinstall context-ladder")
    return data


@cache
def load(encoding: str) -> tiktoken.Encoding:
    """Tiktoken's own encoder over the shipped vocabulary; loaded once a process.

    Raises:
        BadInput: no such encoding.
        Refused: the vocabulary is damaged.
    """
    row = vocabulary(encoding)
    # Each line is a token in base64 and its rank, and the ranks count up from 0. The hash has just shown
    # that this is that very file, so the ranks need not be read: a third of tiktoken's loading time.
    spelled = read_vocabulary(row).split()[::2]
    ranks = dict(zip(map(a2b_base64, spelled), range(row.entries), strict=True))
    return tiktoken.Encoding(row.name, pat_str=row.pattern, mergeable_ranks=ranks, special_tokens={})


def count(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """Tokens of `text`.

    >>> count('{"id":"TASK-0001"}')
    8

    Raises:
        BadInput: an unknown encoding, or a lone surrogate in the text.
    """
    return tally((text,), encoding).tokens


def remembered(text: str, encoding: str = DEFAULT_ENCODING) -> int:
    """The same as `count`, remembered: for a study that meets the same texts again in every table and every gate.

    >>> remembered('{"id":"TASK-0001"}') == count('{"id":"TASK-0001"}')
    True

    Raises:
        BadInput: see `count`.
    """
    return _remembered(text, encoding)


_remembered = lru_cache(maxsize=16_384)(count)


def tally(pieces: Iterable[str], encoding: str = DEFAULT_ENCODING) -> Count:
    """Bytes and tokens of the text that `pieces` make when joined, without joining them.

    Where the pieces are divided changes nothing. Memory for tokens stays near some ten megabytes, unless
    the text is one run without a place to cut.

    Raises:
        BadInput: an unknown encoding, a lone surrogate in the text (it has no UTF-8 form), or a run of white space
            so long that tiktoken's pattern matcher gives up on it.
    """
    encode = load(encoding).encode_ordinary
    size = tokens = 0
    for part in _safe_parts(pieces):
        if len(part) >= _WHITE_SPACE:
            _check_white_space(part)
        size += _utf8_length(part)
        tokens += len(encode(part))
    return Count(encoding, size, tokens)


def _safe_parts(pieces: Iterable[str]) -> Iterator[str]:
    """The same text, divided anew: only where `_CUT` allows, and about `_PIECE` characters long."""
    held: list[str] = []
    length, wanted = 0, _PIECE
    for piece in (long[at : at + _PIECE] for long in pieces for at in range(0, len(long), _PIECE)):
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
        wanted = length + max(_PIECE, length)
    yield "".join(held)


def _last_cut(text: str) -> int:
    """The last place where `text` may be cut; 0 where there is none."""
    for start in (max(0, len(text) - 4096), 0):
        cut = max((found.end() for found in _CUT.finditer(text, start)), default=0)
        if cut:
            return cut
    return 0


def _check_white_space(text: str) -> None:
    found = re.search(rf"\s{{{_WHITE_SPACE}}}", text)
    if found:
        raise BadInput(
            f"a run of {_WHITE_SPACE:,} or more white-space characters", right="tiktoken cannot split a run that long"
        )


def _utf8_length(text: str) -> int:
    if text.isascii():
        return len(text)
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        spelled = f"U+{ord(text[error.start]):04X}"
        raise BadInput(f"a lone surrogate ({spelled}) cannot be written as UTF-8, so it has no token count") from None
