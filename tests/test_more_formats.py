"""The formats beside the ladder: what each gives back, what it says that it lost, and that others read its text so."""

import copy
import csv
import hashlib
import html
import io
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import toon_format
import yaml
from hostile import HOSTILE_TEXTS, REPORTED, scalars, tables, texts, values
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from measure.errors import BadInput
from measure.formats import FORMATS, Aliased
from measure.reading import load
from measure.records import RecordSet
from measure.round_trip import Loss, verified
from measure.values import MISSING, identical, minified

ROOT = Path(__file__).parent.parent
ON_THE_LADDER = {"pretty", "minified", "compact", "aliased"}
MORE = [name for name in FORMATS if name not in ON_THE_LADDER]
DELIMITERS = {"csv": ",", "tsv": "\t", "pipe": "|", "space": " "}
TEXT_TABLES = [*DELIMITERS, "markdown"]
JSON_TABLES = ["columnar", "arrays"]
LOSSLESS = ["jsonl", *JSON_TABLES, "typed", "yaml", "key_value"]  # of all JSON values in uniform rows
OMITTING = ["pretty", "minified", "jsonl", "typed", "toon", "yaml", "xml", "key_value"]  # nothing for a missing field

some = settings(max_examples=30)
sparse_rows = st.lists(st.dictionaries(texts, values, max_size=4), min_size=1, max_size=6).filter(any)
NOT_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def as_text(value: object) -> object:
    """What is left of a value in a cell that has no types; written apart from the formats."""
    if value is None or value is MISSING:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def as_xml(value: object) -> object:
    """What is left of a value in elements without types."""
    if isinstance(value, list) and value:
        return [as_xml(inner) for inner in value]
    if isinstance(value, dict) and value:
        return {key: as_xml(inner) for key, inner in value.items()}
    if value is MISSING:
        return value
    return "" if value in (None, [], {}) and value is not False else NOT_XML.sub("\ufffd", str(as_text(value)))


def as_toon(value: object) -> object:
    """TOON has one kind of number: a float that is whole is written as its digits, up to where they get too many."""
    if isinstance(value, list):
        return [as_toon(inner) for inner in value]
    if isinstance(value, dict):
        return {key: as_toon(inner) for key, inner in value.items()}
    return int(value) if isinstance(value, float) and value == value // 1 and abs(value) < 10**21 else value


def as_json_table(value: object) -> object:
    return None if value is MISSING else value


EXPECTED = (
    dict.fromkeys(TEXT_TABLES, as_text)
    | dict.fromkeys(JSON_TABLES, as_json_table)
    | {"xml": as_xml, "toon": as_toon}
    | dict.fromkeys(["pretty", "minified", "jsonl", "typed", "yaml", "key_value"], lambda value: value)
)


def text_of(name: str, records: list[dict], sparse: bool = False) -> str:
    return "".join(FORMATS[name]().encode(RecordSet.of(records, sparse=sparse)))


def read(name: str, text: str) -> list[dict]:
    return list(FORMATS[name]().decode((text,)))


def xml_can_name(value: object) -> bool:
    """Whether no name in the value has a character that XML 1.0 does not have."""
    if isinstance(value, dict):
        return not any(NOT_XML.search(key) for key in value) and all(map(xml_can_name, value.values()))
    return not isinstance(value, list) or all(map(xml_can_name, value))


def check_round_trip(name: str, records: list[dict], sparse: bool = False) -> None:
    """Decoded rows are the expected ones, in order and type; the losses are those that the test expects itself."""
    made = RecordSet.of(records, sparse=sparse)
    if name == "xml" and not xml_can_name(records):
        with pytest.raises(BadInput, match=r"XML 1\.0 cannot write a character of the name"):
            verified(FORMATS[name](), made)
        return
    payload = verified(FORMATS[name](), made)
    rows = [dict(zip(made.fields, row, strict=True)) for row in made.rows()]
    expected = [{field: EXPECTED[name](value) for field, value in row.items()} for row in rows]
    written = [{field: value for field, value in row.items() if value is not MISSING} for row in expected]
    assert identical(read(name, payload.text), written)
    lost = sum(not identical(row[f], was[f]) for row, was in zip(expected, rows, strict=True) for f in row)
    assert sum(loss.values for loss in payload.losses) == lost
    assert payload.lossless == (lost == 0)


