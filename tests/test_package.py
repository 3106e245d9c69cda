"""What a user gets: a wheel that works offline from any folder, a lock that names no host, a README that runs."""

import doctest
import importlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import measure
from measure.study import checkout

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

# Put before everything else on the path of a process: whoever opens a socket or asks for an address fails.
NO_NETWORK = """
import socket
def refuse(*_, **__):
    raise RuntimeError("the network was touched")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built here by the locked backend and unpacked as an installation would be."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*build, "--disable-pip-version-check", "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("context_ladder-*.whl")
    site = folder / "site"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    (site / "sitecustomize.py").write_text(NO_NETWORK)
    return site


def in_wheel(site: Path, *command: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run Python with the unpacked wheel in front, in an empty folder, without the network."""
    away = site.parent / "away"
    away.mkdir(exist_ok=True)
    env = {"PYTHONPATH": str(site), "PATH": os.environ["PATH"], "TIKTOKEN_CACHE_DIR": str(away / "no-cache")}
    return subprocess.run([sys.executable, *command], cwd=away, env=env, input=given, capture_output=True, check=False)


def test_the_wheel_counts_offline_from_any_folder(installed: Path) -> None:
    rows = (ROOT / "fixtures" / "tasks-5.json").read_bytes()
    for encoding in measure.tokens.VOCABULARIES:
        done = in_wheel(installed, "-m", "measure", "ladder", "-", "--encoding", encoding, given=rows)
        assert (done.returncode, done.stderr) == (0, b"")
    where = in_wheel(installed, "-c", "import measure; print(measure.__file__)")
    assert Path(where.stdout.decode().strip()).is_relative_to(installed)
    assert not (installed.parent / "away" / "no-cache").exists()


def test_the_guard_against_the_network_would_be_noticed(installed: Path) -> None:
    done = in_wheel(installed, "-c", "import socket; socket.create_connection(('localhost', 9))")
    assert b"the network was touched" in done.stderr


def test_the_wheel_holds_the_package_its_data_and_nothing_else(installed: Path) -> None:
    held = {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}
    ours = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "measure").rglob("*") if "__pycache__" not in path.parts
    }
    ours = {path for path in ours if (ROOT / path).is_file()}
    assert {path for path in held if "dist-info" not in path and "__pycache__" not in path} == ours | {
        "sitecustomize.py"
    }
    entry = next(path for path in held if path.endswith("entry_points.txt"))
    assert "measure=measure.__main__:main" in (installed / entry).read_text().replace(" ", "")


def test_version_is_said_once_for_the_package_and_the_citation() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == measure.__version__
    assert f"version: {measure.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_the_lock_is_hashed_and_names_no_host() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    entries = re.findall(r"^[a-z0-9][^\n]*", lock, re.MULTILINE)
    assert len(entries) > 20
    assert all("==" in entry for entry in entries)
    assert len(re.findall(r"^\S[^\n]*(?:\\\n +--hash=sha256:[0-9a-f]{64} ?)+$", lock, re.MULTILINE)) == len(entries)
    assert "://" not in lock


def test_the_lock_holds_every_declared_dependency_and_tiktoken_is_the_authority() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [*declared["project"]["dependencies"], *declared["dependency-groups"]["dev"]]
    lock = (ROOT / "requirements.lock").read_text()
    for requirement in wanted:
        name = re.match(r"[\w-]+", requirement)[0].replace("_", "-")
        assert re.search(rf"^{name}==", lock, re.MULTILINE), requirement
    pinned = measure.tokens.authority(*measure.tokens.VOCABULARIES).replace(" ", "==")
    assert pinned in lock
    assert pinned in declared["project"]["dependencies"]


def test_no_file_names_a_package_index_or_a_path_of_a_machine() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if not tracked:
        pytest.skip("this is no git checkout")
    marks = re.compile(r"index[-]url|https?://[^ )\"]+/(simple|packages/[0-9a-f]{2})/|/(home|root|work|Users)/")
    for name in tracked:
        if name.endswith((".tiktoken", "test_package.py")):
            continue
        for line in (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines():
            assert not marks.search(line.replace("/home/someone/", "")), f"{name}: {line}"


MODULES = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in (ROOT / "measure").rglob("*.py"))
NAMES = [path.replace("/", ".").removesuffix(".__init__") for path in MODULES if not path.endswith("__main__")]


@pytest.mark.parametrize("name", NAMES)
def test_examples_in_docstrings_come_out_as_written(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_public_names_are_a_dozen_and_documented() -> None:
    assert sorted(measure.__all__) == measure.__all__
    assert 10 <= len(measure.__all__) <= 14
    for name in measure.__all__:
        assert getattr(measure, name).__doc__, name


COMMANDS = re.findall(r"^\.venv/bin/measure ([^#\n]*[^#\s])", README, re.MULTILINE)


def test_the_readme_shows_commands() -> None:
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_runs_as_written(command: str) -> None:
    line = f"{sys.executable} -m measure {command}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert not done.stderr.startswith(("measure:", "Usage", "Traceback"))
    assert done.stdout or "> /dev/null" in command


def test_the_python_of_the_readme_runs_as_written() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.match(r"\d\d\.\d\d % of Denominator\(of='L1', serialization='minified', tokens=\d+\)\n$", done.stdout)


def test_every_file_that_the_readme_names_is_there() -> None:
    for name in set(re.findall(r"`((?:measure|fixtures|results|tests)/[\w./-]*)`", README)):
        assert (ROOT / name).exists(), name


def test_the_root_of_the_checkout_is_found_from_inside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "measure" / "study")
    assert checkout.root() == ROOT
