"""``seepage translate FILE::FUNCTION``: the program that a Python function is read as."""

from __future__ import annotations

import sys

import click

from seepage.cli.reading import read_text
from seepage.functions import load_in_project, translated_text
from seepage.report.findings import diagnostics_text, printable


@click.command()
@click.argument("function", metavar="FILE::FUNCTION")
def translate(function: str) -> None:
    """Print the Seep program that FUNCTION of the Python file FILE is read as, with Python's lines as comments.

    Exit code 0 with a program, 1 without, 2 for wrong use.
    """
    file, separator, name = function.partition("::")
    if not separator or not name:
        raise click.UsageError("expected FILE::FUNCTION, as module.py::respond")
    program = load_in_project(read_text(file, "a Python file"), file, name)
    if program.diagnostics:
        click.echo(diagnostics_text(program.source, program.diagnostics), err=True)
    text = translated_text(program)
    if not text:
        sys.exit(1)
    click.echo("\n".join(map(printable, text.splitlines())))
