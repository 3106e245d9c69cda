"""The records that the study makes of a session under policies; their JSON Schema is derived from them."""

from typing import Literal

import msgspec

from measure.context.prices import Cost
from measure.quantities import CostSaving, Saving, Share

Evidence = Literal["measured", "simulated"]


class KindShare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind's share of all input tokens."""

    kind: str
    share: Share


class SessionFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A session: what it is made of, and the tokens of all its requests where nothing is done.

    `estimated_tokens` are those of blocks whose text the file does not hold, each block once; of the input tokens,
    `estimated_input_tokens` are these, as often as they are sent.
    """

    evidence: Literal["constructed", "captured"]
    session: str
    file: str
    sha256: str
    format: str
    calls: int
    tool_results: int
    blocks: int
    input_tokens: int
    largest_request: int
    estimated_tokens: int
    estimated_input_tokens: int
    kinds: list[KindShare]


class PolicyRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One session under one policy, on one set of terms. Input is fresh + read + written, in tokens.

    Of the fresh input and the output, `own_input` and `own_output` are calls of the policy itself.
    """

    evidence: Evidence
    session: str
    policy: str
    cache: str
    breakpoints: str
    prices: str
    date: str
    input: int
    fresh: int
    read: int
    written: int
    output: int
    own_input: int
    own_output: int
    nanodollars: Cost
    total_nanodollars: int
    input_saving: Saving
    cost_saving: CostSaving


class Growth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens of each request of a session under one policy, in the order of the calls.

    What the cache-aware policy does depends on the cache: here five minutes, with a breakpoint at the frontier.
    """

    evidence: Evidence
    session: str
    policy: str
    requests: list[int]


class TriggerCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The API's clearing at one trigger, the rest at its defaults, against doing nothing on the same terms."""

    evidence: Evidence
    session: str
    trigger: int
    cache: str
    breakpoints: str
    input_saving: Saving
    cost_saving: CostSaving


class Best(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cheapest of a grid of settings that keep `keep` results, beside doing nothing and the API's default."""

    evidence: Evidence
    session: str
    cache: str
    breakpoints: str
    prices: str
    date: str
    keep: int
    settings_tried: int
    do_nothing: bool
    best: str
    best_saving: CostSaving
    default: str
    default_saving: CostSaving


class Cheaper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A policy that was cheaper than the cache-aware one on the same terms, by how much of the latter, and why."""

    session: str
    policy: str
    cache: str
    breakpoints: str
    prices: str
    saving: CostSaving
    reason: str


class Spread(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One policy over several sessions: the least and the most that it saves, each of what none takes in its session.

    `of` says of what: input tokens, cost, or the cost of input alone; `least_of` and `most_of` are these amounts in the
    two sessions, in tokens or in nanodollars.
    """

    evidence: Evidence
    policy: str
    of: Literal["input", "cost", "cost of input"]
    cache: str
    breakpoints: str
    prices: str
    sessions: int
    save: int
    cost_more: int
    least: str
    least_of: int
    least_session: str
    most: str
    most_of: int
    most_session: str


class Compared(msgspec.Struct, frozen=True):
    """All that is asked of one session."""

    rows: list[PolicyRow]
    growth: list[Growth]
    triggers: list[TriggerCost]
    best: list[Best]
    cheaper: list[Cheaper]
