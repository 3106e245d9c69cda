"""Speed as ratios, each measured in one run on one machine: `make bench`. Not a test: nothing here can fail.

The bare script does what `measure ladder` cannot do without: import tiktoken, load the vocabulary by tiktoken's
own loader, and count the six payloads, which it finds ready-made on disk. Processes are run in turn, and each
figure is the median of the runs.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

import measure
from measure import transcripts
from measure.context.cache_aware import CacheAware
from measure.context.clear_tool_uses import ClearToolUses
from measure.context.edited import applied
from measure.context.mask import Mask
from measure.context.policy import Chain, Policy
from measure.context.prices import chosen, read_prices
from measure.context.session import Session, counted
from measure.context.sweep import grid, sweep
from measure.context.terms import Terms
from measure.formats import FORMATS
from measure.ladder import RUNGS, payload
from measure.records import RecordSet
from measure.representation import all_formats
from measure.scenario import PRICES, scenario, tasks
from measure.sessions import load as sessions_of
from measure.study import checkout
from measure.tokens import DEFAULT_ENCODING, tally, vocabulary

RUNS = 15
LARGE = (500, 5_000, 50_000, 500_000)

_BARE = """
import os, sys
os.environ["TIKTOKEN_CACHE_DIR"] = ""
import tiktoken
from tiktoken.load import load_tiktoken_bpe
path, sha256, pattern, *payloads = sys.argv[1:]
ranks = load_tiktoken_bpe(path, expected_hash=sha256)
encoding = tiktoken.Encoding("bare", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
for name in payloads:
    with open(name, encoding="utf-8", newline="") as file:
        print(len(encoding.encode_ordinary(file.read())))
"""


def seconds(*command: str) -> tuple[float, float]:
    """Wall time of a whole process and of its first output."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.read(1)
        first = time.perf_counter() - start
        process.stdout.read()
    assert process.returncode == 0, command
    return time.perf_counter() - start, first


def start_up(folder: Path) -> None:
    """The first output of `measure ladder` on 500 rows, as a ratio to the bare script."""
    files = checkout.fixtures(checkout.root())
    plan = scenario(files)
    records = tasks(files, 500)
    payloads = []
    for rung in RUNGS:
        path = folder / f"{rung.name}.txt"
        path.write_bytes(payload(rung, records, records.project(plan.projected), plan.aliases).text.encode())
        payloads.append(str(path))
    row = vocabulary(DEFAULT_ENCODING)
    rows = str(checkout.root() / "fixtures" / "tasks-500.json")
    bare = (
        sys.executable,
        "-c",
        _BARE,
        str(Path(measure.__file__).parent / "vocabularies" / row.file),
        row.sha256,
        row.pattern,
        *payloads,
    )
    ours = (str(Path(sys.executable).parent / "measure"), "ladder", rows, "--fields", ",".join(plan.projected))
    pairs = [(seconds(*ours)[1], seconds(*bare)[0]) for _ in range(RUNS)]
    ratio = statistics.median(first / whole for first, whole in pairs)
    print(f"first output of `measure ladder`, 500 rows : bare script, whole   {ratio:.2f}   (bound 1.5, aim below 1.0)")


def growth(folder: Path) -> None:
    """Cost a row from 500 rows on, and the memory of the largest file."""
    some = json.loads((checkout.root() / "fixtures" / "tasks-500.json").read_bytes())
    costs: list[float] = []
    for rows in LARGE:
        path = folder / "rows.json"
        with path.open("w", encoding="utf-8") as file:
            for number in range(rows):
                task = some[number % 500] | {
                    "id": f"TASK-{number:06d}",
                    "description": f"{number}: no text is here twice, as no other says {number * 7919}.",
                }
                file.write("[,"[number > 0] + json.dumps(task, separators=(",", ":")))
            file.write("]")
        command = (sys.executable, "-c", _IN_PROCESS, str(path))
        spent, peak = map(float, subprocess.run(command, capture_output=True, check=True, text=True).stdout.split())
        costs.append(spent / rows)
        print(
            f"{rows:>7,} rows   cost a row : cost a row at 500   {costs[-1] / costs[0]:.2f}"
            f"   peak memory : file   {peak / path.stat().st_size:.1f}"
        )


_IN_PROCESS = """
import resource, sys, time
from measure import climb, count, load
count("load the vocabulary first")
start = time.perf_counter()
climb(load(sys.argv[1]), ["id", "status", "assignee", "priority"], {}, ["cl100k_base"])
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""

FORMAT_ROWS = (500, 5_000, 50_000)
SLOW = 20.0  # seconds: a format that would take longer at the next scale is left out there


def every_format() -> None:
    """Encode and count in each format, as a ratio to json.dumps and count of the same rows; and how that grows."""
    some = json.loads((checkout.root() / "fixtures" / "tasks-500.json").read_bytes())
    measure.count("load the vocabulary first")
    spent: dict[str, list[float | None]] = {"json.dumps": []}
    for rows in FORMAT_ROWS:
        asked = [some[n % 500] | {"id": f"TASK-{n:06d}", "description": f"{n}: text {n * 7919}."} for n in range(rows)]
        records = RecordSet.of(asked)
        runs = 5 if rows == FORMAT_ROWS[0] else 1

        def dumped(asked: list[dict[str, object]] = asked) -> None:
            measure.count(json.dumps(asked, separators=(",", ":"), ensure_ascii=False))

        spent["json.dumps"].append(_median(dumped, runs))
        for name in all_formats():
            taken = spent.setdefault(name, [])
            if taken and (None in taken or taken[-1] * 10 > SLOW):
                print(f"{name}: {rows:,} rows are left out, as they would take over {SLOW:.0f} s")
                taken.append(None)
                continue

            def written(name: str = name, records: RecordSet = records) -> None:
                tally(FORMATS[name]().encode(records))

            if rows == FORMAT_ROWS[0]:
                written()  # what is imported when a format is asked for
            taken.append(_median(written, runs))
    base = spent.pop("json.dumps")
    print("format      encode + count : json.dumps + count, 500 rows   cost a row : cost a row at 500, 5,000, 50,000")
    for name, taken in spent.items():
        grown = [
            f"{one / taken[0] * FORMAT_ROWS[0] / rows:.2f}" if one else "-"
            for one, rows in zip(taken[1:], FORMAT_ROWS[1:], strict=True)
        ]
        print(f"{name:<10}  {taken[0] / base[0]:>6.2f}   {'   '.join(grown)}")


def sessions() -> None:
    """A thousand settings of a policy over a session, as a ratio to the middle one with every request counted anew."""
    data = sessions_of(checkout.fixtures(checkout.root()))["research"]
    (transcript,) = transcripts.load(data, "research")
    session = counted(transcript)
    prices = chosen(read_prices((checkout.root() / PRICES).read_bytes(), PRICES), "sonnet")
    terms = Terms("5m", prices)

    def naive(policy: Policy) -> None:
        chain = Chain(session, [policy])
        for moment in chain.moments():
            made = applied(session, chain.context.changes, moment.request.end)
            Session(msgspec.structs.replace(transcript, messages=made), DEFAULT_ENCODING, measure.count)

    grids: dict[Policy, Iterator[Policy]] = {  # the one in the middle: all
        Mask(25, 10): grid(Mask, {"window": range(1, 51), "batch": range(1, 21)}),
        ClearToolUses(50_000, keep=10): grid(
            ClearToolUses, {"trigger": range(2_000, 102_000, 2_000), "keep": range(1, 21)}
        ),
    }
    for middle, settings in grids.items():
        chains = [(policy,) for policy in settings]
        spent = _median(partial(sweep, [session], chains, terms), 3)
        once = _median(partial(naive, middle), 3)
        print(
            f"{len(chains):,} settings of {middle.name}, {len(session.requests) - 1} calls : one, counted anew   ",
            end="",
        )
        print(f"{spent / once:.2f}   (bound 2)")
    costs = []
    for times in (1, 2, 4, 8, 16):
        longer = counted(msgspec.structs.replace(transcript, messages=transcript.messages * times))
        spent = _median(partial(sweep, [longer], [(Mask(),), (ClearToolUses(),), (CacheAware(),)], terms), 3)
        costs.append(spent / len(longer.blocks))
        print(f"{len(longer.blocks):>7,} blocks   cost a block : cost a block at {len(session.blocks)}   ", end="")
        print(f"{costs[-1] / costs[0]:.2f}")


def _median(work: Callable[[], None], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        start_up(Path(name))
        growth(Path(name))
    every_format()
    sessions()
