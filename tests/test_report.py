"""Tables show what they are given, in each of their forms."""

from measure.report.ladder import plural
from measure.report.table import Table, markdown, numeric, text

TABLE = Table("Title", ("name", "tokens"), [("a|b", "1,957"), ("c", "9")], numeric(1), ("a note " * 20,))


def test_text_aligns_numbers_to_the_right_and_folds_notes_at_80_columns() -> None:
    lines = text(TABLE).splitlines()
    assert lines[:5] == ["Title", "", "name  tokens", "a|b    1,957", "c          9"]
    assert max(map(len, lines)) <= 80
    assert lines[-1].startswith("  ")


def test_markdown_escapes_what_would_end_a_cell() -> None:
    assert markdown(TABLE).splitlines()[2:6] == [
        "| name | tokens |",
        "| --- | ---: |",
        "| a\\|b | 1,957 |",
        "| c | 9 |",
    ]


def test_a_noun_is_one_only_for_one() -> None:
    assert [plural(n, "row") for n in (0, 1, 2, 1_500)] == ["0 rows", "1 row", "2 rows", "1,500 rows"]
