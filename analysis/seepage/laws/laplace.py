"""The Laplace law about 0."""

from __future__ import annotations

from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.arguments import Arguments
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.law import Chance, Edge, Law, Log, Stretches, is_left_of, power_of
from seepage.laws.named import NamedLaw, continuous
from seepage.laws.spread import Spread
from seepage.laws.symmetric import Symmetric
from seepage.laws.tails import Tail
from seepage.word import Domain, Parameter


class Laplace(Symmetric):
    """``parameters`` is the scale."""

    __slots__ = ()

    name: ClassVar[str] = "laplace"
    is_straight: ClassVar[bool] = True

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a mean and a scale is."""
        scale = values["scale"]
        return Draw(values["mean"]) if scale == 0 else Draw(values["mean"], 1, Laplace((positive(scale),)))

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        return None, 0, None

    @property
    def kinks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.kinks`."""
        return (0,)

    @property
    def log_constant(self) -> arb:
        """As :attr:`Law.log_constant`."""
        return -(2 * self.values[0]).log()

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        slope, constant = self.slope_within(low, high, arb(0)), self.log_constant
        return lambda z, _: z * slope + constant

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return (1 if is_left_of(high, 0) else -1) / self.values[0]

    def slope_beside(self, z: Number, side: int) -> Number:
        """As :meth:`Law.slope_beside`."""
        above = exact.sign(z) > 0 or (exact.sign(z) == 0 and side > 0)
        return exact.div(-1 if above else 1, self.parameters[0])

    def resized(self, size: Number) -> Law:
        """As :meth:`Law.resized`."""
        return Laplace((exact.mul(self.parameters[0], size),))

    @property
    def variance(self) -> Number:
        """As :attr:`Law.variance`."""
        return exact.mul(2, exact.mul(self.parameters[0], self.parameters[0]))

    def entropy(self) -> arb:
        """As :meth:`Law.entropy`."""
        return 1 + (2 * self.values[0]).log()

    def excess_of_shift(self, distance: Number, epsilon: Number) -> Number:
        r"""As :meth:`Law.excess_of_shift`: :math:`\max(0, 1 - e^{(\varepsilon - \Delta/b)/2})`."""
        over = exact.sub(epsilon, exact.div(distance, self.parameters[0]))
        return 0 if exact.sign(over) >= 0 else exact.sub(1, exact.exp_(exact.div(over, 2)))

    def loss_of_shift(self, distance: Number, delta: Number) -> Number:
        """As :meth:`Law.loss_of_shift`."""
        least = exact.add(exact.div(distance, self.parameters[0]), exact.mul(2, exact.log_(exact.sub(1, delta))))
        return exact.maximum(0, least)

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        scaled = t / self.values[0]
        on_left, on_right = 1 - scaled.exp() / 2, (-scaled).exp() / 2
        return on_right if scaled >= 0 else on_left if scaled < 0 else on_left.union(on_right)

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        scale = self.values[0]
        if is_left_of(high, 0):
            return (lambda z, _: (z / scale).exp() / 2), (lambda z, _: 1 - (z / scale).exp() / 2)
        return (lambda z, _: 1 - (-z / scale).exp() / 2), (lambda z, _: (-z / scale).exp() / 2)

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        return arb(0) if order % 2 else arb.fac_ui(order) * power_of(self.values[0], order)

    def moment_beyond(self, order: int, t: arb) -> arb:
        """As :meth:`Symmetric.moment_beyond`."""
        scale = self.values[0]
        return arb.fac_ui(order) * power_of(scale, order) * (t / scale).gamma_upper(arb(order + 1), regularized=1) / 2

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        square = exact.mul(exact.mul(rate, rate), exact.mul(self.parameters[0], self.parameters[0]))
        return arb.pos_inf() if exact.compare(square, 1) >= 0 else 1 / (1 - enclose(square))

    def polynomials(self) -> Stretches:
        """As :meth:`Law.polynomials`."""
        rate = exact.div(1, self.parameters[0])
        height = enclose(rate) / 2
        return [(None, 0, {rate: [height]}), (0, None, {exact.neg(rate): [height]})]

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return (bits * arb(2).log() * self.values[0]).upper()

    @property
    def tail(self) -> Tail:
        """As :attr:`Law.tail`."""
        return Tail("linear", exact.div(1, self.parameters[0]))

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        return abs(self.log_constant), 1 / (self.values[0] * far), arb(0)


def _moments(given: Arguments) -> tuple[Number, Number]:
    scale = given.not_negative("scale", "the scale of 'laplace'")
    return given.number("mean"), exact.mul(2, exact.mul(scale, scale))


LAW = NamedLaw(
    continuous(
        "laplace",
        "matched",
        "a double-sided exponential around `mean`, the Laplace mechanism",
        "laplace(0, 1)",
        Parameter(name="mean", meaning="the mean"),
        Parameter(name="scale", meaning="how far it spreads; 0 is the point `mean`", domain=Domain.NOT_NEGATIVE),
    ),
    Laplace.draw,
    lambda random, size, mean, scale: random.laplace(mean, scale, size=size),
    Spread(("scale",), bounds_loss="draw", powers={"scale": 1}),
    moments=_moments,
)
