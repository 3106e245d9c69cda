"""Context over a session: what the recorded results say, whose sessions they are, and when they are kept."""

import json
import tomllib
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from measure import study as studies
from measure.errors import BadInput, Refused
from measure.gates import Subject
from measure.scenario import PRICES, TRANSCRIPTS
from measure.study import measured
from measure.study.checkout import elsewhere
from measure.study.context.published import CONTEXT_PUBLISHED
from measure.study.context.real import CONTEXT_REAL
from measure.study.experiment import Elsewhere, Inputs

ROOT = Path(__file__).parent.parent
TABLE, REAL, PUBLISHED = "results/context.json", "results/context_sessions.json", "results/context_published.json"
FACTS = ROOT / "measure" / "study" / "context" / "published.toml"
AWARE, SLIDING = "cache-aware 3", "mask 10"
BATCHED = ("mask 3, steps of 10", "clear 30k, 5k at least")
Terms = tuple[str, str, str]

# Where clearing in batches took tokens away and money with them: an entry that lives an hour costs twice its tokens to
# write, and these sessions ended before what was written again after a clearing had been read often enough.
DEARER = {
    ("retrieval", "clear 30k, 5k at least", "1h", "system+last"),
    ("retrieval", "clear 30k, 5k at least", "1h", "system+frontier+last"),
    ("openhands 2", "mask 3, steps of 10", "1h", "system+last"),
    ("openhands 2", "mask 3, steps of 10", "1h", "system+frontier+last"),
}


def rows(study: Subject, **wanted: str) -> list[dict[str, Any]]:
    """The rows of all sessions that have these values."""
    every = [row for path in (TABLE, REAL) for row in study.plain(path)["rows"]]
    return [row for row in every if all(row[key] == value for key, value in wanted.items())]


def sessions_of(study: Subject) -> set[str]:
    return {one["session"] for path in (TABLE, REAL) for one in study.plain(path)["sessions"]}


def on(row: dict[str, Any]) -> tuple[str, ...]:
    return row["session"], row["cache"], row["breakpoints"], row["prices"]


def test_a_sliding_mask_saves_tokens_and_raises_the_cost_of_every_session(study: Subject) -> None:
    raw = rows(study, policy=SLIDING, cache="none")
    cached = rows(study, policy=SLIDING, cache="5m", breakpoints="system+last")
    assert {row["session"] for row in raw} == {row["session"] for row in cached} == sessions_of(study)
    for row in raw:
        assert row["input_saving"]["saved_tokens"] > 0
        assert row["cost_saving"]["saved_nanodollars"] > 0
    for row in cached:
        assert row["cost_saving"]["saved_nanodollars"] < 0, row["session"]


@pytest.mark.parametrize("policy", BATCHED)
def test_clearing_in_batches_saves_tokens_and_money_wherever_it_fires(policy: str, study: Subject) -> None:
    fired = [row for row in rows(study, policy=policy) if row["input_saving"]["saved_tokens"]]
    assert len({row["session"] for row in fired}) > len(sessions_of(study)) // 2
    assert all(row["input_saving"]["saved_tokens"] > 0 for row in fired)
    dearer = {
        (row["session"], policy, row["cache"], row["breakpoints"])
        for row in fired
        if row["cost_saving"]["saved_nanodollars"] <= 0
    }
    assert dearer == {one for one in DEARER if one[1] == policy}
    assert {cache for _, _, cache, _ in dearer} == {"1h"}


@pytest.mark.parametrize("policy", BATCHED)
def test_what_does_not_fire_costs_what_nothing_costs(policy: str, study: Subject) -> None:
    idle = [row for row in rows(study, policy=policy) if not row["input_saving"]["saved_tokens"]]
    assert idle
    for row in idle:
        assert row["cost_saving"]["saved_nanodollars"] == 0


def test_cache_aware_is_never_dearer_than_nothing_where_there_is_a_cache(study: Subject) -> None:
    found = [row for row in rows(study, policy=AWARE) if row["cache"] != "none"]
    assert {row["session"] for row in found} == sessions_of(study)
    for row in found:
        assert row["cost_saving"]["saved_nanodollars"] >= 0, on(row)


