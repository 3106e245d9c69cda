"""Mutants of MCP as captured: captures, wire counts, hosts, public servers."""

from hashlib import sha256
from typing import Any

from measure.gates import Subject
from measure.scenario import CAPTURES
from measure.study.damage import Damage, Mutant, at, edited_json, more, replaced, without

_MCP, _HOSTS, _SERVERS = "results/mcp.json", "results/mcp_hosts.json", "results/mcp_servers.json"
_MANIFEST = f"{CAPTURES}/manifest.json"
_OWN = f"{CAPTURES}/own-server_5_2026-07-28.json"


def _exchange_counts(value: Any) -> None:
    """Context tokens where wire tokens belong."""
    row = value["policies"][0]
    row["wire_tokens"] = row["policies"][0]["context_tokens"]


def _drop_policy(value: Any) -> None:
    for row in value["policies"]:
        row["policies"].pop()


def _widen(value: Any) -> None:
    verdict = value["folk"][0]
    verdict["inside"] += verdict["below"]
    verdict["below"] = []


def _forged(damage: Damage) -> Damage:
    """A capture damaged, and its hash in the manifest renewed, so that only what it says gives it away."""

    def apply(subject: Subject) -> Subject:
        edited = damage(subject)

        def renew(value: Any) -> None:
            listed = next(one for one in value["files"] if _OWN.endswith(one["file"]))
            listed["sha256"] = sha256(edited.files[_OWN]).hexdigest()

        return edited_json(_MANIFEST, renew)(edited)

    return apply


def _one_policy_more(value: Any) -> None:
    policy = value["policies"][0]["policies"][3]
    policy.update(context_tokens=policy["context_tokens"] + 9, added=policy["added"] + 9)


MUTANTS = (
    Mutant(
        "captures",
        "a capture whose version does not match the manifest",
        _forged(edited_json(_OWN, at("versions", "mcp", to="1.30.0"))),
    ),
    Mutant(
        "captures",
        "captures of another version than the lock installs",
        replaced("requirements.lock", "mcp==", "mcp==9"),
    ),
    Mutant("captures", "a word of a capture", replaced(_OWN, "TASK-0001,", "TASK-0009,")),
    Mutant(
        "captures",
        "a word of a capture, the manifest's hash renewed",
        _forged(replaced(_OWN, "TASK-0001,", "TASK-0009,")),
    ),
    Mutant(
        "captures",
        "a session of another revision",
        _forged(edited_json(_OWN, at("revision", to="2025-11-25"))),
    ),
    Mutant("captures", "a capture lost", without(_OWN)),
    Mutant("wire", "a request a token long", edited_json(_MCP, at("wire", 2, "request_tokens", to=more(1)))),
    Mutant("wire", "an exchange left out", edited_json(_MCP, lambda value: value["wire"].pop(3))),
    Mutant(
        "wire",
        "a switch that saves more",
        edited_json(_MCP, at("switches", 0, "saving", "saved_tokens", to=more(5))),
    ),
    Mutant("hosts", "context tokens called wire tokens", edited_json(_HOSTS, _exchange_counts)),
    Mutant("hosts", "a host policy left out", edited_json(_HOSTS, _drop_policy)),
    Mutant("hosts", "a policy that gives more", edited_json(_HOSTS, _one_policy_more)),
    Mutant("hosts", "a result left out", edited_json(_HOSTS, lambda value: value["policies"].pop())),
    Mutant("hosts", "a host of another version", edited_json(_HOSTS, at("hosts", 0, "version", to="0"))),
    Mutant("servers", "a server under another version", edited_json(_SERVERS, at("servers", 2, "version", to="0"))),
    Mutant("servers", "a folk figure that is not judged", edited_json(_SERVERS, at("folk", to=[]))),
    Mutant("servers", "a folk figure that holds", edited_json(_SERVERS, _widen)),
    Mutant(
        "servers",
        "what minifying saves, in percent of the minified list",
        edited_json(_SERVERS, at("servers", 0, "minifying", "denominator", "serialization", to="minified")),
    ),
)
