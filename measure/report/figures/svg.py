"""A figure as SVG: the same bytes on every machine, small, and with its words for who cannot see it.

matplotlib's own SVG holds names that hash floating-point numbers, six decimals of them, and groups that nothing refers
to. Here names are counted, so that one unit in the last place of a logarithm changes nothing; coordinates keep two
decimals, of a point; and every name begins with the figure's, as a page may hold several figures.
"""

import io
import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEAD = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_COORDINATES = re.compile(r' (?:d|x|y|width|height)="[^"]*"|translate\([^)]*\)')
_DECIMALS = re.compile(r"-?\d+\.\d+")
_NAMED = re.compile(r' id="([^"]+)"')
_REFERRED = re.compile(r'href="#([^"]+)"|url\(#([^)]+)\)')
_STYLE = re.compile(r"<defs>\s*<style.*?</style>\s*</defs>", re.DOTALL)  # of every element of a page that holds it
_EMPTY = re.compile(r"<g>\s*</g>|\n\s*\n")


def svg(figure: "Figure", name: str, title: str, alt: str) -> bytes:
    """The figure's SVG. Call it where matplotlib is styled.

    `title` and `alt` become what a screen reader says.
    """
    written = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(written, format="svg", metadata=nothing)
    text = _HEAD.sub("", written.getvalue().replace("\r\n", "\n"), count=1)
    text = _COORDINATES.sub(lambda found: _DECIMALS.sub(_rounded, found[0]), text)
    text = _renamed(text, name)
    text = _STYLE.sub("", text, count=1)
    words = (
        f' stroke-linejoin="round" stroke-linecap="butt" role="img" aria-labelledby="{name}-title {name}-desc">\n'
        f' <title id="{name}-title">{escape(title)}</title>\n <desc id="{name}-desc">{escape(alt)}</desc>\n'
    )
    opening, _, rest = text.partition(">\n")
    lines = (opening + words + rest).splitlines()
    return ("\n".join(line.rstrip() for line in lines if line.strip()) + "\n").encode()


def _rounded(number: re.Match[str]) -> str:
    short = f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def _renamed(text: str, name: str) -> str:
    """Names that something refers to, counted in the order in which they appear; the others are left out."""
    used = {one or other for one, other in _REFERRED.findall(text)}
    places = [found for found in dict.fromkeys(_NAMED.findall(text)) if found in used]
    numbers = {found: f"{name}-{number}" for number, found in enumerate(places)}
    text = _NAMED.sub(lambda found: f' id="{numbers[found[1]]}"' if found[1] in numbers else "", text)
    text = _REFERRED.sub(
        lambda found: f'href="#{numbers[found[1]]}"' if found[1] else f"url(#{numbers[found[2]]})", text
    )
    return _EMPTY.sub("", text)
