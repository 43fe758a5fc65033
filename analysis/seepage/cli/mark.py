"""``seepage mark FILE::FUNCTION``: the mark of a Python function, written with questions."""

from __future__ import annotations

import sys

import click

from seepage.cli.reading import read_text, write_text
from seepage.python.marking import CannotMark, marked_text, marking
from seepage.report.findings import printable
from seepage.source import SourceFile


@click.command()
@click.argument("function", metavar="FILE::FUNCTION")
def mark(function: str) -> None:
    """Write a mark above FUNCTION of the Python file FILE.

    What FUNCTION compares an argument with is a guess of its law, marked as such; a "?" stands where there is none to be made.

    Exit code 0 if it is written, 1 if it cannot be, 2 for wrong use.
    """
    file, separator, name = function.partition("::")
    if not separator or not name:
        raise click.UsageError("expected FILE::FUNCTION, as module.py::respond")
    source = SourceFile(file, read_text(file, "a Python file"))
    try:
        found = marking(source, name)
    except CannotMark as error:
        click.echo(printable(f"{file}: {error}"), err=True)
        sys.exit(1)
    write_text(file, marked_text(source, found))
    parts = [f"'{name}' is marked"]
    if found.is_guess:
        parts.append(
            "the laws in it are guesses, uniform over what each argument is compared with: put what you know in their places"
        )
    if found.asks:
        parts.append('write a law in place of each "?", as "bernoulli(1/2)"')
    click.echo(printable(f"{file}: {'; '.join(parts)}"))
