"""Where the tokens go: every token once, field by field, whatever the rows and however they are cut."""

import json

import pytest
from hostile import tables, values
from hypothesis import given

from measure import explain as explained
from measure.errors import BadInput
from measure.explain import BRACKETS, KINDS, explain, pieces
from measure.formats import Pretty
from measure.records import RecordSet
from measure.tokens import VOCABULARIES, count

SPARSE = [{"id": 1}, {"id": 2, "note": "x", "text": "é日"}, {}, {"text": None}]


@given(tables(values))
def test_the_parts_add_up_to_the_tokens_of_l0(records: list[dict]) -> None:
    asked = RecordSet.of(records)
    text = "".join(Pretty().encode(asked))
    assert "".join(piece for piece, _, _ in pieces(asked)) == text
    for encoding in VOCABULARIES:
        found = explain(asked, encoding)
        assert found.tokens == count(text, encoding) == sum(one.tokens for one in found.fields)
        for one in found.fields:
            assert one.tokens == sum(getattr(one, kind) for kind in KINDS) == one.share.tokens
            assert one.share.denominator.tokens == found.tokens


def test_a_sparse_row_has_no_piece_of_a_field_that_it_lacks() -> None:
    asked = RecordSet.of(SPARSE, sparse=True)
    text = "".join(piece for piece, _, _ in pieces(asked))
    assert json.loads(text) == SPARSE
    assert text == "".join(Pretty().encode(asked))
    assert explain(asked, "cl100k_base").tokens == count(text)


def test_each_token_belongs_to_the_part_in_which_it_begins() -> None:
    found = {one.field: one for one in explain(RecordSet.of([{"id": "T-1", "n": 7}]), "cl100k_base").fields}
    assert (found["id"].names, found["n"].values) == (1, 1)
    assert found[BRACKETS].names == found[BRACKETS].values == 0


def test_the_dearest_field_stands_first() -> None:
    rows = [{"a": "x", "long": "several words in every row " * 3, "b": 1}] * 4
    found = explain(RecordSet.of(rows), "o200k_base").fields
    assert found[0].field == "long"
    assert [one.tokens for one in found] == sorted((one.tokens for one in found), reverse=True)


@pytest.mark.parametrize("encoding", VOCABULARIES)
def test_a_large_input_in_portions_is_explained_as_a_whole(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"id": f"T-{n}", "text": f"row {n}, é \u00a0 日本", "é": n, "n9": None, "x y": [n, {}]} for n in range(900)]
    asked = RecordSet.of(rows)
    monkeypatch.setattr(explained, "_PORTION", 1 << 40)
    whole = explain(asked, encoding)
    for portion in (1, 50, 4096):
        monkeypatch.setattr(explained, "_PORTION", portion)
        assert explain(asked, encoding) == whole


@given(tables(values))
def test_wherever_a_table_is_cut_the_parts_are_the_same(records: list[dict]) -> None:
    asked = RecordSet.of(records * 3)
    whole = explain(asked, "cl100k_base")
    before, explained._PORTION = explained._PORTION, 1
    try:
        assert explain(asked, "cl100k_base") == whole
    finally:
        explained._PORTION = before


def test_an_encoding_that_does_not_tell_its_tokens_is_refused() -> None:
    with pytest.raises(BadInput, match="the tokens of llama3 cannot be told one by one; explain counts in cl100k_base"):
        explain(RecordSet.of([{"a": 1}]), "llama3")
