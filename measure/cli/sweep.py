"""`measure sweep`: thousands of settings of one policy over one's own sessions."""

import re
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import click
import msgspec

from measure.canonical import canonical
from measure.cli.options import as_json, encoding
from measure.cli.sessions import (
    breakpoints,
    cache,
    files_argument,
    lenient,
    prices,
    prices_of,
    record,
    sessions_of,
    taken,
    terms_of,
)
from measure.context.policies import POLICIES, parse
from measure.context.policy import Policy
from measure.context.sweep import grid, outcome, sweep
from measure.errors import BadInput
from measure.report.ladder import plural
from measure.report.session import on_terms, settings
from measure.report.table import show

_MOST = 100_000  # settings
_POINTS = 20  # of a range that says no step
_NARROW = 50  # a range no wider is taken one by one
_ALL = frozenset(field for policy in POLICIES.values() for field in policy.parameters())
_RANGE = re.compile(r"(\d{1,18}):(\d{1,18})(?::(\d{1,18}))?", re.ASCII)


def _option(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def _parameters(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each parameter that a policy has."""
    held: dict[str, list[str]] = {}
    for name, policy in POLICIES.items():
        for field in policy.parameters():
            held.setdefault(field, []).append(name)
    for field, names in reversed(held.items()):
        command = click.option(_option(field), field, metavar="VALUES", help=f"Of {', '.join(names)}.")(command)
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
    added up. FILE is a transcript as for `measure session`, or - for standard input.

    \b
        measure sweep a.jsonl b.jsonl --policy clear_tool_uses --trigger 10000:200000 --keep 1:20
        measure sweep session.json --policy mask --window 1,3,10 --batch 1:20 --cache none
    """
    terms = terms_of(asked["cache"], prices_of(asked["name"], asked["price_list"]), asked["breakpoints"])
    tried = _settings(policy, {field: text for field, text in asked.items() if field in _ALL and text is not None})
    sessions = sessions_of(paths, asked["lenient"], asked["encoding"])
    base = outcome(sessions, (), terms)
    found = sweep(sessions, [(one,) for one in tried], terms)
    if asked["as_json"]:
        made = {**record(sessions, terms), "none": taken(base), "settings": list(map(taken, found))}
        click.echo(canonical(made), nl=False)
        return
    swept = [field for field in POLICIES[policy].parameters() if len({getattr(one, field) for one in tried}) > 1]
    title = f"{_fixed(tried[0], swept)}: {plural(len(found), 'setting')} · {plural(len(sessions), 'session')}"
    title += f" · {sessions[0].encoding}\n{on_terms(terms)}"
    show([settings(title, swept, found[:top], base, len(found[top:]))])


def _fixed(policy: Policy, swept: Sequence[str]) -> str:
    """The policy as a user writes it, without what is swept and what is at its default."""
    defaults = type(policy)()
    return msgspec.structs.replace(policy, **{field: getattr(defaults, field) for field in swept}).brief


def _settings(policy: str, texts: dict[str, str]) -> list[Policy]:
    """Every combination of the values that were given.

    Raises:
        BadInput: no such policy, a parameter or a value that it does not take, or more combinations than are tried.
    """
    name, colon, _ = policy.partition(":")
    known = type(parse(name)).parameters()
    if colon:
        raise BadInput(
            f"{policy} is a policy with a setting",
            where="--policy",
            right=f"write {' '.join([name, *(f'{_option(field)} VALUES' for field in known)])}",
        )
    for field in texts:
        if field not in known:
            raise BadInput(f"{policy} has no {field}", where="--policy", right=f"it has {', '.join(known) or 'none'}")
    values = {field: list(_values(policy, field, text)) for field, text in texts.items()}
    if prod(map(len, values.values())) > _MOST:
        raise BadInput(f"{prod(map(len, values.values())):,} settings", right=f"at most {_MOST:,} are tried at once")
    return list(grid(POLICIES[policy], values))


def _values(policy: str, field: str, text: str) -> Iterator[Any]:
    for part in text.split(","):
        for value in _range(_option(field), part):
            yield getattr(parse(f"{policy}:{field}={value}"), field)


def _range(option: str, text: str) -> Sequence[object]:
    found = _RANGE.fullmatch(text.strip())
    if not found:
        return [text.strip()]
    low, high = int(found[1]), int(found[2])
    if high < low:
        raise BadInput(f"the range {text} runs down", where=option, right=f"write {high}:{low}")
    if found[3]:
        step = int(found[3])
        if not step:
            raise BadInput(f"the range {text} has steps of 0", where=option, right="a step is 1 or more")
        if (high - low) // step >= _MOST:
            count = f"{(high - low) // step + 1:,} values"
            raise BadInput(f"the range {text} has {count}", where=option, right=f"at most {_MOST:,} are tried at once")
        return range(low, high + 1, step)
    if high - low <= _NARROW:
        return range(low, high + 1)
    return [low + (high - low) * step // (_POINTS - 1) for step in range(_POINTS)]
