"""The paper, compiled from its source and the results, to the same bytes everywhere.

The compiler is a wheel of one version, with its fonts inside; no font, package, date or path of the machine goes in.
It looks numbers up in the results itself and stops where one was typed, is not recorded, or lacks its denominator: see
paper/numbers.typ. Nothing is computed here.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from measure.errors import BadInput
from measure.study.checkout import write_whole

FOLDER = "paper"
SOURCE = f"{FOLDER}/paper.typ"
PDF = f"{FOLDER}/paper.pdf"
TYPST = "0.15.0"  # another version is other bytes
_STANDARDS = ["ua-1"]  # tagged, titled, and no figure without words for who cannot see it


def compiled(folder: Path) -> bytes:
    """The PDF of the paper in the checkout `folder`.

    Raises:
        BadInput: the compiler is not installed or another version, or it stops, at one of our rules or of its own.
    """
    made: bytes = _asked(folder, lambda compiler: compiler.compile(pdf_standards=_STANDARDS, timestamp=0))
    return made


def queried(folder: Path, selector: str) -> list[dict[str, Any]]:
    """What the paper says of itself: the elements that `selector` finds, as the compiler tells them.

    Raises:
        BadInput: as `compiled`.
    """
    told: str = _asked(folder, lambda compiler: compiler.query(selector))
    return msgspec.json.decode(told, type=list[dict[str, Any]])


def recorded(folder: Path) -> bytes | None:
    """The PDF that is checked in, if there is one."""
    path = folder / PDF
    return path.read_bytes() if path.is_file() else None


def write(folder: Path, data: bytes) -> None:
    """Renew the PDF, whole or not at all.

    Raises:
        BadInput: it cannot be written.
    """
    write_whole(folder / PDF, data, PDF)


def _asked(folder: Path, ask: Callable[[Any], Any]) -> Any:
    typst = _library()
    if not (folder / SOURCE).is_file():
        raise BadInput("no such file", where=SOURCE)
    with warnings.catch_warnings():
        warnings.simplefilter("error", typst.TypstWarning)  # a missing font, a layout that did not settle
        try:
            compiler = typst.Compiler(str(folder / SOURCE), root=str(folder), ignore_system_fonts=True)
            return ask(compiler)
        except (typst.TypstError, typst.TypstWarning) as problem:
            what = problem.message.splitlines()[0].removeprefix("panicked with: ")
            raise BadInput(what.replace(str(folder), "."), where=SOURCE) from None


def _library() -> ModuleType:
    try:
        import typst
    except ImportError:
        right = "pip install '.[paper]' in the clone"
        raise BadInput("what compiles the paper is not installed", right=right) from None
    from importlib.metadata import version

    here = version("typst")
    if here != TYPST:
        right = f"pip install typst=={TYPST}"
        raise BadInput(f"typst {here} is here, and the paper is compiled by {TYPST}", right=right)
    return typst
