"""What hosts give a model of a tool's result: captures of pinned hosts, made anew where a host is installed.

A host is driven in a process of its own, so that neither its warnings nor its event loop are this suite's.
"""

import json
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from measure import reading
from measure.mcp.layer import call
from measure.query import Dataset

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "fixtures" / "capture_hosts.py"))
CAPTURED = (ROOT / "fixtures" / "mcp" / "hosts.json").read_bytes()
CAPTURES: list[dict[str, Any]] = json.loads(CAPTURED)["captures"]


def pins() -> dict[str, str]:
    """The versions in the dependency group, by distribution."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    pinned = [requirement.split("==") for requirement in groups["hosts"]]
    return {name.partition("[")[0]: version for name, version in pinned}


def strings(value: Any) -> list[str]:
    """Every string in a JSON value."""
    if isinstance(value, dict | list):
        inside = value.values() if isinstance(value, dict) else value
        return [text for each in inside for text in strings(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("name", SCRIPT["HOSTS"])
def test_host_gives_a_model_what_was_captured(name: str) -> None:
    if not SCRIPT["installed"](name):
        pytest.skip(f"{name} is not installed")
    assert SCRIPT["capture"](name) == [one for one in CAPTURES if one["host"] == name]


def test_the_captures_are_of_three_hosts_or_more_case_by_case() -> None:
    found = [(one["host"], one["variant"], one["format"]) for one in CAPTURES]
    assert len({host for host, *_ in found}) >= 3
    assert found == [(host, *case) for host in SCRIPT["HOSTS"] for case in SCRIPT["CASES"]]
    assert len(set(found)) == len(found)
    assert SCRIPT["document"](CAPTURES) == CAPTURED


def test_the_captures_are_of_the_pinned_versions() -> None:
    pinned = pins()
    for one in CAPTURES:
        distribution = SCRIPT["HOSTS"][one["host"]].distributions[0]
        assert (one["version"], one["sdk"]) == (pinned[distribution], pinned["mcp"])


def test_every_host_passes_on_the_text_that_the_layer_writes_today() -> None:
    """As it is or inside JSON: a capture of other rows, or of an older layer, is out of date."""
    dataset = Dataset.of(reading.load(ROOT / "fixtures" / "tasks-5.json"))
    for one in CAPTURES:
        if one["variant"].startswith("text"):
            payload, _ = call(dataset, "list", {"fields": list(SCRIPT["FIELDS"]), "format": one["format"]})
            assert one["text"] == payload or payload in strings(json.loads(one["text"])), one


def test_the_captures_show_a_host_that_passes_text_through_and_one_that_writes_it_anew() -> None:
    wrapped = {one["host"] for one in CAPTURES if one["variant"] == "text, SDK default" and one["text"][0] == "{"}
    assert {"agent-framework", "haystack"} <= wrapped
    assert {"openai-agents", "pydantic-ai"}.isdisjoint(wrapped)
