r"""Two places behind planar Laplace noise, held against each other: the excess of losses, and Rényi's divergences.

With chances p and q of the two places, :math:`\int (p f_1 - e^\varepsilon q f_2)^+` is p times what the noise around the first leaves where it is likelier (:mod:`seepage.measures.planar.rays`,
with :math:`a = \log(p/q) - \varepsilon`), less :math:`e^\varepsilon q` times what that around the second brings there. As :math:`e^\varepsilon q f_2 \ge p f_1 e^{-a - |x_1 - x_2|}`, it is
at most :math:`p (a + |x_1 - x_2|)^+`. In elliptic coordinates around both places, :math:`r_{1,2} = z (\cosh\mu \pm \cos\nu)`
with 2z their distance, :math:`\int f_1^\alpha f_2^{1-\alpha}` is a product of integrals of Bessel functions (DLMF 10.32.1, 10.32.9):

.. math:: \int f_1^\alpha f_2^{1-\alpha} = z K_1(z) I_0(b) + z^2 K_0(z) I_1(b)/b, \qquad b = (2\alpha - 1) z.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappush, heapreplace
from itertools import pairwise

import numpy as np
from flint import arb

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.planar.rays import Chances

_UNIT = 2.0**-52
_NARROW = 2e-4  # of the greatest slope
_MOST_ORDERS = 600


@dataclass(frozen=True, slots=True)
class Pairs:
    """Terms of pairs of laws: place against place, with their chances; ``pair`` says of which pair.

    Attributes:
        pair: indices from 0 on.
        apart: distances in units of the scale.
        lead: logarithms of the quotients of the chances.
        first: chances under the first law.
        left_to: of the noise, as :func:`seepage.measures.planar.rays.left_to`.
    """

    pair: np.ndarray[tuple[int], np.dtype[np.intp]]
    apart: Floats
    lead: Floats
    first: Floats
    left_to: Callable[[Floats, Floats], Chances]

    @property
    def count(self) -> int:
        """How many pairs there are."""
        return int(self.pair.max()) + 1

    def excess(self, epsilon: float) -> tuple[Floats, Floats]:
        """Return bounds of the excess of each pair at an ε."""
        lead = self.lead - epsilon
        apart = np.where(self.apart > 0, self.apart, 1.0)
        lost, won = self.left_to(apart, lead), self.left_to(apart, -lead)
        second = self.first * np.exp(np.minimum(-lead, 700))  # e^ε q
        here = np.maximum(self.first - second, 0.0)
        value = np.where(self.apart > 0, self.first * (1 - lost.values) - second * won.values, here)
        off = np.where(self.apart > 0, self.first * lost.errors + second * won.errors, 0.0)
        off = off + 16 * _UNIT * (1 + np.abs(lead)) * (self.first + second * won.values)
        most = np.where(self.apart > 0, self.first * (1 - lost.values + lost.errors), here)
        gap = lead + self.apart + 4 * _UNIT * (np.abs(lead) + self.apart)
        roof = np.minimum(most * (1 + 16 * _UNIT), self.first * np.maximum(gap, 0))
        totals = []
        for each in (value - off, np.minimum(value + off, roof)):
            total = np.zeros(self.count)
            np.add.at(total, self.pair, each)
            totals.append(np.clip(total, 0.0, 1.0))
        return totals[0], totals[1]


def loss(pairs: Pairs, delta: float, most: float) -> tuple[float, float, int]:
    """Return bounds of the least ε at which the excess of all pairs is at most δ, and the pair that decides the lower one.

    Args:
        pairs: of laws.
        delta: above 0.
        most: an ε at which the excess is 0.
    """
    low = high = 0.0
    worst = 0
    lower, upper = pairs.excess(0.0)
    if upper.max() <= delta:
        return 0.0, 0.0, int(np.argmax(upper))
    high = other = most
    for _ in range(60):  # where it is surely above δ
        middle = (low + other) / 2
        lower, _ = pairs.excess(middle)
        if lower.max() > delta:
            low, worst = middle, int(np.argmax(lower))
        else:
            other = middle
    start = low
    for _ in range(60):  # where it is surely not
        middle = (start + high) / 2
        _, upper = pairs.excess(middle)
        if upper.max() <= delta:
            high = middle
        else:
            start = middle
    return low, high, worst


def affinity(apart: arb, order: arb) -> arb:
    r"""Return :math:`\int f_1^\alpha f_2^{1-\alpha}` of two places."""
    if apart.is_zero():
        return arb(1)
    z = apart / 2
    b = (2 * order - 1) * z
    return z * z.bessel_k(1) * b.bessel_i(0) + z**2 * z.bessel_k(0) * b.bessel_i(1) / b


def divergence(terms: Sequence[tuple[arb, arb, arb]], order: arb) -> arb:
    """Return Rényi's divergence of an order of at least 1 of one law from another.

    Args:
        terms: for each value of what is published beside the place: both chances, and the distance of the places.
        order: α.
    """
    if order == 1:
        return sum((p * ((p / q).log() + _lost(apart)) for p, q, apart in terms), arb(0))
    total = sum(((p / q) ** order * q * affinity(apart, order) for p, q, apart in terms), arb(0))
    return total.log() / (order - 1)


def _lost(apart: arb) -> arb:
    r"""Return :math:`\int f_1 \log(f_1/f_2)`, the slope of the affinity at α = 1."""
    z = apart / 2
    return 2 * z**2 * (z.bessel_k(1) * z.bessel_i(1) + z.bessel_k(0) * z.bessel_i(2)) if z > 0 else arb(0)


def concentration(divergence_of: Callable[[float], arb], most: float) -> tuple[float, float, float]:
    """Return bounds of the supremum of D over α from 1 on, where it is continuous, and an order near it.

    The divergence never falls in α (van Erven, Harremoës 2014, theorem 3), so that between two orders a < b it is at most D(b) / a.

    Args:
        divergence_of: D, for orders from 1 on.
        most: what D is at most for all orders.
    """
    known: dict[float, float] = {}

    def told(order: float) -> float:
        found = divergence_of(order)
        known[order] = float(found.upper())
        return float(found.lower()) / order

    low, best = told(1.0), 1.0
    last = max(4.0, most / low) if low > 0 else 4.0
    waiting = [(-most / last, last, float("inf"))]
    grid = [1.0, *np.geomspace(1.001, last, 40).tolist()]
    for order in grid[1:]:
        found = told(order)
        low, best = max((low, best), (found, order))
    waiting += [(-known[b] / a, a, b) for a, b in pairwise(grid)]
    heapify(waiting)
    for _ in range(_MOST_ORDERS):
        high, a, b = waiting[0]
        if -high <= low * (1 + _NARROW) or b == float("inf"):
            break
        middle = (a + b) / 2
        found = told(middle)
        low, best = max((low, best), (found, middle))
        heapreplace(waiting, (-known[middle] / a, a, middle))
        heappush(waiting, (-known[b] / middle, middle, b))
    return low * (1 - 4 * _UNIT), max(low, -waiting[0][0]) * (1 + 4 * _UNIT), best
