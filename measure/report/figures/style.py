"""One look for every figure: palette, margins, direct labels. The only module that lays out a canvas.

Colours are those of Okabe and Ito, which people who see colours otherwise can tell apart, and shades of two of them:
one hue a field set, light to dark by how the records are written. matplotlib is imported when something is drawn, never
before, since counting needs it not; and it is used without pyplot and from its own defaults, so no window, no
file of the user's, and no state left behind. A figure says its finding above, and below what its numbers are of.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from measure.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MATPLOTLIB = "3.11.2"  # whose bytes are recorded

INK, MUTED, FAINT, PAPER = "#222222", "#595959", "#DDDDDD", "#FFFFFF"
BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9"
ALL_FIELDS = ("#7FB8D8", BLUE, "#004B75", "#004B75")  # pretty, minified, compact, aliased
KEPT_FIELDS = ("#EFA66E", VERMILLION, "#873C00", "#873C00")
CHEAPER = ("#00517F", "#3D8FBF", "#86BBDA", "#C9E1EF")  # from far below to just below
DEARER = ("#F8DCC7", "#EDAE80", "#D9772F", "#9A4400")  # from just above to far above
_PLAIN = (INK, MUTED, FAINT, PAPER, BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY)
PALETTE = frozenset((*_PLAIN, *ALL_FIELDS, *KEPT_FIELDS, *CHEAPER, *DEARER))
WRITTEN = ("pretty", "minified", "compact", "aliased")

SMALL, BODY, TITLE = 9.0, 10.0, 12.5  # points; drawn at half its size a figure is still read
_STYLE: dict[str, object] = {
    "axes.edgecolor": MUTED,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelcolor": INK,
    "axes.labelsize": BODY,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.unicode_minus": True,
    "figure.facecolor": PAPER,
    "font.family": ["DejaVu Sans"],  # comes with matplotlib
    "font.size": BODY,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "lines.linewidth": 2.0,
    "lines.solid_capstyle": "round",
    "path.simplify": False,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "path",  # the same shapes in a browser and in a PDF, whatever fonts are there
    "svg.hashsalt": "context-ladder",
    "text.color": INK,
    "text.parse_math": False,  # between two signs of dollars stands no formula
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.labelsize": SMALL,
}


class Drawn(NamedTuple):
    """A figure, and what it shows in words, for who cannot see it."""

    figure: "Figure"
    alt: str


class Frame(NamedTuple):
    """Margins round the panels in inches, the gaps between them, and the panels' relative widths."""

    left: float = 0.75
    right: float = 0.25
    top: float = 0.55
    bottom: float = 0.85
    across: float = 0.9
    down: float = 0.9
    widths: tuple[float, ...] = (1.0,)


@contextmanager
def styled() -> Iterator[None]:
    """Lend matplotlib this style, with nothing of the user's, until the block ends.

    Raises:
        BadInput: matplotlib is not installed.
    """
    try:
        import matplotlib
    except ImportError:
        raise BadInput("figures need matplotlib", right="pip install '.[figures]' in the clone") from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)  # type: ignore[arg-type]
        yield


def recorded_version() -> None:
    """See that figures drawn here can be the recorded ones.

    Raises:
        BadInput: matplotlib is another version than the one whose bytes are recorded, or is not installed.
    """
    with styled():
        import matplotlib

        here = matplotlib.__version__
    if here != MATPLOTLIB:
        right = f"pip install matplotlib=={MATPLOTLIB}"
        raise BadInput(f"matplotlib {here} is here, and the recorded figures are drawn by {MATPLOTLIB}", right=right)


def canvas(
    size: tuple[float, float], title: str, note: str, frame: Frame, rows: int = 1
) -> tuple["Figure", list["Axes"]]:
    """A figure of `size` inches with its title above, its note below, and panels between, `rows` of them."""
    from matplotlib.figure import Figure

    width, height = size
    figure = Figure(figsize=size)
    figure.text(0.12 / width, 1 - 0.12 / height, title, size=TITLE, weight="bold", va="top", ha="left")
    wrapped = fill(note, int(width * 14.4))
    figure.text(0.12 / width, 0.1 / height, wrapped, size=SMALL, color=MUTED, va="bottom", ha="left", linespacing=1.25)
    columns = len(frame.widths)
    free = width - frame.left - frame.right - frame.across * (columns - 1)
    tall = (height - frame.top - frame.bottom - frame.down * (rows - 1)) / rows
    panels = []
    for row in range(rows):
        x = frame.left
        for share in frame.widths:
            wide = free * share / sum(frame.widths)
            y = height - frame.top - tall - row * (tall + frame.down)
            panels.append(figure.add_axes((x / width, y / height, wide / width, tall / height)))
            x += wide + frame.across
    return figure, panels


def spread(values: Sequence[float], gap: float) -> list[float]:
    """The values moved apart as little as leaves `gap` between neighbours, in the order given.

    >>> spread([0.0, 1.0, 1.25], 0.5)
    [0.0, 0.875, 1.375]
    """
    groups: list[list[int]] = []
    places = list(values)
    for index in sorted(range(len(values)), key=lambda one: values[one]):
        groups.append([index])
        while len(groups) > 1 and places[groups[-1][0]] - places[groups[-2][-1]] < gap:
            merged = groups[-2] + groups.pop()
            middle = sum(values[one] for one in merged) / len(merged)
            for place, one in enumerate(merged):
                places[one] = middle + gap * (place - (len(merged) - 1) / 2)
            groups[-1] = merged
    return places


def named(axes: "Axes", ends: Sequence[tuple[float, str, str]], gap: float = 13.0) -> None:
    """Names at the right edge, each beside its height: (height, name, colour); `gap` points from line to line."""
    figure = axes.figure
    tall = axes.get_position().height * figure.get_figure(root=True).get_figheight() * 72
    at = [float(axes.transAxes.inverted().transform(axes.transData.transform((1, y)))[1]) for y, _, _ in ends]
    for (_, name, colour), own, place in zip(ends, at, spread(at, gap / tall), strict=True):
        if abs(own - place) * tall > 1:
            axes.plot([1.005, 1.03], [own, place], transform=axes.transAxes, color=colour, lw=0.8, clip_on=False)
        axes.text(1.04, place, name, transform=axes.transAxes, color=colour, size=SMALL, va="center", ha="left")


def quiet(axes: "Axes", grid: str = "y", spines: Sequence[str] = ("left",)) -> None:
    """Keep the grid of one direction, or of none, and lose the ticks and the spines that carry nothing."""
    axes.grid(visible=False)
    if grid:
        axes.grid(visible=True, axis=grid)  # type: ignore[arg-type]
    axes.tick_params(length=0)
    for spine in spines:
        axes.spines[spine].set_visible(False)


def shade(fields: int, whole: int, serialization: str) -> str:
    """The colour of a representation: its field set's hue, its serialization's shade."""
    return (ALL_FIELDS if fields == whole else KEPT_FIELDS)[WRITTEN.index(serialization)]


def readable(background: str) -> str:
    """The ink that can be read on a colour."""
    red, green, blue = (int(background[at : at + 2], 16) for at in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else PAPER
