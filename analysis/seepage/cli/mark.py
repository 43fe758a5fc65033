"""``seepage mark FILE::FUNCTION``: the mark of a Python function, written with questions."""

from __future__ import annotations

import sys

import click

from seepage.cli.reading import read_text, write_text
from seepage.python.marking import CannotMark, marked_text
from seepage.report.findings import printable
from seepage.source import SourceFile


@click.command()
@click.argument("function", metavar="FILE::FUNCTION")
def mark(function: str) -> None:
    """Write a mark above FUNCTION of the Python file FILE; a "?" stands where the law of an argument is asked.

    Exit code 0 if it is written, 1 if it cannot be, 2 for wrong use.
    """
    file, separator, name = function.partition("::")
    if not separator or not name:
        raise click.UsageError("expected FILE::FUNCTION, as module.py::respond")
    try:
        text = marked_text(SourceFile(file, read_text(file)), name)
    except CannotMark as error:
        click.echo(printable(f"{file}: {error}"), err=True)
        sys.exit(1)
    write_text(file, text)
    click.echo(printable(f'{file}: \'{name}\' is marked; write a law in place of each "?", as "bernoulli(1/2)"'))
