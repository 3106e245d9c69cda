"""The engines of `measure.families`: a package is imported when its first text is counted, and then proves itself.

A built-in probe must come out as the registry records it. Another version or another vocabulary is refused, and no
length ever stands in for a count. Two things are not handled: a text that spells a special token is ordinary text,
and a long text is not divided, because no rule for cutting was shown for these splitting patterns.
"""

import hashlib
import importlib.metadata
import sys
from collections.abc import Callable
from functools import cache

from measure.errors import BadInput, Refused
from measure.families import CTOK, FAMILIES, SPLINTR, Package

Encode = Callable[[str], list[int]]  # token ids; or, where a package gives none, the count alone
REMEDY = "install context-ladder with its extra `families`"

# Every pair of these is one text of the probe, so that each kind of text and each seam between two kinds is in it.
# All are NFC and old in Unicode: they mean the same to every Python.
_PARTS = (
    *(
        "",
        "a",
        "Status",
        "in_progress",
        "TASK-0042",
        "don't",
        "7",
        "20260107",
        "3.14",
        ".",
        "...",
        "-->",
        "\u00e9t\u00e9",
    ),
    *(
        '{"id":"T-1","n":null}',
        "id,status\n1,done\n",
        "\u65e5\u672c\u8a9e",
        "\u0417\u0430\u0434\u0430\u0447\u0430",
        "\U0001f600",
    ),
    *(" ", "   ", "\n", "\n\n", "\t", "\r\n"),
)


def fingerprint(encode: Encode) -> str:
    """SHA-256 over what `encode` gives for each text of the probe."""
    texts = (first + second for first in _PARTS for second in _PARTS)
    lines = (" ".join(map(str, encode(text))) for text in texts)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def installed(package: Package) -> bool:
    """Whether the package is there in the version that was checked."""
    return _version(package) == package.version


def _version(package: Package) -> str | None:
    try:
        return importlib.metadata.version(package.name)
    except importlib.metadata.PackageNotFoundError:
        return None


@cache
def load(name: str) -> Callable[[str], int]:
    """What counts the tokens of a text in this family; loaded and probed once a process.

    Raises:
        BadInput: the package is not there, or this Python is too old for it.
        Refused: it is another version, or its vocabulary is not the one that was checked.
    """
    family = FAMILIES[name]
    package = family.package
    found = _version(package)
    if found is None and sys.version_info < package.python:
        wanted = ".".join(map(str, package.python))
        raise BadInput(f"{name} is counted by {package.name}", right=f"it needs Python {wanted}, then {REMEDY}")
    if found is None:
        raise BadInput(f"{name} is counted by {package.name}, which is not installed", right=REMEDY)
    if found != package.version:
        raise Refused(f"{name} was checked with {package.authority}, and {found} is installed; {REMEDY}")
    encode = _OPEN[package.name](family.inside)
    probed = fingerprint(encode)
    if probed != family.fingerprint:
        raise Refused(f"{name}: fingerprint {probed} is not {family.fingerprint}: not the vocabulary that was checked")
    return (lambda text: len(encode(text))) if package.gives == "ids" else lambda text: encode(text)[0]


def _splintr(inside: str) -> Encode:
    """Token ids; what spells a special token is ordinary text, and nothing is put round the text."""
    import splintr

    encode: Encode = splintr.Tokenizer.from_pretrained(inside).encode_ordinary
    return encode


def _ctok(inside: str) -> Encode:
    """The count, as a list of one: of a user message with this text, less the frame round it."""
    import ctok

    frame = ctok.tokenize("", inside).count("⟨pad⟩")
    return lambda text: [ctok.token_count(text, inside) - frame if text else 0]


_OPEN: dict[str, Callable[[str], Encode]] = {SPLINTR.name: _splintr, CTOK.name: _ctok}
