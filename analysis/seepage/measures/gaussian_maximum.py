r"""The integral of the greatest of several combinations of Gaussian densities on the line, with guaranteed bounds.

For densities :math:`\varphi_k` and real coefficients :math:`c_{wk}`

.. math:: \int \max_w \sum_k c_{wk}\, \varphi_k(t)\, dt.

The line is cut into cells. Where one combination is proved to be the greatest in a whole cell (the differences to it are bounded by the mean value theorem
in ball arithmetic), its integral is a sum of differences of normal distribution functions. In other cells the combination that is greatest in the
middle is a lower bound, which falls short by at most the width of the cell times the most by which another exceeds it there. The cell that falls short most is
halved, so cells shrink around the places where the maximum changes, and what is missing there shrinks with the square of their width.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

from seepage.engines.outcome import Budget

Coefficients = Sequence[arb]

_REACH = 14  # standard deviations: 1e-44 of a normal law lies beyond
_TOLERANCE = 1e-28  # of the integral, for coefficients near 1
_CELLS = 4_000  # looked at; a change of the maximum takes about fifty
_MARKS = (-8, -3, -1, 0, 1, 3, 8)  # in standard deviations: where cells end at first


@dataclass(frozen=True, slots=True)
class Bell:
    """A normal density."""

    mean: arb
    deviation: arb

    def below(self, place: arb) -> arb:
        """Return the probability of a smaller value."""
        return (self._standard(place) / -arb(2).sqrt()).erfc() / 2

    def above(self, place: arb) -> arb:
        """Return the probability of a larger value."""
        return (self._standard(place) / arb(2).sqrt()).erfc() / 2

    def density(self, place: arb) -> arb:
        """Return the density at a point, or a ball that holds it for a ball of points."""
        standard = self._standard(place)
        return (-standard * standard / 2).exp() / (self.deviation * (2 * arb.pi()).sqrt())

    def slope(self, place: arb, density: arb) -> arb:
        """Return the derivative of the density, given the density there."""
        return -self._standard(place) / self.deviation * density

    def _standard(self, place: arb) -> arb:
        return (place - self.mean) / self.deviation


@dataclass(frozen=True, slots=True)
class _Cell:
    """An interval, the distribution functions at its ends, the combinations that may be greatest in it, and what is known of the integral."""

    left: arb
    right: arb
    below_left: tuple[arb, ...]
    below_right: tuple[arb, ...]
    candidates: tuple[int, ...]
    integral: arb
    missing: arb


def integral_of_maximum(bells: Sequence[Bell], combinations: Sequence[Coefficients], budget: Budget) -> tuple[arb, arb]:
    """Return a lower and an upper bound of the integral; wide ones where the budget of cells or the time ends first.

    Works at the precision of its caller.
    """
    marks = _marks(bells)
    every = tuple(range(len(combinations)))
    ends = [tuple(bell.below(mark) for bell in bells) for mark in marks]
    heap: list[tuple[float, int, _Cell]] = []
    done, seen = arb(0), 0
    waiting = [
        (left, right, below, above, every)
        for left, right, below, above in zip(marks, marks[1:], ends, ends[1:], strict=False)
    ]
    while True:
        for left, right, below_left, below_right, candidates in waiting:
            cell = _looked_at(bells, combinations, left, right, below_left, below_right, candidates)
            seen += 1
            if cell.missing.is_zero():
                done += cell.integral
            else:
                heapq.heappush(heap, (-float(cell.missing.upper()), seen, cell))
        if not heap or -heap[0][0] * len(heap) < _TOLERANCE or seen > _CELLS or budget.expired():
            break
        _, _, cell = heapq.heappop(heap)
        middle = ((cell.left + cell.right) / 2).mid()
        at = tuple(bell.below(middle) for bell in bells)
        waiting = [
            (cell.left, middle, cell.below_left, at, cell.candidates),
            (middle, cell.right, at, cell.below_right, cell.candidates),
        ]
    lower = done + sum((cell.integral for _, _, cell in heap), arb(0))
    upper = lower + sum((cell.missing for _, _, cell in heap), arb(0))
    for tail in (ends[0], tuple(bell.above(marks[-1]) for bell in bells)):
        least, most = _outside(combinations, tail)
        lower, upper = lower + least, upper + most
    return lower.lower(), upper.upper()


def _marks(bells: Sequence[Bell]) -> list[arb]:
    """Return where cells end at first, as exact points in ascending order."""
    reach = [bell.mean + sign * _REACH * bell.deviation for bell in bells for sign in (-1, 1)]
    inner = [bell.mean + at * bell.deviation for bell in bells for at in _MARKS]
    points = sorted({float(point.mid()) for point in (*reach, *inner)})
    return [arb(point) for point in points]


def _looked_at(
    bells: Sequence[Bell],
    combinations: Sequence[Coefficients],
    left: arb,
    right: arb,
    below_left: tuple[arb, ...],
    below_right: tuple[arb, ...],
    candidates: tuple[int, ...],
) -> _Cell:
    """Find which of the candidates may be the greatest in a cell, and bound the integral of the greatest."""
    masses = [after - before for before, after in zip(below_left, below_right, strict=True)]
    middle, whole = ((left + right) / 2).mid(), left.union(right)
    others: tuple[int, ...] = ()
    best, excess = candidates[0], arb(0)
    if len(candidates) > 1:
        densities = [bell.density(middle) for bell in bells]
        ranges = [bell.density(whole) for bell in bells]
        slopes = [bell.slope(whole, density) for bell, density in zip(bells, ranges, strict=True)]
        best = max(candidates, key=lambda index: float(_sum(combinations[index], densities).mid()))
        half = ((right - left) / 2).upper()
        others, excess = _rivals(combinations, best, candidates, densities, ranges, slopes, half)
    missing = arb(0)
    if others:
        missing = _smaller((right - left).upper() * excess, _most(combinations, (best, *others), best, masses))
    integral = _sum(combinations[best], masses)
    return _Cell(left, right, below_left, below_right, (best, *others), integral, missing)


def _rivals(
    combinations: Sequence[Coefficients],
    best: int,
    candidates: tuple[int, ...],
    densities: Sequence[arb],
    ranges: Sequence[arb],
    slopes: Sequence[arb],
    half: arb,
) -> tuple[tuple[int, ...], arb]:
    """Return which combinations may exceed the best in a cell, and by how much at most."""
    others: list[int] = []
    excess = arb(0)
    for index in candidates:
        if index == best:
            continue
        difference = [a - b for a, b in zip(combinations[index], combinations[best], strict=True)]
        steepest = abs(_sum(difference, slopes)).upper()
        most = _smaller((_sum(difference, densities) + steepest * half).upper(), _sum(difference, ranges).upper())
        if not most <= 0:
            others.append(index)
            excess = most if most > excess else excess
    return tuple(others), excess


def _most(combinations: Sequence[Coefficients], chosen: Sequence[int], best: int, masses: Sequence[arb]) -> arb:
    """Bound what the greatest of some combinations has more than the best, each density taking its greatest coefficient."""
    over = arb(0)
    for k, mass in enumerate(masses):
        over += (_greatest([combinations[index][k] for index in chosen]) - combinations[best][k]) * mass
    return over.upper()


def _outside(combinations: Sequence[Coefficients], masses: Sequence[arb]) -> tuple[arb, arb]:
    least = _greatest([_sum(coefficients, masses) for coefficients in combinations])
    most = _sum([_greatest([row[k] for row in combinations]) for k in range(len(masses))], masses)
    return least.lower(), most.upper()


def _sum(coefficients: Coefficients, terms: Sequence[arb]) -> arb:
    return sum((a * b for a, b in zip(coefficients, terms, strict=True)), arb(0))


def _greatest(balls: Sequence[arb]) -> arb:
    found = balls[0]
    for ball in balls[1:]:
        found = found.max(ball)
    return found


def _smaller(a: arb, b: arb) -> arb:
    return a if a < b else b
