"""The shapes: each file exercises what it is named for, and what cannot be read is refused with its place."""

import json
import re
from datetime import date

import msgspec
import pytest

from measure.errors import BadInput
from measure.gates import Subject
from measure.records import RecordSet
from measure.scenario import generated
from measure.shapes import SHAPES, SHAPES_FOLDER, SHAPES_MANIFEST, Shape, rows, shape_files, shape_manifest, shapes

BOARD, REVERSE = "fixtures/tasks-100.json", "reverse projection"


def named(study: Subject, name: str) -> list[dict]:
    return rows(study.files, next(shape for shape in shapes(study.files) if shape.name == name))


def test_every_shape_is_listed_and_has_its_rows(study: Subject) -> None:
    listed = {f"{SHAPES_FOLDER}/{one.file}": one for one in shape_manifest(study.files).files}
    assert sorted(listed) == shape_files(study.files)
    assert {shape.file for shape in shapes(study.files)} == {*listed, BOARD}
    for shape in shapes(study.files):
        made = rows(study.files, shape)
        assert len(made) == (listed[shape.file].rows if shape.file in listed else 100)
        assert shape.sparse or RecordSet.of(made).fields == tuple(shape.fields or made[0])
        assert "\n" not in shape.exercises


def test_shapes_are_no_fixtures_of_the_board(study: Subject) -> None:
    assert [path for path in generated(study.files) if "tasks-" not in path] == []


def test_the_board_is_seen_in_three_ways(study: Subject) -> None:
    four, eight, reverse = (list(named(study, name)[0]) for name in ("board, 4 fields", "board, 8 fields", REVERSE))
    assert (len(four), len(eight), len(reverse)) == (4, 8, 4)
    assert set(four) | set(reverse) == set(eight)
    assert "description" in reverse


def test_lower_case_is_the_board_but_for_the_ids(study: Subject) -> None:
    board = [{**row, "id": row["id"].lower()} for row in named(study, "board, 8 fields")]
    assert named(study, "lower case") == board


def test_the_smaller_orders_are_the_first_rows_of_the_larger(study: Subject) -> None:
    largest = named(study, "orders, 500 rows")
    for count in (5, 20, 100):
        assert named(study, f"orders, {count} rows") == largest[:count]
    assert [type(value) for value in largest[0].values()] == [str, str, int, float, bool, type(None), str]
    assert all(date.fromisoformat(row["ordered"]).year == 2026 for row in largest)


def test_texts_are_long(study: Subject) -> None:
    texts = [row["text"] for row in named(study, "id and text")]
    assert all(150 <= len(text) <= 400 for text in texts)
    assert len(set(texts)) == len(texts)


def test_numbers_are_of_every_kind(study: Subject) -> None:
    values = [value for row in named(study, "numeric") for value in row.values()]
    assert {type(value) for value in values} == {int, float}
    assert min(values) < 0
    assert max(values) > 10**11
    assert any(type(value) is float and value == int(value) for value in values)  # 29.0 is not 29


def test_a_third_is_null_and_some_texts_are_empty(study: Subject) -> None:
    values = [value for row in named(study, "null and boolean") for value in row.values()]
    assert 0.25 < values.count(None) / len(values) < 0.4
    assert values.count("") > 10
    assert any(value is True for value in values)
    assert any(value is False for value in values)


def test_punctuation_is_all_there(study: Subject) -> None:
    text = json.dumps(named(study, "punctuated"))
    assert [mark for mark in (",", '\\"', "'", ":", "\\n", "\\t", ";", "(", ")", "\\\\") if text.count(mark) < 20] == []


def test_wide_rows_have_sixteen_short_values(study: Subject) -> None:
    for row in named(study, "wide"):
        assert len(row) == 16
        assert all(len(str(value)) <= 6 for value in row.values())


@pytest.mark.parametrize(
    "script", ["[\u4e00-\u9fff]", "[\u3040-\u30ff]", "[\uac00-\ud7a3]", "[\U0001f300-\U0001faff]", "\u200d"]
)
def test_every_script_is_there(script: str, study: Subject) -> None:
    texts = ["".join(row.values()) for row in named(study, "CJK and emoji")]
    assert len([text for text in texts if re.search(script, text)]) >= 10


