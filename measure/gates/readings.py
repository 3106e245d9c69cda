"""The gate on alias readings: every header is read again, by the real decoder, under the names that a reader took."""

from collections.abc import Iterator
from typing import NamedTuple

from measure.formats.aliased import Aliased
from measure.gates.subject import Gate, Subject
from measure.records import RecordSet
from measure.scenario import scenario, tasks
from measure.values import Value

_ALIASES = "results/aliases.json"


def alias_readings(subject: Subject) -> Iterator[str]:
    """Read every header again with the real decoder under the names that the reader took, and add up what comes out."""
    recorded = subject.plain(_ALIASES)
    headers = _headers(subject)
    added: dict[tuple[str, str], list[int]] = {}
    for one in recorded["readings"]:
        place = f"{one['case']}, {one['reader']}"
        header = headers[one["case"].partition(", read ")[0]]
        truth, fates = header.truth, _fates(header, one["taken_for"])
        if [one[key] for key in _FATES] != fates:
            yield f"{place}: {[one[key] for key in _FATES]} records, decoded again {fates}"
        if one["evicted"] != [alias for alias in truth if alias not in one["legend"]]:
            yield f"{place}: lost {one['evicted']}, but holds {list(one['legend'])}"
        for alias, field in one["taken_for"].items():
            if field != one["legend"].get(alias) and (one["reader"] == "strict" or alias in one["legend"]):
                yield f"{place}: {alias!r} taken for {field!r}, though the legend says {one['legend'].get(alias)!r}"
        whole = added.setdefault((one["case"], one["reader"]), [0] * (2 + len(_FATES)))
        added[one["case"], one["reader"]] = [a + b for a, b in zip(whole, [1, one["records"], *fates], strict=True)]
    totals = {(t["case"], t["reader"]): [t[key] for key in ("legends", "records", *_FATES)] for t in recorded["totals"]}
    if totals != added or not totals:
        yield "the totals are not those of the readings"
    for case, header in headers.items():
        if case in {one["case"] for one in recorded["readings"]}:
            tried = [one["legend"] for one in recorded["readings"] if (one["case"], one["reader"]) == (case, "strict")]
            if len({tuple(held) for held in tried}) != 2 ** len(header.truth):
                yield f"{case}: {len(tried)} legends tried of {2 ** len(header.truth)}"
        elif not any(one["case"].startswith(f"{case}, read ") for one in recorded["readings"]):
            yield f"{case}: not read at all"


class _Header(NamedTuple):
    """What the aliases of a case really stand for, the text under them, and the records that it was made of."""

    truth: dict[str, str]
    text: tuple[str, ...]
    records: list[dict[str, Value]]


def _headers(subject: Subject) -> dict[str, _Header]:
    """The header of every case, written once."""
    plan = scenario(subject.files)
    records = tasks(subject.files, max(plan.scales))
    own = _header(plan.aliases, records.project(plan.projected))
    found = {"the study's header": own} | {tool.case: own for tool in plan.other_tools}
    for case in plan.alias_cases:
        rows = records.project([case.fields[field] for field in case.aliases]).rows()
        found[case.case] = _header(case.aliases, RecordSet(list(case.aliases), list(rows)))
    return found


def _header(aliases: dict[str, str], records: RecordSet) -> _Header:
    truth = {alias: field for field, alias in aliases.items()}
    rows = [dict(zip(records.fields, row, strict=True)) for row in records.rows()]
    return _Header(truth, tuple(Aliased(aliases).encode(records)), rows)


def _fates(header: _Header, taken: dict[str, str | None]) -> list[int]:
    """Right, refused and wrong: the records written under the true aliases, and decoded under the names taken."""
    names = [field for field in taken.values() if field is not None]
    if list(taken) != list(header.truth) or len(set(names)) < len(taken):
        return [0, len(header.records), 0]
    read = Aliased({str(field): alias for alias, field in taken.items()}).decode(header.text)
    right = sum(found == wanted for found, wanted in zip(read, header.records, strict=True))
    return [right, 0, len(header.records) - right]


_FATES = ("right", "refused", "wrong_without_error")


GATES = (
    Gate(
        "alias-readings",
        "every record read under an alias header is right, refused or wrong, and a lost legend is noticed or counted",
        alias_readings,
        "what aliases cost in errors is miscounted: run `measure run`",
    ),
)
