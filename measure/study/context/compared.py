"""What the study asks of a session, synthetic or real: every policy on all terms, as rows of a table.

Tokens are counted here, so they are `measured`. What a cache made of them is a model's answer, and a policy that calls
a model is a stand-in: both are `simulated`, and each row says which it is. A cost names the prices and their date.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from measure.context.advice import Advice, advise
from measure.context.cache_aware import CacheAware
from measure.context.clear_tool_uses import ClearToolUses
from measure.context.policies import chain
from measure.context.policy import Policy
from measure.context.prices import Prices, chosen
from measure.context.replay import replay
from measure.context.session import KINDS, Session
from measure.context.sweep import Outcome, outcomes
from measure.context.terms import BREAKPOINTS, CACHES, Terms
from measure.quantities import CostDenominator, Denominator, Saving, cost_saving, saving, share
from measure.study.context.rows import (
    Best,
    Cheaper,
    Compared,
    Growth,
    KindShare,
    PolicyRow,
    SessionFacts,
    TriggerCost,
)
from measure.tokens import DEFAULT_ENCODING

# What is compared, by the names that tables have room for.
STUDIED = {
    "none": "none",
    "mask 10": "mask:window=10",
    "mask 3": "mask:window=3",
    "mask 10, steps of 10": "mask:window=10,batch=10",
    "mask 3, steps of 10": "mask:window=3,batch=10",
    "clear, API default": "clear_tool_uses",
    "clear 30k": "clear_tool_uses:trigger=30000",
    "clear 30k, 5k at least": "clear_tool_uses:trigger=30000,clear_at_least=5000",
    "clear 30k, 20k at least": "clear_tool_uses:trigger=30000,clear_at_least=20000",
    "thinking 1": "clear_thinking",
    "thinking 1, clear 30k": "clear_thinking/clear_tool_uses:trigger=30000",
    "summarize": "summarize",
    "hybrid": "hybrid",
    "cache-aware 3": "cache_aware:keep=3",
    "cache-aware 10": "cache_aware:keep=10",
}
ENCODING, MODEL = DEFAULT_ENCODING, "sonnet"
AWARE = "cache-aware 3"
KEPT = CacheAware().keep  # results: no policy of the study promises fewer
PLACED = (("system", "last"), ("system", "frontier", "last"))
AUTOMATIC = "gpt-5.4"  # a provider whose cache finds common prefixes itself
TRIGGERS = (5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000, 50_000, 60_000, 80_000, 100_000, 150_000)


def facts(session: Session, file: str, sha256: str, evidence: Literal["constructed", "captured"]) -> SessionFacts:
    """What a session is."""
    sent = [one.total for one in replay(session, (), [])]
    return SessionFacts(
        evidence=evidence,
        session=session.transcript.name,
        file=file,
        sha256=sha256,
        format=session.transcript.format,
        calls=len(sent),
        tool_results=len(session.uses),
        blocks=len(session.blocks),
        input_tokens=sum(sent),
        largest_request=max(sent),
        estimated_tokens=session.estimated,
        estimated_input_tokens=session.estimated_sent,
        kinds=list(_kinds(session)),
    )


def all_terms(prices: dict[str, Prices], name: str) -> list[Terms]:
    """No cache; each lifetime with each placement of breakpoints; and a provider's automatic cache."""
    own = chosen(prices, name)
    lives = [life for life in CACHES if Terms(life, own).cached]
    return [
        Terms("none", own),
        *(Terms(life, own, places) for life in lives for places in PLACED),
        Terms("5m", chosen(prices, AUTOMATIC)),
    ]


def compared(session: Session, terms: Sequence[Terms]) -> Compared:
    """Every studied policy on all terms, and what to do."""
    rows = list(_rows(session, terms))
    usual = next(one for one in terms if one.explicit and one.breakpoints == BREAKPOINTS)
    return Compared(
        rows=rows,
        growth=[_growth(session, label, usual) for label in STUDIED],
        triggers=list(_triggers(session, [one for one in terms if one.cache != "1h" and not one.prices.automatic])),
        best=[_best(session, one) for one in advise([session], list(filter(_advised, terms)), KEPT)],
        cheaper=list(cheaper(rows)),
    )


def _advised(terms: Terms) -> bool:
    """Advice is given for breakpoints as they are placed best."""
    return terms.breakpoints == BREAKPOINTS or not terms.explicit


@lru_cache(maxsize=1)
def _chains() -> dict[str, tuple[Policy, ...]]:
    return {label: chain(text) for label, text in STUDIED.items()}


def _rows(session: Session, terms: Sequence[Terms]) -> Iterator[PolicyRow]:
    bases = outcomes([session], (), terms)
    found = {label: outcomes([session], policies, terms) for label, policies in _chains().items()}
    for place, base in enumerate(bases):
        for label in _chains():
            yield _row(label, session, base, found[label][place])


