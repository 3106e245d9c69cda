"""The paper holds no number that the results do not, none without its denominator, and is the same bytes everywhere."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from measure.context.prices import dollars
from measure.errors import BadInput
from measure.report import paper
from measure.report.figures import alt

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "paper").glob("*.typ"))
TEXT = (ROOT / paper.SOURCE).read_text(encoding="utf-8")
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return paper.compiled(ROOT)


@pytest.fixture(scope="module")
def numbers() -> list[dict[str, Any]]:
    return [one["value"] for one in paper.queried(ROOT, "<number>")]


@pytest.fixture(scope="module")
def held(numbers: list[dict[str, Any]]) -> dict[str, Any]:
    """The results that the paper reads, by name."""
    return {
        name: json.loads((ROOT / "results" / f"{name}.json").read_text()) for name in {one["file"] for one in numbers}
    }


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the paper needs of a checkout, to be damaged."""
    folder = tmp_path_factory.mktemp("bench")
    for name in ("paper", "results"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "fixtures").mkdir()
    for file in ("fixtures/scenario.toml", "CITATION.cff"):
        shutil.copy(ROOT / file, folder / file)
    return folder


def refused(bench: Path, body: str) -> str:
    """What the compiler says of a text under the paper's own rules; nothing if it compiles."""
    head = '#import "numbers.typ": *\n#set document(title: "Tried", date: none)\n#show: guarded\n= Tried\n'
    (bench / paper.SOURCE).write_text(head + body, encoding="utf-8")
    try:
        paper.compiled(bench)
    except BadInput as problem:
        return str(problem)
    finally:
        shutil.copy(ROOT / paper.SOURCE, bench / paper.SOURCE)
    return ""


# ---- the same bytes


def test_the_paper_is_the_same_bytes_in_another_process_and_as_recorded(pdf: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "measure", "paper", "--check"], cwd=ROOT / "paper", capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "paper/paper.pdf as recorded\n"), done.stderr
    assert pdf == (ROOT / paper.PDF).read_bytes()


def test_the_bytes_hold_no_path_no_host_and_no_date(pdf: bytes) -> None:
    folders = [f"/{name}/".encode() for name in ("tmp", "home", "root")]
    for found in (str(ROOT).encode(), *folders, b"CreationDate", b"ModDate", b"CreateDate"):
        assert found not in pdf
    assert b"pdfuaid" in pdf, "tagged, for who cannot see it"
    assert set(re.findall(rb"/BaseFont/\w{6}\+(\w+)", pdf)) <= {b"LibertinusSerif", b"DejaVuSansMono"}


def test_a_changed_result_turns_the_check_red_in_one_line(bench: Path) -> None:
    file = bench / "results" / "ladder.json"
    before = file.read_text()
    value = json.loads(before)
    first = next(one for one in value["rungs"] if (one["rung"], one["rows"]) == ("L3", 500))
    first["tokens"] += 1
    file.write_text(json.dumps(value))
    done = subprocess.run(
        [sys.executable, "-m", "measure", "paper", "--check"], cwd=bench, capture_output=True, text=True
    )
    file.write_text(before)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("measure: paper/paper.pdf is not what its source and the results give;")
    assert done.stderr.count("\n") == 1
    assert (bench / paper.PDF).read_bytes() == (ROOT / paper.PDF).read_bytes(), "nothing is written"


# ---- every number out of the results


def found(path: str, value: Any) -> Any:
    """What stands in a result at `rungs[3].tokens`."""
    for part in re.findall(r"[^.\[\]]+", path):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def member(row: Any, path: str) -> Any:
    for part in path.split("."):
        row = row[part]
    return row


def tallied(rows: list[Any], asked: dict[str, Any]) -> str:
    met = [row for row in rows if all(row.get(key) == value for key, value in asked["where"].items())]
    met = [row for row in met if asked["above"] is None or member(row, asked["above"]) > 0]
    met = [row for row in met if asked["below"] is None or member(row, asked["below"]) < 0]
    count = len({row[asked["each"]] for row in met} if asked["each"] else met)
    assert count == asked["count"]
    return WORDS[count] if asked["text"].isalpha() else f"{count:,}"


