"""The cases that implementations of clearing and masking disagree on, each with what ours does and why.

"The API" is what was measured on it (LiteLLM 1.110.2 records that), not its documentation.
"""

from collections.abc import Sequence
from copy import deepcopy

import msgspec
import pytest
from sessions import by_kind, places, sent

from measure.context.clear_thinking import ClearThinking
from measure.context.clear_tool_uses import PLACEHOLDER, ClearToolUses
from measure.context.edited import edited
from measure.context.mask import Mask
from measure.context.none import Nothing
from measure.context.policies import chain
from measure.context.policy import Policy
from measure.errors import BadInput
from measure.transcripts.model import (
    Document,
    Image,
    Json,
    Message,
    Part,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Transcript,
)

LONG = "word " * 100
USER = Message("user", (Text("Please look."),))
JSON_TEXT = '{"rows":[' + "1," * 100 + "1]}"
PICTURE = Image("image/png", 9_000, 300, 200)
PAGES = Document("application/pdf", bytes=9_000, pages=2)


def size(text: str) -> int:
    """A third of the UTF-8 bytes, rounded up: 47 bytes are longer than the placeholder, and nothing is 0."""
    return -(-len(text.encode()) // 3)


def call(name: str, tool: str = "read", given: str = '{"path":"some/file.py"}', **more: bool) -> ToolUse:
    return ToolUse(name, tool, given, **more)


def said(name: str, *parts: Part | str, error: bool = False) -> ToolResult:
    return ToolResult(name, tuple(Text(part) if isinstance(part, str) else part for part in parts), error)


def turns(*results: Part | str | tuple[Part | str, ...], tools: str = "") -> tuple[Message, ...]:
    """One call and its result a turn, named a, b, c …; the tools by their first letters: r(ead), w(eb)."""
    messages = [USER]
    for number, parts in enumerate(results):
        name = chr(ord("a") + number)
        tool = {"r": "read", "w": "web"}[(tools or "r" * len(results))[number]]
        messages.append(Message("assistant", (call(name, tool),)))
        messages.append(Message("user", (said(name, *(parts if isinstance(parts, tuple) else (parts,))),)))
    return tuple(messages)


class Case(msgspec.Struct, frozen=True):
    """Messages under one policy: by name, whose results and whose inputs it changes."""

    why: str
    messages: tuple[Message, ...]
    policy: Policy
    results: str = ""
    inputs: str = ""
    system: str = ""


def clear(keep: int = 1, **settings: object) -> ClearToolUses:
    return ClearToolUses(**{"trigger": 1, "keep": keep, **settings})  # type: ignore[arg-type]


def total(messages: Sequence[Message]) -> int:
    return by_kind(Transcript("t", "test", tuple(messages)), size).total()


FOUR = turns(LONG, LONG, LONG, LONG)
NINE = (
    USER,
    Message("assistant", tuple(call(name) for name in "abcdefghi")),
    Message("user", tuple(said(name, LONG) for name in "abcdefghi")),
)
SIX = turns(*["x" * 3 * (394 + size(PLACEHOLDER))] * 6)  # clearing one frees 394
PENDING = (*turns(LONG, LONG), Message("assistant", (call("p"), call("q"))))
ORPHAN = (USER, Message("user", (said("z", LONG),)), *turns(LONG, LONG)[1:])
REUSED = (*turns(LONG, LONG), *turns(LONG)[1:])  # a, b, and a again
SERVER = (
    USER,
    Message("assistant", (call("s", "web", server=True), said("s", LONG), Text("so"))),
    *turns(LONG, LONG)[1:],
)
TWO_AND_ONE = (
    USER,
    Message("assistant", (call("a", "read"), call("b", "web"))),
    Message("user", (said("a", LONG), said("b", LONG))),
    *turns(LONG, LONG, LONG)[5:],
)

CLEARING = {
    "trigger exactly reached": Case("the API fires above it", FOUR, clear(trigger=total(FOUR))),
    "trigger exceeded by one": Case("strictly above", FOUR, clear(trigger=total(FOUR) - 1), "a b c"),
    "trigger missed by one": Case("below", FOUR, clear(trigger=total(FOUR) + 1)),
    "trigger counts the system text": Case(
        "system, tools and messages", FOUR, clear(trigger=total(FOUR)), "a b c", system="x"
    ),
    "trigger was exceeded before": Case("the client resends all, so what was cleared counts again every time",
                                        turns(*[LONG] * 5), clear(trigger=total(FOUR) - 1), "a b c d"),
    "trigger in uses exactly reached": Case("above, not at", FOUR, clear(trigger=4, trigger_type="tool_uses")),
    "trigger in uses exceeded": Case("four of three", FOUR, clear(trigger=3, trigger_type="tool_uses"), "a b c"),
    "keep 0": Case("the API still protects the newest result; LangChain clears it", FOUR, clear(0), "a b c"),
    "keep 0, newest is tiny": Case("the newest of all is protected, and that one stays anyway",
                                   turns(LONG, LONG, "ok"), clear(0), "a b"),
    "keep one less than there are": Case("one is old", FOUR, clear(3), "a"),
    "keep as many as there are": Case("clearable uses <= keep is no edit", FOUR, clear(4)),
    "keep more than there are": Case("not a negative slice", FOUR, clear(5)),
    "nine calls of one message": Case("uses are counted, not messages", NINE, clear(3), "a b c d e f"),
    "result of several texts": Case("like one string", turns(("one " * 50, LONG), LONG), clear(), "a"),
    "result is an image": Case("never tiny, whatever its size", turns(PICTURE, LONG), clear(), "a"),
    "result is a text and an image": Case("not a text, so not tiny", turns(("see", PICTURE), LONG), clear(), "a"),
    "result is a document": Case("counted, so cleared", turns(PAGES, LONG), clear(), "a"),
    "result is JSON": Case("a text like any other", turns(Json(JSON_TEXT), LONG), clear(), "a"),
    "result is empty": Case("1 to 46 bytes are tiny, 0 are not: it counts in keep, and stays since all else is longer",
                            turns("", LONG, ""), clear(2)),
    "result is empty, keep counts it": Case("so the one before it is old", turns(LONG, "", LONG), clear(2), "a"),
    "result has no parts": Case("null is empty", turns(LONG, (), LONG), clear(2), "a"),
    "46 bytes": Case("tiny: neither cleared nor counted", turns("x" * 46, LONG, "x" * 46), clear()),
    "47 bytes": Case("not tiny", turns("x" * 47, LONG), clear(), "a"),
    "46 bytes in 23 characters": Case("bytes of UTF-8 are counted", turns("é" * 23, LONG), clear(0)),
    "47 bytes in 24 characters": Case("bytes of UTF-8 are counted", turns("é" * 23 + "e", LONG), clear(0), "a"),
    "46 bytes in two texts": Case("texts of a result are summed", turns(("x" * 20, "y" * 26), LONG), clear(0)),
    "47 bytes in two texts": Case("texts of a result are summed", turns(("x" * 20, "y" * 27), LONG), clear(0), "a"),
    "text equal to the placeholder": Case("it is tiny, so a second pass never counts what the first cleared",
                                          turns(PLACEHOLDER, LONG, LONG), clear(2)),
    "newest is excluded": Case("not counted in keep: the newest other one is kept too; LangChain counts it",
                               turns(LONG, LONG, LONG, tools="rrw"), clear(exclude_tools=("web",)), "a"),
    "oldest is excluded": Case("loses neither call nor result", turns(LONG, LONG, LONG, tools="wrr"),
                               clear(exclude_tools=("web",), clear_tool_inputs=True), "b", "b"),
    "excluded and a trigger in uses": Case("not counted there either", turns(LONG, LONG, LONG, tools="wrr"),
                                           clear(trigger=2, trigger_type="tool_uses", exclude_tools=("web",))),
    "tiny and a trigger in uses": Case("what cannot be cleared is not counted", turns(LONG, "ok", LONG),
                                       clear(trigger=2, trigger_type="tool_uses")),
    "clear at least 0": Case("every batch is complete", SIX, clear(clear_at_least=0), "a b c d e"),
    "clear at least, each alone": Case("394 >= 390", SIX, clear(clear_at_least=390), "a b c d e"),
    "clear at least, just reached": Case("394 >= 394", SIX, clear(clear_at_least=394), "a b c d e"),
    "clear at least, two a batch": Case("the fifth is an incomplete batch", SIX, clear(clear_at_least=400), "a b c d"),
    "clear at least, three a batch": Case("two remain", SIX, clear(clear_at_least=800), "a b c"),
    "clear at least, unreachable": Case("LangChain clears everything here", SIX, clear(clear_at_least=10**6)),
    "clear at least counts inputs": Case("what clearing it frees: result and input", SIX,
                                         clear(clear_at_least=400, clear_tool_inputs=True), "a b c d e", "a b c d e"),
    "inputs of all": Case("ids and names stay", FOUR, clear(clear_tool_inputs=True), "a b c", "a b c"),
    "inputs of those named": Case("others keep theirs", turns(LONG, LONG, LONG, tools="rwr"),
                                  clear(clear_tool_inputs=("web",)), "a b", "b"),
    "inputs beside a kept call": Case("parallel calls stay together, changed one by one", TWO_AND_ONE,
                                      clear(2, clear_tool_inputs=True), "a", "a"),
    "inputs of a tiny result": Case("counted and cleared like any other, but the result would grow",
                                    turns("ok", LONG), clear(clear_tool_inputs=True), "", "a"),
    "tiny result, another's inputs": Case("its own tool is not named", turns("ok", LONG, tools="rw"),
                                          clear(clear_tool_inputs=("web",))),
    "call without a result": Case("no completed use: counts nowhere", PENDING, clear(clear_tool_inputs=True), "a", "a"),
    "result without a call": Case("no use: counts nowhere, stays", ORPHAN, clear(), "a"),
    "id used again": Case("each result belongs to the call before it; elsewhere the kept one is cleared too",
                          REUSED, clear(1), "a b"),
    "tool run by the provider": Case("its result is part of what the assistant said", SERVER, clear(), "a"),
}  # fmt: skip

MASKING = {
    "window 0": Case("not the same as 1, as it is in seed A", FOUR, Mask(0), "a b c d"),
    "window as many as there are": Case("nothing is old", FOUR, Mask(4)),
    "window more than there are": Case("not a negative slice", FOUR, Mask(9)),
    "window cuts parallel calls": Case("results are counted, not messages", NINE, Mask(3), "a b c d e f"),
    "batch not full": Case("two steps of three wait", turns(*[LONG] * 6), Mask(1, 3), "a b c"),
    "batch full": Case("it slides in steps", turns(*[LONG] * 7), Mask(1, 3), "a b c d e f"),
    "result is an image": Case("said in the note; seed A leaves images", turns(PICTURE, LONG), Mask(1), "a"),
    "result is JSON": Case("a text; seed A leaves it", turns(Json(JSON_TEXT), LONG), Mask(1), "a"),
    "result is short": Case("the note is longer, so it stays; in seed A it grows", turns("ok", LONG), Mask(1)),
    "result is empty": Case("the note is longer", turns("", (), LONG), Mask(1)),
    "result is such a note": Case("it keeps its number", turns("[tool result left out: 12345678 characters]", LONG),
                                  Mask(1)),
    "result begins like a note": Case("only a whole note is one", turns("[tool result left out: " + LONG, LONG),
                                      Mask(1), "a"),
    "call without a result": Case("not in the window", PENDING, Mask(1), "a"),
    "result without a call": Case("not in the window", ORPHAN, Mask(1), "a"),
    "id used again": Case("by place, not by id", REUSED, Mask(1), "a b"),
    "tool run by the provider": Case("counts in the window, stays", SERVER, Mask(1), "a"),
}  # fmt: skip


def changed(before: Sequence[Message], after: Sequence[Message]) -> tuple[str, str]:
    """The names of the results and of the inputs that differ, in their order."""
    results, inputs = [], []
    for (_, old), (_, new) in zip(places(before), places(after), strict=True):
        if isinstance(old, ToolResult) and isinstance(new, ToolResult):
            assert (old.use, old.error) == (new.use, new.error)
            results += [old.use] * (old != new)
        elif isinstance(old, ToolUse) and isinstance(new, ToolUse):
            assert (old.id, old.name) == (new.id, new.name)
            inputs += [old.id] * (old != new)
        else:
            assert old == new
    return " ".join(results), " ".join(inputs)


TABLE = {f"clear, {name}": case for name, case in CLEARING.items()}
TABLE |= {f"mask, {name}": case for name, case in MASKING.items()}


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE)
def test_what_a_policy_changes(case: Case) -> None:
    transcript = Transcript("case", "test", case.messages, case.system)
    kept = deepcopy(transcript)
    once = sent(transcript, (case.policy,), size)
    assert changed(case.messages, once.messages) == (case.results, case.inputs), case.why
    assert sent(once, (case.policy,), size) == once
    assert transcript == kept
    assert by_kind(once, size).total() <= by_kind(transcript, size).total()


