"""Mutants: each breaks the study once, in a copy, and the gate that it names must go red. No survivor.

A gate that nobody has seen red proves nothing. The table is data: what is damaged, which gate must notice, and a
function from a subject to the damaged subject. Other gates may go red too; that is not required. The modules mirror
those of `measure.gates`.
"""

from measure.study.mutants import accounts, captures, context, contracts, counts, formats, inputs, readings, store

MUTANTS = (
    *(*inputs.MUTANTS, *counts.MUTANTS, *accounts.MUTANTS, *readings.MUTANTS),
    *(*contracts.MUTANTS, *captures.MUTANTS, *formats.MUTANTS, *context.MUTANTS, *store.MUTANTS),
)

__all__ = ["MUTANTS"]
