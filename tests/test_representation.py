"""The same records in every representation: ranked, marked, counted inside an MCP string, or refused with a reason."""

import json

import pytest
from hostile import tables, values
from hypothesis import given, settings

from measure.errors import BadInput
from measure.formats import FORMATS
from measure.mcp.protocol import line
from measure.records import RecordSet
from measure.representation import BASELINE, all_formats, compare, escaped, ranked
from measure.tokens import count

TYPED = [{"id": 1, "note": None, "text": "a, b"}, {"id": 2, "note": "", "text": 'say "no"'}]


def test_every_format_but_the_ladders_own_is_counted_once_in_each_encoding() -> None:
    found = compare(RecordSet.of(TYPED), ["cl100k_base", "o200k_base"])
    assert set(all_formats()) == set(FORMATS) - {"aliased"}
    assert len(found.counts) == 2 * len(all_formats())
    assert {one.format for one in found.counts} == set(all_formats())
    assert found.refusals == []


def test_the_lossless_ones_stand_first_and_then_the_cheapest() -> None:
    found = compare(RecordSet.of(TYPED), ["cl100k_base"]).counts
    order = [(not one.lossless, one.tokens) for one in found]
    assert order == sorted(order)
    assert found == ranked(reversed(found))
    assert {one.lossless for one in found} == {True, False}
    assert min(one.tokens for one in found if not one.lossless) < found[-1].tokens
    assert all(bool(one.lost) != one.lossless for one in found)


@settings(max_examples=30)
@given(tables(values))
def test_what_is_called_lossless_reads_back_as_it_was_and_every_share_is_of_minified_json(records: list[dict]) -> None:
    asked = RecordSet.of(records)
    found = compare(asked, ["cl100k_base"], ["csv", "typed", "columnar", "key_value"])
    base = count(json.dumps(records, separators=(",", ":"), sort_keys=True, ensure_ascii=False))
    for one in found.counts:
        text = "".join(FORMATS[one.format]().encode(asked))
        assert one.tokens == count(text) == one.share.tokens
        assert (one.share.denominator.tokens, one.share.denominator.serialization) == (base, BASELINE)
        if one.format != "csv":
            assert one.lossless


@pytest.mark.parametrize("name", all_formats())
def test_inside_an_mcp_string_are_the_tokens_of_the_escaped_text_in_its_line(name: str) -> None:
    records = RecordSet.of(TYPED)
    [one] = [each for each in compare(records, ["o200k_base"], [name]).counts if each.format == name]
    text = "".join(FORMATS[name]().encode(records))
    whole, empty = (count(line({"text": held, "type": "text"}), "o200k_base") for held in (text, ""))
    assert json.loads(line({"text": text, "type": "text"}))["text"] == text
    assert one.in_mcp_string == whole - empty - one.tokens == escaped(text, "o200k_base") - one.tokens


def test_a_format_that_cannot_write_the_records_is_refused_by_name_and_the_others_are_counted() -> None:
    found = compare(RecordSet.of([{"a\x01b": "x"}]), ["cl100k_base"])
    assert [one.format for one in found.refusals] == ["xml"]
    assert "XML 1.0 cannot write a character of the name" in found.refusals[0].why
    assert {one.format for one in found.counts} == set(all_formats()) - {"xml"}


def test_formats_may_be_named_and_minified_json_is_always_there() -> None:
    found = compare(RecordSet.of(TYPED), ["cl100k_base"], ["toon", "toon"])
    assert {one.format for one in found.counts} == {"toon", "minified"}
    with pytest.raises(BadInput, match="unknown format 'aliased'; known: pretty, minified, compact, jsonl"):
        compare(RecordSet.of(TYPED), ["cl100k_base"], ["aliased"])


def test_a_missing_field_is_lost_where_a_table_writes_a_cell_for_it() -> None:
    sparse = RecordSet.of([{"id": "1"}, {"id": "2", "note": None}], sparse=True)
    lossless = {one.format: one.lossless for one in compare(sparse, ["cl100k_base"]).counts}
    assert [lossless[name] for name in ("minified", "jsonl", "typed", "yaml", "toon")] == [True] * 5
    assert [lossless[name] for name in ("columnar", "arrays", "csv", "markdown")] == [False] * 4
