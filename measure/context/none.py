"""Doing nothing: what every policy is compared with."""

from typing import ClassVar

from measure.context.policy import Policy
from measure.context.session import Session


class Nothing(Policy, frozen=True):
    """Everything is sent again every time."""

    name: ClassVar[str] = "none"
    about: ClassVar[str] = "everything is sent again every time"
    source: ClassVar[str] = "the client that keeps its history"

    def stages(self, session: Session) -> tuple[()]:
        """None."""
        return ()
