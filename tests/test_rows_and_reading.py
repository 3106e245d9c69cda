"""Text becomes rows, in whatever pieces it arrives; what is wrong with it is said with its place."""

import csv
import io
import json

import pytest
from hostile import tables, texts, values
from hypothesis import given
from hypothesis import strategies as st

from measure import reading
from measure.errors import BadInput
from measure.reading import read
from measure.rows import csv_rows, json_rows


def divided(text: str, sizes: list[int]) -> list[str]:
    """`text` in pieces of these sizes, the rest in one."""
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    return [*pieces, text[at:]]


sizes = st.lists(st.integers(0, 7), max_size=30)


@given(tables(values), sizes, st.sampled_from([None, 0, 3]))
def test_a_json_array_reads_as_json_loads_reads_it(records: list[dict], sizes: list[int], indent: int | None) -> None:
    text = json.dumps(records, indent=indent)
    assert list(json_rows(divided(text, sizes))) == json.loads(text)


@given(tables(values), sizes)
def test_json_lines_read_as_their_lines(records: list[dict], sizes: list[int]) -> None:
    text = "".join(json.dumps(record) + "\n" for record in records)
    assert list(json_rows(divided(text, sizes))) == records


@given(tables(texts.filter(lambda text: "\0" not in text)), sizes)
def test_csv_reads_as_the_csv_module_reads_it_whole(records: list[dict], sizes: list[int]) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(records[0])
    writer.writerows(record.values() for record in records)
    expected = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert list(csv_rows(divided(out.getvalue(), sizes))) == expected


@given(tables(texts), st.integers(1, 9))
def test_a_file_in_blocks_of_any_size_gives_the_same_records(records: list[dict], block: int) -> None:
    data = json.dumps(records, ensure_ascii=False).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_BLOCK", block)
        if b"\0" not in data:
            assert read(io.BytesIO(data), "rows.json", ".json").digest() == read(io.BytesIO(data), "", "").digest()


BAD = {
    "CSV of semicolons": (
        b"id;name\n1;2\n",
        ".csv",
        "rows: one column, named 'id;name'; cells are separated by commas",
    ),
    "CSV without a name": (b"id,,name\n1,2,3\n", ".csv", "rows: cell 2 of the header is empty; each column needs"),
    "prose": (b"Some prose\nand more\n", ".txt", "rows: neither JSON nor a table: the first line has no comma"),
    "300 levels": (b'[{"a": ' + b"[" * 300 + b"]" * 300 + b"}]", ".json", "rows: row 1, field 'a': nested too deeply"),
    "empty": (b"", ".json", "rows: the file is empty"),
    "blank": (b" \n \n", "", "rows: the file is empty"),
    "not JSON": (b'[{"a": 1},\n {"a": 2,}]', ".json", "rows: line 2, column "),
    "cut off": (b'[{"a": 1},\n {"a"', ".json", "rows: line 2, column 6: not JSON: "),
    "open string": (b'[{"a": "x', ".json", "rows: line 1, column 8: not JSON: Unterminated"),
    "no comma": (b'[{"a": 1} {"a": 2}]', ".json", "rows: line 1, column 11: not JSON: after row 1 a ',' or ']'"),
    "ends after a row": (
        b'[{"a": 1}',
        ".json",
        "rows: line 1, column 10: not JSON: after row 1 a ',' or ']' is needed, the",
    ),
    "comma at the end": (b'[{"a": 1},]', ".json", "rows: line 1, column 1"),
    "text after the end": (b'[{"a": 1}]\n x', ".json", "rows: line 2, column 2: not JSON: text after the end"),
    "a word": (b"\n  rows", ".json", "rows: not JSON: it starts with 'r', at line 2, column 3"),
    "one object": (b'{"data": [], "next": 2}', ".json", "rows: one JSON object (keys: data, next), not rows"),
    "rows of numbers": (b"[1, 2]", ".json", "rows: row 1 is not an object but: integer"),
    "a row of null": (b'[{"a": 1}, null]', ".json", "rows: row 2 is not an object but: null"),
    "no rows": (b"[]", ".json", "rows: no rows"),
    "a key twice": (b'[{"a": 1}, {"a": 1, "a": 1}]', ".json", "rows: row 2: the key 'a' stands twice in one object"),
    "a key twice inside": (b'[{"a": {"b": 1, "b": 2}}]', ".json", "rows: row 1: the key 'b' stands twice"),
    "NaN": (b'[{"a": 1}, {"a": NaN}]', ".json", "rows: row 2, field 'a': nan is not a finite number"),
    "infinity": (b'[{"a": -Infinity}]', ".json", "rows: row 1, field 'a': -inf is not a finite number"),
    "too large a number": (b'[{"a": 1e999}]', ".json", "rows: row 1, field 'a': inf is not a finite number"),
    "5,000 digits": (b'[{"a": ' + b"9" * 5000 + b"}]", ".json", "rows: row 1: an integer has too many digits"),
    "deep nesting": (b'[{"a": ' + b"[" * 200_000, ".json", "rows: row 1: nested too deeply"),
    "lone surrogate": (b'[{"a": "\\ud800"}]', ".json", "rows: row 1, field 'a': a lone surrogate (U+D800)"),
    "control character": (b'[{"a": "\x01"}]', ".json", "rows: line 1, column 9: not JSON: Invalid control character"),
    "binary": (b"PK\x03\x04\x00\x00", "", "rows: byte 4 is NUL: a binary file"),
    "latin-1": (b"name\nRen\xe9\n", ".csv", "rows: byte 8 is not UTF-8"),
    "cut off in a character": ("[{'é".encode()[:-1], ".csv", "rows: byte 3 is not UTF-8"),
    "UTF-16": ("[]".encode("utf-16"), ".json", "rows: UTF-16 text; save it as UTF-8"),
    "short CSV row": (
        b"a,b\n1,2\n3\n",
        ".csv",
        "rows: row 2 (line 3): 1 of 2 cells; each row needs as many as the header",
    ),
    "long CSV row": (b"a,b\n1,2,3\n", ".csv", "rows: row 1 (line 2): 3 of 2 cells; each row needs"),
    "CSV name twice": (b"a,b,a\n1,2,3\n", ".csv", "rows: the header names the field 'a' twice"),
    "CSV quote": (b'a,b\n"1,2\n', ".csv", "rows: line 2: not CSV: unexpected end of data"),
    "CSV text after a quote": (b'a,b\n"1"x,2\n', ".csv", "rows: line 2: not CSV: "),
    "CSV without rows": (b"a,b\n", ".csv", "rows: no rows"),
}


