"""`measure session`: what policies would have made of one's own agent sessions."""

from collections.abc import Iterator, Sequence
from typing import Any

import click

from measure.canonical import canonical
from measure.cli.options import as_json, encoding
from measure.cli.sessions import (
    breakpoints,
    cache,
    files_argument,
    lenient,
    prices,
    prices_of,
    sessions_of,
    taken,
    terms_of,
)
from measure.context.policies import chain
from measure.context.policy import Policy
from measure.context.reality import transitions
from measure.context.replay import replay
from measure.context.session import KINDS, Session
from measure.context.sweep import outcome
from measure.context.terms import Terms
from measure.report.session import about, caveats, on_terms, outcomes
from measure.report.table import Table, show

_USUAL = (
    "mask",
    "mask:batch=10",
    "clear_tool_uses",
    "clear_tool_uses:trigger=30000,clear_at_least=5000",
    "cache_aware",
)
_NONE = chain("none")  # stands in every answer, asked for or not


@click.command(name="session")
@files_argument
@click.option("--policy", "policies", metavar="NAME:KEY=VALUE,...", multiple=True, help="See `measure policies`.")
@cache
@prices
@breakpoints
@lenient
@encoding
@as_json
def command(paths: tuple[str, ...], policies: tuple[str, ...], **asked: Any) -> None:
    """Replay agent sessions under policies: what would have stood in context at every call, and what it costs.

    FILE is a transcript, or - for standard input: an Anthropic message list or request, Claude Code's JSONL, OpenAI
    chat, Bedrock Converse or Strands, SWE-agent's .traj, OpenHands' events. It is told by looking. Policies that are
    joined by / follow one another; without --policy, some usual ones are compared. With --json, each policy's requests
    stand one by one: fresh + read + written is a request's input, and so is the sum of its tokens of_kind.

    \b
        measure session session.jsonl --policy mask:window=10 --cache 1h
        measure session session.json --policy clear_thinking/clear_tool_uses:trigger=30000 --json
    """
    terms = terms_of(asked["cache"], prices_of(asked["name"], asked["price_list"]), asked["breakpoints"])
    chains = [one for one in dict.fromkeys(map(chain, policies or _USUAL)) if one != _NONE]
    sessions = sessions_of(paths, asked["lenient"], asked["encoding"])
    if asked["as_json"]:
        click.echo(canonical([_record(session, ((), *chains), terms) for session in sessions]), nl=False)
    else:
        show([_table(session, chains, terms) for session in sessions])


def _table(session: Session, chains: Sequence[Sequence[Policy]], terms: Terms) -> Table:
    base = outcome([session], (), terms)
    found = [base, *(outcome([session], one, terms) for one in chains)]
    checked = transitions(session)
    return outcomes(f"{about(session)}\n{on_terms(terms)}", found, base, list(caveats(session, checked)))


def _record(session: Session, chains: Sequence[Sequence[Policy]], terms: Terms) -> dict[str, Any]:
    transcript = session.transcript
    return {
        "session": transcript.name,
        "format": transcript.format,
        "encoding": session.encoding,
        "calls": len(session.requests) - 1,
        "tool_results": len(session.uses),
        "estimated_tokens": session.estimated,
        "left_out": [{"what": what, "times": times} for what, times in transcript.left_out],
        "cache": terms.cache,
        "breakpoints": list(terms.breakpoints) if terms.explicit else [],
        "prices": terms.prices,
        "policies": [_replayed(session, one, terms) for one in chains],
        "cache_model": transitions(session),
    }


def _replayed(session: Session, chain: Sequence[Policy], terms: Terms) -> dict[str, Any]:
    found = outcome([session], chain, terms)
    return {**taken(found), "requests": list(_requests(session, found.chain, terms))}


def _requests(session: Session, chain: Sequence[Policy], terms: Terms) -> Iterator[dict[str, Any]]:
    for sent in replay(session, chain, [terms.new_cache()]):
        (charge,) = sent.charges
        yield {
            "message": sent.request.message,
            "input": sent.total,
            "of_kind": dict(zip(KINDS, sent.kinds, strict=True)),
            "blocks_changed": sent.changed,
            "fresh": charge.fresh,
            "read": charge.read,
            "written": charge.written,
            "output": sent.request.output,
            "own_calls": list(sent.calls),
        }
