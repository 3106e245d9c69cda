"""The synthetic agent sessions: what they are, and that they are the generated ones. From bytes, never from disk.

Each is a request body of the Anthropic API whose messages have a `ts` besides. They are handed on as bytes: a loader of
`measure.transcripts` reads them like a user's own. What they hold is checked by nobody here, only that it is unchanged.
"""

import hashlib
from pathlib import PurePosixPath

import msgspec

from measure.errors import BadInput
from measure.scenario import Files, content

SESSIONS_FOLDER = "fixtures/sessions"
SESSIONS_MANIFEST = f"{SESSIONS_FOLDER}/manifest.json"

SESSIONS = {
    "search": "searches only, 1,000 to 2,000 characters a result; one task and a follow-up",
    "mixed": "files, searches, commands, edits, JSON and an image; many results of a few characters",
    "retrieval": "pages of 5,000 to 20,000 characters, some in other languages",
    "research": "twelve turns of a day with pauses between them, a hundred model calls, some of everything",
}


class SessionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the sessions' manifest says of one file; `kinds` holds the indices of messages that are cases of a kind."""

    file: str
    sha256: str
    bytes: int
    messages: int
    user_turns: int
    model_calls: int
    tool_uses: int
    kinds: dict[str, list[int]]


class SessionManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`fixtures/sessions/manifest.json`, field by field."""

    seed: int
    evidence: str
    files: list[SessionFile]


def session_manifest(files: Files) -> SessionManifest:
    """The sessions' manifest in `files`.

    Raises:
        BadInput: it is missing, is not what `SessionManifest` describes, or does not list exactly `SESSIONS` in order.
    """
    try:
        manifest = msgspec.json.decode(content(files, SESSIONS_MANIFEST), type=SessionManifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(str(error), where=SESSIONS_MANIFEST) from None
    listed, named = [one.file for one in manifest.files], [f"{name}.json" for name in SESSIONS]
    if listed != named:
        raise BadInput(f"it lists {', '.join(listed)}", where=SESSIONS_MANIFEST, right=f"expected {', '.join(named)}")
    return manifest


def load(files: Files) -> dict[str, bytes]:
    """The request bodies by the names of `SESSIONS`, in that order.

    Raises:
        BadInput: one is missing or is not the one that the manifest lists.
    """
    sessions = {}
    for name, entry in zip(SESSIONS, session_manifest(files).files, strict=True):
        path = f"{SESSIONS_FOLDER}/{entry.file}"
        data = content(files, path)
        found = hashlib.sha256(data).hexdigest()
        if found != entry.sha256:
            right = f"{SESSIONS_MANIFEST} lists {entry.sha256[:12]}…; `make fixtures` writes it again"
            raise BadInput(f"SHA-256 {found[:12]}…", where=path, right=right)
        sessions[name] = data
    return sessions


def session_files(files: Files) -> list[str]:
    """The files that the sessions' manifest must list."""
    return sorted(
        path for path in files if str(PurePosixPath(path).parent) == SESSIONS_FOLDER and path != SESSIONS_MANIFEST
    )
