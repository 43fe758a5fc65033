r"""Laws whose density is a product of known densities: what observing a sum of two variables leaves of one of them.

:math:`f(z) = \frac1Z \prod_i f_i((z - l_i) / s_i)`. Z, probabilities and moments are integrals in ball arithmetic; beyond t all factors but one are at most
their largest values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from itertools import pairwise
from typing import ClassVar

from flint import acb, arb, ctx

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.segments import Corner, Placed, at_scale, edges_of, segments_of
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge, Law, Log, Near, dyadic, power_of

_BITS = 90
_TOLERANCE = 2.0**-80


@dataclass(frozen=True, slots=True)
class Product(Law):
    """The law with a product of densities, normalised; ``factors`` are densities as functions of z, without the weights 1/scale."""

    name: ClassVar[str] = "product"
    is_explicit: ClassVar[bool] = False
    is_elementary: ClassVar[bool] = False
    factors: tuple[Placed, ...] = ()

    @property
    def breaks(self) -> tuple[Edge, ...]:
        """As :attr:`Law.breaks`."""
        lows = [end for each in self.factors if (end := each.ends[0]) is not None]
        highs = [end for each in self.factors if (end := each.ends[1]) is not None]
        low, high = reduce(exact.maximum, lows) if lows else None, reduce(exact.minimum, highs) if highs else None
        inner = [edge for edge in edges_of(self.factors, False) if edge is not None and _between(edge, low, high)]
        return low, *inner, high

    def is_empty(self) -> bool:
        """Tell whether the factors exclude each other."""
        low, high = self.ends
        return low is not None and high is not None and exact.compare(low, high) >= 0

    def jumps_at(self, z: Number) -> bool:
        """As :attr:`Law.jumps_at`."""
        at_end = any(end is not None and exact.compare(end, z) == 0 for end in self.ends)
        return at_end or any(each.law.jumps_at(each.back(z)) for each in self.factors)

    def log_within(self, low: Edge, high: Edge) -> Log:
        """As :attr:`Law.log_within`."""
        placed = [(each.log_within(low, high), enclose(each.location), enclose(each.scale)) for each in self.factors]
        constant = normaliser(self).log()

        def log_density(z: acb, analytic: bool) -> acb:
            total = acb(-constant)
            for log, location, scale in placed:
                total += log((z - location) / scale, analytic)
            return total

        return log_density

    def is_regular(self, side: int) -> bool:
        """As :attr:`Law.is_regular`."""
        end = self.ends[0 if side < 0 else 1]
        return end is None or not any(each.irregular(end) for each in self.factors)

    def near(self, side: int) -> Near:
        """As :attr:`Law.near`."""
        end = self.ends[0 if side < 0 else 1]
        if end is None:
            raise Beyond("an end of a support that is infinite")
        parts: list[Near] = []
        for each in self.factors:
            scale = enclose(each.scale)
            if own := each.irregular(end):
                parts.append(_scaled(each.law.near(own), abs(scale)))
            else:
                z, turn = enclose(each.back(end)), -side / scale
                breaks = self.breaks
                first = (breaks[0], breaks[1]) if side < 0 else (breaks[-2], breaks[-1])
                parts.append(_regular(each.log_within(*first), z, turn))
        constant = normaliser(self).log()
        return lambda d, log, analytic: sum((part(d, log, analytic) for part in parts), acb(-constant))

    def exponent(self, side: int) -> Number:
        """As :attr:`Law.exponent`."""
        end = self.ends[0 if side < 0 else 1]
        total: Number = 1
        for each in self.factors:
            if end is not None and (own := each.irregular(end)):
                total = exact.add(total, exact.sub(each.law.exponent(own), 1))
        if exact.sign(total) <= 0:
            raise Beyond("a product of densities that is not integrable")
        return total

    def factor(self, side: int, within: arb | None = None) -> arb:
        """As :attr:`Law.factor`."""
        del within
        end = self.ends[0 if side < 0 else 1]
        bound = 1 / normaliser(self)
        for each in self.factors:
            if end is not None and (own := each.irregular(end)):
                size = abs(enclose(each.scale))
                if not size >= 1:
                    raise Beyond("a product of densities on different scales")
                bound *= each.law.factor(own) * ((1 - enclose(each.law.exponent(own))) * size.log()).exp()
            else:
                bound *= each.law.largest
        if not bound.is_finite():
            raise Beyond("a product of densities without bounds")
        return bound.upper()

    def logs_beside(self, side: int) -> tuple[arb, arb, arb]:
        """As :attr:`Law.logs_beside`."""
        end = self.ends[0 if side < 0 else 1]
        total = [abs(normaliser(self).log()), arb(0), arb(0)]
        for each in self.factors:
            scale = enclose(each.scale)
            if end is not None and (own := each.irregular(end)):
                bounds = at_scale(each.law.logs_beside(own), abs(scale))
            else:
                z = enclose(each.back(0 if end is None else end)) - side / scale * arb(0.25, 0.25)
                bounds = each.law.log_size(z), arb(0), arb(0)
            total = [one + other for one, other in zip(total, bounds, strict=True)]
        return total[0], total[1], total[2]

    @property
    def largest(self) -> arb:
        """As :attr:`Law.largest`."""
        bound = arb(1)
        for each in self.factors:
            bound *= each.law.largest
        bound /= normaliser(self)
        return bound.upper() if bound.is_finite() else arb.pos_inf()

    def probability(self, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.probability`."""
        return arb(1) if (low, high) == self.ends else _integral(self, low, high, 0) / normaliser(self)

    def above(self, t: arb) -> arb:
        """As :attr:`Law.above`."""
        raise Beyond("the tail of a product of densities")

    def moment(self, order: int) -> arb:
        """As :attr:`Law.moment`."""
        return self.moment_within(order, *self.ends)

    def moment_within(self, order: int, low: Edge, high: Edge) -> arb:
        """As :attr:`Law.moment_within`."""
        return _integral(self, low, high, order) / normaliser(self)

    def reach(self, bits: int) -> arb:
        """As :attr:`Law.reach`."""
        return max((_far(self.factors, side, bits) for side in (-1, 1)), key=float)

    def beyond(self, side: int, t: arb) -> arb:
        """As :attr:`Law.beyond`."""
        return (_tail(self.factors, side, t, 0) / normaliser(self)).upper()

    def tail_entropy(self, side: int, t: arb, times: arb) -> arb:
        """As :attr:`Law.tail_entropy`."""
        best: arb | None = None
        for each, others in _splits(self.factors):
            scale = enclose(each.scale)
            try:
                inner = each.law.tail_entropy(
                    each.side(side), (t - enclose(each.location)) / scale, (times * others / normaliser(self)).upper()
                )
            except Beyond:
                continue
            found = (abs(scale) * inner).upper()
            best = found if best is None or found < best else best
        if best is None:
            raise Beyond("a tail that begins too near")
        return best


