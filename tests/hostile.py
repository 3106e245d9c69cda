"""Values that careless formats lose, as a list and as Hypothesis strategies."""

from hypothesis import strategies as st

HOSTILE_TEXTS = [
    *(
        "",
        " ",
        "  a ",
        ",",
        '"',
        '""',
        "a,b",
        'say "no"',
        "\n",
        "\r",
        "\r\n",
        "a\nb",
        "a\rb",
        "\t",
        "a\tb",
        "\\",
        "\\n",
    ),
    *("42", "-0", "1e5", "0700", "true", "false", "null", "NA", "NaN", "no", "Y", "[1]", "{}", "[2]: x", "- x", "#x"),
    *("%s", "%", "100 %", "\ufeff", "\ufeffa", "\u2028", "\u0085", "\x00", "\x1f", "é", "日本語", "😀", "a|b", "<b>&"),
]
texts = st.one_of(st.sampled_from(HOSTILE_TEXTS), st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
scalars = st.one_of(
    texts,
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)


def tables(cells: st.SearchStrategy) -> st.SearchStrategy:
    """Lists of dictionaries with the same keys in each."""
    names = st.lists(texts, min_size=1, max_size=4, unique=True)
    return names.flatmap(
        lambda keys: st.lists(st.fixed_dictionaries(dict.fromkeys(keys, cells)), min_size=1, max_size=6)
    )


# The failures of compact encoders that were reported in public, each with its small input (value or rows), and
# what this package's compact formats do with it: "kept", or the type that is read back as a string.
REPORTED = {
    "01 text that looks like a number or boolean": ([{"a": "42"}, {"a": "true"}, {"a": "100.0"}], "kept"),
    "03 text with a plus or a leading point": ([{"a": "+861"}, {"a": ".622"}], "kept"),
    "04 text that looks like an array header": ([{"a": "[2]: x"}], "kept"),
    "05 text that starts with a byte order mark": ([{"a": "\ufeffx"}, {"a": "\ufeff"}], "kept"),
    "06 an empty object inside": ([{"a": {}}], "object"),
    "07 nested empty arrays": ([{"a": [[[]]]}], "array"),
    "08 an object in an object": ([{"a": {"b": "123"}}], "object"),
    "09 a table in a row": ([{"a": [{"b": 1}]}], "array"),
    "10 an array with an empty object": ([{"a": [{}]}], "array"),
    "11 a name beyond ASCII": ([{"a®": "x"}], "kept"),
    "12 a comma in a cell": ([{"a": "a,b", "b": "c"}], "kept"),
    "13 a backslash before a comma": ([{"a": "x\\", "b": "y"}, {"a": "x\\,y", "b": "\\"}], "kept"),
    "14 double spaces and brackets": ([{"a": "a  b [c] {d}"}], "kept"),
    "15 an empty array": ([{"a": []}], "array"),
    "16 null apart from empty": ([{"a": None}, {"a": ""}], "kept"),
    "17 text that spells a missing value": ([{"a": "null"}, {"a": "NA"}], "kept"),
    "18 null beside quoted cells": ([{"a": None, "b": 'say "x"'}], "kept"),
    "19 null and empty in one column": ([{"a": ""}, {"a": None}, {"a": "x"}], "kept"),
    "20 a line feed in a cell": ([{"a": "x\ny", "b": "z"}], "kept"),
    "21 a lone carriage return in a cell": ([{"a": "x\ry", "b": "z"}], "kept"),
    "22 a carriage return and a quote": ([{"a": '"x"\r\ny'}], "kept"),
    "23 leading zeros": ([{"a": "0700"}, {"a": "01"}], "kept"),
    "25 null in row 2, text in row 1": ([{"a": "x"}, {"a": None}], "kept"),
    "26 an empty cell between others": ([{"a": "x", "b": "", "c": "z"}], "kept"),
    "27 a pipe and a line feed": ([{"a": "a|b"}, {"a": "a\nb"}], "kept"),
    "28 text that YAML takes for a boolean": ([{"a": "Y"}, {"a": "no"}], "kept"),
    "29 an integer above 2^53": ([{"a": 2**53 + 1}], "integer"),
    "30 an empty cell is text": ([{"a": ""}], "kept"),
}
