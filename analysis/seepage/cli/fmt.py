"""``seepage fmt FILE…``: programs in the one style."""

from __future__ import annotations

import difflib
import sys
from codecs import BOM_UTF8
from itertools import pairwise

import click

from seepage.checking.walk import is_python
from seepage.cli.options import FILE
from seepage.cli.reading import Unreadable, decoded, read_standard_input, read_text, write_text
from seepage.report.findings import diagnostics_text
from seepage.source import SourceFile
from seepage.syntax.printer import applied, format_text

_STDIN = "-"


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit code 1 if something would change.")
@click.option("--diff", "show_diff", is_flag=True, help="Write nothing; print what would change.")
def fmt(files: tuple[str, ...], only_check: bool, show_diff: bool) -> None:
    """Bring programs into the one style: white space and semicolons, nothing else.

    FILE may be "-": standard input is formatted to standard output. A file with syntax errors is left alone, and so are Python files.
    Exit code 0 if all is well, 1 for errors and, with --check, if something would change, 2 for wrong use.
    """
    clean = True
    for path in files:
        if is_python(path):  # it has formatters of its own
            continue
        try:
            data = read_standard_input("<stdin>") if path == _STDIN else b""
            text = decoded(data, "<stdin>") if path == _STDIN else read_text(path)
            source = SourceFile("<stdin>" if path == _STDIN else path, text)
            written = _formatted(source)
            if written is None:
                clean = False
                continue
            if show_diff:
                click.echo(_diff(source, written), nl=False)
            if only_check:
                clean = clean and written == text
            if only_check and written != text:
                click.echo(f"{source.name}: would change", err=True)
            if not (show_diff or only_check):
                _write(path, text, written, BOM_UTF8 if data.startswith(BOM_UTF8) else b"")
        except Unreadable as error:
            clean = False
            error.show()
    sys.exit(0 if clean else 1)


def _formatted(source: SourceFile) -> str | None:
    """Return the text in the one style; None, with the errors printed, if it has syntax errors."""
    result = format_text(source.text)
    if result.errors:
        click.echo(diagnostics_text(source, result.errors), err=True)
        return None
    return applied(source.text, result.edits)


def _diff(source: SourceFile, written: str) -> str:
    before, after = _lines(source.text), _lines(written)
    lines = difflib.unified_diff(before, after, source.name, f"{source.name} (formatted)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; only what ends a line of a program ends one here."""
    starts = SourceFile("", text).line_starts
    return [text[start:end] for start, end in pairwise((*starts, len(text))) if start < end]


def _write(path: str, text: str, written: str, mark: bytes) -> None:
    if path == _STDIN:
        sys.stdout.buffer.write(mark + written.encode())
        sys.stdout.buffer.flush()
        return
    if written != text:
        write_text(path, written)
        click.echo(f"{path}: formatted", err=True)
