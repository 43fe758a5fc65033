"""``seepage export FILE --to webppl|psi|prism|latex|json``: the program in the language of another tool, to check a number with it, or of papers."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from pathlib import PurePath
from typing import Literal, TypeAlias

import click

from seepage.cli.files import read_program, read_settings
from seepage.cli.options import FILE
from seepage.cli.project import params_of, project_of
from seepage.cli.reading import Unreadable
from seepage.diagnostics import Fault
from seepage.exports import prism, psi, webppl
from seepage.exports.latex import latex_text
from seepage.exports.plain import NotExported, Plain, plain
from seepage.exports.tree import tree_json
from seepage.measures.parameters import parameter_values
from seepage.program import Program
from seepage.report.finding_json import json_text
from seepage.report.findings import printable
from seepage.semantics.blocking import blocking
from seepage.source import Span

To: TypeAlias = Literal["webppl", "psi", "prism", "latex", "json"]
_LANGUAGES: dict[To, tuple[Callable[[Plain, str], str], Sequence[str]]] = {
    "webppl": (webppl.webppl_text, webppl.RESERVED),
    "psi": (psi.psi_text, psi.RESERVED),
    "prism": (prism.prism_text, prism.RESERVED),
}


@click.command()
@click.argument("file", type=FILE)
@click.option(
    "--to", "to", type=click.Choice(["webppl", "psi", "prism", "latex", "json"]), required=True, help="The language."
)
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
def export(file: str, to: To, assignments: tuple[str, ...]) -> None:
    """Print the program in FILE in the language of another tool: it returns the secrets and outputs, with the same joint law.

    LaTeX has the algorithm as it is written, for papers; JSON has the tree. Exit code 0 with a program, 1 if there is none: what has no counterpart is told with its line; 2 for wrong use.
    """
    program = read_program(file)
    for each in blocking(program.checked):
        raise Unreadable(_place(file, program, each.span), each.message)
    if to == "json":
        click.echo(json_text(tree_json(program.checked.tree, program.source), indent=2))
        return
    (given,) = read_settings((program,), assignments)
    title = f"{PurePath(file).name}, written by seepage export"
    try:
        params = parameter_values(program.checked, program.read_params(params_of(program, project_of(file), given)))
        if to != "latex":
            _need_values(program, params, file)
        if to == "latex":
            text = latex_text(program.checked.tree, params, printable(title))
        else:
            write, reserved = _LANGUAGES[to]
            text = write(plain(program, params, reserved), title)
    except NotExported as error:
        raise Unreadable(_place(file, program, error.span), error.message) from None
    except Fault as fault:
        raise Unreadable(_place(file, program, fault.diagnostic.span), fault.diagnostic.message) from None
    click.echo(text, nl=False)


def _need_values(program: Program, params: Container[str], file: str) -> None:
    """Raise :class:`Unreadable` for a parameter without a value."""
    for name in program.checked.symbols.params:
        if name not in params:
            raise Unreadable(file, f"parameter '{name}' has no value: --set {name}=…")


def _place(file: str, program: Program, span: Span) -> str:
    return f"{file}:{program.source.position(span.start)[0]}"
