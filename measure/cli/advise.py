"""`measure advise`: what to do with one's own sessions, and when nothing."""

from typing import Any

import click

from measure.canonical import canonical
from measure.cli.options import as_json, encoding
from measure.cli.sessions import breakpoints, files_argument, lenient, prices, prices_of, sessions_of, terms_of
from measure.context.advice import Advice, advise
from measure.context.terms import CACHES
from measure.report.session import advices
from measure.report.table import show


@click.command(name="advise")
@files_argument
@click.option("--keep", type=click.IntRange(0), default=3, show_default=True, help="Results that must stay whole.")
@prices
@breakpoints
@lenient
@encoding
@as_json
def command(paths: tuple[str, ...], keep: int, **asked: Any) -> None:
    """Say which policy and settings are cheapest for agent sessions: without a cache, and with either lifetime.

    Beside it stand what doing nothing costs, and the API's clearing of tool uses as it comes. Several sessions are
    added up, so give those that are alike. What a model loses with a cleared result is not weighed: --keep says how
    many of the newest must stay. FILE is a transcript as for `measure session`, or - for standard input.

    \b
        measure advise session.jsonl
        measure advise *.jsonl --keep 10 --prices opus
    """
    priced = prices_of(asked["name"], asked["price_list"])
    terms = [terms_of(cache, priced, asked["breakpoints"]) for cache in CACHES]
    sessions = sessions_of(paths, asked["lenient"], asked["encoding"])
    found = advise(sessions, terms, keep)
    if asked["as_json"]:
        about = {
            "sessions": [one.transcript.name for one in sessions],
            "encoding": sessions[0].encoding,
            "breakpoints": list(terms[-1].breakpoints) if terms[-1].explicit else [],
            "prices": priced,
        }
        click.echo(canonical({**about, "keep": keep, "advice": list(map(_record, found))}), nl=False)
    else:
        show([advices(sessions, found, keep)])


def _record(found: Advice) -> dict[str, Any]:
    return {
        "cache": found.nothing.terms.cache,
        "evidence": found.best.evidence,
        "settings_tried": found.tried,
        "do_nothing": found.leave_it,
        "best": found.best.shown,
        "best_nanodollars": found.best.cost.total,
        "none_nanodollars": found.nothing.cost.total,
        "default": found.default.shown,
        "default_nanodollars": found.default.cost.total,
    }
