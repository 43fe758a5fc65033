"""The gamma law of rate 1."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.arguments import Arguments
from seepage.laws.branching import PowerAtZero
from seepage.laws.continued import continued_from_end
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.exponential import Exponential, gamma_power
from seepage.laws.law import Chance, Edge, Law, Near, Stretches
from seepage.laws.named import POSITIVE, NamedLaw, continuous
from seepage.laws.tails import Tail
from seepage.word import Domain, Parameter

HIGHEST_POWER = 12
"""Of a polynomial in front of an exponential; beyond, a sum of laws would have too many terms."""


def trigamma(x: arb) -> arb:
    """Return the derivative of the digamma function."""
    return arb(2).zeta(x)


class Gamma(PowerAtZero):
    """``parameters`` is the shape."""

    __slots__ = ()

    name: ClassVar[str] = "gamma"

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a shape and a rate is."""
        shape, scale = positive(values["shape"]), exact.div(1, positive(values["rate"]))
        return Draw(0, scale, Exponential() if shape == 1 else Gamma((shape,)))

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        return -self.values[0].lgamma()

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: at the mode; without bound at 0 for a shape below 1."""
        above = exact.compare(self.parameters[0], 1)
        if above == 0:
            return arb(1)
        if above < 0:
            return arb.pos_inf()
        mode = self.values[0] - 1
        return (mode * mode.log() - mode + self.log_constant).exp().upper()

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return (self.values[0] - 1) / z - 1

    # --- beside 0 -----------------------------------------------------------------------------------------------------

    def near(self, side: int) -> Near:
        """As :meth:`Law.near`."""
        shape, constant = self.values[0], self.log_constant
        return lambda d, log, _: log * (shape - 1) - d + constant

    def factor(self, side: int, within: arb | None = None) -> arb:
        """As :meth:`Law.factor`."""
        if self.exponent(side) != 1:
            return self.log_constant.exp().upper()
        return Law.factor(self, side, within)

    def rises_from(self, side: int, within: arb) -> bool:
        """As :meth:`Law.rises_from`."""
        return side < 0 and bool(within < self.values[0] - 1)

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :meth:`Law.logs_beside`."""
        return abs(self.log_constant) + 1, abs(self.values[0] - 1), arb(0)

    # --- probabilities and moments ------------------------------------------------------------------------------------

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return t.gamma_upper(self.values[0], regularized=1)

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        shape = self.values[0]
        return continued_from_end(self, lambda z: z.gamma_lower(shape, regularized=1))

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        return self.values[0].rising(arb(order))

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`: multiplied by a power of z the density is that of another shape."""
        return self.moment(order) * Gamma((exact.add(self.parameters[0], order),)).probability(low, high)

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        if exact.compare(rate, 1) >= 0:
            return arb.pos_inf()
        return (-(1 - enclose(rate)).log() * self.values[0]).exp()

    def logarithm(self) -> tuple[arb, arb]:
        """As :meth:`Law.logarithm`."""
        return self.values[0].digamma(), trigamma(self.values[0])

    def mean_of_power(self, power: Fraction) -> arb:
        """As :meth:`Law.mean_of_power`."""
        return gamma_power(self.parameters[0], power)

    def polynomials(self) -> Stretches | None:
        """As :meth:`Law.polynomials`, of whole shapes."""
        shape = self.parameters[0]
        if not isinstance(shape, int) or shape > HIGHEST_POWER:
            return None
        return [(0, None, {-1: [arb(0)] * (shape - 1) + [1 / arb.fac_ui(shape - 1)]})]

    # --- the tail -----------------------------------------------------------------------------------------------------

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return (2 * bits * arb(2).log() + 4 * self.values[0]).upper()

    @property
    def tail(self) -> Tail:
        """As :attr:`Law.tail`."""
        return Tail("linear", 1, exact.sub(self.parameters[0], 1))

    def falls_by(self, far: arb) -> arb:
        """As :meth:`Law.falls_by`: with a shape below 1 it comes down to 1."""
        return 1 - (self.values[0] - 1).max(arb(0)) / far

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        return abs(self.log_constant), 1 / far, (1 - self.values[0]).max(arb(0))


def _moments(given: Arguments) -> tuple[Number, Number]:
    shape, rate = (given.positive(name, f"the parameter '{name}' of 'gamma'") for name in ("shape", "rate"))
    return exact.div(shape, rate), exact.div(shape, exact.mul(rate, rate))


LAW = NamedLaw(
    continuous(
        "gamma",
        "matched",
        "a positive number with density ∝ x^(shape − 1) · exp(−rate · x)",
        "gamma(2, 1)",
        Parameter(name="shape", meaning="the shape", domain=Domain.POSITIVE),
        Parameter(name="rate", meaning="the inverse of the scale", domain=Domain.POSITIVE),
        values=POSITIVE,
    ),
    Gamma.draw,
    lambda random, size, shape, rate: random.gamma(shape, 1 / rate, size=size),
    moments=_moments,
)
