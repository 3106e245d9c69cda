"""Masking at every request, and a summary of the masked turns once in a long while.

As The Complexity Trap configures it: the summary first, so that it reads notes where results were masked before, then
the mask. Its summaries are far apart, so most of the saving, and all of the change to the prompt's middle, is the
mask's.
"""

from typing import Annotated, ClassVar

import msgspec

from measure.context.mask import Mask
from measure.context.policy import Policy, Stage
from measure.context.session import Session
from measure.context.summarize import Summarize


class Hybrid(Policy, frozen=True):
    """`Summarize` with `every`, `keep` and `length`, then `Mask` with `window`."""

    name: ClassVar[str] = "hybrid"
    about: ClassVar[str] = "a mask of `window` results; a summary at `every` + `keep` turns"
    source: ClassVar[str] = "the hybrid of The Complexity Trap (arXiv 2508.21433)"
    evidence: ClassVar[str] = "simulated"

    window: Annotated[int, msgspec.Meta(ge=0)] = 10
    every: Annotated[int, msgspec.Meta(ge=1)] = 43
    keep: Annotated[int, msgspec.Meta(ge=0)] = 10
    length: Annotated[int, msgspec.Meta(ge=100)] = 2_000

    def stages(self, session: Session) -> tuple[Stage, ...]:
        """The summary's, then the mask's."""
        parts = (Summarize(self.every, self.keep, self.length), Mask(self.window))
        return tuple(stage for part in parts for stage in part.stages(session))
