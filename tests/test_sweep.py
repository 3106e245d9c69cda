"""Terms price tokens exactly and tell policies of themselves; sweeps add up, and advice is the cheapest of its grid."""

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from caches import calling, fixture
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import chains, counted, transcripts

from measure.context.advice import advise
from measure.context.advice import settings as advised
from measure.context.cache import Automatic, Explicit, Uncached
from measure.context.cache_aware import CacheAware
from measure.context.clear_tool_uses import ClearToolUses
from measure.context.mask import Mask
from measure.context.none import Nothing
from measure.context.policy import Policy
from measure.context.prices import Prices, read_prices
from measure.context.replay import Usage, usage
from measure.context.sweep import grid, outcome, outcomes, sweep, written
from measure.context.terms import BREAKPOINTS, CACHES, Terms
from measure.errors import BadInput
from measure.study.context.compared import MODEL, all_terms
from measure.transcripts.model import Transcript

PRICES = read_prices((Path(__file__).parent.parent / "fixtures/prices.toml").read_bytes(), "prices.toml")
SONNET, AUTOMATIC = PRICES["sonnet"], PRICES["gpt-5.4"]
FREE = msgspec.structs.replace(SONNET, minimum=0)
TERMS = all_terms({**PRICES, "sonnet": FREE}, MODEL)
TOOK = Usage(fresh=7, read=1_000_003, written=501, output=33, own_input=2, own_output=3)


@pytest.mark.parametrize(
    ("cache", "prices", "write"),
    [("none", SONNET, 2_500), ("5m", SONNET, 2_500), ("1h", SONNET, 4_000), ("5m", AUTOMATIC, 2_500)],
)
def test_a_cost_is_a_sum_of_whole_nanodollars(cache: str, prices: Prices, write: int) -> None:
    found = Terms(cache, prices).cost(TOOK)
    assert (found.fresh, found.read) == (7 * prices.fresh, 1_000_003 * prices.read)
    assert (found.write, found.output) == (501 * write, 33 * prices.output)
    assert found.total == found.fresh + found.read + found.write + found.output
    assert type(found.total) is int


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        (Terms("5m", SONNET), (Fraction(1, 10), Fraction(5, 4), 300, "change")),
        (Terms("1h", SONNET), (Fraction(1, 10), Fraction(2), 3_600, "change")),
        (Terms("none", SONNET), (Fraction(1), Fraction(1), 300, "change")),
        (Terms("5m", AUTOMATIC, ("last",)), (Fraction(1, 10), Fraction(1), 300, "change")),
        (Terms("5m", SONNET, ("system", "last")), (Fraction(1, 10), Fraction(5, 4), 300, "messages")),
        (Terms("5m", SONNET, ("last",)), (Fraction(1, 10), Fraction(5, 4), 300, "start")),
        (Terms("5m", SONNET, ("frontier",)), (Fraction(1, 10), Fraction(5, 4), 300, "change")),
    ],
)
def test_the_cache_aware_policy_is_told_prices_life_and_what_a_change_rewrites(
    terms: Terms, told: tuple[Fraction, Fraction, int, str]
) -> None:
    read, write, life, rewritten = told
    (found,) = terms.suited([CacheAware(keep=7)])
    assert found == CacheAware(7, float(read), float(write), life, rewritten)


def test_terms_change_nothing_of_other_policies() -> None:
    chain = (Mask(4), ClearToolUses(), Nothing())
    assert all(terms.suited(chain) == chain for terms in TERMS)


def test_terms_begin_the_cache_that_they_name() -> None:
    kinds = {"none": Uncached, "5m": Explicit, "1h": Explicit}
    assert {cache: type(Terms(cache, SONNET).new_cache()) for cache in CACHES} == kinds
    assert isinstance(Terms("1h", AUTOMATIC).new_cache(), Automatic)
    assert Terms("5m", SONNET).new_cache() is not Terms("5m", SONNET).new_cache()
    assert [Terms(cache, SONNET).shown for cache in CACHES] == [
        "no cache",
        f"5m, {'+'.join(BREAKPOINTS)}",
        f"1h, {'+'.join(BREAKPOINTS)}",
    ]


