"""The policies by name, and the way to write them: `mask:window=10,batch=5`.

After the colon stand a policy's parameters, in any order; those left out keep their defaults. A list is joined by plus
signs: `exclude_tools=Read+Bash`. A slash stands between the policies of a chain. `Policy.shown` writes the same, so
what a result shows can be given again.
"""

import re
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from measure.context.cache_aware import CacheAware
from measure.context.clear_thinking import ClearThinking
from measure.context.clear_tool_uses import ClearToolUses
from measure.context.hybrid import Hybrid
from measure.context.mask import Mask
from measure.context.none import Nothing
from measure.context.policy import Policy, checked
from measure.context.summarize import Summarize
from measure.errors import BadInput

_ROWS: tuple[type[Policy], ...] = (Nothing, Mask, ClearToolUses, ClearThinking, Summarize, Hybrid, CacheAware)
POLICIES: dict[str, type[Policy]] = {kind.name: kind for kind in _ROWS}

_INTEGER = re.compile(r"-?[0-9]{1,18}")


def parse(text: str) -> Policy:
    """The policy that a text writes.

    >>> parse("mask:batch=5").shown()
    'mask:window=10,batch=5'

    Raises:
        BadInput: an unknown policy or parameter, one named twice, or a value that is not possible.
    """
    name, _, settings = text.partition(":")
    kind = POLICIES.get(name)
    if kind is None:
        raise BadInput(f"unknown policy {name!r}", right=f"known: {', '.join(POLICIES)}")
    hints, values = get_type_hints(kind, include_extras=True), dict[str, Any]()
    known = kind.parameters()
    for setting in settings.split(",") if settings else ():
        key, equals, value = setting.partition("=")
        if key not in known:
            right = f"known: {', '.join(known)}" if known else "it has none"
            raise BadInput(f"unknown parameter {key!r} of {name}", where=text, right=right)
        if not equals or key in values:
            what = "named twice" if equals else "without a value"
            raise BadInput(f"{key} is {what}", where=text, right=f"write {key}=VALUE once")
        values[key] = _value(value, hints[key])
        try:
            msgspec.convert({key: values[key]}, kind)
        except msgspec.ValidationError:
            wanted = " or ".join(map(_described, _alternatives(hints[key])))
            raise BadInput(f"{key} cannot be {value!r}", where=text, right=f"give {wanted}") from None
    return kind(**values)


def chain(text: str) -> tuple[Policy, ...]:
    """The policies of a chain, in this order.

    >>> [policy.name for policy in chain("clear_thinking/mask:window=3")]
    ['clear_thinking', 'mask']

    Raises:
        BadInput: see `parse`; or they cannot stand in this order.
    """
    return checked(map(parse, text.split("/")))


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _described(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(get_args(hint))
    if hint is bool:
        return "true or false"
    if get_origin(hint) is tuple:
        return "tools joined by +, without spaces"
    _, meta = get_args(hint)
    return f"a whole number from {meta.ge} on"


def _value(text: str, hint: Any) -> Any:
    """What a text means for a parameter of this type; the text itself where it means nothing."""
    kinds = [get_args(each)[0] if get_origin(each) is Annotated else each for each in _alternatives(hint)]
    if bool in kinds and text in ("true", "false"):
        return text == "true"
    if any(get_origin(each) is tuple for each in kinds):
        return tuple(text.split("+")) if text else ()
    return int(text) if int in kinds and _INTEGER.fullmatch(text) else text
