"""The original study's figures, read from the package's own data file: facts to compare with, never results."""

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the figures were published, and what they were counted with."""

    title: str
    repository: str
    commit: str
    date: str
    encoding: str
    tiktoken: str


class DataFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the original's data files."""

    rows: int
    file: str
    sha256: str


class RungTokens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens by rung at one scale."""

    rows: int
    tokens: dict[str, int]


class RungBytes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes by rung at one scale."""

    rows: int
    bytes: dict[str, int]


class DoubleQuotes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Double quotes by rung at one scale."""

    rows: int
    quotes: dict[str, int]


class Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lowest and highest saving of a step over the scales, in percent of its first rung."""

    step: str
    low: float
    high: float


class PublishedText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that a session reads once; `file` is empty where it has none of its own."""

    name: str
    file: str
    tokens: int


class PublishedBreakEven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first whole query count with a positive net."""

    step: str
    queries: int


class PublishedNet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens won after so many queries."""

    queries: int
    tokens: int


class PublishedToolList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A constructed tool list: `pretty` was published, `minified` counted of the same list by others."""

    contract: str
    file: str
    prefix: str
    profile: str
    pretty: int
    minified: int


class PublishedOverhead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tokens that MCP adds, by rung at one scale."""

    rows: int
    tokens: dict[str, int]


class ContractTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of the original's own making without which its counts cannot be made again."""

    projection: str
    total: str
    command: str


class FolkFigure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a tool list is said to cost, from `low` to `high` tokens, and with how many operations."""

    source: str
    low: int
    high: int
    least: int
    most: int


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`published.toml`, field by field."""

    source: Source
    data: list[DataFile]
    rung_tokens: list[RungTokens]
    rung_bytes: list[RungBytes]
    double_quotes: list[DoubleQuotes]
    ranges: list[Range]
    session_texts: list[PublishedText]
    break_even: list[PublishedBreakEven]
    alias_net: list[PublishedNet]
    tool_lists: list[PublishedToolList]
    overheads: list[PublishedOverhead]
    contract_texts: ContractTexts
    folk_contract: FolkFigure


@lru_cache(maxsize=1)
def published() -> Published:
    """The published figures."""
    return msgspec.convert(tomllib.loads(facts().decode()), Published)


def facts(file: str = "published.toml") -> bytes:
    """A file of published figures, as it is: those of the original study, or others in this folder."""
    return (Path(__file__).parent / file).read_bytes()