# ------------------------------------------------------------------------------------------ round trips


@pytest.mark.parametrize("name", MORE)
@some
@given(records=tables(scalars))
def test_a_table_of_scalars_comes_back_as_the_format_says(name: str, records: list[dict]) -> None:
    check_round_trip(name, records)


@pytest.mark.parametrize("name", MORE)
@some
@given(records=tables(values))
def test_a_table_of_nested_values_comes_back_as_the_format_says(name: str, records: list[dict]) -> None:
    check_round_trip(name, records)


@pytest.mark.parametrize("name", [*OMITTING, *TEXT_TABLES, *JSON_TABLES])
@some
@given(records=sparse_rows)
def test_sparse_rows_come_back_as_the_format_says(name: str, records: list[dict]) -> None:
    check_round_trip(name, records, sparse=True)


@pytest.mark.parametrize("name", LOSSLESS)
@given(records=tables(values))
@some
def test_formats_that_keep_types_lose_nothing_at_all(name: str, records: list[dict]) -> None:
    assert identical(read(name, text_of(name, records)), records)
    assert verified(FORMATS[name](), RecordSet.of(records)).losses == ()


@pytest.mark.parametrize("name", MORE)
@pytest.mark.parametrize("rows", [1, 499, 500, 501, 1_001])
def test_the_batches_of_a_long_text_join_without_a_seam(name: str, rows: int) -> None:
    records = [{"id": f"T-{n}", "note": "x y"} for n in range(rows)]
    payload = verified(FORMATS[name](), RecordSet.of(records))
    assert (payload.rows, payload.lossless) == (rows, True)
    assert [record["id"] for record in read(name, payload.text)] == [f"T-{n}" for n in range(rows)]


@pytest.mark.parametrize("name", MORE)
@pytest.mark.parametrize("size", [1, 7])
def test_where_a_payload_is_divided_means_nothing(name: str, size: int) -> None:
    records = [{"id": "é\r\n😀", "note": 'say "x|y", then'}, {"id": "T-2", "note": ""}]
    text = text_of(name, records)
    pieces = tuple(text[at : at + size] for at in range(0, len(text), size))
    assert list(FORMATS[name]().decode(pieces)) == records


@pytest.mark.parametrize("name", MORE)
def test_no_rows_are_a_text_too(name: str) -> None:
    pieces = tuple(FORMATS[name]().encode(RecordSet(["a", "b"], [])))
    assert list(FORMATS[name]().decode(pieces)) == []


@pytest.mark.parametrize("name", MORE)
@pytest.mark.parametrize("text", [text for text in HOSTILE_TEXTS if not NOT_XML.search(text)])
def test_a_hostile_name_survives(name: str, text: str) -> None:
    assert read(name, text_of(name, [{text: "1x", "other": "2x"}])) == [{text: "1x", "other": "2x"}]


# ------------------------------------------------------------------------------------- the text itself

