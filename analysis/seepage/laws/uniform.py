"""The uniform law of [0, 1]."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from flint import acb, arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.arguments import Arguments, Known, Wrong, ordered, wrong_ends
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.forms import plus, times
from seepage.laws.law import Chance, Edge, Log, Stretches, power_of
from seepage.laws.named import BETWEEN, NamedLaw, continuous
from seepage.laws.unit_interval import OnUnitInterval
from seepage.word import Parameter

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.named import Floats


class Uniform(OnUnitInterval):
    """It has no parameters."""

    __slots__ = ()

    name: ClassVar[str] = "uniform"
    is_straight: ClassVar[bool] = True

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw between two ends is."""
        low, width = values["a"], plus(values["b"], times(-1, values["a"]))
        return Draw(low) if width == 0 else Draw(low, positive(width), Uniform())

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        return lambda z, _: acb(0)

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return arb(1)

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return arb(0)

    def slope_beside(self, z: Number, side: int) -> Number:
        """As :meth:`Law.slope_beside`."""
        return 0

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return 1 - t

    def rational_above(self, z: Number) -> Fraction | None:
        """As :meth:`Law.rational_above`."""
        beyond = super().rational_above(z)
        place = exact.to_fraction(z)
        return 1 - place if beyond is None and place is not None else beyond

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        return (lambda z, _: z), (lambda z, _: 1 - z)

    def moment_between(self, order: int, low: Edge, high: Edge) -> arb:
        """As :meth:`Law.moment_between`."""
        a, b = arb(0) if low is None else enclose(low), arb(1) if high is None else enclose(high)
        return (power_of(b, order + 1) - power_of(a, order + 1)) / (order + 1)

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        t = enclose(rate)
        return t.expm1() / t

    def logarithm(self) -> tuple[arb, arb]:
        """As :meth:`Law.logarithm`."""
        return arb(-1), arb(1)

    def mean_of_power(self, power: Fraction) -> arb:
        """As :meth:`Law.mean_of_power`."""
        return arb.pos_inf() if power <= -1 else 1 / (1 + arb(power.numerator) / power.denominator)

    def polynomials(self) -> Stretches:
        """As :meth:`Law.polynomials`."""
        return [(0, 1, {0: [arb(1)]})]


def _sample(random: Generator, size: int, a: Floats, b: Floats) -> Floats:
    if (a > b).any():
        raise ValueError("the ends must ascend")
    return random.uniform(a, b, size=size)


def _moments(given: Arguments) -> tuple[Number, Number]:
    low, high = ordered(given, "uniform")
    width = exact.sub(high, low)
    return exact.div(exact.add(low, high), 2), exact.div(exact.mul(width, width), 12)


def _wrong(known: Known) -> Wrong:
    return wrong_ends("uniform", known)


LAW = NamedLaw(
    continuous(
        "uniform",
        "matched",
        "a real number between `a` and `b`, all equally likely",
        "uniform(0, 1)",
        Parameter(name="a", meaning="the lower end"),
        Parameter(name="b", meaning="the upper end, at least `a`"),
        values=BETWEEN,
    ),
    Uniform.draw,
    _sample,
    moments=_moments,
    wrong=_wrong,
)
