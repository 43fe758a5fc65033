r"""The greatest ratio of two mixtures of normal densities on the line: decided where it is infinite, else with guaranteed bounds.

For :math:`P = \sum p_i \varphi_i` and :math:`Q = \sum q_j \varphi_j` the tails decide first: at either end the component with the greatest variance, and among
those the one whose mean lies furthest out, outlives all others. If that of P outlives that of Q, the ratio has no bound. If both are one law the ratio tends
to the quotient of their weights. Elsewhere it is bounded on cells by the mean value theorem for
:math:`\log P - \log Q`, whose slope is a difference of means of :math:`-(y - m_k)/v_k`.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import pairwise

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget

_TOLERANCE = 1e-14  # of the logarithm
_CELLS = 6_000
_DOUBLINGS = 40  # of the distance at which a tail begins
_MARKS = (-8, -3, -1, 0, 1, 3, 8)


@dataclass(frozen=True, slots=True)
class Share:
    """A weighted normal density.

    Attributes:
        weight: positive.
        mean: a ball.
        variance: a ball.
        spread: equal ones prove equal variances.
        law: equal ones prove equal means and variances.
    """

    weight: arb
    mean: arb
    variance: arb
    spread: Hashable
    law: Hashable

    def density(self, place: arb) -> arb:
        """Return the weighted density at a point, or a ball that holds it for a ball of points."""
        gap = place - self.mean
        return self.weight * (-gap * gap / (2 * self.variance)).exp() / (2 * arb.pi() * self.variance).sqrt()

    def decline(self, place: arb) -> arb:
        """Return the slope of the logarithm of the density."""
        return (self.mean - place) / self.variance


def log_ratio_bounds(top: Sequence[Share], bottom: Sequence[Share], budget: Budget) -> tuple[arb, arb]:
    """Return bounds of the supremum of log P/Q; both are +∞ where it is proved to be infinite, the upper one where that is not decided.

    Works at the precision of its caller.
    """
    ends = [limit_of_ratio(top, bottom, side) for side in (-1, 1)]
    infinite = arb.pos_inf()
    if any(end is not None and not end.is_finite() and end > 0 for end in ends):
        return infinite, infinite
    marks = sorted({float((s.mean + at * s.variance.sqrt()).mid()) for s in (*top, *bottom) for at in _MARKS})
    points = [arb(mark) for mark in marks]
    lower = reduce(_larger, (_least(_log_ratio(top, bottom, point)) for point in points))
    lower = reduce(_larger, (end.lower() for end in ends if end is not None and end.is_finite()), lower)
    if any(end is None for end in ends):
        return lower, infinite
    first = _tail(top, bottom, points[0], -1, lower)
    last = _tail(top, bottom, points[-1], 1, lower)
    if first is None or last is None:
        return lower, infinite
    middle = _inside(top, bottom, [first[0], *points, last[0]], lower, budget)
    upper = reduce(_larger, (_most(first[1]), _most(last[1]), middle[1]))
    return middle[0], upper


def _larger(a: arb, b: arb) -> arb:
    """Return the larger of two points; arb.max makes an infinite ball of an infinite end."""
    return a if a > b else b


def _least(ball: arb) -> arb:
    """Return the lower end, −∞ where there is no number."""
    return arb.neg_inf() if ball.is_nan() else ball.lower()


def _most(ball: arb) -> arb:
    """Return the upper end, +∞ where there is no number."""
    return arb.pos_inf() if ball.is_nan() else ball.upper()


def outermost(shares: Sequence[Share], side: int) -> Share:
    """Return the component that seems to outlive the others at −∞ (``side`` −1) or +∞ (1)."""
    return max(shares, key=lambda share: (float(share.variance.mid()), side * float(share.mean.mid())))


def limit_of_ratio(top: Sequence[Share], bottom: Sequence[Share], side: int) -> arb | None:
    """Return the limit of log P/Q at −∞ or +∞; None where it is not decided."""
    decided = [_outliving(shares, side) for shares in (top, bottom)]
    if None in decided:
        return None
    one, other = outermost(top, side), outermost(bottom, side)
    if one.law == other.law:
        return (one.weight / other.weight).log()
    order = _order(one, other, side)
    return None if order is None else arb.pos_inf() if order > 0 else arb.neg_inf()


def _outliving(shares: Sequence[Share], side: int) -> Share | None:
    """Return the component that outlives all others at an end, None where that is not decided."""
    best = outermost(shares, side)
    rest = (share for share in shares if share.law != best.law)
    return best if all(_order(best, share, side) == 1 for share in rest) else None


def _order(one: Share, other: Share, side: int) -> int | None:
    """Tell which of two different laws outlives the other at an end: 1 for the first, −1 for the second, None if undecided."""
    if one.spread != other.spread:
        if one.variance > other.variance:
            return 1
        if one.variance < other.variance:
            return -1
        if not (one.variance.is_exact() and other.variance.is_exact()):
            return None
    gap = side * (one.mean - other.mean)
    return 1 if gap > 0 else -1 if gap < 0 else None


def _log_ratio(top: Sequence[Share], bottom: Sequence[Share], place: arb) -> arb:
    return (_sum(top, place) / _sum(bottom, place)).log()


def _sum(shares: Sequence[Share], place: arb) -> arb:
    return sum((share.density(place) for share in shares), arb(0))


def _tail(top: Sequence[Share], bottom: Sequence[Share], start: arb, side: int, lower: arb) -> tuple[arb, arb] | None:
    r"""Return where a tail begins, and a bound of log P/Q beyond: :math:`\sum_i p_i \varphi_i / (q_j \varphi_j)` falls there.

    Each quotient falls from some point on, as :math:`v_i \le v_j`, and with equal variances :math:`m_i` lies further in. None if there is no such point.
    """
    outer = outermost(bottom, side)
    reach = outer.variance.sqrt().mid() * 4
    best: tuple[arb, arb] | None = None
    for _ in range(_DOUBLINGS):
        place = (start + side * reach).mid()
        if all(_falls(share, outer, place, side) for share in top):
            bound = _most(_log_ratio(top, [outer], place))
            if best is None or bound < best[1]:
                best = place, bound
            if bound <= lower + _TOLERANCE:
                return place, bound
        reach *= 2
    return best


def _falls(share: Share, outer: Share, place: arb, side: int) -> bool:
    if share.law == outer.law:
        return True
    narrower = share.spread == outer.spread or share.variance <= outer.variance
    slope = side * (share.decline(place) - outer.decline(place))
    if share.spread == outer.spread:
        slope = side * (share.mean - outer.mean)
    return narrower and bool(slope <= 0)


def _inside(
    top: Sequence[Share], bottom: Sequence[Share], points: Sequence[arb], lower: arb, budget: Budget
) -> tuple[arb, arb]:
    """Return bounds of the supremum between the first and the last point, the lower one at least ``lower``."""
    heap: list[tuple[float, int, arb, arb, arb]] = []  # by falling upper bound
    waiting = list(pairwise(points))
    flat = arb.neg_inf()  # the most that cells reach in which the ratio only rises or only falls
    for point in (points[0], points[-1]):
        value = _log_ratio(top, bottom, point)
        lower, flat = _larger(lower, _least(value)), _larger(flat, _most(value))
    seen = 0
    while True:
        for left, right in waiting:
            seen += 1
            middle, whole = ((left + right) / 2).mid(), left.union(right)
            at = _log_ratio(top, bottom, middle)
            lower = _larger(lower, _least(at))
            slope = _slope(top, whole) - _slope(bottom, whole)
            if slope >= 0 or slope <= 0:
                ends = [_log_ratio(top, bottom, end) for end in (left, right)]
                lower = reduce(_larger, (_least(end) for end in ends), lower)
                flat = reduce(_larger, (_most(end) for end in ends), flat)
                continue
            most = _most(at + abs(slope).upper() * (right - middle).max(middle - left))
            heapq.heappush(heap, (-float(most), seen, left, right, most))
        while heap and heap[0][4] <= lower + _TOLERANCE:
            *_, most = heapq.heappop(heap)
            flat = _larger(flat, most)
        if not heap or seen > _CELLS or budget.expired():
            break
        _, _, left, right, _ = heapq.heappop(heap)
        middle = ((left + right) / 2).mid()
        waiting = [(left, middle), (middle, right)]
    return lower.lower(), reduce(_larger, (most for *_, most in heap), flat).upper()


def _slope(shares: Sequence[Share], whole: arb) -> arb:
    """Return the slope of the logarithm of a mixture in a cell: a mean of those of its components, so between the least and the greatest."""
    slopes = [share.decline(whole) for share in shares]
    hull = reduce(arb.union, slopes)
    if len(shares) == 1:
        return hull
    densities = [share.density(whole) for share in shares]
    total = sum(densities, arb(0))
    if not total > 0:
        return hull
    centre = hull.mid()
    found = centre + sum((d * (s - centre) for d, s in zip(densities, slopes, strict=True)), arb(0)) / total
    return found.intersection(hull) if found.is_finite() and found.overlaps(hull) else hull
