"""The normal law about 0."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from flint import acb, arb

from seepage import exact
from seepage.exact import Number
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.forms import times
from seepage.laws.law import Chance, Edge, Law, Log, ball, power_of
from seepage.laws.named import NamedLaw, continuous
from seepage.laws.spread import Spread
from seepage.laws.tails import Tail
from seepage.word import Domain, Parameter

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.named import Floats


class Normal(Law):
    """``parameters`` is the variance."""

    __slots__ = ()

    name: ClassVar[str] = "normal"
    is_normal: ClassVar[bool] = True
    is_symmetric: ClassVar[bool] = True

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a mean and a variance or standard deviation is."""
        variance = times(values["std"], values["std"]) if "std" in values else values["variance"]
        return Draw(values["mean"]) if variance == 0 else Draw(values["mean"], 1, Normal((positive(variance),)))

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        return -(2 * arb.pi() * self.values[0]).log() / 2

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        rate, constant = -1 / (2 * self.values[0]), self.log_constant
        return lambda z, _: z * z * rate + constant

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return self.log_constant.exp().upper()

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return -z / self.values[0]

    def resized(self, size: Number) -> Normal:
        """As :meth:`Law.resized`."""
        return Normal((exact.mul(self.parameters[0], exact.mul(size, size)),))

    @property
    def variance(self) -> Number:
        """As :attr:`Law.variance`."""
        return self.parameters[0]

    def entropy(self) -> arb:
        """As :meth:`Law.entropy`."""
        return (1 + (2 * arb.pi() * self.values[0]).log()) / 2

    def square(self) -> tuple[Fraction, Number]:
        """As :meth:`Law.square`."""
        return Fraction(1, 2), exact.mul(2, self.parameters[0])

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return (t / (2 * self.values[0]).sqrt()).erfc() / 2

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        root = (2 * self.values[0]).sqrt()
        return (lambda z, _: (-z / root).erfc() / 2), (lambda z, _: (z / root).erfc() / 2)

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        if order % 2:
            return arb(0)
        half = order // 2
        return arb.fac_ui(order) / (arb(2) ** half * arb.fac_ui(half)) * power_of(self.values[0], half)

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`."""
        return self.moment_over(order, ball(low), ball(high))

    def moment_over(self, order: int, a: arb | None, b: arb | None) -> arb:
        r"""Return the moment between balls: :math:`m_k = (k - 1) v\, m_{k-2} + v\,(a^{k-1} f(a) - b^{k-1} f(b))`."""
        variance = self.values[0]
        low_tail, high_tail = (arb(1) if a is None else self.above(a)), (arb(0) if b is None else self.above(b))

        def edge(end: arb | None, power: int) -> arb:
            return arb(0) if end is None else power_of(end, power) * self.density_at(end)

        moments = [low_tail - high_tail, variance * (edge(a, 0) - edge(b, 0))]
        for k in range(2, order + 1):
            moments.append((k - 1) * variance * moments[k - 2] + variance * (edge(a, k - 1) - edge(b, k - 1)))
        return moments[order]

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        t = exact.enclose(rate)
        return (t * t * self.values[0] / 2).exp()

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return (2 * bits * arb(2).log() * self.values[0]).sqrt().upper()

    @property
    def tail(self) -> Tail:
        """As :attr:`Law.tail`."""
        return Tail("square", exact.div(1, self.parameters[0]))

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        return abs(self.log_constant), 1 / (2 * self.values[0]), arb(0)


def scaled_erfc(z: acb) -> acb:
    r"""Return :math:`g(z) = e^{z^2} \mathrm{erfc}(z) = \frac2{\sqrt\pi} \int_0^\infty e^{-t^2 - 2 z t} dt` for a positive real part, else no number.

    Where that is at least x, :math:`|g'(z)| \le -g'(x) = \frac2{\sqrt\pi} - 2 x g(x)`, so that balls around z stay narrow.
    """
    low = z.real.lower()
    if not low > 0:
        return acb(arb.nan())
    middle = acb(z.real.mid(), z.imag.mid())
    centre = acb(middle.erfc() * (middle * middle).exp())
    radius = abs(z - middle).upper()
    if radius.is_zero():
        return centre
    slope = (2 / arb.pi().sqrt() - 2 * low * (low.erfc() * (low * low).exp())).upper()
    error = (radius * slope).upper()
    return centre + acb(arb(0, error), arb(0, error))


def _sample(
    random: Generator, size: int, mean: Floats, variance: Floats | None = None, std: Floats | float = 0.0
) -> Floats:
    return random.normal(mean, std if variance is None else variance**0.5, size=size)


LAW = NamedLaw(
    continuous(
        "normal",
        "exact",
        "a Gaussian; the second argument is the variance",
        "normal(0, 4)",
        Parameter(name="mean", meaning="the mean, which may be linear in continuous variables"),
        Parameter(
            name="variance",
            meaning="the variance, the square of the standard deviation; 0 is the point `mean`",
            domain=Domain.NOT_NEGATIVE,
            aliases=(("std", "the standard deviation"),),
        ),
    ),
    Normal.draw,
    _sample,
    Spread(("variance", "std"), powers={"variance": 2, "std": 1}),
)
