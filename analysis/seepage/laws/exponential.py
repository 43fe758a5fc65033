"""The exponential law of rate 1."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.arguments import Arguments
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.law import Chance, Edge, Law, Log, Stretches
from seepage.laws.named import POSITIVE, NamedLaw, continuous
from seepage.laws.tails import Tail
from seepage.word import Domain, Parameter


def gamma_power(shape: Number, power: Fraction) -> arb:
    """Return E z^power of a gamma law of rate 1, infinite where it is; that of shape 1 is exponential."""
    if exact.sign(exact.add(shape, exact.number(power))) <= 0:
        return arb.pos_inf()
    a, ratio = enclose(shape), arb(power.numerator) / power.denominator
    return ((a + ratio).lgamma() - a.lgamma()).exp()


class Exponential(Law):
    """It has no parameters."""

    __slots__ = ()

    name: ClassVar[str] = "exponential"
    is_straight: ClassVar[bool] = True

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a rate is."""
        return Draw(0, exact.div(1, positive(values["rate"])), Exponential())

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        return 0, None

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        return lambda z, _: -z

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return arb(1)

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return arb(-1)

    def slope_beside(self, z: Number, side: int) -> Number:
        """As :meth:`Law.slope_beside`."""
        return -1

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return (-t).exp()

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        return (lambda z, _: 1 - (-z).exp()), (lambda z, _: (-z).exp())

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        return arb.fac_ui(order)

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`: upper incomplete gamma functions."""
        whole = arb.fac_ui(order)

        def beyond(end: Number) -> arb:
            return whole if exact.sign(end) <= 0 else enclose(end).gamma_upper(arb(order + 1))

        return (whole if low is None else beyond(low)) - (arb(0) if high is None else beyond(high))

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        return arb.pos_inf() if exact.compare(rate, 1) >= 0 else 1 / (1 - enclose(rate))

    def logarithm(self) -> tuple[arb, arb]:
        """As :meth:`Law.logarithm`."""
        return -arb.const_euler(), arb.pi() ** 2 / 6

    def mean_of_power(self, power: Fraction) -> arb:
        """As :meth:`Law.mean_of_power`."""
        return gamma_power(1, power)

    def polynomials(self) -> Stretches:
        """As :meth:`Law.polynomials`."""
        return [(0, None, {-1: [arb(1)]})]

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return (bits * arb(2).log()).upper()

    @property
    def tail(self) -> Tail:
        """As :attr:`Law.tail`."""
        return Tail("linear", 1)

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        return arb(0), 1 / far, arb(0)


def _moments(given: Arguments) -> tuple[Number, Number]:
    mean = exact.div(1, given.positive("rate", "the parameter 'rate' of 'exponential'"))
    return mean, exact.mul(mean, mean)


LAW = NamedLaw(
    continuous(
        "exponential",
        "matched",
        "the waiting time for an event, with mean 1 / `rate`",
        "exponential(2)",
        Parameter(name="rate", meaning="events in a unit of time", domain=Domain.POSITIVE),
        values=POSITIVE,
    ),
    Exponential.draw,
    lambda random, size, rate: random.exponential(1 / rate, size=size),
    moments=_moments,
)
