"""Figures: the same bytes, the recorded ones; words for who cannot see them; nothing clipped, nothing overlapping."""

import itertools
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from measure import results
from measure.errors import BadInput
from measure.gates import GATES, Subject, verdict
from measure.report import figures
from measure.report.figures import FIGURES
from measure.report.figures.style import MATPLOTLIB, PALETTE, Drawn, spread, styled
from measure.study.damage import Damage, at, edited_json, more

ROOT = Path(__file__).parent.parent
FILES = results.read(ROOT / "results")
NAMES = list(FIGURES)


def again(name: str, files: results.Mapping[str, bytes] = FILES) -> bytes:
    figures._drawn.cache_clear()
    return figures.figure(files, name)


def drawn(name: str) -> Drawn:
    return FIGURES[name].draw({results.path(one): FILES[results.path(one)] for one in FIGURES[name].needs})


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_drawn_twice_alike_and_as_recorded(name: str) -> None:
    recorded = (ROOT / figures.path(name)).read_bytes()
    assert again(name) == recorded == again(name)
    assert len(recorded) < 300_000


def test_every_recorded_figure_has_a_row() -> None:
    assert {path.stem for path in (ROOT / figures.FOLDER).iterdir()} == set(NAMES)


def test_nothing_of_the_users_style_reaches_a_figure() -> None:
    with matplotlib.rc_context({"lines.linewidth": 9, "font.size": 20, "svg.fonttype": "none", "text.usetex": False}):
        assert again("ladder") == FILES[figures.path("ladder")]


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_says_in_words_what_it_shows_and_of_what(name: str) -> None:
    root = ET.fromstring(FILES[figures.path(name)])
    space = "{http://www.w3.org/2000/svg}"
    title, words = root.find(f"{space}title"), root.find(f"{space}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {words.get('id')}" == f"{name}-title {name}-desc"
    assert title.text == FIGURES[name].title
    assert not re.search(r"\d", title.text), "a title says its finding without a number"
    with styled():
        alt = drawn(name).alt
    assert words.text == alt
    assert re.search(r"tokens|records", alt)
    assert re.search(r"measured|constructed|captured|simulated", alt, re.IGNORECASE)
    for percent in re.finditer(r"[\d.]+ %", alt):
        near = alt[max(0, percent.start() - 120) : percent.end() + 160]
        assert re.search(r"\bof\b[^;.]*\d", near), f"a percentage without what it is of: {near}"


def texts(name: str) -> Iterator[tuple[str, "matplotlib.transforms.Bbox"]]:
    """Every text with its box, and last the canvas."""
    with styled():
        figure = drawn(name).figure
        figure.set_dpi(72)
        renderer = FigureCanvasAgg(figure).get_renderer()
        figure.draw(renderer)
        for text in figure.findobj(Text):
            if text.get_visible() and text.get_text().strip():
                yield text.get_text(), text.get_window_extent(renderer)
        yield "the canvas", figure.bbox


@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_clipped_and_no_two_overlap(name: str) -> None:
    *found, (_, whole) = texts(name)
    for text, box in found:
        assert box.x0 >= 0 <= box.y0, text
        assert box.x1 <= whole.x1, text
        assert box.y1 <= whole.y1, text
    for (text, box), (other, beside) in itertools.combinations(found, 2):
        wide, tall = min(box.x1, beside.x1) - max(box.x0, beside.x0), min(box.y1, beside.y1) - max(box.y0, beside.y0)
        assert min(wide, tall) < 0.5, f"{text!r} overlaps {other!r}"


@pytest.mark.parametrize("name", NAMES)
def test_dollars_are_no_formula(name: str) -> None:
    with styled():
        assert not any(text.get_parse_math() for text in drawn(name).figure.findobj(Text))


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_is_of_the_palette(name: str) -> None:
    found = set()
    with styled():
        figure = drawn(name).figure
        for artist in figure.findobj():
            if isinstance(artist, Text) and artist.get_text():
                found.add(artist.get_color())
            elif isinstance(artist, Line2D):
                found |= {artist.get_color(), artist.get_markerfacecolor()}
            elif isinstance(artist, Patch) and artist.get_visible():
                found.add(artist.get_facecolor())
            assert not isinstance(artist, Collection), "a collection's colours are not looked at here"
    named = {to_hex(colour, keep_alpha=False).upper() for colour in found if to_rgba(colour)[3]}
    assert named <= {colour.upper() for colour in PALETTE}


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_holds_no_picture_no_date_and_refers_to_nothing_outside(name: str) -> None:
    text = FILES[figures.path(name)].decode()
    assert not re.search(r"<image|<metadata|<!DOCTYPE|<style|\d{4}-\d\d-\d\dT|font-family", text)
    assert set(re.findall(r"https?://[^\"]*", text)) == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert {one for one in re.findall(r' id="([^"]*)"', text) if not one.startswith(f"{name}-")} == set()
    assert not re.search(r"\d\.\d{3,}", " ".join(re.findall(r' d="([^"]*)"', text)))


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("ladder", edited_json("results/ladder.json", at("rungs", 3, "tokens", to=more(40)))),
        (
            "orderings",
            edited_json(
                "results/ladder.json", lambda value: [one["saving"].update(display="1.00 %") for one in value["steps"]]
            ),
        ),
        ("servers", edited_json("results/mcp_servers.json", at("servers", 0, "tokens", to=more(1)))),
        ("hosts", edited_json("results/mcp_hosts.json", at("hosts", 0, "context_tokens", to=more(1)))),
        ("growth", edited_json("results/context.json", at("growth", -15, "requests", -1, to=more(1)))),
        ("policies", edited_json("results/context.json", at("rows", -74, "cost_saving", "percent", to=more(9)))),
        ("triggers", edited_json("results/context.json", at("triggers", -1, "cost_saving", "percent", to=more(9)))),
        ("cache-model", edited_json("results/context_sessions.json", at("reported", -1, "exact", to=more(1)))),
    ],
)
def test_a_figure_of_another_number_is_another_figure(study: Subject, name: str, damage: Damage) -> None:
    assert again(name, damage(study).files) != FILES[figures.path(name)]


