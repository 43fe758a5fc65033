"""Texts and places in them: the one coordinate system of the library.

A place is an offset in Unicode code points from the start of the text; a range is half-open. Lines and columns
are made only where a person reads them. Counting UTF-16 units is the language server's business.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from seepage.data_classes import dataclass
from seepage.files import NO_FOLDER, AnyFiles

MAX_TEXT = 1_000_000
"""Characters of a program that is read: one of that size takes seconds."""

# Only these end a line, as in the language server protocol; not U+2028, NEL, VT or FF.
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of code-point offsets."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, got [{self.start}, {self.end})")

    def shift(self, offset: int) -> Span:
        """Return this range moved right by ``offset`` code points."""
        return Span(self.start + offset, self.end + offset)

    def cover(self, other: Span) -> Span:
        """Return the smallest range that holds both."""
        return Span(min(self.start, other.start), max(self.end, other.end))

    def contains(self, offset: int) -> bool:
        """Tell whether ``offset`` lies in the range or right at its end (where an editor's cursor may stand)."""
        return self.start <= offset <= self.end


@dataclass(frozen=True)
class SourceFile:
    """A text that is read.

    Attributes:
        name: a path or a URI, for messages only.
        text: all of it.
        version: the editor's.
        files: where the files are that it names.
        is_guarded: whether who wrote the text took care that no symbol is taken for a number, as programs made of Python functions do: they
            branch on what a value is, which the rules for symbols, that know no branches, would not see.
    """

    name: str
    text: str
    version: int = 0
    files: AnyFiles = NO_FOLDER
    is_guarded: bool = False

    def __repr__(self) -> str:
        """Return its name and size; the text may be long."""
        return f"<SourceFile {self.name!r}, {len(self.text):,} characters>"

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets at which lines start; line numbers count from 0 here."""
        return (0, *(match.end() for match in _LINE_END.finditer(self.text)))

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both counted from 1, columns in code points."""
        line = bisect_right(self.line_starts, offset) - 1
        return line + 1, offset - self.line_starts[line] + 1

    def line_text(self, line: int) -> str:
        """Return the text of a line (counted from 1) without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def __getitem__(self, span: Span) -> str:
        """Return the text in a range."""
        return self.text[span.start : span.end]
