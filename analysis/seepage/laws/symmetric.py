"""Moments of laws that are symmetric about 0, of those beyond a place."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import enclose
from seepage.laws.law import Edge, Law


class Symmetric(Law):
    """A law whose moments over intervals are differences of those beyond places above 0."""

    __slots__ = ()

    is_symmetric: ClassVar[bool] = True

    @abstractmethod
    def moment_beyond(self, order: int, t: arb) -> arb:
        """Return ∫ z^order f over (t, ∞), t ≥ 0; raises ``Beyond`` where there is none."""

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: in the middle."""
        return self.log_constant.exp().upper()

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`."""
        if high is not None and exact.sign(high) <= 0:
            mirrored = None if low is None else exact.neg(low)
            return (-1 if order % 2 else 1) * self.moment_within(order, exact.neg(high), mirrored)
        if low is None or exact.sign(low) < 0:
            return self.moment_within(order, low, 0) + self.moment_within(order, 0, high)
        start = arb(0) if exact.sign(low) == 0 else enclose(low)
        return self.moment_beyond(order, start) - (arb(0) if high is None else self.moment_beyond(order, enclose(high)))
