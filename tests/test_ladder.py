"""The rungs are the texts that the study names, and the steps close exactly."""

import json

import msgspec
import pytest
from hostile import tables, texts
from hypothesis import given

from measure.errors import BadInput
from measure.formats.aliased import shortest_aliases
from measure.ladder import ORDERINGS, RUNGS, climb, payload, steps_of
from measure.records import RecordSet
from measure.tokens import count

TASKS = [
    {
        "id": f"TASK-{n}",
        "name": f"Name {n}",
        "status": "open",
        "assignee": "mei",
        "note": f"Note, {n}",
        "priority": "low",
    }
    for n in range(7)
]
KEPT = ["id", "status", "assignee", "priority"]
ALIASES = {"id": "i", "status": "s", "assignee": "a", "priority": "p"}


def slow_rungs(rows: list[dict], kept: list[str], aliases: dict[str, str]) -> dict[str, str]:
    """The six texts as plainly as they can be written; an oracle for plain values."""
    some = [{field: row[field] for field in kept} for row in rows]
    lines = [",".join(row[field] for field in kept) for row in rows]
    return {
        "L0": json.dumps(rows, indent=2, sort_keys=True),
        "L1": json.dumps(rows, separators=(",", ":"), sort_keys=True),
        "L2": json.dumps(some, indent=2, sort_keys=True),
        "L3": json.dumps(some, separators=(",", ":"), sort_keys=True),
        "L4": "\n".join([",".join(kept), *lines]) + "\n",
        "L5": "\n".join([",".join(aliases[field] for field in kept), *lines]) + "\n",
    }


def test_every_rung_is_the_text_that_the_study_describes() -> None:
    for name, text in slow_rungs(TASKS, KEPT, ALIASES).items():
        rung = next(rung for rung in RUNGS if rung.name == name)
        assert payload(rung, RecordSet.of(TASKS), RecordSet.of(TASKS).project(KEPT), ALIASES).text == text


def test_counts_are_those_of_the_texts_counted_whole() -> None:
    ladder = climb(RecordSet.of(TASKS), KEPT, ALIASES, ["cl100k_base", "o200k_base"])
    expected = [
        (encoding, name, len(text.encode()), count(text, encoding))
        for encoding in ("cl100k_base", "o200k_base")
        for name, text in slow_rungs(TASKS, KEPT, ALIASES).items()
    ]
    assert [(c.encoding, c.rung, c.bytes, c.tokens) for c in ladder.rungs] == expected


def test_a_record_of_a_rung_says_what_it_is() -> None:
    records = RecordSet.of(TASKS)
    rung = climb(records, KEPT, ALIASES, ["cl100k_base"]).rungs[4]
    assert (rung.rung, rung.rows, rung.serialization, rung.fields) == ("L4", 7, "compact", KEPT)
    assert (rung.lossless, rung.lost) == (True, [])
    assert rung.records_sha256 == records.project(KEPT).digest()


@given(tables(texts))
def test_the_steps_of_each_ordering_close_exactly(records: list[dict]) -> None:
    fields = list(records[0])
    kept = fields[: max(1, len(fields) // 2)]
    ladder = climb(RecordSet.of(records), kept, shortest_aliases(tuple(kept)), ["cl100k_base"])
    tokens = {rung.rung: rung.tokens for rung in ladder.rungs}
    for ordering, path in ORDERINGS.items():
        steps = [step for step in ladder.steps if step.ordering == ordering]
        assert [step.before_tokens for step in steps] == [tokens[rung] for rung in path[:-1]]
        assert [step.after_tokens for step in steps] == [tokens[rung] for rung in path[1:]]
        assert sum(step.saving.saved_tokens for step in steps) == tokens["L0"] - tokens["L5"]
        assert steps[-1].cumulative.saved_tokens == tokens["L0"] - tokens["L5"]


def test_each_step_is_in_percent_of_the_rung_below_and_of_the_first() -> None:
    ladder = climb(RecordSet.of(TASKS), KEPT, ALIASES, ["cl100k_base"])
    tokens = {rung.rung: rung.tokens for rung in ladder.rungs}
    step = next(step for step in ladder.steps if step.step == "L1->L3")
    below, base = step.saving.denominator, step.cumulative.denominator
    assert (below.of, below.serialization, below.tokens) == ("L1", "minified", tokens["L1"])
    assert (base.of, base.serialization, base.tokens) == ("L0", "pretty", tokens["L0"])
    assert step.credit.denominator.tokens == tokens["L0"] - tokens["L5"]
    assert step.credit.denominator.serialization == "pretty minus aliased"


def test_the_two_orderings_share_their_ends_and_differ_in_credit() -> None:
    ladder = climb(RecordSet.of(TASKS), KEPT, ALIASES, ["cl100k_base"])
    first, second = ([s for s in ladder.steps if s.ordering == ordering] for ordering in ORDERINGS)
    assert first[1].after_tokens == second[1].after_tokens
    minifying = (first[0], second[1])
    assert [step.step for step in minifying] == ["L0->L1", "L2->L3"]
    assert minifying[0].credit.percent > minifying[1].credit.percent  # more to minify before the projection


def test_a_ladder_that_saves_nothing_gives_no_credit() -> None:
    counts = climb(RecordSet.of([{"a": "x"}]), ["a"], {}, ["cl100k_base"]).rungs
    for final in (counts[0].tokens, counts[0].tokens + 1):
        worse = [*counts[:5], msgspec.structs.replace(counts[5], tokens=final)]
        assert {step.credit for step in steps_of("minify-then-project", worse)} == {None}


def test_types_that_compact_loses_make_its_rungs_lossy_and_no_other() -> None:
    ladder = climb(RecordSet.of([{"a": 1, "b": None}, {"a": 2, "b": "x"}]), ["a", "b"], {}, ["cl100k_base"])
    assert [rung.lossless for rung in ladder.rungs] == [True, True, True, True, False, False]
    assert [(loss.field, loss.type, loss.values) for loss in ladder.rungs[4].lost] == [("a", "integer", 2)]


def test_an_unknown_field_or_encoding_is_named() -> None:
    with pytest.raises(BadInput, match="unknown field 'x'; known fields: id, name"):
        climb(RecordSet.of(TASKS), ["x"], {}, ["cl100k_base"])
    with pytest.raises(BadInput, match="unknown encoding 'x'"):
        climb(RecordSet.of(TASKS), ["id"], {}, ["x"])
