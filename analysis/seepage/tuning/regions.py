"""The part of a rectangle of two parameters in which a budget holds, as boxes that are proved, and the best point that is left.

A box in which the budget is proved, or in which its opposite is, is done; any other is halved along the side that is longer as a share of the rectangle,
as long as boxes may be asked. The boxes that are left lie around the border. What is best is a point that was tried, with a bound that is proved
for every box in which the budget may hold.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Number, show
from seepage.measures.requirement import Verdict
from seepage.measures.result import Result
from seepage.pipeline import measure
from seepage.semantics.checked import Checked
from seepage.tuning.budgets import judged, opposite
from seepage.tuning.goal import Best, Goal

MOST_BOXES = 160  # that are asked about
_GAPS = (
    1e-6,
    1e-4,
    1e-3,
    1e-2,
    3e-2,
    1e-1,
    3e-1,
    1.0,
)  # between the best value and the bound of all others, that are tried

Values: TypeAlias = tuple[Fraction, Fraction]  # one of each parameter
Told: TypeAlias = Literal["holds", "violated", "border"]


@dataclass(frozen=True, slots=True)
class Box:
    """All values between two corners, both included, and whether the budget is proved to hold or to be violated at each of them."""

    low: Values
    high: Values
    told: Told

    @property
    def area(self) -> Fraction:
        """Its size."""
        return (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])

    @property
    def points(self) -> tuple[Values, ...]:
        """Its corners and its middle."""
        corners = itertools.product((self.low[0], self.high[0]), (self.low[1], self.high[1]))
        return (*corners, ((self.low[0] + self.high[0]) / 2, (self.low[1] + self.high[1]) / 2))


@dataclass(frozen=True, slots=True)
class Region:
    """What was found.

    Attributes:
        budget: as written.
        parameters: their names.
        boxes: which fill the rectangle.
        best: for a goal; None without one, or where no point was met at which the budget holds.
    """

    budget: str
    parameters: tuple[str, str]
    boxes: tuple[Box, ...]
    best: Best[Values] | None = None

    def share(self, told: Told) -> Fraction:
        """Return the share of the rectangle that boxes of a kind fill."""
        whole = sum((box.area for box in self.boxes), Fraction(0))
        return sum((box.area for box in self.boxes if box.told == told), Fraction(0)) / whole


@dataclass(frozen=True, slots=True)
class RegionTuning:
    """What is asked: a program, a budget without ranges, two parameters with the ends of their values, the values of others, the time for each question."""

    checked: Checked
    budget: str
    parameters: tuple[str, str]
    low: Values
    high: Values
    params: Mapping[str, Number]
    seconds: float

    def tune(self, goal: Goal | None = None) -> Region:
        """Return the region.

        Raises:
            Fault: of the program, the budget or the measure of the goal.
        """
        boxes = tuple(self._boxes())
        best = None if goal is None else self._best(goal, boxes)
        return Region(self.budget, self.parameters, boxes, best)

    def _boxes(self) -> Iterator[Box]:
        against = opposite(self.checked, self.budget)
        order = itertools.count()
        waiting = [(Fraction(-1), next(order), Box(self.low, self.high, "border"))]
        for _ in range(MOST_BOXES):
            if not waiting:
                return
            _, _, box = heapq.heappop(waiting)
            if self._over(self.budget, box) == "holds":
                yield Box(box.low, box.high, "holds")
            elif against is not None and self._over(against, box) == "holds":
                yield Box(box.low, box.high, "violated")
            else:
                for half in self._halves(box):
                    heapq.heappush(waiting, (-half.area, next(order), half))
        yield from (box for _, _, box in waiting)

    def _halves(self, box: Box) -> tuple[Box, Box]:
        shares = [(box.high[at] - box.low[at]) / (self.high[at] - self.low[at]) for at in (0, 1)]
        side = 0 if shares[0] >= shares[1] else 1
        middle = (box.low[side] + box.high[side]) / 2
        first = (middle, box.high[1]) if side == 0 else (box.high[0], middle)
        second = (middle, box.low[1]) if side == 0 else (box.low[0], middle)
        return Box(box.low, first, "border"), Box(second, box.high, "border")

    def _over(self, budget: str, box: Box) -> Verdict:
        ends = zip(self.parameters, box.low, box.high, strict=True)
        ranges = ", ".join(f"{name} in [{show(low)}, {show(high)}]" for name, low, high in ends)
        return judged(self.checked, f"{budget} over {ranges}", self.params, self.seconds)[0]

    def _at(self, point: Values) -> dict[str, Number]:
        return {**self.params, **dict(zip(self.parameters, point, strict=True))}

    # --- the best point -----------------------------------------------------------------------------------------------

    def _best(self, goal: Goal, boxes: Sequence[Box]) -> Best[Values] | None:
        allowed = dict.fromkeys(point for box in boxes if box.told == "holds" for point in box.points)
        border = dict.fromkeys(point for box in boxes if box.told == "border" for point in box.points)
        for point in border:
            if point not in allowed and judged(self.checked, self.budget, self._at(point), self.seconds)[0] == "holds":
                allowed[point] = None
        found = {point: measure(self.checked, goal.measure, self._at(point), "bits", self.seconds) for point in allowed}
        if not found:
            return None
        at = min(found, key=lambda each: (goal.cost(found[each]), each))
        open_boxes = [box for box in boxes if box.told != "violated"]
        return Best(goal, at, found[at], self._bound(goal, found[at], open_boxes))

    def _bound(self, goal: Goal, result: Result, boxes: Sequence[Box]) -> float | None:
        """Return a bound beyond which the measure is proved not to be in any of the boxes."""
        left = list(boxes)
        for bound in goal.bounds(result, _GAPS):
            claim = goal.claim(result, bound)
            # What holds for a bound does for one that is further.
            left = [box for box in left if self._over(claim, box) != "holds"]
            if not left:
                return bound
        return None
