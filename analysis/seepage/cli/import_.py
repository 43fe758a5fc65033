"""``seepage import FILE``: print the Seep program of a channel matrix or a Bayesian network."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias

import click

from seepage.cli.options import FILE
from seepage.cli.reading import Unreadable, read_text
from seepage.imports.bif import of_bif
from seepage.imports.channel import of_csv, of_json
from seepage.imports.writing import NotImported

From: TypeAlias = Literal["csv", "json", "bif"]


@click.command("import")
@click.argument("file", type=FILE)
@click.option("--from", "form", type=click.Choice(["csv", "json", "bif"]), show_default="as the name of the file ends")
@click.option("--secret", "secrets", multiple=True, metavar="NAME", help="Declare this variable of a network a secret.")
@click.option(
    "--output", "outputs", multiple=True, metavar="NAME", help="Declare this variable of a network an output."
)
def import_(file: str, form: From | None, secrets: tuple[str, ...], outputs: tuple[str, ...]) -> None:
    """Print the Seep program of a channel matrix (CSV, JSON) or a Bayesian network (BIF) in FILE.

    Exit code 0 with a program, 1 if the file cannot be read, 2 for wrong use.
    """
    form = form or _form(file)
    if form != "bif" and (secrets or outputs):
        raise click.UsageError("--secret and --output are for networks: a channel is from x to y")
    text = read_text(file)
    try:
        match form:
            case "csv":
                program = of_csv(text)
            case "json":
                program = of_json(text)
            case "bif":
                program = of_bif(text, secrets, outputs)
    except NotImported as error:
        raise Unreadable(file, str(error)) from None
    click.echo(program, nl=False)


def _form(file: str) -> From:
    match PurePath(file).suffix.lower():
        case ".csv":
            return "csv"
        case ".json":
            return "json"
        case ".bif":
            return "bif"
        case _:
            raise click.UsageError("expected a name that ends in .csv, .json or .bif, or --from")
