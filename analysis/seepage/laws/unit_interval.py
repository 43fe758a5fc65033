"""What laws of [0, 1] have in common: they have no tails."""

from __future__ import annotations

from flint import arb

from seepage.laws.forms import Beyond
from seepage.laws.law import NEAR, Edge, Law


class OnUnitInterval(Law):
    """A law of [0, 1]."""

    __slots__ = ()

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        return 0, 1

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return arb(1)

    def entropy_beyond(self, far: arb, height: arb, times: arb) -> arb:
        """As :meth:`Law.entropy_beyond`."""
        if not far >= 1:
            raise Beyond(NEAR)
        return arb(0)
