r"""The text that the layer answers with, in three outputs: `json` (minified), `pretty`, `compact`.

Records are written by the formats of the ladder, so that a rung is what a caller really gets. What is ours here:

- a part of the rows says which part: {"rows":[…],"skip":20,"take":20,"total":500}, in compact a line before the header;
- several statements answer in order: in JSON as an array; in compact each under a line `[2] count 1`, which says how
  many lines follow, so that no text inside an answer can be taken for the next label;
- one record in compact is a line a field, `name:value`. Null is nothing. Text that could be taken for something else
  stands in quotes, as JSON writes it: empty, trimmed, or like another type; a name with a colon too. In bare text line
  ends and backslashes are escaped;
- an error stands in the place of its answer. In compact its line begins with `!`, as no record's line does; in JSON
  it is {"error":{"code":…,"message":…}}, which a record with a field of that name could write too: there the exit
  status of the command, or `Answer.error`, decides.
"""

import json
import re
from collections.abc import Callable, Sequence

from measure.errors import BadInput
from measure.formats import Compact, Minified, Pretty
from measure.query.operations import Answer
from measure.records import RecordSet
from measure.values import Value, minified, pretty

LINE = "\n"
_BREAKS = re.compile("[\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]")  # what some readers take for the end of a line
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})


def text(output: str, answers: Sequence[Answer]) -> str:
    """The answers to a query as one text.

    Raises:
        BadInput: an unknown output; with those that are known.
    """
    if output not in OUTPUTS:
        raise BadInput(f"unknown format {output!r}", right=f"known: {', '.join(OUTPUTS)}")
    return OUTPUTS[output](answers)


def _json(answers: Sequence[Answer]) -> str:
    if len(answers) == 1:
        return _one_json(answers[0])
    return "[" + ",".join(map(_one_json, answers)) + "]"


def _one_json(answer: Answer) -> str:
    if answer.rows is None or answer.single or answer.page:
        return minified(_value(answer))
    return "".join(Minified().encode(answer.rows))


def _pretty(answers: Sequence[Answer]) -> str:
    if len(answers) > 1:
        return pretty([_value(one) for one in answers])
    (answer,) = answers
    if answer.rows is None or answer.single or answer.page:
        return pretty(_value(answer))
    return "".join(Pretty().encode(answer.rows))


def _value(answer: Answer) -> Value:
    """An answer as a JSON value."""
    if answer.error:
        code, message = answer.error
        return {"error": {"code": code, "message": message}}
    if answer.rows is None:
        return answer.value
    records: list[Value] = [dict(zip(answer.rows.fields, row, strict=True)) for row in answer.rows.rows()]
    if answer.single:
        return records[0]
    if answer.page:
        return {**_page(answer), "rows": records}
    return records


def _page(answer: Answer) -> dict[str, Value]:
    return {key: value for key, value in (answer.page._asdict() if answer.page else {}).items() if value is not None}


def _compact(answers: Sequence[Answer]) -> str:
    if len(answers) == 1:
        return _one_compact(answers[0])
    parts = [(answer.operation, _one_compact(answer)) for answer in answers]
    return "".join(
        f"[{number}] {operation} {part.count(LINE)}\n{part}" for number, (operation, part) in enumerate(parts, start=1)
    )


def _one_compact(answer: Answer) -> str:
    if answer.error:
        code, message = answer.error
        return f"! {code} {_escaped(message)}\n"
    if answer.rows is not None and not answer.single:
        part = " ".join(f"{key}:{value}" for key, value in _page(answer).items())
        return (part + "\n" if part else "") + "".join(Compact().encode(answer.rows))
    value = _value(answer)
    if isinstance(value, dict):
        return "".join(f"{_name(key)}:{_field(inner)}\n" for key, inner in value.items())
    values = value if isinstance(value, list) else [value]
    return "".join(Compact().encode(RecordSet([answer.operation], [(inner,) for inner in values])))


def _name(key: str) -> str:
    return json.dumps(key) if ":" in key or key[:1] in ("!", "[") or _quotable(key) else _escaped(key)


def _field(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and not _quotable(value):
        return _escaped(value)
    text = minified(value)
    if _BREAKS.search(text):  # a character that breaks lines is written as \uXXXX
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return text


def _quotable(text: str) -> bool:
    """Whether a reader would trim this text, break it, or take it for null, for a quoted text, for another type."""
    if not text or text != text.strip() or text[0] == '"' or _BREAKS.search(text):
        return True
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _escaped(value: str) -> str:
    return value.translate(_ESCAPES)


OUTPUTS: dict[str, Callable[[Sequence[Answer]], str]] = {"json": _json, "pretty": _pretty, "compact": _compact}
