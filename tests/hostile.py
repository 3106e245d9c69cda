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
