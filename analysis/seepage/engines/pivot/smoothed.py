r"""The law of a sum of Laplace noise and an independent variable with any density that is known between breaks.

With f the density of the variable and b the scale of the noise, the sum has the density

.. math:: g(x) = \frac{A(x) + B(x)}{2b}, \qquad A(x) = \int_{-\infty}^x f(t) e^{(t - x)/b}\, dt, \qquad B(x) = \int_x^\infty f(t) e^{(x - t)/b}\, dt,

so that from a place m on the line, with complex x beside it,

.. math:: g(x) = \frac{A(m) e^{-(x - m)/b} + B(m) e^{(x - m)/b}}{2b} - \frac1b \int_m^x f(t) \sinh \frac{x - t}{b}\, dt .

Hence :math:`|g'| \le g / b` and :math:`g - b^2 g'' = f`. Beyond t, g has a mass S(t) of at most :math:`P(T > t) + b\, g(t)`, T being the variable; it is at least b times the
largest density there, and :math:`\int_t^\infty S \le E (T - t)^+ + b\, S(t)`. Of all functions with the integral M over (t, ∞) and
:math:`\int (x - t) k(x)\, dx \le M_1` an exponential has the greatest :math:`-\int k \log k = M (1 + \log M_1 - 2 \log M)` (Cover and Thomas 2006, theorem 12.1.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import pairwise
from typing import ClassVar

from flint import acb, acb_poly, arb, ctx

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.segments import Placed, segments_of
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import NEAR, Edge, Law, Log, check_low, dyadic

_FAR = 160  # scales of the noise: what is farther away counts for less than e^−160
_FAR_BITS = 256  # of what is left out of the variable's own tails
_ACCURACY = arb(2) ** -56
_ROUGH = arb(2) ** -24
_PART = arb(0.5, 0.5)  # a number between 0 and 1
_NEARBY = 16  # scales of the noise
_NODES = 8
_LIMIT = 2_000  # evaluations of a density for one of the sum


@dataclass(frozen=True, slots=True)
class Smoothed(Law):
    """The law of a scaled variable, perhaps in an interval, and Laplace noise; ``parameters`` is the scale of that."""

    name: ClassVar[str] = "smoothed"
    is_elementary: ClassVar[bool] = False
    variable: Placed = field(kw_only=True)

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`: those of the variable; beyond the ends of its support the noise is left."""
        return None, *(each for each in self.own_breaks if each is not None), None

    @property
    def kinks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.kinks`: the density is continuous."""
        return self.breaks

    @property
    def own_breaks(self) -> tuple[Edge, ...]:
        """The breaks of the variable, ascending."""
        ends = self.variable.ends
        inner = {each for each in self.variable.breaks if each not in ends}
        return ends[0], *sorted(inner, key=cmp_to_key(exact.compare)), ends[1]

    @property
    def own_chance(self) -> arb:
        """The probability of the interval that the variable is in, which its density is divided by."""
        return _chance(self.variable, int(ctx.prec))

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: at most that of the noise, and of the variable."""
        noise = 1 / (2 * self.values[0])
        own = self.variable.law.largest / (abs(enclose(self.variable.scale)) * self.own_chance)
        return (own if own < noise else noise).upper()

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :meth:`Law.log_within`."""
        log = self._log_of_variable(low, high) if _is_inside(self.own_breaks, (low, high)) else None
        return _Between(self, low, high, log).log_density

    @property
    def step(self) -> Fraction:
        """How far places are apart from which densities are told: a part of the smaller of the two scales."""
        smaller = min(float(self.values[0]), abs(float(enclose(self.variable.scale))))
        return Fraction(2) ** (math.frexp(smaller)[1] - 2)

    def reach(self, bits: int) -> arb:
        """As :meth:`Law.reach`."""
        noise = (bits + 1) * arb(2).log() * self.values[0]
        rare = math.ceil(-math.log2(float(self.own_chance.lower())))
        return (abs(enclose(self.variable.scale)) * self.variable.law.reach(bits + 1 + rare) + noise).upper()

    def beyond(self, side: int, t: arb) -> arb:
        """As :meth:`Law.beyond`."""
        return (self.variable_beyond(side, t) + self.values[0] * self.density_at(t)).upper()

    def variable_reach(self, side: int) -> arb:
        """Return how far the variable reaches on a side, but for next to nothing."""
        far, little = abs(enclose(self.variable.scale)) * self.variable.law.reach(_FAR_BITS), arb(2) ** -_FAR_BITS
        while far > float(self.step) and self.variable_beyond(side, side * far / 2) < little:
            far /= 2
        return arb(far.upper())

    def variable_beyond(self, side: int, t: arb) -> arb:
        """Return at least the chance of the variable beyond t on a side."""
        end = self.variable.ends[1 if side > 0 else 0]
        if end is not None and side * (t - enclose(end)) >= 0:
            return arb(0)
        law, own = self.variable.law, self.variable.side(side)
        return (law.beyond(own, t / enclose(self.variable.scale)) / self.own_chance).upper()

    def _log_of_variable(self, low: Edge, high: Edge) -> Log:
        """Return the logarithm of the density of the variable between neighbouring breaks."""
        inner, scale = self.variable.log_within(low, high), enclose(self.variable.scale)
        height = (abs(scale) * self.own_chance).log()
        return lambda t, analytic: inner(t / scale, analytic) - height

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :meth:`Law.tail_entropy`."""
        if not side * t > 0:
            raise Beyond(NEAR)
        mass, scale = self.beyond(side, t), abs(enclose(self.variable.scale))
        check_low((times * mass / self.values[0]).upper())
        tail, law = self.variable.law.tail, self.variable.law
        if tail is not None and tail.kind == "power" and (law.is_symmetric or self.variable.side(side) > 0):
            return self._power_entropy(enclose(tail.rate), times * mass, times, side * t)
        own = (side * t / scale).lower()
        excess = scale * self.variable.law.second_beyond(self.variable.side(side), arb(own)) / own / self.own_chance
        mass, first = times * mass, times * (excess + self.values[0] * mass)
        if not first > mass * mass * arb(1).exp():  # else more mass would not mean more
            raise Beyond(NEAR)
        return (mass * (1 + first.log() - 2 * mass.log())).upper()

    def _power_entropy(self, rate: arb, mass: arb, times: arb, t: arb) -> arb:
        """Bound the same by the density t / x² of a tail, and the mean of log (x / t) by P(T + N > x) ≤ P(T > x/2) + P(N > x/2)."""
        b, half = self.values[0], t / (2 * abs(enclose(self.variable.scale)))
        heavy = self.variable.law.above_power() * (-rate * half.log()).exp() / (rate * rate) / self.own_chance
        logs = heavy + b / t * (-t / (2 * b)).exp()
        if not (mass * arb(1).exp()) < t:  # else more mass would not mean more
            raise Beyond(NEAR)
        return (mass * (t.log() - mass.log()) + 2 * times * logs).upper()


@dataclass(frozen=True, slots=True)
class _Between:
    """The density of a sum between neighbouring breaks; ``log`` is that of the variable, None outside of its support."""

    law: Smoothed
    low: Edge
    high: Edge
    log: Log | None

    @property
    def b(self) -> arb:
        """The scale of the noise."""
        return self.law.values[0]

    def log_density(self, z: acb, analytic: bool) -> acb:
        """Enclose the logarithm; no number where that is not possible, as an integrand raises nothing."""
        try:
            return self._log_density(z, analytic)
        except Beyond:
            return acb("nan")

    def _log_density(self, z: acb, analytic: bool) -> acb:
        if self.log is not None and (found := _far(self.log, z, self._room(z), self.b)) is not None:
            return found.log(analytic=analytic)
        point = acb(z.real.mid(), z.imag.mid())
        if not point.is_finite():
            return acb("nan")
        if z.is_exact():
            return self._at(point).log(analytic=analytic)
        if z.imag.is_zero() and not analytic:
            return self._at(point).log() + arb(0, (z.real.rad() / self.b).upper())
        wide = abs(z - point).upper() > self.b
        found = self._mean(z, self.log) if wide and self.log is not None else None
        return (self._around(z, point) if found is None else found).log(analytic=True)

    def _at(self, point: acb) -> acb:
        """Enclose the density at a point."""
        (before, after), start = self._told_from(point)
        found = (before + after) / 2
        if self.log is not None:
            b = self.b
            found -= _along(self.log, start, point, lambda t: ((point - t) / b).sinh(), abs(found) * _ACCURACY)
        return found / self.b

    def _told_from(self, point: acb) -> tuple[tuple[acb, acb], acb]:
        """Return what A and B at a place nearby are at a point, but for the density on the way, and the place."""
        edge = self.high if self.low is None else self.low
        place = _place_near(point.real, self.low, self.high, self.law.step) if self.log is not None else edge or 0
        start, (left, right) = acb(enclose(place)), _sides(self.law, place, int(ctx.prec))
        away = (point - start) / self.b
        return (left * (-away).exp(), right * away.exp()), start

    def _around(self, z: acb, point: acb) -> acb:
        """Follow A and B from the middle of a ball to all of its points."""
        b, gap, rest = self.b, (z - point) / self.b, acb(0)
        if self.log is not None:
            rest = (z - point) * self.log(z, True).exp() * (gap * _PART).sinh()
            if not rest.is_finite():
                return acb("nan")
        (before, after), start = self._told_from(point)
        if self.log is not None:
            size = abs(before + after) * _ROUGH
            before += _along(self.log, start, point, lambda t: ((t - point) / b).exp(), size)
            after -= _along(self.log, start, point, lambda t: ((point - t) / b).exp(), size)
        return ((before * (-gap).exp() + after * gap.exp()) / 2 - rest) / b

    def _mean(self, z: acb, log: Log) -> acb | None:
        """Enclose the density in a wide ball by that of the variable nearby, of which it is a mean, and by how little there is elsewhere."""
        away = _NEARBY * self.b
        ends = [(z.real.lower() - away).mid(), (z.real.upper() + away).mid()]
        inside = (self.low is None or ends[0] > enclose(self.low)) and (
            self.high is None or ends[1] < enclose(self.high)
        )
        around = acb(z.real + arb(0, away.upper()), z.imag.union(arb(0)))
        nearby = log(around, True).exp() if inside else acb("nan")
        if not nearby.is_finite():
            return None
        rest = sum(
            (self._log_density(acb(end), False).exp().real for end in ends), (1 + abs(z.imag) / self.b) * abs(nearby)
        )
        part = (-arb(_NEARBY)).exp()
        error = (part * rest).upper()
        return nearby * (1 - part) + acb(arb(0, error), arb(0, error))

    def _room(self, z: acb) -> arb:
        """Return a third of how far points are from the ends of the interval, or on the whole line from where the variable is centred."""
        ends = [abs(z.real - enclose(end)) for end in (self.low, self.high) if end is not None] or [abs(z.real)]
        return arb(min((each.lower() for each in ends), key=float)) / 3


@lru_cache(256)
def _chance(variable: Placed, bits: int) -> arb:
    del bits
    return variable.chance


def _far(log: Log, z: acb, room: arb, b: arb) -> acb | None:
    r"""Enclose the density of a sum far from the ends of the support, by the rule of Gauss and Laguerre; None where it is not known so.

    The rule is exact for polynomials of a degree below 2n. With |f| ≤ F within r > 160 b of z the rest of the Taylor series of f counts for at most
    :math:`F (2n)! (b / r)^{2n} / (1 - 160 b / r)` in the integral up to 160 b, and in the rule; what is farther away for e^−160 times what is left of it.
    """
    if not room > 2 * _FAR * b or not abs(z.imag).upper() < room / 2:
        return None
    radius = arb(0, room.upper())
    largest = log(z + acb(radius, radius), True).exp()
    if not largest.is_finite():
        return None
    size = abs(largest).upper()
    found = acb(0)
    for node, weight in _laguerre(int(ctx.prec)):
        found += weight * (log(z - b * node, True).exp() + log(z + b * node, True).exp()) / 2
    error = 2 * size * arb.fac_ui(2 * _NODES) * (b / room) ** (2 * _NODES) / (1 - _FAR * b / room)
    error += (-arb(_FAR)).exp() * (2 * size + (1 + 2 * abs(z.imag).upper() * size) / b)
    return found + acb(arb(0, error.upper()), arb(0, error.upper()))


@lru_cache(16)
def _laguerre(bits: int) -> list[tuple[arb, arb]]:
    """Return nodes and weights of the rule for the weight e^−u on (0, ∞)."""
    own, following = _polynomial(_NODES), _polynomial(_NODES + 1)
    found: list[tuple[arb, arb]] = []
    with exact.precision(2 * bits + 64):
        for root in acb_poly([arb(c.numerator) / c.denominator for c in own]).roots(tol=arb(2) ** -bits):
            u = arb(root.real)
            value = sum((arb(c.numerator) / c.denominator * u**k for k, c in enumerate(following)), arb(0))
            found.append((u, u / ((_NODES + 1) * value) ** 2))
    return found


def _polynomial(degree: int) -> list[Fraction]:
    return [Fraction((-1) ** k * math.comb(degree, k), math.factorial(k)) for k in range(degree + 1)]


def _along(log: Log, start: acb, end: acb, factor: Callable[[acb], acb], size: arb) -> acb:
    """Enclose the integral of a density times a factor between two points."""
    return acb.integral(
        lambda t, analytic: log(t, analytic).exp() * factor(t),
        start,
        end,
        abs_tol=size.lower(),
        rel_tol=_ACCURACY,
        eval_limit=_LIMIT,
    )


def _is_inside(own: tuple[Edge, ...], interval: tuple[Edge, Edge]) -> bool:
    """Tell whether an interval without breaks inside lies in the support."""
    low, high = interval
    above = own[0] is None or (low is not None and exact.compare(low, own[0]) >= 0)
    return above and (own[-1] is None or (high is not None and exact.compare(high, own[-1]) <= 0))


def _place_near(x: arb, low: Edge, high: Edge, step: Fraction) -> Number:
    """Return a place near a point of an interval, of few: on a grid, closer together beside the ends."""
    for end, side in ((low, 1), (high, -1)):
        if end is not None:
            gap = float(side * (x - enclose(end)))
            if gap <= step:
                return exact.add(end, exact.number(side * Fraction(2) ** (math.frexp(gap)[1] - 1))) if gap > 0 else end
    point = Fraction(str(dyadic(x)))
    return exact.number(point // step * step)


@lru_cache(4096)
def _sides(law: Smoothed, place: Number, bits: int) -> tuple[arb, arb]:
    """Enclose A and B of the head of this module at a place."""
    del bits
    own, b = law.own_breaks, law.values[0]
    left, right = arb(0), arb(0)
    for low, high in pairwise(own):
        if low is None or exact.compare(low, place) < 0:
            left += _weighted(law, place if high is None else exact.minimum(high, place), low, place, 1, b)
        if high is None or exact.compare(high, place) > 0:
            right += _weighted(law, place if low is None else exact.maximum(low, place), high, place, -1, b)
    return left, right


def _weighted(law: Smoothed, near: Number, far: Edge, place: Number, side: int, b: arb) -> arb:
    """Enclose the integral of the variable's density times ``exp(side · (t − place) / b)``, which falls from the near to the far end of an interval."""
    at, found = enclose(place), arb(0)
    farthest, reach = side * at - _FAR * b, -law.variable_reach(-side)
    cut = exact.number(side * Fraction(float((farthest if farthest > reach else reach).lower())))
    if far is None or side * exact.compare(far, cut) < 0:
        beyond = near if side * exact.compare(near, cut) <= 0 else cut
        left_out = law.variable_beyond(-side, enclose(beyond)) * (side * (enclose(beyond) - at) / b).exp()
        found, far = arb(0).union(left_out.upper()), beyond
    if exact.compare(near, far) == 0:
        return found
    interval = (far, near) if side > 0 else (near, far)
    segments, corners = segments_of([law.variable], *interval, (arb(0), arb(0)))
    scale = abs(enclose(law.variable.scale))
    height = 1 / (scale * law.own_chance)
    least = (
        _ACCURACY * (-(abs(at) + law.variable.law.reach(1) * scale) / b).exp()
    ).lower()  # times what a half of the variable gives
    for segment in segments:
        found += height * segment.integral(lambda t, logs, _: (logs[0] + side * (t - at) / b).exp(), float(least))
    for corner in corners:
        (factor,), (exponent,) = corner.factors, corner.exponents
        found += arb(0).union((height * factor * (exponent * corner.length.log()).exp() / exponent).upper())
    return found
