"""Laws on 0, 1, 2, … that have closed means and logarithms: a class for each, with all that closed forms of single draws ask of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.distributions.infinite import Kind
from seepage.exact import Number


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
        """Return the mean of :math:`b^k k^d` for a base b > 0 and a degree d of at most 2; None where it is infinite."""

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
        match degree:
            case 0:
                return exact.div(p, rest)
            case 1:
                return exact.div(exact.mul(p, ratio), exact.mul(rest, rest))
            case _:
                above = exact.mul(exact.mul(p, ratio), exact.add(1, ratio))
                return exact.div(above, exact.mul(rest, exact.mul(rest, rest)))

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
        touchard: Number = 1 if degree == 0 else x if degree == 1 else exact.add(x, exact.mul(x, x))
        return exact.mul(exact.exp_(exact.mul(self.parameter, exact.sub(base, 1))), touchard)

    def logarithm(self, bits: int) -> tuple[arb, arb, int]:
        """As :meth:`CountingLaw.logarithm`."""
        rate = exact.enclose(self.parameter, bits)
        return -rate, rate.log(), -1


COUNTING_LAWS: Mapping[str, Callable[[Number], CountingLaw]] = MappingProxyType(
    {each.kind: each for each in (Geometric, Poisson)}
)
"""By their names."""
