"""Points inside ranges that are tried where nothing follows a measure over them: one may refute a budget, and none proves it.

First a grid, then steps from its worst point along each parameter, halved where none of them leads to a worse one. Points have coordinates in [0, 1]:
an unbounded side is reached by :math:`u / (1 - u)`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from seepage.data_classes import dataclass
from seepage.deadline import sooner
from seepage.engines.outcome import Budget
from seepage.exact import ArithmeticFault, Number, add, mul, number, sub
from seepage.measures.facts import Answer
from seepage.measures.ranges.search import Point
from seepage.semantics.checked import Domain

_POINTS = 48
_SECONDS = 4.0
_SHARE = 0.5  # of the time that is left, at most
_FIRST_STEP, _LAST_STEP = Fraction(1, 8), Fraction(1, 2**16)
_GRIDS: Mapping[int, tuple[Fraction, ...]] = {  # coordinates along each of so many parameters, the middle first
    1: tuple(Fraction(n, 64) for n in (32, 16, 48, 8, 56, 24, 40, 4, 60, 1, 63)),
    2: tuple(Fraction(n, 8) for n in (4, 2, 6, 1, 7)),
    3: tuple(Fraction(n, 8) for n in (4, 1, 7)),
}
_Place = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one point.

    Attributes:
        point: of the ranges.
        answer: to the budget there.
        excess: how far the measure seems to be beyond its bound; it only says where to look next.
    """

    point: Point
    answer: Answer
    excess: float


def trial_budget(budget: Budget) -> Budget:
    """Return limits for trying points: of the time that is left a part, and no more than some seconds."""
    return replace(budget, deadline=sooner(budget.deadline, _SECONDS, _SHARE))


def attempts(
    ranges: Mapping[str, Domain], attempt: Callable[[Point], Attempt | None], budget: Budget
) -> Iterator[Attempt]:
    """Yield what came of points of ranges that are not empty, of none after one that refutes, and of at most 48.

    Args:
        ranges: of the parameters.
        attempt: tries a point; None where the budget has no meaning or no number.
        budget: its deadline.
    """
    trial = _Trial(ranges, attempt, budget)
    yield from trial.grid()
    yield from trial.climb()


class _Trial:
    def __init__(
        self, ranges: Mapping[str, Domain], attempt: Callable[[Point], Attempt | None], budget: Budget
    ) -> None:
        self.ranges, self.attempt, self.budget = ranges, attempt, budget
        self.seen: set[_Place] = set()
        self.worst: tuple[float, _Place] | None = None
        self.ended = False

    def grid(self) -> Iterator[Attempt]:
        """Try points that lie evenly, of many parameters those on lines through the middle."""
        count = len(self.ranges)
        middle = (Fraction(1, 2),) * count
        many = itertools.chain([middle], _neighbours(middle, 3 * _FIRST_STEP))
        for place in itertools.product(_GRIDS[count], repeat=count) if count in _GRIDS else many:
            yield from self._try(place)

    def climb(self) -> Iterator[Attempt]:
        """Try points around the worst that is known, nearer and nearer."""
        step = _FIRST_STEP
        while self.worst is not None and step >= _LAST_STEP and not self.ended:
            before = self.worst
            for place in _neighbours(before[1], step):
                yield from self._try(place)
            if self.worst == before:
                step /= 2

    def _try(self, place: _Place) -> Iterator[Attempt]:
        if self.ended or place in self.seen:
            return
        self.ended = len(self.seen) >= _POINTS or self.budget.expired()
        point = None if self.ended else _point(self.ranges, place)
        self.seen.add(place)
        found = None if point is None else self.attempt(point)
        if found is None:
            return
        if self.worst is None or found.excess > self.worst[0]:
            self.worst = found.excess, place
        self.ended = found.answer.verdict == "violated"
        yield found


def _neighbours(place: _Place, step: Fraction) -> Iterator[_Place]:
    """Yield the places a step away along each axis, or at its end where that is nearer."""
    for axis, u in enumerate(place):
        for moved in (max(u - step, Fraction(0)), min(u + step, Fraction(1))):
            yield (*place[:axis], moved, *place[axis + 1 :])


def _point(ranges: Mapping[str, Domain], place: _Place) -> Point | None:
    """Return the point at some coordinates; None if it is not in the ranges, or that cannot be told."""
    point: dict[str, Number] = {}
    try:
        for (name, domain), u in zip(ranges.items(), place, strict=True):
            value = _value(domain, u)
            if value is None or not domain.contains(value):
                return None
            point[name] = value
    except ArithmeticFault:
        return None
    return point


def _value(domain: Domain, u: Fraction) -> Number | None:
    low, high = domain.low, domain.high
    if low is not None and high is not None:
        return add(low, mul(number(u), sub(high, low)))
    if low is not None:
        return None if u == 1 else add(low, number(u / (1 - u)))
    if high is not None:
        return None if u == 0 else sub(high, number((1 - u) / u))
    return None if u in (0, 1) else number((2 * u - 1) / (u * (1 - u)))
