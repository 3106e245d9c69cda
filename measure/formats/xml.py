r"""XML elements, indented: a `record` element a row, an element a field, named for it.

As tools write them: without types, so that everything comes back as text, and null, an empty array and an empty
object as empty text. Nested objects are nested elements, arrays elements named `item`. A name that XML does not
take (or that has a meaning here) is written `<member name="...">`; one with a character that XML 1.0 does not
have at all is refused. Such a character in a value becomes U+FFFD, as in a text that was decoded badly.
"""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from measure.errors import BadInput
from measure.formats.base import Format, batches
from measure.records import RecordSet
from measure.values import MISSING, Value, plain

_NAME = re.compile(r"(?!(?i:xml))(?!(?:item|member)\Z)[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;", "\n": "&#10;", "\t": "&#9;"}
)
_BLANK = " \t\r\n"


class Xml(Format):
    r"""Indented by two spaces, the fields in the order of the projection.

    >>> "".join(Xml().encode(RecordSet.of([{"id": 1, "note": "a < b"}])))
    '<records>\n  <record>\n    <id>1</id>\n    <note>a &lt; b</note>\n  </record>\n</records>\n'
    """

    serialization = "xml"
    label = "XML"
    keeps_field_order = True
    cannot_carry = (
        "types, nor empty values apart: numbers and booleans come back as text, null, [] and {} as empty text; nor"
        " most control characters"
    )

    def encode(self, records: RecordSet) -> Iterator[str]:
        """See `Format.encode`."""
        yield "<records>\n"
        for batch in batches(records.present(self.order(records))):
            yield "".join("".join(_element("record", "record", record, "  ")) for record in batch)
        yield "</records>\n"

    def decode(self, pieces: Iterable[str]) -> Iterator[dict[str, Value]]:
        """See `Format.decode`."""
        parser = XMLParser(target=_Builder())
        try:
            for piece in pieces:
                parser.feed(piece)
            root: Element = parser.close()
        except ParseError as error:
            raise BadInput(f"not XML: {error}", where="the payload") from None
        except UnicodeError:
            raise BadInput("not XML: a lone surrogate", where="the payload") from None
        if root.tag != "records":
            raise BadInput(f"the root element is {root.tag!r}", where="the payload", right="'records' is needed")
        _only_blank(root.text, "the root element")
        for number, element in enumerate(root, start=1):
            place = f"row {number}"
            if element.tag != "record":
                raise BadInput(f"{place}: a {element.tag!r} element", where="the payload", right="'record' is needed")
            _only_blank(element.tail, place)
            try:
                yield _members(element, place)
            except RecursionError:
                raise BadInput(f"{place}: nested too deeply", where="the payload") from None

    def carry(self, value: Value) -> Value:
        """Text, whatever it was; arrays and objects of it; empty text for what is empty."""
        if isinstance(value, list) and value:
            return list(map(self.carry, value))
        if isinstance(value, dict) and value:
            return {key: self.carry(inner) for key, inner in value.items()}
        return value if value is MISSING else _NOT_XML.sub("\ufffd", _leaf(value))


class _Builder(TreeBuilder):
    """The standard tree builder, which a document type declaration stops: no payload of ours has entities."""

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        raise ParseError("a document type declaration")


def _leaf(value: Value) -> str:
    return "" if value is None or value == [] or value == {} else plain(value)


def _element(start: str, end: str, value: Value, indent: str) -> Iterator[str]:
    """The pieces of one element; `start` is its name and attributes."""
    inner: Iterable[tuple[str, str, Value]]
    if isinstance(value, dict) and value:
        inner = ((*_tag(name), member) for name, member in value.items())
    elif isinstance(value, list) and value:
        inner = (("item", "item", member) for member in value)
    else:
        text = _NOT_XML.sub("\ufffd", _leaf(value)).translate(_TEXT)
        yield f"{indent}<{start}>{text}</{end}>\n" if text else f"{indent}<{start}/>\n"
        return
    yield f"{indent}<{start}>\n"
    for member in inner:
        yield from _element(*member, indent + "  ")
    yield f"{indent}</{end}>\n"


def _tag(name: str) -> tuple[str, str]:
    """What stands in the start tag and in the end tag of the field `name`."""
    if _NAME.match(name):
        return name, name
    if _NOT_XML.search(name):
        raise BadInput(f"XML 1.0 cannot write a character of the name {name!r}", right="rename the field")
    return f'member name="{name.translate(_ATTRIBUTE)}"', "member"


def _members(element: Element, place: str) -> dict[str, Value]:
    _only_blank(element.text, place)
    found: dict[str, Value] = {}
    for child in element:
        name = child.get("name") if child.tag == "member" else child.tag
        if name is None or child.tag == "item":
            raise BadInput(f"{place}: a {child.tag!r} element without a name", where="the payload")
        if name in found:
            raise BadInput(f"{place}: the element {name!r} stands twice", where="the payload")
        _only_blank(child.tail, place)
        found[name] = _read(child, place)
    return found


def _read(element: Element, place: str) -> Value:
    if not len(element):
        return element.text or ""
    if any(child.tag != "item" for child in element):
        return _members(element, place)
    _only_blank(element.text, place)
    for child in element:
        _only_blank(child.tail, place)
    return [_read(child, place) for child in element]


def _only_blank(text: str | None, place: str) -> None:
    if text and text.strip(_BLANK):
        raise BadInput(f"{place}: text between elements", where="the payload")
