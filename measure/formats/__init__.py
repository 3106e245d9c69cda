"""Representations: ways to write the same records as text, and to read them back.

`FORMATS` is the registry that the ladder, the commands and the tests iterate over; a format is one file with
one class. See `measure.formats.base` for what a format promises.
"""

from measure.formats.aliased import Aliased
from measure.formats.base import Format
from measure.formats.compact import Compact
from measure.formats.minified import Minified
from measure.formats.pretty import Pretty

FORMATS: dict[str, type[Format]] = {form.serialization: form for form in (Pretty, Minified, Compact, Aliased)}

__all__ = ["FORMATS", "Aliased", "Compact", "Format", "Minified", "Pretty"]