def _row(label: str, session: Session, base: Outcome, found: Outcome) -> PolicyRow:
    terms = found.terms
    return PolicyRow(
        evidence=found.evidence,
        session=session.transcript.name,
        policy=label,
        cache=terms.cache,
        breakpoints=places(terms),
        prices=terms.prices.name,
        date=terms.prices.date,
        input=found.usage.input,
        **msgspec.structs.asdict(found.usage),
        nanodollars=found.cost,
        total_nanodollars=found.cost.total,
        input_saving=_input_saving(session, base, found),
        cost_saving=cost_saving(_denominator(base), found.cost.total),
    )


def places(terms: Terms) -> str:
    """Where breakpoints stand, as a row says it."""
    if not terms.cached:
        return "-"
    return "+".join(terms.breakpoints) if terms.explicit else "automatic"


def _denominator(base: Outcome, of: str = "none") -> CostDenominator:
    terms = base.terms
    return CostDenominator(of, terms.shown, terms.prices.name, terms.prices.date, base.cost.total)


def _growth(session: Session, label: str, usual: Terms) -> Growth:
    policies = usual.suited(_chains()[label])
    return Growth(
        evidence="simulated" if any(one.evidence == "simulated" for one in policies) else "measured",
        session=session.transcript.name,
        policy=label,
        requests=[one.total for one in replay(session, policies, [])],
    )


def _kinds(session: Session) -> Iterator[KindShare]:
    """What the input of all requests is made of, where nothing is done."""
    sent = list(replay(session, (), []))
    whole = Denominator("none", f"input of all requests, {session.encoding}", sum(one.total for one in sent))
    for place, kind in enumerate(KINDS):
        yield KindShare(kind, share(sum(one.kinds[place] for one in sent), whole))


def _input_saving(session: Session, base: Outcome, found: Outcome) -> Saving:
    guessed = f", of it {session.estimated_sent:,} estimated" if session.estimated else ""
    whole = Denominator("none", f"input of all requests, {session.encoding}{guessed}", base.usage.input)
    return saving(whole, found.usage.input)


def _triggers(session: Session, terms: Sequence[Terms]) -> Iterator[TriggerCost]:
    bases = outcomes([session], (), terms)
    for trigger in TRIGGERS:
        policies = (ClearToolUses(trigger=trigger),)
        for base, found in zip(bases, outcomes([session], policies, terms), strict=True):
            yield TriggerCost(
                evidence=found.evidence,
                session=session.transcript.name,
                trigger=trigger,
                cache=base.terms.cache,
                breakpoints=places(base.terms),
                input_saving=_input_saving(session, base, found),
                cost_saving=cost_saving(_denominator(base), found.cost.total),
            )


def _best(session: Session, found: Advice) -> Best:
    terms = found.nothing.terms
    whole = _denominator(found.nothing)
    return Best(
        evidence=found.best.evidence,
        session=session.transcript.name,
        cache=terms.cache,
        breakpoints=places(terms),
        prices=terms.prices.name,
        date=terms.prices.date,
        keep=KEPT,
        settings_tried=found.tried,
        do_nothing=found.leave_it,
        best=found.best.shown,
        best_saving=cost_saving(whole, found.best.cost.total),
        default=found.default.shown,
        default_saving=cost_saving(whole, found.default.cost.total),
    )


def cheaper(rows: Sequence[PolicyRow]) -> Iterator[Cheaper]:
    """Where a cache is on, each policy that was cheaper than the cache-aware one on the same terms."""
    aware = {_on(row): row for row in rows if row.policy == AWARE}
    for row in rows:
        ours = aware[_on(row)]
        if row.cache != "none" and row.total_nanodollars < ours.total_nanodollars:
            whole = CostDenominator(
                AWARE, f"{row.cache}, {row.breakpoints}", row.prices, row.date, ours.total_nanodollars
            )
            yield Cheaper(
                session=row.session,
                policy=row.policy,
                cache=row.cache,
                breakpoints=row.breakpoints,
                prices=row.prices,
                saving=cost_saving(whole, row.total_nanodollars),
                reason=_reason(row, ours),
            )


def _on(row: PolicyRow) -> tuple[str, ...]:
    return row.session, row.cache, row.breakpoints, row.prices


def _reason(row: PolicyRow, ours: PolicyRow) -> str:
    """What a cheaper policy did otherwise: how much it wrote, read and sent fresh beside the cache-aware one."""
    moved = (
        ("wrote", row.written - ours.written),
        ("read", row.read - ours.read),
        ("sent fresh", row.fresh - ours.fresh),
    )
    return ", ".join(f"{verb} {abs(by):,} tokens {'more' if by > 0 else 'fewer'}" for verb, by in moved if by)
