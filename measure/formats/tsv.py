"""Tab-separated values with the quoting of CSV: what a spreadsheet puts on the clipboard.

Inside a JSON string each tab is escaped, which costs what the tab has saved; see the MCP envelope.
"""

from measure.formats.delimited import Delimited


class Tsv(Delimited):
    r"""CSV with tabs.

    >>> from measure.records import RecordSet
    >>> "".join(Tsv().encode(RecordSet.of([{"id": 1, "note": "plan, then do"}])))
    'id\tnote\n1\tplan, then do\n'
    """

    serialization = "tsv"
    label = "TSV"
    delimiter = "\t"
