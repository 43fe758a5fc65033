"""The beta law."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.arguments import Arguments
from seepage.laws.branching import ToldFromBelow
from seepage.laws.continued import continued_from_end
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.gamma import HIGHEST_POWER, trigamma
from seepage.laws.law import Chance, Edge, Near, Stretches
from seepage.laws.named import NamedLaw, continuous
from seepage.laws.uniform import Uniform
from seepage.laws.unit_interval import OnUnitInterval
from seepage.word import Domain, Parameter, Support


class Beta(ToldFromBelow, OnUnitInterval):
    """``parameters`` are the two shapes."""

    __slots__ = ()

    name: ClassVar[str] = "beta"

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with two shapes is."""
        a, b = positive(values["a"]), positive(values["b"])
        return Draw(0, 1, Uniform() if a == b == 1 else Beta((a, b)))

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        a, b = self.values
        return (a + b).lgamma() - a.lgamma() - b.lgamma()

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: at the mode, or at an end."""
        above = [exact.compare(parameter, 1) for parameter in self.parameters]
        if min(above) < 0:
            return arb.pos_inf()
        if 0 in above:
            return self.log_constant.exp().upper()
        a, b = (value - 1 for value in self.values)
        return (a * (a / (a + b)).log() + b * (b / (a + b)).log() + self.log_constant).exp().upper()

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        values = self.values
        left = arb(0) if self.parameters[0] == 1 else (values[0] - 1) / z
        return left if self.parameters[1] == 1 else left - (values[1] - 1) / (1 - z)

    # --- beside the ends ----------------------------------------------------------------------------------------------

    def _shapes(self, side: int) -> tuple[arb, arb]:
        """Return the shape of an end, and that of the other one."""
        a, b = self.values
        return (a, b) if side < 0 else (b, a)

    def near(self, side: int) -> Near:
        """As :meth:`Law.near`."""
        own, other = self._shapes(side)
        constant = self.log_constant
        if other == 1:
            return lambda _, log, __: log * (own - 1) + constant
        if own == 1:
            return lambda d, _, analytic: (1 - d).log(analytic=analytic) * (other - 1) + constant
        return lambda d, log, analytic: log * (own - 1) + (1 - d).log(analytic=analytic) * (other - 1) + constant

    def is_regular(self, side: int) -> bool:
        """As :meth:`Law.is_regular`."""
        return self.power_beside(side) == 1

    def power_beside(self, side: int) -> Number:
        """As :meth:`Law.power_beside`."""
        return self.parameters[0 if side < 0 else 1]

    def exponent(self, side: int) -> Number:
        """As :meth:`Law.exponent`."""
        return exact.minimum(1, self.power_beside(side))

    def factor(self, side: int, within: arb | None = None) -> arb:
        """As :meth:`Law.factor`."""
        if within is not None and self.rises_from(side, within):
            return self.density_at(within if side < 0 else 1 - within).upper()
        other = self._shapes(side)[1] - 1
        return (self.log_constant + arb(2).log() * (-other).max(arb(0))).exp().upper()

    def rises_from(self, side: int, within: arb) -> bool:
        """As :meth:`Law.rises_from`."""
        own, other = (shape - 1 for shape in self._shapes(side))
        return bool(own > 0) and bool(other >= 0) and bool(within * (own + other) < own)

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :meth:`Law.logs_beside`."""
        own, other = self._shapes(side)
        return abs(self.log_constant) + abs(other - 1) * arb(2).log(), abs(own - 1), arb(0)

    # --- probabilities and moments ------------------------------------------------------------------------------------

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        a, b = self.values
        return (1 - t).beta_lower(b, a, regularized=1)

    def below_inside(self, t: arb) -> arb:
        """As :meth:`ToldFromBelow.below_inside`."""
        a, b = self.values
        return t.beta_lower(a, b, regularized=1)

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        a, b = self.values
        return continued_from_end(self, lambda z: z.beta_lower(a, b, regularized=1), arb(1))

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        a, b = self.values
        return a.rising(arb(order)) / (a + b).rising(arb(order))

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`: multiplied by a power of z the density is that of another shape."""
        shifted = Beta((exact.add(self.parameters[0], order), self.parameters[1]))
        return self.moment(order) * shifted.probability(low, high)

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        a, b = self.values
        return enclose(rate).hypgeom_1f1(a, a + b)

    def logarithm(self) -> tuple[arb, arb]:
        """As :meth:`Law.logarithm`."""
        a, b = self.values
        return a.digamma() - (a + b).digamma(), trigamma(a) - trigamma(a + b)

    def mean_of_power(self, power: Fraction) -> arb:
        """As :meth:`Law.mean_of_power`."""
        if exact.sign(exact.add(self.parameters[0], exact.number(power))) <= 0:
            return arb.pos_inf()
        (a, b), ratio = self.values, arb(power.numerator) / power.denominator
        return ((a + ratio).lgamma() - a.lgamma() + (a + b).lgamma() - (a + b + ratio).lgamma()).exp()

    def polynomials(self) -> Stretches | None:
        """As :meth:`Law.polynomials`, of whole shapes."""
        a, b = self.parameters
        if not (isinstance(a, int) and isinstance(b, int)) or max(a, b) > HIGHEST_POWER:
            return None
        front = self.log_constant.exp()
        row = [front * (-1) ** k * math.comb(b - 1, k) for k in range(b)]
        return [(0, 1, {0: [arb(0)] * (a - 1) + row})]


def _moments(given: Arguments) -> tuple[Number, Number]:
    a, b = (given.positive(name, f"the parameter '{name}' of 'beta'") for name in ("a", "b"))
    total = exact.add(a, b)
    spread = exact.mul(exact.mul(total, total), exact.add(total, 1))
    return exact.div(a, total), exact.div(exact.mul(a, b), spread)


LAW = NamedLaw(
    continuous(
        "beta",
        "matched",
        "a number in [0, 1], with density ∝ x^(a − 1) · (1 − x)^(b − 1)",
        "beta(1, 2)",
        Parameter(name="a", meaning="the shape at 0", domain=Domain.POSITIVE),
        Parameter(name="b", meaning="the shape at 1", domain=Domain.POSITIVE),
        values=Support(0, 1),
    ),
    Beta.draw,
    lambda random, size, a, b: random.beta(a, b, size=size),
    moments=_moments,
)
