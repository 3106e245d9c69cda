"""The captures, made anew: every planned session, driven by the official client. The one experiment that is live.

`measure run` and `measure check` read what was captured before; `measure check --live` and `make captures` come here.
"""

import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from measure.canonical import canonical
from measure.errors import BadInput
from measure.mcp import wire
from measure.mcp.captures import PLAN, VERSIONED, Capture, CaptureFile, CaptureManifest, Planned, calls
from measure.scenario import CAPTURES, Files, content, scenario, tasks_path

_AT_ONCE = 2
_SECONDS = 60


def captured(files: Files) -> dict[str, bytes]:
    """Every capture and their manifest, as files of a checkout.

    Raises:
        BadInput: the extra is not installed, or a server failed.
    """
    with TemporaryDirectory() as folder:
        for rows in {planned.rows for planned in PLAN}:
            (Path(folder) / f"{rows}.json").write_bytes(content(files, tasks_path(rows)))
        versions = installed()
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            made = list(pool.map(lambda planned: _capture(planned, files, Path(folder), versions), PLAN))
    written = {f"{CAPTURES}/{planned.file}": canonical(one) for planned, one in zip(PLAN, made, strict=True)}
    listed = [
        CaptureFile(path.removeprefix(f"{CAPTURES}/"), sha256(data).hexdigest()) for path, data in written.items()
    ]
    return {**written, f"{CAPTURES}/manifest.json": canonical(CaptureManifest("captured", versions, listed))}


def installed() -> dict[str, str]:
    """The versions of the packages that write bytes of a capture.

    Raises:
        BadInput: one is not installed.
    """
    try:
        return {name: version(name) for name in VERSIONED}
    except PackageNotFoundError as error:
        raise BadInput(f"{error.name} is not installed", right="install context-ladder with its extra `mcp`") from None


def _capture(planned: Planned, files: Files, folder: Path, versions: Mapping[str, str]) -> Capture:
    plan = scenario(files)
    settings = msgspec.json.encode(plan.layer).decode()
    rows = str(folder / f"{planned.rows}.json")
    command = [sys.executable, "-m", "measure.mcp.variants", planned.server, rows, settings]
    asked = calls(plan.projected)
    wish = wire.Wish(planned.revision, [asked[name] for name in planned.calls])
    session = wire.drive(command, wish, _SECONDS)
    if session.noise:
        raise BadInput(f"printed {session.noise[0]!r}", where=planned.server)
    return Capture(
        "captured",
        planned.server,
        planned.revision,
        planned.rows,
        dict(versions),
        list(planned.calls),
        list(session.spoken),
    )
