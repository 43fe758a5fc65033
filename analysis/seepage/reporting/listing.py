"""The text of a program as lines, with colours, and with what leaks beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from seepage.data_classes import dataclass
from seepage.report.findings import printable
from seepage.reporting.document import LineBeside, ListingLine, Piece
from seepage.reporting.told import Colour, ProgramTold
from seepage.source import SourceFile

_MOST_LINES = 1_500
_WIDEST = 400  # characters of a line


@dataclass(frozen=True)
class Listing:
    """The lines of a file that are shown.

    Attributes:
        source: the file.
        colours: of its words, in their order.
        programs: in it: of functions of Python only their lines are shown.
        beside: what stands beside lines, by their numbers.
    """

    source: SourceFile
    colours: Sequence[Colour]
    programs: Sequence[ProgramTold]
    beside: Mapping[int, Sequence[LineBeside]]

    @cached_property
    def _numbers(self) -> list[int]:
        ranges = [each.lines for each in self.programs if each.lines != (0, 0)]
        last = len(self.source.line_starts)
        if ranges:
            shown = {number for low, high in ranges for number in range(low, min(high, last) + 1)}
            return sorted(shown)
        numbers = list(range(1, last + 1)) if self.source.text.strip() else []
        while numbers and not self.source.line_text(numbers[-1]).strip():
            numbers.pop()
        return numbers

    @property
    def cut(self) -> int:
        """How many lines are left out at the end."""
        return max(0, len(self._numbers) - _MOST_LINES)

    @cached_property
    def lines(self) -> tuple[ListingLine, ...]:
        """The lines."""
        numbers = self._numbers[:_MOST_LINES]
        return tuple(
            ListingLine(number, tuple(self._pieces(number)), tuple(self.beside.get(number, ()))) for number in numbers
        )

    def _pieces(self, number: int) -> Iterator[Piece]:
        start = self.source.line_starts[number - 1]
        text = self.source.line_text(number)
        end = start + min(len(text), _WIDEST)
        at = start
        for each in self._colours_between(start, end):
            low, high = max(each.start, at), min(each.end, end)
            if at < low:
                yield Piece("", _shown(self.source.text[at:low]))
            if low < high:
                yield Piece(each.kind, _shown(self.source.text[low:high]))
                at = high
        if at < end:
            yield Piece("", _shown(self.source.text[at:end]))
        if len(text) > _WIDEST:
            yield Piece("", "…")

    def _colours_between(self, start: int, end: int) -> Iterator[Colour]:
        for each in self.colours:
            if each.start >= end:
                return
            if each.end > start:
                yield each


def _shown(text: str) -> str:
    return printable(text.expandtabs(4))
