"""Offsets of the library and positions of the protocol: the only place that counts UTF-8 or UTF-16 units.

The library counts code points from the start of the text. A client counts lines, and in a line the units of the
encoding that was agreed on. Only ``\\n``, ``\\r\\n`` and ``\\r`` end a line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from enum import Enum

from lsprotocol.types import Position, Range

from seepage.data_classes import dataclass
from seepage.source import Span

_LINE_END = re.compile(r"\r\n|\r|\n")


class Encoding(Enum):
    """What one unit of ``Position.character`` is."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def choose_encoding(offered: Iterable[str] | None) -> Encoding:
    """Return the first of the client's encodings that is known; UTF-16 if it names none."""
    known = {encoding.value: encoding for encoding in Encoding}
    return next((known[name] for name in offered or () if name in known), Encoding.UTF16)


def units(text: str, encoding: Encoding) -> int:
    """Count the units of a piece of text. Lone surrogates, which JSON can carry, count like any character of their plane."""
    if encoding is Encoding.UTF32 or text.isascii():
        return len(text)
    if encoding is Encoding.UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def code_points(line: str, count: int, encoding: Encoding) -> int:
    """Return how many code points of ``line`` the first ``count`` units hold.

    A count past the end means the end, one in the middle of a character means the start of that character.
    """
    if encoding is Encoding.UTF32 or line.isascii():
        return min(count, len(line))
    # No code point has less than one unit, so the answer lies in the first ``count`` code points.
    longest = min(count, len(line))
    return bisect_right(range(longest + 1), count, key=lambda length: units(line[:length], encoding)) - 1


def _starts(text: str, begin: int, end: int) -> list[int]:
    """Offsets in ``(begin, end]`` at which a line starts."""
    return [match.end() for match in _LINE_END.finditer(text, begin, end)]


@dataclass(frozen=True, slots=True)
class Lines:
    """A text cut into lines, read in one encoding.

    Attributes:
        text: the whole text.
        starts: code-point offsets at which lines start, ascending, the first 0.
        encoding: of the positions that go in and come out.
    """

    text: str
    starts: tuple[int, ...]
    encoding: Encoding

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> Lines:
        """Cut a text into lines."""
        return cls(text, (0, *_starts(text, 0, len(text))), encoding)

    def _content(self, line: int) -> tuple[int, int]:
        """Offsets of a line's first character and of its line end."""
        start = self.starts[line]
        if line + 1 == len(self.starts):
            return start, len(self.text)
        end = self.starts[line + 1] - 1
        if end > start and self.text[end] == "\n" and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def offset(self, position: Position) -> int:
        """Return the code-point offset of a position; what lies outside is moved to the nearest place inside."""
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = self._content(position.line)
        count = min(max(position.character, 0), 4 * (end - start))
        return start + code_points(self.text[start:end], count, self.encoding)

    def position(self, offset: int) -> Position:
        """Return the position of a code-point offset; an offset inside a line end means the end of that line."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start, end = self._content(line)
        return Position(line=line, character=units(self.text[start : min(offset, end)], self.encoding))

    def range(self, span: Span) -> Range:
        """Return a span as a range of the protocol."""
        return Range(start=self.position(span.start), end=self.position(span.end))

    def span(self, given: Range) -> Span:
        """Return a range of the protocol as a span; a reversed range is turned round."""
        start, end = sorted((self.offset(given.start), self.offset(given.end)))
        return Span(start, end)

    def line_end(self, line: int) -> Position:
        """Return the position right before the line end of a line, counted from 0."""
        return self.position(self._content(line)[1])

    def line_of(self, offset: int) -> int:
        """Return the number, from 0, of the line that holds an offset."""
        return bisect_right(self.starts, offset) - 1

    def replace(self, given: Range, replacement: str) -> Lines:
        """Return the text with a range replaced; lines away from the edit are not looked at again."""
        span = self.span(given)
        text = self.text[: span.start] + replacement + self.text[span.end :]
        moved = len(replacement) - (span.end - span.start)
        # From the line before the edit, as the edit can join its "\r" with a "\n"; to the end of the line of the edit's end,
        # whose line end stays as it is.
        first = max(self.line_of(span.start) - 1, 0)
        after = self.line_of(span.end) + 1
        begin = self.starts[first]
        end = self.starts[after] + moved if after < len(self.starts) else len(text)
        inner = [start for start in _starts(text, begin, end) if start < end or after >= len(self.starts)]
        tail = self.starts[after:] if moved == 0 else tuple(start + moved for start in self.starts[after:])
        return Lines(text, (*self.starts[: first + 1], *inner, *tail), self.encoding)
