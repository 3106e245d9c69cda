"""Break-even, charges, batches and alias readings, each against a slow and obvious way to find the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measure.aliases import READERS, evictions, merged, read
from measure.break_even import QUERIES, Side, Text, batch, break_even, break_even_framing, move
from measure.formats import Aliased
from measure.gates import Subject
from measure.records import RecordSet

small = st.integers(0, 300)
SCHEMA = Text("schema response", "minified", 649)
LEGEND = Text("alias legend", "plain text", 21)


@given(st.integers(-50, 50), small)
def test_break_even_is_the_first_query_whose_net_is_positive(each: int, once: int) -> None:
    walked = next((n for n in range(1, 400) if n * each - once > 0), None)
    found, reason = break_even(each, once)
    assert found == walked
    assert (reason is None) == (found is not None)


def test_no_break_even_has_its_reason() -> None:
    assert break_even(0, 5) == (None, "a query saves nothing")
    assert break_even(-3, 0) == (None, "a query costs 3 tokens more")


def test_a_move_charges_only_what_the_destination_needs_anew() -> None:
    account = move(
        Side(Text("L4", "compact", 1154), (SCHEMA,)), Side(Text("L5", "aliased", 1152), (SCHEMA, LEGEND)), 100, "x"
    )
    assert (account.sunk, account.charged, account.one_time_tokens) == ([SCHEMA], [LEGEND], 21)
    assert account.break_even_queries == 11
    assert [one.tokens for one in account.net] == [-19, -11, -1, 19, 79, 179]
    assert [one.queries for one in account.net] == list(QUERIES)
    assert account.mixed_serializations


def test_what_the_source_alone_holds_is_neither_sunk_nor_charged() -> None:
    account = move(Side(Text("L5", "aliased", 9), (SCHEMA, LEGEND)), Side(Text("L4", "compact", 8), (SCHEMA,)), 5, "x")
    assert (account.sunk, account.charged) == ([SCHEMA], [])
    assert (account.one_time, account.break_even_queries) == (None, 1)


def test_a_contract_in_another_serialization_is_another_text() -> None:
    pretty = Text("schema response", "pretty", 1078)
    account = move(Side(Text("L1", "minified", 9), (SCHEMA,)), Side(Text("L3", "minified", 8), (pretty,)), 5, "x")
    assert account.charged == [pretty]
    assert not account.mixed_serializations


@given(small, small, st.integers(1, 5))
def test_the_break_even_framing_is_the_smallest_that_pays(separate: int, together: int, calls: int) -> None:
    walked = next((f for f in range(700) if separate + calls * f > together + f), None)
    assert break_even_framing(separate, together, calls) == (walked if calls > 1 else None)


def test_a_batch_counts_requests_answers_and_framing_on_both_sides() -> None:
    place = {"rows": 5, "encoding": "x", "output": "json"}
    one = batch([(10, 20), (11, 21), (12, 22)], (30, 70), 20, place)
    assert (one.separate, one.together) == (Text("3 calls", "json", 156), Text("1 call", "json", 120))
    assert (one.saving.saved_tokens, one.saving.denominator.of) == (36, "3 calls")
    assert one.break_even_framing == 3


ROWS = [["T-1", "open"], ["T-2", "done"], ["same", "same"]]
TRUTH = {"i": "id", "s": "status"}


def test_a_whole_legend_reads_right_and_none_is_refused_by_the_strict() -> None:
    whole = read("c", "strict", TRUTH, TRUTH, ["id", "status"], ROWS)
    assert (whole.right, whole.refused, whole.wrong_without_error) == (3, 0, 0)
    none = read("c", "strict", TRUTH, {}, ["id", "status"], ROWS)
    assert (none.right, none.refused, none.wrong_without_error, none.evicted) == (0, 3, 0, ["i", "s"])


def test_a_guess_is_right_where_one_field_begins_so_and_wrong_where_an_earlier_one_does() -> None:
    right = read("c", "guessing", TRUTH, {}, ["id", "status"], ROWS)
    assert (right.right, right.taken_for) == (3, TRUTH)
    wrong = read("c", "guessing", TRUTH, {}, ["id", "sprint", "status"], ROWS)
    assert (wrong.wrong_without_error, wrong.taken_for) == (3, {"i": "id", "s": "sprint"})


def test_two_columns_taken_for_one_field_are_refused() -> None:
    one = read("c", "guessing", {"s": "sprint", "st": "status"}, {}, ["status", "sprint"], ROWS)
    assert (one.taken_for, one.refused) == ({"s": "status", "st": "status"}, 3)


def test_exchanged_columns_are_wrong_but_where_the_values_are_equal() -> None:
    one = read("c", "strict", TRUTH, {"i": "status", "s": "id"}, ["id", "status"], ROWS)
    assert (one.wrong_without_error, one.right) == (2, 1)


def test_readings_agree_with_a_real_decoder() -> None:
    """The strict reader with another tool's legend does what the format does with other aliases."""
    records = RecordSet.of([dict(zip(TRUTH.values(), row, strict=True)) for row in ROWS])
    text = tuple(Aliased({"id": "i", "status": "s"}).encode(records))
    decoded = list(Aliased({"id": "i", "sprint": "s"}).decode(text))
    one = read("c", "strict", TRUTH, merged(TRUTH, {"s": "sprint"}), ["id", "status", "sprint"], ROWS)
    assert list(decoded[0]) == list(one.taken_for.values()) == ["id", "sprint"]
    assert one.wrong_without_error == len(decoded)


def test_every_part_of_a_legend_is_evicted_once() -> None:
    left = evictions({"a": "1", "b": "2", "c": "3"})
    assert len(left) == 8
    assert len({tuple(one) for one in left}) == 8
    assert (len(left[0]), left[-1]) == (3, {})


@pytest.mark.parametrize("reader", READERS)
@given(kept=st.sets(st.sampled_from(["i", "s", "x"])))
def test_every_record_has_one_fate(reader: str, kept: set[str]) -> None:
    held = {alias: field for alias, field in {**TRUTH, "x": "extra"}.items() if alias in kept}
    one = read("c", reader, TRUTH, held, ["id", "sprint", "status"], ROWS)
    assert one.right + one.refused + one.wrong_without_error == one.records == 3


def test_the_aliases_pay_after_11_queries_in_one_vocabulary_and_8_in_the_other(study: Subject) -> None:
    moves = json.loads(study.files["results/break_even.json"])["transitions"]
    found = {(one["encoding"], one["break_even_queries"]) for one in moves if one["move"] == "L4->L5"}
    assert found == {("cl100k_base", 11), ("o200k_base", 8)}
    assert {one["break_even_queries"] for one in moves if one["move"] != "L4->L5"} == {1}


def test_the_schema_response_stands_in_both_serializations(study: Subject) -> None:
    texts = json.loads(study.files["results/break_even.json"])["session_texts"]
    schema = {
        one["serialization"]: one for one in texts if one["name"] == SCHEMA.name and one["encoding"] == "cl100k_base"
    }
    assert set(schema) == {"minified", "pretty"}
    assert schema["minified"]["tokens"] < schema["pretty"]["tokens"]


def test_records_are_read_wrong_without_an_error_in_three_of_the_cases(study: Subject) -> None:
    totals = json.loads(study.files["results/aliases.json"])["totals"]
    assert {one["case"] for one in totals if one["wrong_without_error"]} == {
        "alike names, one in the header",
        "second tool, all letters, read later",
        "second tool, one letter, read later",
    }
