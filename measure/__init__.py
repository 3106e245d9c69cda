"""context-ladder: what the text that an agent reads costs in tokens, counted offline and decoded back.

>>> import measure
>>> rows = measure.RecordSet.of([{"id": f"T-{n}", "status": "open", "note": "as agreed"} for n in range(9)])
>>> ladder = measure.climb(rows, ["id", "status"], {"id": "i", "status": "s"}, ["cl100k_base"])
>>> [(rung.rung, rung.tokens) for rung in ladder.rungs]
[('L0', 254), ('L1', 138), ('L2', 182), ('L3', 93), ('L4', 57), ('L5', 57)]

These names are stable; everything else may move.
"""

from measure.errors import BadInput, MeasureError, Refused
from measure.ladder import Ladder, climb
from measure.quantities import Denominator, Saving, Share, saving, share
from measure.reading import load
from measure.records import RecordSet
from measure.tokens import count

__version__ = "0.1.0"

__all__ = [
    "BadInput",
    "Denominator",
    "Ladder",
    "MeasureError",
    "RecordSet",
    "Refused",
    "Saving",
    "Share",
    "climb",
    "count",
    "load",
    "saving",
    "share",
]
