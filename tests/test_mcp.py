"""MCP as constructed: contracts, the layer as tools, a list taken apart, envelopes and their parts, host policies."""

import json
import re
from collections.abc import Callable
from typing import Any

import jsonschema
import mcp_types
import pytest
from hostile import HOSTILE_TEXTS, tables, texts, values
from hypothesis import given
from hypothesis import strategies as st

from measure.errors import BadInput
from measure.gates import Subject
from measure.mcp.changes import changes
from measure.mcp.contract import PROFILES, tool_list, tools
from measure.mcp.envelope import marks, parts
from measure.mcp.hosts import POLICIES
from measure.mcp.layer import call, hidden, operations, schema_response, served
from measure.mcp.listing import PARTS, by_tool, cost, minified, pretty, saved
from measure.mcp.protocol import REVISIONS, Identity, answered, line
from measure.query import Dataset, ask
from measure.records import RecordSet
from measure.scenario import dataset
from measure.tokens import count

TASKS = Dataset.of(
    RecordSet.of(
        [
            {"id": f"T-{n}", "status": ("open", "done")[n % 2], "points": n, "note": None if n % 3 else "say, “hi”"}
            for n in range(7)
        ]
    )
)
ONE = {"name": "get", "description": "One record.", "inputSchema": {"type": "object", "properties": {}}}
SERVER = Identity("records", "1")


@pytest.mark.parametrize("profile", PROFILES)
def test_every_tool_of_a_constructed_contract_has_valid_schemas(profile: str, study: Subject) -> None:
    for asked in (TASKS, dataset(study.files, 20)):
        for tool in tools(operations(schema_response(asked)), asked.types, profile):
            jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
            jsonschema.Draft202012Validator.check_schema(tool.get("outputSchema", {}))
            assert ("outputSchema" in tool) == (profile == "structured" and tool["name"] != "schema")


def test_the_answers_of_the_layer_are_what_the_structured_profile_promises() -> None:
    """A record that get answers with validates; so does each row of a list."""
    promised = {
        t["name"]: t["outputSchema"] for t in tools(operations(schema_response(TASKS)), TASKS.types, PROFILES[1])[:2]
    }
    record = json.loads(call(TASKS, "get", {"id": "T-3", "format": "json"})[0])
    rows = json.loads(call(TASKS, "list", {"format": "json"})[0])
    jsonschema.validate(record, promised["get"])
    jsonschema.validate({"rows": rows, "total": len(rows)}, promised["list"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"rows": [{**rows[0], "points": "many"}]}, promised["list"])


@given(
    fields=st.lists(st.sampled_from(["id", "status", "points", "note"]), unique=True),
    output=st.sampled_from(["json", "pretty", "compact"]),
    status=st.sampled_from([None, "open", "done", "DONE", "else"]),
    paging=st.fixed_dictionaries({}, optional={"skip": st.integers(0, 9), "take": st.integers(1, 9)}),
    sort=st.dictionaries(st.sampled_from(["id", "points"]), st.sampled_from(["asc", "desc"])),
)
def test_a_call_answers_as_the_same_query_does(
    fields: list[str], output: str, status: str | None, paging: dict[str, int], sort: dict[str, str]
) -> None:
    """The oracle is the query language: the same request, written as text."""
    arguments: dict[str, Any] = {"format": output, **paging}
    spelled = [f"{key}={value}" for key, value in paging.items()]
    if fields:
        arguments["fields"] = fields
    if status:
        arguments["status"] = status
        spelled.append(f"status={status}")
    if sort:
        arguments["sort"] = sort
        spelled += [f"sort_{field}={direction}" for field, direction in sort.items()]
    query = f"list({', '.join(spelled)}) {{ {' '.join(fields)} }}"
    assert call(TASKS, "list", arguments) == (ask(query, TASKS, output), False)
    assert call(TASKS, "query", {"q": query, "format": output}) == (ask(query, TASKS, output), False)


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "unknown tool": ("drop", {}, "no tool 'drop'; known: list, get, schema"),
    "unknown argument": ("list", {"colour": "red"}, "no argument 'colour'; known: id, status, points, note, sort"),
    "wrong type": ("list", {"take": "three"}, 'take: "three" is not of integer'),
    "unknown field": (
        "get",
        {"id": "T-1", "fields": ["name"]},
        'fields.0: "name" is not one of id, status, points, note',
    ),
    "missing argument": ("get", {}, "id is missing"),
    "no such record": ("get", {"id": "T-99"}, "! NOT_FOUND no record whose 'id' is 'T-99'"),
    "a negative number": ("list", {"skip": -1}, "! BAD_ARGUMENT skip is a whole number of 0 or more, not -1"),
    "truth for a number": ("list", {"take": True}, "take: true is not of integer"),
    "no argument at all": ("schema", {"x": 1}, "no argument 'x'; known: none"),
    "no number to take": ("list", {"take": 0}, "! BAD_ARGUMENT take is a whole number above 0, not 0"),
    "unknown sort": ("list", {"sort": {"size": "asc"}}, "! UNKNOWN_ARGUMENT no argument 'sort_size'"),
    "not a direction": ("list", {"sort": {"id": "up"}}, 'sort.id: "up" is not one of asc, desc'),
    "no query": ("query", {"q": "list("}, "query, offset 5 (line 1, column 6): no argument, found end of input"),
}


