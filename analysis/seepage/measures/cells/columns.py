r"""One output as two finite channels, of which one tells surely less than it and one surely more.

The outputs are cut into cells. *Less* is told by the number of the cell: post-processing. *More* is told if each output is replaced by one of a few outputs whose
chances stand in fixed ratios, such that each value of the secret keeps its mass: who forgets which of them it was has the mass of the cell again. Let the chances of an
output be :math:`w_s`, r one of the inputs, and :math:`w_s / w_r \in [L_s, U_s]` in the whole cell, with :math:`L_s < U_s` for f of the inputs. The ratios
lie in the simplex with the corners :math:`L` and :math:`L + f (U_s - L_s) e_s`, in which

.. math:: \lambda_s = \frac{w_s - L_s w_r}{f (U_s - L_s)} \ge 0, \qquad \lambda_0 = w_r - \sum_s \lambda_s \ge 0

are the shares of the corners. A ratio that is proved to rise or fall lies between its values at the ends of the cell; any other is bounded by that in the middle and by how fast its
logarithm can change. The shares are linear in w, so that the masses of the cell alone tell them. A share is rounded down, and what is missing tells its input outright; so is a cell
of which no ratios are known. Both bounds approach the output with the square of the cells' width. Cells between which ratios do not change are exact, however wide.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.laws.forms import Beyond
from seepage.measures.gaussian.maximum import Hump, marks_of
from seepage.measures.pivot.guessing import Slab

Floats: TypeAlias = npt.NDArray[np.float64]
Density: TypeAlias = Sequence[tuple[arb, Hump]]
"""A density as a sum of others with weights."""

_LARGEST_STEP = 4.0  # of the logarithm of a ratio, whose square counts for how much a cell matters
_NEGLIGIBLE = 1e-18  # how much a cell may matter that is not halved
_FAR = arb(2) ** 200  # farther than any output
_FIXED = (
    arb(2) ** -60
)  # how far the bounds of a ratio may be apart, relative to it, that is taken for one that does not change


@dataclass(frozen=True, slots=True)
class Columns:
    """Finite channels: one row for each input, one column for each output, chances up to a part of 1e-15.

    Attributes:
        less: tells less than what is described.
        more: tells more.
    """

    less: Floats
    more: Floats

    def beside(self, other: Columns) -> Columns:
        """Return the channel that has the outputs of both."""
        return Columns(np.hstack((self.less, other.less)), np.hstack((self.more, other.more)))


@dataclass(frozen=True, slots=True)
class Cell:
    """An interval of outputs.

    Attributes:
        left: its first end.
        right: its other end.
        masses: for each input.
        ratios: for each input bounds of its density over that of the input with the greatest mass; None where they are not known.
    """

    left: arb
    right: arb
    masses: tuple[arb, ...]
    ratios: tuple[tuple[arb, arb], ...] | None

    @property
    def weight(self) -> float:
        """About how much the cell matters: its mass, times the square of the change of the ratios."""
        total = sum(float(mass.mid()) for mass in self.masses)
        if self.ratios is None:
            return total * _LARGEST_STEP**2
        steps = [
            min(_LARGEST_STEP, float((high.log() - low.log()).mid())) if low > 0 else _LARGEST_STEP
            for low, high in self.ratios
            if high > 0
        ]
        return total * max(steps, default=0.0) ** 2


def columns_of_atoms(atoms: Sequence[dict[Number, arb]]) -> Columns:
    """Return the finite channel of outputs that have chances of their own."""
    every = list(dict.fromkeys(value for row in atoms for value in row))
    found = np.array([[_float(row.get(value, arb(0))) for value in every] for row in atoms], dtype=np.float64)
    found = found.reshape(len(atoms), len(every))
    return Columns(found, found)


def cells_of(rows: Sequence[Density], count: int, stop: Callable[[], None]) -> list[Cell]:
    """Cut an output that has a density for each input into cells.

    Args:
        rows: the densities, at the precision of the caller.
        count: about how many cells there are to be.
        stop: raises where time is up.

    Raises:
        Beyond: if the densities have no marks.
    """
    marks = marks_of([hump for row in rows for _, hump in row])
    if len(marks) < 2:
        raise Beyond("densities without marks")
    waiting = [_cell(rows, left, right) for left, right in pairwise(marks)]
    heap = [(-cell.weight, number, cell) for number, cell in enumerate(waiting)]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) < count and -heap[0][0] > _NEGLIGIBLE:
        stop()
        _, _, cell = heapq.heappop(heap)
        middle = ((cell.left + cell.right) / 2).mid()
        for left, right in ((cell.left, middle), (middle, cell.right)):
            number += 1
            one = _cell(rows, left, right)
            heapq.heappush(heap, (-one.weight, number, one))
    cells = [cell for _, _, cell in sorted(heap, key=lambda each: float(each[2].left.mid()))]
    return [_outer(rows, marks[0], -1), *cells, _outer(rows, marks[-1], 1)]


def columns_of(rows: Sequence[Density], count: int, stop: Callable[[], None]) -> Columns:
    """Return the finite channels of an output that has a density for each input; arguments as of :func:`cells_of`.

    Raises:
        Beyond: if the densities have no marks.
    """
    cells = cells_of(rows, count, stop)
    more = [column for cell in cells for column in _corners(cell)]
    told = [arb(0)] * len(rows)
    for cell in cells:
        told = [known + part for known, part in zip(told, _left_over(cell), strict=True)]
    alone = [tuple(mass if at == number else arb(0) for at in range(len(rows))) for number, mass in enumerate(told)]
    return Columns(_array([cell.masses for cell in cells], len(rows)), _array([*more, *alone], len(rows)))


def _outer(rows: Sequence[Density], end: arb, side: int) -> Cell:
    """Return all outputs beyond the marks: their ratios are known where no logarithm of a density changes faster than another."""
    masses = tuple(
        sum((weight * (hump.above(end) if side > 0 else hump.below(end)) for weight, hump in row), arb(0))
        for row in rows
    )
    beyond = end + side
    slopes = [_log_slope(row, end.union(end + side * _FAR), beyond) for row in rows]
    if not all(slope - slopes[0] == 0 for slope in slopes):
        return Cell(end, end, masses, None)
    most = _most(masses)
    over = _density(rows[most], end, beyond)
    ratios = [_density(row, end, beyond) / over for row in rows]
    known = [(ratio.lower().max(arb(0)), ratio.upper()) for ratio in ratios]
    known[most] = (arb(1), arb(1))
    return Cell(end, end, masses, tuple(known) if all(high.is_finite() for _, high in known) else None)


def _most(masses: Sequence[arb]) -> int:
    return max(range(len(masses)), key=lambda at: float(masses[at].mid()))


def _cell(rows: Sequence[Density], left: arb, right: arb) -> Cell:
    masses = tuple(sum((weight * hump.between(left, right) for weight, hump in row), arb(0)) for row in rows)
    most = _most(masses)
    middle = ((left + right) / 2).mid()
    whole = left.union(right)
    slopes = [_log_slope(row, whole, middle) for row in rows]
    ends = [tuple(_density(row, end, middle) for end in (left, right)) for row in rows]
    ratios: list[tuple[arb, arb]] = []
    for at, (mass, own, slope) in enumerate(zip(masses, ends, slopes, strict=True)):
        if at == most or mass.is_zero():
            known = arb(int(at == most))
            ratios.append((known, known))
            continue
        change = slope - slopes[most]
        if change >= 0 or change <= 0:
            first, last = (one / other for one, other in zip(own, ends[most], strict=True))
            low, high = (first, last) if change >= 0 else (last, first)
        else:
            own_middle, other = (_density(rows[each], middle, middle) for each in (at, most))
            step = abs(change).upper() * (right - left).upper()
            low, high = (own_middle / other * factor.exp() for factor in (-step, step))
        if not (low.is_finite() and high.is_finite()):
            return Cell(left, right, masses, None)
        ratios.append((low.lower().max(arb(0)), high.upper()))
    return Cell(left, right, masses, tuple(ratios))


def _log_slope(row: Density, place: arb, middle: arb) -> arb:
    """Return a ball that holds the slope of the logarithm of a density."""
    slabs = [hump for _, hump in row if isinstance(hump, Slab)]
    hull = arb.nan()
    if len(slabs) == len(row) and slabs:
        hull = reduce(arb.union, (slab.log_slope(place, middle) for slab in slabs))  # of a mixture, a mean of these
    if len(row) == 1 and slabs:
        return hull
    slope = density = arb(0)
    for weight, hump in row:
        own = hump.density(place, middle)
        density += weight * own
        slope += weight * hump.slope(place, middle, own)
    found = slope / density
    return hull if hull.is_finite() and not found.rad() < hull.rad() else found


def _density(row: Density, place: arb, middle: arb) -> arb:
    return sum((weight * hump.density(place, middle) for weight, hump in row), arb(0))


def _shares(cell: Cell) -> tuple[int, list[arb], arb]:
    """Return which input the ratios are taken over, lower bounds of the shares of all corners but one, and that of the one."""
    ratios = cell.ratios or ()
    most = next(at for at, (low, high) in enumerate(ratios) if low == 1 and high == 1)
    free = sum(_changes(each) for each in ratios)
    base = cell.masses[most]
    shares, upper = [], arb(0)
    for mass, (low, high) in zip(cell.masses, ratios, strict=True):
        share = (mass - low * base) / (free * (high - low)) if _changes((low, high)) else arb(0)
        shares.append(share.lower().max(arb(0)))
        upper += share.upper().max(arb(0))
    return most, shares, (base - upper).lower().max(arb(0))


def _changes(ratio: tuple[arb, arb]) -> bool:
    low, high = ratio
    return not high - low <= high * _FIXED


def _corners(cell: Cell) -> list[tuple[arb, ...]]:
    """Return the outputs that a cell is split into, with their masses."""
    if cell.ratios is None:
        return []
    _, shares, first = _shares(cell)
    free = sum(_changes(each) for each in cell.ratios)
    lows = [low for low, _ in cell.ratios]
    found = [tuple(first * low for low in lows)]
    for at, share in enumerate(shares):
        if share > 0:
            low, high = cell.ratios[at]
            corner = [low + free * (high - low) if at == number else each for number, each in enumerate(lows)]
            found.append(tuple(share * each for each in corner))
    return found


def _left_over(cell: Cell) -> list[arb]:
    """Return what the corners of a cell lack of its masses."""
    corners = _corners(cell)
    held = [sum((corner[at] for corner in corners), arb(0)) for at in range(len(cell.masses))]
    return [(mass - own).upper().max(arb(0)) for mass, own in zip(cell.masses, held, strict=True)]


def _array(columns: Sequence[Sequence[arb]], rows: int) -> Floats:
    found = np.array([[_float(mass) for mass in column] for column in columns], dtype=np.float64)
    return np.ascontiguousarray(found.reshape(len(columns), rows).T)


def _float(mass: arb) -> float:
    return max(0.0, float(mass.mid()))