def _scaled(near: Near, size: arb) -> Near:
    shift = size.log()
    return lambda d, log, analytic: near(d / size, log - shift, analytic)


def _regular(log: Log, z: arb, turn: arb) -> Near:
    return lambda d, _, analytic: log(z + turn * d, analytic)


def _between(edge: Number, low: Edge, high: Edge) -> bool:
    return (low is None or exact.compare(low, edge) < 0) and (high is None or exact.compare(edge, high) < 0)


@lru_cache(256)
def _normaliser(law: Product, bits: int) -> arb:
    found = _integral(law, *law.ends, 0)
    if not found > 0:
        raise Beyond("a probability density that is not known to be positive")
    return found


def normaliser(law: Product) -> arb:
    """Return the integral of the product of the densities."""
    return _normaliser(law, int(ctx.prec))


@lru_cache(256)
def _moment(law: Product, order: int, bits: int) -> arb:
    return _integral(law, *law.ends, order)


def integral(law: Product, order: int) -> arb:
    """Return the integral of z^order times the product of the densities, 0 if they exclude each other."""
    return arb(0) if law.is_empty() else _moment(law, order, int(ctx.prec))


def _splits(factors: tuple[Placed, ...]) -> list[tuple[Placed, arb]]:
    """Return each factor with the product of the largest values of the others, where that is finite."""
    found: list[tuple[Placed, arb]] = []
    for at, each in enumerate(factors):
        others = arb(1)
        for other in (*factors[:at], *factors[at + 1 :]):
            others *= other.law.largest
        if others.is_finite():
            found.append((each, others))
    return found


