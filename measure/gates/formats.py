"""Gates on representations: every one counted or refused, lossless by decoding again, shares of the right text."""

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import msgspec

from measure.engines import installed
from measure.families import FAMILIES
from measure.formats import FORMATS
from measure.gates.subject import Gate, Subject
from measure.records import RecordSet
from measure.representation import all_formats
from measure.scenario import Files, content, scenario
from measure.shapes import Shape, rows, shapes
from measure.tokens import remembered
from measure.values import MISSING, identical

_FAMILIES = "results/families.json"
_DELIMITERS = ("tsv", "pipe", "space")
_STANDARD = ("minified", "columnar", "arrays", "jsonl")
_SAVINGS = ("lossless_saving", "standard_saving")
_FORMATS, _BEYOND = "results/formats.json", "results/beyond_the_header.json"


def formats(subject: Subject) -> Iterator[str]:
    """Write every shape in every format again, read it back value by value, and count it."""
    encodings = scenario(subject.files).encodings
    recorded = {one["shape"]: one for one in subject.plain(_FORMATS)["shapes"]}
    listed = shapes(subject.files)
    if list(recorded) != [shape.name for shape in listed]:
        yield "not every shape is counted, once and in order"
    for shape in listed:
        found = recorded.get(shape.name, {"counts": [], "refusals": []})
        counted = {(one["format"], one["encoding"]): one for one in found["counts"]}
        refused = {one["format"] for one in found["refusals"]}
        wanted = set(product(set(all_formats()) - refused, encodings))
        if set(counted) != wanted or len(found["counts"]) != len(wanted):
            yield f"{shape.name}: not every format is counted in every encoding, or refused"
        for name in dict.fromkeys(name for name, _ in counted):
            text, lossless = _decoded(subject.files, shape, name)
            for one in (one for (form, _), one in counted.items() if form == name):
                yield from _format(f"{shape.name}, {name}", text, lossless, one)
        yield from _shares(shape.name, found["counts"])


def _format(place: str, text: str, lossless: bool, one: dict[str, Any]) -> Iterator[str]:
    place = f"{place}, {one['encoding']}"
    if one["lossless"] != lossless or bool(one["lost"]) == lossless:
        yield f"{place}: called lossless: {one['lossless']}, decoded again: {lossless}"
    if one["tokens"] != remembered(text, one["encoding"]):
        yield f"{place}: {one['tokens']} tokens, counted again {remembered(text, one['encoding'])}"
    held, empty = (remembered(_member(said), one["encoding"]) for said in (text, ""))
    inside = held - empty - one["tokens"]
    if one["in_mcp_string"] != inside:
        yield f"{place}: {one['in_mcp_string']} tokens more in an MCP string, counted again {inside}"


def _member(text: str) -> str:
    """A text as a string in a line of JSON, as MCP holds it."""
    return json.dumps({"text": text, "type": "text"}, ensure_ascii=False, separators=(",", ":"))


def _decoded(files: Files, shape: Shape, name: str) -> tuple[str, bool]:
    """The text of a shape in a format, and whether it is lossless, value by value."""
    return _written(content(files, shape.file), msgspec.json.encode(shape), name)


@lru_cache(maxsize=512)  # most mutants of this gate damage a table and no shape
def _written(data: bytes, encoded: bytes, name: str) -> tuple[str, bool]:
    shape = msgspec.json.decode(encoded, type=Shape)
    records = RecordSet.of(rows({shape.file: data}, shape), shape.file, sparse=shape.sparse)
    form = FORMATS[name]()
    text = "".join(form.encode(records))
    originals = (dict(zip(records.fields, row, strict=True)) for row in records.rows())
    back = list(form.decode([text]))
    return text, len(back) == len(records) and all(
        identical(_present(one), _present(two)) for one, two in zip(originals, back, strict=True)
    )


def _present(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value is not MISSING}


def _shares(shape: str, counts: list[dict[str, Any]]) -> Iterator[str]:
    base = {one["encoding"]: one["tokens"] for one in counts if one["format"] == "minified"}
    for one in counts:
        whole = one["share"]["denominator"]
        if (whole["tokens"], whole["serialization"]) != (base.get(one["encoding"]), "minified"):
            yield f"{shape}, {one['format']}: in percent of {whole}, not of minified JSON of the same rows"
        if one["share"]["tokens"] != one["tokens"]:
            yield f"{shape}, {one['format']}: {one['share']['tokens']} tokens in percent, {one['tokens']} counted"
    for encoding in base:
        order = [one["lossless"] for one in counts if one["encoding"] == encoding]
        if order != sorted(order, reverse=True):
            yield f"{shape}, {encoding}: a lossy format is ranked among the lossless ones"