def test_a_placeholder_that_is_not_shorter_is_not_used_but_its_result_counts_in_keep() -> None:
    """Eighty spaces are fewer tokens than any placeholder."""
    messages = turns(" " * 80, LONG, " " * 80)
    assert changed(messages, edited(Transcript("t", "test", messages), [clear(1)])) == ("b", "")
    assert changed(messages, edited(Transcript("t", "test", messages), [clear(2)])) == ("", "")


def test_a_placeholder_is_tiny_so_that_a_second_pass_does_not_count_it() -> None:
    assert 1 <= len(PLACEHOLDER.encode()) <= 46


def test_an_error_stays_an_error() -> None:
    """The flag is part of the result, not of its text."""
    messages = (
        USER,
        Message("assistant", (call("a"),)),
        Message("user", (said("a", LONG, error=True),)),
        *turns(LONG)[1:],
    )
    for policy in (clear(1), Mask(1)):
        result = edited(Transcript("t", "test", messages), [policy])[2].blocks[0]
        assert isinstance(result, ToolResult)
        assert result.error
        assert result.parts != (Text(LONG),)


def test_a_cleared_call_keeps_id_and_name_and_has_an_empty_object_for_input() -> None:
    result = edited(Transcript("t", "test", FOUR), [clear(3, clear_tool_inputs=True)])
    assert result[1].blocks == (ToolUse("a", "read", "{}"),)
    assert result[2].blocks == (ToolResult("a", (Text(PLACEHOLDER),)),)


