"""The libraries that two formats are written with: an optional extra, imported when a text is made or read."""

from importlib import import_module
from types import ModuleType

from measure.errors import BadInput


def library(module: str, name: str) -> ModuleType:
    """The module of the library `name`.

    Raises:
        BadInput: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise BadInput(f"{name} is not installed", right="install context-ladder with its extra `formats`") from None