def _far(factors: tuple[Placed, ...], side: int, bits: int) -> arb:
    """Return a distance from 0 beyond which, on a side, there is about 2^−bits."""
    every = [
        (side * enclose(each.location) + abs(enclose(each.scale)) * each.law.reach(bits)).upper()
        for each, _ in _splits(factors)
    ]
    if not every:
        raise Beyond("a product of densities without bounds")
    return max(min(every, key=float), arb(1), key=float)


def _tail(factors: tuple[Placed, ...], side: int, t: arb, order: int) -> arb:
    """Return at least ∫ |z|^order times the product beyond t."""
    best = arb.pos_inf()
    for each, others in _splits(factors):
        scale, location = enclose(each.scale), enclose(each.location)
        own, at = each.side(side), (t - location) / scale
        mass = each.law.beyond(own, at)
        if order:
            # |l + s u|^k <= 2^k (|l|^k + |s|^k |u|^k)
            rational = dyadic((own * at).lower())
            if exact.sign(rational) <= 0:
                continue
            inner = each.law.moment_within(order, rational, None) if own > 0 or each.law.ends[0] is None else arb(0)
            mass = 2**order * (power_of(abs(location), order) * mass + power_of(abs(scale), order) * abs(inner))
        found = (abs(scale) * mass * others).upper()
        best = found if found < best else best
    return best


def _integral(law: Product, low: Edge, high: Edge, order: int) -> arb:
    """Enclose ∫ z^order times the product over an interval within the support."""
    factors = law.factors
    found = arb(0)
    ends: list[arb] = []
    for edge, side in ((low, -1), (high, 1)):
        if edge is None:
            end = side * _far(factors, side, _BITS + 40 * (order > 0))
            other = low if side > 0 else high
            if other is not None and not side * end > side * enclose(other) + 1:
                end = (enclose(other) + side * 8).mid()
            found += arb(0, _tail(factors, side, end, order))
            ends.append(end)
        else:
            ends.append(enclose(edge))
    inner = [edge for edge in law.breaks if edge is not None and _between(edge, low, high)]
    cuts = [low, *inner, high] if inner or low is not None or high is not None else [None, 0, None]
    for a, b in pairwise(cuts):
        pieces, corners = segments_of(factors, a, b, (ends[0], ends[1]))
        for segment in pieces:
            found += segment.integral(_weighted(order), _TOLERANCE)
        for corner in corners:
            found += arb(0, _corner(corner, b if a is None else a, order))
    return found


def _weighted(order: int) -> Callable[[acb, list[acb], bool], acb]:
    def of(place: acb, logs: list[acb], _: bool) -> acb:
        total = sum(logs, acb(0)).exp()
        for _k in range(order):
            total *= place
        return total

    return of


def _corner(corner: Corner, edge: Edge, order: int) -> arb:
    exponent, factor = arb(0), arb(1)
    for own, bound in zip(corner.exponents, corner.factors, strict=True):
        exponent += own - 1
        factor *= bound
    if not exponent > -1:
        raise Beyond("a product of densities that is not integrable")
    near = power_of(abs(enclose(0 if edge is None else edge)) + 1, order)
    return (factor * near * ((exponent + 1) * corner.length.log()).exp() / (exponent + 1)).upper()
