"""What several tests share: the study as the gates see it, and the original study's data where it is."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from measure import results
from measure.gates import Subject
from measure.report.documents import documents
from measure.study import checkout, subject
from measure.study.experiment import Elsewhere

ROOT = Path(__file__).parent.parent

settings.register_profile("study", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("study")


@pytest.fixture(scope="session")
def study() -> Subject:
    """The recorded study."""
    files = checkout.fixtures(ROOT) | results.read(ROOT / "results")
    return subject(files, Elsewhere(), documents)


@pytest.fixture(scope="session")
def original() -> Path:
    """The folder with the original study's data; the test is skipped where it is not."""
    named = os.environ.get("CONTEXT_LADDER_ORIGINAL")
    if not named:
        pytest.skip("the original study's data is not here: CONTEXT_LADDER_ORIGINAL is not set")
    assert Path(named).is_dir(), f"CONTEXT_LADDER_ORIGINAL names no folder: {named}"
    return Path(named)


@pytest.fixture(scope="session")
def servers() -> Path:
    """The folder with captured tool lists of public servers; the test is skipped where it is not."""
    named = os.environ.get("CONTEXT_LADDER_MCP_CAPTURES")
    if not named:
        pytest.skip("no captured tool lists are here: CONTEXT_LADDER_MCP_CAPTURES is not set")
    assert Path(named).is_dir(), f"CONTEXT_LADDER_MCP_CAPTURES names no folder: {named}"
    return Path(named)


@pytest.fixture(scope="session")
def sessions() -> Path:
    """The folder with real agent transcripts; the test is skipped where it is not."""
    named = os.environ.get("CONTEXT_LADDER_TRANSCRIPTS")
    if not named:
        pytest.skip("no real agent transcripts are here: CONTEXT_LADDER_TRANSCRIPTS is not set")
    assert Path(named).is_dir(), f"CONTEXT_LADDER_TRANSCRIPTS names no folder: {named}"
    return Path(named)