def beyond(subject: Subject) -> Iterator[str]:
    """Take every difference again from the counted formats; look for every pair that flips."""
    counted = {
        (shape["shape"], one["encoding"], one["format"]): one
        for shape in subject.plain(_FORMATS)["shapes"]
        for one in shape["counts"]
    }
    recorded = subject.plain(_BEYOND)
    found = [(one["shape"], one["encoding"], one["delimiter"]) for one in recorded["delimiters"]]
    if len(found) != len(set(found)) or set(found) != {key for key in counted if key[2] in _DELIMITERS}:
        yield "not every delimiter is set against the comma on every shape, once"
    for one in recorded["delimiters"]:
        comma, ours = (counted[one["shape"], one["encoding"], name] for name in ("csv", one["delimiter"]))
        whole = one["saving"]["denominator"]["tokens"]
        saved = one["saving"]["saved_tokens"]
        if (whole, saved) != (comma["tokens"], comma["tokens"] - ours["tokens"]):
            yield f"{one['shape']}, {one['delimiter']}: {saved} of {whole} is not the difference"
    for one in recorded["cheapest"]:
        held = [c for key, c in counted.items() if key[:2] == (one["shape"], one["encoding"]) and c["lossless"]]
        least = min(c["tokens"] for c in held)
        named = {c["format"]: c["tokens"] for c in held}
        place = f"{one['shape']}, {one['encoding']}"
        if named.get(one["lossless"]) != least:
            yield f"{place}: {one['lossless']} is not the cheapest lossless form"
        standard = min(named[name] for name in _STANDARD if name in named)
        if named.get(one["standard"]) != standard:
            yield f"{place}: {one['standard']} is not the cheapest plain JSON"
        savings = [(one[part]["denominator"]["tokens"], one[part]["saved_tokens"]) for part in _SAVINGS]
        base = named["minified"]
        if savings != [(base, base - least), (base, base - standard)]:
            yield f"{place}: the savings are not those of {base}, {least} and {standard} tokens"
        if one["columnar_over_cheapest"] != named.get("columnar", base) - least:
            yield f"{place}: columnar JSON does not cost {one['columnar_over_cheapest']} more"
    flips = {(one["shape"], one["cheaper"], one["dearer"], one["encoding"]) for one in recorded["flips"]}
    places = dict.fromkeys((shape, encoding) for shape, encoding, _ in counted)
    wanted = set()
    for shape in dict.fromkeys(shape for shape, _ in places):
        names = dict.fromkeys(key[2] for key, one in counted.items() if key[0] == shape and one["lossless"])
        here, there = (encoding for place, encoding in places if place == shape)
        for one, two in combinations(names, 2):
            first, second = (
                counted[shape, encoding, one]["tokens"] - counted[shape, encoding, two]["tokens"]
                for encoding in (here, there)
            )
            if first * second < 0:
                wanted.add((shape, *((one, two) if first < 0 else (two, one)), here))
    if flips != wanted:
        yield f"{len(flips)} pairs flip by the table, {len(wanted)} by the counts"


def families(subject: Subject) -> Iterator[str]:
    """Compare each family's row with the registry, and count again in those that are installed."""
    recorded = subject.plain(_FAMILIES)
    rows_of = {one["family"]: one for one in recorded["families"]}
    if list(rows_of) != list(FAMILIES):
        yield "the families counted are not those of the registry"
    for name, one in rows_of.items():
        row = FAMILIES.get(name)
        if row is None or (one["authority"], one["fingerprint"]) != (row.authority, row.fingerprint):
            yield f"{name}: counted by {one['authority']}, fingerprint {one['fingerprint'][:12]}…, not the registry's"
    base = {(one["family"], one["shape"]): one["tokens"] for one in recorded["counts"] if one["format"] == "minified"}
    found = [(one["family"], one["shape"], one["format"]) for one in recorded["counts"]]
    shapes_of = dict.fromkeys(shape for _, shape, _ in found)
    if found != list(product(FAMILIES, shapes_of, all_formats())):
        yield "not every family is counted in every format of every shape"
    simulated = {one["family"] for one in recorded["counts"] if one["evidence"] == "simulated"}
    if simulated != {name for name, row in FAMILIES.items() if row.evidence == "reconstruction"}:
        yield f"counted by a reconstruction: {', '.join(sorted(simulated))}"
    listed = {shape.name: shape for shape in shapes(subject.files)}
    for one in recorded["counts"]:
        place = f"{one['family']}, {one['shape']}, {one['format']}"
        if one["share"]["denominator"]["tokens"] != base.get((one["family"], one["shape"])):
            yield f"{place}: in percent of another vocabulary's count"
        row = FAMILIES.get(one["family"])
        if row and installed(row.package):
            text, _ = _decoded(subject.files, listed[one["shape"]], one["format"])
            tokens = remembered(text, row.name)
            if (one["tokens"], one["share"]["tokens"]) != (tokens, tokens):
                yield f"{place}: {one['tokens']} tokens, counted again {tokens}"


GATES = (
    Gate(
        "formats",
        "every shape is counted in every format or refused, lossless only by decoding, each ratio of its minified JSON",
        formats,
        "a representation is miscounted or called what it is not: run `measure run`",
    ),
    Gate(
        "beyond",
        "a delimiter saves the difference of two counted texts, the cheapest form is lossless, every flip is listed",
        beyond,
        "a comparison of representations is wrong: run `measure run`",
    ),
    Gate(
        "families",
        "every family is counted in every format under its own name and version, and no ratio is of another vocabulary",
        families,
        "a vocabulary is not the one named: install the extra, and run `measure run`",
    ),
)