TASKS = [
    {"id": "T-1", "size": 3, "done": False, "note": "plan, then do", "tags": ["a", {"k": None}]},
    {"id": "0700", "size": 1.5, "done": True, "note": None, "tags": []},
]
WRITTEN = {
    "jsonl": '{"done":false,"id":"T-1","note":"plan, then do","size":3,"tags":["a",{"k":null}]}\n'
    '{"done":true,"id":"0700","note":null,"size":1.5,"tags":[]}\n',
    "columnar": '{"done":[false,true],"id":["T-1","0700"],"note":["plan, then do",null],"size":[3,1.5],'
    '"tags":[["a",{"k":null}],[]]}',
    "arrays": '[["id","size","done","note","tags"],["T-1",3,false,"plan, then do",["a",{"k":null}]],'
    '["0700",1.5,true,null,[]]]',
    "csv": 'id,size,done,note,tags\nT-1,3,false,"plan, then do","[""a"",{""k"":null}]"\n0700,1.5,true,,[]\n',
    "tsv": 'id\tsize\tdone\tnote\ttags\nT-1\t3\tfalse\tplan, then do\t"[""a"",{""k"":null}]"\n0700\t1.5\ttrue\t\t[]\n',
    "pipe": 'id|size|done|note|tags\nT-1|3|false|plan, then do|"[""a"",{""k"":null}]"\n0700|1.5|true||[]\n',
    "space": 'id size done note tags\nT-1 3 false "plan, then do" "[""a"",{""k"":null}]"\n0700 1.5 true "" []\n',
    "typed": 'id,size,done,note,tags\nT-1,3,false,"plan, then do",["a",{"k":null}]\n"0700",1.5,true,null,[]\n',
    "toon": "[2]:\n"
    '  - id: T-1\n    size: 3\n    done: false\n    note: "plan, then do"\n    tags[2]:\n      - a\n      - k: null\n'
    '  - id: "0700"\n    size: 1.5\n    done: true\n    note: null\n    tags: []',
    "yaml": "- done: false\n  id: T-1\n  note: plan, then do\n  size: 3\n  tags:\n  - a\n  - k: null\n"
    "- done: true\n  id: '0700'\n  note: null\n  size: 1.5\n  tags: []\n",
    "xml": "<records>\n  <record>\n    <id>T-1</id>\n    <size>3</size>\n    <done>false</done>\n"
    "    <note>plan, then do</note>\n    <tags>\n      <item>a</item>\n      <item>\n        <k/>\n      </item>\n"
    "    </tags>\n  </record>\n  <record>\n    <id>0700</id>\n    <size>1.5</size>\n    <done>true</done>\n"
    "    <note/>\n    <tags/>\n  </record>\n</records>\n",
    "markdown": "| id | size | done | note | tags |\n| --- | --- | --- | --- | --- |\n"
    '| T-1 | 3 | false | plan, then do | ["a",{"k":null}] |\n| 0700 | 1.5 | true |  | [] |\n',
    "key_value": 'id: T-1\nsize: 3\ndone: false\nnote: plan, then do\ntags: ["a",{"k":null}]\n\n'
    'id: "0700"\nsize: 1.5\ndone: true\nnote: null\ntags: []\n',
}


@pytest.mark.parametrize("name", MORE)
def test_the_text_is_the_one_that_stands_here(name: str) -> None:
    assert text_of(name, TASKS) == WRITTEN[name]


def test_what_a_dialect_without_types_loses_is_named_by_column() -> None:
    for name in TEXT_TABLES:
        assert verified(FORMATS[name](), RecordSet.of(TASKS)).losses == (
            Loss("size", "integer", "string", 1),
            Loss("done", "boolean", "string", 2),
            Loss("tags", "array", "string", 2),
            Loss("size", "number", "string", 1),
            Loss("note", "null", "string", 1),
        )


def test_a_loss_that_keeps_the_type_is_called_another_of_it() -> None:
    form = FORMATS["xml"]()
    assert verified(form, RecordSet.of([{"a": "x\x00", "b": [1]}])).losses == (
        Loss("a", "string", "another string", 1),
        Loss("b", "array", "another array", 1),
    )


BARE = ["open", "T-42", "2026-01-22", "a b", "Null", "e5", "1 2", "a|b", "é", "-", "4.2.1"]
NUMBERS = ["42", "-0", "1e5", "0700", "+861", ".622", "1."]
QUOTED = [*NUMBERS, "true", "false", "null", "", " x", "x\t", "[1]", "{}", "a\nb"]


@pytest.mark.parametrize("text", BARE)
def test_text_that_nothing_else_is_read_from_stands_bare(text: str) -> None:
    assert text_of("typed", [{"a": text}]) == f"a\n{text}\n"
    assert text_of("key_value", [{"a": text}]) == f"a: {text}\n"


@pytest.mark.parametrize("text", [*QUOTED, '"', "a\rb"])
def test_text_that_would_be_read_as_something_else_is_quoted(text: str) -> None:
    doubled = text.replace('"', '""')
    assert text_of("typed", [{"a": text}]) == f'a\n"{doubled}"\n'
    if text != '"':
        assert text_of("key_value", [{"a": text}]) == f"a: {json.dumps(text)}\n"


def test_a_comma_or_a_quote_inside_is_quoted_where_it_divides_and_only_there() -> None:
    assert text_of("typed", [{"a": 'say "x", y'}]) == 'a\n"say ""x"", y"\n'
    assert text_of("key_value", [{"a": 'say "x", y: z'}]) == 'a: say "x", y: z\n'


