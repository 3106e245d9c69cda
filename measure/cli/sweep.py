"""`measure sweep`: thousands of settings of one policy over one's own sessions."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import click
import msgspec

from measure.canonical import canonical
from measure.cli.options import as_json, encoding
from measure.cli.sessions import breakpoints, cache, files_argument, lenient, prices, prices_of, sessions_of, terms_of
from measure.context.policies import POLICIES, parse
from measure.context.policy import Policy
from measure.context.sweep import Outcome, grid, outcome, sweep
from measure.errors import BadInput
from measure.report.ladder import plural
from measure.report.session import on_terms, outcomes
from measure.report.table import show

_MOST = 100_000  # settings
_POINTS = 20  # of a range that says no step
_NARROW = 50  # a range no wider is taken one by one
_ALL = frozenset(field for policy in POLICIES.values() for field in policy.parameters())
_RANGE = re.compile(r"(\d{1,9}):(\d{1,9})(?::(\d{1,9}))?", re.ASCII)


def _parameters(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each parameter that a policy has."""
    held: dict[str, list[str]] = {}
    for name, policy in POLICIES.items():
        for field in policy.parameters():
            held.setdefault(field, []).append(name)
    for field, names in reversed(held.items()):
        option = f"--{field.replace('_', '-')}"
        command = click.option(option, field, metavar="VALUES", help=f"Of {', '.join(names)}.")(command)
    return command


@click.command(name="sweep")
@files_argument
@click.option("--policy", "policy", metavar="NAME", required=True, help="See `measure policies`.")
@_parameters
@click.option("--top", type=click.IntRange(1), default=15, show_default=True, help="How many to show.")
@cache
@prices
@breakpoints
@lenient
@encoding
@as_json
def command(paths: tuple[str, ...], policy: str, top: int, **asked: Any) -> None:
    """Try every combination of a policy's parameters over agent sessions; the cheapest are shown first.

    VALUES are one value, several as A,B,C, or a range LOW:HIGH or LOW:HIGH:STEP. A range without a step is taken one
    by one if it is narrow, else in twenty even steps. What is not named stays at its default. Several sessions are
    added up.

    \b
        measure sweep a.jsonl b.jsonl --policy clear_tool_uses --trigger 10000:200000 --keep 1:20
        measure sweep session.json --policy mask --window 1,3,10 --batch 1:20 --cache none
    """
    terms = terms_of(asked["cache"], prices_of(asked["name"], asked["price_list"]), asked["breakpoints"])
    settings = _settings(policy, {field: text for field, text in asked.items() if field in _ALL and text is not None})
    sessions = sessions_of(paths, asked["lenient"], asked["encoding"])
    base = outcome(sessions, (), terms)
    found = sweep(sessions, [(one,) for one in settings], terms)
    if asked["as_json"]:
        click.echo(canonical({"prices": terms.prices, "none": _record(base), "settings": list(map(_record, found))}))
        return
    title = f"{plural(len(sessions), 'session')}, {plural(len(found), 'setting')} · {sessions[0].encoding}\n"
    rest = [f"and {len(found) - top:,} more, up to {found[-1].brief}"] if len(found) > top else []
    show([outcomes(title + on_terms(terms), [*found[:top], base], base, rest)])


def _settings(policy: str, texts: dict[str, str]) -> list[Policy]:
    """Every combination of the values that were given.

    Raises:
        BadInput: no such policy, a parameter or a value that it does not take, or more combinations than are tried.
    """
    known = type(parse(policy)).parameters()
    for field in texts:
        if field not in known:
            raise BadInput(f"{policy} has no {field}", where="--policy", right=f"it has {', '.join(known) or 'none'}")
    values = {field: list(_values(policy, field, text)) for field, text in texts.items()}
    if prod(map(len, values.values())) > _MOST:
        raise BadInput(f"{prod(map(len, values.values())):,} settings", right=f"at most {_MOST:,} are tried at once")
    return list(grid(POLICIES[policy], values))


def _values(policy: str, field: str, text: str) -> Iterator[Any]:
    for part in text.split(","):
        for value in _range(part):
            yield getattr(parse(f"{policy}:{field}={value}"), field)


def _range(text: str) -> Sequence[object]:
    found = _RANGE.fullmatch(text.strip())
    if not found:
        return [text.strip()]
    low, high = int(found[1]), int(found[2])
    if high < low:
        raise BadInput(f"the range {text} runs down", right="LOW:HIGH")
    if found[3]:
        return range(low, high + 1, max(int(found[3]), 1))
    if high - low <= _NARROW:
        return range(low, high + 1)
    return [low + (high - low) * step // (_POINTS - 1) for step in range(_POINTS)]


def _record(one: Outcome) -> dict[str, Any]:
    return {
        "policy": one.shown,
        "usage": {**msgspec.structs.asdict(one.usage), "input": one.usage.input},
        "nanodollars": {**msgspec.structs.asdict(one.cost), "total": one.cost.total},
    }