def test_nested_rows_hold_arrays_and_objects(study: Subject) -> None:
    made = named(study, "nested")
    assert {len(row["items"]) for row in made} == {1, 2, 3}
    assert [] in [row["tags"] for row in made]
    assert {type(row["address"]) for row in made} == {dict, type(None)}


def test_sparse_rows_lack_fields_and_hold_no_null(study: Subject) -> None:
    made = named(study, "sparse")
    assert {len(row) for row in made} == {3, 4, 5, 6}
    assert len({field for row in made for field in row}) == 8
    assert not any(None in row.values() for row in made)
    with pytest.raises(BadInput, match="row 2"):
        RecordSet.of(made)


def test_what_a_sparse_row_lacks_it_lacks_in_a_projection_too() -> None:
    files = {"x.json": b'[{"a": 1, "b": 2}, {"b": 3}, {"a": 4}]'}
    shape = Shape("x", "x.json", "absent fields", ["b", "a"], sparse=True)
    assert [list(row.items()) for row in rows(files, shape)] == [[("b", 2), ("a", 1)], [("b", 3)], [("a", 4)]]


X = Shape("x", "x.json", "nothing")


@pytest.mark.parametrize(
    ("data", "shape", "said"),
    [
        (b"[]", X, "x.json: no rows; at least one is needed"),
        (b"[1]", X, "x.json: "),
        (b"[{]", X, "x.json: line 1, column 3: not JSON"),
        (b'[{"a": "\xff"}]', X, "x.json: byte 8 is not UTF-8"),
        (b'[{"a": NaN}]', X, "x.json: row 1, field 'a': nan is not a finite number"),
        (b'[{"a": 1, "a": 2}]', X, "x.json: "),
        (b'[{"a": 1}, {"b": 2}]', X, "x.json: x: rows lack fields; say sparse = true in fixtures/shapes.toml"),
        (
            b'[{"a": 1}, {"a": 2}]',
            msgspec.structs.replace(X, sparse=True),
            "x.json: x: every row has the same fields; say sparse = false in fixtures/shapes.toml",
        ),
        (b'[{"a": 1}]', msgspec.structs.replace(X, fields=["b"]), "x.json: x: no row has the field 'b'; known: a"),
        (
            b'[{"a": 1}]',
            msgspec.structs.replace(X, fields=["a", "a"]),
            "fixtures/shapes.toml: x: field 'a' is named twice",
        ),
        (b"[]", msgspec.structs.replace(X, file="y.json"), "y.json: no such file"),
    ],
)
def test_rows_that_make_no_shape_are_refused(data: bytes, shape: Shape, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        rows({"x.json": data}, shape)
    assert str(caught.value).startswith(said)


ONE = b'[[shapes]]\nname = "x"\nfile = "x.json"\nexercises = "nothing"\n'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"shapes = []", f"{SHAPES}: Expected `array` of length >= 1"),
        (b"shapes = [", f"{SHAPES}: "),
        (b"\xff", f"{SHAPES}: "),
        (ONE + b'color = "red"\n', f"{SHAPES}: Object contains unknown field `color`"),
        (ONE + ONE, f"{SHAPES}: two shapes are named 'x'"),
    ],
)
def test_a_list_that_names_no_shapes_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        shapes({SHAPES: data})
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"seed": "\xff"}', b'{"seed": 1, "evidence": "constructed"}'])
def test_a_manifest_that_lists_nothing_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match=f"^{SHAPES_MANIFEST}: "):
        shape_manifest({SHAPES_MANIFEST: data})


def test_what_is_missing_is_named() -> None:
    with pytest.raises(BadInput, match=f"^{SHAPES}: no such file"):
        shapes({})
    with pytest.raises(BadInput, match=f"^{SHAPES_MANIFEST}: no such file"):
        shape_manifest({})
