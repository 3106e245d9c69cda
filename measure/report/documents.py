"""The documents that show results: the figures, results/README.md, and the generated block in README.md.

All are written by `measure run` and compared by `measure check`, so that no number in them can go stale.
"""

import re

from measure import results
from measure.errors import BadInput
from measure.gates import GATES
from measure.ladder import Ladder
from measure.quantities import Saving
from measure.report.figures import figures
from measure.report.table import markdown
from measure.report.tables import TABLES, ladder, ranges, steps
from measure.scenario import Files, content
from measure.study.hunt import Mutants
from measure.study.manifest import Manifest

README = "README.md"
RESULTS_README = "results/README.md"
_BLOCK = re.compile(r"(<!-- begin generated: measure run -->\n).*?(<!-- end generated -->)", re.DOTALL)


def documents(files: Files) -> dict[str, bytes]:
    """Every generated document that `files` has results for.

    Raises:
        BadInput: a result is missing, the README has lost its markers, or matplotlib is not as recorded.
    """
    text = content(files, README).decode()
    return {
        RESULTS_README: results_readme(files).encode(),
        README: spliced(text, block(files)).encode(),
        **figures(files),
    }


def spliced(text: str, generated: str) -> str:
    """`text` with `generated` between its markers.

    Raises:
        BadInput: the markers are not there exactly once.
    """
    new, found = _BLOCK.subn(lambda match: match[1] + generated + match[2], text)
    if found != 1:
        raise BadInput(f"{found} generated blocks", where=README, right="one pair of markers is needed")
    return new


def block(files: Files) -> str:
    """The README's claim and tables: the ladder, and in the first encoding its steps and the published ranges."""
    shown = [*ladder(files), next(steps(files)), next(ranges(files))]
    return "\n" + "\n".join([claim(files), *map(markdown, shown)]) + "\n"


def claim(files: Files) -> str:
    """The claim in one sentence, every percentage with its denominator: at the largest scale, first encoding."""
    recorded = results.table(files, "ladder", Ladder)
    taken, kept, full = recorded.steps, len(recorded.projected), len(recorded.rungs[0].fields)
    last = [step for step in taken if step.encoding == taken[0].encoding]
    rows = max(step.rows for step in last)
    projecting, compacting, aliasing = (
        next(step.saving for step in last if (step.rows, step.step) == (rows, name))
        for name in ("L1->L3", "L3->L4", "L4->L5")
    )
    return (
        f"> At {rows} rows of a task list, keeping {kept} of {full} fields saves {_share(projecting)};\n"
        f"> a header instead of a name in every row then saves {_share(compacting)};\n"
        f"> and shorter names in that header save {aliasing.saved_tokens} tokens, {_share(aliasing)}.\n"
    )


def _share(one: Saving) -> str:
    whole = one.denominator
    return f"{one.display} of {whole.of}'s {whole.tokens:,} tokens ({whole.serialization})"


def summary(files: Files) -> str:
    """A line on what was verified."""
    counted = results.table(files, "ladder", Ladder)
    killed = results.table(files, "mutants", Mutants)
    return (
        f"{len(counted.rungs)} counts of payloads that were decoded back to their records, "
        f"{len(GATES)} gates green,\n{killed.killed} of {killed.mutants_tried} mutants killed"
    )


def results_readme(files: Files) -> str:
    """What lies in results/, and all of it as tables."""
    manifest = results.table(files, "manifest", Manifest)
    parts = [
        "# Results\n\n"
        "Written by `measure run`, compared by `measure check`; never edited. Every count is `measured`, by tiktoken\n"
        f"{manifest.versions.tiktoken} or by what the table names, of a payload that was decoded back to its records\n"
        "first; counts by a reconstruction are `simulated`. Each JSON file has its JSON Schema beside it;\n"
        "`manifest.json` holds the hashes of all that the results belong to; `figures/` is drawn from the tables.\n"
    ]
    parts += [markdown(table) for name in TABLES for table in TABLES[name](files)]
    return "\n".join(parts)
