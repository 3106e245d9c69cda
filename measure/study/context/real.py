"""Experiment: real agent sessions, as counts and costs. Their texts are their authors' and no part of the project.

`fixtures/transcripts.toml` says which sessions, each with its SHA-256. Where they are not at hand the recorded counts
are kept. Where a session has its provider's report, the cache model is held against it, call by call.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Literal

import msgspec

from measure import transcripts
from measure.context.prices import read_prices
from measure.context.reality import EXACT, REASONS, Transition, transitions
from measure.context.session import Session, counted
from measure.errors import BadInput
from measure.scenario import PRICES, TRANSCRIPTS, Files, content
from measure.study.context.compared import ENCODING, MODEL, all_terms, compared, facts
from measure.study.context.rows import Best, Cheaper, Compared, Growth, PolicyRow, SessionFacts, Spread, TriggerCost
from measure.study.context.spread import spreads, undying
from measure.study.experiment import Experiment, Inputs
from measure.tokens import authority
from measure.transcripts.model import Transcript

_PLACES = (("system", "last"), ("system", "previous", "last"))


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which session, and where it is from."""

    name: str
    file: str
    sha256: str
    repository: str
    commit: str
    licence: str


class Reported(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of one session's transitions, how many the model predicts to the token, and what is said of the others."""

    session: str
    breakpoints: str
    transitions: int
    exact: int
    others: dict[str, int]


class SessionTransition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One transition: the cache reads that the model predicts and those reported, in the provider's tokens."""

    session: str
    breakpoints: str
    call: int
    seconds: int | None
    predicted: int
    reported: int
    reason: str


class ContextReal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every real session under every policy, and the cache model against its report."""

    evidence: Literal["captured"]
    encoding: str
    authority: str
    transcripts: list[Listed]
    sessions: list[SessionFacts]
    rows: list[PolicyRow]
    growth: list[Growth]
    triggers: list[TriggerCost]
    best: list[Best]
    cheaper: list[Cheaper]
    spreads: list[Spread]
    undying: list[Spread]
    reported: list[Reported]
    transitions: list[SessionTransition]


def run(inputs: Inputs) -> ContextReal | None:
    """Count and compare every session; None where they are not at hand."""
    if inputs.elsewhere.sessions is None:
        return None
    priced, listing = content(inputs.files, PRICES), listed(inputs.files)
    found = list(_sessions(listing, inputs.elsewhere.sessions))
    made = [_compared(session, priced) for _, session in found]
    checked = [
        (session.transcript.name, "+".join(places), transitions(session, places))
        for _, session in found
        for places in _PLACES
    ]
    checked = [one for one in checked if one[2]]
    return ContextReal(
        evidence="captured",
        encoding=ENCODING,
        authority=authority(ENCODING),
        transcripts=listing,
        sessions=[facts(session, row.file, row.sha256, "captured") for row, session in found],
        rows=[row for one in made for row in one.rows],
        growth=[row for one in made for row in one.growth],
        triggers=[row for one in made for row in one.triggers],
        best=[row for one in made for row in one.best],
        cheaper=[row for one in made for row in one.cheaper],
        spreads=spreads([row for one in made for row in one.rows]),
        undying=undying(
            [session for _, session in found if session.transcript.name in {name for name, _, _ in checked}],
            all_terms(read_prices(priced, PRICES), MODEL),
        ),
        reported=[_reported(*one) for one in checked],
        transitions=[
            SessionTransition(name, places, *msgspec.structs.astuple(step))
            for name, places, steps in checked
            for step in steps
        ],
    )


def listed(files: Files) -> list[Listed]:
    """The sessions, and where each is from.

    Raises:
        BadInput: the file is missing, or not what `Listed` describes.
    """
    try:
        held = tomllib.loads(content(files, TRANSCRIPTS).decode())
        return msgspec.convert(held.get("transcripts", []), list[Listed])
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(str(error), where=TRANSCRIPTS) from None


def _sessions(listing: list[Listed], given: Mapping[str, bytes]) -> Iterator[tuple[Listed, Session]]:
    for row in listing:
        if row.file not in given:
            raise BadInput(
                f"{row.file} is missing", where="--transcripts", right=f"all that {TRANSCRIPTS} lists are needed"
            )
        found = sha256(given[row.file]).hexdigest()
        if found != row.sha256:
            raise BadInput(f"SHA-256 {found}", where=row.file, right=f"{TRANSCRIPTS} lists {row.sha256}")
        for session in _counted(given[row.file], row.file, row.name):
            yield row, session


@lru_cache(maxsize=16)
def _counted(data: bytes, file: str, name: str) -> tuple[Session, ...]:
    """The sessions in a file, by the name that tables have room for; several are numbered."""
    held = transcripts.load(data, file)
    return tuple(counted(_named(one, name, place, len(held)), ENCODING) for place, one in enumerate(held, 1))


@lru_cache(maxsize=16)
def _compared(session: Session, priced: bytes) -> Compared:
    """All that is asked of one session; remembered, as `measure run` measures twice."""
    return compared(session, all_terms(read_prices(priced, PRICES), MODEL))


def _named(transcript: Transcript, name: str, place: int, several: int) -> Transcript:
    return msgspec.structs.replace(transcript, name=f"{name} {place}" if several > 1 else name)


def _reported(name: str, places: str, steps: list[Transition]) -> Reported:
    reasons = Counter(step.reason for step in steps)
    others = {reason: reasons[reason] for reason in REASONS if reason != EXACT and reasons[reason]}
    return Reported(name, places, len(steps), reasons[EXACT], others)


CONTEXT_REAL = Experiment(
    "context_sessions",
    ContextReal,
    run,
    ("a folder of real transcripts", "--transcripts DIR"),
    rests_on=(PRICES, TRANSCRIPTS),
)
