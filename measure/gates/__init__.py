"""Gates: what must be true of the study before a figure of it is believed, each with an id and a failure text.

`GATES` is the one table that `measure run`, `measure check`, the tables, the tests and the mutants iterate
over. A gate is a pure function of a `Subject`; it yields a line for each thing that is wrong, and none where all
is well. For each there is at least one mutant in `measure.study.mutants` that turns it red.
"""

from itertools import islice

import msgspec

from measure.errors import MeasureError
from measure.gates import (
    accounts,
    captures,
    context,
    contracts,
    counts,
    envelopes,
    formats,
    hosts,
    inputs,
    projections,
    readings,
    sessions,
    store,
)
from measure.gates.subject import Gate, Subject


class Verdict(msgspec.Struct, frozen=True):
    """What a gate said of a subject: nothing where it is green."""

    gate: Gate
    said: tuple[str, ...]

    @property
    def green(self) -> bool:
        """Whether the gate found nothing wrong."""
        return not self.said


GATES: tuple[Gate, ...] = (
    *(*inputs.GATES, *counts.GATES, *accounts.GATES, *readings.GATES),
    *(*contracts.GATES, *envelopes.GATES, *captures.GATES, *hosts.GATES),
    *(*formats.GATES, *projections.GATES, *context.GATES, *sessions.GATES, *store.GATES),
)


def verdict(gate: Gate, subject: Subject, lines: int | None = None) -> Verdict:
    """What `gate` says of `subject`: all of it, or its first `lines`. One too damaged to read turns it red.

    What the gate said before it came to what it cannot read is kept; nothing is raised.
    """
    said: list[str] = []
    try:
        said.extend(islice(gate.check(subject), lines))  # line by line: what comes before an error stays
    except MeasureError as error:
        said.append(str(error))
    except Exception as error:  # the gates read results as they are, of whatever shape an edit left them in
        said.append(f"unreadable: {type(error).__name__}: {error}")
    return Verdict(gate, tuple(said))


__all__ = ["GATES", "Gate", "Subject", "Verdict", "verdict"]
