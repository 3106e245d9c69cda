"""Experiment: MCP. Constructed contracts and envelopes, and beside them what our servers really put on the wire."""

import msgspec

from measure.scenario import dataset, scenario
from measure.study.experiment import Experiment, Inputs
from measure.study.mcp.contracts import ArgumentCost, Comparison, ContractCount, arguments, compared, contracts, counted
from measure.study.mcp.envelopes import Envelope, Variation, envelopes, variations
from measure.study.mcp.recorded import manifest
from measure.study.mcp.wires import SwitchCost, WireCount, switches, wires


class Mcp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every table of the experiment; each row has its own evidence word. `versions` are those of the captures."""

    versions: dict[str, str]
    contracts: list[ContractCount]
    comparisons: list[Comparison]
    arguments: list[ArgumentCost]
    envelopes: list[Envelope]
    variations: list[Variation]
    wire: list[WireCount]
    switches: list[SwitchCost]


def run(inputs: Inputs) -> Mcp:
    """Construct, count, and count what was captured."""
    plan = scenario(inputs.files)
    asked = dataset(inputs.files, max(plan.scales))
    counts = counted(contracts(asked, plan), plan.encodings)
    wire = list(wires(inputs.files, plan))
    return Mcp(
        versions=manifest(inputs.files).versions,
        contracts=counts,
        comparisons=compared(counts),
        arguments=list(arguments(asked, plan.encodings)),
        envelopes=list(envelopes(inputs.files, plan)),
        variations=list(variations(inputs.files, plan)),
        wire=wire,
        switches=list(switches(wire)),
    )


MCP = Experiment("mcp", Mcp, run)
