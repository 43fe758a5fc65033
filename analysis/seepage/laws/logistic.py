r"""The logistic law about 0, of scale 1: :math:`P(z > t) = 1 / (1 + e^t)`."""

from __future__ import annotations

from typing import ClassVar

from flint import acb, arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.law import Chance, Edge, Log, power_of
from seepage.laws.named import LOCATION, SCALE, NamedLaw, continuous
from seepage.laws.symmetric import Symmetric
from seepage.laws.tails import Tail


class Logistic(Symmetric):
    """It has no parameters."""

    __slots__ = ()

    name: ClassVar[str] = "logistic"

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a location and a scale is."""
        return Draw(values["location"], positive(values["scale"]), Logistic())

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`: by the smaller of both exponentials, so that nothing is large."""

        def log_density(z: acb, analytic: bool) -> acb:
            away = z if z.real > 0 else -z
            return -away - 2 * (1 + (-away).exp()).log(analytic=analytic)

        return log_density

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return arb(1) / 4

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return -(z / 2).tanh()

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return 1 / (1 + t.exp())

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`; no number where a ball may hold a pole."""
        return (lambda z, _: 1 / (1 + (-z).exp())), (lambda z, _: 1 / (1 + z.exp()))

    def moment(self, order: int) -> arb:
        """As :meth:`Law.moment`."""
        return arb(0) if order % 2 else 2 * self.moment_beyond(order, arb(0)) if order else arb(1)

    def moment_beyond(self, order: int, t: arb) -> arb:
        r"""As :meth:`Symmetric.moment_beyond`, by parts: :math:`t^k P(z > t) - \sum_i k^{\underline{i + 1}} t^{k - 1 - i} \mathrm{Li}_{i + 1}(-e^{-t})`."""
        found, falling, place = power_of(t, order) * self.above_inside(t), 1, acb(-(-t).exp())
        for i in range(order):
            falling *= order - i
            found -= falling * power_of(t, order - 1 - i) * acb(place).polylog(i + 1).real
        return found

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        if exact.compare(exact.abs_(rate), 1) >= 0:
            return arb.pos_inf()
        angle = arb.pi() * enclose(rate)
        return angle / angle.sin() if exact.sign(rate) else arb(1)

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return (bits * arb(2).log()).upper()

    @property
    def tail(self) -> Tail:
        """As :attr:`Law.tail`."""
        return Tail("linear", 1)

    def tail_remainder(self, z: arb) -> arb:
        """As :meth:`Law.tail_remainder`."""
        return arb(1).union((1 + (-z).exp()) ** -2)

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        """As :meth:`Law.growth`."""
        return 2 * (1 + (-far).exp()).log(), 1 / far, arb(0)


LAW = NamedLaw(
    continuous(
        "logistic",
        "explicit",
        "a bell with P(x ≤ t) = 1 / (1 + exp(−(t − location) / scale))",
        "logistic(0, 1)",
        LOCATION,
        SCALE,
    ),
    Logistic.draw,
    lambda random, size, location, scale: random.logistic(location, scale, size=size),
)
