r"""The law of a sum of independent variables whose densities are, between breaks, sums of polynomials times exponentials: such is that of the sum, too.

:math:`\int u^m e^{\lambda u} (x - u)^n e^{\mu (x - u)} du` between :math:`\max(a, x - d)` and :math:`\min(b, x - c)` is in closed form, as a function of x
between sums of breaks. All of these densities are log-concave, and so are their convolutions (Prékopa 1973): beyond t they are at most
:math:`f(t) e^{-\kappa (z - t)}` with :math:`\kappa = -(\log f)'(t)`. Beside an end of the support, where the sum vanishes like :math:`d^m`, it is evaluated as a
power series of the distance d without its first m terms, which are 0. Over a ball inside, terms that all but cancel are summed as a Taylor series about
its middle, with the remainder of each exponential.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cmp_to_key, lru_cache, reduce
from itertools import pairwise
from typing import ClassVar, TypeAlias

from flint import acb, arb, arb_poly, ctx

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge, Law, Log, Near, Stretches

Terms: TypeAlias = Mapping[Number, Sequence[arb]]
r""":math:`\sum_\lambda P_\lambda(z) e^{\lambda z}`: coefficients of the polynomials, ascending, by λ."""

_SERIES = 40
_CENTRED = 16  # terms of the series about the middle of a ball
_CLEAR_BITS = 12  # of a value that a closer look would hardly sharpen
_POINT_BITS = 64  # of what is a point, all but for rounding
_MOST_PIECES = 60


@dataclass(frozen=True, slots=True)
class Stretch:
    """A density between two breaks."""

    low: Edge
    high: Edge
    terms: Terms


def is_summed(law: Law) -> bool:
    """Tell whether a law is of the kind that this module adds."""
    return law.polynomials() is not None


@dataclass(frozen=True, slots=True)
class Sum(Law):
    """The law of a sum of independent parts, each perhaps restricted to an interval, with no location."""

    name: ClassVar[str] = "sum"
    is_explicit: ClassVar[bool] = False
    parts: tuple[Placed, ...] = ()

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The density between breaks, ascending."""
        return _stretches(self.parts, int(ctx.prec))

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        stretches = self.stretches
        return stretches[0].low, *(each.high for each in stretches)

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        for each in self.stretches:
            above = each.low is None or (low is not None and exact.compare(each.low, low) <= 0)
            below = each.high is None or (high is not None and exact.compare(high, each.high) <= 0)
            if above and below:
                terms = each.terms
                return lambda z, analytic: _value_over(terms, z).log(analytic=analytic)
        raise Beyond("a place that may lie on either side of a break of a density")

    def is_regular(self, side: int) -> bool:
        """As :attr:`Law.is_regular`: beside an end the density of a sum vanishes."""
        return self.ends[0 if side < 0 else 1] is None

    def near(self, side: int) -> Near:
        """As :attr:`Law.near`."""
        order, series = self._series(side)

        def over_power(d: acb) -> acb:
            found = series(d)
            if found.rel_accuracy_bits() >= max(2, min(d.rel_accuracy_bits(), _POINT_BITS) - _CLEAR_BITS):
                return found
            other = _value_over(series.terms, d) / d**order  # better where d is large beside the scale of some part
            return other if other.rel_accuracy_bits() > found.rel_accuracy_bits() else found

        return lambda d, log, analytic: log * order + over_power(d).log(analytic=analytic)

    def _series(self, side: int) -> tuple[int, _Series]:
        stretch = self.stretches[0 if side < 0 else -1]
        end = stretch.low if side < 0 else stretch.high
        if end is None:
            raise Beyond("an end of a support that is infinite")
        order = self._order(side)
        return order, _Series(order, placed_terms(stretch.terms, exact.neg(exact.mul(side, 1)), enclose(end)))

    def _order(self, side: int) -> int:
        """Return to which power of the distance from an end of the support the density vanishes there."""
        return sum(1 + _order(part, side) for part in self.parts) - 1

    def power_beside(self, side: int) -> Number:
        """As :meth:`Law.power_beside`."""
        return 1 if self.is_regular(side) else 1 + self._order(side)

    def polynomials(self) -> Stretches:
        """As :meth:`Law.polynomials`."""
        return [(each.low, each.high, {rate: list(row) for rate, row in each.terms.items()}) for each in self.stretches]

    def factor(self, side: int, within: arb | None = None) -> arb:
        """As :attr:`Law.factor`."""
        return self.largest

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :attr:`Law.logs_beside`."""
        order, series = self._series(side)
        rest = series(acb(arb(0.25, 0.25))).real
        return (abs(rest.log()).upper() if rest > 0 else arb.pos_inf()), arb(order), arb(0)

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`: at most that of each part."""
        bounds = [part.law.largest / abs(enclose(part.scale)) / part.chance for part in self.parts]
        return reduce(lambda a, b: a if a < b else b, bounds).upper()

    def probability(self, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.probability`."""
        return self.moment_within(0, low, high)

    def above(self, t: arb) -> arb:
        """As :attr:`Law.above`."""
        for each in self.stretches:
            after = each.low is None or t > enclose(each.low)
            before = each.high is None or t < enclose(each.high)
            if after and before:
                own = between(antiderivative(each.terms), t, None if each.high is None else enclose(each.high))
                return own + (arb(0) if each.high is None else self.probability(each.high, None))
        low, high = self.ends
        if low is not None and t <= enclose(low):
            return arb(1)
        if high is not None and t >= enclose(high):
            return arb(0)
        touched = [edge for edge in self.breaks if edge is not None and t.overlaps(enclose(edge))]
        if not touched:
            return self.above(t.lower()).union(self.above(t.upper()))
        chance = self.probability(touched[0], None)
        return chance + arb(0, (abs(t - enclose(touched[0])) * self.largest).upper())

    def _below(self, t: arb) -> arb:
        return 1 - self.above(t)

    def chance(self, a: arb | None, b: arb | None) -> arb:
        """As :attr:`Law.chance`."""
        return (arb(1) if a is None else self.above(a)) - (arb(0) if b is None else self.above(b))

    def moment(self, order: int) -> arb:
        """As :attr:`Law.moment`."""
        return self.moment_within(order, None, None)

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.moment_within`."""
        found = arb(0)
        for each in self.stretches:
            begin = each.low if low is None else low if each.low is None else exact.maximum(low, each.low)
            end = each.high if high is None else high if each.high is None else exact.minimum(high, each.high)
            if begin is not None and end is not None and exact.compare(begin, end) >= 0:
                continue
            times = {rate: [arb(0)] * order + list(row) for rate, row in each.terms.items()}
            ends = [None if edge is None else enclose(edge) for edge in (begin, end)]
            found += between(antiderivative(times), *ends)
        return found

    def slope_within(self, low: Edge, high: Edge, z: arb) -> arb:
        """As :meth:`Law.slope_within`."""
        for each in self.stretches:
            if (each.low, each.high) == (low, high):
                return value_of(_derivative(each.terms), acb(z)).real / value_of(each.terms, acb(z)).real
        return arb.nan()

    def reach(self, bits: int) -> arb:
        """As :attr:`Law.reach`."""
        return sum((abs(enclose(part.scale)) * part.law.reach(bits) for part in self.parts), arb(0)).upper()

    def beyond(self, side: int, t: arb) -> arb:
        """As :attr:`Law.beyond`."""
        return (self.above(t) if side > 0 else 1 - self.above(t)).upper()

    def _tail(self, side: int, t: arb) -> tuple[arb, arb]:
        """Return height and rate of an exponential above the density beyond t."""
        stretch = self.stretches[-1 if side > 0 else 0]
        inner = stretch.low if side > 0 else stretch.high
        outer = stretch.high if side > 0 else stretch.low
        if outer is not None or (inner is not None and not side * (t - enclose(inner)) > 0):
            raise Beyond("a tail that begins too near")
        height = value_of(stretch.terms, acb(t)).real
        rate = -side * value_of(_derivative(stretch.terms), acb(t)).real / height
        if not rate > 0:
            raise Beyond("a tail that begins too near")
        return height.upper(), rate.lower()

    def second_beyond(self, side: int, far: arb) -> arb:
        """As :attr:`Law.second_beyond`."""
        if self.ends[1 if side > 0 else 0] is not None:
            return (self.beyond(side, side * far) * self.reach(1) ** 2).upper()
        height, rate = self._tail(side, side * far)
        return (height * (far * far / rate + 2 * far / rate**2 + 2 / rate**3)).upper()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :attr:`Law.tail_entropy`."""
        end = self.ends[1 if side > 0 else 0]
        if end is not None:
            if side * (t - enclose(end)) >= 0:
                return arb(0)
            raise Beyond("a tail that begins too near")
        height, rate = self._tail(side, t)
        height = (height * times).upper()
        if not height < (-arb(1)).exp():
            raise Beyond("a tail that begins too near")
        return (height / rate * (1 - height.log())).upper()


@dataclass(frozen=True, slots=True)
class _Series:
    r"""Terms in the distance d, divided by :math:`d^m`, as their sum vanishes to that order."""

    order: int
    terms: Terms
    last: int = _SERIES

    def __call__(self, d: acb) -> acb:
        size = abs(d).upper()
        coefficients = [arb(0)] * (self.last + 1 + max((len(row) for row in self.terms.values()), default=0))
        error = arb(0)
        for rate, row in self.terms.items():
            speed = enclose(rate)
            for power, a in enumerate(row):
                term = arb(a)
                for k in range(self.last + 1):
                    coefficients[power + k] += term
                    term *= speed / (k + 1)
                degree = power + self.last + 1 - self.order
                error += abs(term) * (abs(speed) * size).exp() * (size**degree if degree else arb(1))
        total = acb(0)
        for c in reversed(coefficients[self.order :]):
            total = total * d + c
        error = error.upper()
        return total + acb(arb(0, error), arb(0, error))


def _order(part: Placed, side: int) -> int:
    """Return to which power the distance counts in a part's density at an end of the sum."""
    own = part.side(side)
    end, whole = (part.low, part.law.ends[0]) if own < 0 else (part.high, part.law.ends[1])
    if end is None or whole is None or exact.compare(end, whole) != 0:
        return 0
    order = part.law.power_beside(own)
    if not isinstance(order, int):
        raise Beyond("a shape that is no whole number")
    return order - 1


@lru_cache(256)
def _stretches(parts: tuple[Placed, ...], bits: int) -> tuple[Stretch, ...]:
    del bits
    found = _of_part(parts[0])
    for part in parts[1:]:
        found = _convolved(found, _of_part(part))
    return tuple(found)


def moment_in(parts: Sequence[Placed], powers: Sequence[int], low: Edge, high: Edge) -> arb:
    r"""Enclose :math:`E(\prod_i z_i^{k_i}; \sum_i s_i z_i \in (a, b))`, each z of a part in its interval: powers of z times its density are such functions again."""
    found = arb(0)
    for each in _weighted(tuple(parts), tuple(powers), int(ctx.prec)):
        begin = each.low if low is None else low if each.low is None else exact.maximum(low, each.low)
        end = each.high if high is None else high if each.high is None else exact.minimum(high, each.high)
        if begin is None or end is None or exact.compare(begin, end) < 0:
            ends = [None if edge is None else enclose(edge) for edge in (begin, end)]
            found += between(antiderivative(each.terms), *ends)
    for part in parts:
        found *= part.chance
    return found


@lru_cache(256)
def _weighted(parts: tuple[Placed, ...], powers: tuple[int, ...], bits: int) -> tuple[Stretch, ...]:
    del bits
    found: list[Stretch] | None = None
    for part, power in zip(parts, powers, strict=True):
        front = 1 / enclose(exact.power(part.scale, power))
        own = [
            replace(each, terms={rate: [arb(0)] * power + [c * front for c in row] for rate, row in each.terms.items()})
            for each in _of_part(part)
        ]
        found = own if found is None else _convolved(found, own)
    return tuple(found or ())


def _of_part(part: Placed) -> list[Stretch]:
    """Return the density of a scaled variable, normalised on its interval."""
    found: list[Stretch] = []
    weight = 1 / (abs(enclose(part.scale)) * part.chance)
    for low, high, terms in _densities(part.law):
        begin = low if part.low is None else part.low if low is None else exact.maximum(low, part.low)
        end = high if part.high is None else part.high if high is None else exact.minimum(high, part.high)
        if begin is not None and end is not None and exact.compare(begin, end) >= 0:
            continue
        scaled = {
            exact.div(rate, part.scale): [weight * c / enclose(exact.power(part.scale, at)) for at, c in enumerate(row)]
            for rate, row in terms.items()
        }
        ends = [None if z is None else exact.mul(part.scale, z) for z in (begin, end)]
        if exact.sign(part.scale) < 0:
            ends.reverse()
        found.append(Stretch(ends[0], ends[1], scaled))
    return found if exact.sign(part.scale) > 0 else found[::-1]


def _densities(law: Law) -> Stretches:
    found = law.polynomials()
    if found is None:
        raise Beyond("a law that is no sum of polynomials and exponentials")
    return found


def _convolved(one: Sequence[Stretch], other: Sequence[Stretch]) -> list[Stretch]:
    """Return the density of the sum of two independent variables."""
    finite = {
        exact.add(a, b)
        for first in one
        for second in other
        for a in (first.low, first.high)
        for b in (second.low, second.high)
        if a is not None and b is not None
    }
    edges: list[Edge] = [*sorted(finite, key=cmp_to_key(exact.compare))]
    if one[0].low is None or other[0].low is None:
        edges.insert(0, None)
    if one[-1].high is None or other[-1].high is None:
        edges.append(None)
    if len(edges) > _MOST_PIECES:
        raise Beyond("a sum with too many breaks")
    found: list[Stretch] = []
    for p, q in pairwise(edges):
        total: dict[Number, list[arb]] = {}
        for first in one:
            for second in other:
                if _meets(first, second, p, q):
                    _convolve(first, second, q, total)
        found.append(Stretch(p, q, total))
    return found


def _meets(first: Stretch, second: Stretch, p: Edge, q: Edge) -> bool:
    """Tell whether sums of values of two stretches fall into an interval between neighbouring breaks."""
    above = first.low is None or second.low is None or _reaches(exact.add(first.low, second.low), p)
    below = (
        first.high is None
        or second.high is None
        or (q is not None and exact.compare(q, exact.add(first.high, second.high)) <= 0)
    )
    return above and below


def _reaches(place: Number, p: Edge) -> bool:
    return p is not None and exact.compare(place, p) <= 0


def _convolve(first: Stretch, second: Stretch, q: Edge, total: dict[Number, list[arb]]) -> None:
    """Add the part of the convolution of two stretches in an interval that ends at ``q``."""
    # u, of the first, from max(a, x − d) to min(b, x − c)
    by_low = second.high is None or (
        first.low is not None and q is not None and exact.compare(q, exact.add(first.low, second.high)) <= 0
    )
    by_high = first.high is None or (
        second.low is not None and q is not None and exact.compare(q, exact.add(first.high, second.low)) <= 0
    )
    lower: tuple[str, Edge] = ("at", first.low) if by_low else ("less", second.high)
    upper: tuple[str, Edge] = ("less", second.low) if by_high else ("at", first.high)
    for rate, row in first.terms.items():
        for other, others in second.terms.items():
            # f(u) g(x − u) = Σ x^i e^{μx} · Σ_p c_ip u^p e^{κu}
            inner = [[arb(0)] * (len(row) + len(others) - 1) for _ in others]
            for m, a in enumerate(row):
                for n, b in enumerate(others):
                    for k in range(n + 1):
                        inner[n - k][m + k] += a * b * math.comb(n, k) * (-1) ** k
            for i, powers in enumerate(inner):
                whole = antiderivative({exact.sub(rate, other): powers})
                for sign, limit in ((1, upper), (-1, lower)):
                    _add_limit(total, sign, (i, other), whole, limit)


def _add_limit(
    total: dict[Number, list[arb]], sign: int, outer: tuple[int, Number], whole: Terms, limit: tuple[str, Edge]
) -> None:
    r"""Add ± x^i e^{μx} · A(u) with the antiderivative A, which is ``whole``, at u = a place, or x minus a place; 0 where that is infinite."""
    kind, place = limit
    if place is None:
        return
    i, rate = outer
    at = enclose(place)
    for kappa, row in whole.items():
        if kind == "at":
            _add(total, rate, i, sign * value_of({kappa: row}, acb(at)).real)
        else:
            shift = sign * (-enclose(kappa) * at).exp()
            for j, c in enumerate(arb_poly(row)(arb_poly([-at, arb(1)])).coeffs()):
                _add(total, exact.add(rate, kappa), i + j, c * shift)


def _add(total: dict[Number, list[arb]], rate: Number, power: int, amount: arb) -> None:
    row = total.setdefault(rate, [])
    while len(row) <= power:
        row.append(arb(0))
    row[power] += amount


def antiderivative(terms: Terms) -> dict[Number, list[arb]]:
    """Return terms with given ones as their derivative: they vanish at infinity where those do."""
    found: dict[Number, list[arb]] = {}
    for rate, row in terms.items():
        if exact.sign(rate) == 0:
            found[rate] = [arb(0), *(c / (k + 1) for k, c in enumerate(row))]
            continue
        speed, last = enclose(rate), arb(0)
        own = [arb(0)] * len(row)
        for k in range(len(row) - 1, -1, -1):
            last = (row[k] - (k + 1) * last) / speed
            own[k] = last
        found[rate] = own
    return found


def _derivative(terms: Terms) -> dict[Number, list[arb]]:
    found: dict[Number, list[arb]] = {}
    for rate, row in terms.items():
        speed = enclose(rate)
        nexts = [*row[1:], arb(0)]
        found[rate] = [speed * c + (k + 1) * after for k, (c, after) in enumerate(zip(row, nexts, strict=True))]
    return found


def between(terms: Terms, low: arb | None, high: arb | None) -> arb:
    """Return the difference of an antiderivative at two ends, infinite ones of which it vanishes at."""
    upper = arb(0) if high is None else value_of(terms, acb(high)).real
    return upper - (arb(0) if low is None else value_of(terms, acb(low)).real)


def placed_terms(terms: Terms, direction: Number, where: arb) -> dict[Number, list[arb]]:
    """Return terms in z as terms in d, z = where + direction · d."""
    shift = arb_poly([where, enclose(direction)])
    found: dict[Number, list[arb]] = {}
    for rate, row in terms.items():
        factor = (enclose(rate) * where).exp()
        moved = arb_poly(row)(shift)  # some thousand terms for sums of high powers, at each point of an integral
        for power, c in enumerate(moved.coeffs()):
            _add(found, exact.mul(rate, direction), power, c * factor)
    return found


def value_of(terms: Terms, z: acb) -> acb:
    """Return the value of terms at a point, or over a ball."""
    total = acb(0)
    for rate, row in terms.items():
        inner = acb(0)
        for c in reversed(row):
            inner = inner * z + c
        total += inner if rate == 0 else inner * (z * enclose(rate)).exp()
    return total


def _value_over(terms: Terms, z: acb) -> acb:
    """Return a ball that holds the values over a ball: where terms that nearly cancel make it wide, from the series about the middle, in whose coefficients they have."""
    plain = value_of(terms, z)
    if not z.is_finite() or plain.rel_accuracy_bits() >= _CLEAR_BITS:
        return plain
    middle = z.real.mid()
    centred = _Series(0, placed_terms(terms, 1, middle), _CENTRED)(z - middle)
    return centred if centred.rel_accuracy_bits() > plain.rel_accuracy_bits() else plain
