"""Experiment: the ladder over our fixtures, at every scale and in every encoding."""

from collections.abc import Iterable

from measure.ladder import Ladder, Rung, Source, climb
from measure.query import Dataset, ask
from measure.scenario import SCENARIO, Scenario, dataset, scenario
from measure.study.experiment import Experiment, Inputs
from measure.tokens import authority


def layer(asked: Dataset, plan: Scenario) -> Source:
    """The query layer as the writer of the rungs that it has an output for: a rung is what a caller really gets."""

    def write(rung: Rung) -> Iterable[str] | None:
        if rung.output is None:
            return None
        return (ask(plan.query if rung.projected else plan.full_query, asked, rung.output),)

    return write


def run(inputs: Inputs) -> Ladder:
    """Measure every rung; ordered by encoding, then rows, then rung."""
    plan = scenario(inputs.files)
    climbed = []
    for rows in plan.scales:
        asked = dataset(inputs.files, rows)
        asked.records.project(plan.projected, where=f"{SCENARIO}, projected")
        source = layer(asked, plan)
        climbed.append(climb(asked.records, plan.projected, plan.aliases, plan.encodings, inputs.rungs, source))
    return Ladder(
        evidence="measured",
        authority=authority(*plan.encodings),
        projected=plan.projected,
        aliases=plan.aliases,
        rungs=[r for name in plan.encodings for one in climbed for r in one.rungs if r.encoding == name],
        steps=[s for name in plan.encodings for one in climbed for s in one.steps if s.encoding == name],
    )


LADDER = Experiment("ladder", Ladder, run, of_rungs=True)
