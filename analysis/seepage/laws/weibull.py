r"""The Weibull law of scale 1: :math:`P(z > t) = \exp(-t^k)`."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import acb, arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.branching import PowerAtZero, ToldFromBelow
from seepage.laws.continued import continued_from_end
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.exponential import Exponential
from seepage.laws.forms import Beyond
from seepage.laws.law import Chance, Edge, Law, Log, Near
from seepage.laws.named import POSITIVE, SCALE, SHAPE, NamedLaw, continuous


class Weibull(PowerAtZero, ToldFromBelow):
    """``parameters`` is the shape k, which is not 1."""

    __slots__ = ()

    name: ClassVar[str] = "weibull"

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a shape and a scale is."""
        shape, scale = positive(values["shape"]), positive(values["scale"])
        return Draw(0, scale, Exponential() if shape == 1 else Weibull((shape,)))

    def square(self) -> tuple[Fraction, Number] | None:
        """As :meth:`Law.square`: the square of a draw of shape 2 is exponential."""
        return (Fraction(1), 1) if self.parameters[0] == 2 else None

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: at the mode; without bound at 0 for a shape below 1."""
        if exact.compare(self.parameters[0], 1) < 0:
            return arb.pos_inf()
        shape = self.values[0]
        part = (shape - 1) / shape
        return (shape * (part * part.log() - part).exp()).upper()

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        shape = self.values[0]
        return (shape - 1 - shape * self._power(z)) / z

    def _power(self, z: arb) -> arb:
        """Return z^k, z ≥ 0."""
        if z > 0:
            return (self.values[0] * z.log()).exp()
        upper = z.upper()
        return arb(0).union(self._power(arb(upper))) if upper > 0 else arb(0)

    # --- beside 0 -----------------------------------------------------------------------------------------------------

    def near(self, side: int) -> Near:
        """As :meth:`Law.near`."""
        shape = self.values[0]
        constant = shape.log()
        return lambda _, log, __: log * (shape - 1) - (log * shape).exp() + constant

    def factor(self, side: int, within: arb | None = None) -> arb:
        """As :meth:`Law.factor`."""
        if self.exponent(side) != 1:
            return self.values[0].upper()
        return Law.factor(self, side, within)

    def rises_from(self, side: int, within: arb) -> bool:
        """As :meth:`Law.rises_from`: up to the mode."""
        shape = self.values[0]
        return side < 0 and bool(shape * self._power(within) < shape - 1)

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :meth:`Law.logs_beside`."""
        shape = self.values[0]
        return abs(shape.log()) + 1, abs(shape - 1), arb(0)

    # --- probabilities and moments ------------------------------------------------------------------------------------

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return (-self._power(t)).exp()

    def below_inside(self, t: arb) -> arb:
        """As :meth:`ToldFromBelow.below_inside`."""
        return -(-self._power(t)).expm1()

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        shape = self.values[0]

        def below(z: acb) -> acb:
            return -(-(z.log() * shape).exp()).expm1()

        return continued_from_end(self, below)

    def log_tails_within(self, low: Edge, high: Edge) -> tuple[Log, Log]:
        """As :meth:`Law.log_tails_within`."""
        shape = self.values[0]
        below = Law.log_tails_within(self, low, high)[0]
        return below, lambda z, analytic: -(z.log(analytic=analytic) * shape).exp()

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        return (1 + order / self.values[0]).gamma()

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`: upper incomplete gamma functions of z^k."""
        half = 1 + order / self.values[0]

        def beyond(end: Number) -> arb:
            return half.gamma() if exact.sign(end) <= 0 else self._power(enclose(end)).gamma_upper(half)

        return (half.gamma() if low is None else beyond(low)) - (arb(0) if high is None else beyond(high))

    def logarithm(self) -> tuple[arb, arb]:
        """As :meth:`Law.logarithm`: that of an exponential variable, divided by k."""
        mean, variance = Exponential().logarithm()
        return mean / self.values[0], variance / self.values[0] ** 2

    def mean_of_power(self, power: Fraction) -> arb:
        """As :meth:`Law.mean_of_power`."""
        if exact.sign(exact.add(self.parameters[0], exact.number(power))) <= 0:
            return arb.pos_inf()
        return (1 + arb(power.numerator) / power.denominator / self.values[0]).gamma()

    # --- the tail -----------------------------------------------------------------------------------------------------

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return ((bits * arb(2).log()).log() / self.values[0]).exp().upper()

    @property
    def is_heavy(self) -> bool:
        """As :attr:`Law.is_heavy`."""
        return exact.compare(self.parameters[0], 1) < 0

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`: z^k is at most z² times its quotient at ``far``, for k ≤ 2."""
        shape = self.values[0]
        if exact.compare(self.parameters[0], 2) > 0:
            raise Beyond("a tail that falls faster than a normal one")
        return abs(shape.log()), self._power(far) / far**2, (1 - shape).max(arb(0))

    def entropy_beyond(self, far: arb, height: arb, times: arb) -> arb:
        r"""As :meth:`Law.entropy_beyond`, in closed form: with :math:`u = z^k` it is
        :math:`c \int_{u_0} e^{-u} (u + (1/k - 1) \log u - \log(c k))\,du`."""
        shape, start = self.values[0], self._power(far)
        log_part = start.log() * (-start).exp() + start.gamma_upper(arb(0))
        whole = (start + 1 - (times * shape).log()) * (-start).exp()
        return (times * (whole + (1 / shape - 1) * log_part)).upper()


LAW = NamedLaw(
    continuous(
        "weibull",
        "explicit",
        "a positive number with P(x > t) = exp(−(t / scale)^shape)",
        "weibull(2, 1)",
        SHAPE,
        SCALE,
        values=POSITIVE,
    ),
    Weibull.draw,
    lambda random, size, shape, scale: scale * random.weibull(shape, size=size),
)
