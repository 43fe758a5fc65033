"""The bytes of a file with comma-separated values (RFC 4180, a header, UTF-8) -> columns, or what is wrong and in which line."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from seepage.syntax.data.table import Column, Table

MOST_BYTES = 256 << 20
MOST_CELLS = 10_000_000
MOST_COLUMNS = 10_000
_BATCH = 1 << 15  # rows at a time
_SHOWN = 40  # characters of a cell that a message repeats
_BREAK = re.compile(r"\r\n|\r|\n")
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_SIGNATURES = {
    b"PK\x03\x04": "is a workbook of a spreadsheet, or an archive: save it as CSV",
    b"\xd0\xcf\x11\xe0": "is a workbook of a spreadsheet: save it as CSV",
    b"PAR1": "is a Parquet file: save it as CSV",
    b"ARROW1": "is an Arrow file: save it as CSV",
    b"%PDF": "is a PDF: expected CSV",
    b"\x1f\x8b": "is compressed: expected CSV",
    b"SQLite format 3": "is a database: save the table as CSV",
}
_OTHER_ENCODINGS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong with a file, as the end of a sentence that begins with its name; ``line`` counts from 1, None for the file as a whole."""

    message: str
    line: int | None = None


class _Reader(Protocol):
    """What csv's readers are, whose type has no public name."""

    @property
    def line_num(self) -> int:
        """The lines that were read."""
        ...

    def __iter__(self) -> Iterator[list[str]]:
        """Return itself."""
        ...

    def __next__(self) -> list[str]:
        """Return the next row."""
        ...


class _Codes(dict[str, int]):
    """Texts by the order in which they come first, with the lines of those."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = array("I")
        self.line = 0

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        self.lines.append(self.line)
        return code


def table_of(data: bytes, named: str, path: str) -> Table | Broken:
    """Return the table in the bytes of a file.

    Args:
        data: at most ``MOST_BYTES``.
        named: its path as a program writes it.
        path: resolved.
    """
    if (wrong := _no_text(data)) is not None:
        return wrong
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")
    reader = csv.reader(text, strict=True)
    try:
        return _read(reader, named, path, formulas=b"=" in data)
    except csv.Error as error:
        return Broken(_csv_error(str(error)), max(1, reader.line_num))
    except UnicodeDecodeError:
        return _not_utf8(data)


def _no_text(data: bytes) -> Broken | None:
    if not data.strip():
        return Broken("is empty, expected a header and rows")
    for signature, message in _SIGNATURES.items():
        if data.startswith(signature):
            return Broken(message)
    if data.startswith(_OTHER_ENCODINGS):
        return Broken("is in UTF-16 or UTF-32, expected UTF-8: save it as 'CSV UTF-8'")
    at = data.find(b"\0")
    if at >= 0:
        return Broken("is binary, expected CSV", data.count(b"\n", 0, at) + 1)
    return None


def _not_utf8(data: bytes) -> Broken:
    decoder, at = codecs.getincrementaldecoder("utf-8")(), 0
    while at < len(data):
        part = data[at : at + _BATCH]
        try:
            decoder.decode(part)
        except UnicodeDecodeError as error:
            at += max(0, error.start - len(error.object) + len(part))
            break
        at += len(part)
    return Broken("is no text in UTF-8: save it as 'CSV UTF-8'", data.count(b"\n", 0, at) + 1)


def _csv_error(reason: str) -> str:
    if "field larger" in reason:
        return f"has a cell of more than {csv.field_size_limit():,} characters"
    if "unexpected end" in reason:
        return "has a quotation mark that is never closed"
    if "expected after" in reason:
        return (
            "has a quotation mark inside of a cell: such a cell stands in quotation marks, with each of its own doubled"
        )
    return f"is no CSV: {reason}"


def _read(reader: _Reader, named: str, path: str, *, formulas: bool) -> Table | Broken:
    header = next(reader, [])
    names = _names(header)
    if isinstance(names, Broken):
        return names
    codes = [_Codes() for _ in names]
    columns = [array("I") for _ in names]
    rows, width, source = 0, len(names), _Lines(reader)
    while batch := source.take(_BATCH):
        if (wrong := _ragged(batch, width, source)) is not None:
            return wrong
        batch = [row or [""] for row in batch] if width == 1 else [row for row in batch if row]
        rows += len(batch)
        if rows * width > MOST_CELLS:
            return Broken(f"has more than {MOST_CELLS:,} cells")
        for column, known, cells in zip(columns, codes, zip(*batch, strict=True), strict=True):
            _encode(column, known, cells, source)
    if not rows:
        return Broken("has a header and no rows", 1)
    if (formula := _formula(codes) if formulas else None) is not None:
        return formula
    made = zip(names, header, codes, columns, strict=True)
    return Table(named, path, tuple(_column(*each) for each in made), rows)


def _formula(codes: list[_Codes]) -> Broken | None:
    for known in codes:
        for text, line in zip(known, known.lines, strict=True):
            if text.startswith("="):
                return Broken(f"holds a formula of a spreadsheet, '{text[:_SHOWN]}': save its values", line)
    return None


class _Lines:
    """Rows in batches, with the lines in which they end."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.before = reader.line_num
        self.batch: list[list[str]] = []

    def take(self, count: int) -> list[list[str]]:
        """Return the next rows."""
        self.before = self.reader.line_num
        self.batch = list(islice(self.reader, count))
        return self.batch

    def end(self, at: int) -> int:
        """Return the line in which a row of the batch ends."""
        if self.reader.line_num - self.before == len(self.batch):
            return self.before + at + 1
        return self.before + sum(1 + sum(len(_BREAK.findall(cell)) for cell in row) for row in self.batch[: at + 1])


