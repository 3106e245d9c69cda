"""`measure policies`: what can be done with a growing context."""

import click

from measure.canonical import canonical
from measure.cli.options import as_json
from measure.context.policies import POLICIES
from measure.context.policy import Policy
from measure.report.table import Table, show


@click.command(name="policies")
@as_json
def command(as_json: bool) -> None:
    """List the policies: what each does, its parameters with their defaults, and whose rule it is."""
    if as_json:
        click.echo(canonical([_record(policy) for policy in POLICIES.values()]), nl=False)
    else:
        show([_table()])


def _table() -> Table:
    rows: list[tuple[str, ...]] = [(name, policy.about) for name, policy in POLICIES.items()]
    notes = [
        f"{policy().shown().replace(':', ': ').replace(',', ', ')} · {policy.source} · {policy.evidence}"
        for policy in POLICIES.values()
    ]
    return Table("Policies", ("policy", "what it does"), rows, notes=tuple(notes))


def _record(policy: type[Policy]) -> dict[str, object]:
    made = policy()
    return {
        "policy": policy.name,
        "about": policy.about,
        "source": policy.source,
        "evidence": policy.evidence,
        "parameters": {name: getattr(made, name) for name in policy.parameters()},
    }
