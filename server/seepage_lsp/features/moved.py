"""Places of an older text, found again in a newer one: on lines that no edit changed, wherever these stand by now."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

from seepage.source import SourceFile, Span

# Between the first line that changed and the last one so many lines of each text are compared with each other; others count as changed.
_MOST_COMPARED = 300


class Moved:
    """Where lines of one text stand in another one."""

    def __init__(self, before: SourceFile, after: SourceFile) -> None:
        self._before, self._after = before, after
        self._blocks = tuple(_matching(before, after))

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


def _matching(before: SourceFile, after: SourceFile) -> Iterator[tuple[int, int, int]]:
    """Yield runs of equal lines: where they start in each text, and how many they are."""
    lines, others = len(before.line_starts), len(after.line_starts)
    if before.text == after.text:
        yield 0, 0, lines
        return
    shorter = min(len(before.text), len(after.text))
    start = _longest(shorter, lambda count: before.text[:count] == after.text[:count])
    end = _longest(shorter, lambda count: before.text[-count:] == after.text[-count:])
    # A line is equal whose end is in what both texts begin with, or that follows a line end in what both end with.
    head = bisect_right(before.line_starts, start) - 1
    tail = min(lines - bisect_right(before.line_starts, len(before.text) - end), lines - head, others - head)
    old, new = _lines(before, head, lines - tail), _lines(after, head, others - tail)
    if old and new and max(len(old), len(new)) <= _MOST_COMPARED:
        for a, b, count in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
            yield head + a, head + b, count
    yield 0, 0, head
    yield lines - tail, others - tail, tail


def _lines(source: SourceFile, first: int, last: int) -> list[str]:
    return [source.line_text(number + 1) for number in range(first, last)]


def _longest(most: int, equal: Callable[[int], bool]) -> int:
    """Return the largest count up to ``most`` for which texts are equal, as they then are for each smaller one above 0."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if equal(middle) else (least, middle - 1)
    return least
