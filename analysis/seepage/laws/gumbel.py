r"""The Gumbel law of greatest values: :math:`P(z \le t) = \exp(-e^{-t})`."""

from __future__ import annotations

import math
from typing import ClassVar

from flint import arb

from seepage import exact
from seepage.exact import Number, enclose
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.forms import Beyond
from seepage.laws.law import NEAR, Chance, Edge, Law, Log, check_low
from seepage.laws.logistic import Logistic
from seepage.laws.named import SCALE, NamedLaw, continuous
from seepage.word import Parameter


class Gumbel(Law):
    """It has no parameters. It is log-concave; its lower tail falls faster than a normal one."""

    __slots__ = ()

    name: ClassVar[str] = "gumbel"
    joins: ClassVar[bool] = True

    @staticmethod
    def draw(values: Values) -> Draw:
        """Return what a draw with a location and a scale is."""
        return Draw(values["location"], positive(values["scale"]), Gumbel())

    def joined(self, ratio: Number) -> tuple[Law, Number] | None:
        """As :meth:`Law.joined`: a difference is logistic."""
        return (Logistic(), 1) if ratio == -1 else None

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        return lambda z, _: -z - (-z).exp()

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return (-arb(1)).exp().upper()

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        return (-z).expm1()

    def above_inside(self, t: arb) -> arb:
        """As :meth:`Law.above_inside`."""
        return -(-(-t).exp()).expm1()

    def chance(self, a: arb | None, b: arb | None) -> arb:
        """As :meth:`Law.chance`: far below by what is below, so that nothing cancels."""
        if b is not None and b < 0:
            return _below(b) - (arb(0) if a is None else _below(a))
        return Law.chance(self, a, b)

    def tails_within(self, low: Edge, high: Edge) -> tuple[Chance, Chance]:
        """As :meth:`Law.tails_within`."""
        return (lambda z, _: (-(-z).exp()).exp()), (lambda z, _: -(-(-z).exp()).expm1())

    def log_tails_within(self, low: Edge, high: Edge) -> tuple[Log, Log]:
        """As :meth:`Law.log_tails_within`."""
        return (lambda z, _: -(-z).exp()), Law.log_tails_within(self, low, high)[1]

    def moment(self, order: int) -> arb:
        r"""As :meth:`Law.moment`, by the cumulants :math:`\gamma` and :math:`(k - 1)!\,\zeta(k)`."""
        cumulants = [arb(0), arb.const_euler(), *(arb.fac_ui(k - 1) * arb(k).zeta() for k in range(2, order + 1))]
        moments = [arb(1)]
        for k in range(1, order + 1):
            moments.append(
                sum((math.comb(k - 1, j - 1) * cumulants[j] * moments[k - j] for j in range(1, k + 1)), arb(0))
            )
        return moments[order]

    def generating(self, rate: Number) -> arb:
        """As :meth:`Law.generating`."""
        return arb.pos_inf() if exact.compare(rate, 1) >= 0 else (1 - enclose(rate)).gamma()

    # --- both tails ---------------------------------------------------------------------------------------------------

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        return (bits * arb(2).log()).upper()

    def beyond(self, side: int, t: arb) -> arb:
        """As :meth:`Law.beyond`."""
        return (self.above_inside(t) if side > 0 else _below(t)).upper()

    def second_beyond(self, side: int, far: arb) -> arb:
        r"""As :meth:`Law.second_beyond`: above it is at most :math:`e^{-z}`, below at most :math:`e^{-1 - z^2 / 2}`, as :math:`e^w \ge 1 + w + w^2 / 2`."""
        if side > 0:
            return ((far * far + 2 * far + 2) * (-far).exp()).upper()
        normal = (arb.pi() / 2).sqrt() * (far / arb(2).sqrt()).erfc()
        return ((far * (-far * far / 2).exp() + normal) / arb(1).exp()).upper()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :meth:`Law.tail_entropy`, log-concave on both sides."""
        height = (times * self.density_at(t)).upper()
        check_low(height)
        rate = -side * self.slope_within(None, None, t)
        if not side * t > 0 or not rate > 0:
            raise Beyond(NEAR)
        return (height / rate * (1 - height.log())).upper()


def _below(t: arb) -> arb:
    return (-(-t).exp()).exp()


LAW = NamedLaw(
    continuous(
        "gumbel",
        "explicit",
        "the greatest of many, with P(x ≤ t) = exp(−exp(−(t − location) / scale)); the noise of the Gumbel-max trick",
        "gumbel(0, 1)",
        Parameter(name="location", meaning="the most likely value"),
        SCALE,
    ),
    Gumbel.draw,
    lambda random, size, location, scale: random.gumbel(location, scale, size=size),
)
