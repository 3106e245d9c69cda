"""Notebooks: run whole and in order, nothing typed that a result holds, and no change unseen.

nbval compares their cells. The mutants at the end are the proof that it would notice: one number of a result, one
line of an output.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from measure import results
from measure.context.prices import dollars
from measure.errors import BadInput
from measure.report import notebooks
from measure.report.figures import FIGURES
from measure.report.notebook import figure, frame, load, table

ROOT = Path(__file__).parent.parent
BOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
OWN = "08-measure-your-own.ipynb"
READING = [path for path in BOOKS if path.name != OWN]  # those that show results


def cells(path: Path, kind: str = "") -> list[dict[str, Any]]:
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if not kind or cell["cell_type"] == kind]


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def name(path: Path) -> str:
    return path.stem


def test_the_notebooks_are_numbered_and_each_is_of_one_question() -> None:
    assert len(BOOKS) >= 7
    numbers = [path.name[:2] for path in BOOKS]
    assert sorted(set(numbers)) == numbers
    assert all(re.fullmatch(r"\d\d-[a-z-]+\.ipynb", path.name) for path in BOOKS)


@pytest.mark.parametrize("path", BOOKS, ids=name)
def test_a_notebook_begins_with_prose_and_ends_with_cells_to_try(path: Path) -> None:
    first, *_ = whole = cells(path)
    assert 8 <= len(whole) <= 18
    assert re.match(r"# .*\n\n\*.*\?\*\n\n", source(first)), "a title, then the question"
    trying = next(place for place, cell in enumerate(whole) if source(cell).startswith("## Try it yourself"))
    assert len(whole[trying + 1 :]) >= 2
    assert {cell["cell_type"] for cell in whole[trying + 1 :]} == {"code"}


@pytest.mark.parametrize("path", BOOKS, ids=name)
def test_every_cell_has_run_in_order_and_without_an_error(path: Path) -> None:
    code = cells(path, "code")
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert "NBVAL" not in source(cell).upper()
        for output in cell["outputs"]:
            assert output["output_type"] in ("execute_result", "stream", "display_data")
            assert output.get("name") != "stderr"
            assert set(output.get("data", {})) <= {"text/plain", "text/html", "image/svg+xml"}
        assert not re.search(r"%|!|\bopen\(", source(cell)), "no magic, no shell, no file"


@pytest.mark.parametrize("path", BOOKS, ids=name)
def test_a_notebook_holds_no_path_no_time_and_no_name_of_a_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"/(home|root|work|Users|tmp|usr)/|[A-Z]:\\\\|\d\d:\d\d:\d\d|0x[0-9a-f]{6}", text)
    assert not re.search(r"nbval|image/(png|jpeg)|\"(tags|execution|scrolled|collapsed)\"", text)


@pytest.mark.parametrize("path", BOOKS, ids=name)
def test_a_notebook_is_in_canonical_bytes(path: Path) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    assert path.read_text(encoding="utf-8") == json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert value["metadata"] == notebooks._METADATA
    assert (value["nbformat"], value["nbformat_minor"]) == (4, 5)
    assert [cell["id"] for cell in value["cells"]] == [f"cell-{n:02}" for n in range(1, len(value["cells"]) + 1)]
    assert all(cell["metadata"] == {} for cell in value["cells"])


def numbers(value: Any) -> Iterator[str]:
    """Every number in a result, as a person would write it; also those in its texts."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers(one)
    elif isinstance(value, str):
        yield from re.findall(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d(?!\w)", value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (str(abs(value)), f"{abs(value):,}")


@pytest.fixture(scope="module")
def held() -> set[str]:
    files = results.read(ROOT / "results")
    return {n for path, data in files.items() if notebooks_result(path) for n in numbers(json.loads(data))}


def notebooks_result(path: str) -> bool:
    return path.endswith(".json") and not path.endswith(".schema.json")


@pytest.mark.parametrize("path", BOOKS, ids=name)
def test_no_number_that_a_result_holds_is_typed(path: Path, held: set[str]) -> None:
    for cell in cells(path):
        text = re.sub(r"[Nn]otebook \d\d\b", "", source(cell))  # one notebook may name another
        if cell["cell_type"] == "code":
            typed = [one.value for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Constant)]
            assert {one for one in typed if type(one) in (int, float)} <= {0, 1}, "places only"
            text = " ".join([*(one for one in typed if isinstance(one, str)), *re.findall(r"#.*", text)])
        found = set(re.findall(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d(?!\w)", text))
        assert not found & held, f"typed: {found & held}"
        assert not re.search(r"\b\d+([.,]\d+)? ?%|\bper ?cent of [\d]", text)


@pytest.mark.parametrize("path", READING, ids=name)
def test_a_notebook_of_results_reads_results_and_computes_nothing(path: Path) -> None:
    for cell in cells(path, "code"):
        tree = ast.parse(source(cell))
        for one in ast.walk(tree):
            assert not isinstance(one, ast.BinOp | ast.AugAssign | ast.Import)
            if isinstance(one, ast.ImportFrom):
                assert one.module == "measure.report.notebook"
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
                assert one.func.id in ("figure", "frame", "load", "table", "print")


def test_every_figure_is_in_a_notebook() -> None:
    shown = {
        found for path in BOOKS for cell in cells(path) for found in re.findall(r'figure\("(.*?)"\)', source(cell))
    }
    assert shown == set(FIGURES)


def test_an_error_in_what_a_notebook_asks_is_one_line() -> None:
    for ask, says in (
        (lambda: load("nothing"), "no result 'nothing'; known: aliases"),
        (lambda: table("nothing"), "unknown table 'nothing'; known: ladder"),
        (lambda: figure("nothing"), "unknown figure 'nothing'; known: ladder"),
        (lambda: frame("ladder", "rings", ["rung"], "tokens"), "no list 'rings'; known: projected, rungs, steps"),
        (
            lambda: frame("ladder", "rungs", ["rung"], "tokens"),
            "ladder: several tokens for one cell; name more members",
        ),
        (
            lambda: frame("ladder", "rungs", ["rang"], "tokens"),
            "ladder: no member 'rang'; known: evidence, authority, rung",
        ),
        (lambda: frame("ladder", "rungs", ["rung"], "tokens", rung="L9"), "no record of rungs is as asked"),
    ):
        with pytest.raises(BadInput) as caught:
            ask()
        assert says in str(caught.value)


def test_a_saving_in_a_frame_names_what_it_is_of() -> None:
    shown = frame(
        "ladder", "steps", ["ordering", "step", "rows"], ["saving", "saving.denominator.tokens"], encoding="o200k_base"
    )
    for text, tokens in shown.itertuples(index=False):
        assert re.fullmatch(rf"<?\d+\.\d\d % of L\d, {tokens:,} \((pretty|minified|compact)\)", text)


def test_a_saving_of_cost_and_a_change_name_what_they_are_of_too() -> None:
    shown = frame("context", "rows", ["session", "policy"], ["cost_saving", "total_nanodollars"], cache="none")
    money = {session: cost for (session, policy), (_, cost) in shown.iterrows() if policy == "none"}
    for (session, _), (text, _) in shown.iterrows():
        assert re.fullmatch(r"-?\d+\.\d\d % of none, \$\d+\.\d{4} \(no cache\)", text)
        assert f"of none, {dollars(money[session])} " in text
    shown = frame("context_published", "changes", ["figure"], ["recomputed", "recomputed.before", "recomputed.unit"])
    for text, before, unit in shown.itertuples(index=False):
        assert re.fullmatch(rf"-?\d+\.\d\d % of {re.escape(before)} \({unit}\)", text)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What a notebook needs of a checkout, to be damaged."""
    for folder in ("results", "notebooks"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "fixtures").mkdir()
    for file in ("fixtures/scenario.toml", "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False)


def compared(folder: Path, book: str) -> subprocess.CompletedProcess[str]:
    """The verdict of nbval, as `make test` asks for it."""
    return run(folder, "pytest", "-q", "-p", "no:cacheprovider", f"notebooks/{book}")


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


LADDER = "01-the-ladder.ipynb"


def test_a_copy_that_nobody_touched_is_green(copy: Path) -> None:
    done = compared(copy, LADDER)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\d+ passed", done.stdout.splitlines()[-1])


def test_one_recorded_number_changed_turns_a_notebook_red(copy: Path) -> None:
    value = json.loads((copy / "results" / "ladder.json").read_text())
    value["rungs"][3]["tokens"] += 1
    (copy / "results" / "ladder.json").write_text(json.dumps(value))
    done = compared(copy, LADDER)
    assert done.returncode == 1
    assert re.search(r"^[1-9]\d* failed", done.stdout.splitlines()[-1]), done.stdout


def test_one_output_changed_turns_a_notebook_red_and_is_named(copy: Path) -> None:
    tokens = next(cell for cell in cells(copy / "notebooks" / LADDER, "code") if "tokens" in source(cell))
    line = next(one for one in tokens["outputs"][0]["data"]["text/html"] if re.search(r"<td>\d", one)).strip()
    replaced(copy / "notebooks" / LADDER, line, line.replace("<td>", "<td>9"))
    done = compared(copy, LADDER)
    assert done.returncode == 1
    assert re.search(r"^1 failed", done.stdout.splitlines()[-1]), done.stdout
    checked = run(copy, "measure", "notebooks", "--check", "01")
    assert checked.returncode == 1
    assert checked.stdout.count("\n") == 1
    assert re.match(rf"notebooks/{LADDER}  cell \d+  recorded '<td>9.*'  now '<td>", checked.stdout)
    assert checked.stderr.startswith("measure: 1 cell not as recorded; `measure notebooks` records")
    assert run(copy, "measure", "notebooks", "01").returncode == 0
    assert (copy / "notebooks" / LADDER).read_bytes() == (ROOT / "notebooks" / LADDER).read_bytes()


def test_a_picture_changed_turns_a_notebook_red(copy: Path) -> None:
    replaced(copy / "notebooks" / LADDER, '<path d=\\"M ', '<path d=\\"M 1')
    assert compared(copy, LADDER).returncode == 1


def test_a_cell_that_fails_is_one_line_and_nothing_is_written(copy: Path) -> None:
    replaced(copy / "notebooks" / OWN, "rows.fields", "rows.felds")
    before = (copy / "notebooks" / OWN).read_bytes()
    done = run(copy, "measure", "notebooks", "08")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"measure: {OWN}: cell 2 fails: AttributeError: ")
    assert done.stderr.count("\n") == 1
    assert (copy / "notebooks" / OWN).read_bytes() == before


def test_a_notebook_that_is_none_is_one_line(copy: Path) -> None:
    (copy / "notebooks" / "09-broken.ipynb").write_text("{")
    done = run(copy, "measure", "notebooks", "09")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("measure: 09-broken.ipynb: no notebook: ")
    done = run(copy, "measure", "notebooks", "77")
    assert done.returncode == 2
    assert done.stderr.startswith("measure: no notebook begins with '77'; known: 01-the-ladder.ipynb")
