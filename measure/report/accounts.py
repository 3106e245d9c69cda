"""Tables of accounts: session texts, when a move pays back, what adopting the layer costs, how aliases fail."""

from collections.abc import Iterator

from measure import results
from measure.break_even import Move
from measure.report.ladder import by
from measure.report.table import Table, numeric
from measure.scenario import Files
from measure.study.aliases import Aliases
from measure.study.break_even import Adoption, BreakEven


def session_texts(files: Files) -> Iterator[Table]:
    """What a session reads once, in every encoding."""
    recorded = results.table(files, "break_even", BreakEven)
    encodings = list(dict.fromkeys(text.encoding for text in recorded.session_texts))
    yield Table(
        "What a session reads once · tokens",
        ("text", "serialization", "bytes", *encodings),
        [
            (name, serialization, f"{same[0].bytes:,}", *(f"{text.tokens:,}" for text in same))
            for (name, serialization), same in by(recorded.session_texts, lambda text: (text.name, text.serialization))
        ],
        numeric(*range(2, 3 + len(encodings))),
    )


def break_even(files: Files) -> Iterator[Table]:
    """When each step of the ladder pays back; and what the charged steps have won after so many queries."""
    recorded = results.table(files, "break_even", BreakEven)
    for encoding, moves in by(recorded.transitions, lambda move: move.encoding):
        scales = list(dict.fromkeys(move.rows for move in moves))
        steps = list(by(moves, lambda move: move.move))
        yield Table(
            f"Tokens a query saves, and the query that pays back · {encoding}",
            ("step", "serialization", *(f"{rows} rows" for rows in scales), "pays back"),
            [
                (name, _written(same[0]), *(f"{move.saving.saved_tokens:,}" for move in same), _backs(same))
                for name, same in steps
            ],
            numeric(*range(2, 2 + len(scales))),
            ("pays back: the query count at each scale, or one where all are equal", *_charges(moves)),
        )
        charged = [same[-1] for _, same in steps if same[-1].charged]
        yield Table(
            f"Net tokens after so many queries, at {scales[-1]} rows · {encoding}",
            ("step", *(str(net.queries) for net in charged[0].net)),
            [(move.move, *(f"{net.tokens:,}" for net in move.net)) for move in charged],
            numeric(*range(1, 1 + len(charged[0].net))),
        )
    for encoding, moves in by(recorded.over_mcp, lambda move: move.encoding):
        yield _over_mcp(moves, encoding)


def _over_mcp(moves: list[Move], encoding: str) -> Table:
    """What projection costs over MCP, where its argument must be declared, and named in every call."""
    scales = list(dict.fromkeys(move.rows for move in moves))
    return Table(
        f"Projection over MCP: tokens saved a call, and when that pays back · {encoding}",
        ("from list() to", *(f"{rows} rows" for rows in scales), "once", "pays back"),
        [
            (
                name.partition("->")[2],
                *(f"{move.saving.saved_tokens:,}" for move in same),
                " + ".join(str(text.tokens) for text in same[0].charged),
                _backs(same),
            )
            for name, same in by(moves, lambda move: move.move)
        ],
        numeric(*range(1, 1 + len(scales))),
        ("saved: of request and payload; once: what declaring fields, and format, adds to the tool list",),
    )


def adoption(files: Files) -> Iterator[Table]:
    """What it costs to begin with the layer, against a plain response that needs no contract."""
    recorded = results.table(files, "break_even", BreakEven)
    groups = by(recorded.adoption, lambda one: (one.account.encoding, one.baseline))
    for (encoding, baseline), adopted in groups:
        scales = list(dict.fromkeys(one.account.rows for one in adopted))
        contracts = list(by(adopted, lambda one: f"{one.contract}, {one.contract_serialization}"))
        yield Table(
            f"The contract, in percent of one {baseline} · {encoding}",
            ("contract", "tokens", *(f"{rows} rows" for rows in scales)),
            [(contract, f"{same[0].account.one_time_tokens:,}", *_once(same)) for contract, same in contracts],
            numeric(*range(1, 2 + len(scales))),
        )
        yield Table(
            f"From a {baseline}: the query that pays back · {encoding}",
            ("contract", "to", *(f"{rows} rows" for rows in scales)),
            [
                (contract, f"{rung}, {to[0].account.after.serialization}", *(_back(one.account) for one in to))
                for contract, same in contracts
                for rung, to in by(same, lambda one: one.account.after.name)
            ],
            numeric(*range(2, 2 + len(scales))),
        )


