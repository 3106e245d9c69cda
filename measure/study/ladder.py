"""Experiment: the ladder over our fixtures, at every scale and in every encoding."""

from measure.ladder import Ladder, climb
from measure.scenario import scenario, tasks
from measure.study.experiment import Experiment, Inputs
from measure.tokens import AUTHORITY


def run(inputs: Inputs) -> Ladder:
    """Measure every rung; ordered by encoding, then rows, then rung."""
    plan = scenario(inputs.files)
    climbed = [
        climb(tasks(inputs.files, rows), plan.projected, plan.aliases, plan.encodings, inputs.rungs)
        for rows in plan.scales
    ]
    return Ladder(
        evidence="measured",
        authority=AUTHORITY,
        projected=plan.projected,
        aliases=plan.aliases,
        rungs=[r for name in plan.encodings for one in climbed for r in one.rungs if r.encoding == name],
        steps=[s for name in plan.encodings for one in climbed for s in one.steps if s.encoding == name],
    )


LADDER = Experiment("ladder", Ladder, run)
