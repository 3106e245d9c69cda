"""MCP in the study: what the results say, each branch of its gates seen red, and public servers counted anew."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from measure.errors import BadInput
from measure.gates import GATES, Subject, verdict
from measure.study import checkout, measured
from measure.study.damage import at, edited, edited_json, more, replaced, without
from measure.study.experiment import Elsewhere
from measure.study.mcp.servers import at_hand
from measure.study.mcp.servers import servers as started

MCP, HOSTS, SERVERS = "results/mcp.json", "results/mcp_hosts.json", "results/mcp_servers.json"
BREAK_EVEN, REPLICATION = "results/break_even.json", "results/replication.json"
MANIFEST, OWN = "fixtures/mcp/manifest.json", "fixtures/mcp/own-server_5_2026-07-28.json"
Damage = Callable[[Subject], Subject]


def rows(study: Subject, path: str, table: str, **wanted: Any) -> list[dict[str, Any]]:
    found = study.plain(path)[table]
    return [one for one in found if all(one[key] == value for key, value in wanted.items())]


def test_a_tool_list_is_shorter_than_the_schema_response_and_longer_than_its_descriptions(study: Subject) -> None:
    """So what is saved is the grammar; in the structured profile, pretty, not even that."""
    found = {
        (one["contract"], one["profile"], one["serialization"], one["against"]): one["shorter"]
        for one in rows(study, MCP, "comparisons", encoding="cl100k_base")
    }
    assert {said for key, said in found.items() if key[3] == "its descriptions"} == {"its descriptions"}
    whole = {key[:3] for key, said in found.items() if key[3] == "schema response" and said != "tool list"}
    assert whole == {("scenario", "structured", "pretty"), ("example CLI", "structured", "pretty")}


def test_compact_adds_a_constant_for_some_rows_only(study: Subject) -> None:
    constant = {one["variation"] for one in rows(study, MCP, "variations", rung="L4") if one["constant"]}
    assert constant == {
        "as in the study",
        "ids begin with a digit",
        "values in Cyrillic",
        "ids in Cyrillic",
    }
    assert not any(one["constant"] for one in rows(study, MCP, "variations", rung="L3"))


def test_a_lower_case_id_costs_compact_one_token_a_row_on_the_wire(study: Subject) -> None:
    """+53 at every scale with the study's ids, and as many more as there are rows in lower case."""
    for encoding in ("cl100k_base", "o200k_base"):
        [upper], [lower] = (
            rows(study, MCP, "variations", rung="L4", encoding=encoding, variation=name)
            for name in ("as in the study", "ids in lower case")
        )
        for one, other in zip(upper["scales"], lower["scales"], strict=True):
            assert other["parts"]["added"] - one["parts"]["added"] == one["rows"]
            assert other["parts"]["fusion"] - one["parts"]["fusion"] == one["rows"]
            assert other["marks"]["breaks_before_lower_case"] == one["rows"] + one["marks"]["breaks_before_lower_case"]


def test_a_json_payload_pays_for_two_quotes_in_sixteen(study: Subject) -> None:
    for one in rows(study, MCP, "envelopes", rung="L3"):
        assert one["parts"]["quotes"] == one["marks"]["double_quotes"] // 8 - 2


def test_structured_content_doubles_what_a_text_costs_on_the_wire(study: Subject) -> None:
    for one in rows(study, MCP, "switches", switch="structured content, text", rows=100, call="L4"):
        assert 1.9 < one["on_tokens"] / one["off_tokens"] < 2.1


def test_projection_over_mcp_is_repaid_by_the_first_answer_of_five_rows(study: Subject) -> None:
    moves = rows(study, BREAK_EVEN, "over_mcp")
    assert {one["break_even_queries"] for one in moves} == {1}
    assert all(one["one_time_tokens"] > 0 for one in moves)


def test_one_policy_alone_gives_each_captured_result_as_its_payload_and_wire_tokens_are_never_that(
    study: Subject,
) -> None:
    for one in rows(study, HOSTS, "policies", server="text"):
        given = {policy["policy"]: policy["context_tokens"] for policy in one["policies"]}
        assert given["text only"] == one["payload_tokens"] < given["whole result stringified"] < one["wire_tokens"]


def test_a_captured_host_passes_text_through_and_another_writes_it_anew(study: Subject) -> None:
    added = {(one["host"], one["server"], one["call"]): one["added"] for one in rows(study, HOSTS, "hosts")}
    assert added["openai-agents", "text, SDK default", "L4"] == 0
    assert added["haystack", "text, SDK default", "L4"] > 100
    assert len({host for host, _, _ in added}) >= 3


