"""The hunt: every mutant is set on the gate that it names, and that gate must go red. No survivor."""

from collections.abc import Callable
from typing import Literal

import msgspec

from measure.errors import Refused
from measure.gates import GATES, Subject, verdict
from measure.study.mutants import MUTANTS


class MutantVerdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mutant and what its gate said first."""

    gate: str
    damage: str
    red: bool
    said: str


class Mutants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every mutant against its gate. `gates` counts the gates that have one."""

    evidence: Literal["measured"]
    killed: int
    mutants_tried: int
    gates: int
    mutants: list[MutantVerdict]


def run(subject: Subject, progress: Callable[[str], None] = lambda _: None) -> Mutants:
    """Set every mutant on its gate.

    Raises:
        Refused: a mutant survived, or a gate has none; each by name.
    """
    by_name = {gate.name: gate for gate in GATES}
    tried = []
    for mutant in MUTANTS:
        progress(f"mutant: {mutant.damage}")
        said = verdict(by_name[mutant.gate], mutant.apply(subject), lines=1).said
        tried.append(MutantVerdict(mutant.gate, mutant.damage, bool(said), said[0] if said else ""))
    survivors = [f"{one.gate} survived: {one.damage}" for one in tried if not one.red]
    unproven = [f"{name} has no mutant" for name in by_name if name not in {one.gate for one in tried}]
    if survivors or unproven:
        raise Refused("; ".join((*survivors, *unproven)))
    return Mutants("measured", len(tried), len(tried), len(by_name), tried)
