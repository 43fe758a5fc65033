"""The widest range of a parameter in which a budget holds, with proof at its ends, and the best value in it.

Points are tried first; between one at which the budget holds and one at which it is violated its end is enclosed by bisection, and the whole range is
then decided as ``require … over`` decides it. A range that hides a violation is cut there. What is best in the range is a value that was tried, with a
bound of all others that is decided the same way: the gap between the two is certified.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.exact import Number, show
from seepage.measures.requirement import Verdict
from seepage.measures.result import Result
from seepage.pipeline import measure
from seepage.semantics.checked import Checked
from seepage.tuning.budgets import judged
from seepage.tuning.goal import Best, Goal

POINTS = 17  # that are tried at first
_ROUNDS = 8  # of cutting a range at what it hides
_CLOSE = Fraction(1, 1_000_000)  # how near both sides of an end come, as a share of the parameter's range
_STEPS_BACK = (0, 10, 100, 1_000)  # from an end at which the proof finds too little room, in units of that
_GAPS = (1e-9, 1e-7, 1e-5, 1e-3, 1e-2, 1e-1)  # between the best value and the bound of all others, that are tried

Verdicts: TypeAlias = dict[Fraction, Verdict]


@dataclass(frozen=True, slots=True)
class End:
    """An end of a range.

    Attributes:
        value: the last one in the range.
        violated: the nearest value beyond it at which the budget is surely violated; None where there is none.
        is_of_domain: whether the parameter's values end here.
    """

    value: Fraction
    violated: Fraction | None
    is_of_domain: bool


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was found.

    Attributes:
        budget: as written.
        parameter: its name.
        low: the lower end of the range.
        high: the upper one.
        proved: whether the budget is proved for all values between.
        elsewhere: a value outside of the range at which it holds as well; None if none was met.
        best: for a goal.
        whole: whether only whole numbers are meant, each of which was decided by itself.
    """

    budget: str
    parameter: str
    low: End
    high: End
    proved: bool
    elsewhere: Fraction | None
    best: Best[Fraction] | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is asked: a program, a budget without ranges, the parameter with the ends of its values, the values of the others, and the time for each question.

    Past the ``deadline``, if there is one, nothing is told of a value any more, and so less is found; what is proved stays proved.
    """

    checked: Checked
    budget: str
    parameter: str
    low: Fraction
    high: Fraction
    params: Mapping[str, Number]
    seconds: float
    deadline: Deadline | None = None

    def tune(self, goal: Goal | None = None) -> Tuned | None:
        """Return the widest range that was found; None if the budget holds at no value that was tried.

        Raises:
            Fault: of the program, the budget or the measure of the goal.
        """
        step = (self.high - self.low) / (POINTS - 1)
        known: Verdicts = {}
        for number in range(POINTS):
            value = self.low + number * step
            known[value] = self.at(value)
        found: Tuned | None = None
        for _ in range(_ROUNDS):
            run = widest(known)
            if run is None:
                return None
            found, hidden = self._ends(run, known)
            if hidden is None:
                break
            known[hidden] = "violated"
        if found is None or goal is None or not found.proved:
            return found
        return replace(found, best=self._best(goal, found.low.value, found.high.value))

    def at(self, value: Fraction) -> Verdict:
        """Return what the budget comes to at one value; "cannot tell" where the program has no meaning there."""
        return self._judged(self.budget, {**self.params, self.parameter: value})[0]

    def over(self, budget: str, low: Fraction, high: Fraction) -> tuple[Verdict, str]:
        """Return what a budget comes to for all values from one to another, and where it is violated, in words."""
        return self._judged(f"{budget} over {self.parameter} in [{show(low)}, {show(high)}]", self.params)

    def _judged(self, text: str, params: Mapping[str, Number]) -> tuple[Verdict, str]:
        if self.deadline is not None and self.deadline.passed():
            return "cannot tell", ""
        return judged(self.checked, text, params, self.seconds)

    def _ends(self, run: tuple[Fraction, Fraction], known: Verdicts) -> tuple[Tuned, Fraction | None]:
        """Return the range around a run of values at which the budget holds, or with it a value inside at which it is violated."""
        low, high = self._end(run[0], known, -1), self._end(run[1], known, 1)
        elsewhere = next(
            (at for at in sorted(known) if known[at] == "holds" and not low.value <= at <= high.value), None
        )
        found = Tuned(self.budget, self.parameter, low, high, proved=False, elsewhere=elsewhere)
        unit = _CLOSE * (self.high - self.low)
        for back in _STEPS_BACK:
            first = low.value if low.is_of_domain else min(run[0], low.value + back * unit)
            last = high.value if high.is_of_domain else max(run[1], high.value - back * unit)
            verdict, where = self.over(self.budget, first, last)
            ends = replace(low, value=first), replace(high, value=last)
            if verdict == "holds":
                return replace(found, low=ends[0], high=ends[1], proved=True), None
            if verdict == "violated":
                return found, _inside(where, first, last)
        return found, None

    def _end(self, holds: Fraction, known: Verdicts, side: int) -> End:
        """Return the end of the range on one side of a value at which the budget holds; what is tried joins what is known."""
        beyond = sorted((at for at in known if (at - holds) * side > 0), key=lambda at: abs(at - holds))
        if not beyond:
            return End(holds, None, is_of_domain=True)
        outer = beyond[0]
        while abs(outer - holds) > _CLOSE * (self.high - self.low):
            middle = _between(holds, outer)
            known[middle] = self.at(middle)
            if known[middle] == "holds":
                holds = middle
            else:
                outer = middle
        violated = (at for at in known if known[at] == "violated" and (at - holds) * side > 0)
        return End(holds, min(violated, key=lambda at: abs(at - holds), default=None), is_of_domain=False)

    def _best(self, goal: Goal, low: Fraction, high: Fraction) -> Best[Fraction]:
        """Return the best value of a measure that is met in a range, and a bound for all of it."""
        tried: dict[Fraction, Result] = {}

        def cost(at: Fraction) -> float:
            if at not in tried:
                values = {**self.params, self.parameter: at}
                tried[at] = measure(self.checked, goal.measure, values, "bits", self.seconds)
            return goal.cost(tried[at])

        if low == high:
            cost(low)
        else:
            _descend(cost, low, high)
        at = min(tried, key=lambda each: (cost(each), each))
        bounds = goal.bounds(tried[at], _GAPS)
        proved = (bound for bound in bounds if self.over(goal.claim(tried[at], bound), low, high)[0] == "holds")
        return Best(goal, at, tried[at], next(proved, None))


def widest(known: Verdicts) -> tuple[Fraction, Fraction] | None:
    """Return the ends of the longest run of values at which the budget holds, the first one of those as long."""
    best: tuple[Fraction, Fraction] | None = None
    first: Fraction | None = None
    for at in sorted(known):
        if known[at] != "holds":
            first = None
            continue
        first = at if first is None else first
        if best is None or at - first > best[1] - best[0]:
            best = (first, at)
    return best


def _between(inner: Fraction, outer: Fraction) -> Fraction:
    """Return a value between two others, near their middle, with few digits."""
    middle = (inner + outer) / 2
    digits = 1 - math.floor(math.log10(abs(outer - inner)))
    short = Fraction(round(middle, digits))
    return short if min(inner, outer) < short < max(inner, outer) else middle


def _inside(where: str, low: Fraction, high: Fraction) -> Fraction:
    """Return the value that words name (``eps = 3/2``); the middle of the range where they name none inside of it."""
    try:
        value = Fraction(where.rpartition(" = ")[2])
    except (ValueError, ZeroDivisionError):
        value = (low + high) / 2
    return value if low <= value <= high else (low + high) / 2


def _descend(value: Callable[[Fraction], float], low: Fraction, high: Fraction) -> None:
    """Look for the smallest value in a range: at points of a grid, and around the best one in ever finer grids."""
    first, last = low, high
    for _ in range(4):
        grid: Sequence[Fraction] = [low + (high - low) * number / 8 for number in range(9)]
        at = grid.index(min(grid, key=value))
        low, high = max(first, grid[max(0, at - 1)]), min(last, grid[min(8, at + 1)])
