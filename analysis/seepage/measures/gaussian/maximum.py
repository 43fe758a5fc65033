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
from collections.abc import Mapping, MutableMapping, Sequence
from itertools import pairwise
from typing import Protocol, TypeAlias

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.measures.guessing.gains import greatest

Coefficients: TypeAlias = Mapping[int, arb]
"""How much of each density a combination holds, by the density's place; what is missing is 0."""

_REACH = 14  # standard deviations: 1e-44 of a normal law lies beyond
_TOLERANCE = 1e-28  # of the integral, for coefficients near 1
_CELLS = 4_000  # looked at; a change of the maximum takes about fifty
_MARKS = (-8, -3, -1, 0, 1, 3, 8)  # in standard deviations: where cells end at first


class Hump(Protocol):
    """A density that is smooth between its marks."""

    def marks(self) -> Sequence[arb]:
        """Return places where cells end at first; beyond the outer ones there is next to nothing."""
        ...

    def below(self, place: arb) -> arb:
        """Return the probability of a smaller value."""
        ...

    def above(self, place: arb) -> arb:
        """Return the probability of a larger value."""
        ...

    def between(self, left: arb, right: arb) -> arb:
        """Return the probability of an interval between marks."""
        ...

    def density(self, place: arb, inside: arb) -> arb:
        """Return a ball that holds the density everywhere in a ball of points, which may be infinite.

        ``inside`` is a point: if it is known to lie between two neighbouring marks, only places between these count.
        """
        ...

    def slope(self, place: arb, inside: arb, density: arb) -> arb:
        """Return the derivative of the density, given the density there; no number where that is not known. ``inside`` as above."""
        ...


@dataclass(frozen=True, slots=True)
class Bell:
    """A normal density."""

    mean: arb
    deviation: arb

    def marks(self) -> Sequence[arb]:
        """Return places some deviations from the mean."""
        return [arb(float((self.mean + at * self.deviation).mid())) for at in (-_REACH, *_MARKS, _REACH)]

    def below(self, place: arb) -> arb:
        """Return the probability of a smaller value."""
        return (self._standard(place) / -arb(2).sqrt()).erfc() / 2

    def above(self, place: arb) -> arb:
        """Return the probability of a larger value."""
        return (self._standard(place) / arb(2).sqrt()).erfc() / 2

    def between(self, left: arb, right: arb) -> arb:
        """Return the probability of an interval, from the tail in which it is not a difference of numbers near 1."""
        if left > self.mean:
            return self.above(left) - self.above(right)
        return self.below(right) - self.below(left)

    def density(self, place: arb, inside: arb | None = None) -> arb:
        """Return the density at a point, or a ball that holds it for a ball of points."""
        del inside
        standard = self._standard(place)
        return (-standard * standard / 2).exp() / (self.deviation * (2 * arb.pi()).sqrt())

    def slope(self, place: arb, inside: arb, density: arb) -> arb:
        """Return the derivative of the density, given the density there."""
        del inside
        return -self._standard(place) / self.deviation * density

    def _standard(self, place: arb) -> arb:
        return (place - self.mean) / self.deviation


@dataclass(frozen=True, slots=True)
class _Cell:
    """An interval, the combinations that may be greatest in it, the integral of the best of them, and how much that may fall short."""

    left: arb
    right: arb
    candidates: tuple[int, ...]
    integral: arb
    missing: arb


@dataclass(frozen=True, slots=True)
class _Task:
    """What is integrated; ``differences`` fills as pairs of combinations are compared."""

    bells: Sequence[Hump]
    combinations: Sequence[Coefficients]
    differences: MutableMapping[tuple[int, int], Coefficients]

    def difference(self, index: int, best: int) -> Coefficients:
        """Return a combination less another; equal shares of a density cancel."""
        found = self.differences.get((index, best))
        if found is None:
            ours, theirs = self.combinations[index], self.combinations[best]
            nothing = arb(0)
            every = {k: ours.get(k, nothing) - theirs.get(k, nothing) for k in (*ours, *theirs)}
            found = {k: share for k, share in every.items() if not share.is_zero()}
            self.differences[index, best] = found
        return found


def of_shifted_bells(bells: Sequence[Bell], combinations: Sequence[Coefficients]) -> arb | None:
    r"""Return the integral in closed form for two guesses with a density each, normal ones that the caller knows to be of one variance.

    With :math:`\mu` their distance in deviations and weights a, b it is :math:`a \Phi(\mu/2 + \varepsilon/\mu) + b \Phi(\mu/2 - \varepsilon/\mu)`,
    :math:`\varepsilon = \log(a/b)`: the two are equally high at one place. None for anything else, and where they may be the same density.
    """
    if len(bells) != 2 or len(combinations) != 2 or any(len(row) != 1 for row in combinations):
        return None
    shares = {at: share for row in combinations for at, share in row.items()}
    shift = abs(bells[0].mean - bells[1].mean) / bells[0].deviation
    if shares.keys() != {0, 1} or not all(share > 0 for share in shares.values()) or not shift > 0:
        return None
    place, root = (shares[0] / shares[1]).log() / shift, arb(2).sqrt()
    halves = [((-(shift / 2 + side * place)) / root).erfc() / 2 for side in (1, -1)]
    return shares[0] * halves[0] + shares[1] * halves[1]


