"""Lines and columns of a text: what documentation comments and missing braces are judged by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from seepage.syntax.comments import Blanked
from seepage.syntax.pieces import Piece, PieceKind

_BLANK = re.compile(r"[^\S\r\n]*")


class Layout:
    """A text without comments, its lines, and the documentation that was in it."""

    def __init__(self, blanked: Blanked) -> None:
        self.text = blanked.text
        self._blanked = blanked

    def line(self, offset: int) -> int:
        """Return the offset where the line of the offset starts; looks at nothing but that line."""
        start = self.text.rfind("\n", 0, offset) + 1
        return max(self.text.rfind("\r", start, offset) + 1, start)

    def are_on_one_line(self, start: int, end: int) -> bool:
        """Tell whether no line ends between two offsets; looks at nothing but what stands between them."""
        return self.text.find("\n", start, end) < 0 and self.text.find("\r", start, end) < 0

    def column(self, offset: int) -> int:
        """Return how many characters stand before the offset on its line."""
        return offset - self.line(offset)

    def is_right_of(self, offset: int, column: int) -> bool:
        """Tell whether the offset stands right of a column on its line; looks at so many characters only."""
        first = offset - column - 1
        return first >= 0 and self.text.find("\n", first, offset) < 0 and self.text.find("\r", first, offset) < 0

    def begins_line(self, offset: int) -> bool:
        """Tell whether nothing but white space stands before the offset on its line."""
        at = offset
        while at and self.text[at - 1] not in "\r\n":
            if not self.text[at - 1].isspace():
                return False
            at -= 1
        return True

    def ends_line(self, offset: int) -> bool:
        """Tell whether nothing but white space stands after the offset on its line."""
        match = _BLANK.match(self.text, offset)
        end = match.end() if match else offset
        return end == len(self.text) or self.text[end] in "\r\n"

    def indent(self, offset: int) -> int:
        """Return how far the line of the offset is indented."""
        line = self.text[self.line(offset) : offset]
        return len(line) - len(line.lstrip())

    def indented(self, pieces: Sequence[Piece]) -> int | None:
        """Return where the first block starts whose first piece stands right of the line that opens it: the text uses indentation."""
        found = (
            second.start
            for first, second in pairwise(pieces)
            if first.opens
            and second.kind is not PieceKind.CLOSE
            and self.begins_line(second.start)
            and self.column(second.start) > self.indent(first.start)
        )
        return next(found, None)

    @cached_property
    def documentation(self) -> Mapping[int, str]:
        """The text of each run of ``///`` lines, by the offset of what begins the line directly below."""
        text = self.text
        runs: dict[int, str] = {}
        run, next_line = "", -1
        for comment in self._blanked.comments:
            if comment.documentation is None:
                continue
            line = self.line(comment.start)
            if text[line : comment.start].strip():
                continue
            run = f"{run}\n{comment.documentation}" if line == next_line else comment.documentation
            next_line = comment.end + (2 if text.startswith("\r\n", comment.end) else 1)
            if (blank := _BLANK.match(text, next_line)) is not None:
                runs[blank.end()] = run
        return runs