def test_the_folk_figure_is_judged_by_servers_of_its_own_size(study: Subject) -> None:
    for one in rows(study, SERVERS, "folk"):
        assert set(one["servers_meant"]) == {"mcp-server-git", "server-everything", "server-filesystem"}
        assert len(one["inside"]) < len(one["servers_meant"])


def test_servers_at_hand_are_counted_again_and_come_out_as_recorded(servers: Path, study: Subject) -> None:
    elsewhere = checkout.elsewhere(None, servers, None)
    assert elsewhere.servers
    files = Elsewhere(servers=elsewhere.servers)
    assert measured(study.files, files)[SERVERS] == study.files[SERVERS]
    named = {one.name for one in started(study.files)}
    assert {name.removesuffix(".json") for name in elsewhere.servers} <= named


def test_a_changed_capture_of_a_server_is_counted_as_it_is(servers: Path, study: Subject, tmp_path: Path) -> None:
    shutil.copy(servers / "mcp-server-time.json", tmp_path)
    text = (tmp_path / "mcp-server-time.json").read_text(encoding="utf-8")
    (tmp_path / "mcp-server-time.json").write_text(text.replace("Convert time", "Convert a time"), encoding="utf-8")
    again = json.loads(measured(study.files, checkout.elsewhere(None, tmp_path, None))[SERVERS])
    old = study.plain(SERVERS)
    differ = {one["name"] for one, other in zip(again["servers"], old["servers"], strict=True) if one != other}
    assert differ == {"mcp-server-time"}


def test_a_folder_without_a_capture_of_a_server_is_not_the_one_meant(study: Subject) -> None:
    assert at_hand(study.files, {"mcp-server-git.json": b"", "x.json": b""}).endswith(
        "the others kept; not in fixtures/mcp/servers.toml: x.json"
    )
    with pytest.raises(BadInput, match=r"--captures: no capture of a server in fixtures/mcp/servers\.toml"):
        at_hand(study.files, {"x.json": b""})


def test_captures_that_are_no_lists_are_named(study: Subject) -> None:
    with pytest.raises(BadInput, match=r"mcp-server-git\.json: not JSON"):
        measured(study.files, Elsewhere(servers={"mcp-server-git.json": b"\xff"}))
    with pytest.raises(BadInput, match=r"mcp-server-git\.json: no tool list"):
        measured(study.files, Elsewhere(servers={"mcp-server-git.json": b"{}"}))


def test_a_server_that_is_neither_recorded_nor_captured_is_named(study: Subject) -> None:
    path = "fixtures/mcp/servers.toml"
    files = {**study.files, path: study.files[path].replace(b'"2026.10.24"', b'"2027.1.1"')}
    with pytest.raises(BadInput, match="mcp-server-fetch is not recorded, and its capture is not here"):
        measured(files, Elsewhere(servers={}))


def mcp(damage: Callable[[Any], object]) -> Damage:
    return edited_json(MCP, damage)


def hosts(damage: Callable[[Any], object]) -> Damage:
    return edited_json(HOSTS, damage)


def reverse_tools(value: Any) -> None:
    value["spoken"].reverse()


