"""The law of the exponential of a normal variable about 0."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.arguments import Arguments
from seepage.laws.branching import FromZero, ToldFromBelow
from seepage.laws.continued import continued_from_end
from seepage.laws.draws import Draw, Values, number, positive
from seepage.laws.forms import Beyond
from seepage.laws.law import NEAR, Chance, Edge, Near, ball
from seepage.laws.named import POSITIVE, NamedLaw, continuous
from seepage.laws.normal import Normal
from seepage.word import Domain, Parameter


class Lognormal(FromZero, ToldFromBelow):
    """``parameters`` is the variance of the logarithm."""

    __slots__ = ()

    name: ClassVar[str] = "lognormal"

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with mean and variance of the logarithm is."""
        centre = exact.exp_(number(values["m"]))
        return Draw(centre) if values["v"] == 0 else Draw(0, centre, Lognormal((positive(values["v"]),)))

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        return -(2 * arb.pi() * self.values[0]).log() / 2

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: at the mode."""
        return (self.log_constant + self.values[0] / 2).exp().upper()

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return -(1 + z.log() / self.values[0]) / z

    # --- beside 0 -----------------------------------------------------------------------------------------------------

    def near(self, side: int) -> Near:
        """As :meth:`Law.near`."""
        variance, constant = self.values[0], self.log_constant
        return lambda _, log, __: -log - log * log / (2 * variance) + constant

    def rises_from(self, side: int, within: arb) -> bool:
        """As :meth:`Law.rises_from`."""
        return side < 0 and bool(within.log() < -self.values[0])

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :meth:`Law.logs_beside`."""
        return abs(self.log_constant), arb(1), 1 / (2 * self.values[0])

    # --- probabilities and moments ------------------------------------------------------------------------------------

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return (t.log() / (2 * self.values[0]).sqrt()).erfc() / 2

    def below_inside(self, t: arb) -> arb:
        """As :meth:`ToldFromBelow.below_inside`."""
        return (-t.log() / (2 * self.values[0]).sqrt()).erfc() / 2

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        root = (2 * self.values[0]).sqrt()
        return continued_from_end(self, lambda z: (-z.log() / root).erfc() / 2)

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        return (self.values[0] * order * order / 2).exp()

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`: multiplied by a power of z the density is that of a law with another mean of the logarithm."""
        a, b = ball(low), ball(high)
        if any(edge is not None and exact.sign(edge) > 0 and not enclose(edge) > 0 for edge in (low, high)):
            raise Beyond("a place that may be an end of the support")
        far = [None if x is None else x.log() - order * self.values[0] if x > 0 else arb.neg_inf() for x in (a, b)]
        root = (2 * self.values[0]).sqrt()
        chance = [(x / root).erfc() / 2 for x in far if x is not None and x.is_finite()]
        first = arb(1) if far[0] is None or not far[0].is_finite() else chance.pop(0)
        return self.moment(order) * (first - (chance[-1] if chance else arb(0)))

    def logarithm(self) -> tuple[arb, arb]:
        """As :meth:`Law.logarithm`."""
        return arb(0), self.values[0]

    def mean_of_power(self, power: Fraction) -> arb:
        """As :meth:`Law.mean_of_power`."""
        ratio = arb(power.numerator) / power.denominator
        return (ratio * ratio * self.values[0] / 2).exp()

    # --- the tail -----------------------------------------------------------------------------------------------------

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`; what is below one over it is as little."""
        return (2 * bits * arb(2).log() * self.values[0]).sqrt().exp().upper()

    @property
    def is_heavy(self) -> bool:
        """As :attr:`Law.is_heavy`."""
        return True

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        square = far.log() ** 2 / (2 * self.values[0] * far * far) if far > 3 else arb.pos_inf()
        return abs(self.log_constant), square, arb(1)

    def entropy_beyond(self, far: arb, height: arb, times: arb) -> arb:
        """As :meth:`Law.entropy_beyond`: moments of the logarithm, which is normal, in its tail."""
        v, u = self.values[0], far.log()
        if not u > 0:
            raise Beyond(NEAR)
        normal = Normal(self.parameters)
        zero, first = normal.above(u), v * normal.density_at(u)
        second = v * zero + u * first
        inner = (-times.log() - self.log_constant) * zero + first + second / (2 * v)
        return (times * inner).upper()


def _moments(given: Arguments) -> tuple[Number, Number]:
    m, v = given.number("m"), given.not_negative("v", "the parameter 'v' of 'lognormal'")
    square = exact.exp_(exact.add(exact.mul(2, m), v))
    return exact.exp_(exact.add(m, exact.div(v, 2))), exact.mul(square, exact.sub(exact.exp_(v), 1))


LAW = NamedLaw(
    continuous(
        "lognormal",
        "matched",
        "a positive number whose logarithm is normal",
        "lognormal(0, 1)",
        Parameter(name="m", meaning="the mean of the logarithm"),
        Parameter(name="v", meaning="the variance of the logarithm", domain=Domain.NOT_NEGATIVE),
        values=POSITIVE,
    ),
    Lognormal.draw,
    lambda random, size, m, v: random.lognormal(m, v**0.5, size=size),
    moments=_moments,
)