def test_what_is_sent_is_the_same_object_where_nothing_changes() -> None:
    transcript = Transcript("t", "test", FOUR)
    assert all(one is other for one, other in zip(edited(transcript, [Nothing()]), FOUR, strict=True))


def thought(*blocks: object, user: str = "") -> tuple[Message, ...]:
    """One assistant message; then, after the last call in it, its result, or what the user says."""
    message = Message("assistant", blocks)  # type: ignore[arg-type]
    calls = [block for block in blocks if isinstance(block, ToolUse)]
    answer = [Message("user", tuple(said(one.id, "fine") for one in calls))] if calls else []
    return (message, *answer, *([Message("user", (Text(user),))] if user else []))


HM = Thinking("hm")
LOOP = (  # the user asks twice; the first answer takes two calls
    USER,
    *thought(HM, call("a")),
    *thought(HM, call("b")),
    *thought(HM, Text("done"), user="And now?"),
    *thought(HM, call("c")),
    *thought(Text("no thinking here")),
)


@pytest.mark.parametrize(
    ("policy", "left"),
    [
        (ClearThinking("all"), [1, 3, 5, 7]),
        (ClearThinking(1), [7]),
        (ClearThinking(2), [5, 7]),
        (ClearThinking(4), [1, 3, 5, 7]),
        (ClearThinking(9), [1, 3, 5, 7]),
        (ClearThinking(1, "user"), [7]),
        (ClearThinking(2, "user"), [1, 3, 5, 7]),  # the loop of tools before is one turn
    ],
    ids=lambda value: value.shown() if isinstance(value, Policy) else "",
)
def test_thinking_of_old_turns_is_removed(policy: Policy, left: list[int]) -> None:
    found = sent(Transcript("t", "test", LOOP), (policy,))
    assert [number for number, message in enumerate(found.messages) if HM in message.blocks] == left
    for old, new in zip(LOOP, found.messages, strict=True):
        assert [block for block in old.blocks if block != HM] == [block for block in new.blocks if block != HM]


def test_a_message_of_nothing_but_thinking_keeps_it_and_is_a_turn() -> None:
    messages = (USER, *thought(HM, HM, user="go on"), *thought(HM, Text("one"), user="on"), *thought(HM, Text("two")))
    found = sent(Transcript("t", "test", messages), (ClearThinking(1),))
    assert [message.blocks.count(HM) for message in found.messages] == [0, 2, 0, 0, 0, 1]


def test_clearing_thinking_in_another_place_than_the_first_is_refused() -> None:
    """As the API does; by whichever way a chain is made."""
    line = "policies: clear_thinking stands after mask; put clear_thinking first"
    with pytest.raises(BadInput, match=f"^{line}$"):
        chain("mask/clear_thinking")
    with pytest.raises(BadInput, match=f"^{line}$"):
        edited(Transcript("t", "test", FOUR), [Mask(), ClearThinking()])
    assert chain("clear_thinking/mask") == (ClearThinking(), Mask())
