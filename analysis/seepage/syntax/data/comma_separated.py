"""The bytes of a file with comma-separated values (RFC 4180, a header, UTF-8) -> columns, or what is wrong and in which line."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, repeat
from operator import add
from typing import Protocol

from seepage.data_classes import dataclass
from seepage.syntax.data.table import Column, Table

MOST_BYTES = 256 << 20
MOST_CELLS = 10_000_000
MOST_COLUMNS = 10_000
_BATCH = 1 << 15  # rows at a time
_PART = 1 << 22  # bytes at a time
_BEGIN = 256  # bytes by which a format is known
_SHOWN = 40  # characters of a cell that a message repeats
_BREAK = re.compile(r"\r\n|\r|\n")
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_SIGNATURES = {
    b"PK\x03\x04": "is a workbook of a spreadsheet, or an archive: save it as CSV",
    b"\xd0\xcf\x11\xe0": "is a workbook of a spreadsheet: save it as CSV",
    b"%PDF": "is a PDF: expected CSV",
    b"\x1f\x8b": "is compressed: expected CSV",
    b"SQLite format 3": "is a database: save the table as CSV",
}
_OTHER_FORMATS = (
    (re.compile(rb'\s*+(?:\{\s*+"|\[\s*+[{\["])'), "is JSON: expected CSV"),
    (re.compile(rb"\s*+<(?:\?xml|!doctype|html)", re.IGNORECASE), "is XML or a page of the web: expected CSV"),
)
_OTHER_ENCODINGS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Broken:
    """What is wrong with a file, as the end of a sentence that begins with its name; ``line`` counts from 1, None for the file as a whole."""

    message: str
    line: int | None = None


_TOO_MANY = Broken(f"has more than {MOST_CELLS:,} cells")


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
        header = next(reader, [])
        names = names_of(header, 1)
        if isinstance(names, Broken):
            return names
        is_plain = b'"' not in data and data.count(b"\r") == data.count(b"\r\n")
        rows = _plain_rows(data, len(names)) if is_plain else _quoted_rows(reader, len(names))
        return _table(rows, names, header, named, path, formulas=b"=" in data)
    except _Wrong as found:
        return found.broken
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
    begin = data[:_BEGIN].removeprefix(codecs.BOM_UTF8)
    for pattern, message in _OTHER_FORMATS:
        if pattern.match(begin):
            return Broken(message)
    if data.startswith(_OTHER_ENCODINGS) or _has_empty_halves(begin):
        return Broken("is in UTF-16 or UTF-32, expected UTF-8: save it as 'CSV UTF-8'")
    at = data.find(b"\0")
    if at >= 0:
        return Broken("is binary, expected CSV", data.count(b"\n", 0, at) + 1)
    return None


def _has_empty_halves(begin: bytes) -> bool:
    """Tell whether each second byte of a text's beginning is 0, on one side, as in UTF-16 that does not begin by saying so."""
    whole = begin[: len(begin) // 2 * 2]
    return any(not any(whole[side::2]) and 0 not in whole[1 - side :: 2] for side in (0, 1)) and bool(whole)


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


@dataclass(frozen=True, slots=True)
class _Rows:
    """Some rows in columns; ``line`` tells the line in which one of them ends."""

    columns: Sequence[Sequence[str]]
    line: Callable[[int], int]


class _Wrong(Exception):
    """What is wrong was found while rows were read."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(broken.message)
        self.broken = broken


def _table(
    batches: Iterable[_Rows], names: Sequence[str], header: Sequence[str], named: str, path: str, *, formulas: bool
) -> Table | Broken:
    codes = [_Codes() for _ in names]
    columns = [array("I") for _ in names]
    for batch in batches:
        if (len(columns[0]) + len(batch.columns[0])) * len(names) > MOST_CELLS:
            return _TOO_MANY
        for column, known, cells in zip(columns, codes, batch.columns, strict=True):
            _encode(column, known, cells, batch.line)
    if not columns[0]:
        return Broken("has a header and no rows", 1)
    if (formula := _formula(codes) if formulas else None) is not None:
        return formula
    made = zip(names, header, codes, columns, strict=True)
    return Table(named, path, tuple(_column(*each) for each in made), len(columns[0]))


def _plain_rows(data: bytes, width: int) -> Iterator[_Rows]:
    """Yield the rows of a file without quotation marks, in which each line is a row."""
    commas, before = repeat(","), 1
    at = data.index(b"\n") + 1 if b"\n" in data else len(data)
    end = len(data.rstrip(b"\r\n")) if width > 1 else len(data)  # empty lines at the end are no rows
    if data.count(b"\n", at, end) * width > MOST_CELLS:  # told before millions of them are read
        raise _Wrong(_TOO_MANY)
    while at < end:
        cut = data.rfind(b"\n", at, at + _PART) + 1 if end - at > _PART else end
        if cut <= at:
            raise _Wrong(Broken(f"has a line of more than {_PART:,} bytes", before + 1))
        lines = data[at:cut].decode().replace("\r\n", "\n").removesuffix("\n").split("\n")
        if {*map(str.count, lines, commas)} != {width - 1}:
            wrong = next(place for place, line in enumerate(lines) if line.count(",") != width - 1)
            raise _Wrong(_ragged(lines[wrong].split(",") if lines[wrong] else [], width, before + wrong + 1))
        cells = ",".join(lines).split(",")
        yield _Rows([cells[place::width] for place in range(width)], partial(add, before + 1))
        at, before = cut, before + len(lines)


def _quoted_rows(reader: _Reader, width: int) -> Iterator[_Rows]:
    """Yield the rows of a file in which quotation marks may hold commas and line ends together."""
    empty: int | None = None  # a line without cells, which may only stand at the end
    source = _Lines(reader)
    while batch := source.take(_BATCH):
        if width == 1:
            batch = [row or [""] for row in batch]
        elif not all(batch) or empty is not None:
            full = len(batch)
            while full and not batch[full - 1]:
                full -= 1
            if empty is not None and full:
                raise _Wrong(_ragged([], width, empty))
            empty = source.end(full) if empty is None else empty
            batch = batch[:full]
        if {*map(len, batch)} - {width}:
            wrong = next(place for place, row in enumerate(batch) if len(row) != width)
            raise _Wrong(_ragged(batch[wrong], width, source.end(wrong)))
        if batch:
            yield _Rows(list(zip(*batch, strict=True)), source.end)


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


def _ragged(row: Sequence[str], width: int, line: int) -> Broken:
    """Return what is wrong with a row that is not as wide as the header."""
    found = "is empty" if not row else f"has {len(row)} cell{'s' if len(row) != 1 else ''}"
    return Broken(f"has {width} column{'s' if width != 1 else ''}, and this line {found}", line)


def _encode(column: array[int], known: _Codes, cells: Sequence[str], line: Callable[[int], int]) -> None:
    before = len(known)
    column.extend(map(known.__getitem__, cells))
    if len(known) > before:  # the lines of what came first in these rows
        start = len(column) - len(cells)
        new = before
        for at, code in enumerate(column[start:]):
            if code == new:
                known.lines[new] = line(at)
                new += 1


def names_of(header: Sequence[str], line: int | None) -> list[str] | Broken:
    """Return the names of columns: their headings, with ``_`` for each character that no name has.

    Args:
        header: the headings.
        line: in which they stand.
    """
    if not header:
        return Broken("begins with an empty line, expected the names of its columns", line)
    if len(header) == 1:
        for sign, called in _SEPARATORS.items():
            if sign in header[0]:
                return Broken(f"has {called} between its cells, expected commas", line)
    if len(header) > MOST_COLUMNS:
        return Broken(f"has {len(header):,} columns, at most {MOST_COLUMNS:,} are read", line)
    names: list[str] = []
    for at, heading in enumerate(header, 1):
        if not heading.strip():
            numbered = ": give it one, or leave it out, as pandas does by 'index=False'" if at == 1 else ""
            return Broken(f"has no name for column {at}{numbered}", line)
        name = _name(heading.strip())
        if name in names:
            other = header[names.index(name)]
            return Broken(f"has two columns called '{name}' ('{other[:_SHOWN]}' and '{heading[:_SHOWN]}')", line)
        names.append(name)
    return names


def _name(heading: str) -> str:
    plain = unicodedata.normalize("NFKC", heading)
    name = "".join(sign if sign == "_" or sign.isalnum() else "_" for sign in plain)
    return f"_{name}" if name[0].isdecimal() else name


def _column(name: str, heading: str, known: _Codes, codes: array[int]) -> Column:
    return Column(name, heading, tuple(known), codes, known.lines)
