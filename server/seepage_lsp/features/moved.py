"""Places of an older text, found again in a newer one: on lines that no edit changed, wherever these stand by now."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from seepage.source import SourceFile, Span

# Between the first line that changed and the last one so many lines of each text are compared with each other; others count as changed.
_MOST_COMPARED = 300


class Moved:
    """Where lines of one text stand in another one."""

    def __init__(self, before: SourceFile, after: SourceFile) -> None:
        self._before, self._after = before, after
        self._blocks = tuple(_matching(_lines(before), _lines(after)))

    def span(self, span: Span) -> Span | None:
        """Return where a range stands by now; None if a line that it touches was changed or is gone."""
        first, last = (bisect_right(self._before.line_starts, end) - 1 for end in (span.start, span.end))
        for old, new, count in self._blocks:
            if old <= first and last < old + count:
                start, end = (
                    offset - self._before.line_starts[line] + self._after.line_starts[new + line - old]
                    for offset, line in ((span.start, first), (span.end, last))
                )
                return Span(start, end)
        return None


def _lines(source: SourceFile) -> list[str]:
    return [source.line_text(number + 1) for number in range(len(source.line_starts))]


def _matching(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of equal lines: where they start in each text, and how many they are."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    most -= head
    tail = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if old and new and max(len(old), len(new)) <= _MOST_COMPARED:
        for a, b, count in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            yield head + a, head + b, count
    yield 0, 0, head
    yield len(before) - tail, len(after) - tail, tail
