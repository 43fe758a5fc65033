"""Texts of files, read and written; what is wrong with a file in one line. Nothing here loads the analysis."""

from __future__ import annotations

import os
import sys
from codecs import BOM_UTF8
from pathlib import Path

import click

from seepage.cli.writing import replace_content
from seepage.diagnostics import Diagnostic
from seepage.files import bytes_at
from seepage.report.findings import printable
from seepage.rules import UNREADABLE_FILE
from seepage.source import MAX_TEXT, SourceFile, Span

BYTES = 4 * MAX_TEXT  # a character takes up to four: what is larger holds more characters than the parser reads
_MOST_TOLD = 2_500  # characters at the beginning and at the end of a message; names of files have up to 4,096


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


def read_program_text(path: str) -> str:
    """Return the text of a program.

    Raises:
        Unreadable: missing, a directory, not readable, not UTF-8 text, too large, or empty.
    """
    return needed_text(read_text(path), path)


def needed_text(text: str, path: str) -> str:
    """Return a text in which something stands; raises :class:`Unreadable` for any other."""
    if not text.strip():
        raise Unreadable(path, "the file is empty, expected a Seep program")
    return text


def read_standard_input(name: str) -> bytes:
    """Return what comes from standard input; raises :class:`Unreadable`, with this name, where nothing can."""
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        raise Unreadable(name, f"cannot be read: {reason}") from None


def read_text(path: str, expected: str = "a Seep program") -> str:
    """Return the text of a file; raises :class:`Unreadable` as :func:`read_program_text`, with what was ``expected``."""
    return decoded(read_bytes(path), path, expected)


def read_bytes(path: str) -> bytes:
    """Return what is in a file, cut behind ``BYTES`` + 1; raises :class:`Unreadable` where it is missing, a directory or not readable."""
    try:
        if Path(path).is_dir():
            raise Unreadable(path, "found a directory, expected a file")
        return bytes_at(path, BYTES + 1)
    except FileNotFoundError:
        raise Unreadable(path, "no such file") from None
    except PermissionError:
        raise Unreadable(path, "permission denied") from None
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise Unreadable(path, f"cannot be read: {reason}") from None


def decoded(data: bytes, path: str, expected: str = "a Seep program") -> str:
    """Return the text in the bytes of a file, named in messages; raises :class:`Unreadable` as :func:`read_text`."""
    if len(data) > BYTES:
        raise Unreadable(path, f"more than {MAX_TEXT:,} characters, expected {expected}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(path, f"not a text in UTF-8 (byte {error.start})") from None
    if "\0" in text:
        raise Unreadable(path, f"found a binary file, expected {expected}")
    return text


def write_text(path: str, text: str) -> None:
    """Write a file, line ends as they stand in the text; a file that begins with a byte order mark keeps it.

    Raises:
        Unreadable: it cannot be written, or is a pipe or device, which holds no text to be changed.
    """
    if Path(path).exists() and not Path(path).is_file():
        raise Unreadable(path, "found a pipe or device, expected a file to write into")
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
