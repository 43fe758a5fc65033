r"""Laws of whole numbers from 0 on whose generating function :math:`\sum p_k z^k` is a quotient of polynomials: how often a loop counted.

With numerator :math:`\sum a_k z^k` and denominator :math:`\sum b_j z^j`, :math:`b_0 p_k = a_k - \sum_{j \ge 1} b_j p_{k-j}`. Such a law has all moments, and
these are known: :math:`\sum_j E \binom kj u^j` is the generating function at :math:`z = 1 + u`. So of what lies beyond a window the mass and the moments are
known, as differences. A law on 1, 2, … of mean :math:`\mu` has an entropy of at most :math:`1 + \log \mu` nats, that of a geometric one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, factorial

from flint import arb, ctx

from seepage.data_classes import dataclass
from seepage.exact import Number, enclose, precision
from seepage.laws.windows import KnownTail, TooWide, Window

_ORDERS = 9  # moments of what lies beyond a window that are known
_MOST_BITS = 1 << 16


@dataclass(frozen=True, slots=True)
class RationalLaw:
    """A law by its generating function.

    Attributes:
        numerator: coefficients, from that of 1 on.
        denominator: likewise; the first is not 0, and no root lies in the closed unit disc.
    """

    numerator: tuple[Number, ...]
    denominator: tuple[Number, ...]

    def enclosed(self) -> tuple[list[arb], list[arb]]:
        """Return balls around the coefficients above and below, at the precision of the process."""
        above, below = ([enclose(each, ctx.prec) for each in part] for part in (self.numerator, self.denominator))
        return above, below

    def moments(self) -> list[arb]:
        r"""Return :math:`E k^j` for the first orders j: by Stirling numbers from the factorial moments."""
        above, below = map(_at_one_plus, self.enclosed())
        series: list[arb] = []
        for order in range(_ORDERS):
            rest = sum((below[place] * series[order - place] for place in range(1, order + 1)), arb(0))
            series.append((above[order] - rest) / below[0])
        return [
            sum((stirling(order, size) * factorial(size) * series[size] for size in range(order + 1)), arb(0))
            for order in range(_ORDERS)
        ]


@lru_cache(maxsize=256)
def rational_window(law: RationalLaw, bits: int, tail_bits: int, limit: int) -> Window:
    """Return a window of a law that leaves out a mass of at most 2^−tail_bits.

    Args:
        law: with probabilities that sum to 1.
        bits: accuracy of the probabilities.
        tail_bits: at least 2.
        limit: on the number of values.

    Raises:
        TooWide: if the window would have more values than ``limit``, or more digits than are computed with.
    """
    working = bits + tail_bits + 128
    while working <= _MOST_BITS:
        with precision(working):
            found = _window(law, tail_bits, limit)
        if found is not None:
            return found
        working *= 2
    raise TooWide(limit + 1)


def _window(law: RationalLaw, tail_bits: int, limit: int) -> Window | None:
    """Return the window; None if the digits of the present precision do not reach."""
    above, below = law.enclosed()
    moments = law.moments()
    small = arb(2) ** -tail_bits
    masses: list[arb] = []
    left = moments[0]
    while not left <= small:
        if left.rad() > small / 4:
            return None
        if len(masses) >= limit:
            raise TooWide(2 * limit)
        place = len(masses)
        mass = above[place] if place < len(above) else arb(0)
        for back in range(1, min(place, len(below) - 1) + 1):
            mass -= below[back] * masses[place - back]
        masses.append(mass / below[0])
        left -= masses[-1]
    rest = list(moments)
    for place, mass in enumerate(masses):
        for order in range(_ORDERS):
            rest[order] -= mass * arb(place) ** order
    nothing = arb(0)
    return Window(0, tuple(each.max(nothing) for each in masses), (KnownTail(len(masses), tuple(rest)),))


def _at_one_plus(coefficients: Sequence[arb]) -> list[arb]:
    """Return the first coefficients of a polynomial in u = z − 1."""
    return [
        sum((comb(power, order) * each for power, each in enumerate(coefficients)), arb(0)) for order in range(_ORDERS)
    ]


def stirling(power: int, size: int) -> int:
    """Return in how many ways a set of ``power`` elements falls into ``size`` parts: E k^n of a Poisson law is Σ S(n, i) λ^i."""
    signed = (comb(size, i) * (size - i) ** power * (-1 if i % 2 else 1) for i in range(size + 1))
    return int(sum(signed)) // factorial(size)
