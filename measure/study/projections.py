"""Experiment: every projection of the board's eight fields, and where the study's own choice stands among its like."""

from measure.projections import Projections, projections
from measure.scenario import scenario, tasks
from measure.study.experiment import Experiment, Inputs

ROWS = 100


def run(inputs: Inputs) -> Projections:
    """Count all subsets at 100 rows."""
    plan = scenario(inputs.files)
    return projections(tasks(inputs.files, ROWS), plan.projected, plan.encodings)


PROJECTIONS = Experiment("projections", Projections, run)
