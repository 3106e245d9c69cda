"""Gates on what goes in: fixtures, scenario, aliases, vocabularies."""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import pairwise

from measure import sessions, shapes
from measure.formats.aliased import legend
from measure.gates.subject import Gate, Subject
from measure.records import RecordSet
from measure.scenario import Files, FixtureFile, content, generated, manifest, scenario, tasks, tasks_path
from measure.tokens import VOCABULARIES


def fixtures(subject: Subject) -> Iterator[str]:
    """Compare each file with its manifest and the reverse: the board's, the shapes' and the sessions'."""
    listed = {f"fixtures/{entry.file}": entry for entry in manifest(subject.files).files}
    yield from _as_listed(subject.files, generated(subject.files), listed)
    for rows in scenario(subject.files).scales:
        listing = listed.get(tasks_path(rows))
        records = tasks(subject.files, rows)
        if listing is None or (listing.rows, listing.records_sha256) != (
            len(records),
            records.digest(),
        ):
            yield f"{tasks_path(rows)}: its rows are not the ones that the manifest lists"
    yield from _shapes(subject.files)
    entries = sessions.session_manifest(subject.files).files
    listed_sessions = {f"{sessions.SESSIONS_FOLDER}/{entry.file}": entry for entry in entries}
    yield from _as_listed(subject.files, sessions.session_files(subject.files), listed_sessions)


def _as_listed(
    files: Files, paths: list[str], listed: Mapping[str, FixtureFile | shapes.ShapeFile | sessions.SessionFile]
) -> Iterator[str]:
    for path in paths:
        if path not in listed:
            yield f"{path}: not in the manifest"
    for path, entry in listed.items():
        data = content(files, path)
        found = hashlib.sha256(data).hexdigest()
        if (found, len(data)) != (entry.sha256, entry.bytes):
            yield f"{path}: SHA-256 {found[:12]}…, {len(data):,} bytes; listed {entry.sha256[:12]}…, {entry.bytes:,}"


def _shapes(files: Files) -> Iterator[str]:
    """The same of the shapes' files; each is some shape's, and each shape can be made."""
    listed = {f"{shapes.SHAPES_FOLDER}/{entry.file}": entry for entry in shapes.shape_manifest(files).files}
    yield from _as_listed(files, shapes.shape_files(files), listed)
    named = {shape.file for shape in shapes.shapes(files)}
    for path, entry in listed.items():
        rows = shapes.file_rows(files, path)
        digest = None if shapes.lacks_fields(rows) else RecordSet.of(rows).digest()
        if (entry.rows, entry.records_sha256) != (len(rows), digest):
            yield f"{path}: its rows are not the ones that the manifest lists"
        if path not in named:
            yield f"{path}: no shape in {shapes.SHAPES} is made of it"
    for shape in shapes.shapes(files):
        shapes.rows(files, shape)  # or it says what is wrong


def scales(subject: Subject) -> Iterator[str]:
    """Compare each scale with the beginning of the next."""
    counts = scenario(subject.files).scales
    sets = [tasks(subject.files, rows) for rows in counts]
    for rows, records in zip(counts, sets, strict=True):
        if len(records) != rows:
            yield f"{tasks_path(rows)}: {len(records)} rows"
    for small, large in pairwise(sets):
        if small.digest() != large.head(len(small)).digest():
            yield f"the {len(small)} rows are not the first of the {len(large)}"


def scenario_agrees(subject: Subject) -> Iterator[str]:
    """Compare the scenario with itself and with the records."""
    plan = scenario(subject.files)
    inside = plan.query.partition("{")[2].partition("}")[0].split()
    if inside != plan.projected:
        yield f"the query {plan.query!r} does not name the projected fields {' '.join(plan.projected)}"
    if plan.legend != legend(plan.aliases):
        yield f"the legend does not explain exactly the aliases {' '.join(plan.aliases.values())}"
    for rows in plan.scales:
        fields = tasks(subject.files, rows).fields
        if list(fields) != plan.full:
            yield f"{tasks_path(rows)}: its fields are not the scenario's: {', '.join(fields)}"


def aliases(subject: Subject) -> Iterator[str]:
    """Look at the header that the aliases make."""
    plan = scenario(subject.files)
    header = [plan.aliases.get(field, "") for field in plan.projected]
    for field, alias in zip(plan.projected, header, strict=True):
        if not alias:
            yield f"the field {field!r} has no alias: its column would be dropped"
        elif len(alias) >= len(field):
            yield f"the alias {alias!r} does not shorten {field!r}"
        elif header.count(alias) > 1:
            yield f"the alias {alias!r} stands for {header.count(alias)} columns"
    for field in plan.aliases:
        if field not in plan.projected:
            yield f"the alias {plan.aliases[field]!r} stands for {field!r}, which is not projected"
    for rung in subject.rungs:
        if rung.name == "L5":
            one = RecordSet.of([dict.fromkeys(plan.projected, "")])
            written = "".join(rung.form(plan.aliases).encode(one)).splitlines()[0]
            if written != ",".join(header):
                yield f"the header is written {written!r}, not {','.join(header)!r}"


def vocabulary(subject: Subject) -> Iterator[str]:
    """Hash the vocabularies' bytes."""
    for name, row in VOCABULARIES.items():
        found = hashlib.sha256(subject.vocabularies.get(name, b"")).hexdigest()
        if found != row.sha256:
            yield f"{name}: SHA-256 {found[:12]}…, tiktoken names {row.sha256[:12]}…"


GATES = (
    Gate(
        "fixtures",
        "every fixture is the file that its manifest lists: SHA-256, bytes, rows, digest; and each shape can be made",
        fixtures,
        "a fixture was edited: write the fixtures again with `make fixtures`",
    ),
    Gate(
        "scales",
        "the smaller scales are the first rows of the larger, so only the number of rows differs",
        scales,
        "compare no two scales: write the fixtures again with `make fixtures`",
    ),
    Gate(
        "scenario",
        "the query names the projected fields, the legend every alias, and the records have all fields",
        scenario_agrees,
        "correct fixtures/scenario.toml",
    ),
    Gate(
        "aliases",
        "the alias header drops no column, puts no two on one alias, and shortens each name",
        aliases,
        "correct the aliases in fixtures/scenario.toml",
    ),
    Gate(
        "vocabulary",
        "every vocabulary has the SHA-256 that tiktoken names",
        vocabulary,
        "no count can be believed: install the package again",
    ),
)
