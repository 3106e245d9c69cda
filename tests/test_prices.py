"""Prices are dated, sourced, exact to the nanodollar, and refused with their place where they are not."""

import io
import os
import tarfile
import zipfile
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import msgspec
import pytest
from flit_core import buildapi
from hypothesis import given
from hypothesis import strategies as st

from measure.context.prices import Cost, Prices, chosen, dollars, read_prices
from measure.errors import BadInput
from measure.gates import Subject

ROOT = Path(__file__).parent.parent
FILE, PACKAGED = "fixtures/prices.toml", "measure/context/prices.toml"
GIVEN = """
[[providers]]
name = "Somebody"
date = "2026-03-02"
source = "their page"

[[providers.models]]
name = "small"
model = "Small 1"
input = "2"
output = "10"
read = "0.1"
write_5m = "1.25"
write_1h = "2"
minimum = 1024
cache = "explicit"
"""
ROW = GIVEN[GIVEN.index("[[providers.models]]") :]


def ours() -> dict[str, Prices]:
    return read_prices((ROOT / FILE).read_bytes(), FILE)


def test_a_row_is_read_into_nanodollars_a_token() -> None:
    assert read_prices(GIVEN.encode(), "mine.toml") == {
        "small": Prices(
            name="small",
            model="Small 1",
            provider="Somebody",
            date="2026-03-02",
            source="their page",
            fresh=2_000,
            read=200,
            write_5m=2_500,
            write_1h=4_000,
            output=10_000,
            minimum=1024,
            automatic=False,
            step=1,
        )
    }


@pytest.mark.parametrize(
    ("name", "dollars_a_million", "minimum"),
    [
        ("sonnet", (2, "0.2", "2.5", 4, 10), 1024),
        ("sonnet-4", (3, "0.3", "3.75", 6, 15), 1024),
        ("opus", (5, "0.5", "6.25", 10, 25), 512),
        ("opus-4.5", (5, "0.5", "6.25", 10, 25), 4096),
        ("fable", (10, 1, "12.5", 20, 50), 512),
        ("haiku", (1, "0.1", "1.25", 2, 5), 4096),
        ("haiku-3.5", ("0.8", "0.08", 1, "1.6", 4), 2048),
        ("gpt-5.4", ("2.5", "0.25", "2.5", "2.5", 15), 1024),
    ],
)
def test_our_table_says_what_the_providers_do(name: str, dollars_a_million: tuple, minimum: int) -> None:
    one = ours()[name]
    found = (one.fresh, one.read, one.write_5m, one.write_1h, one.output)
    assert [Decimal(price) / 1000 for price in found] == [Decimal(price) for price in dollars_a_million]
    assert one.minimum == minimum


def test_every_price_of_ours_has_a_day_and_a_source_and_two_ways_of_caching_are_there() -> None:
    for one in ours().values():
        assert one.date.startswith("2026-")
        assert len(one.source) > 20
        assert "://" not in one.source
        assert one.step == (128 if one.automatic else 1)
    assert [one.name for one in ours().values() if one.automatic] == ["gpt-5.4"]


def changed(old: str, new: str) -> str:
    assert old in GIVEN
    return GIVEN.replace(old, new)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed('date = "2026-03-02"\n', ""), "Object missing required field `date` - at `$.providers[0]`"),
        (changed("2026-03-02", "soon"), "Invalid RFC3339 encoded date - at `$.providers[0].date`"),
        (changed('source = "their page"\n', ""), "Object missing required field `source`"),
        (changed("their page", ""), "Expected `str` of length >= 1 - at `$.providers[0].source`"),
        (GIVEN + 'colour = "red"\n', "Object contains unknown field `colour`"),
        (changed('output = "10"\n', ""), "Object missing required field `output`"),
        (changed('input = "2"', 'input = "-2"'), 'small: input is \'-2\'; write a number as "2" or "0.25"'),
        (changed('input = "2"', 'input = "two"'), "small: input is 'two'; write a number"),
        (changed('input = "2"', 'input = "2e3"'), "small: input is '2e3'; write a number"),
        (changed('input = "2"', 'input = "٢"'), "small: input is '٢'; write a number"),
        (changed('input = "2"', 'input = "nan"'), "small: input is 'nan'; write a number"),
        (changed('read = "0.1"', 'read = ""'), "small: read is ''; write a number"),
        (changed('input = "2"', "input = 2.0"), "Expected `str`, got `float` - at `$.providers[0].models[0].input`"),
        (
            changed('input = "2"', 'input = "0.0004"'),
            "small: input makes 0.4 nanodollars a token; a token's price must",
        ),
        (changed('"1.25"', '"1.00025"'), "small: write_5m makes 2000.5 nanodollars a token"),
        (changed("1024", "-1"), "Expected `int` >= 0"),
        (changed('"explicit"', '"magic"'), "Invalid enum value 'magic'"),
        (changed('"explicit"', '"automatic"'), "small: an automatic cache needs a step"),
        (GIVEN + "step = 128\n", "small: only an automatic cache has a step"),
        (changed('"explicit"', '"automatic"\nstep = 0'), "Expected `int` >= 1"),
        (GIVEN + ROW, "two models are named 'small'"),
        (changed('name = "small"', 'name = ""'), "Expected `str` of length >= 1"),
        (GIVEN[: GIVEN.index("[[providers.models]]")], "Object missing required field `models`"),
        ("providers = []", "Expected `array` of length >= 1"),
        ("", "Object missing required field `providers`"),
        ("[[providers", ""),
    ],
)
def test_a_price_file_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_prices(text.encode(), "mine.toml")
    assert str(refused.value).startswith(f"mine.toml: {said}")
    assert "\n" not in str(refused.value)


