"""What a picture or a document in a transcript weighs: bytes, pixels, pages, read from the data itself.

A provider charges an image by its pixels, and transcripts rarely say how many there are. The headers of PNG, JPEG,
GIF and WebP do. Not handled: other pictures, and the turn that a JPEG's EXIF data asks for; their size, or its sides'
order, is unknown. Pages are counted where a PDF names them in the clear; many keep them in compressed streams.
"""

import base64
import binascii
import re
import struct

from measure.transcripts.model import Document, Image

_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")
_DATA_URL = re.compile(r"data:([^;,]*)[^,]*;base64,")
_NO_FRAME = {0xC4, 0xC8, 0xCC}  # among JPEG's C0 to CF, those that hold no size
_BARE = {0x01, *range(0xD0, 0xD9)}  # markers without a length


def image(media_type: str, encoded: str = "") -> Image:
    """The picture in base64 text; where nothing can be decoded (a URL, data taken out), its size is unknown."""
    data = decoded(encoded)
    width, height = pixels(data) or (None, None)
    return Image(media_type, len(data), width, height)


def linked_image(url: str) -> Image:
    """The picture that a URL names: that of a data URL, else one of unknown size.

    >>> linked_image("https://example.com/a.png")
    Image(media_type='', bytes=0, width=None, height=None)
    """
    found = _DATA_URL.match(url)
    return image(found[1], url[found.end() :]) if found else image("")


def document(media_type: str, encoded: str = "", title: str = "") -> Document:
    """The document in base64 text or in a data URL: its text where it is one, else its bytes and pages."""
    found = _DATA_URL.match(encoded)
    if found:
        media_type, encoded = found[1] or media_type, encoded[found.end() :]
    data = decoded(encoded)
    if media_type.startswith("text/") and data:
        try:
            return Document(media_type, data.decode(), title=title)
        except UnicodeDecodeError:
            pass
    return Document(media_type, None, len(data), len(_PAGE.findall(data)) or None, title)


def decoded(encoded: str) -> bytes:
    """The bytes of base64 text; none where it is not base64."""
    text = "".join(encoded.split())
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def pixels(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, JPEG, GIF or WebP; None for anything else, or where the header is cut."""
    try:
        found = _pixels(data)
    except (struct.error, IndexError):
        return None
    return found if found and all(found) else None


def _pixels(data: bytes) -> tuple[int, int] | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        width, height = struct.unpack_from(">II", data, 16)
    elif data.startswith((b"GIF87a", b"GIF89a")):
        width, height = struct.unpack_from("<HH", data, 6)
    elif data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    else:
        return None
    return width, height


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Walk over the segments to the first frame."""
    at = 2
    while data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF:  # a byte of padding
            at += 1
        elif kind in _BARE:
            at += 2
        elif 0xC0 <= kind <= 0xCF and kind not in _NO_FRAME:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        else:
            at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return (width, height) if len(data) >= 30 else None
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None
