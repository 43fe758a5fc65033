r"""Laws on 0, 1, 2, … that have closed means and logarithms: a class for each, with all that closed forms of single draws ask of it.

Powers :math:`k^d` are sums of falling factorials with Stirling's numbers of the second kind as weights, and (generating functions: Johnson, Kemp, Kotz
2005, "Univariate discrete distributions", sections 1.1, 4.3 and 5.2), with :math:`\rho = (1 - p) b`,

.. math:: E\, b^k k^{\underline{j}} = \frac{p\, j!\, \rho^j}{(1 - \rho)^{j + 1}} \quad (\rho < 1,\text{ else } \infty), \qquad
   E\, b^k k^{\underline{j}} = e^{\lambda (b - 1)}\, (\lambda b)^j.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.distributions.infinite import Kind
from seepage.exact import Number

MOST_DEGREE = 12  # of powers whose means are asked for


def _stirling(degree: int) -> list[int]:
    """Return in how many ways a set of ``degree`` things is parted into 0, 1, 2, … blocks."""
    row = [1]
    for _ in range(degree):
        row = [blocks * stay + new for blocks, (stay, new) in enumerate(zip([*row, 0], [0, *row], strict=True))]
    return row


@dataclass(frozen=True, slots=True)
class CountingLaw(ABC):
    """A law on 0, 1, 2, … of which exponential polynomials have closed means; equal ones are the same law."""

    kind: ClassVar[Kind]
    parameter: Number

    @property
    @abstractmethod
    def is_point(self) -> bool:
        """Whether 0 is the only value."""

    @abstractmethod
    def average(self, bits: int) -> arb:
        """Return a ball around the mean."""

    @abstractmethod
    def mean(self, base: Number, degree: int) -> Number | None:
        """Return the mean of :math:`b^k k^d` for a base b > 0; None where it is infinite."""

    @abstractmethod
    def logarithm(self, bits: int) -> tuple[arb, arb, int]:
        """Return the constant, and the coefficients of k and log k!, of the logarithm of the probability of k, of a law that is no point."""


@dataclass(frozen=True, slots=True)
class Geometric(CountingLaw):
    """``parameter`` is p, 0 < p ≤ 1."""

    kind: ClassVar[Kind] = "geometric"

    @property
    def is_point(self) -> bool:
        """As :attr:`CountingLaw.is_point`."""
        return exact.compare(self.parameter, 1) >= 0

    def average(self, bits: int) -> arb:
        """As :meth:`CountingLaw.average`."""
        p = exact.enclose(self.parameter, bits)
        return (1 - p) / p

    def mean(self, base: Number, degree: int) -> Number | None:
        """As :meth:`CountingLaw.mean`."""
        p, ratio = self.parameter, exact.mul(exact.sub(1, self.parameter), base)
        if exact.compare(ratio, 1) >= 0:
            return None
        rest = exact.sub(1, ratio)
        total: Number = 0
        for order, ways in enumerate(_stirling(degree)):
            share = exact.div(exact.power(ratio, order), exact.power(rest, order + 1))
            total = exact.add(total, exact.mul(ways * math.factorial(order), share))
        return exact.mul(p, total)

    def logarithm(self, bits: int) -> tuple[arb, arb, int]:
        """As :meth:`CountingLaw.logarithm`."""
        p = exact.enclose(self.parameter, bits)
        return p.log(), (-p).log1p(), 0


@dataclass(frozen=True, slots=True)
class Poisson(CountingLaw):
    """``parameter`` is the rate, at least 0."""

    kind: ClassVar[Kind] = "poisson"

    @property
    def is_point(self) -> bool:
        """As :attr:`CountingLaw.is_point`."""
        return exact.sign(self.parameter) <= 0

    def average(self, bits: int) -> arb:
        """As :meth:`CountingLaw.average`."""
        return exact.enclose(self.parameter, bits)

    def mean(self, base: Number, degree: int) -> Number | None:
        """As :meth:`CountingLaw.mean`."""
        x = exact.mul(self.parameter, base)
        total: Number = 0
        for order, ways in enumerate(_stirling(degree)):
            total = exact.add(total, exact.mul(ways, exact.power(x, order)))
        return exact.mul(exact.exp_(exact.mul(self.parameter, exact.sub(base, 1))), total)

    def logarithm(self, bits: int) -> tuple[arb, arb, int]:
        """As :meth:`CountingLaw.logarithm`."""
        rate = exact.enclose(self.parameter, bits)
        return -rate, rate.log(), -1


COUNTING_LAWS: Mapping[str, Callable[[Number], CountingLaw]] = MappingProxyType(
    {each.kind: each for each in (Geometric, Poisson)}
)
"""By their names."""
