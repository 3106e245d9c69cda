"""Gates on what was written: schemas, manifest, canonical bytes, documents, verdicts, drift."""

import hashlib
import json
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from itertools import zip_longest

from measure import results
from measure.canonical import canonical
from measure.gates.subject import Gate, Subject
from measure.scenario import content
from measure.tokens import VOCABULARIES, authority

_MANIFEST = "results/manifest.json"
_FIGURES = f"{results.FOLDER}/{results.FIGURES}/"
_NOT_MEASURED_AGAIN = (results.path("mutants"), results.schema_path("mutants"))
_TOTALS = ("equal_figures", "explained_figures", "figures_compared")
_POINTS = Decimal("0.01")
_MACHINE = re.compile(r'"(/[a-z]+/|[A-Z]:\\|~/)|\d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT')


def ranges(subject: Subject) -> Iterator[str]:
    """Compare every saving with its range, as printed, in whole hundredths of a point."""
    for verdict in subject.plain("results/ranges.json")["verdicts"]:
        low, high = (f"{verdict['published'][end]:.2f}" for end in ("low", "high"))
        inside = True
        for one in verdict["measured"]:
            ours = one["saving"]["display"].removesuffix(" %")
            below, above = (_hundredths(ours) - _hundredths(end) for end in (low, high))
            inside = inside and below >= 0 >= above
            outside = min(below, 0) + max(above, 0)
            if round(one["points_outside"] * 100) != outside:
                yield f"{verdict['step']}, {one['rows']} rows: {ours} lies {outside / 100} outside {low} to {high}"
        if verdict["holds"] != inside:
            yield f"{verdict['step']}, {verdict['encoding']}: called {verdict['holds']}, but is {inside}"


def replication(subject: Subject) -> Iterator[str]:
    """Compare every pair of figures again, redo every explanation, and count them."""
    recorded = subject.plain(results.path("replication"))
    for one in recorded["figures"]:
        if one["equal"] != (one["published"] == one["ours"]):
            yield f"{one['figure']}: published {one['published']}, ours {one['ours']}, called equal: {one['equal']}"
        if one["saving"] is not None and one["ours"] != one["saving"]["display"]:
            yield f"{one['figure']}: ours is {one['ours']}, its saving says {one['saving']['display']}"
        if one["explained"] is not None:
            again = Decimal(str(one["saving"]["percent"])).quantize(_POINTS, ROUND_HALF_UP)
            if one["equal"]:
                yield f"{one['figure']}: equal, and explained all the same"
            elif one["published"] != f"{again} %":
                yield f"{one['figure']}: {one['published']} is not {one['saving']['percent']} rounded again"
    figures = recorded["figures"]
    counted = sum(one["equal"] for one in figures), sum(one["explained"] is not None for one in figures)
    if (*counted, len(figures)) != tuple(recorded[key] for key in _TOTALS):
        yield f"of {len(figures)} figures {counted[0]} are equal and {counted[1]} explained, recorded otherwise"


def schema(subject: Subject) -> Iterator[str]:
    """Validate every result, and compare every schema with the one that its type gives."""
    for path in subject.recorded():
        name = path.removeprefix("results/").removesuffix(".json")
        kind = subject.tables.get(name)
        if kind is None:
            yield f"{path}: no experiment of this name"
            continue
        beside = content(subject.files, results.schema_path(name))
        if beside != results.schema(kind):
            yield f"{results.schema_path(name)}: not the schema of {kind.__name__}"
        for message in _invalid(beside, content(subject.files, path)):
            yield f"{path}  {message}"


@lru_cache(maxsize=256)
def _invalid(schema: bytes, document: bytes) -> tuple[str, ...]:
    """What is wrong with a result under a schema; the same two files are judged once."""
    import jsonschema  # beside Jupyter it takes seconds to import, and a table needs it not

    errors = jsonschema.Draft202012Validator(json.loads(schema)).iter_errors(json.loads(document))
    return tuple(f"{error.json_path}: {error.message[:120]}" for error in errors)


