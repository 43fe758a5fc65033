r"""The law of a sum of normal noise and variables whose densities are, between breaks, polynomials times exponentials.

.. math:: \int_a^b t^k e^{\lambda t} \varphi_v(s - t)\, dt = e^{\lambda s + \lambda^2 v / 2} M_k, \qquad
    M_k = m M_{k-1} + (k - 1) v M_{k-2} - v \big[t^{k-1} \varphi_v(t - m)\big]_a^b,

with :math:`m = s + \lambda v` and :math:`M_0 = \Phi((b - m)/\sqrt v) - \Phi((a - m)/\sqrt v)`, by completing the square and integration by parts. So the density g is known at
points. Let f be that of the other variables T, which is log-concave (Prékopa 1973), and U the law of x − T given that the sum is x, with mean u: then
:math:`(\log g)' = -u / v`, and

.. math:: g(x + h) = g(x)\, e^{-h^2 / 2v}\, E\, e^{-h U / v} = g(x)\, e^{-h^2 / 2v - h u / v} (1 + \delta), \qquad
    |\delta| \le E(e^{r |U - u| / v} + e^{-r |U - u| / v}) - 2 \le 2 (e^{r^2 / 2v} - 1)

for complex h of absolute value r: the density of U is the exponential of a function whose second derivative is at most −1/v, and so are its tilted ones, all of which
have variances of at most v (Brascamp, Lieb 1976), so that :math:`\log E\, e^{\pm r (U - u) / v} \le r^2 / 2v`. In particular :math:`-1/v \le (\log g)'' \le 0` on the
line. That holds everywhere with the same relative accuracy, in the tails, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ClassVar, TypeAlias

from flint import acb, arb, ctx

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Sum, Terms, antiderivative, value_of
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge, Law, Log, power_of
from seepage.laws.normal import Normal, scaled_erfc

_ACCURATE = 64  # bits of a value at a point
_MOST_BITS = 2_048

Row: TypeAlias = tuple[Edge, Edge, Number, Sequence[arb]]
r"""Between two places: λ and the coefficients of a polynomial in front of :math:`e^{\lambda t}`."""


@dataclass(frozen=True, slots=True)
class Blur(Law):
    """The law of a sum of independent parts and normal noise; ``parameters`` is the variance of that."""

    name: ClassVar[str] = "blur"
    parts: tuple[Placed, ...] = ()

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        v = self.values[0]

        def log_density(z: acb, analytic: bool) -> acb:
            middle = z.real.mid()
            log, slope = _at(self, middle, int(ctx.prec))
            h = z - middle
            if z.imag.is_zero():
                return acb(log + h.real * slope - (h.real * h.real / (2 * v)).upper() * _PART)
            size = abs(h).upper()
            delta = (2 * (size * size / (2 * v)).expm1()).upper()
            if not delta < 1:
                return acb(arb.nan())
            around = (-(1 - delta).log()).upper()
            return log + h * slope - h * h / (2 * v) + acb(arb(0, around), arb(0, around))

        return log_density

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: at most that of the noise, and of the rest."""
        noise = (1 / (2 * arb.pi() * self.values[0]).sqrt()).upper()
        rest = Sum(parts=self.parts).largest
        return rest if rest < noise else noise

    @property
    def mirrored(self) -> Blur:
        """The law of the negative."""
        parts = (Placed(each.law, 0, exact.neg(each.scale), each.low, each.high) for each in self.parts)
        return Blur(parameters=self.parameters, parts=tuple(parts))

    def above(self, t: arb) -> arb:
        """As :attr:`Law.above`."""
        found = _above(self, 0, t.mid(), int(ctx.prec))
        return found if t.is_exact() else found + arb(0, (t.rad().upper() * self.largest).upper())

    def chance(self, a: arb | None, b: arb | None) -> arb:
        """As :attr:`Law.chance`."""
        if b is not None and (a is None or self._is_left(a, b)):
            a, b = -b, None if a is None else -a
            return self.mirrored.above(a) - (arb(0) if b is None else self.mirrored.above(b))
        return (arb(1) if a is None else self.above(a)) - (arb(0) if b is None else self.above(b))

    def _is_left(self, a: arb, b: arb) -> bool:
        mean = _at(self, ((a + b) / 2).mid(), int(ctx.prec))[1]
        return bool(mean > 0)

    def moment(self, order: int) -> arb:
        """As :attr:`Law.moment`."""
        noise, rest = Normal(self.parameters), Sum(parts=self.parts)
        return sum((math.comb(order, k) * noise.moment(k) * rest.moment(order - k) for k in range(order + 1)), arb(0))

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        r"""As :attr:`Law.moment_within`: :math:`\int_a^\infty z^k g = \sum_j k^{\underline j} a^{k - j} E((Z - a)^j / j!; Z > a)`."""
        if low is None and high is None:
            return self.moment(order)
        if order == 0:
            return self.probability(low, high)
        first = self.moment(order) if low is None else self._moment_above(order, enclose(low))
        return first - (arb(0) if high is None else self._moment_above(order, enclose(high)))

    def _moment_above(self, order: int, a: arb) -> arb:
        found, falling = arb(0), 1
        for j in range(order + 1):
            found += falling * power_of(a, order - j) * self._excess(j, a)
            falling *= order - j
        return found

    def _excess(self, order: int, a: arb) -> arb:
        found = _above(self, order, a.mid(), int(ctx.prec))
        if a.is_exact():
            return found
        slope = self._excess(order - 1, arb(a.lower())) if order else self.largest
        return found + arb(0, (a.rad().upper() * slope).upper())

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        _, slope = _at(self, z.mid(), int(ctx.prec))
        return slope + arb(0, (z.rad().upper() / self.values[0]).upper())

    def reach(self, bits: int) -> arb:
        """As :attr:`Law.reach`."""
        return (Sum(parts=self.parts).reach(bits) + Normal(self.parameters).reach(bits)).upper()

    def _tail(self, side: int, t: arb) -> tuple[arb, arb]:
        """Return height and rate of an exponential above the density beyond t."""
        log, slope = _at(self, t.mid(), int(ctx.prec))
        rate = -side * slope - t.rad().upper() / self.values[0]
        if not rate > 0:
            raise Beyond("a tail that begins too near")
        return (log.exp() * (t.rad().upper() * abs(slope)).exp()).upper(), rate.lower()

    def beyond(self, side: int, t: arb) -> arb:
        """As :attr:`Law.beyond`."""
        return (self.above(t) if side > 0 else self.mirrored.above(-t)).upper()

    def second_beyond(self, side: int, far: arb) -> arb:
        """As :attr:`Law.second_beyond`."""
        height, rate = self._tail(side, side * far)
        return (height * (far * far / rate + 2 * far / rate**2 + 2 / rate**3)).upper()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :attr:`Law.tail_entropy`."""
        height, rate = self._tail(side, t)
        height = (height * times).upper()
        if not height < (-arb(1)).exp():
            raise Beyond("a tail that begins too near")
        return (height / rate * (1 - height.log())).upper()

    def growth(self, far: arb) -> tuple[arb, arb, arb]:
        r"""As :attr:`Law.growth`: :math:`-\log g \le -\log g(0) + |(\log g)'(0)|\,|z| + z^2 / 2v`."""
        log, slope = _at(self, arb(0), int(ctx.prec))
        return abs(log).upper(), (abs(slope) / far + 1 / (2 * self.values[0])).upper(), arb(0)


_PART = arb(0.5, 0.5)  # a number between 0 and 1


def _at(law: Blur, place: arb, bits: int) -> tuple[arb, arb]:
    """Enclose the logarithm of the density and its derivative at a point.

    Raises:
        Beyond: if they, or the point, are not known.
    """
    _need_known(place)
    return _log_and_slope(law, place, bits)


@lru_cache(4096)
def _log_and_slope(law: Blur, place: arb, bits: int) -> tuple[arb, arb]:
    del bits

    def found() -> tuple[arb, arb]:
        v = _exactly(law.parameters[0])
        rows = _rows(law.parts, -1, int(ctx.prec))
        density = _blurred(rows, place, v)
        first = _blurred([(low, high, rate, [arb(0), *row]) for low, high, rate, row in rows], place, v)
        return density.log(), (first / density - place) / v

    return _accurate(found)


def _above(law: Blur, order: int, place: arb, bits: int) -> arb:
    r"""Enclose :math:`E((Z - t)^k / k!; Z > t)` at a point t: the same of the other variables alone, blurred.

    Raises:
        Beyond: as :func:`_at`.
    """
    _need_known(place)
    return _moment_beyond(law, order, place, bits)


def _need_known(place: arb) -> None:
    if not place.is_finite():
        raise Beyond("a density at a place that is beyond the precision at hand")


@lru_cache(1024)
def _moment_beyond(law: Blur, order: int, place: arb, bits: int) -> arb:
    del bits

    def found() -> tuple[arb, arb]:
        return _blurred(_rows(law.parts, order, int(ctx.prec)), place, _exactly(law.parameters[0])), arb(1)

    return _accurate(found)[0]


def _accurate(find: Callable[[], tuple[arb, arb]]) -> tuple[arb, arb]:
    """Find numbers with more and more bits while terms that all but cancel leave too few of the first one.

    Raises:
        Beyond: if these do not suffice.
    """
    bits, known = int(ctx.prec), -math.inf
    best: tuple[arb, arb] | None = None
    while bits <= _MOST_BITS:
        with exact.precision(bits):
            found = find()
        accuracy = found[0].rel_accuracy_bits()
        if all(each.is_finite() for each in found) and accuracy > known:
            best, known = found, accuracy
            if accuracy >= _ACCURATE or found[0].is_zero():
                break
        bits *= 2
    if best is None:
        raise Beyond("a density that is not known to be positive")
    return best


def _exactly(value: Number) -> arb:
    return enclose(value, max(128, int(ctx.prec)))


@lru_cache(128)
def _rows(parts: tuple[Placed, ...], order: int, bits: int) -> tuple[Row, ...]:
    r"""Return the density of a sum between its breaks, for ``order`` −1, else :math:`E((T - t)^k / k!; T > t)` as a function of t on the whole line."""
    del bits
    whole: list[tuple[Edge, Edge, Terms]] = [(each.low, each.high, each.terms) for each in Sum(parts=parts).stretches]
    if order >= 0 and whole[0][0] is not None:
        whole.insert(0, (None, whole[0][0], {}))
    for _ in range(order + 1):
        whole = _integrals_from(whole)
    return tuple((low, high, rate, row) for low, high, terms in whole for rate, row in terms.items())


def _integrals_from(stretches: Sequence[tuple[Edge, Edge, Terms]]) -> list[tuple[Edge, Edge, Terms]]:
    """Return the integral from t to infinity, between the same breaks."""
    found: list[tuple[Edge, Edge, Terms]] = []
    beyond = arb(0)
    for low, high, terms in reversed(stretches):
        whole = antiderivative(terms)
        start = beyond if high is None else beyond + value_of(whole, acb(_exactly(high))).real
        rest = {rate: [-c for c in row] for rate, row in whole.items()}
        rest.setdefault(0, [arb(0)])[0] += start
        found.append((low, high, rest))
        if low is not None:
            beyond = value_of(rest, acb(_exactly(low))).real
    return found[::-1]


def _blurred(rows: Sequence[Row], s: arb, v: arb) -> arb:
    """Return the integral of a function, given between places, times the normal density around s."""
    total = arb(0)
    for low, high, rate, row in rows:
        for coefficient, moment in zip(row, _moments(s, v, _exactly(rate), (low, high), len(row)), strict=True):
            total += coefficient * moment
    return total


def _moments(s: arb, v: arb, rate: arb, ends: tuple[Edge, Edge], count: int) -> list[arb]:
    r"""Return :math:`\int t^k e^{\lambda t} \varphi_v(s - t) dt` over an interval for k below ``count``."""
    m, log_factor = s + rate * v, rate * s + rate * rate * v / 2
    height = 1 / (2 * arb.pi() * v).sqrt()

    def gap(place: arb) -> arb:
        return (place - m) / (2 * v).sqrt()

    def log_at(place: arb) -> arb:
        return rate * place - (place - s) * (place - s) / (2 * v)

    def beyond(z: arb, place: arb) -> arb:
        """Return the factor times erfc(z) / 2, z being the gap to a place: the factor and erfc may be as large and small as numbers get."""
        scaled = scaled_erfc(acb(z)).real * log_at(place).exp() if z > 1 else log_factor.exp() * z.erfc()
        return scaled / 2

    low, high = (None if end is None else _exactly(end) for end in ends)
    if low is not None and not low < m:
        zero = beyond(gap(low), low) - (arb(0) if high is None else beyond(gap(high), high))
    else:
        zero = log_factor.exp() if high is None else beyond(-gap(high), high)
        zero -= arb(0) if low is None else beyond(-gap(low), low)
    found = [zero]
    sides = [
        (place, sign * height * log_at(place).exp()) for place, sign in ((low, -1), (high, 1)) if place is not None
    ]
    for k in range(1, count):
        before = (k - 1) * v * found[k - 2] if k > 1 else arb(0)
        edges = sum((power_of(place, k - 1) * at for place, at in sides), arb(0))
        found.append(m * found[k - 1] + before - v * edges)
    return found
