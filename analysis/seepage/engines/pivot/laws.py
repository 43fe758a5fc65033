r"""Laws of sources with their exact densities, written so that each is analytic between its breaks.

Location and scale are the program's business: a source is centred and, where that needs no root, scaled to 1. What is said of
tails: with :math:`\ell = \log f`, a density that is log-concave beyond t satisfies :math:`f(z) \le f(t) e^{-\kappa (z - t)}` for
:math:`z \ge t`, :math:`\kappa = -\ell'(t)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from flint import acb, arb

from seepage.engines.pivot.forms import Beyond
from seepage.exact import Number, enclose

Name: TypeAlias = Literal["normal", "laplace", "uniform", "exponential", "gamma", "triangular"]
Edge: TypeAlias = Number | None
"""An end of an interval; None is infinity, which one depends on the side."""


@dataclass(frozen=True, slots=True)
class Law:
    """A law by name: normal(variance), laplace(scale), uniform() on [0, 1], exponential() of rate 1, gamma(shape) of rate 1,
    triangular(mode) on [0, 1].
    """

    name: Name
    parameters: tuple[Number, ...] = ()

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """The ends of the intervals in which the density is analytic and positive, ascending."""
        match self.name:
            case "normal":
                return None, None
            case "laplace":
                return None, 0, None
            case "uniform":
                return 0, 1
            case "exponential" | "gamma":
                return 0, None
            case "triangular":
                return 0, self.parameters[0], 1

    @property
    def ends(self) -> tuple[Edge, Edge]:
        """The ends of the support."""
        return self.breaks[0], self.breaks[-1]

    @property
    def vanishes(self) -> bool:
        """Whether the density is 0 at an end of the support."""
        return self.name in ("gamma", "triangular")

    def log_density(self, middle: arb) -> Callable[[acb, bool], acb]:
        """Return :math:`\\log f` as it is in the interval that holds ``middle``, as a function of z and whether it must be analytic."""
        values = [enclose(parameter) for parameter in self.parameters]
        match self.name:
            case "normal":
                rate, normal_constant = -1 / (2 * values[0]), -(2 * arb.pi() * values[0]).log() / 2
                return lambda z, _: z * z * rate + normal_constant
            case "laplace":
                slope, laplace_constant = (1 if middle < 0 else -1) / values[0], -(2 * values[0]).log()
                return lambda z, _: z * slope + laplace_constant
            case "uniform":
                return lambda z, _: acb(0)
            case "exponential":
                return lambda z, _: -z
            case "gamma":
                power, gamma_constant = values[0] - 1, -values[0].lgamma()
                return lambda z, analytic: z.log(analytic=analytic) * power - z + gamma_constant
            case "triangular":
                if middle < values[0]:
                    return lambda z, analytic: (2 * z / values[0]).log(analytic=analytic)
                return lambda z, analytic: (2 * (1 - z) / (1 - values[0])).log(analytic=analytic)

    def density_at(self, z: arb) -> arb:
        """Return an upper bound of the density over a ball, 0 outside the support is not seen: z must lie in one interval."""
        return acb(self.log_density(z)(acb(z), False)).real.exp()

    def decay(self, t: arb) -> arb:
        """Return a positive lower bound of :math:`|\\ell'|` beyond t, in the direction away from 0.

        Raises:
            Beyond: if t is not far enough out.
        """
        match self.name:
            case "normal":
                rate = abs(t) / enclose(self.parameters[0])
            case "laplace":
                rate = 1 / enclose(self.parameters[0])
            case "exponential":
                rate = arb(1)
            case "gamma":
                rate = 1 - (enclose(self.parameters[0]) - 1) / t
            case _:
                raise Beyond("a tail of a law that has none")
        if not rate > 0:
            raise Beyond("a tail that begins too near")
        return rate.lower()

    @property
    def largest(self) -> arb:
        """An upper bound of the density."""
        values = [enclose(parameter) for parameter in self.parameters]
        match self.name:
            case "normal":
                bound = 1 / (2 * arb.pi() * values[0]).sqrt()
            case "laplace":
                bound = 1 / (2 * values[0])
            case "gamma" if values[0] > 1:
                mode = values[0] - 1
                bound = (mode * mode.log() - mode - values[0].lgamma()).exp()
            case "triangular":
                bound = arb(2)
            case _:
                bound = arb(1)
        return bound.upper()

    def reach(self, bits: int) -> arb:
        """Return a t such that each tail beyond ±t has a mass of at most about 2^−bits."""
        far = arb(bits) * arb(2).log()
        match self.name:
            case "normal":
                return (2 * far * enclose(self.parameters[0])).sqrt().upper()
            case "laplace":
                return (far * enclose(self.parameters[0])).upper()
            case "gamma":
                return (2 * far + 4 * enclose(self.parameters[0])).upper()
            case _:
                return far.upper()

    def probability(self, low: Edge, high: Edge) -> arb:
        """Return the probability of an interval."""
        low_tail = arb(1) if low is None else self._above(enclose(low))
        high_tail = arb(0) if high is None else self._above(enclose(high))
        if self.name in ("normal", "laplace") and low is not None and enclose(low) > 0:
            return low_tail - high_tail
        if self.name in ("normal", "laplace") and high is not None and enclose(high) < 0:
            return self._above(-enclose(high)) - (arb(0) if low is None else self._above(-enclose(low)))
        return low_tail - high_tail

    def _above(self, t: arb) -> arb:
        """The probability of (t, ∞)."""
        low, high = self.ends
        if low is not None and not t > enclose(low):
            return arb(1)
        if high is not None and not t < enclose(high):
            return arb(0)
        match self.name:
            case "normal":
                return (t / (2 * enclose(self.parameters[0])).sqrt()).erfc() / 2
            case "laplace":
                scaled = t / enclose(self.parameters[0])
                return (-scaled).exp() / 2 if not scaled < 0 else 1 - scaled.exp() / 2
            case "uniform":
                return 1 - t
            case "exponential":
                return (-t).exp()
            case "gamma":
                return t.gamma_upper(enclose(self.parameters[0]), regularized=1)
            case "triangular":
                mode = enclose(self.parameters[0])
                return 1 - t * t / mode if t < mode else (1 - t) * (1 - t) / (1 - mode)

    def moment(self, order: int) -> arb:
        """Return :math:`E(z^k)`."""
        values = [enclose(parameter) for parameter in self.parameters]
        match self.name:
            case "normal":
                return (
                    arb(0)
                    if order % 2
                    else arb.fac_ui(order)
                    / (arb(2) ** (order // 2) * arb.fac_ui(order // 2))
                    * values[0] ** (order // 2)
                )
            case "laplace":
                return arb(0) if order % 2 else arb.fac_ui(order) * values[0] ** order
            case "uniform":
                return arb(1) / (order + 1)
            case "exponential":
                return arb.fac_ui(order)
            case "gamma":
                return values[0].rising(arb(order))
            case "triangular":
                mode = values[0]
                left = mode ** (order + 1) / (order + 2)
                whole = arb(1) / (order + 1) - arb(1) / (order + 2)
                inner = mode ** (order + 1) / (order + 1) - mode ** (order + 2) / (order + 2)
                return 2 * left + 2 * (whole - inner) / (1 - mode)
