r"""The Pareto law from 1 on: :math:`P(z > t) = t^{-a}`."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import enclose
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.forms import NoMomentError
from seepage.laws.law import Chance, Edge, Law, Log
from seepage.laws.named import SHAPE, NamedLaw, continuous
from seepage.laws.tails import Tail
from seepage.word import Domain, Parameter, Support


class Pareto(Law):
    """``parameters`` is the shape a."""

    __slots__ = ()

    name: ClassVar[str] = "pareto"

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a shape and a minimum is."""
        return Draw(0, positive(values["minimum"]), Pareto((positive(values["shape"]),)))

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        return 1, None

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        return self.values[0].log()

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        power, constant = -(self.values[0] + 1), self.log_constant
        return lambda z, analytic: z.log(analytic=analytic) * power + constant

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return self.values[0].upper()

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return -(self.values[0] + 1) / z

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return (-self.values[0] * t.log()).exp()

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        shape = self.values[0]
        return (
            lambda z, analytic: 1 - (-shape * z.log(analytic=analytic)).exp(),
            lambda z, analytic: (-shape * z.log(analytic=analytic)).exp(),
        )

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        if exact.compare(self.parameters[0], order) <= 0:
            raise NoMomentError(1)
        return self.values[0] / (self.values[0] - order)

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`."""
        start = arb(1) if low is None or exact.compare(low, 1) <= 0 else enclose(low)
        if high is None:
            return self.moment(order) * ((order - self.values[0]) * start.log()).exp()
        end = enclose(high).max(arb(1))
        if exact.compare(self.parameters[0], order) == 0:
            return self.values[0] * (end.log() - start.log())
        power = order - self.values[0]
        return self.values[0] / power * ((power * end.log()).exp() - (power * start.log()).exp())

    def logarithm(self) -> tuple[arb, arb]:
        """As :meth:`Law.logarithm`: an exponential variable over a."""
        return 1 / self.values[0], 1 / self.values[0] ** 2

    def mean_of_power(self, power: Fraction) -> arb:
        """As :meth:`Law.mean_of_power`."""
        if exact.compare(self.parameters[0], exact.number(power)) <= 0:
            return arb.pos_inf()
        return self.values[0] / (self.values[0] - arb(power.numerator) / power.denominator)

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return (bits * arb(2).log() / self.values[0]).exp().upper()

    @property
    def tail(self) -> Tail:
        """As :attr:`Law.tail`."""
        return Tail("power", self.parameters[0])

    def above_power(self) -> arb:
        """As :meth:`Law.above_power`."""
        return self.values[0]

    def log_over_power(self, v: arb, u: arb) -> arb:
        """As :meth:`Law.log_over_power`."""
        return self.log_constant - (self.values[0] + 1) * v.log()

    @property
    def is_heavy(self) -> bool:
        """As :attr:`Law.is_heavy`."""
        return True

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        return abs(self.log_constant), arb(0), self.values[0] + 1


LAW = NamedLaw(
    continuous(
        "pareto",
        "explicit",
        "a number from `minimum` on with P(x > t) = (minimum / t)^shape",
        "pareto(3, 1)",
        SHAPE,
        Parameter(name="minimum", meaning="the smallest value", domain=Domain.POSITIVE),
        values=Support("minimum"),
    ),
    Pareto.draw,
    lambda random, size, shape, minimum: minimum * (1 + random.pareto(shape, size=size)),
)
