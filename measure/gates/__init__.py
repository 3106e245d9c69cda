"""Gates: what must be true of the study before a figure of it is believed, each with an id and a failure text.

`GATES` is the one table that `measure run`, `measure check`, the tables, the tests and the mutants iterate
over. A gate is a pure function of a `Subject`; it yields a line for each thing that is wrong, and none where all
is well. For each there is at least one mutant in `measure.study.mutants` that turns it red.
"""

import msgspec

from measure.errors import MeasureError
from measure.gates import accounts, captures, contracts, counts, envelopes, formats, hosts, inputs, readings, store
from measure.gates.subject import Gate, Subject


class Verdict(msgspec.Struct, frozen=True):
    """What a gate said of a subject: nothing where it is green."""

    gate: Gate
    said: tuple[str, ...]

    @property
    def green(self) -> bool:
        """Whether the gate found nothing wrong."""
        return not self.said


GATES = (
    Gate(
        "fixtures",
        "every fixture is the file that its manifest lists: SHA-256, bytes, rows, digest; and each shape can be made",
        inputs.fixtures,
        "a fixture was edited: write the fixtures again with `make fixtures`",
    ),
    Gate(
        "scales",
        "the smaller scales are the first rows of the larger, so only the number of rows differs",
        inputs.scales,
        "compare no two scales: write the fixtures again with `make fixtures`",
    ),
    Gate(
        "scenario",
        "the query names the projected fields, the legend every alias, and the records have all fields",
        inputs.scenario_agrees,
        "correct fixtures/scenario.toml",
    ),
    Gate(
        "aliases",
        "the alias header drops no column, puts no two on one alias, and shortens each name",
        inputs.aliases,
        "correct the aliases in fixtures/scenario.toml",
    ),
    Gate(
        "vocabulary",
        "every vocabulary has the SHA-256 that tiktoken names",
        inputs.vocabulary,
        "no count can be believed: install the package again",
    ),
    Gate(
        "same-records",
        "every rung of a scale is made of the same records, and no rung, scale or encoding is missing",
        counts.same_records,
        "rungs of different records cannot be compared: run `measure run`",
    ),
    Gate(
        "round-trip",
        "every payload decodes to its records: count, order, fields, values and types",
        counts.round_trip,
        "a format is broken, or the study's data is beyond it: no count of it is reported",
    ),
    Gate(
        "closure",
        "in each ordering the steps add up to base minus final rung, to the token",
        counts.closure,
        "a step was lost or counted twice: run `measure run`",
    ),
    Gate(
        "denominators",
        "every denominator of the ladder and the ranges is the count, in the serialization, of the rung it names",
        counts.denominators,
        "a percentage is taken of another count than it says: run `measure run`",
    ),
    Gate(
        "percentages",
        "every percentage follows from its own two integers, by code that shares nothing with quantities",
        counts.percentages,
        "a percentage was edited, or its rounding is broken",
    ),
    Gate(
        "query-layer",
        "the rungs that the query layer writes are byte for byte what it answers",
        accounts.query_layer,
        "a rung is not what a caller gets: run `measure run`",
    ),
    Gate(
        "charges",
        "a move is charged what its destination needs anew, once, and nothing that both sides hold",
        accounts.charges,
        "a break-even stands on a wrong charge: run `measure run`",
    ),
    Gate(
        "break-even",
        "the break-even is the first query count with a positive net, found by walking",
        accounts.break_even,
        "a break-even is off: run `measure run`",
    ),
    Gate(
        "serializations",
        "every comparison names both serializations, as counted, and says so where they differ",
        accounts.serializations,
        "two texts are compared that are not written alike: run `measure run`",
    ),
    Gate(
        "alias-readings",
        "every record read under an alias header is right, refused or wrong, and a lost legend is noticed or counted",
        readings.alias_readings,
        "what aliases cost in errors is miscounted: run `measure run`",
    ),
    Gate(
        "contracts",
        "every constructed contract is there in each profile and serialization, called so, and as our server sends it",
        contracts.contracts,
        "a contract is missing or mislabelled: run `measure run`",
    ),
    Gate(
        "comparisons",
        "a tool list is set against a schema response in the same serialization only, and the shorter is the shorter",
        contracts.comparisons,
        "two texts are compared that are not written alike: run `measure run`",
    ),
    Gate(
        "arguments",
        "what an argument adds is the difference of two counted tool lists, with it and without",
        contracts.arguments,
        "the price of an argument is miscounted: run `measure run`",
    ),
    Gate(
        "envelopes",
        "each payload that the layer writes stands in its envelope, counted again, and the parts add up to the whole",
        envelopes.envelopes,
        "an envelope is missing or miscounted: run `measure run`",
    ),
    Gate(
        "captures",
        "every capture is the one listed, of the versions in the lock; a captured text line is the constructed one",
        captures.captures,
        "record the sessions anew with `make captures`, and find out what moved",
    ),
    Gate(
        "wire",
        "every captured request and response is counted once, and a switch saves what its two responses differ by",
        captures.wire,
        "what stood on the wire is miscounted: run `measure run`",
    ),
    Gate(
        "hosts",
        "every captured result is under every host policy, wire and context apart, and hosts gave what is recorded",
        hosts.hosts,
        "wire tokens stand for context tokens, or a host is miscounted: run `measure run`",
    ),
    Gate(
        "servers",
        "every public server is counted under the version started, and the folk figure is judged by its own rule",
        hosts.servers,
        "a server's contract is not what it says: run `measure run --captures DIR`",
    ),
    Gate(
        "formats",
        "every shape is counted in every format or refused, lossless only by decoding, each ratio of its minified JSON",
        formats.formats,
        "a representation is miscounted or called what it is not: run `measure run`",
    ),
    Gate(
        "beyond",
        "a delimiter saves the difference of two counted texts, the cheapest form is lossless, every flip is listed",
        formats.beyond,
        "a comparison of representations is wrong: run `measure run`",
    ),
    Gate(
        "families",
        "every family is counted in every format under its own name and version, and no ratio is of another vocabulary",
        formats.families,
        "a vocabulary is not the one named: install the extra, and run `measure run`",
    ),
    Gate(
        "projections",
        "every subset of the fields is counted once, and the study's choice stands where the counts put it",
        formats.projections,
        "a projection is missing or misplaced: run `measure run`",
    ),
    Gate(
        "ranges",
        "a published range holds exactly if none of our savings lies outside it",
        store.ranges,
        "a verdict on a published range is wrong: run `measure run`",
    ),
    Gate(
        "replication",
        "a published figure is called equal exactly if ours is the same; an explanation explains; all are counted",
        store.replication,
        "the recorded replication is wrong: run `measure run --original DIR`",
    ),
    Gate(
        "schema",
        "every result validates against the JSON Schema beside it, which is the one of its type",
        store.schema,
        "a result has another shape than it says: run `measure run`",
    ),
    Gate(
        "manifest",
        "the results' manifest names the versions and hashes of what lies here",
        store.manifest,
        "the results belong to other inputs: run `measure run`",
    ),
    Gate(
        "canonical",
        "every result is in canonical bytes, and no value of it is a time or begins as a path of a machine",
        store.canonical_bytes,
        "a result was edited by hand: run `measure run`",
    ),
    Gate(
        "documents",
        "the tables in README.md and results/README.md are those of the results",
        store.documents,
        "a table in a document is stale: run `measure run`",
    ),
    Gate(
        "drift",
        "measured again, every recorded value comes out the same",
        store.drift,
        "find out why it moved; `measure run` records the new values",
    ),
)


def verdict(gate: Gate, subject: Subject) -> Verdict:
    """What `gate` says of `subject`. A subject too damaged to read turns it red and raises nothing.

    What the gate said before it came to what it cannot read is kept.
    """
    said: list[str] = []
    try:
        said.extend(gate.check(subject))  # line by line: what comes before an error stays
    except MeasureError as error:
        said.append(str(error))
    except Exception as error:  # the gates read results as they are, of whatever shape an edit left them in
        said.append(f"unreadable: {type(error).__name__}: {error}")
    return Verdict(gate, tuple(said))


__all__ = ["GATES", "Gate", "Subject", "Verdict", "verdict"]