def test_an_unknown_cache_or_place_is_refused() -> None:
    with pytest.raises(BadInput, match=r"no cache '2h'; known: none, 5m, 1h"):
        Terms("2h", SONNET)
    with pytest.raises(BadInput, match="a breakpoint 'middle'"):
        Terms("5m", SONNET, ("middle",)).new_cache()


CHAINS: list[tuple[Policy, ...]] = [(Mask(1),), (), (Nothing(),), (Mask(50),), (CacheAware(1),), (Mask(1),)]


def test_a_sweep_is_in_order_of_cost_and_equal_ones_in_the_order_asked() -> None:
    session = counted(calling(*[100] * 12))
    for terms in TERMS:
        found = sweep([session], CHAINS, terms)
        assert [one.cost.total for one in found] == sorted(one.cost.total for one in found)
        doing_nothing = [one.shown for one in found if one.cost.total == outcome([session], (), terms).cost.total]
        assert [name for name in doing_nothing if name in ("none", "mask:window=50,batch=1")] == [
            "none",
            "none",
            "mask:window=50,batch=1",
        ]


@settings(max_examples=25)
@given(st.lists(transcripts(8), min_size=1, max_size=3), chains())
def test_sessions_add_up_and_many_terms_are_each_as_alone(several: list[Transcript], chain: tuple[Policy, ...]) -> None:
    sessions = [counted(one) for one in several]
    for policies in (chain, (CacheAware(1),)):
        together = outcomes(sessions, policies, TERMS)
        assert together == [outcome(sessions, policies, terms) for terms in TERMS]
        for terms, found in zip(TERMS, together, strict=True):
            each = [usage(one, terms.suited(policies), {0: terms.new_cache()})[0] for one in sessions]
            assert msgspec.structs.astuple(found.usage) == tuple(
                map(sum, zip(*map(msgspec.structs.astuple, each), strict=True))
            )
            assert found.cost == terms.cost(found.usage)
            assert found.chain == terms.suited(policies)


def test_a_grid_is_every_combination_and_the_last_parameter_moves_first() -> None:
    found = list(grid(Mask, {"window": (1, 2, 3), "batch": (1, 5)}))
    assert found == [Mask(window, batch) for window in (1, 2, 3) for batch in (1, 5)]
    assert list(grid(Nothing, {})) == [Nothing()]


def test_a_chain_is_written_as_a_user_writes_it() -> None:
    assert written(()) == "none"
    assert written((Mask(3), CacheAware(4))) == "mask:window=3,batch=1/cache_aware:keep=4"


@pytest.mark.parametrize("keep", [0, 3, 10])
def test_the_grid_of_an_advice_has_229_settings_none_twice_and_all_keep_what_must_be(keep: int) -> None:
    found = list(advised(keep))
    assert len(found) == len(set(found)) == 1 + 4 + 4 * 8 + 8 * 4 * 6 == 229
    assert found[0] == ()
    for chain in found[1:]:
        (policy,) = chain
        assert (policy.window if isinstance(policy, Mask) else policy.keep) >= keep  # type: ignore[attr-defined]


@pytest.mark.parametrize("file", ["search", "retrieval"])
def test_advice_is_the_cheapest_of_its_grid_and_never_dearer_than_doing_nothing(file: str) -> None:
    session = fixture(file)
    terms = all_terms(PRICES, MODEL)[:3]
    for one, found in zip(terms, advise([session], terms, 3), strict=True):
        assert found.nothing == outcome([session], (), one)
        assert found.default == outcome([session], (ClearToolUses(),), one)
        assert found.best == sweep([session], advised(3), one)[0]
        assert found.best.cost.total <= found.nothing.cost.total
        assert found.leave_it == (found.best.cost.total == found.nothing.cost.total)
        assert found.tried == 229


def test_advice_is_to_leave_a_session_exactly_where_no_setting_is_cheaper() -> None:
    small, large = counted(calling(*[1] * 6)), counted(calling(*[2_000] * 30))
    (leave,), (do,) = (advise([one], [Terms("5m", FREE)], 3) for one in (small, large))
    assert leave.leave_it
    assert leave.best == leave.nothing
    assert not do.leave_it
    assert do.best.cost.total < do.nothing.cost.total
