"""What is best within a budget: the least of a measure, or the greatest; everything that depends on which of the two."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Generic, TypeVar

from seepage.data_classes import dataclass
from seepage.exact import show
from seepage.measures.result import Result

At = TypeVar("At")


@dataclass(frozen=True, slots=True)
class Goal:
    """A measure that is to be small, or great where ``greatest``."""

    measure: str
    greatest: bool = False

    def cost(self, result: Result) -> float:
        """Return what is surely not exceeded, and is to be small."""
        return -result.lower if self.greatest else result.upper

    def furthest(self, results: Iterable[Result]) -> float:
        """Return a bound that none of some results is beyond."""
        return max(each.upper for each in results) if self.greatest else min(each.lower for each in results)

    def bounds(self, result: Result, gaps: Iterable[float]) -> Iterator[float]:
        """Yield bounds beyond a result, nearest first, by shares of its size; none that is infinite."""
        end, side = (result.upper, 1) if self.greatest else (result.lower, -1)
        found = (end + side * gap * max(1.0, abs(end)) for gap in gaps)
        return (each for each in found if math.isfinite(each))

    def claim(self, result: Result, bound: float) -> str:
        """Return the budget that says that nothing is beyond a bound."""
        unit = f" {result.unit}" if result.unit else ""
        return f"{self.measure} {'<=' if self.greatest else '>='} {show(Fraction(bound))}{unit}"


@dataclass(frozen=True, slots=True)
class Best(Generic[At]):
    """Where a measure is best, of all that was tried.

    Attributes:
        goal: what was looked for.
        at: the value, or the values.
        result: the measure there.
        bound: beyond which the measure is nowhere that the budget allows; None if none was proved.
    """

    goal: Goal
    at: At
    result: Result
    bound: float | None

    @property
    def gap(self) -> float | None:
        """How much better the measure may be elsewhere, at most."""
        if self.bound is None:
            return None
        return max(0.0, self.bound - self.result.lower if self.goal.greatest else self.result.upper - self.bound)
