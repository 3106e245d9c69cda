"""Policies as they are written, and what is said of those that cannot be read."""

import pytest

from measure.context.clear_tool_uses import ClearToolUses
from measure.context.edited import edited
from measure.context.mask import Mask
from measure.context.policies import POLICIES, parse
from measure.context.policy import Policy, checked
from measure.errors import BadInput
from measure.transcripts.model import Transcript

NINES = "9" * 19  # more than any integer of 64 bits

KNOWN = "known: none, mask, clear_tool_uses, clear_thinking, summarize, hybrid, cache_aware"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("masks", f"unknown policy 'masks'; {KNOWN}"),
        ("", f"unknown policy ''; {KNOWN}"),
        ("mask:windows=1", "mask:windows=1: unknown parameter 'windows' of mask; known: window, batch"),
        ("none:window=1", "none:window=1: unknown parameter 'window' of none; it has none"),
        ("mask:window", "mask:window: window is without a value; write window=VALUE once"),
        ("mask:window=1,window=2", "mask:window=1,window=2: window is named twice; write window=VALUE once"),
        ("mask:window=x", "mask:window=x: window cannot be 'x'; give a whole number from 0 on"),
        ("mask:window=-1", "mask:window=-1: window cannot be '-1'; give a whole number from 0 on"),
        ("mask:window=1.5", "mask:window=1.5: window cannot be '1.5'; give a whole number from 0 on"),
        ("mask:window=true", "mask:window=true: window cannot be 'true'; give a whole number from 0 on"),
        ("mask:batch=0", "mask:batch=0: batch cannot be '0'; give a whole number from 1 on"),
        (f"mask:window={NINES}", f"mask:window={NINES}: window cannot be '{NINES}'; give a whole number from 0 on"),
        ("mask:", None),
        ("mask:,", "mask:,: unknown parameter '' of mask; known: window, batch"),
        (
            "clear_thinking:keep=0",
            "clear_thinking:keep=0: keep cannot be '0'; give a whole number from 1 on or all",
        ),
        (
            "clear_tool_uses:trigger_type=tokens",
            "clear_tool_uses:trigger_type=tokens: trigger_type cannot be 'tokens'; give input_tokens or tool_uses",
        ),
        (
            "clear_tool_uses:clear_tool_inputs=Read+",
            "clear_tool_uses:clear_tool_inputs=Read+: clear_tool_inputs cannot be 'Read+'; give true or false or tools"
            " joined by +, without spaces",
        ),
    ],
)  # fmt: skip
def test_a_policy_that_cannot_be_read_is_one_line(text: str, line: str | None) -> None:
    if line is None:
        assert parse(text) == Mask()
        return
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert str(caught.value) == line


def test_a_policy_with_values_that_cannot_be_is_refused_where_it_would_work() -> None:
    with pytest.raises(BadInput, match=r"^mask:window=-1,batch=1: window: expected `int` >= 0$"):
        edited(Transcript("t", "test", ()), [Mask(-1)])
    with pytest.raises(BadInput, match="keep"):
        checked([ClearToolUses(keep=True)])


def test_a_policy_is_written_as_the_api_names_its_parameters() -> None:
    text = "clear_tool_uses:trigger=20,trigger_type=tool_uses,exclude_tools=Read+mcp__a.b,clear_tool_inputs=true"
    found = ClearToolUses(20, "tool_uses", 3, 0, ("Read", "mcp__a.b"), True)
    assert parse(text) == parse(found.shown()) == found


@pytest.mark.parametrize("kind", POLICIES.values(), ids=POLICIES)
def test_every_policy_says_what_it_is_and_where_it_comes_from(kind: type[Policy]) -> None:
    assert POLICIES[kind.name] is kind
    assert kind.about
    assert kind.source
    assert kind.evidence in ("measured", "simulated")
    assert parse(kind.name) == parse(kind().shown()) == kind()
