"""CSV as spreadsheets and libraries write it: commas, minimal quoting, a header. The baseline for compact tables."""

from measure.formats.delimited import Delimited


class Csv(Delimited):
    r"""The text of `csv.writer(..., lineterminator="\n")`.

    >>> from measure.records import RecordSet
    >>> "".join(Csv().encode(RecordSet.of([{"id": 1, "note": "plan, then do"}, {"id": 2, "note": None}])))
    'id,note\n1,"plan, then do"\n2,\n'
    """

    serialization = "csv"
    label = "CSV"
    delimiter = ","
