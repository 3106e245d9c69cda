"""The shapes: other data than the board, on which a format may fare otherwise. Parsed from bytes, never from disk.

`fixtures/shapes.toml` says which rows a shape is made of and which fields it keeps. Rows are dictionaries here and
no record set, because a shape may be sparse, which a record set refuses.
"""

import tomllib
from pathlib import PurePosixPath
from typing import Annotated

import msgspec

from measure.errors import BadInput
from measure.rows import Record, json_rows
from measure.scenario import Files, content
from measure.values import check_value, repeated

SHAPES = "fixtures/shapes.toml"
SHAPES_FOLDER = "fixtures/shapes"
SHAPES_MANIFEST = f"{SHAPES_FOLDER}/manifest.json"


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rows of one kind: `fields` are those kept, all where there are none; `sparse` where rows lack some."""

    name: str
    file: str
    exercises: str
    fields: list[str] = []
    sparse: bool = False


class Shapes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/shapes.toml`, field by field."""

    shapes: Annotated[list[Shape], msgspec.Meta(min_length=1)]


class ShapeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the shapes' manifest says of one file; sparse rows make no record set and have no digest."""

    file: str
    sha256: str
    bytes: int
    rows: int
    records_sha256: str | None


class ShapeManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/shapes/manifest.json`, field by field."""

    seed: int
    evidence: str
    files: list[ShapeFile]


def shapes(files: Files) -> list[Shape]:
    """The shapes in `files`, in their order.

    Raises:
        BadInput: the list is missing, is not what `Shapes` describes, or has two shapes of one name.
    """
    try:
        listed = msgspec.convert(tomllib.loads(content(files, SHAPES).decode()), Shapes).shapes
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise BadInput(str(error), where=SHAPES) from None
    twice = repeated([shape.name for shape in listed])
    if twice is not None:
        raise BadInput(f"two shapes are named {twice!r}", where=SHAPES)
    return listed


def shape_manifest(files: Files) -> ShapeManifest:
    """The shapes' manifest in `files`.

    Raises:
        BadInput: it is missing, or not what `ShapeManifest` describes.
    """
    try:
        return msgspec.json.decode(content(files, SHAPES_MANIFEST), type=ShapeManifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(str(error), where=SHAPES_MANIFEST) from None


def rows(files: Files, shape: Shape) -> list[Record]:
    """The rows of a shape: the fields that it keeps, in its order; what a sparse row lacks it still lacks.

    Raises:
        BadInput: the file is missing or holds no rows, a field is in none of them or named twice, or the rows are
            sparse and the shape is not called so, or the reverse.
    """
    whole = file_rows(files, shape.file)
    known = list(dict.fromkeys(field for row in whole for field in row))
    for field in shape.fields:
        if field not in known:
            raise BadInput(
                f"{shape.name}: no row has the field {field!r}", where=shape.file, right=f"known: {', '.join(known)}"
            )
    twice = repeated(shape.fields)
    if twice is not None:
        raise BadInput(f"{shape.name}: field {twice!r} is named twice", where=SHAPES)
    kept = whole
    if shape.fields:
        kept = [{field: row[field] for field in shape.fields if field in row} for row in whole]
    if lacks_fields(kept) != shape.sparse:
        said = "every row has the same fields" if shape.sparse else "rows lack fields"
        right = f"say sparse = {str(not shape.sparse).lower()} in {SHAPES}"
        raise BadInput(f"{shape.name}: {said}", where=shape.file, right=right)
    return kept


def file_rows(files: Files, path: str) -> list[Record]:
    """All rows of one file, whole.

    Raises:
        BadInput: it is missing, is no JSON of objects, holds none, or a value that JSON cannot write.
    """
    try:
        text = content(files, path).decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"byte {error.start} is not UTF-8", where=path) from None
    found = list(json_rows([text], path))
    if not found:
        raise BadInput("no rows", where=path, right="at least one is needed")
    for number, row in enumerate(found, start=1):
        for field, value in row.items():
            check_value(value, f"row {number}, field {field!r}", path)
    return found


def lacks_fields(found: list[Record]) -> bool:
    """Whether the rows are sparse: not all have the same fields, whatever their order."""
    return any(row.keys() != found[0].keys() for row in found)


def shape_files(files: Files) -> list[str]:
    """The files that the shapes' manifest must list."""
    return sorted(
        path for path in files if str(PurePosixPath(path).parent) == SHAPES_FOLDER and path != SHAPES_MANIFEST
    )