def integral_of_maximum(
    bells: Sequence[Hump],
    combinations: Sequence[Coefficients],
    budget: Budget,
    tolerance: float = _TOLERANCE,
    cells: int = _CELLS,
) -> tuple[arb, arb]:
    """Return a lower and an upper bound of the integral; wide ones where the budget of cells or the time ends first.

    Works at the precision of its caller, until the bounds are about ``tolerance`` apart.
    """
    task = _Task(bells, combinations, {})
    marks = marks_of(bells)
    every = tuple(range(len(combinations)))
    heap: list[tuple[float, int, _Cell]] = []
    done, undecided, seen = arb(0), arb(0), 0
    waiting = [(left, right, every) for left, right in pairwise(marks)]
    while True:
        for left, right, candidates in waiting:
            cell = _looked_at(task, left, right, candidates)
            seen += 1
            if cell.missing.is_zero() or not left < _middle(left, right) < right:
                done, undecided = done + cell.integral, undecided + cell.missing
            else:
                heapq.heappush(heap, (-float(cell.missing.upper()), seen, cell))
        if not heap or -heap[0][0] * len(heap) < tolerance or seen > cells + len(marks) or budget.expired():
            break
        _, _, cell = heapq.heappop(heap)
        middle = _middle(cell.left, cell.right)
        waiting = [(cell.left, middle, cell.candidates), (middle, cell.right, cell.candidates)]
    lower = done + sum((cell.integral for _, _, cell in heap), arb(0))
    upper = lower + sum((cell.missing for _, _, cell in heap), undecided)
    for tail in ([bell.below(marks[0]) for bell in bells], [bell.above(marks[-1]) for bell in bells]):
        least, most = _outside(combinations, tail)
        lower, upper = lower + least, upper + most
    return lower.lower(), upper.upper()


def _middle(left: arb, right: arb) -> arb:
    return ((left + right) / 2).mid()


def marks_of(bells: Sequence[Hump]) -> list[arb]:
    """Return where cells of several densities end at first, in ascending order."""
    points: list[arb] = []
    for point in sorted((mark for bell in bells for mark in bell.marks()), key=arb.mid):
        if not points or points[-1] < point:
            points.append(point)
        elif not point.is_exact():
            # A break that is no binary fraction stands for the mark that it touches, and for itself.
            points[-1] = point if points[-1].is_exact() else points[-1].union(point)
    return points


def _looked_at(task: _Task, left: arb, right: arb, candidates: tuple[int, ...]) -> _Cell:
    """Find which of the candidates may be the greatest in a cell, and bound the integral of the greatest."""
    bells, combinations = task.bells, task.combinations
    others: tuple[int, ...] = ()
    best, excess = candidates[0], arb(0)
    if len(candidates) > 1:
        middle, whole = _middle(left, right), left.union(right)
        used = {k for index in candidates for k in combinations[index]}
        densities = {k: bells[k].density(middle, middle) for k in used}
        ranges = {k: bells[k].density(whole, middle) for k in used}
        slopes = {k: bells[k].slope(whole, middle, ranges[k]) for k in used}
        best = max(candidates, key=lambda index: float(_sum(combinations[index], densities).mid()))
        half = (right - middle).max(middle - left).upper()
        others, excess = _rivals(task, best, candidates, (densities, ranges, slopes), half)
    chosen = (best, *others)
    masses = {k: bells[k].between(left, right) for k in {k for one in chosen for k in combinations[one]}}
    missing = arb(0)
    if others:
        missing = _smaller((right - left).upper() * excess, _most(combinations, chosen, masses))
    return _Cell(left, right, chosen, _sum(combinations[best], masses), missing)


def _rivals(
    task: _Task,
    best: int,
    candidates: tuple[int, ...],
    known: tuple[Mapping[int, arb], Mapping[int, arb], Mapping[int, arb]],
    half: arb,
) -> tuple[tuple[int, ...], arb]:
    """Return which combinations may exceed the best in a cell, and by how much at most.

    ``known`` are the densities in its middle, and the densities and slopes in all of it.
    """
    densities, ranges, slopes = known
    others: list[int] = []
    excess = arb(0)
    for index in candidates:
        if index == best:
            continue
        difference = task.difference(index, best)
        steepest = abs(_sum(difference, slopes)).upper()
        most = _smaller(_ceiling(_sum(difference, densities) + steepest * half), _ceiling(_sum(difference, ranges)))
        if not most <= 0:
            others.append(index)
            excess = excess if most <= excess else most if most.is_finite() else arb.pos_inf()
    return tuple(others), excess


def _ceiling(ball: arb) -> arb:
    """Return an upper bound: infinite where a density has a pole, whose difference from another says nothing of the others."""
    return ball.upper() if ball.is_finite() else arb.pos_inf()


def _most(combinations: Sequence[Coefficients], chosen: Sequence[int], masses: Mapping[int, arb]) -> arb:
    """Bound what the greatest of some combinations has more than the first, each density taking its greatest coefficient."""
    nothing = arb(0)
    over = arb(0)
    for k, mass in masses.items():
        most = greatest(combinations[index].get(k, nothing) for index in chosen)
        over += (most - combinations[chosen[0]].get(k, nothing)) * mass
    return over.upper()


def _outside(combinations: Sequence[Coefficients], masses: Sequence[arb]) -> tuple[arb, arb]:
    nothing = arb(0)
    by_place = dict(enumerate(masses))
    least = greatest(_sum(coefficients, by_place) for coefficients in combinations)
    most = {k: greatest(row.get(k, nothing) for row in combinations) for k in by_place}
    return least.lower(), _sum(most, by_place).upper()


def _sum(coefficients: Coefficients, terms: Mapping[int, arb]) -> arb:
    return sum((share * terms[k] for k, share in coefficients.items()), arb(0))


def _smaller(a: arb, b: arb) -> arb:
    return a if a < b else b