@pytest.mark.parametrize(("name", "arguments", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_answered_by_one_line(name: str, arguments: dict[str, Any], said: str) -> None:
    text, failed = call(TASKS, name, arguments)
    assert failed
    assert text.startswith(said)
    assert text.count("\n") <= text.endswith("\n")


def test_an_identifier_named_as_an_argument_cannot_be_served() -> None:
    with pytest.raises(BadInput, match="the identifier 'format' is called as an argument is; name another"):
        hidden(Dataset.of(RecordSet.of([{"format": "a", "v": 1}])))


def test_a_filter_named_as_another_argument_is_left_to_the_query_tool() -> None:
    asked = Dataset.of(RecordSet.of([{"id": "1", "format": "A4"}, {"id": "2", "format": "A5"}]))
    assert hidden(asked) == ["format"]
    listed = served(asked)[0]["inputSchema"]["properties"]
    assert listed["format"]["enum"] == ["json", "pretty", "compact"]
    assert call(asked, "query", {"q": "list(format=A5) { id }"}) == ("id\n2\n", False)


@given(
    text=st.one_of(texts, st.text(st.characters(exclude_categories=["Cs"]))), revision=st.sampled_from(list(REVISIONS))
)
def test_a_constructed_line_is_what_the_sdk_writes(text: str, revision: str) -> None:
    """The oracle is the SDK's own serializer, for any text and not only for those captured."""
    block = mcp_types.TextContent(type="text", text=text).model_dump_json(include={"text"})
    ours = line(answered(revision, 3, text, SERVER))
    assert f'"content":[{block.removesuffix("}")},"type":"text"' in ours
    assert json.loads(ours)["result"]["content"] == [{"text": text, "type": "text"}]


@given(
    text=st.one_of(texts, st.text(st.sampled_from('aAz1 \n\t\r"\\,é😀'), max_size=40)),
    encoding=st.sampled_from(["cl100k_base", "o200k_base"]),
)
def test_the_parts_of_an_envelope_add_up_to_what_the_line_has_more(text: str, encoding: str) -> None:
    def wrap(inner: str) -> str:
        return line(answered("2026-07-28", 3, inner, SERVER))

    def tokens(inner: str) -> int:
        return count(inner, encoding)

    found = parts(text, wrap, tokens)
    assert found.added == tokens(wrap(text)) - tokens(text)
    assert found.added == found.envelope + found.quotes + found.breaks + found.fusion
    assert found.envelope == parts("", wrap, tokens).added
    if not re.search(r'["\\]', text):
        assert found.quotes == 0


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_the_marks_are_what_json_escapes(text: str) -> None:
    found = marks(text)
    escaped = json.dumps(text, ensure_ascii=False)[1:-1]
    assert escaped.count('\\"') == found.double_quotes
    assert sum(len(re.findall(rf"(?<!\\)(?:\\\\)*\\{mark}", escaped)) for mark in "nrt") == found.breaks


RESULTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "text": (
        {"content": [{"type": "text", "text": 'a "b"\nc'}], "isError": False},
        [
            'a "b"\nc',
            'a "b"\nc',
            'a "b"\nc',
            '[{"type":"text","text":"a \\"b\\"\\nc"}]',
            '{"content":[{"type":"text","text":"a \\"b\\"\\nc"}],"isError":false}',
        ],
    ),
    "text and structured": (
        {"content": [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}], "structuredContent": {"n": 1}},
        [
            "x\ny",
            '{"n":1}',
            'x\ny\n{"n":1}',
            '[{"type":"text","text":"x"},{"type":"text","text":"y"}]',
            '{"content":[{"type":"text","text":"x"},{"type":"text","text":"y"}],"structuredContent":{"n":1}}',
        ],
    ),
    "structured only": (
        {"content": [], "structuredContent": {"a": "é"}, "resultType": "complete", "_meta": {"x": 1}},
        ["", '{"a":"é"}', '{"a":"é"}', "[]", '{"content":[],"structuredContent":{"a":"é"}}'],
    ),
    "an image among texts": (
        {"content": [{"type": "image", "data": "AA=="}, {"type": "text", "text": "x"}]},
        [
            *("x", "x", "x"),
            '[{"type":"image","data":"AA=="},{"type":"text","text":"x"}]',
            '{"content":[{"type":"image","data":"AA=="},{"type":"text","text":"x"}]}',
        ],
    ),
}


@pytest.mark.parametrize(("result", "given_to_the_model"), RESULTS.values(), ids=RESULTS)
def test_each_policy_gives_the_text_that_it_names(result: dict[str, Any], given_to_the_model: list[str]) -> None:
    before = json.dumps(result)
    assert [policy(result) for policy in POLICIES.values()] == given_to_the_model
    assert json.dumps(result) == before