def batches(files: Files) -> Iterator[Table]:
    """Several statements in one call against a call for each."""
    recorded = results.table(files, "break_even", BreakEven)
    for encoding, compared in by(recorded.batches, lambda one: one.encoding):
        calls = compared[0].calls
        yield Table(
            f"{calls} gets in {calls} calls or in one, requests and framing counted · {encoding}",
            ("output", "framing a call", f"{calls} calls", "1 call", "saved", f"of the {calls} calls"),
            [
                (
                    one.output,
                    str(one.framing_tokens),
                    str(one.separate.tokens),
                    str(one.together.tokens),
                    str(one.saving.saved_tokens),
                    one.saving.display,
                )
                for one in compared
            ],
            numeric(1, 2, 3, 4, 5),
            tuple(
                f"{output}: one call is cheaper from a framing of {same[0].break_even_framing} tokens on"
                for output, same in by(compared, lambda one: one.output)
            ),
        )


def aliases(files: Files) -> Iterator[Table]:
    """What becomes of the records under every legend that was tried, and each reading that went wrong unseen."""
    recorded = results.table(files, "aliases", Aliases)
    yield Table(
        "Records read under an alias header · simulated",
        ("case", "reader", "legends", "right", "refused", "wrong"),
        [
            (
                one.case,
                one.reader,
                str(one.legends),
                *(f"{n:,}" for n in (one.right, one.refused, one.wrong_without_error)),
            )
            for one in recorded.totals
        ],
        numeric(2, 3, 4, 5),
        (
            "wrong: without an error",
            "strict looks an alias up or refuses; guessing takes the first field of the schema that begins with it"
            " and that no legend line explains; two columns taken for one field are refused",
        ),
    )
    wrong = [one for one in recorded.readings if one.wrong_without_error]
    yield Table(
        "Legends under which records were read wrong without an error · simulated",
        ("case", "reader", "lost", "read as", "records"),
        [
            (
                one.case,
                one.reader,
                " ".join(one.evicted) or "-",
                " ".join(f"{alias}={field}" for alias, field in one.taken_for.items()),
                f"{one.wrong_without_error:,}",
            )
            for one in wrong
        ],
        numeric(4),
    )


def _charges(moves: list[Move]) -> list[str]:
    """What is charged once, and to which steps; what both sides hold is sunk and charged nothing."""
    lines = [
        f"{move.move} is charged once: " + ", ".join(f"{text.name}, {text.tokens:,} tokens" for text in move.charged)
        for move in moves
        if move.charged
    ]
    sunk = dict.fromkeys(text.name for move in moves for text in move.sunk)
    return [*dict.fromkeys(lines), f"sunk on both sides: {', '.join(sunk)}"]


def _written(move: Move) -> str:
    """The two serializations, or the one that both texts have."""
    before, after = move.before.serialization, move.after.serialization
    return f"{before} to {after}" if move.mixed_serializations else before


def _back(move: Move) -> str:
    return "never" if move.break_even_queries is None else f"{move.break_even_queries:,}"


def _backs(moves: list[Move]) -> str:
    found = [_back(move) for move in moves]
    return found[0] if len(set(found)) == 1 else " / ".join(found)


def _once(adopted: list[Adoption]) -> list[str]:
    """The charge in percent of the baseline at each scale; it does not depend on the destination."""
    scales = by(adopted, lambda one: one.account.rows)
    return [same[0].account.one_time.display if same[0].account.one_time else "-" for _, same in scales]
