"""The cache model against what a provider reported: request by request, which entry is read, and how long it was.

The model says which earlier request's entry a request finds; how long that entry is, the provider said when it was
written. So both sides are in the provider's own tokens, and they agree to the token or not at all. Where they differ,
the report itself may show why; else the transition is listed as unexplained.
"""

from collections.abc import Sequence

import msgspec

from measure.context.cache import LIVES, Explicit
from measure.context.policy import Chain
from measure.context.session import Request, Session
from measure.transcripts.model import Usage

EXACT = "exact"
SHORTER = "the prompt is shorter than the one before: something was taken out"
LIVED = "read after the life of its entry"
REACH = "the model's walk reaches no earlier request, but at most the system text's entry"
MORE = "unexplained: more was read than this file's requests wrote"
LESS = "unexplained: less was read than was written"
REASONS = (EXACT, SHORTER, LIVED, REACH, MORE, LESS)


class Transition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From one call to the next: seconds between them, and the cache reads that the model predicts and a report has."""

    call: int  # from 1, in the order of the session
    seconds: int | None
    predicted: int
    reported: int
    reason: str


REPORTED_PLACES = ("system", "previous", "last")  # as the client of our reports places them, by what it reads


def transitions(session: Session, places: Sequence[str] = REPORTED_PLACES) -> list[Transition]:
    """One for each two calls in a row that have a report; none where the reports know of no cache at all.

    Raises:
        BadInput: an unknown place.
    """
    made: list[Transition] = []
    cache = Explicit(LIVES["5m"], 0, places)
    written: dict[int, int] = {}  # by the position up to which an entry goes: its tokens, as reported
    before: tuple[Request, Usage] | None = None
    reports = [message.usage for message in session.transcript.messages if message.usage]
    if not any(usage.read or usage.written for usage in reports):
        return []
    chain = Chain(session, ())
    for number, moment in enumerate(chain.moments(), 1):
        request = moment.request
        usage = session.transcript.messages[request.message].usage
        if usage is None:
            before = None
            continue
        if usage.written:  # a request that only reads lets live what it read as long as it was written for
            cache.life = LIVES["1h" if usage.write_1h else "5m"]
        cache.charge(moment, chain.context)
        if before is not None:
            predicted = written.get(cache.found, 0)
            seconds = _seconds(before[0], request)
            reason = _reason(predicted, usage, before[1], seconds is not None and seconds > cache.life)
            made.append(Transition(number, seconds, predicted, usage.read, reason))
        written[cache.left] = usage.read + usage.written
        before = request, usage
    return made


def _seconds(before: Request, request: Request) -> int | None:
    return None if before.time is None or request.time is None else round(request.time - before.time)


def _reason(predicted: int, usage: Usage, before: Usage, dead: bool) -> str:
    if usage.read == predicted:
        return EXACT
    if usage.input < before.input:
        return SHORTER
    if predicted == 0:
        return LIVED if dead else REACH
    return MORE if usage.read > predicted else LESS