SHOWN: dict[str, Callable[[Any], str]] = {
    "text": str,
    "integer": lambda value: f"{value:,}",
    "signed": lambda value: f"{value:+,}",
    "two": lambda value: f"{value:.2f}",
    "points": lambda value: f"{value:+.2f}",
    "dollars": dollars,
    "spelled": lambda value: WORDS[value],
    "prefix": lambda value: value[:12],
}


def test_every_number_stands_in_the_results_where_the_paper_says_and_reads_so(
    numbers: list[dict[str, Any]], held: dict[str, Any]
) -> None:
    assert len(numbers) > 1_000
    for one in numbers:
        value = found(one["path"], held[one["file"]])
        assert one["text"] == (tallied(value, one) if one["kind"] == "tally" else SHOWN[one["kind"]](value)), one


def test_the_denominator_of_every_percentage_is_printed_too(
    numbers: list[dict[str, Any]], held: dict[str, Any]
) -> None:
    """A table prints one for a row or a column of equal ones, so that they are compared as records."""
    printed = [one for one in numbers if ".denominator." in one["path"]]
    bases = [found(one["path"].rpartition(".")[0], held[one["file"]]) for one in printed]
    shares = [one for one in numbers if one["path"].endswith(".display")]
    assert len(shares) > 300
    for one in shares:
        share = found(one["path"].removesuffix(".display"), held[one["file"]])
        if "denominator" in share:
            assert share["denominator"] in bases, one
        else:
            before = one["path"].replace("display", "before")
            assert any((other["file"], other["path"]) == (one["file"], before) for other in numbers), one


@pytest.mark.parametrize(
    "body",
    [
        *(
            "It saves 42 tokens.",
            "== Version 2",
            "#figure([x], caption: [in 3 rows])",
            "`raw 5`",
            "$x_2$",
            "½",
            "- a dozen",
        ),
        *("seven of them", "Half of it", "#table(columns: 1, [12 %])", "#footnote[x 7]", "@x 4\n== Y <x>"),
    ],
)
def test_a_number_typed_anywhere_stops_the_compile(bench: Path, body: str) -> None:
    assert "paper/paper.typ: a number that no result backs: " in refused(bench, body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('#n("ladder", "rungs", "tokens", rung: "L9")', 'no record in ladder rungs: (rung: "L9")'),
        ('#n("ladder", "rungs", "tokens", rung: "L3")', "8 records in ladder rungs"),
        ('#n("nothing", "rungs", "tokens")', "no result nothing"),
        ('#name("17 tokens")', "not in the list of names: 17 tokens"),
        ('#val(recs("ladder", "steps").first(), "saving.display")', "a percentage is printed with its denominator"),
        ('#val(recs("ladder", "steps").first(), "saving.percent")', "a percentage is printed with its denominator"),
        ('#val(recs("ranges", "verdicts").first(), "published.low")', "a percentage is printed with its denominator"),
        ('#val(rec("replication", "figures", equal: false), "ours")', "a percentage is printed with its denominator"),
        ('#pct(recs("ladder", "rungs").first(), "tokens")', "no percentage with a denominator"),
        ('#pct(recs("context_published", "changes").first(), "recomputed")', "no percentage with a denominator"),
        (
            '#row-of(recs("ladder", "steps", step: "L0->L1"), "saving")',
            "percentages of several denominators in one row",
        ),
        ('#holds(lowest(recs("ladder", "steps"), "saving").at.rows == 7, "this")', "the results do not say: this"),
    ],
)
def test_what_cannot_be_said_stops_the_compile(bench: Path, body: str, said: str) -> None:
    assert said in refused(bench, body)


def test_what_may_be_said_compiles(bench: Path) -> None:
    step = 'rec("ladder", "steps", ordering: "minify-then-project", step: "L0->L1", rows: 5, encoding: "o200k_base")'
    assert (
        refused(bench, f'#name("L3") in @x #pct({step}, "saving") #of-words("families", "families")\n== One <x>') == ""
    )


