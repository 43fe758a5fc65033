r"""From cells of outputs to masses on a grid of losses that tell surely more, or surely less, than the outputs.

With :math:`F(\alpha) = \sum (p - \alpha q)_+` over outputs, one pair of measures dominates another one if its F is at least the other's for all
:math:`\alpha \ge 0`; then so do compositions, as F of a composition is a sum of values of F with weights that are not negative
(Zhu, Dong, Wang 2022, "Optimal accounting of differential privacy via characteristic function"). A mass p at the loss l stands for the pair
:math:`(p, p e^{-l})`; a greater one has a greater F.

*Above*: what is in a cell of the grid is split between its ends, so that both chances stay; joined again it is what it was
(Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, "Connect the dots"). The grid stands :data:`SLACK` of a step higher than where it is said to
be, which is added to the losses at the end: so rounding never moves an output past an end. For the pair below it stands as much lower.

*Below*: for any event, :math:`P(A) - \alpha Q(A) \le F(\alpha)`. Take events A of losses above points between neighbours of the grid. At each point
of the grid take the lesser of the two lines whose events end beside it; between two points of the grid the chord is then below one line. The
convex hull of these points from below is F of a pair on the grid. It is found in integers: nothing is decided by balls.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from math import inf

from flint import arb, fmpz

from seepage.data_classes import dataclass
from seepage.measures.accounting.cell import Cell

SLACK = 2.0**-30
"""How much higher the grid of the pair above is, and how much lower that of the one below, in steps."""
_NEAR = 2.0**-31
_SCALE = 256  # bits behind the point of the integers of the hull
_BESIDE = 2.0**-20  # of a step
_SAME = 1e-40  # how close bounds of one loss are


@dataclass(frozen=True, slots=True)
class Masses:
    """A pair of measures on a grid: masses p at losses ``step · index``, with ``p · exp(−loss)`` under Q.

    Attributes:
        indices: in rising order.
        masses: under P, exact or to be rounded outward.
        infinite: the mass under P where Q has none.
        lost: the mass under Q where P has none.
    """

    indices: tuple[int, ...]
    masses: tuple[arb, ...]
    infinite: arb
    lost: arb


def above(cells: Sequence[Cell], step: arb, points: Sequence[int]) -> Masses:
    """Return a pair on a grid that dominates a release, if its losses are raised by ``SLACK · step``; masses are rounded up.

    Args:
        cells: of the release.
        step: of the grid, exactly or as a narrow ball.
        points: the whole multiples of it that are used, in rising order.
    """
    width, slack = float(step.mid()), step * arb(SLACK)
    groups: dict[tuple[int, int], tuple[arb, arb]] = {}
    mass: dict[int, arb] = {}
    infinite, lost = arb(0), arb(0)
    for cell in cells:
        if cell.p.is_zero():
            lost += cell.q
            continue
        high = _above(cell.high, width, points)
        if high is None:
            infinite += cell.p
            lost += cell.q
            continue
        low = _below(cell.low, width, points)
        if low is None or low >= high:
            mass[high] = mass.get(high, arb(0)) + cell.p
            lost += _less(cell.q, cell.p, step * points[high] + slack)
            continue
        p, q = groups.get((low, high), (arb(0), arb(0)))
        groups[low, high] = p + cell.p, q + cell.q
    for (low, high), (p, q) in groups.items():
        bottom, top = step * points[low] - slack, step * points[high] + slack
        up = (p - q * bottom.exp()) / (1 - (bottom - top).exp())
        down = p - up
        mass[high] = mass.get(high, arb(0)) + _not_negative(up)
        mass[low] = mass.get(low, arb(0)) + _not_negative(down)
        lost += _not_negative(q - up * (-top).exp() - down * (-step * points[low] - slack).exp())
    kept = [(index, mass[index].upper()) for index in sorted(mass) if mass[index].upper() > 0]
    return Masses(
        tuple(points[index] for index, _ in kept), tuple(one for _, one in kept), infinite.upper(), lost.upper()
    )


def _not_negative(one: arb) -> arb:
    upper = one.upper()
    return upper if upper > 0 else arb(0)


def _less(q: arb, p: arb, loss: arb) -> arb:
    """Return a bound of the Q-mass that is left over where the P-mass stands at a loss."""
    return _not_negative(q - p * (-loss).exp())


def _above(loss: arb, width: float, points: Sequence[int]) -> int | None:
    """Return the number of the first point that a loss is not above, by more than the slack; None past the last one."""
    number = bisect_left(points, float(loss.upper()) / width - _NEAR)
    return number if number < len(points) else None


def _below(loss: arb, width: float, points: Sequence[int]) -> int | None:
    """Return the number of the last point that a loss is not below, by more than the slack; None before the first one."""
    number = bisect_right(points, float(loss.lower()) / width + _NEAR) - 1
    return None if number < 0 else number


def below(cells: Sequence[Cell], step: arb, points: Sequence[int]) -> Masses:
    """Return a pair on a grid that a release dominates, if its losses are lowered by ``SLACK · step``; masses are rounded down.

    Args:
        cells: of the release.
        step: of the grid, exactly or as a narrow ball.
        points: the whole multiples of it that are used, in rising order.
    """
    infinite = _sum(cell.p for cell in cells if cell.q.is_zero())
    finite = [cell for cell in cells if not cell.q.is_zero() and not cell.p.is_zero()]
    lines = _lines(finite, infinite, float(step.mid()), points)
    slack = step * arb(SLACK)
    ratios = [(step * index - slack).exp().upper() for index in points]
    start, end = 0, len(points) - 1
    while start < end and not (
        lines[start + 1][0] is lines[0][0]  # nothing is below
        or _height(lines[start + 1], ratios[start]) >= _height(lines[0], ratios[start])
    ):
        start += 1
    found = _between(lines, ratios, infinite, points, start, end) if start < end else None
    return found or _between(lines, ratios, infinite, points, 0, end) or Masses((), (), infinite.lower(), arb(0))


def _between(
    lines: Sequence[tuple[arb, arb]], ratios: Sequence[arb], infinite: arb, points: Sequence[int], start: int, end: int
) -> Masses | None:
    """Return the pair whose F is the hull over some points of the grid, and fewer from above where that is none."""
    while end >= start and not _height(lines[end] if end > start else lines[0], ratios[end]) >= infinite:
        end -= 1
    while end >= start:
        corners = _corners(lines, ratios, infinite, start, end)
        hull = _hull(corners)
        rest = (arb(fmpz(corners[-1][1])) * arb(2) ** -_SCALE).lower()
        if hull[-1] == len(corners) - 1 and rest >= 0:
            masses = _kinks([corners[at] for at in hull])
            kept = [(points[start + at - 1], one) for at, one in zip(hull[1:], masses, strict=True) if one > 0]
            return Masses(tuple(index for index, _ in kept), tuple(one for _, one in kept), rest, arb(0))
        end = min(end - 1, start + hull[-1] - 1)
    return None


def _sum(terms: Iterable[arb]) -> arb:
    total = arb(0)
    for term in terms:
        total += term
    return total


def _lines(cells: Sequence[Cell], infinite: arb, width: float, points: Sequence[int]) -> list[tuple[arb, arb]]:
    """Return both chances of events: all outputs, losses above points between neighbours of the grid, only infinite losses.

    The points are in the middle, but beside a point of the grid at which a loss has a chance of its own: that is joined with nothing.
    """
    keyed = sorted(((_middle(cell), cell) for cell in cells), key=lambda each: each[0])
    alone = {
        round(at / width)
        for at, cell in keyed
        if cell.high - cell.low < _SAME and abs(at / width % 1 - 0.5) > 0.5 - _BESIDE
    }
    at, found = len(keyed), [(infinite, arb(0))]
    p, q = infinite, arb(0)
    for left, right in zip(reversed(points[:-1]), reversed(points[1:]), strict=True):
        middle = right - _BESIDE if right in alone else left + _BESIDE if left in alone else (left + right) / 2
        while at and keyed[at - 1][0] > width * middle:
            at -= 1
            p, q = p + keyed[at][1].p, q + keyed[at][1].q
        found.append((p, q))
    for _, cell in reversed(keyed[:at]):
        p, q = p + cell.p, q + cell.q
    return [(p, q), *reversed(found)]


def _middle(cell: Cell) -> float:
    ratio = cell.p.mid() / cell.q.mid()
    return float(ratio.log().mid()) if ratio > 0 else -inf


def _height(line: tuple[arb, arb], ratio: arb) -> arb:
    return line[0] - ratio * line[1]


def _corners(
    lines: Sequence[tuple[arb, arb]], ratios: Sequence[arb], infinite: arb, start: int, end: int
) -> list[tuple[int, int]]:
    """Return points that are not above F, as integers over 2^SCALE: at 0, and at the points of the grid from ``start`` to ``end``."""
    found = [(0, _rounded(lines[0][0], up=False))]
    for number in range(start, end + 1):
        ratio = _rounded(ratios[number], up=True)
        exact = arb(fmpz(ratio)) * arb(2) ** -_SCALE
        before = _height(lines[number] if number > start else lines[0], exact)
        after = _height(lines[number + 1], exact) if number < end else infinite
        found.append((ratio, min(_rounded(before, up=False), _rounded(after, up=False))))
    return found


def _rounded(one: arb, *, up: bool) -> int:
    mantissa, exponent = (one.upper() if up else one.lower()).man_exp()
    shift = int(exponent) + _SCALE
    if shift >= 0:
        return int(mantissa) << shift
    return -(-int(mantissa) >> -shift) if up else int(mantissa) >> -shift


def _hull(corners: Sequence[tuple[int, int]]) -> list[int]:
    """Return the numbers of the corners of the convex hull from below, the last of which none follows that is not higher."""
    kept: list[int] = []
    for number, (x, y) in enumerate(corners):
        while len(kept) > 1:
            (ax, ay), (bx, by) = corners[kept[-2]], corners[kept[-1]]
            if (by - ay) * (x - bx) < (y - by) * (bx - ax):
                break
            kept.pop()
        kept.append(number)
    while len(kept) > 1 and corners[kept[-1]][1] >= corners[kept[-2]][1]:
        kept.pop()
    return kept


def _kinks(corners: Sequence[tuple[int, int]]) -> list[arb]:
    """Return the P-masses, the ratio times by how much the slope rises, rounded down; the slope is 0 behind the last corner."""
    found: list[arb] = []
    for number in range(1, len(corners)):
        (ax, ay), (bx, by) = corners[number - 1], corners[number]
        rise, run = by - ay, bx - ax
        if number + 1 < len(corners):
            cx, cy = corners[number + 1]
            top, bottom = (cy - by) * run - rise * (cx - bx), (cx - bx) * run
        else:
            top, bottom = -rise, run
        found.append((arb(fmpz(bx * top)) / arb(fmpz(bottom << _SCALE))).lower())
    return found
