r"""Sources under guards that tie them to noise: given z, normal noise of variance v lets :math:`l < c z + n < u` pass with probability
:math:`\Phi((u - c z) / \sqrt v) - \Phi((l - c z) / \sqrt v)`, and noise of distribution function F with :math:`F(u - c z) - F(l - c z)`.

With that probability as one more factor the density of z is a product (:mod:`seepage.engines.pivot.products`), whose integral is the chance of the guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cmp_to_key
from typing import ClassVar

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.cumulative import log_window_within
from seepage.engines.pivot.path import Guards
from seepage.engines.pivot.products import Product, normaliser
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Sum, is_summed
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.laplace import Laplace
from seepage.laws.law import Edge, Law, Log, Near
from seepage.laws.normal import Normal, scaled_erfc


def _log_above(z: acb, analytic: bool) -> acb:
    """Return log(erfc(z) / 2)."""
    if z.real > 0:
        return (scaled_erfc(z) / 2).log(analytic=analytic) - z * z
    if z.real < 0:
        return (1 - (-z * z).exp() * scaled_erfc(-z) / 2).log(analytic=analytic)
    return (z.erfc() / 2).log(analytic=analytic)


def _log_between(first: acb, second: acb, analytic: bool) -> acb:
    """Return log((erfc(a) − erfc(b)) / 2), the sum of a and b not known to be negative."""
    if not first.real > 0:
        return ((first.erfc() - second.erfc()) / 2).log(analytic=analytic)
    gap = (first - second) * (first + second)  # a² − b²
    return ((scaled_erfc(first) - gap.exp() * scaled_erfc(second)) / 2).log(analytic=analytic) - first * first


@dataclass(frozen=True, slots=True)
class Window(Law):
    """The probability above as a function of z: no density, but a factor of one; ``parameters`` are c and v."""

    name: ClassVar[str] = "window"
    low: Edge = None
    high: Edge = None

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        slope, variance = self.values
        root = (2 * variance).sqrt()
        ends = [None if edge is None else enclose(edge) for edge in (self.low, self.high)]

        def log_chance(z: acb, analytic: bool) -> acb:
            first, second = (None if end is None else (end - slope * z) / root for end in ends)
            if first is None or (second is not None and (first + second).real < 0):
                first, second = None if second is None else -second, None if first is None else -first
            if first is None:
                return acb(0)
            return _log_above(first, analytic) if second is None else _log_between(first, second, analytic)

        return log_chance

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        return arb(1)

    def reach(self, bits: int) -> arb:
        """As :attr:`Law.reach`: it need not fall."""
        return arb.pos_inf()

    def beyond(self, side: int, t: arb) -> arb:
        """As :attr:`Law.beyond`."""
        return arb.pos_inf()

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.moment_within`."""
        return arb.pos_inf()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :attr:`Law.tail_entropy`."""
        raise Beyond("a tail of no density")


@dataclass(frozen=True, slots=True)
class Shade(Window):
    r"""The same with Laplace noise: :math:`P(l < c z + n < u)`; ``parameters`` are c and the scale of n."""

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`: where the noise that passes is 0."""
        kinks = {exact.div(edge, self.parameters[0]) for edge in (self.low, self.high) if edge is not None}
        return None, *sorted(kinks, key=cmp_to_key(exact.compare)), None

    def jumps_at(self, z: Number) -> bool:
        """As :attr:`Law.jumps_at`: a distribution function has no jump here."""
        return False

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        slope, scale = self.values
        ends = [None if edge is None else enclose(edge) / scale for edge in (self.low, self.high)]
        above = [edge is None or self._is_above(edge, high) for edge in (self.low, self.high)]
        rate = slope / scale
        first, last = ends
        if last is None and first is not None:
            return lambda z, analytic: _log_beyond(first - rate * z, above[0], analytic)
        if first is None and last is not None:
            return lambda z, analytic: _log_beyond(rate * z - last, not above[1], analytic)
        if first is None or last is None:
            return lambda _, __: acb(0)
        gap = (-(-(last - first)).expm1() / 2).log()
        if above[0]:
            return lambda z, _: gap - (first - rate * z)
        if not above[1]:
            return lambda z, _: gap + (last - rate * z)
        return lambda z, analytic: (1 - (first - rate * z).exp() / 2 - (rate * z - last).exp() / 2).log(
            analytic=analytic
        )

    def _is_above(self, edge: Number, high: Edge) -> bool:
        """Tell whether :math:`edge - c z` is positive in an interval of z between neighbouring breaks."""
        kink = exact.div(edge, self.parameters[0])
        before = high is not None and exact.compare(high, kink) <= 0
        return before if exact.sign(self.parameters[0]) > 0 else not before


def _log_beyond(t: acb, far: bool, analytic: bool) -> acb:
    """Return log P(n > t) for a Laplace variable of scale 1; ``far``: t is positive, else it is negative."""
    return -t - arb(2).log() if far else (1 - t.exp() / 2).log(analytic=analytic)


