"""Every format gives its records back, or says in its result what it lost; none loses anything silently."""

import csv
import io
import json

import pytest
from hostile import HOSTILE_TEXTS, REPORTED, tables, texts, values
from hypothesis import assume, given
from hypothesis import strategies as st

from measure.errors import BadInput, Refused
from measure.formats import FORMATS, Aliased, Compact, Minified, Pretty
from measure.formats.aliased import shortest_aliases
from measure.records import RecordSet
from measure.round_trip import Loss, verified
from measure.values import identical

JSON_FORMATS = [Pretty(), Minified()]
COMPACT_FORMATS = [Compact(), Aliased({"id": "\u24d8"})]


def named(form: object) -> str:
    return type(form).__name__.lower()


def back(form, records: list[dict]) -> list[dict]:
    return list(form.decode(tuple(form.encode(RecordSet.of(records)))))


@pytest.mark.parametrize("form", JSON_FORMATS, ids=named)
@given(records=tables(values))
def test_json_gives_back_any_value_with_its_type(form, records: list[dict]) -> None:
    assert identical(back(form, records), records)
    assert verified(form, RecordSet.of(records)).lossless


@given(tables(values))
def test_pretty_is_the_text_of_json_dumps(records: list[dict]) -> None:
    expected = json.dumps(records, indent=2, sort_keys=True, ensure_ascii=False)
    assert "".join(Pretty().encode(RecordSet.of(records))) == expected


@given(tables(values))
def test_minified_is_the_text_of_json_dumps(records: list[dict]) -> None:
    expected = json.dumps(records, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    assert "".join(Minified().encode(RecordSet.of(records))) == expected


@pytest.mark.parametrize(("form", "text"), [(Pretty(), "[]"), (Minified(), "[]"), (Compact(), "a,b\n")])
def test_no_rows_are_a_text_too(form, text: str) -> None:
    pieces = tuple(form.encode(RecordSet(["a", "b"], [])))
    assert "".join(pieces) == text
    assert list(form.decode(pieces)) == []


@pytest.mark.parametrize("form", COMPACT_FORMATS, ids=named)
@given(records=tables(texts))
def test_compact_gives_back_any_text(form, records: list[dict]) -> None:
    assert back(form, records) == records
    assert verified(form, RecordSet.of(records)).lossless


@given(tables(values))
def test_compact_names_every_column_and_type_that_it_lost(records: list[dict]) -> None:
    payload = verified(Compact(), RecordSet.of(records))
    lost = [
        (field, type(value))
        for record in records
        for field, value in record.items()
        if value is not None and not isinstance(value, str)
    ]
    assert payload.lossless == (not lost)
    assert {loss.field for loss in payload.losses} == {field for field, _ in lost}
    assert len(payload.losses) == len(set(lost))
    assert {loss.read_back_as for loss in payload.losses} <= {"string"}
    assert sum(loss.values for loss in payload.losses) == len(lost)


@given(tables(st.one_of(texts, st.none())))
def test_any_csv_reader_reads_compact_and_takes_null_for_empty(records: list[dict]) -> None:
    """An independent reader, the csv module, but for a row of one null, which it takes for no row at all."""
    text = "".join(Compact().encode(RecordSet.of(records)))
    rows = [list(records[0]), *([record[field] or "" for field in records[0]] for record in records)]
    assume(all(len(record) > 1 or None not in record.values() for record in records))
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == rows


def test_compact_keeps_the_projections_order_and_json_sorts() -> None:
    records = RecordSet.of([{"b": "1", "a": "2"}])
    assert "".join(Compact().encode(records)) == "b,a\n1,2\n"
    assert "".join(Minified().encode(records)) == '[{"a":"2","b":"1"}]'


def test_text_is_raw_utf8_without_ascii_or_html_escapes() -> None:
    for name, form in FORMATS.items():
        made = form({"id": "i"}) if form is Aliased else form()
        # What XML and YAML cannot write without an escape is left out for them.
        text = {"xml": "é😀\u2028", "yaml": "é<b>&😀"}.get(name, "é<b>&😀\u2028")
        assert text in "".join(made.encode(RecordSet.of([{"id": text}])))


@pytest.mark.parametrize("rows", [1, 499, 500, 501, 1_000, 1_001])
@pytest.mark.parametrize("form", [*JSON_FORMATS, *COMPACT_FORMATS], ids=named)
def test_the_pieces_of_a_long_text_join_without_a_seam(form, rows: int) -> None:
    records = [{"id": f"T-{n}", "note": "x"} for n in range(rows)]
    payload = verified(form, RecordSet.of(records))
    assert (payload.rows, payload.lossless) == (rows, True)


@pytest.mark.parametrize(("records", "fate"), REPORTED.values(), ids=REPORTED)
def test_reported_failures_do_not_happen_here(records: list[dict], fate: str) -> None:
    for form in JSON_FORMATS:
        assert identical(back(form, records), records)
    for form in COMPACT_FORMATS:
        payload = verified(form, RecordSet.of(records))
        assert [(loss.type, loss.read_back_as) for loss in payload.losses] == (
            [] if fate == "kept" else [(fate, "string")]
        )
        if fate == "kept":
            assert back(form, records) == records


def test_reported_failure_02_a_field_that_only_a_later_row_has_is_refused() -> None:
    with pytest.raises(BadInput, match="row 2: the field 'b' is not in row 1"):
        RecordSet.of([{"a": "1"}, {"a": "2", "b": "x"}])


def test_reported_failure_24_a_name_twice_in_the_header_is_refused() -> None:
    with pytest.raises(BadInput, match="the header names a field twice: name, name"):
        list(Compact().decode(("name,name\n1,2\n",)))


def test_what_compact_makes_of_other_types_is_their_json_text_and_null_is_marked() -> None:
    records = [{"i": 42, "f": 1.5, "t": True, "n": None, "l": [1, "x"], "o": {"k": None}}]
    assert back(Compact(), records) == [
        {"i": "42", "f": "1.5", "t": "true", "n": None, "l": '[1,"x"]', "o": '{"k":null}'}
    ]
    assert verified(Compact(), RecordSet.of(records)).losses[0] == Loss("i", "integer", "string", 1)


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_a_hostile_name_survives_in_every_format(text: str) -> None:
    for form in (*JSON_FORMATS, Compact(), Aliased({text: "x"})):
        assert back(form, [{text: "1", "other": "2"}]) == [{text: "1", "other": "2"}]


def test_compact_tells_null_from_empty_and_quotes_what_a_reader_would_trim() -> None:
    records = [{"a": None, "b": ""}, {"a": " x", "b": "y "}, {"a": "x y", "b": "null"}]
    assert "".join(Compact().encode(RecordSet.of(records))) == 'a,b\n,""\n" x","y "\nx y,null\n'
    assert back(Compact(), records) == records
    assert back(Compact(), [{"a": None}, {"a": ""}, {"a": None}]) == [{"a": None}, {"a": ""}, {"a": None}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a,b\n"x,y\n', "row 2, character 1: a broken quote"),
        ('a,b\n"x"z,y\n', "row 2, character 1: a broken quote"),
        ('a,b\nx"z",y\n', "row 2, character 1: a broken quote"),
        ("a,b\nx\n", "row 1: 1 of 2 cells"),
        ("a,b\nx,y,z\n", "row 1: 3 of 2 cells"),
    ],
)
def test_a_text_that_is_not_compact_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        list(Compact().decode((text,)))
    assert str(caught.value) == f"the payload: {message}"