YAML_WORDS = ["y", "Y", "n", "No", "on", "yes", "~", "null", "2026-01-22", "=", "<<"]
YAML_NUMBERS = [*NUMBERS, "08", "0o7", "0x1f", "1_000", "1:30", ".inf"]


@pytest.mark.parametrize("text", [*YAML_WORDS, *YAML_NUMBERS])
def test_yaml_quotes_what_any_reader_of_either_version_takes_for_another_type(text: str) -> None:
    assert text_of("yaml", [{"a": text}]) == f"- a: '{text}'\n"


def test_yaml_folds_no_line_and_names_no_anchor() -> None:
    inner = ["x"]
    assert text_of("yaml", [{"a": "long " * 60 + "end", "b": inner, "c": inner}]).count("\n") == 5
    assert "&" not in text_of("yaml", [{"b": inner, "c": inner}])


def test_a_space_row_quotes_all_that_a_splitter_would_divide_or_lose() -> None:
    assert text_of("space", [{"a": "x\u00a0y", "b": "", "c": "z"}]) == 'a b c\n"x\u00a0y" "" z\n'


# ------------------------------------------------------------------- independent readers and writers


@pytest.mark.parametrize("name", DELIMITERS)
@given(records=tables(values))
@some
def test_the_csv_module_reads_every_dialect(name: str, records: list[dict]) -> None:
    text = text_of(name, records)
    rows = [list(records[0]), *([as_text(record[field]) for field in records[0]] for record in records)]
    assert list(csv.reader(io.StringIO(text, newline=""), delimiter=DELIMITERS[name], strict=True)) == rows


@pytest.mark.parametrize("name", ["csv", "tsv", "pipe"])
@given(records=tables(values))
@some
def test_the_csv_module_writes_the_same_text(name: str, records: list[dict]) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=DELIMITERS[name], lineterminator="\n")
    writer.writerow(records[0])
    writer.writerows([as_text(record[field]) for field in records[0]] for record in records)
    assume("\r" not in out.getvalue())  # which older versions of the module leave without quotes
    assert text_of(name, records) == out.getvalue()


@given(tables(scalars))
@some
def test_the_csv_module_reads_typed_rows_of_scalars_as_their_words(records: list[dict]) -> None:
    rows = [list(records[0])]
    rows += [["null" if row[field] is None else as_text(row[field]) for field in records[0]] for row in records]
    assert list(csv.reader(io.StringIO(text_of("typed", records), newline=""), strict=True)) == rows


@given(tables(values))
@some
def test_json_reads_and_writes_the_json_formats(records: list[dict]) -> None:
    def dumped(value: object) -> str:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    assert text_of("jsonl", records) == "".join(dumped(record) + "\n" for record in records)
    columns = {field: [record[field] for record in records] for field in records[0]}
    assert text_of("columnar", records) == dumped(columns)
    arrays = [list(records[0]), *([record[field] for field in records[0]] for record in records)]
    assert text_of("arrays", records) == dumped(arrays)


@given(tables(values))
@some
def test_pyyaml_reads_our_yaml(records: list[dict]) -> None:
    assert identical(yaml.safe_load(text_of("yaml", records)), records)


@given(tables(values))
@some
def test_toon_format_reads_our_toon(records: list[dict]) -> None:
    expected = [{field: as_toon(value) for field, value in record.items()} for record in records]
    assert identical(toon_format.decode(text_of("toon", records)), expected)


@given(tables(scalars))
@some
def test_an_xml_parser_reads_our_elements(records: list[dict]) -> None:
    assume(xml_can_name(records))
    root = ElementTree.fromstring(text_of("xml", records))
    found = [{field.get("name", field.tag): field.text or "" for field in record} for record in root]
    assert found == [{field: as_xml(value) for field, value in record.items()} for record in records]


@given(tables(st.one_of(texts, st.none())))
@some
def test_a_markdown_parser_sees_the_same_columns_and_rows(records: list[dict]) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(text_of("markdown", records))
    opened = [token.type for token in tokens if token.type in ("th_open", "td_open", "tr_open")]
    row = ["tr_open", *["td_open"] * len(records[0])]
    assert opened == ["tr_open", *["th_open"] * len(records[0]), *row * len(records)]


