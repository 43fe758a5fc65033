r"""The number of rare events: :math:`P(k) = e^{-\lambda} \lambda^k / k!`, of which the ratio is at most :math:`\lambda / (k + 1)` from k upwards, :math:`k / \lambda` downwards."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import TYPE_CHECKING, ClassVar

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number, div, enclose, exp_, floor_, mul, power, precision, sign, sub
from seepage.laws.arguments import Arguments, Known
from seepage.laws.discrete import COUNT, UnboundedLaw, unbounded
from seepage.laws.infinite import Counting
from seepage.laws.spread import Spread
from seepage.word import Domain, Parameter

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats
    from seepage.laws.windows import Window


@dataclass(frozen=True, slots=True)
class Poisson(Counting):
    """``rate`` above 0."""

    name: ClassVar[str] = "poisson"

    rate: Number

    def in_proportion(self, value: int, low: int, high: int) -> Number:
        """As :meth:`Infinite.in_proportion`."""
        likely = min(max(floor_(self.rate), low), high)
        return div(mul(power(self.rate, value - likely), factorial(likely)), factorial(value))

    def falling_mean(self, base: Number, order: int) -> Number:
        r"""As :meth:`Counting.falling_mean`: :math:`e^{\lambda (b - 1)} (\lambda b)^j`."""
        return mul(exp_(mul(self.rate, sub(base, 1))), power(mul(self.rate, base), order))

    def cut(self, bits: int, tail_bits: int, limit: int) -> Window:
        """As :meth:`Infinite.cut`: from the mode outwards, so that neither the exponential nor the factorial is ever large."""
        from seepage.laws.windows import GUARD, Tail, TooWide, Window, count_of

        mode = floor_(self.rate)
        count_of((8 * arb(tail_bits) * arb.const_log2() * mode).sqrt(), limit)
        with precision(bits + 2 * GUARD + 2 * mode.bit_length()):
            rate = enclose(self.rate, bits + 2 * GUARD + 2 * mode.bit_length())
            top = (mode * rate.log() - rate - (arb(mode) + 1).lgamma()).exp() if mode else (-rate).exp()
        small = arb(2) ** (-tail_bits - 1)
        up, down = list(_up(rate, mode, top, small, limit)), list(_down(rate, mode, top, small, limit))
        masses = (*reversed(down), top, *up)
        if len(masses) > limit:
            raise TooWide(len(masses))
        first, last = mode - len(down), mode + len(up)
        log_rate = rate.log()
        tails = [Tail(last + 1, (masses[-1] * rate / (last + 1)).log(), log_rate - arb(last + 2).log())]
        if first > 0:
            tails.append(Tail(first - 1, (masses[0] * first / rate).log(), arb(max(first - 1, 1)).log() - log_rate))
        return Window(first, masses, tuple(tails))


def _up(rate: arb, mode: int, top: arb, small: arb, limit: int) -> Iterator[arb]:
    """Yield the probabilities of mode + 1, mode + 2, … until those left out have at most the mass ``small``."""
    k, mass = mode, top
    for _ in range(limit + 1):
        outside, ratio = mass * rate / (k + 1), rate / (k + 2)
        if ratio < 1 and outside / (1 - ratio) <= small:
            return
        k, mass = k + 1, outside
        yield mass


def _down(rate: arb, mode: int, top: arb, small: arb, limit: int) -> Iterator[arb]:
    """Yield the probabilities of mode − 1, mode − 2, … likewise, down to 0."""
    k, mass = mode, top
    for _ in range(limit + 1):
        if k == 0:
            return
        outside, ratio = mass * k / rate, (k - 1) / rate
        if ratio < 1 and outside / (1 - ratio) <= small:
            return
        k, mass = k - 1, outside
        yield mass


def member(given: Arguments) -> Poisson | int:
    """Return the law; at rate 0 the point 0."""
    rate = given.not_negative("rate", "the rate of 'poisson'")
    return 0 if given.order("rate", rate, 0) == 0 else Poisson(rate)


def sample(random: Generator, size: int, rate: Floats) -> Column:
    """Draw."""
    return random.poisson(rate, size=size)


def takes(known: Known) -> int | None:
    """Return 2 where the law is no point."""
    return 2 if "rate" in known and sign(known["rate"]) > 0 else None


LAW = UnboundedLaw(
    unbounded(
        "poisson",
        "the number of rare events, with mean `rate`",
        "poisson(3)",
        Parameter(name="rate", meaning="the mean; 0 is the point 0", domain=Domain.NOT_NEGATIVE),
        values=COUNT,
    ),
    sample,
    member,
    Spread(("rate",), may_vanish=True),
    Poisson,
    takes=takes,
)
