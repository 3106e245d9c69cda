"""The one family of errors that a user may see: one line, and the exit status that goes with it.

A message says what is wrong, where (file, row, field, offset), and what would be right. Anything else
that escapes is a bug of ours and may keep its traceback.
"""


class MeasureError(Exception):
    """What every error meant for a user derives from; `exit_status` is the command's."""

    exit_status = 2


class BadInput(MeasureError):
    """What was given cannot be used: a file, a field, an option. Exit status 2.

    >>> str(BadInput("row 7: the field 'status' is missing", where="rows.json"))
    "rows.json: row 7: the field 'status' is missing"
    """

    def __init__(self, what: str, *, where: str = "", right: str = "") -> None:
        super().__init__((f"{where}: " if where else "") + what + (f"; {right}" if right else ""))


class Refused(MeasureError):
    """The input can be used, but no honest figure comes of it: drift, a red gate. Exit status 1."""

    exit_status = 1