def test_a_part_costs_what_removing_it_saves() -> None:
    tool = {
        **ONE,
        "title": "Get",
        "inputSchema": {
            "type": "object",
            "description": "How to ask.",
            "properties": {"description": {"type": "string", "description": "A property of that name stays."}},
        },
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True},
    }
    assert PARTS["parameter_descriptions"](tool)["inputSchema"] == {
        "type": "object",
        "properties": {"description": {"type": "string"}},
    }
    assert set(PARTS["other"](tool)) == set(tool) - {"title"}
    [found] = by_tool([tool], "cl100k_base")
    assert found.tokens == count(minified(tool))
    assert found.pretty_tokens == count(pretty(tool))
    for name, remove in PARTS.items():
        assert found.parts[name] == found.tokens - count(minified(remove(tool)))
    assert found.forwarded_tokens == count(minified({key: tool[key] for key in ("name", "description", "inputSchema")}))


def test_a_list_is_counted_whole_and_its_tools_the_dearest_first() -> None:
    listed = [ONE, {**ONE, "name": "find", "description": "Some records, by a text that they hold."}]
    whole = cost(listed, "o200k_base", "constructed")
    assert (whole.tools, whole.tokens) == (2, count(minified({"tools": listed}), "o200k_base"))
    assert whole.minifying.saved_tokens == whole.pretty_tokens - whole.tokens
    assert whole.minifying.denominator.tokens == whole.pretty_tokens == count(pretty({"tools": listed}), "o200k_base")
    assert [tool.name for tool in by_tool(listed, "o200k_base")] == ["find", "get"]
    with pytest.raises(BadInput, match="the list holds no tool"):
        cost([], "cl100k_base", "captured")


FORMS: dict[str, Callable[[list[dict[str, Any]]], Any]] = {
    "tools alone": lambda listed: listed,
    "an object of tools": lambda listed: {"tools": listed},
    "a response": lambda listed: {"jsonrpc": "2.0", "id": 2, "result": {"tools": listed, "ttlMs": 0}},
    "pages": lambda listed: [
        {"result": {"tools": [listed[0]], "nextCursor": "x"}},
        {"result": {"tools": listed[1:]}},
    ],
    "pages under a name": lambda listed: {"tools_list_pages": [{"result": {"tools": listed}}]},
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_saved_list_is_read_in_every_form(form: Callable[[list[dict[str, Any]]], Any]) -> None:
    listed = [ONE, {**ONE, "name": "find"}]
    assert saved(form(listed), "x.json") == listed


@pytest.mark.parametrize("value", [None, 3, "text", {}, [], {"tools": 3}, {"result": {}}, [3], [{"tools": None}]])
def test_what_is_no_list_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match=r"x\.json: no tool list; such as"):
        saved(value, "x.json")


@given(values)
def test_no_json_document_breaks_the_reading_of_a_list(value: Any) -> None:
    try:
        assert all(isinstance(tool["name"], str) for tool in saved(value, "x.json"))
    except BadInput as error:
        assert str(error).startswith("x.json: ")


@pytest.mark.parametrize("tool", [{"inputSchema": {}}, {"name": 3, "inputSchema": {}}, {"name": "x"}, "x"])
def test_a_tool_without_name_or_schema_is_refused_by_its_place(tool: Any) -> None:
    with pytest.raises(BadInput, match=r"x\.json: tool 2 has no name or no input schema"):
        saved({"tools": [ONE, tool]}, "x.json")


@pytest.mark.parametrize(
    "page", [{"tools": [ONE], "nextCursor": "2"}, [{"result": {"tools": [ONE], "nextCursor": "2"}}]]
)
def test_a_list_that_goes_on_elsewhere_is_refused(page: Any) -> None:
    with pytest.raises(BadInput, match=r"x\.json: the list is not complete: it names a next page; save every page"):
        saved(page, "x.json")


def test_a_name_that_stands_twice_is_told_apart_in_changes() -> None:
    found = changes([ONE], [ONE, {**ONE, "description": "Another."}], "cl100k_base")
    assert [(one.name, one.before) for one in found.tools] == [("get (2)", None)]
    assert found.unchanged == 1


def test_changes_name_what_came_went_and_was_reworded() -> None:
    before = [ONE, {**ONE, "name": "list"}, {**ONE, "name": "gone"}]
    after = [{**ONE, "description": "A record."}, {**ONE, "name": "list"}, {**ONE, "name": "new"}]
    found = changes(before, after, "cl100k_base")
    assert {one.name: (one.before is None, one.after is None) for one in found.tools} == {
        "get": (False, False),
        "gone": (False, True),
        "new": (True, False),
    }
    assert found.unchanged == 1
    assert (found.before_tokens, found.after_tokens) == tuple(
        count(minified(tool_list(one))) for one in (before, after)
    )


@given(tables(values))
def test_any_records_can_be_served(rows: list[dict[str, Any]]) -> None:
    """Whatever their fields are called: the list can be written, its schemas are valid, and every row comes back."""
    asked = Dataset.of(RecordSet.of(rows))
    for tool in served(asked):
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
    text, failed = call(asked, "list", {"format": "json"})
    assert not failed
    assert len(json.loads(text)) == len(rows)