def manifest(subject: Subject) -> Iterator[str]:
    """Hash every file that the manifest lists, and look for results that it does not list."""
    recorded = subject.plain(_MANIFEST)
    listed = {entry["file"]: entry["sha256"] for entry in recorded["files"]}
    for path, sha256 in listed.items():
        if hashlib.sha256(content(subject.files, path)).hexdigest() != sha256:
            yield f"{path}: not the file that the results were measured with"
    for path in subject.recorded():
        if path not in (*listed, _MANIFEST, *_NOT_MEASURED_AGAIN):
            yield f"{path}: not in {_MANIFEST}"
    if f"tiktoken {recorded['versions']['tiktoken']}" != authority(*VOCABULARIES):
        yield f"counted with tiktoken {recorded['versions']['tiktoken']}, here is {authority(*VOCABULARIES)}"
    for entry in recorded["vocabularies"]:
        data = subject.vocabularies.get(entry["encoding"], b"")
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            yield f"{entry['encoding']}: not the vocabulary that the results were counted with"


def canonical_bytes(subject: Subject) -> Iterator[str]:
    """Write every result again and compare, and look for marks of a time or a machine."""
    for path in subject.recorded():
        text = content(subject.files, path)
        if text != canonical(subject.plain(path)):
            yield f"{path}: not in canonical bytes"
        for number, line in enumerate(text.decode(errors="replace").splitlines(), start=1):
            if _MACHINE.search(line):
                yield f"{path}, line {number}: holds what looks like a time or a path of a machine"


def documents(subject: Subject) -> Iterator[str]:
    """Render every document and draw every figure again, and compare; look for figures that nothing draws."""
    rendered = subject.documents(subject.files)
    for path in subject.files:
        if path.startswith(_FIGURES) and path not in rendered:
            yield f"{path}: no figure of this name"
    for path, text in rendered.items():
        recorded = subject.files.get(path, b"")
        if recorded != text:
            old, new = recorded.decode(errors="replace").splitlines(), text.decode().splitlines()
            lines = enumerate(zip_longest(old, new, fillvalue="nothing"), start=1)
            number, was, now = next(
                ((n, was, now) for n, (was, now) in lines if was != now), (0, "", "other line ends")
            )
            yield f"{path}: stale from line {number}: recorded {_cut(was)}, rendered {_cut(now)}"


def drift(subject: Subject) -> Iterator[str]:
    """Measure again and compare leaf by leaf."""
    measured = subject.again(subject)
    for path, data in measured.items():
        if path in subject.files:
            yield from results.differences(path, subject.files[path], data)
        else:
            yield f"{path}  recorded nothing  measured {len(data):,} bytes"
    for path in subject.recorded():
        if path not in (*measured, *_NOT_MEASURED_AGAIN):
            yield f"{path}  recorded, but no experiment writes it"


def _cut(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "...")


def _hundredths(percent: str) -> int:
    """Whole hundredths of a point in a printed percentage; "<0.01" is none."""
    return 0 if percent.lstrip("<>-").startswith("0.01") and percent[0] in "<>" else int(percent.replace(".", ""))


GATES = (
    Gate(
        "ranges",
        "a published range holds exactly if none of our savings lies outside it",
        ranges,
        "a verdict on a published range is wrong: run `measure run`",
    ),
    Gate(
        "replication",
        "a published figure is called equal exactly if ours is the same; an explanation explains; all are counted",
        replication,
        "the recorded replication is wrong: run `measure run --original DIR`",
    ),
    Gate(
        "schema",
        "every result validates against the JSON Schema beside it, which is the one of its type",
        schema,
        "a result has another shape than it says: run `measure run`",
    ),
    Gate(
        "manifest",
        "the results' manifest names the versions and hashes of what lies here",
        manifest,
        "the results belong to other inputs: run `measure run`",
    ),
    Gate(
        "canonical",
        "every result is in canonical bytes, and no value of it is a time or begins as a path of a machine",
        canonical_bytes,
        "a result was edited by hand: run `measure run`",
    ),
    Gate(
        "documents",
        "the tables in README.md and results/README.md, and the figures, are those of the results",
        documents,
        "a table in a document, or a figure, is stale: run `measure run`",
    ),
    Gate(
        "drift",
        "measured again, every recorded value comes out the same",
        drift,
        "find out why it moved; `measure run` records the new values",
    ),
)
