"""The stand-in for a model that summarizes: sentences chosen by the library lede, the same ones everywhere.

lede is deterministic in all but one thing: it adds up floats by the built-in sum, which rounds otherwise from Python
3.12 on, and where two sentences weigh nearly the same another one is chosen (27 of 3,000 texts that were made for it).
So its scorer is loaded once more, as a module of our own in which `sum` is exact; nobody else's lede is touched.
It quotes, where a model would rephrase: what it shows is how long summaries behave, not how good they are.
"""

import math
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec, module_from_spec
from typing import Any

from measure.formats.extra import missing


def extract(text: str, length: int) -> str:
    """Sentences of `text` in their order, `length` characters at most; where it has fewer than three, its beginning.

    Raises:
        BadInput: lede is not installed.
    """
    return str(_summarize()(text, max_length=length).summary)


@cache
def _summarize() -> Callable[..., Any]:
    spec = find_spec("lede") and find_spec("lede.tfidf")
    if spec is None or spec.loader is None:
        raise missing("lede", "summaries")
    scorer = module_from_spec(spec)
    scorer.__dict__["sum"] = math.fsum
    spec.loader.exec_module(scorer)
    found: Callable[..., Any] = scorer.summarize
    return found