def test_every_exception_to_cache_aware_is_listed(study: Subject) -> None:
    for path in (TABLE, REAL):
        table = study.plain(path)
        cost = {(*on(row), row["policy"]): row["total_nanodollars"] for row in table["rows"]}
        wanted = {
            key: cost[(*key[:4], AWARE)] - total
            for key, total in cost.items()
            if key[1] != "none" and total < cost[(*key[:4], AWARE)]
        }
        listed = {(*on(one), one["policy"]): one["saving"]["saved_nanodollars"] for one in table["cheaper"]}
        assert listed == wanted
        for one in table["cheaper"]:
            assert one["saving"]["denominator"]["nanodollars"] == cost[(*on(one), AWARE)]
            assert one["reason"]


def test_a_saving_of_tokens_is_the_same_whatever_the_cache(study: Subject) -> None:
    """But for the policy that looks at the prices."""
    saved: dict[tuple[str, str], set[int]] = {}
    for row in rows(study):
        if not row["policy"].startswith("cache-aware"):
            saved.setdefault((row["session"], row["policy"]), set()).add(row["input_saving"]["saved_tokens"])
    assert all(len(each) == 1 for each in saved.values())


def test_every_session_has_every_policy_on_the_same_terms(study: Subject) -> None:
    for path in (TABLE, REAL):
        table = study.plain(path)
        policies = [one["policy"] for one in study.plain(TABLE)["policies"]]
        for session in table["sessions"]:
            own = [row for row in table["rows"] if row["session"] == session["session"]]
            terms: set[Terms] = {(row["cache"], row["breakpoints"], row["prices"]) for row in own}
            assert len(own) == len(policies) * len(terms)
            assert {row["policy"] for row in own} == set(policies)
            assert len(terms) == len({on(row)[1:] for row in rows(study)})


def test_each_synthetic_session_is_the_file_with_its_hash(study: Subject) -> None:
    for one in study.plain(TABLE)["sessions"]:
        assert sha256(study.files[one["file"]]).hexdigest() == one["sha256"]


def test_each_real_session_is_of_a_listed_file(study: Subject) -> None:
    listed = {one["file"]: one for one in tomllib.loads(study.files[TRANSCRIPTS].decode())["transcripts"]}
    table = study.plain(REAL)
    assert table["transcripts"] == list(listed.values())
    assert {one["file"] for one in table["sessions"]} == set(listed)
    for one in table["sessions"]:
        assert one["sha256"] == listed[one["file"]]["sha256"]
        assert one["session"].startswith(listed[one["file"]]["name"])


def test_real_sessions_at_hand_are_those_that_were_recorded(study: Subject, sessions: Path) -> None:
    for one in study.plain(REAL)["sessions"]:
        assert sha256((sessions / one["file"]).read_bytes()).hexdigest() == one["sha256"]


