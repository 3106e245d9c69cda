"""The libraries of an optional extra, imported when needed: two formats are written with one, summaries too."""

from importlib import import_module
from types import ModuleType

from measure.errors import BadInput


def library(module: str, name: str) -> ModuleType:
    """The module of the library `name`, which the extra `formats` brings.

    Raises:
        BadInput: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise missing(name, "formats") from None


def missing(name: str, extra: str) -> BadInput:
    """The error for a library that is not installed.

    >>> str(missing("lede", "summaries"))
    'lede is not installed; install context-ladder with its extra `summaries`'
    """
    return BadInput(f"{name} is not installed", right=f"install context-ladder with its extra `{extra}`")
