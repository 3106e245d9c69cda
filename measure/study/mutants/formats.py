"""Mutants of representations: formats, delimiters, projections."""

from typing import Any

from measure.study.damage import Mutant, at, edited_json, more

_FAMILIES = "results/families.json"
_FORMATS, _BEYOND, _PROJECTIONS = "results/formats.json", "results/beyond_the_header.json", "results/projections.json"


def _call_lossless(value: Any) -> None:
    one = next(one for shape in value["shapes"] for one in shape["counts"] if not one["lossless"])
    one.update(lossless=True, lost=[])


def _wrong_whole(value: Any) -> None:
    """In percent of pretty JSON, which flatters every format."""
    counts = value["shapes"][0]["counts"]
    pretty = next(one for one in counts if one["format"] == "pretty")
    counts[0]["share"]["denominator"]["tokens"] = pretty["tokens"]


def _rank_together(value: Any) -> None:
    for shape in value["shapes"]:
        shape["counts"].sort(key=lambda one: (one["encoding"], one["tokens"]))


def _drop_format(value: Any) -> None:
    shape = value["shapes"][0]
    shape["counts"] = [one for one in shape["counts"] if one["format"] != "toon"]


def _call_measured(value: Any) -> None:
    for one in value["counts"]:
        one["evidence"] = "measured"


MUTANTS = (
    Mutant("formats", "a lossy format called lossless", edited_json(_FORMATS, _call_lossless)),
    Mutant("formats", "a ratio against the wrong denominator", edited_json(_FORMATS, _wrong_whole)),
    Mutant("formats", "lossy formats ranked among lossless ones", edited_json(_FORMATS, _rank_together)),
    Mutant("formats", "a format left out", edited_json(_FORMATS, _drop_format)),
    Mutant(
        "beyond",
        "a delimiter that saves more",
        edited_json(_BEYOND, at("delimiters", 0, "saving", "saved_tokens", to=more(9))),
    ),
    Mutant("beyond", "a lossy form called the cheapest", edited_json(_BEYOND, at("cheapest", 0, "lossless", to="csv"))),
    Mutant("beyond", "a delimiter left out", edited_json(_BEYOND, lambda value: value["delimiters"].pop(2))),
    Mutant("beyond", "a flip left out", edited_json(_BEYOND, lambda value: value["flips"].pop())),
    Mutant(
        "families",
        "an encoding whose vocabulary differs",
        edited_json(_FAMILIES, at("families", 1, "fingerprint", to="0" * 64)),
    ),
    Mutant(
        "families",
        "a ratio against another vocabulary's count",
        edited_json(_FAMILIES, at("counts", 3, "share", "denominator", "tokens", to=more(100))),
    ),
    Mutant("families", "a count one token off", edited_json(_FAMILIES, at("counts", 5, "tokens", to=more(1)))),
    Mutant("families", "a reconstruction called measured", edited_json(_FAMILIES, _call_measured)),
    Mutant(
        "projections",
        "a projection a token off",
        edited_json(_PROJECTIONS, at("projections", 7, "tokens", to=more(1))),
    ),
    Mutant("projections", "a subset left out", edited_json(_PROJECTIONS, lambda value: value["projections"].pop(9))),
    Mutant(
        "projections",
        "the study's choice placed elsewhere among its like",
        edited_json(_PROJECTIONS, at("placed", 0, "save_more", to=more(5))),
    ),
)
