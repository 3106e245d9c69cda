"""Gates on sessions themselves: what policies make of them, how well the cache model does, what others published."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec

from measure import sessions, transcripts
from measure.context.policies import chain
from measure.context.session import counted
from measure.gates.subject import Gate, Subject
from measure.transcripts.model import Message, ToolResult, ToolUse, Transcript

_CONTEXT, _REAL = "results/context.json", "results/context_sessions.json"
_PUBLISHED = "results/context_published.json"


def rewriting(subject: Subject) -> Iterator[str]:
    """Edit every synthetic session again: order kept, pairs whole, nothing longer, what was given unchanged."""
    chains = {row["policy"]: row["chain"] for row in subject.plain(_CONTEXT)["policies"]}
    for name, data in sessions.load(subject.files).items():
        (given,), (pristine,) = transcripts.load(data, name), transcripts.load(data, name)
        before, before_each = counted(given).until[-1], _result_tokens(given.messages)
        for policy, text in chains.items():
            place = f"{name}, {policy}"
            made = subject.edit(given, chain(text))
            if given != pristine:
                yield f"{place}: what was given is changed"
            if not _in_order(made, given.messages):
                yield f"{place}: a block stands where it did not stand before"
            if _uses(made) != _results(made):
                yield f"{place}: a use without its result, or the reverse"
            for use, tokens in _result_tokens(made).items():
                was = before_each.get(use, 0)
                if tokens > was:
                    yield f"{place}: {tokens:,} tokens in the place of {was:,} that answered {use}"
            after = counted(msgspec.structs.replace(given, messages=made)).until[-1]
            if after > before:
                yield f"{place}: {after:,} tokens made of {before:,}"


def _result_tokens(messages: tuple[Message, ...]) -> dict[str, int]:
    """Tokens of every result, by the use that it answers."""
    session = counted(Transcript("", "", messages))
    return {
        block.use: session.blocks[session.position(number, place)].tokens
        for number, message in enumerate(messages)
        for place, block in enumerate(message.blocks)
        if isinstance(block, ToolResult)
    }


def _in_order(made: tuple[Message, ...], given: tuple[Message, ...]) -> bool:
    """Whether what was kept whole stands in the order in which it was given."""
    kept = iter([block for message in given for block in message.blocks])
    known = {block for message in given for block in message.blocks}
    return all(block in kept for message in made for block in message.blocks if block in known)


def _uses(messages: tuple[Message, ...]) -> list[str]:
    return [block.id for message in messages for block in message.blocks if isinstance(block, ToolUse)]


def _results(messages: tuple[Message, ...]) -> list[str]:
    return [block.use for message in messages for block in message.blocks if isinstance(block, ToolResult)]


def reported(subject: Subject) -> Iterator[str]:
    """Count the transitions again: exact is what is equal to the token, and all others are listed with what is said."""
    table = subject.plain(_REAL)
    steps: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for step in table["transitions"]:
        steps.setdefault((step["session"], step["breakpoints"]), []).append(step)
        if (step["reason"] == "exact") != (step["predicted"] == step["reported"]):
            yield f"{_REAL}: {step['session']}, call {step['call']}: called {step['reason']!r}"
    listed = {(one["session"], one["breakpoints"]): one for one in table["reported"]}
    if set(listed) != set(steps):
        yield f"{_REAL}: the reports counted are not those listed"
    for key, one in listed.items():
        reasons = Counter(step["reason"] for step in steps.get(key, []))
        exact = reasons.pop("exact", 0)
        if (one["transitions"], one["exact"], one["others"]) != (len(steps.get(key, [])), exact, dict(reasons)):
            yield f"{_REAL}: {', '.join(key)}: {one['exact']} of {one['transitions']} exact, counted again {exact}"


def published(subject: Subject) -> Iterator[str]:
    """Work out every published change again, with decimals, and judge it by the rounding of its figures."""
    table = subject.plain(_PUBLISHED)
    for one in table["changes"]:
        before, after = (Decimal(one["recomputed"][key]) for key in ("before", "after"))
        exact = (after - before) / before * _HUNDRED
        low = ((after - _half(after)) / (before + _half(before)) - 1) * _HUNDRED
        high = ((after + _half(after)) / (before - _half(before)) - 1) * _HUNDRED
        verdict = "not printed"
        if one["published"] is not None:
            given = Decimal(one["published"])
            half = _half(given)
            inside = low - half <= given <= high + half
            verdict = "equal" if abs(exact - given) <= half else "rounded" if inside else "differs"
        if any(abs(Decimal(str(one[key])) - exactly) > _HUNDRED**-2 for key, exactly in (("low", low), ("high", high))):
            yield f"{_PUBLISHED}: {one['source']}, {one['figure']}: its rounding allows {low:.4f} to {high:.4f}"
        if one["verdict"] != verdict:
            yield f"{_PUBLISHED}: {one['source']}, {one['figure']}: called {one['verdict']}, it is {verdict}"
    turns = table["turns"]
    longer = [Decimal(str(one["longer"]["percent"])) for one in turns["models"]]
    low, high = Decimal(turns["low"]), Decimal(turns["high"])
    counts = (
        sum(low <= one <= high for one in longer),
        sum(one >= low for one in longer),
        sum(one < 0 for one in longer),
    )
    flags = [(one["inside"], one["at_least"], one["shorter"]) for one in turns["models"]]
    if flags != [(low <= one <= high, one >= low, one < 0) for one in longer]:
        yield f"{_PUBLISHED}: a model of {turns['source']} is said to be where it is not"
    if (turns["inside"], turns["at_least"], turns["shorter"]) != counts:
        yield f"{_PUBLISHED}: the models of {turns['source']} are counted {counts}"


_HUNDRED = Decimal("1e2")


def _half(printed: Decimal) -> Decimal:
    exponent = printed.as_tuple().exponent
    return Decimal(1).scaleb(int(exponent)) / 2


GATES = (
    Gate(
        "rewriting",
        "no policy reorders, parts a use from its result, makes a request longer, or touches what it was given",
        rewriting,
        "a policy does what no client may send: mend it in measure/context/",
    ),
    Gate(
        "cache-reports",
        "the model's cache reads are called exact where the provider reported the same, and every other one is listed",
        reported,
        "the cache model is praised for what it does not do: run `measure run --transcripts DIR`",
    ),
    Gate(
        "published-context",
        "a published change is called equal, rounded or different by what the figures that it was made of allow",
        published,
        "a verdict on a published figure is wrong: run `measure run`",
    ),
)