@dataclass(frozen=True, slots=True)
class Tied(Window):
    """The same with noise of any law whose distribution function is known, as a value; ``parameters`` is c.

    Attributes:
        noise: the law of n, whole; None for no noise.
    """

    name: ClassVar[str] = "tied"
    noise: Placed | None = None

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`: where the noise that passes is at a break of its density, and the ends of what can pass."""
        (slope,) = self.parameters
        low, high = self.reached
        inner = {
            exact.div(exact.sub(edge, kink), slope)
            for edge in (self.low, self.high)
            if edge is not None
            for kink in self._noise.breaks
        }
        ends = [None if edge is None else exact.div(edge, slope) for edge in (low, high)]
        begin, end = ends if exact.sign(slope) > 0 else ends[::-1]
        held = [z for z in inner if _is_inside(z, begin, end)]
        return begin, *sorted(held, key=cmp_to_key(exact.compare)), end

    @property
    def reached(self) -> tuple[Edge, Edge]:
        """The ends of the values of c z from which some noise passes."""
        begin, end = self._noise.ends
        low = None if self.low is None or end is None else exact.sub(self.low, end)
        high = None if self.high is None or begin is None else exact.sub(self.high, begin)
        return low, high

    @property
    def _noise(self) -> Placed:
        if self.noise is None:
            raise Beyond("a guard without noise")
        return self.noise

    def jumps_at(self, z: Number) -> bool:
        """As :attr:`Law.jumps_at`: a distribution function has no jump here."""
        return False

    def is_regular(self, side: int) -> bool:
        """As :attr:`Law.is_regular`: the chance vanishes at an end of what can pass."""
        return self.ends[0 if side < 0 else 1] is None

    def near(self, side: int) -> Near:
        """As :attr:`Law.near`."""
        edges = self.breaks
        interval = (edges[0], edges[1]) if side < 0 else (edges[-2], edges[-1])
        edge = interval[0 if side < 0 else 1]
        if edge is None:
            raise Beyond("an end of a support that is infinite")
        log, place = self.log_within(*interval), enclose(edge)
        return lambda d, _, analytic: log(place - side * d, analytic)

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :attr:`Law.logs_beside`: how fast the chance vanishes is not told, so that there is no finite bound."""
        return arb.pos_inf(), arb(0), arb(0)

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        slope = self.values[0]
        ends = [None if edge is None else exact.mul(self.parameters[0], edge) for edge in (low, high)]
        interval = (ends[0], ends[1]) if exact.sign(self.parameters[0]) > 0 else (ends[1], ends[0])
        log = log_window_within(self._noise, (self.low, self.high), interval)
        return lambda z, analytic: log(slope * z, analytic)


def _is_inside(z: Number, low: Edge, high: Edge) -> bool:
    return (low is None or exact.compare(low, z) < 0) and (high is None or exact.compare(z, high) < 0)


@dataclass(frozen=True, slots=True)
class Passed:
    """A law of a source under guards, not normalised: ``chance`` times that of ``law`` in (low, high)."""

    chance: arb
    law: Law
    low: Edge
    high: Edge


def passed(laws: tuple[Law, ...], index: int, guards: Guards, others: Iterable[int]) -> Passed:
    """Return the law of a source under guards that are all on it, each perhaps with noise of its own.

    Args:
        laws: of all sources.
        index: the source.
        guards: intervals of combinations of sources.
        others: sources that are asked for, too, so that they must not be in a guard.

    Raises:
        Beyond: for other guards.
    """
    law, own = laws[index], ((index, 1),)
    low, high = guards.get(own, law.ends)
    factors = [Placed(law, 0, 1, low, high)]
    seen = set(others) - {index}
    for direction, (begin, end) in guards.items():
        if direction == own:
            continue
        noise = dict(direction)
        slope = noise.pop(index, 0)
        if slope == 0 or seen & set(noise):
            raise Beyond("guards that depend on each other")
        seen |= set(noise)
        factors.append(Placed(_window(laws, slope, noise, (begin, end)), 0, 1, None, None))
    if len(factors) == 1:
        return Passed(arb(1), law, low, high)
    if not law.is_elementary:
        raise Beyond("a guard on a product of densities")
    product = Product(factors=tuple(factors))
    return Passed(normaliser(product), product, *product.ends)


def _window(laws: Sequence[Law], slope: Number, noise: Mapping[int, Number], interval: tuple[Edge, Edge]) -> Window:
    """Return the chance that a guard with noise is passed: of one law, or a sum of such that add up in closed form."""
    low, high = interval
    if all(isinstance(laws[i], Normal) for i in noise):
        return Window(parameters=(slope, variance_of(laws, noise)), low=low, high=high)
    if len(noise) == 1 and all(isinstance(laws[i], Laplace) for i in noise):
        ((index, coefficient),) = noise.items()
        scale = exact.mul(exact.abs_(coefficient), laws[index].parameters[0])
        return Shade(parameters=(slope, scale), low=low, high=high)
    parts = tuple(Placed(laws[index], 0, coefficient, *laws[index].ends) for index, coefficient in noise.items())
    if len(parts) > 1 and not all(is_summed(part.law) for part in parts):
        raise Beyond("a guard on a sum of variables whose law is not known")
    total = Sum(parts=parts)
    return Tied(
        parameters=(slope,), low=low, high=high, noise=parts[0] if len(parts) == 1 else Placed(total, 0, 1, *total.ends)
    )


def variance_of(laws: Sequence[Law], noise: Mapping[int, Number]) -> Number:
    """Return the variance of a combination of normal sources."""
    total: Number = 0
    for index, coefficient in noise.items():
        total = exact.add(total, exact.mul(exact.mul(coefficient, coefficient), laws[index].parameters[0]))
    return total