def test_only_the_files_for_it_look_into_the_results_or_open_the_guard() -> None:
    """A name that begins with an underscore is a file's own; `allow` marks what the guard lets pass."""
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        if path.name not in ("numbers.typ", "style.typ"):
            own = set(re.findall(r"#let (_[a-z-]+)", text))
            assert set(re.findall(r"(?<![\w-])(_[a-z-]+)\(", text)) <= own, path.name
            assert not re.search(r"\b(json|read|toml|yaml|csv|cbor|eval|plugin)\(", text), path.name
    for path in (ROOT / "paper" / "paper.typ", ROOT / "paper" / "tables.typ"):
        opened = re.findall(r"(?<![\w-])allow\(.*", path.read_text(encoding="utf-8"))
        assert set(opened) <= {
            "allow(cited.version)",
            'allow(bibliography("references.bib", title: [References], style: "ieee"))',
        }


# ---- a paper


def test_it_is_as_long_as_it_should_be_and_says_so() -> None:
    (pages,) = paper.queried(ROOT, "<pages>")
    assert 10 <= pages["value"] <= 16


def test_every_figure_and_table_has_words_for_who_cannot_see_it_and_is_spoken_of() -> None:
    figures = paper.queried(ROOT, "figure")
    drawn = [one for one in figures if one["kind"] == "image"]
    assert len(drawn) >= 4
    assert len(figures) - len(drawn) >= 12
    words = {alt(path.read_text(encoding="utf-8")) for path in (ROOT / "results" / "figures").glob("*.svg")}
    for one in figures:
        assert one["alt"]
        assert TEXT.count(f"@{one['label'].strip('<>')}") >= 1, one["label"]
    assert {one["alt"] for one in drawn} <= words


def test_every_reference_is_cited_and_every_citation_is_a_reference() -> None:
    keys = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "references.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(keys) == set(re.findall(r"@([a-z]+)\b(?!:)", TEXT))


def test_the_readme_links_to_its_sections_by_their_numbers(pdf: bytes) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\[(\d+(?:\.\d)?)\]\(paper/paper\.pdf#(sec:\w+)\)", readme)
    assert len(links) >= 15
    numbered, count = {}, [0, 0]
    for one in paper.queried(ROOT, "heading"):
        count = [count[0] + 1, 0] if one["level"] == 1 else [count[0], count[1] + 1]
        numbered[one.get("label", "").strip("<>")] = ".".join(str(part) for part in count if part)
    for number, label in links:
        assert numbered[label] == number
        assert f"({label})".encode() in pdf, "a place that a link can name"


def test_the_citation_is_of_this_paper_and_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    assert cited["version"] == project["version"]
    assert cited["authors"] == project["authors"] == cited["preferred-citation"]["authors"]
    assert cited["title"].startswith(project["name"])
    (title,) = paper.queried(ROOT, "<title>")
    assert title["value"] == {
        "title": cited["preferred-citation"]["title"],
        "authors": [one["name"] for one in cited["authors"]],
        "version": cited["version"],
    }
    assert project["optional-dependencies"]["paper"] == [f"typst=={paper.TYPST}"]


# ---- what can go wrong is one line


def test_without_the_compiler_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(BadInput, match=r"^what compiles the paper is not installed; pip install '.\[paper\]'"):
        paper.compiled(ROOT)


def test_another_version_of_the_compiler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "TYPST", "0.1.0")
    with pytest.raises(
        BadInput, match=r"^typst [\d.]+ is here, and the paper is compiled by 0.1.0; pip install typst=="
    ):
        paper.compiled(ROOT)


def test_a_paper_that_does_not_compile_is_one_line_and_nothing_is_written(bench: Path) -> None:
    (bench / paper.SOURCE).write_text("#let x = \n(", encoding="utf-8")
    before = (bench / paper.PDF).read_bytes()
    done = subprocess.run([sys.executable, "-m", "measure", "paper"], cwd=bench, capture_output=True, text=True)
    shutil.copy(ROOT / paper.SOURCE, bench / paper.SOURCE)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("measure: paper/paper.typ: ")
    assert str(bench) not in done.stderr
    assert (bench / paper.PDF).read_bytes() == before
