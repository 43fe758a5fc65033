"""``seepage doctor``: whether this installation works."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from seepage.diagnosis import findings
from seepage.report.finding_json import SCHEMA, json_text
from seepage.report.findings import printable


@click.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def doctor(form: str) -> None:
    """Look whether this installation works: versions, places, both engines against known answers.

    Exit code 0 if all is well, 1 if something is not; then the line says what helps.
    """
    found = []
    for each in findings():
        found.append(each)
        if form == "text":
            click.echo(printable(f"{'ok  ' if each.ok else 'BAD '} {each.name}: {each.found}"))
            if not each.ok:
                click.echo(printable(f"     {each.help}"))
    well = all(each.ok for each in found)
    if form == "json":
        click.echo(json_text({"schema": SCHEMA, "ok": well, "findings": [asdict(each) for each in found]}, indent=2))
    sys.exit(0 if well else 1)
