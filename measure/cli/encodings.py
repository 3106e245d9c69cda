"""`measure encodings`: what can be counted, each with its vocabulary's SHA-256 or its package."""

import click

from measure.canonical import canonical
from measure.cli.options import as_json
from measure.engines import installed
from measure.families import FAMILIES
from measure.report.encodings import encodings, families
from measure.report.table import show
from measure.tokens import VOCABULARIES, read_vocabulary


@click.command(name="encodings")
@as_json
def command(as_json: bool) -> None:
    """What can be counted.

    Each vocabulary of tiktoken is read and its SHA-256 compared with tiktoken's. The others need the extra
    `families`, and are compared with their fingerprint when a text is counted in them.
    """
    for row in VOCABULARIES.values():
        read_vocabulary(row)
    there = {name: installed(family.package) for name, family in FAMILIES.items()}
    if as_json:
        own = [
            {
                "encoding": row.name,
                "authority": row.authority,
                "entries": row.entries,
                "sha256": row.sha256,
            }
            for row in VOCABULARIES.values()
        ]
        others = [
            {
                "encoding": row.name,
                "authority": row.authority,
                "label": row.label,
                "evidence": row.evidence,
                "installed": there[row.name],
                "package_licence": row.package.licence,
                "licence": row.licence,
                "source": row.source,
                "file": row.file,
                "sha256": row.sha256,
                "fingerprint": row.fingerprint,
                "checked_against": row.checked_against,
                "note": row.note,
            }
            for row in FAMILIES.values()
        ]
        click.echo(canonical([*own, *others]), nl=False)
    else:
        show([encodings(), *families(there)])
