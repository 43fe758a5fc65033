r"""Whole numbers with the masses of a normal density: :math:`P(k) \propto e^{-(k - c)^2 / 2v}`, of which the ratio is at most :math:`e^{-(2d + 1) / 2v}` from distance d outwards.

Draws are accepted candidates from discrete Laplace laws (Canonne, Kamath and Steinke, *The Discrete Gaussian for Differential Privacy*, NeurIPS 2020,
algorithm 3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number, div, enclose, exp_, mul
from seepage.laws import discrete_laplace
from seepage.laws.arguments import Arguments
from seepage.laws.discrete import CENTRE, WHOLE, UnboundedLaw, centre_of, unbounded
from seepage.laws.infinite import Infinite
from seepage.laws.spread import Spread
from seepage.word import Domain, Parameter

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats
    from seepage.laws.windows import Window


@dataclass(frozen=True, slots=True)
class DiscreteGaussian(Infinite):
    """``variance`` above 0, around ``centre``."""

    name: ClassVar[str] = "discrete_gaussian"

    variance: Number
    centre: int = 0

    @property
    def middle(self) -> int:
        """As :attr:`Infinite.middle`."""
        return self.centre

    def in_proportion(self, value: int, low: int, high: int) -> Number:
        """As :meth:`Infinite.in_proportion`."""
        away = value - self.middle
        return exp_(div(-away * away, mul(2, self.variance)))

    def cut(self, bits: int, tail_bits: int, limit: int) -> Window:
        """As :meth:`Infinite.cut`: exp(−d²/2v) / Σ, d the distance; Σ is summed up to where the rest is below 2^−tail_bits of it.

        Σ is at least 1, the term at the centre, so a bound of the unnormalised rest bounds the rest.
        """
        from seepage.laws.windows import GUARD, Tail, Window, sum_of

        variance, centre = enclose(self.variance, bits + 2 * GUARD), self.middle
        side = _side(variance, max(bits + 8, tail_bits), limit)
        reach = len(side) - 1
        distance = arb(reach + 1)
        log_w, log_r = -distance * distance / (2 * variance), -(2 * distance + 1) / (2 * variance)
        rest = Tail(reach + 1, log_w, log_r).mass().upper()
        whole = (2 * sum_of(side[1:]) + 1) + (2 * rest).union(arb(0))
        scaled = [weight / whole for weight in side]
        log_a = log_w - whole.log()
        tails = Tail(centre - reach - 1, log_a, log_r), Tail(centre + reach + 1, log_a, log_r)
        return Window(centre - reach, (*reversed(scaled[1:]), *scaled), tails, centre)


def _side(variance: arb, tail_bits: int, limit: int) -> list[arb]:
    """Return exp(−d²/2v) for d = 0, 1, … up to where the rest is below 2^−tail_bits."""
    from seepage.laws.windows import TooWide, count_of

    count_of(2 * (2 * variance * (tail_bits + 2) * arb.const_log2()).sqrt(), limit)
    step = (-1 / variance).exp()
    ratio = (-1 / (2 * variance)).exp()
    side = [arb(1)]
    small = arb(2) ** (-tail_bits - 2)
    while True:
        # ratio leads from the last value of the side to the first outside; the next ratios are smaller.
        outside = side[-1] * ratio
        if outside / (1 - ratio) <= small:
            return side
        side.append(outside)
        ratio *= step
        if 2 * len(side) > limit:
            raise TooWide(2 * len(side))


def member(given: Arguments) -> DiscreteGaussian | int:
    """Return the law; at variance 0 the centre."""
    variance = given.not_negative("variance", "the variance of 'discrete_gaussian'")
    centre = centre_of(given, "discrete_gaussian")
    return centre if given.order("variance", variance, 0) == 0 else DiscreteGaussian(variance, centre)


def sample(random: Generator, size: int, variance: Floats, centre: Column | int = 0) -> Column:
    """Draw."""
    import numpy as np

    found, left = np.zeros(size, dtype=np.int64), np.flatnonzero(variance > 0)
    while left.size:
        spread = variance[left]
        scale = np.floor(np.sqrt(spread)) + 1
        candidates = discrete_laplace.sample(random, len(left), scale)
        accept = np.exp(-((np.abs(candidates) - spread / scale) ** 2) / (2 * spread))
        taken = random.random(len(left)) < accept
        found[left[taken]] = candidates[taken]
        left = left[~taken]
    return found + centre


LAW = UnboundedLaw(
    unbounded(
        "discrete_gaussian",
        "whole numbers `k` with mass ∝ exp(−(k − centre)² / (2 · variance))",
        "discrete_gaussian(2, centre=1)",
        Parameter(name="variance", meaning="how far it spreads; 0 is the point `centre`", domain=Domain.NOT_NEGATIVE),
        CENTRE,
        values=WHOLE,
    ),
    sample,
    member,
    Spread(("variance",), may_vanish=True, divides=False),
    DiscreteGaussian,
)