def test_what_is_at_hand_is_measured_again_and_comes_out_as_recorded(study: Subject, sessions: Path) -> None:
    held = elsewhere(None, None, sessions)
    made = CONTEXT_REAL.run(Inputs(study.files, Elsewhere(sessions=held.sessions), {}))
    assert json.loads(msgspec.json.encode(made)) == study.plain(REAL)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study of one experiment."""
    monkeypatch.setattr(studies, "EXPERIMENTS", (CONTEXT_REAL,))


@pytest.mark.usefixtures("only")
def test_without_the_transcripts_the_recorded_table_is_kept(study: Subject) -> None:
    assert measured(study.files, Elsewhere())[REAL] == study.files[REAL]


@pytest.mark.usefixtures("only")
@pytest.mark.parametrize("path", [PRICES, TRANSCRIPTS, REAL])
def test_it_is_not_kept_where_what_it_rests_on_has_changed(path: str, study: Subject) -> None:
    files = {**study.files, path: study.files[path] + b"\n"}
    with pytest.raises(Refused, match=f"^{path}: changed since {REAL} was measured, .* --transcripts DIR$") as refused:
        measured(files, Elsewhere())
    assert refused.value.exit_status == 1


@pytest.mark.usefixtures("only")
def test_a_table_that_is_neither_recorded_nor_at_hand_is_named(study: Subject) -> None:
    files = {name: data for name, data in study.files.items() if name != REAL}
    with pytest.raises(BadInput, match=f"{REAL}: missing, and a folder of real transcripts is not here"):
        measured(files, Elsewhere())


@pytest.mark.parametrize("given", [{}, {"other.json": b"[]"}])
def test_a_missing_transcript_is_one_line(given: dict[str, bytes], study: Subject) -> None:
    with pytest.raises(BadInput, match=r"^--transcripts: .* is missing; all that .* lists are needed$") as refused:
        CONTEXT_REAL.run(Inputs(study.files, Elsewhere(sessions=given), {}))
    assert refused.value.exit_status == 2


def test_a_changed_transcript_is_one_line(study: Subject) -> None:
    first = study.plain(REAL)["transcripts"][0]
    with pytest.raises(BadInput, match=f"^{first['file']}: SHA-256 .*lists {first['sha256']}$") as refused:
        CONTEXT_REAL.run(Inputs(study.files, Elsewhere(sessions={first["file"]: b"[]"}), {}))
    assert refused.value.exit_status == 2


@pytest.mark.parametrize("data", [b"[[", b"\xff", b'[[transcripts]]\nname = "x"\n'])
def test_a_list_of_transcripts_that_cannot_be_read_is_one_line(data: bytes, study: Subject) -> None:
    with pytest.raises(BadInput, match=f"^{TRANSCRIPTS}: "):
        CONTEXT_REAL.run(Inputs({**study.files, TRANSCRIPTS: data}, Elsewhere(sessions={}), {}))


def span(printed: str) -> tuple[Fraction, Fraction]:
    """The numbers that are printed so."""
    half = Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))
    return Fraction(printed) - half, Fraction(printed) + half


def judged(before: str, after: str, published: str) -> str:
    """A verdict from the corners of what the printed figures leave open."""
    if not published:
        return "not printed"
    low, high = span(published)
    if low <= (Fraction(after) / Fraction(before) - 1) * 100 <= high:
        return "equal"
    corners = [(one / other - 1) * 100 for one in span(after) for other in span(before)]
    return "rounded" if min(corners) <= high and low <= max(corners) else "differs"


def test_every_verdict_on_a_published_change_is_that_of_its_figures(study: Subject) -> None:
    facts = tomllib.loads(FACTS.read_text(encoding="utf-8"))["changes"]
    found = study.plain(PUBLISHED)["changes"]
    for fact, one in zip(facts, found, strict=True):
        assert (one["source"], one["figure"]) == (fact["source"], fact["figure"])
        assert one["verdict"] == judged(fact["before"], fact["after"], fact["published"]), one["figure"]
        exact = (Fraction(fact["after"]) / Fraction(fact["before"]) - 1) * 100
        assert abs(Fraction(one["recomputed"]["percent"]) - exact) <= Fraction(1, 10_000)
        assert one["low"] <= one["recomputed"]["percent"] <= one["high"]
    assert {one["verdict"] for one in found} >= {"equal", "rounded", "not printed"}


def test_the_claim_of_longer_runs_is_counted_model_by_model(study: Subject) -> None:
    claim = tomllib.loads(FACTS.read_text(encoding="utf-8"))["turns"]
    turns = study.plain(PUBLISHED)["turns"]
    longer = [(Fraction(one["summary"]) / Fraction(one["masking"]) - 1) * 100 for one in claim["models"]]
    low, high = Fraction(claim["low"]), Fraction(claim["high"])
    for one, exact in zip(turns["models"], longer, strict=True):
        assert (one["inside"], one["at_least"], one["shorter"]) == (low <= exact <= high, exact >= low, exact < 0)
    counts = (
        sum(low <= one <= high for one in longer),
        sum(one >= low for one in longer),
        sum(one < 0 for one in longer),
    )
    assert (turns["inside"], turns["at_least"], turns["shorter"]) == counts == (1, 2, 2)


def test_what_was_paid_is_against_the_list_price_of_its_day(study: Subject) -> None:
    claim = tomllib.loads(FACTS.read_text(encoding="utf-8"))["implied"]
    providers = tomllib.loads(study.files[PRICES].decode())["providers"]
    [(day, price)] = [
        (str(provider["date"]), model["input"])
        for provider in providers
        for model in provider["models"]
        if model["name"] == claim["prices"]
    ]
    for paid, one in zip(claim["dollars"], study.plain(PUBLISHED)["implied"], strict=True):
        assert (one["prices"], one["date"]) == (claim["prices"], day)
        wanted = (Fraction(paid) / Fraction(price) - 1) * 100
        assert abs(Fraction(one["against"]["percent"]) - wanted) <= Fraction(1, 10_000)


def test_published_figures_that_cannot_be_computed_say_why(study: Subject) -> None:
    made = CONTEXT_PUBLISHED.run(Inputs(study.files, Elsewhere(), {}))
    assert json.loads(msgspec.json.encode(made)) == study.plain(PUBLISHED)
    assert all(one["why"] for one in study.plain(PUBLISHED)["unsupported"])
