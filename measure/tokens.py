"""Counting: how many tokens a text is, by tiktoken or by a family of `measure.families`; never by estimate.

The vocabularies ship with the package and are checked against tiktoken's own SHA-256 whenever one is
loaded. tiktoken's loader would go to the network, or take a file from a cache folder without looking at
its hash; so this module reads the file itself and hands the ranks to `tiktoken.Encoding`. Text that spells
a special token, such as `<|endoftext|>`, is ordinary text here: that is what a tool's payload is.

A long text is counted in pieces. That is exact, and not a sum of parts that merely comes close: see `measure.cuts`.
"""

import hashlib
import os.path
import re
from binascii import a2b_base64
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import msgspec
import tiktoken

from measure.cuts import safe_parts
from measure.errors import BadInput, Refused

if TYPE_CHECKING:  # else imported where a family is asked for: who counts in tiktoken's encodings does not wait
    from measure.families import Family

DEFAULT_ENCODING = "cl100k_base"

_FOLDER = os.path.join(os.path.dirname(__file__), "vocabularies")  # pathlib alone would cost a tenth of the start
_WHITE_SPACE = 900_000  # characters: from a million on, tiktoken panics


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

    @property
    def authority(self) -> str:
        """By what it is counted: pinned in pyproject.toml, since another version is another measurement."""
        return f"tiktoken {tiktoken.__version__}"


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


def vocabulary(encoding: str) -> "Vocabulary | Family":
    """The registry's row for `encoding`, whether or not its package is installed.

    Raises:
        BadInput: no such encoding; the message names those there are.
    """
    if encoding in VOCABULARIES:
        return VOCABULARIES[encoding]
    from measure.families import FAMILIES

    if encoding in FAMILIES:
        return FAMILIES[encoding]
    known = ", ".join((*VOCABULARIES, *FAMILIES))
    raise BadInput(f"unknown encoding {encoding!r}", right=f"known: {known}")


def authority(*encodings: str) -> str:
    """By what texts are counted in these encodings: packages and versions.

    >>> authority("cl100k_base", "o200k_base", "llama3")
    'tiktoken 0.14.0, splintr-rs 0.22.0'

    Raises:
        BadInput: see `vocabulary`.
    """
    return ", ".join(dict.fromkeys(vocabulary(encoding).authority for encoding in encodings))


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
    """Tiktoken's own encoder over a shipped vocabulary; loaded once a process.

    Raises:
        Refused: the vocabulary is damaged.
    """
    row = VOCABULARIES[encoding]
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
        BadInput: an unknown encoding, one whose package is not installed, or a lone surrogate in the text.
        Refused: a vocabulary that is not the one that was checked.
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
    the text is one run without a place to cut, or the encoding is a family's: then the text is counted whole.

    Raises:
        BadInput: an unknown encoding, one whose package is not installed, a lone surrogate in the text (it has no
            UTF-8 form), or a run of white space so long that tiktoken's pattern matcher gives up on it.
        Refused: a vocabulary that is not the one that was checked.
    """
    if encoding not in VOCABULARIES:
        return _whole("".join(pieces), encoding)
    encode = load(encoding).encode_ordinary
    size = tokens = 0
    for part in safe_parts(pieces):
        if len(part) >= _WHITE_SPACE:
            _check_white_space(part)
        size += _utf8_length(part)
        tokens += len(encode(part))
    return Count(encoding, size, tokens)


def _whole(text: str, encoding: str) -> Count:
    name = vocabulary(encoding).name
    from measure import engines

    size = _utf8_length(text)
    return Count(name, size, engines.load(name)(text))


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