BRANCHES: list[tuple[str, Damage, str]] = [
    (
        "contracts",
        mcp(lambda value: value["contracts"].append({**value["contracts"][0], "profile": "full"})),
        "recorded",
    ),
    ("contracts", mcp(at("contracts", 1, "tokens", to=more(1))), "scenario, tool list, pretty, cl100k_base"),
    ("contracts", without(MCP), "no such file"),
    ("comparisons", mcp(lambda value: value["comparisons"].pop()), "not each tool list is compared"),
    ("comparisons", edited_json(REPLICATION, lambda value: value["contracts"].pop()), "are not each compared"),
    ("comparisons", edited_json(REPLICATION, at("contracts", 0, "published_difference", to=5)), "5 was not published"),
    ("comparisons", edited_json(REPLICATION, at("contracts", 0, "other_tokens", to=more(1))), "has 2 counts"),
    ("arguments", mcp(at("arguments", to=[])), "arguments add"),
    ("comparisons", mcp(at("comparisons", 2, "tool_list_tokens", to=more(1))), "in this serialization they are"),
    ("comparisons", mcp(at("comparisons", 2, "difference", to=more(1))), "differ by"),
    ("comparisons", edited_json(REPLICATION, at("contracts", 0, "shorter", to="neither")), "the original's scenario"),
    ("envelopes", mcp(at("envelopes", 0, "rows", to=6)), "no envelope was counted|not in the study"),
    (
        "envelopes",
        mcp(lambda value: value["envelopes"].append({**value["envelopes"][0], "rung": "L9"})),
        "not in the study",
    ),
    ("envelopes", mcp(at("envelopes", 5, "payload_tokens", to=more(1))), "counted again"),
    ("envelopes", mcp(at("envelopes", 5, "marks", "double_quotes", to=more(1))), "in the payload"),
    ("envelopes", mcp(at("variations", to=[])), "the variations are not each"),
    ("envelopes", mcp(lambda value: value["variations"][0]["scales"].pop()), "not at every scale"),
    ("envelopes", mcp(at("variations", 0, "why", to="because")), "does not name"),
    ("envelopes", mcp(at("variations", 3, "scales", 1, "parts", "fusion", to=more(1))), "the parts add up to"),
    ("captures", edited_json(MANIFEST, lambda value: value["files"].pop()), "does not list what was to be captured"),
    ("captures", edited_json(MANIFEST, at("versions", "pydantic", to="2.0")), "not the version in requirements.lock"),
    ("captures", edited(OWN, lambda _: b"{"), "not the file that|not JSON"),
    ("captures", without(MANIFEST), "no such file"),
    ("wire", mcp(at("wire", 5, "added", to=more(1))), "added, by difference another number"),
    ("wire", mcp(lambda value: value["wire"].append(value["wire"][0])), "exchanges are counted"),
    ("wire", edited_json(OWN, reverse_tools), "unreadable|recorded otherwise"),
    ("captures", edited_json(MANIFEST, at("versions", "mcp", to="2.2")), "made with"),
    ("wire", mcp(at("switches", to=[])), "not every switch"),
    ("wire", mcp(at("switches", 2, "off_tokens", to=more(1))), "on the wire"),
    (
        "hosts",
        hosts(at("policies", 0, "policies", 4, "context_tokens", to=more(1))),
        "counted again, the policies give",
    ),
    ("hosts", hosts(at("hosts", 2, "policies", to=[])), "what hosts gave their models"),
    ("servers", edited_json(SERVERS, at("servers", 3, "bytes", to=1)), "forwarded of|not the same list"),
    ("servers", edited_json(SERVERS, at("servers", 3, "minifying", "saved_tokens", to=more(1))), "differ otherwise"),
    ("servers", edited_json(SERVERS, at("servers", 3, "note", to="checked")), "not those that were started"),
    ("hosts", hosts(at("policies", 3, "policies", 1, "added", to=more(1))), "is not context minus payload"),
    ("hosts", hosts(at("policies", 0, "policies", 0, "context_tokens", to=more(1))), "is not context minus payload"),
    ("hosts", hosts(at("policies", 0, "payload_tokens", to=more(1))), "are not those of the wire"),
    ("hosts", hosts(at("hosts", 3, "context_tokens", to=more(1))), "what hosts gave their models"),
    ("hosts", replaced("fixtures/mcp/hosts.json", "TASK-0001", "TASK-0001 at last"), "what hosts gave their models"),
    ("servers", replaced("fixtures/mcp/servers.toml", '"2026.10.24"', '"2027.1.1"'), "not those that were started"),
    (
        "servers",
        edited_json(SERVERS, at("servers", 1, "shares", 0, "share", "denominator", "tokens", to=9)),
        "the shares are not",
    ),
    ("servers", edited_json(SERVERS, at("folk", 1, "other_servers", to=more(1))), "judged otherwise"),
    ("charges", edited_json(BREAK_EVEN, lambda value: value["over_mcp"].pop()), "projection over MCP is not charged"),
    ("serializations", edited_json(BREAK_EVEN, at("over_mcp", 0, "after", "tokens", to=more(1))), "is called"),
]


@pytest.mark.parametrize(("gate", "damage", "said"), BRANCHES, ids=[f"{gate}: {said}" for gate, _, said in BRANCHES])
def test_every_branch_of_a_gate_says_what_is_wrong(gate: str, damage: Damage, said: str, study: Subject) -> None:
    by_name = {one.name: one for one in GATES}
    lines = verdict(by_name[gate], damage(study)).said
    assert any(re.search(said, line) for line in lines), lines
    assert not verdict(by_name[gate], study).said
