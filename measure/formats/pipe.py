"""Rows of cells between pipes with the quoting of CSV: what database shells print without alignment."""

from measure.formats.delimited import Delimited


class Pipe(Delimited):
    r"""CSV with pipes.

    >>> from measure.records import RecordSet
    >>> "".join(Pipe().encode(RecordSet.of([{"id": 1, "note": "a|b"}])))
    'id|note\n1|"a|b"\n'
    """

    serialization = "pipe"
    label = "pipe rows"
    delimiter = "|"