def test_an_alias_for_two_fields_is_refused() -> None:
    with pytest.raises(BadInput, match="the alias 's' stands for two fields: 'status', 'sprint'"):
        Aliased({"status": "s", "sprint": "s"})


@given(tables(texts))
def test_made_aliases_drop_no_column_share_none_and_never_lengthen(records: list[dict]) -> None:
    fields = tuple(records[0])
    aliases = shortest_aliases(fields)
    assert list(aliases) == list(fields)
    assert len(set(aliases.values())) == len(fields)
    assert all(len(alias) <= len(field) for field, alias in aliases.items())
    assert back(Aliased(aliases), records) == records


@pytest.mark.parametrize("aliases", [{"id": "status"}, {"id": "i", "status": "i"}, {"other": "id"}])
def test_an_alias_that_hides_another_column_is_bad_input_not_a_broken_format(aliases: dict[str, str]) -> None:
    with pytest.raises(BadInput):
        verified(Aliased(aliases), RecordSet.of([{"id": "1", "status": "x"}]))


def test_made_aliases_avoid_the_names_of_other_fields() -> None:
    assert shortest_aliases(("status", "s", "st")) == {"status": "sta", "s": "s", "st": "st"}


class Typeless(Minified):
    """JSON in which a nested number comes back as another type, though equal."""

    def decode(self, pieces):
        return ({key: [1.0] for key in row} for row in super().decode(pieces))


def test_a_type_lost_inside_a_list_is_noticed() -> None:
    with pytest.raises(Refused, match=r"array \[1\] came back as array \[1\.0\]"):
        verified(Typeless(), RecordSet.of([{"a": [1]}]))


class Broken(Compact):
    """Compact with one thing wrong, given as a function on the decoded records."""

    def __init__(self, damage) -> None:
        self.damage = damage

    def decode(self, pieces):
        return iter(self.damage(list(super().decode(pieces))))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda rows: rows[:-1], "fewer rows than the 2 encoded"),
        (lambda rows: [*rows, rows[0]], "more rows than the 2 encoded"),
        (lambda rows: rows[::-1], "row 1, field 'a': string 'x' came back as string 'y'"),
        (lambda rows: [{"a": row["a"]} for row in rows], "row 1 has the fields a, not a, b"),
        (lambda rows: [{"b": row["b"], "a": row["a"]} for row in rows], "row 1 has the fields b, a, not a, b"),
        (lambda rows: [row | {"b": 1} for row in rows], "row 1, field 'b': string '1' came back as integer 1"),
        (lambda rows: [row | {"a": row["a"] + " "} for row in rows], "row 1, field 'a': string 'x' came back as"),
    ],
    ids=["count", "extra", "order of rows", "field set", "order of fields", "type", "value"],
)
def test_a_format_that_damages_anything_stops_the_run_and_is_named(damage, message: str) -> None:
    with pytest.raises(Refused) as caught:
        verified(Broken(damage), RecordSet.of([{"a": "x", "b": "1"}, {"a": "y", "b": "2"}]))
    assert str(caught.value).startswith(f"compact: round trip broken: {message}")
