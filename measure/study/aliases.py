"""Experiment: the alias boundary, and how aliases fail. Readers are rules, so what comes of them is simulated.

At each scale the aliases' saving stands beside their legend in results/break_even.json. Here stands what the
legend's absence does: every part of it evicted, a second tool's legend read after it, names that begin alike.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from measure.aliases import READERS, Reading, evictions, merged, read
from measure.records import RecordSet
from measure.scenario import Scenario, scenario, tasks
from measure.study.experiment import Experiment, Inputs
from measure.values import plain

OWN = "the study's header"


class Total(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One case and reader over every legend that was tried: records right, refused, and wrong without an error."""

    case: str
    reader: str
    legends: int
    records: int
    right: int
    refused: int
    wrong_without_error: int


class Aliases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every case read by every reader, and their totals."""

    evidence: Literal["simulated"]
    totals: list[Total]
    readings: list[Reading]


def run(inputs: Inputs) -> Aliases:
    """Read the largest scale under every header and every remaining legend."""
    plan = scenario(inputs.files)
    records = tasks(inputs.files, max(plan.scales))
    readings = [*evicted(plan, records), *shared(plan, records)]
    groups = dict.fromkeys((one.case, one.reader) for one in readings)
    return Aliases("simulated", [_total(readings, *group) for group in groups], readings)


def evicted(plan: Scenario, records: RecordSet) -> Iterator[Reading]:
    """Each header with every part of its legend gone."""
    headers: list[tuple[str, Mapping[str, str], Mapping[str, str], list[str]]] = [
        (OWN, {field: field for field in plan.projected}, plan.aliases, plan.full)
    ]
    headers += [(one.case, one.fields, one.aliases, one.schema) for one in plan.alias_cases]
    for case, filled, aliases, fields in headers:
        legend = {alias: field for field, alias in aliases.items()}
        rows = _cells(records, [filled[field] for field in aliases])
        for held in evictions(legend):
            for reader in READERS:
                yield read(case, reader, legend, held, fields, rows)


def shared(plan: Scenario, records: RecordSet) -> Iterator[Reading]:
    """The study's header, read by who has read another tool's legend before or after its own."""
    legend = {alias: field for field, alias in plan.aliases.items()}
    rows = _cells(records, plan.projected)
    for tool in plan.other_tools:
        theirs = {alias: field for field, alias in tool.aliases.items()}
        fields = [*plan.full, *tool.aliases]
        for order, held in (("later", merged(legend, theirs)), ("earlier", merged(theirs, legend))):
            for reader in READERS:
                yield read(f"{tool.case}, read {order}", reader, legend, held, fields, rows)


def _total(readings: list[Reading], case: str, reader: str) -> Total:
    same = [one for one in readings if (one.case, one.reader) == (case, reader)]
    return Total(
        case=case,
        reader=reader,
        legends=len(same),
        records=sum(one.records for one in same),
        right=sum(one.right for one in same),
        refused=sum(one.refused for one in same),
        wrong_without_error=sum(one.wrong_without_error for one in same),
    )


def _cells(records: RecordSet, fields: list[str]) -> list[list[str]]:
    return [list(map(plain, row)) for row in records.rows(fields)]


ALIASES = Experiment("aliases", Aliases, run)