def test_a_figure_that_nothing_draws_is_noticed(study: Subject) -> None:
    (gate,) = (gate for gate in GATES if gate.name == "documents")
    assert verdict(gate, study).green
    stray = Subject(**{**{f: getattr(study, f) for f in study.__struct_fields__}, "files": {**study.files}})
    stray.files["results/figures/old.svg"] = b"<svg/>\n"
    assert verdict(gate, stray).said == ("results/figures/old.svg: no figure of this name",)


def test_another_matplotlib_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert matplotlib.__version__ == MATPLOTLIB
    assert (ROOT / "pyproject.toml").read_text().count(f'"matplotlib=={MATPLOTLIB}"') == 3
    monkeypatch.setattr(matplotlib, "__version__", "3.10.9")
    with pytest.raises(BadInput, match=r"matplotlib 3\.10\.9 is here, and the recorded figures are drawn by"):
        figures.figures(FILES)


def without(*modules: str, command: str) -> subprocess.CompletedProcess[str]:
    """`measure` where these modules are not installed."""
    program = f"import sys; sys.modules.update(dict.fromkeys({modules!r})); from measure.__main__ import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *command.split()], cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", ["run", "check", "mutants"])
def test_without_matplotlib_the_study_says_so_in_one_line_and_writes_nothing(command: str) -> None:
    before = results.read(ROOT / "results")
    done = without("matplotlib", command=command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "measure: figures need matplotlib; pip install '.[figures]' in the clone\n"
    assert results.read(ROOT / "results") == before


@pytest.mark.parametrize(
    "command",
    ["ladder fixtures/tasks-5.json", "show L4 --rows 5", "table ladder", "formats fixtures/tasks-5.json", "encodings"],
)
def test_counting_and_tables_need_neither_matplotlib_nor_pandas(command: str) -> None:
    done = without("matplotlib", "pandas", "numpy", "IPython", command=command)
    assert (done.returncode, done.stderr) == (0, "")


def test_names_are_moved_apart_in_their_order() -> None:
    assert spread([5.0, 5.0, 5.0], 1) == [4.0, 5.0, 6.0]
    assert spread([9.0, 0.0], 1) == [9.0, 0.0]
    moved = spread([3.0, 1.0, 2.9, 1.2, 2.0], 0.5)
    assert all(b - a >= 0.5 - 1e-9 for a, b in itertools.pairwise(sorted(moved)))