CELLS = ["a|b", "a\\|b", "\\", "|", "a\nb", " x ", "<br>", "&lt;", "&amp;", "&#32;", "\t", "x\r", "&lt;br>", "*x*"]


@pytest.mark.parametrize("text", CELLS)
def test_a_markdown_parser_finds_the_text_of_a_cell(text: str) -> None:
    """What it takes for the cell, with line breaks and character references read."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text_of("markdown", [{"a": text, "b": "z"}]))
    cells = [token.content for token in tokens if token.type == "inline"]
    assert len(cells) == 4
    assert html.unescape(cells[2].replace("<br>", "\n")) == text


# --------------------------------------------------------- the failures that were reported in public


@pytest.mark.parametrize("name", MORE)
@pytest.mark.parametrize("case", REPORTED)
def test_reported_failures_do_not_happen_here(name: str, case: str) -> None:
    records, _ = REPORTED[case]
    payload = verified(FORMATS[name](), RecordSet.of(records))
    back = read(name, payload.text)
    if name in LOSSLESS or name == "toon":
        assert identical(back, records)
        assert payload.lossless
    else:
        expected = [{field: EXPECTED[name](value) for field, value in record.items()} for record in records]
        assert identical(back, expected)
        assert payload.lossless == identical(expected, records)


@pytest.mark.parametrize("name", [*OMITTING, "columnar", *TEXT_TABLES, "arrays", "compact"])
def test_reported_failure_02_a_field_that_only_a_later_row_has_does_not_vanish(name: str) -> None:
    payload = verified(FORMATS[name](), RecordSet.of([{"a": "1x"}, {"a": "2x", "b": "y"}], sparse=True))
    first = {} if name in OMITTING else {"b": "" if name in TEXT_TABLES else None}
    assert read(name, payload.text) == [{"a": "1x", **first}, {"a": "2x", "b": "y"}]
    back = "string" if name in TEXT_TABLES else "null"
    assert payload.losses == (() if name in OMITTING else (Loss("b", "missing", back, 1),))


TWICE = {
    "jsonl": '{"n":1,"n":2}\n',
    "columnar": '{"n":[1],"n":[2]}',
    "arrays": '[["n","n"],[1,2]]',
    "csv": "n,n\n1,2\n",
    "tsv": "n\tn\n1\t2\n",
    "pipe": "n|n\n1|2\n",
    "space": "n n\n1 2\n",
    "typed": "n,n\n1,2\n",
    "toon": "[1]{n,n}:\n  1,2",
    "yaml": "- n: 1\n  n: 2\n",
    "xml": "<records><record><n>1</n><n>2</n></record></records>",
    "markdown": "| n | n |\n| --- | --- |\n| 1 | 2 |\n",
    "key_value": "n: 1\nn: 2\n",
}


@pytest.mark.parametrize("name", MORE)
def test_reported_failure_24_a_name_twice_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match=r"twice|Duplicate"):
        read(name, TWICE[name])


# --------------------------------------------------------------------------------- malformed texts

MALFORMED = {
    "jsonl": [
        ('{"a":1}\n[1]\n', "row 2 is not an object but: array"),
        ('[{"a":1}]', "row 1 is not an object but: array"),
        ('{"a":1}\n{"a":\n', "line 3, column 1: not JSON"),
    ],
    "columnar": [
        ("", "line 1, column 1: not columnar JSON: an object of arrays is needed"),
        ("[1]", "line 1, column 1: not columnar JSON"),
        ("{}", "an object without a column"),
        ('{"a":1}', "the column 'a' is not an array but: integer"),
        ('{"a":[1],"b":[]}', "the column 'b' has 0 values, the first 1"),
        ('{"a":[1', "line 1, column 8: not JSON"),
        ('{"a":[1]} x', "line 1, column 11: not JSON: text after the end of the object"),
        ('{"a":[1],"a":[2]}', "the key 'a' stands twice in one object"),
    ],
    "arrays": [
        ("", "line 1, column 1: not JSON: an array of arrays is needed"),
        ("[]", "line 1, column 2: an array is needed: the header, or a row"),
        ("[[]]", "no header"),
        ("[[1],[2]]", "the first array holds something else than names"),
        ('[["a"],[1,2]]', "row 1: 2 of 1 cells"),
        ('[["a"],{"a":1}]', "line 1, column 8: an array is needed"),
        ('[["a"],[1]', "line 1, column 11: not JSON: after an array a ',' or ']' is needed"),
        ('[["a"]] x', "line 1, column 9: not JSON: text after the end of the array"),
    ],
    "csv": [
        ("", "no header"),
        ('a,b\n"x,y\n', "line 2: not CSV: unexpected end of data"),
        ("a,b\nx\n", "row 1 (line 2): 1 of 2 cells"),
        ("a,b\nx,y,z\n", "row 1 (line 2): 3 of 2 cells"),
        ("a,b\nx\ry,z\n", "line 2: not CSV: a lone carriage return"),
    ],
    "tsv": [("", "no header"), ("a\tb\nx,y\n", "row 1 (line 2): 1 of 2 cells")],
    "pipe": [("", "no header"), ("a|b\n|x|y|\n", "row 1 (line 2): 4 of 2 cells")],
    "space": [("", "no header"), ("a b\nx  y\n", "row 1 (line 2): 3 of 2 cells")],
    "typed": [
        ("", "the header: a name is empty"),
        ("a,,b\n", "the header: a name is empty"),
        ("a,b\n1\n", "row 1: 1 of 2 cells"),
        ("a,b\n1,2,3\n", "row 1: 3 of 2 cells"),
        ('a\n"x\n', "row 1: a quote without its end"),
        ('a\n"x"y\n', "row 1, character 4: 'y' after the end of a cell; a comma or a line feed is needed"),
        ('a\nx"y\n', "row 1, character 2: '\"' after the end of a cell"),
        ("a\nx\r\n", "row 1, character 2: '\\r' after the end of a cell"),
        ("a\n[1,\n", "row 1: character "),
        ('a\n{"k":1,"k":2}\n', "row 1: the key 'k' stands twice in one object"),
        ("a\n" + "9" * 5_000 + "\n", "row 1: an integer has too many digits"),
        ("a\n" + "[" * 100_000, "row 1: nested too deeply"),
    ],
    "toon": [
        ("", "no array of records but: object"),
        ("x", "no array of records but: string"),
        ("[1]: 1", "row 1 is not an object but: integer"),
        ("[2]{a}:\n  1", "not TOON: line 1: Declared length 2 but found 1"),
        ("[0]{a}:\n  1", "not TOON: "),
        ('[1]{a}:\n  "x', "not TOON: line 2: Unterminated string"),
    ],
    "yaml": [
        ("", "no array of records but: null"),
        ("a: 1\n", "no array of records but: object"),
        ("- 1\n", "row 1 is not an object but: integer"),
        ("- a: [1\n", "not YAML: while parsing a flow sequence"),
        ("- a: 2026-01-22\n", "row 1: a date is not a JSON value"),
        ("- a: .nan\n", "row 1: nan is not a finite number"),
        ("- 1: x\n", "row 1: the key 1 is not text"),
        ("- a: &x [1]\n  b: *x\n", "not YAML: an alias"),
        ("- a: 2026-99-99\n", "not YAML: ValueError while a value was read"),
        ("- a: !!python/name:os.system\n", "not YAML: could not determine a constructor for the tag"),
        ("- a: \x00\n", "not YAML: unacceptable character"),
        ("- " * 2_000 + "x", "not YAML: RecursionError while a value was read"),
    ],
    "xml": [
        ("", "not XML: no element found"),
        ("<records>", "not XML: no element found"),
        ("<rows/>", "the root element is 'rows'; 'records' is needed"),
        ("<records><row/></records>", "row 1: a 'row' element; 'record' is needed"),
        ("<records>x</records>", "the root element: text between elements"),
        ("<records><record>x</record></records>", "row 1: text between elements"),
        ("<records><record><a>x<b/></a></record></records>", "row 1: text between elements"),
        ("<records><record><a><item/>x</a></record></records>", "row 1: text between elements"),
        ("<records><record><member>x</member></record></records>", "row 1: a 'member' element without a name"),
        ("<records><record><a><item/><b/></a></record></records>", "row 1: a 'item' element without a name"),
        ('<!DOCTYPE r [<!ENTITY e "x">]><records/>', "not XML: a document type declaration"),
        ("<records><record><a>\ud800</a></record></records>", "not XML: a lone surrogate"),
    ],
    "markdown": [
        ("", "line 1 is no row of a table; '| a | b |' is needed"),
        ("a | b\n", "line 1 is no row of a table"),
        ("| a | b |\n", "line 2 is not the rule of the table; '| --- |' for 2 columns is needed"),
        ("| a | b |\n| --- |\n", "line 2 is not the rule of the table"),
        ("| a |\n| --- |\n| x | y |\n", "row 1: 2 of 1 cells"),
        ("| a |\n| --- |\n| x\n", "line 3 is no row of a table"),
    ],
    "key_value": [
        ("\n", "line 1: a blank line without a record before it"),
        ("a: 1\n\n\nb: 2\n", "line 3: a blank line without a record before it"),
        ("a: 1\n\n", "line 2: a blank line at the end"),
        ("a\n", "line 1: no 'field: value'"),
        (": x\n", "line 1: no 'field: value'"),
        ("a:x\n", "line 1: no 'field: value'"),
        ('a: "x\n', "line 1: character 1: not JSON"),
        ('a: "x" y\n', "line 1: text after the end of the value"),
        ('"a: x\n', "line 1: character 1: not JSON"),
        ("a: 1\n{}\n", "line 2: no 'field: value'"),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        pytest.param(name, *case, id=f"{name} {number}")
        for name, cases in MALFORMED.items()
        for number, case in enumerate(cases)
    ],
)
def test_a_malformed_text_is_refused_with_its_place(name: str, text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(name, text)
    assert str(caught.value).startswith(f"the payload: {message}")
    assert "\n" not in str(caught.value)


def test_every_format_has_malformed_texts_and_a_text_of_its_own() -> None:
    assert set(MALFORMED) == set(WRITTEN) == set(TWICE) == set(MORE)


@pytest.mark.parametrize("name", MORE)
@given(data=st.data())
@settings(max_examples=50)
def test_a_damaged_text_gives_records_or_one_line(name: str, data: st.DataObject) -> None:
    text = WRITTEN[name]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(at + 6, len(text))))
        text = text[:at] + data.draw(st.text("\"'|,:\t \n\r{}[]<>&;-#!*?\\0a\0\ud800é~=.e", max_size=3)) + text[end:]
    try:
        records = read(name, text)
    except BadInput as error:
        assert "\n" not in str(error)
    else:
        assert all(isinstance(record, dict) for record in records)


# ----------------------------------------------------------------------------------- sparse sets

FEW = [{"a": 1}, {"b": None, "a": 2}, {}, {"c": "x"}]


def test_a_sparse_set_has_the_fields_of_all_rows_as_they_first_appear() -> None:
    made = RecordSet.of(FEW, sparse=True)
    assert made.fields == ("a", "b", "c")
    assert list(made.rows()) == [
        (1, MISSING, MISSING),
        (2, None, MISSING),
        (MISSING, MISSING, MISSING),
        (MISSING, MISSING, "x"),
    ]
    assert made.sparse


def test_a_set_is_uniform_unless_asked_otherwise_and_where_every_row_has_every_field() -> None:
    with pytest.raises(BadInput, match="row 2: the field 'b' is not in row 1"):
        RecordSet.of(FEW)
    made = RecordSet.of([{"a": 1, "b": 2}, {"b": 3, "a": 4}], sparse=True)
    assert (made.sparse, list(made.rows())) == (False, [(1, 2), (4, 3)])


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "rows: no rows"),
        ([{}, {}], "rows: no row has a field"),
        ([{"a": 1}, {1: 2}], "rows: row 2: the field 1 is not text"),
        ([{"a": 1}, {"b": float("nan")}], "rows: row 2, field 'b': nan is not a finite number"),
        ([{"a": 1}, {"\ud800": 1}], "rows: row 2, field '\\ud800': a lone surrogate"),
        ([{"a": MISSING}], "rows: row 1, field 'a': a _Missing is not a JSON value"),
        ([{"a": [MISSING]}], "rows: row 1, field 'a': a _Missing is not a JSON value"),
    ],
)
def test_a_sparse_set_is_checked_like_any_other(records: list[dict], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        RecordSet.of(records, "rows", sparse=True)
    assert str(caught.value).startswith(message)


def test_missing_is_one_object_and_no_value_of_a_uniform_set() -> None:
    assert repr(MISSING) == "missing"
    assert copy.deepcopy(MISSING) is pickle.loads(pickle.dumps(MISSING)) is MISSING
    assert identical(MISSING, MISSING)
    assert not identical(MISSING, None)
    with pytest.raises(BadInput, match="is not a JSON value"):
        RecordSet.of([{"a": MISSING}])


@given(sparse_rows)
def test_the_digest_leaves_out_what_a_row_does_not_have(records: list[dict]) -> None:
    lines = "".join(minified(record) + "\n" for record in records)
    assert RecordSet.of(records, sparse=True).digest() == hashlib.sha256(lines.encode()).hexdigest()


def test_the_digest_tells_missing_from_null() -> None:
    assert RecordSet.of([{"a": 1, "b": 2}, {"a": 1}], sparse=True).digest() != (
        RecordSet.of([{"a": 1, "b": 2}, {"a": 1, "b": None}]).digest()
    )


@given(sparse_rows)
def test_json_of_sparse_rows_is_the_text_of_json_dumps(records: list[dict]) -> None:
    assert text_of("pretty", records, sparse=True) == json.dumps(records, indent=2, sort_keys=True, ensure_ascii=False)
    assert text_of("minified", records, sparse=True) == json.dumps(
        records, separators=(",", ":"), sort_keys=True, ensure_ascii=False
    )


def test_a_projection_and_a_head_of_a_sparse_set_stay_sparse() -> None:
    few = [{"a": "1x"}, {"b": None, "a": "2x"}, {"b": "y"}, {"c": "x"}]
    part = RecordSet.of(few, sparse=True).project(["c", "a"]).head(3)
    assert list(part.present(["c", "a"])) == [{"a": "1x"}, {"a": "2x"}, {}]
    for name in OMITTING:
        assert read(name, "".join(FORMATS[name]().encode(part))) == [{"a": "1x"}, {"a": "2x"}, {}], name


def test_an_alias_does_not_hide_that_a_field_is_missing() -> None:
    payload = verified(Aliased({"b": "x"}), RecordSet.of([{"a": "1"}, {"b": "2"}], sparse=True))
    assert payload.text == "a,x\n1,\n,2\n"
    assert [(loss.field, loss.type, loss.read_back_as) for loss in payload.losses] == [
        ("b", "missing", "null"),
        ("a", "missing", "null"),
    ]


def test_a_file_of_sparse_rows_is_read_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a":1}\n{"b":2}\n')
    assert load(path, sparse=True).fields == ("a", "b")
    with pytest.raises(BadInput, match="row 2: the field 'a' is missing"):
        load(path)


# ------------------------------------------------------------------------------------ the registry


def test_every_row_of_the_registry_is_a_format_under_its_own_word() -> None:
    assert len(FORMATS) == 17
    assert [form.serialization for form in FORMATS.values()] == list(FORMATS)
    assert len({form.label for form in FORMATS.values()}) == len(FORMATS)
    assert "nothing" not in FORMATS
    with pytest.raises(KeyError):
        FORMATS["nothing"]


def test_counting_imports_no_format_that_it_was_not_asked_for() -> None:
    code = (
        "import sys, measure, measure.formats; assert 'yaml' in measure.formats.FORMATS;"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('yaml', 'toon_format') or m.startswith('xml.etree')"
        " or m.startswith('measure.formats.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    ladder = ["aliased", "base", "compact", "json_template", "minified", "pretty"]
    assert done.stdout == f"{[f'measure.formats.{name}' for name in ladder]}\n"


@pytest.mark.parametrize(
    ("name", "module", "library"), [("toon", "toon_format", "toon-format"), ("yaml", "yaml", "PyYAML")]
)
def test_a_library_that_is_not_installed_is_named_with_its_remedy(
    name: str, module: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    message = rf"^{library} is not installed; install context-ladder with its extra `formats`$"
    with pytest.raises(BadInput, match=message):
        text_of(name, TASKS)
    with pytest.raises(BadInput, match=message):
        read(name, WRITTEN[name])
