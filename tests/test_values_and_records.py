"""Values keep their type; record sets are uniform; a digest ignores representation and nothing else."""

import json

import pytest
from hostile import tables, values
from hypothesis import given

from measure.errors import BadInput
from measure.records import RecordSet
from measure.values import check_value, identical, minified

ONES = [1, 1.0, "1", True, [1], [1.0], {"1": 1}, {"1": True}]


@pytest.mark.parametrize("left", ONES, ids=repr)
@pytest.mark.parametrize("right", ONES, ids=repr)
def test_values_are_identical_only_to_themselves(left: object, right: object) -> None:
    assert identical(left, right) == (left is right)


def test_objects_are_identical_by_their_keys_too() -> None:
    assert not identical({"a": 1}, {"b": 1})
    assert not identical({"a": None}, {"b": None})


class Text(str):
    """A subclass, as an enumeration's members are."""


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"a": Text("x")}, "row 1, field 'a': a Text is not a JSON value"),
        ({"a": 10**5000}, "row 1, field 'a': an integer has too many digits"),
        ({"a": {1: "x"}}, "row 1, field 'a': the key 1 is not text"),
        ({1: "x"}, "row 1: the field 1 is not text"),
        ({"\ud800": "x"}, "row 1, field '\\ud800': a lone surrogate"),
    ],
)
def test_what_python_has_and_json_has_not_is_refused(record: dict, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        RecordSet.of([record])
    assert str(caught.value).startswith(message)


def test_negative_zero_is_not_zero() -> None:
    assert not identical(0.0, -0.0)
    assert identical(-0.0, -0.0)


@given(values)
def test_minified_text_reads_back_as_the_identical_value(value: object) -> None:
    assert identical(json.loads(minified(value)), value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (float("nan"), "nan is not a finite number"),
        (float("-inf"), "-inf is not a finite number"),
        ("a\udfff", r"lone surrogate \(U\+DFFF\)"),
        ({"k": ["\ud800"]}, r"lone surrogate \(U\+D800\)"),
        ({"\ud800": 1}, r"lone surrogate \(U\+D800\)"),
        (b"bytes", "a bytes is not a JSON value"),
    ],
)
def test_what_json_cannot_write_is_refused_with_its_place(value: object, message: str) -> None:
    with pytest.raises(BadInput, match=f"rows.json: row 7, field 'x': {'a ' * ('lone' in message)}{message}"):
        check_value(value, "row 7, field 'x'", "rows.json")


@given(tables(values))
def test_a_set_gives_back_its_rows(records: list[dict]) -> None:
    made = RecordSet.of(records)
    assert len(made) == len(records)
    assert [dict(zip(made.fields, row, strict=True)) for row in made.rows()] == records


@given(tables(values))
def test_a_projection_in_reverse_order_has_the_same_digest(records: list[dict]) -> None:
    made = RecordSet.of(records)
    turned = made.project(made.fields[::-1])
    assert turned.digest() == made.digest() == RecordSet.of([dict(reversed(r.items())) for r in records]).digest()


@pytest.mark.parametrize(
    "other",
    [
        [{"a": 1, "b": "x"}],
        [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, {"a": 2, "b": "y"}],
        [{"a": 2, "b": "y"}, {"a": 1, "b": "x"}],
        [{"a": 1, "b": "x"}, {"a": "2", "b": "y"}],
        [{"a": 1, "b": "x"}, {"a": 2.0, "b": "y"}],
        [{"a": 1, "c": "x"}, {"a": 2, "c": "y"}],
        [{"a": 1, "b": "x"}, {"a": 2, "b": "y "}],
    ],
    ids=["fewer rows", "more rows", "order", "type", "float", "name", "space"],
)
def test_a_digest_changes_with_rows_order_names_values_and_types(other: list[dict]) -> None:
    assert RecordSet.of([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]).digest() != RecordSet.of(other).digest()


def test_a_digest_is_that_of_the_rows_as_minified_json_lines() -> None:
    import hashlib

    records = [{"b": "é\n", "a": None}, {"a": 1.5, "b": "%s"}]
    lines = "".join(json.dumps(r, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n" for r in records)
    assert RecordSet.of(records).digest() == hashlib.sha256(lines.encode()).hexdigest()


def test_projections_of_projections_and_heads_keep_their_columns() -> None:
    made = RecordSet.of([{"a": n, "b": n * 10, "c": n * 100} for n in range(4)])
    part = made.project(["c", "a"]).head(2)
    assert (part.fields, list(part.rows())) == (("c", "a"), [(0, 0), (100, 1)])
    assert list(part.project(["a"]).rows()) == [(0,), (1,)]
    assert list(part.rows(["a", "c"])) == [(0, 0), (1, 100)]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "rows.json: no rows"),
        ([{}], "rows.json: row 1 has no fields"),
        ([{"a": 1, "b": 2}] * 6 + [{"a": 1}], "rows.json: row 7: the field 'b' is missing; row 1 has: a, b"),
        ([{"a": 1}, {"a": 1, "z": 2}], "rows.json: row 2: the field 'z' is not in row 1; row 1 has: a"),
        ([{"a": 1}, {"z": 1}], "rows.json: row 2: the field 'a' is missing; row 1 has: a"),
    ],
)
def test_rows_that_make_no_set_are_named(records: list[dict], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        RecordSet.of(records, "rows.json")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (["z"], "unknown field 'z'; known fields: a, b"),
        (["a", "a"], "field 'a' is named twice"),
        ([], "no fields are named; known fields: a, b"),
    ],
)
def test_a_projection_names_what_is_wrong_with_its_fields(fields: list[str], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        RecordSet.of([{"a": 1, "b": 2}]).project(fields)
    assert str(caught.value) == message