def test_a_price_file_that_is_no_text_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^mine\.toml: "):
        read_prices(b"\xff", "mine.toml")


def test_a_date_may_be_one_of_toml() -> None:
    text = changed('"2026-03-02"', "2026-03-02")
    assert read_prices(text.encode(), "mine.toml") == read_prices(GIVEN.encode(), "mine.toml")


def test_prices_are_chosen_by_name_and_the_known_ones_are_said() -> None:
    assert chosen(ours(), "haiku").model == "Claude Haiku 4.5"
    with pytest.raises(BadInput, match=r"no prices are named 'gpt'; known: sonnet, sonnet-4, opus, opus-4\.5, fable"):
        chosen(ours(), "gpt")


def test_a_cost_is_the_sum_of_its_parts() -> None:
    assert Cost(fresh=1, read=20, write=300, output=4_000).total == 4_321
    assert msgspec.to_builtins(Cost(1, 2, 3, 4)) == {"fresh": 1, "read": 2, "write": 3, "output": 4}


MONEY = st.integers(0, 10**6).map(lambda thousandths: Decimal(thousandths) / 1000)


@given(st.integers(0, 10**7), MONEY, st.sampled_from(["0.1", "0.25", "1", "1.25", "2"]))
def test_a_price_is_the_decimal_product_or_is_refused(tokens: int, input_price: Decimal, multiplier: str) -> None:
    text = changed('input = "2"', f'input = "{input_price}"').replace('read = "0.1"', f'read = "{multiplier}"')
    text = text.replace('write_5m = "1.25"', 'write_5m = "1"')
    exact = input_price * Decimal(multiplier) * 1000
    if exact != exact.to_integral_value():
        with pytest.raises(BadInput, match="small: read makes"):
            read_prices(text.encode(), "mine.toml")
    else:
        one = read_prices(text.encode(), "mine.toml")["small"]
        assert Decimal(one.read * tokens) / 10**9 == input_price * Decimal(multiplier) * tokens / 10**6
        assert Decimal(one.fresh) == input_price * 1000


@given(st.one_of(st.integers(-(10**15), 10**15), st.integers(-(10**6), 10**6)))
def test_dollars_are_the_exact_amount_rounded_once(nanodollars: int) -> None:
    exact = Decimal(nanodollars) / 10**9
    four = exact.quantize(Decimal("0.0001"), ROUND_HALF_UP)
    shown = dollars(nanodollars)
    if nanodollars and not four:
        assert shown == ("<$0.0001" if nanodollars > 0 else ">-$0.0001")
    else:
        assert Decimal(shown.replace("$", "")) == four
        assert shown == f"{'-' if four < 0 else ''}${abs(four)}"


@pytest.mark.parametrize(
    ("nanodollars", "shown"),
    [
        (123_400_000, "$0.1234"),
        (123_450_000, "$0.1235"),
        (-123_450_000, "-$0.1235"),
        (0, "$0.0000"),
        (1, "<$0.0001"),
        (-1, ">-$0.0001"),
        (49_999, "<$0.0001"),
        (50_000, "$0.0001"),
        (1_234_567_890_000, "$1234.5679"),
    ],
)
def test_dollars_are_shown_with_four_decimals(nanodollars: int, shown: str) -> None:
    assert dollars(nanodollars) == shown


def test_the_study_reads_the_prices_that_the_package_carries(study: Subject) -> None:
    assert study.files[FILE] == (ROOT / PACKAGED).read_bytes()


def test_wheel_and_source_archive_hold_the_prices_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is the package's, the link that of the fixtures: a source archive, which lacks these, keeps it."""
    monkeypatch.chdir(ROOT)
    wheel, source = buildapi.build_wheel(str(tmp_path)), buildapi.build_sdist(str(tmp_path))
    with zipfile.ZipFile(tmp_path / wheel) as packed:
        assert packed.read(PACKAGED) == (ROOT / PACKAGED).read_bytes()
    with tarfile.open(tmp_path / source) as packed:
        (held,) = [one for one in packed.getmembers() if one.name.endswith(PACKAGED)]
        assert held.isreg()
        assert (packed.extractfile(held) or io.BytesIO()).read() == (ROOT / PACKAGED).read_bytes()
    assert os.readlink(ROOT / FILE) == f"../{PACKAGED}"
