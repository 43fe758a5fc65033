r"""What compositions surely tell: of each release the number of the cell of its loss, of all releases the sum of these numbers, modulo the length of a transform.

All of that is computed of the outputs, so it tells at most what they do (data processing), and both laws of the sum are circular convolutions of those of the
numbers: nothing is cut off, and cells may hold any losses, also such as no grid has. A release that only one of both inputs makes possible is kept apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from seepage.data_classes import dataclass
from seepage.measures.accounting.cell import Cell
from seepage.measures.accounting.compose import Tilted, convolved
from seepage.measures.accounting.crossing import crossing, greatest_below

_Floats = npt.NDArray[np.float64]
_U = 2.0**-53
_DEVIATIONS = 10.0  # on each side: what is beyond is added to what it is like, modulo the length
_LONGEST = 2**20
_LARGEST, _TINY = 500.0, 1e-300
_FARTHEST = 1e6  # a step further is one as well: numbers of cells may be any


@dataclass(frozen=True, slots=True)
class Merged:
    """Two laws of one number.

    Attributes:
        p: its chances for the first input.
        q: those for the second one.
        p_error: by how much each of ``p`` may err.
        q_error: likewise.
        p_alone: a bound from below of the chance, for the first input, of outputs that the second one never has.
        q_alone: the same with the inputs exchanged.
    """

    p: _Floats
    q: _Floats
    p_error: _Floats
    q_error: _Floats
    p_alone: float
    q_alone: float

    def exchanged(self) -> Merged:
        """Return the same with the inputs exchanged."""
        return Merged(self.q, self.p, self.q_error, self.p_error, self.q_alone, self.p_alone)

    def excess(self, epsilon: float) -> float:
        """Return a bound from below of δ at a claimed ε."""
        if epsilon > 700:
            return self.p_alone
        over = (self.p - self.p_error) - math.exp(epsilon) * (1 + 4 * _U) * (self.q + self.q_error)
        return self.p_alone + _added(over[over > 0])

    def loss(self, delta: float) -> float:
        """Return a bound from below of the least ε at which δ is at most what is allowed."""
        if self.p_alone > delta:
            return math.inf
        more, less = self.p - self.p_error, self.q + self.q_error
        over = more > less
        more, less = more[over], less[over]
        ratios = more / np.maximum(less, _TINY)
        order = np.argsort(ratios)
        guess = crossing(ratios[order], more[order], less[order], delta - self.p_alone)
        return greatest_below(self.excess, delta, min(guess, _LARGEST))

    def information(self, p: float, q: float) -> float:
        r"""Return a bound from below of the information in nats for chances p, q of the inputs.

        Each term :math:`pP \\log(P/m) + qQ \\log(Q/m)` is at least 0, is 0 at P = Q, and falls where one goes towards the other: so both are moved by their errors.
        """
        more, less = self.p - self.p_error, self.q + self.q_error
        fewer, rest = self.p + self.p_error, self.q - self.q_error
        found = _terms(p, q, more, less)[more > less].sum() + _terms(p, q, fewer, rest)[rest > fewer].sum()
        alone = -p * math.log(p) * self.p_alone - q * math.log(q) * self.q_alone
        terms = (len(self.p) + 64) * _U * 64
        return max(0.0, float(found) * (1 - terms) + alone * (1 - 1e-12) - 64 * _U * _U)


def _added(terms: _Floats) -> float:
    return float(terms.sum()) * (1 - (len(terms) + 16) * _U) * (1 - 8 * _U)


def _terms(p: float, q: float, first: _Floats, second: _Floats) -> _Floats:
    """Return terms of the information, rounded down; of chances that are not both above 0, anything."""
    first, second = np.maximum(first, 0), np.maximum(second, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = p * first + q * second
        shift = (first - second) / mean
        # P/m = 1 + q (P − Q)/m, Q/m = 1 − p (P − Q)/m
        logs = np.log1p(q * shift), np.log1p(-p * shift)
        one = np.where(first > 0, p * first * logs[0], 0.0)
        other = np.where(second > 0, q * second * logs[1], 0.0)
        found = one + other - 64 * _U * (np.abs(one) + np.abs(other))
    return np.where(np.isfinite(found), np.maximum(found, 0), 0.0)


def merged(releases: Sequence[tuple[Sequence[Cell], int]], step: float) -> Merged:
    """Return what the numbers of cells tell.

    Args:
        releases: the cells of each, and how often there is each.
        step: how far losses are apart that get different numbers.
    """
    sides: tuple[list[Tilted], list[Tilted]] = ([], [])
    alone = [0.0, 0.0]  # logarithms of the chances that no output tells the input for certain
    count = 0
    for cells, times in releases:
        index, p, q, certain = _numbered(cells, step)
        for number, (side, masses) in enumerate(zip(sides, (p, q), strict=True)):
            side.append(Tilted(index, masses, 0.0, times))
            alone[number] += times * math.log1p(-min(certain[number], 1.0)) if certain[number] < 1 else -math.inf
        count += times
    first, n = _window(sides)
    (p, e), (q, d) = (convolved(side, first, n) for side in sides)
    near = 8 * _U * (count + 4)
    kept = [max(0.0, -math.expm1(each) * (1 - 1e-12) - 8 * _U) for each in alone]
    return Merged(
        np.maximum(p, 0), np.maximum(q, 0), e + near * np.maximum(p, 0), d + near * np.maximum(q, 0), kept[0], kept[1]
    )


def _numbered(
    cells: Sequence[Cell], step: float
) -> tuple[npt.NDArray[np.int64], _Floats, _Floats, tuple[float, float]]:
    """Return numbers of cells with their two masses, and bounds from below of the masses that are only possible for one input."""
    index: list[int] = []
    masses: list[tuple[float, float]] = []
    certain = [0.0, 0.0]
    for cell in cells:
        if cell.q.is_zero():
            certain[0] += max(0.0, float(cell.p.lower())) * (1 - 4 * _U)
        elif cell.p.is_zero():
            certain[1] += max(0.0, float(cell.q.lower())) * (1 - 4 * _U)
        else:
            p, q = max(0.0, float(cell.p.mid())), max(0.0, float(cell.q.mid()))
            loss = math.log(p / q) if p > 1e-300 and q > 1e-300 else 0.0
            index.append(round(max(-_FARTHEST, min(_FARTHEST, loss / step))))
            masses.append((p, q))
    found = np.array(masses, dtype=np.float64).reshape(-1, 2)
    return np.array(index, dtype=np.int64), found[:, 0], found[:, 1], (certain[0], certain[1])


def _window(sides: tuple[list[Tilted], list[Tilted]]) -> tuple[int, int]:
    """Return where most of both sums are, and the length of a transform for that."""
    low, high = math.inf, -math.inf
    for side in sides:
        mean = variance = 0.0
        for part in side:
            if total := float(part.mass.sum()):
                one = float((part.mass * part.index).sum()) / total
                mean += part.count * one
                variance += part.count * float((part.mass * (part.index - one) ** 2).sum()) / total
        reach = _DEVIATIONS * math.sqrt(variance) + 1
        low, high = min(low, mean - reach), max(high, mean + reach)
    return math.floor(low), min(_LONGEST, 1 << max(3, math.ceil(high - low).bit_length()))
