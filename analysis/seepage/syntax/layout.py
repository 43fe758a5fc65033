"""Lines and columns of a text: what documentation comments and missing braces are judged by."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from seepage.source import SourceFile
from seepage.syntax.comments import Blanked
from seepage.syntax.pieces import Piece, PieceKind


class Layout:
    """A text without comments, its lines, and the documentation that was in it."""

    def __init__(self, blanked: Blanked) -> None:
        self.text = blanked.text
        self._blanked = blanked

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return SourceFile("", self.text).line_starts

    def line(self, offset: int) -> int:
        """Return the number of the line of the offset, from 0."""
        return bisect_right(self._line_starts, offset) - 1

    def column(self, offset: int) -> int:
        """Return how many characters stand before the offset on its line."""
        return offset - self._line_starts[self.line(offset)]

    def begins_line(self, offset: int) -> bool:
        """Tell whether nothing but white space stands before the offset on its line."""
        return not self.text[self._line_starts[self.line(offset)] : offset].strip()

    def indent(self, offset: int) -> int:
        """Return how far the line of the offset is indented."""
        start = self._line_starts[self.line(offset)]
        line = self.text[start:offset]
        return len(line) - len(line.lstrip())

    def is_indented(self, pieces: Sequence[Piece]) -> bool:
        """Tell whether the text uses indentation: some first piece of a block stands right of the line that opens it."""
        return any(
            first.opens and second.kind is not PieceKind.CLOSE and self.column(second.start) > self.indent(first.start)
            for first, second in pairwise(pieces)
            if self.begins_line(second.start)
        )

    def documentation_above(self, start: int) -> str:
        """Return the text of the ``///`` lines directly above what starts at this offset, or nothing."""
        if not self._documentation:
            return ""
        line = self.line(start)
        text = self._documentation.get(line - 1)
        return text if text is not None and self.begins_line(start) else ""

    @cached_property
    def _documentation(self) -> dict[int, str]:
        """Runs of documentation lines, by the number of their last line."""
        runs: dict[int, str] = {}
        for offset, text in self._blanked.documentation.items():
            if self.begins_line(offset):
                line = self.line(offset)
                above = runs.pop(line - 1, None)
                runs[line] = text if above is None else f"{above}\n{text}"
        return runs
