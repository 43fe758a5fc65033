"""The values of a parameter, parted into those at which budgets are proved to hold, those at which one is proved to be violated, and the rest.

Of each budget the widest range in which it holds is found with its ends, as :mod:`seepage.tuning.ranges` does; what is left beside it is halved until a
part is proved to hold or to be violated, as long as parts may be asked about. What is left then is not told: it is a border, or beyond what is proved.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.exact import Number
from seepage.semantics.checked import Checked
from seepage.tuning.budgets import opposite
from seepage.tuning.ranges import Tuning

MOST_PARTS = 24  # beside the widest range, that are asked about for each budget
_QUESTIONS = (
    80  # that one budget mostly takes, each with its share of the time; once all of that is over, no more are asked
)

Told: TypeAlias = Literal["holds", "violated", "not told"]


@dataclass(frozen=True, slots=True)
class Segment:
    """All values from one to another, and what is proved of the budgets at each of them: all hold, or one is violated."""

    low: Fraction
    high: Fraction
    told: Told


def segments(
    checked: Checked,
    budgets: Sequence[str],
    parameter: str,
    low: Fraction,
    high: Fraction,
    params: Mapping[str, Number],
    seconds: float,
) -> tuple[Segment, ...]:
    """Return the parts of a range of a parameter, in ascending order; neighbours share an end, and differ in what is told.

    Args:
        checked: the program.
        budgets: as ``require`` has them, without ranges.
        parameter: its name.
        low: the least value.
        high: the greatest.
        params: values of the other parameters.
        seconds: of a processor for all of it.

    Raises:
        Fault: of the program, or of a budget.
        ValueError: the ends do not ascend.
    """
    if low >= high:
        raise ValueError(f"found '{parameter}' from {low} to {high}, expected ends that ascend")
    share = seconds / max(1, len(budgets))
    found: list[list[Segment]] = []
    for each in budgets:
        limit = Deadline.after(share)
        asked = Tuning(checked, each, parameter, low, high, params, share / _QUESTIONS, limit)
        found.append(_Parting(asked, limit).whole())
    return tuple(_joined(_together(found, low, high)))


@dataclass(frozen=True, slots=True)
class _Parting:
    """The parting of one budget's values."""

    tuning: Tuning
    deadline: Deadline

    def whole(self) -> list[Segment]:
        """Return parts that fill the range, in ascending order."""
        low, high = self.tuning.low, self.tuning.high
        found = self.tuning.tune()
        if found is None or not found.proved:
            return sorted(self._parts([(low, high)]), key=lambda each: each.low)
        cuts = [low, found.low.violated, found.low.value, found.high.value, found.high.violated, high]
        marks = sorted({each for each in cuts if each is not None})
        range_of = (found.low.value, found.high.value)
        holds = [Segment(*range_of, "holds")] if range_of[0] < range_of[1] else []
        # From the last value that holds to the first that does not is the border itself.
        borders = {(found.low.violated, range_of[0]), (range_of[1], found.high.violated)}
        rest = [each for each in pairwise(marks) if each not in borders and not _is_in(each, range_of)]
        ends = (Segment(first, last, "not told") for first, last in pairwise(marks) if (first, last) in borders)
        return sorted((*holds, *ends, *self._parts(rest)), key=lambda each: each.low)

    def _parts(self, rest: Sequence[tuple[Fraction, Fraction]]) -> Iterator[Segment]:
        """Yield what is told of parts, the widest first; those that are not decided are halved."""
        against = opposite(self.tuning.checked, self.tuning.budget)
        waiting = [(first - last, first, last) for first, last in rest]
        heapq.heapify(waiting)
        for _ in range(MOST_PARTS):
            if not waiting or self.deadline.passed():
                break
            _, first, last = heapq.heappop(waiting)
            if against is not None and self.tuning.over(against, first, last)[0] == "holds":
                yield Segment(first, last, "violated")
            elif self.tuning.over(self.tuning.budget, first, last)[0] == "holds":
                yield Segment(first, last, "holds")
            else:
                middle = (first + last) / 2
                for one in ((first, middle), (middle, last)):
                    heapq.heappush(waiting, (one[0] - one[1], *one))
        yield from (Segment(first, last, "not told") for _, first, last in waiting)


def _is_in(part: tuple[Fraction, Fraction], whole: tuple[Fraction, Fraction]) -> bool:
    return whole[0] <= part[0] and part[1] <= whole[1]


def _together(found: Sequence[Sequence[Segment]], low: Fraction, high: Fraction) -> Iterator[Segment]:
    """Yield what is told of all budgets together, cut wherever one of them is."""
    marks = sorted({low, high, *(each.low for parts in found for each in parts)})
    for first, last in pairwise(marks):
        told = {each.told for parts in found for each in parts if each.low <= first and last <= each.high}
        yield Segment(first, last, "violated" if "violated" in told else "holds" if told == {"holds"} else "not told")


def _joined(parts: Iterator[Segment]) -> Iterator[Segment]:
    """Yield parts with neighbours of one kind made one."""
    before: Segment | None = None
    for part in parts:
        if before is not None and before.told == part.told:
            before = Segment(before.low, part.high, part.told)
        else:
            if before is not None:
                yield before
            before = part
    if before is not None:
        yield before
