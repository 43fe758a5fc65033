"""``seepage import FILE``: print the Seep program of a channel matrix, a Bayesian network, a chain of PRISM or JANI, or a program of PSI."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal, TypeAlias

import click

from seepage.cli.options import FILE
from seepage.cli.reading import Unreadable, read_bytes, read_text
from seepage.imports.bif import of_bif
from seepage.imports.channel import of_csv, of_json, of_npz
from seepage.imports.jani import of_jani
from seepage.imports.prism import of_prism
from seepage.imports.psi import of_psi
from seepage.imports.writing import NotImported
from seepage.source import MAX_TEXT

From: TypeAlias = Literal["csv", "json", "npz", "bif", "prism", "jani", "psi"]
_HELD: dict[From, str] = {
    "csv": "a channel matrix in CSV",
    "json": "a channel matrix in JSON",
    "npz": "a channel matrix of numpy",
    "bif": "a Bayesian network in BIF",
    "prism": "a chain of PRISM",
    "jani": "a chain in JANI",
    "psi": "a program of PSI",
}
FORMS = tuple(_HELD)
_ENDINGS: dict[str, From] = {
    ".csv": "csv",
    ".json": "json",
    ".npz": "npz",
    ".bif": "bif",
    ".pm": "prism",
    ".prism": "prism",
    ".jani": "jani",
    ".psi": "psi",
}


@click.command("import")
@click.argument("file", type=FILE)
@click.option("--from", "form", type=click.Choice(FORMS), show_default="as the name of the file ends")
@click.option("--secret", "secrets", multiple=True, metavar="NAME", help="Declare this variable a secret.")
@click.option("--output", "outputs", multiple=True, metavar="NAME", help="Declare this variable an output.")
@click.option("--only", is_flag=True, help="Leave out what no declared variable of a network depends on.")
@click.option("--until", metavar="CONDITION", help="Where a chain ends: an expression or a label of PRISM.")
@click.option("--steps", type=click.IntRange(0, 10_000), help="After how many steps a chain ends.")
def import_(
    file: str,
    form: From | None,
    secrets: tuple[str, ...],
    outputs: tuple[str, ...],
    only: bool,
    until: str | None,
    steps: int | None,
) -> None:
    """Print the Seep program of what FILE has: a channel matrix (CSV, JSON, npz), a Bayesian network (BIF), a chain (PRISM, JANI), a program of PSI.

    Exit code 0 with a program, 1 if the file cannot be read, 2 for wrong use.
    """
    form = form or _form(file)
    if form in ("csv", "json", "npz") and (secrets or outputs):
        raise click.UsageError("--secret and --output are for variables: a channel is from x to y")
    if form not in ("prism", "jani") and (until is not None or steps is not None):
        raise click.UsageError("--until and --steps are for chains of PRISM and JANI")
    if only and not (form == "bif" and (secrets or outputs)):
        raise click.UsageError("--only is for networks, with what is asked for declared by --secret and --output")
    text = "" if form == "npz" else read_text(file, _HELD[form])
    try:
        match form:
            case "csv":
                program = of_csv(text)
            case "json":
                program = of_json(text)
            case "npz":
                program = of_npz(read_bytes(file))
            case "bif":
                program = of_bif(text, secrets, outputs, only=only)
            case "prism":
                program = of_prism(text, secrets, outputs, until, steps)
            case "jani":
                program = of_jani(text, secrets, outputs, until, steps)
            case "psi":
                program = of_psi(text, secrets, outputs)
    except NotImported as error:
        raise Unreadable(file, str(error)) from None
    if len(program) > MAX_TEXT:
        less = "; declare what you ask for, with --only" if form == "bif" else ""
        raise Unreadable(file, f"its program has {len(program):,} characters, at most {MAX_TEXT:,} are read{less}")
    click.echo(program, nl=False)


def _form(file: str) -> From:
    found = _ENDINGS.get(PurePath(file).suffix.lower())
    if found is None:
        raise click.UsageError(f"expected a name that ends in {', '.join(_ENDINGS)}, or --from")
    return found
