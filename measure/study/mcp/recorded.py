"""The captures as they lie in a checkout, read once for every experiment that asks of them."""

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from measure.errors import BadInput
from measure.mcp.captures import RUNGS, Capture, CaptureManifest, Exchange
from measure.query import ask
from measure.scenario import CAPTURES, Files, Scenario, content, dataset

Kind = TypeVar("Kind", bound=msgspec.Struct)
MANIFEST = f"{CAPTURES}/manifest.json"
OUTPUTS = {"L0": "pretty", "L1": "json", "L2": "pretty", "L3": "json", "L4": "compact"}
SERIALIZATIONS = {"pretty": "pretty", "json": "minified", "compact": "compact"}


def manifest(files: Files) -> CaptureManifest:
    """The captures' manifest.

    Raises:
        BadInput: it is missing, or not what `CaptureManifest` describes.
    """
    return _decoded(files, MANIFEST, CaptureManifest)


def captures(files: Files) -> Iterator[tuple[str, Capture]]:
    """Every capture that the manifest lists, in its order, under its file's name.

    Raises:
        BadInput: one is missing, or not what `Capture` describes.
    """
    for listed in manifest(files).files:
        yield listed.file, _decoded(files, f"{CAPTURES}/{listed.file}", Capture)


def exchanges(files: Files) -> list[Exchange]:
    """Every request of every capture with its response.

    Raises:
        BadInput: a capture is missing or damaged.
    """
    return [one for _, capture in captures(files) for one in capture.exchanges()]


def payloads(files: Files, plan: Scenario, scales: set[int]) -> dict[tuple[str, int], str]:
    """What the layer itself writes for each rung, at these scales: the payload that a result carries."""
    held = {rows: dataset(files, rows) for rows in sorted(scales)}
    return {
        (rung, rows): ask(plan.full_query if rung in ("L0", "L1") else plan.query, asked, OUTPUTS[rung])
        for rows, asked in held.items()
        for rung in RUNGS
    }


def serialization(call: str) -> str:
    """How the payload of a call is written; empty where there is none."""
    return SERIALIZATIONS[OUTPUTS[call]] if call in OUTPUTS else ""


def _decoded(files: Files, path: str, kind: type[Kind]) -> Kind:
    try:
        return msgspec.json.decode(content(files, path), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(str(error), where=path, right="`make captures` writes it") from None
