"""Reading programs and options from the command line; what is wrong with them in one line each."""

from __future__ import annotations

import math
import os
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from seepage.cli.writing import replace_content
from seepage.configuration import WANTED_DIGITS
from seepage.diagnostics import Diagnostic
from seepage.measures.parameters import Value, shortened
from seepage.program import Program, parse
from seepage.report.text import printable
from seepage.rules import UNREADABLE_FILE
from seepage.source import SourceFile, Span
from seepage.syntax.incremental import MAX_TEXT

BYTES = 4 * MAX_TEXT  # a character takes up to four: what is larger holds more characters than the parser reads
_MOST_TOLD = 2_500  # characters at the beginning and at the end of a message; names of files have up to 4,096


# Only the name of a file: click's own checks would end the command at the first file that they refuse, with exit code 2.
FILE = click.Path(readable=False)


class _Seconds(click.FloatRange):
    """A range that refuses what is no number: it compares with nothing, so a limit of it would never be reached."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; anything else is wrong use."""
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):
            self.fail(f"found '{value}', expected a number of seconds", param, ctx)
        return seconds


DIGITS = click.option(
    "--digits",
    type=click.IntRange(WANTED_DIGITS[0], WANTED_DIGITS[-1]),
    help="Show numbers with at most so many digits, and never with more than are certain.",
)
SECONDS = _Seconds(min=0.1)


class Unreadable(click.ClickException):
    """A file that cannot be analysed; exit code 1, one line on standard error."""

    exit_code = 1

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason

    @property
    def diagnostic(self) -> Diagnostic:
        """The same as a finding at the start of the file."""
        return Diagnostic(UNREADABLE_FILE, Span(0, 0), self.reason)

    @property
    def source(self) -> SourceFile:
        """What the finding points into: nothing was read."""
        return SourceFile(self.path, "")

    def show(self, file: object = None) -> None:
        """Print the line."""
        click.echo(brief(printable(self.format_message())), err=True)


def brief(message: str) -> str:
    """Leave out the middle of a message that repeats a word of the caller which nobody wants to read whole."""
    return message if len(message) <= 2 * _MOST_TOLD else f"{message[:_MOST_TOLD]}…{message[-_MOST_TOLD:]}"


def read_program(path: str) -> Program:
    """Return the program in a file.

    Raises:
        Unreadable: missing, a directory, not readable, not UTF-8 text, too large, or empty.
    """
    text = read_text(path)
    if not text.strip():
        raise Unreadable(path, "the file is empty, expected a Seep program")
    return parse(text, path)


def read_text(path: str) -> str:
    """Return the text of a file; raises :class:`Unreadable` as :func:`read_program`."""
    try:
        if Path(path).is_dir():
            raise Unreadable(path, "found a directory, expected a file")
        with open(path, "rb") as file:
            data = file.read(BYTES + 1)
    except FileNotFoundError:
        raise Unreadable(path, "no such file") from None
    except PermissionError:
        raise Unreadable(path, "permission denied") from None
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise Unreadable(path, f"cannot be read: {reason}") from None
    return decoded(data, path)


def decoded(data: bytes, path: str) -> str:
    """Return the text in the bytes of a file, named in messages; raises :class:`Unreadable` as :func:`read_program`."""
    if len(data) > BYTES:
        raise Unreadable(path, f"more than {MAX_TEXT:,} characters, expected a Seep program")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(path, f"not a text in UTF-8 (byte {error.start})") from None
    if "\0" in text:
        raise Unreadable(path, "found a binary file, expected a Seep program")
    return text


def write_text(path: str, text: str) -> None:
    """Write a file, line ends as they stand in the text; a file that begins with a byte order mark keeps it.

    Raises:
        Unreadable: it cannot be written.
    """
    mark = BOM_UTF8 if _is_marked(path) else b""
    write_bytes(path, mark + text.encode())


def write_bytes(path: str, data: bytes) -> None:
    """Write a file; one that cannot be written is as before.

    Raises:
        Unreadable: it cannot be written.
    """
    try:
        replace_content(Path(path), data)
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise Unreadable(path, f"cannot be written: {reason}") from None


def _is_marked(path: str) -> bool:
    """Tell whether a file begins with a byte order mark."""
    try:
        with open(path, "rb") as file:
            return file.read(len(BOM_UTF8)) == BOM_UTF8
    except (OSError, ValueError):
        return False


def settings(assignments: Sequence[str]) -> dict[str, Value]:
    """Return what ``--set name=value`` options say.

    Raises:
        click.BadParameter: without ``=`` or a name, or for a name set twice.
    """
    values: dict[str, Value] = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise click.BadParameter(f"found '{shortened(assignment)}', expected name=value", param_hint="--set")
        if name in values:
            raise click.BadParameter(f"'{shortened(name)}' is set twice", param_hint="--set")
        values[name] = value.strip()
    return values


def read_settings(programs: Sequence[Program], assignments: Sequence[str]) -> list[dict[str, Value]]:
    """Return what ``--set name=value`` options say to each of the programs, after reading it for them.

    Raises:
        click.BadParameter: as :func:`settings`, or if no program has such a parameter, or a value is no number.
    """
    values = settings(assignments)
    known = dict.fromkeys(name for program in programs for name in program.checked.symbols.params)
    for name in values:
        if programs and name not in known:
            lacking = "the program has no" if len(programs) == 1 else "none of the files has a"
            expected = ", ".join(f"'{each}'" for each in known) or "none"
            message = f"{lacking} parameter '{shortened(name)}', expected one of: {expected}"
            raise click.BadParameter(message, param_hint="--set")
    return [settings_for(program, values) for program in programs]


def settings_for(program: Program, values: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of those parameters that a program has; raises :class:`click.BadParameter` for one that is no number."""
    own = {name: value for name, value in values.items() if name in program.checked.symbols.params}
    try:
        program.read_params(own)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--set") from None
    return own


def has_errors(diagnostics: Sequence[Diagnostic]) -> bool:
    """Tell whether some diagnostic is an error."""
    return any(diagnostic.is_error for diagnostic in diagnostics)
