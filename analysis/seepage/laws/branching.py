"""What laws with a branch point at 0 have in common: their density is told by the distance from it and its logarithm."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number
from seepage.laws.law import Edge, Law, Log


class Branching(Law):
    """A law whose support begins at 0, where its density is none that goes on analytically."""

    __slots__ = ()

    has_branch_point: ClassVar[bool] = True

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`: by the distance from 0."""
        near = self.near(-1)
        return lambda z, analytic: near(z, z.log(analytic=analytic), analytic)


class FromZero(Branching):
    """A law of the positive numbers."""

    __slots__ = ()

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        return 0, None

    def is_regular(self, side: int) -> bool:
        """As :meth:`Law.is_regular`."""
        return side > 0


class PowerAtZero(FromZero):
    """A law whose density is like a power beside 0: its first parameter is one more than the exponent."""

    __slots__ = ()

    def power_beside(self, side: int) -> Number:
        """As :meth:`Law.power_beside`."""
        return self.parameters[0] if side < 0 else 1

    def exponent(self, side: int) -> Number:
        """As :meth:`Law.exponent`."""
        return exact.minimum(1, self.parameters[0])


class ToldFromBelow(Branching):
    """A law whose chances near 0 are told by what is below, so that nothing cancels."""

    __slots__ = ()

    @abstractmethod
    def below_inside(self, t: arb) -> arb:
        """Return P(z ≤ t), t > 0."""

    def chance(self, a: arb | None, b: arb | None) -> arb:
        """As :meth:`Law.chance`."""
        if b is not None and not b > arb(1) / 2:
            return self._below(b) - (arb(0) if a is None else self._below(a))
        return Law.chance(self, a, b)

    def _below(self, t: arb) -> arb:
        if t <= 0:
            return arb(0)
        return self.below_inside(t) if t > 0 else arb(0).union(self._below(t.upper()))
