r"""Whole numbers of which the probability falls by one ratio with the distance from a centre: :math:`P(k) \propto e^{-|k - c| / s}`, ratio :math:`e^{-1/s}`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number, add, div, enclose, exp_, neg, sub
from seepage.laws.arguments import Arguments
from seepage.laws.discrete import CENTRE, WHOLE, UnboundedLaw, centre_of, unbounded
from seepage.laws.infinite import Fall, Infinite
from seepage.laws.named import SCALE
from seepage.laws.spread import Spread

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats
    from seepage.laws.windows import Window


@dataclass(frozen=True, slots=True)
class DiscreteLaplace(Infinite):
    """``scale`` above 0, around ``centre``."""

    name: ClassVar[str] = "discrete_laplace"

    scale: Number
    centre: int = 0

    @property
    def middle(self) -> int:
        """As :attr:`Infinite.middle`."""
        return self.centre

    @property
    def fall(self) -> Fall:
        """As :attr:`Infinite.fall`."""
        ratio = exp_(neg(div(1, self.scale)))
        return Fall(div(sub(1, ratio), add(1, ratio)), ratio, div(1, add(1, ratio)), (1, -1))

    def in_proportion(self, value: int, low: int, high: int) -> Number:
        """As :meth:`Infinite.in_proportion`."""
        return exp_(div(-abs(value - self.middle), self.scale))

    def cut(self, bits: int, tail_bits: int, limit: int) -> Window:
        """As :meth:`Infinite.cut`: r^d (1 − r) / (1 + r) at the distance d; beyond distance n lies 2 r^(n+1) / (1 + r)."""
        from seepage.laws.windows import GUARD, Tail, Window, count_of, powers

        rate, centre = 1 / enclose(self.scale, bits + 2 * GUARD), self.middle
        r = (-rate).exp()
        peak = -(-rate).expm1() / (1 + r)
        reach = count_of(((tail_bits + 1) * arb.const_log2()) / rate, (limit - 1) // 2)
        side = powers(peak, r, reach + 1)
        log_a = peak.log() - (reach + 1) * rate
        tails = Tail(centre - reach - 1, log_a, -rate), Tail(centre + reach + 1, log_a, -rate)
        return Window(centre - reach, (*reversed(side[1:]), *side), tails, centre)


def member(given: Arguments) -> DiscreteLaplace:
    """Return the law."""
    scale = given.positive("scale", "the scale of 'discrete_laplace'")
    return DiscreteLaplace(scale, centre_of(given, "discrete_laplace"))


def sample(random: Generator, size: int, scale: Floats, centre: Column | int = 0) -> Column:
    """Draw the difference of two geometric draws."""
    from numpy import expm1

    stop = -expm1(-1 / scale)
    found: Column = random.geometric(stop, size=size) - random.geometric(stop, size=size) + centre
    return found


LAW = UnboundedLaw(
    unbounded(
        "discrete_laplace",
        "whole numbers `k` with mass ∝ exp(−abs(k − centre) / scale), the geometric mechanism",
        "discrete_laplace(2)",
        SCALE,
        CENTRE,
        values=WHOLE,
    ),
    sample,
    member,
    Spread(("scale",), bounds_loss="draw"),
    DiscreteLaplace,
)
