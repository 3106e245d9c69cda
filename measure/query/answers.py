r"""The text that the layer answers with, in three outputs: `json` (minified), `pretty`, `compact`.

Records are written by the formats of the ladder, so that a rung is what a caller really gets. What is ours here:

- a part of the rows says which part: {"total":500,"skip":20,"take":20,"rows":[…]}, in compact a line before the header;
- several statements answer under their numbers: in JSON an array in order, in compact a line `[2] count` before each;
- one record in compact is a line a field, `name:value`. Line ends and backslashes are escaped, null is nothing,
  and text that could be taken for something else (empty, or with a quote or space at an end) stands in quotes;
- an error stands in the place of its answer, in every output, with its code.
"""

from collections.abc import Callable, Sequence

from measure.errors import BadInput
from measure.formats import Compact, Minified, Pretty
from measure.query.operations import Answer
from measure.records import RecordSet
from measure.values import Value, minified, pretty

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
    return "".join(Minified().encode(answer.rows)) if len(answer.rows) else "[]"


def _pretty(answers: Sequence[Answer]) -> str:
    if len(answers) > 1:
        return pretty([_value(one) for one in answers])
    (answer,) = answers
    if answer.rows is None or answer.single or answer.page:
        return pretty(_value(answer))
    return "".join(Pretty().encode(answer.rows)) if len(answer.rows) else "[]"


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
    return "".join(
        f"[{number}] {answer.operation}\n{_one_compact(answer)}" for number, answer in enumerate(answers, start=1)
    )


def _one_compact(answer: Answer) -> str:
    if answer.rows is not None and not answer.single:
        part = " ".join(f"{key}:{value}" for key, value in _page(answer).items())
        return (part + "\n" if part else "") + "".join(Compact().encode(answer.rows))
    value = _value(answer)
    if isinstance(value, dict):
        return "".join(f"{_escaped(key)}:{_field(inner)}\n" for key, inner in value.items())
    if isinstance(value, list):
        return "".join(Compact().encode(RecordSet([answer.operation], [(inner,) for inner in value])))
    return minified(value) + "\n"


def _field(value: Value) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        return minified(value)
    # Quotes where a reader would trim the text, or take it for null or for a quoted text.
    return minified(value) if not value or value != value.strip() or value[0] == '"' else _escaped(value)


def _escaped(value: str) -> str:
    return value.translate(_ESCAPES)


OUTPUTS: dict[str, Callable[[Sequence[Answer]], str]] = {"json": _json, "pretty": _pretty, "compact": _compact}
