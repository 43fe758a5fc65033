"""The rows of the leakage table one after the other: each with a small share of the time at first, then those again that this was too short for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from seepage.deadline import watched
from seepage.measures.asking import Asking
from seepage.measures.facts import LeakageRow
from seepage.measures.leakage_table import RowQuestion, leakage_row, row_questions


class Table:
    """The leakage table as it is found; of one analysis.

    Attributes:
        asking: what it is asked of; its deadline is that of the whole table.
        known: rows that are known before, by their numbers.
        rows: found so far, by their numbers.
        late: the numbers of those that had too little time.
    """

    def __init__(self, asking: Asking, known: Mapping[int, LeakageRow]) -> None:
        self.asking = asking
        self.known = known
        self.questions = list(row_questions(asking.checked))
        self.rows: dict[int, LeakageRow] = dict(known)
        self.late: list[int] = []

    def fill(self, seconds: float, known: Callable[[], object]) -> tuple[LeakageRow, ...]:
        """Return all rows, each found in so many seconds of a processor at most, those of all outputs first; ``known`` is called after each."""
        waiting = [number for number in range(len(self.questions)) if number not in self.known]
        for number in sorted(waiting, key=lambda number: not self.questions[number].headline):
            self.rows[number], late = _within(self.asking, self.questions[number], seconds)
            if late:
                self.late.append(number)
            else:
                known()
        return self._in_order()

    def so_far(self) -> tuple[LeakageRow, ...]:
        """Return the rows that will not change but by a formula."""
        return tuple(self.rows[number] for number in sorted(self.rows.keys() - set(self.late)))

    def fill_again(self, asking: Asking, first: float) -> tuple[LeakageRow, ...]:
        """Return all rows, late ones found again where each gets more than the ``first`` seconds."""
        for waiting, number in zip(range(len(self.late), 0, -1), self.late, strict=True):
            left = asking.budget.deadline.left() if asking.budget.deadline is not None else float("inf")
            if (share := left / waiting) > first:
                row, _ = _within(asking, self.questions[number], share)
                if row.information is not None or self.rows[number].information is None:
                    self.rows[number] = row
        return self._in_order()

    def _in_order(self) -> tuple[LeakageRow, ...]:
        return tuple(self.rows[number] for number in sorted(self.rows))


def _within(asking: Asking, question: RowQuestion, seconds: float) -> tuple[LeakageRow, bool]:
    with watched() as watch:
        row = leakage_row(asking.at_most(seconds), question)
    return row, watch.cut