@pytest.mark.parametrize(("data", "suffix", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line_that_says_what_and_where(data: bytes, suffix: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(io.BytesIO(data), "rows", suffix)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("block", [1, 3, 1000])
def test_places_are_counted_across_the_blocks_of_a_file(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_BLOCK", block)
    with pytest.raises(BadInput, match="line 4, column 9: not JSON"):
        read(io.BytesIO(b'[\n{"a": 1},\n\n  {"a": x}]'), "rows", ".json")
    with pytest.raises(BadInput, match="byte 8 is not UTF-8"):
        read(io.BytesIO(b"\xef\xbb\xbfa,b\n1\xff"), "rows", ".csv")
    with pytest.raises(BadInput, match="byte 7 is NUL"):
        read(io.BytesIO(b"\xef\xbb\xbfa,b\n\x00"), "rows", ".csv")


GOOD = {
    "JSON by its name": (b'[{"a":"1"}]', ".json"),
    "JSON by its look": (b' \n[{"a":"1"}]', ".txt"),
    "byte order mark": (b'\xef\xbb\xbf[{"a":"1"}]', ".json"),
    "a line a row": (b'{"a":"1"}\n', ".jsonl"),
    "CSV by its name": (b"a\n1\n", ".csv"),
    "CSV that looks like JSON": (b'"a"\n"1"', ".csv"),
}


@pytest.mark.parametrize(("data", "suffix"), GOOD.values(), ids=GOOD)
def test_a_format_is_told_by_name_or_look(data: bytes, suffix: str) -> None:
    found = read(io.BytesIO(data), "rows", suffix)
    assert (found.fields, list(found.rows())) == (("a",), [("1",)])


def test_csv_is_told_by_its_look_where_the_name_says_nothing() -> None:
    found = read(io.BytesIO(b"a,b\r\n1,2\r\n\r\n"), "rows", "")
    assert (found.fields, list(found.rows())) == (("a", "b"), [("1", "2")])


@pytest.mark.parametrize(("levels", "right"), [(100, True), (101, False)])
def test_nesting_has_a_limit_far_from_pythons_own(levels: int, right: bool) -> None:
    data = b'[{"a":' + b"[" * levels + b"]" * levels + b"}]"
    if right:
        assert len(read(io.BytesIO(data), "rows", ".json").digest()) == 64
    else:
        with pytest.raises(BadInput, match="nested too deeply; 100 levels are the limit"):
            read(io.BytesIO(data), "rows", ".json")


def test_two_objects_one_after_the_other_are_rows_whatever_the_name() -> None:
    assert len(read(io.BytesIO(b'{"a":1}\n{"a":2}'), "rows.json", ".json")) == 2


def test_a_cell_may_be_longer_than_the_csv_modules_default() -> None:
    found = read(io.BytesIO(b"a\n" + b"x" * 300_000 + b"\n"), "rows.csv", ".csv")
    assert [len(cell) for (cell,) in found.rows()] == [300_000]
