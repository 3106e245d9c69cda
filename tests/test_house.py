"""The house: a module imports from floors below its own, is small, and opens with why it exists."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "measure").rglob("*.py"))

# Floor by floor, and on a floor in the order in which one may import another. A folder stands for its modules.
FLOORS = [
    [
        "errors",
        "canonical",
        "families",
        "engines",
        "cuts",
        "tokens",
        "quantities",
        "values",
        "records",
        "rows",
        "reading",
    ],
    ["formats", "query", "transcripts"],
    ["round_trip", "ladder", "break_even", "aliases", "mcp", "representation", "projections", "explain", "context"],
    ["scenario", "shapes", "sessions", "session_texts", "results", "gates", "study"],
    ["report", "cli"],
]
ORDER = [room for floor in FLOORS for room in floor]
INSIDE = {  # folders whose modules have an order of their own
    "formats": [
        *("base", "json_template", "bare", "extra", "delimited", "pretty", "minified", "compact", "aliased"),
        *("jsonl", "columnar", "arrays", "csv", "tsv", "pipe", "space", "typed"),
        *("toon", "yaml", "xml", "markdown", "key_value"),
    ],
    "transcripts": [
        *("model", "parse", "images", "thread", "chat", "anthropic", "claude_code", "openai", "bedrock"),
        *("swe_agent", "openhands"),
    ],
    "context": [
        *(
            "blocks",
            "session",
            "state",
            "policy",
            "edited",
            "none",
            "mask",
            "clear_tool_uses",
            "clear_thinking",
            "extract",
        ),
        *("summarize", "hybrid", "cache_aware", "policies", "prices", "cache", "replay", "reality", "terms", "sweep"),
        *("advice",),
    ],
    "query": ["grammar", "cells", "dataset", "schema", "operations", "answers", "skill"],
    "mcp": [
        *("contract", "layer", "listing", "changes", "protocol", "envelope", "hosts", "captures"),
        *("pipe", "wire", "server", "variants"),
    ],
    "gates": [
        *("subject", "inputs", "counts", "accounts", "readings", "contracts", "envelopes", "captures", "hosts"),
        *("formats", "projections", "context", "sessions", "store"),
    ],
    "study": [
        *("published", "experiment", "manifest", "ladder", "ranges", "break_even", "aliases", "mcp"),
        *("original_contract", "formats", "beyond", "families", "projections", "context"),
        *("figures", "replication", "checkout", "breakages", "damage", "mutants", "hunt"),
    ],
    "report": [
        *("table", "encodings", "ladder", "own", "session", "tool_list", "accounts", "mcp", "contexts", "formats"),
        *("context", "reality", "tables", "figures", "documents", "notebook", "notebooks", "paper"),
    ],
}


def room(module: str) -> str:
    """`formats` for `measure.formats.compact`."""
    return module.split(".")[1] if "." in module else ""


def imports(path: Path) -> set[str]:
    """The modules of this package that a module names in an import."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("measure"):
            module = node.module or ""
            found |= {f"{module}.{name.name}" if module == "measure" else module for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("measure.")}
    return found


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


ROOMS = [path for path in MODULES if name_of(path) not in ("measure", "measure.__main__")]


def test_every_room_stands_on_a_floor() -> None:
    assert {room(name_of(path)) for path in ROOMS} == set(ORDER)


@pytest.mark.parametrize("path", ROOMS, ids=name_of)
def test_module_imports_only_from_rooms_before_its_own(path: Path) -> None:
    own = room(name_of(path))
    for module in imports(path):
        if room(module) != own:
            assert ORDER.index(room(module)) < ORDER.index(own), f"{name_of(path)} imports {module}"


@pytest.mark.parametrize("folder", INSIDE)
def test_modules_of_a_folder_import_only_from_those_before(folder: str) -> None:
    order = INSIDE[folder]
    files = {path: name_of(path).split(".")[2] for path in ROOMS if name_of(path).startswith(f"measure.{folder}.")}
    assert set(files.values()) == set(order)
    for path, name in files.items():
        for module in imports(path):
            other = module.split(".")[2] if module.count(".") > 1 else ""
            if room(module) == folder and other not in ("", name):
                assert order.index(other) < order.index(name), f"{name} imports {module}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_names_whole_what_it_imports(path: Path) -> None:
    assert not re.search(r"^\s*from \.", path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_is_small_and_opens_with_why(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith(('"""', 'r"""'))
    assert len(text.splitlines()) <= 250


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_function_takes_eight_parameters(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert len(node.args.args) + len(node.args.kwonlyargs) < 8, node.name


def test_a_percentage_is_made_in_quantities_alone() -> None:
    """Nothing else multiplies by a hundred; the gates redo it with decimals on purpose."""
    for path in ROOMS:
        if name_of(path) not in ("measure.quantities", "measure.gates.counts", "measure.gates.store"):
            assert not re.search(r"\* ?100(\.0)?\b|\b100(\.0)? ?\*|/ ?100\b", path.read_text(encoding="utf-8")), path


PROCESSES = [f"measure.mcp.{name}" for name in ("pipe", "wire", "variants")]  # they drive a server, or are one


def test_science_and_below_touch_no_file_and_print_nothing() -> None:
    for floor in FLOORS[:3]:
        for name in floor:
            for path in ROOMS:
                if room(name_of(path)) == name and name not in ("tokens", "reading") and name_of(path) not in PROCESSES:
                    text = path.read_text(encoding="utf-8")
                    assert not re.search(r"\b(open|print)\(|pathlib|sys\.std", text), path


def test_only_the_checkout_and_the_fixtures_script_read_fixtures() -> None:
    readers = [name_of(path) for path in ROOMS if re.search(r"read_(bytes|text)\(", path.read_text(encoding="utf-8"))]
    others = {"measure.cli.mcp", "measure.mcp.wire"}  # a user's list; a log
    others |= {"measure.report.notebooks", "measure.report.paper"}  # what they recorded before
    package = {"measure.study.published", "measure.cli.sessions"}  # data in it
    assert set(readers) - others == {"measure.results", "measure.study.checkout", *package}