def _ragged(batch: list[list[str]], width: int, source: _Lines) -> Broken | None:
    """Return what is wrong with a row that is not as wide as the header; empty lines at the end of a file are none."""
    if {*map(len, batch)} <= {width}:
        return None
    last = len(batch)
    while last and not batch[last - 1]:
        last -= 1
    for at, row in enumerate(batch):
        if len(row) != width and (row or (at < last and width > 1)):
            found = "is empty" if not row else f"has {len(row)} cell{'s' if len(row) != 1 else ''}"
            return Broken(f"has {width} columns, and this line {found}", source.end(at))
    return None


def _encode(column: array[int], known: _Codes, cells: tuple[str, ...], source: _Lines) -> None:
    before = len(known)
    column.extend(map(known.__getitem__, cells))
    if len(known) > before:  # the lines of what came first in this batch
        start = len(column) - len(cells)
        new = before
        for at, code in enumerate(column[start:]):
            if code == new:
                known.lines[new] = source.end(at)
                new += 1


def _names(header: list[str]) -> list[str] | Broken:
    """Return the names of columns: their headings, with ``_`` for each character that no name has."""
    if len(header) == 1:
        for sign, called in _SEPARATORS.items():
            if sign in header[0]:
                return Broken(f"has {called} between its cells, expected commas", 1)
    if len(header) > MOST_COLUMNS:
        return Broken(f"has {len(header):,} columns, at most {MOST_COLUMNS:,} are read", 1)
    names: list[str] = []
    for at, heading in enumerate(header, 1):
        if not heading.strip():
            return Broken(f"has no name for column {at}", 1)
        name = _name(heading.strip())
        if name in names:
            other = header[names.index(name)]
            return Broken(f"has two columns called '{name}' ('{other[:_SHOWN]}' and '{heading[:_SHOWN]}')", 1)
        names.append(name)
    return names


def _name(heading: str) -> str:
    plain = unicodedata.normalize("NFKC", heading)
    name = "".join(sign if sign == "_" or sign.isalnum() else "_" for sign in plain)
    return f"_{name}" if name[0].isdecimal() else name


def _column(name: str, heading: str, known: _Codes, codes: array[int]) -> Column:
    return Column(name, heading, tuple(known), codes, known.lines)
