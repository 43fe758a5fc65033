r"""Intervals over which sums and products of known densities are analytic, with what is left out beside them.

Beside an end e of a support at which a density is not regular the coordinate is :math:`t = -\log |x - e|`: there densities are analytic in t, and
nothing cancels, however close to e.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import is_over
from seepage.exact import Number, add, div, enclose, mul, sub
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge, Law, Log

EVALUATIONS = 20_000
_LEFT_OUT_BITS = 64


@dataclass(frozen=True, slots=True)
class Placed:
    """``location + scale · z`` with z of a law and in (low, high)."""

    law: Law
    location: Number
    scale: Number
    low: Edge
    high: Edge

    @property
    def ends(self) -> tuple[Edge, Edge]:
        """The ends of the support, in the coordinate of the value."""
        ends = [None if z is None else self.at(z) for z in (self.low, self.high)]
        return (ends[0], ends[1]) if exact.sign(self.scale) > 0 else (ends[1], ends[0])

    @property
    def chance(self) -> arb:
        """The probability of the interval that z is in."""
        whole = (self.low, self.high) == self.law.ends
        return arb(1) if whole else self.law.probability(self.low, self.high)

    @property
    def breaks(self) -> tuple[Number, ...]:
        """The finite ends of the intervals in which the density is analytic, in the coordinate of the value."""
        inner = (edge for edge in self.law.breaks if edge is not None and self._holds(edge))
        return tuple({*(self.at(edge) for edge in inner), *(edge for edge in self.ends if edge is not None)})

    def at(self, z: Number) -> Number:
        """Return the value at z."""
        return add(self.location, mul(self.scale, z))

    def back(self, x: Number) -> Number:
        """Return z for a value."""
        return div(sub(x, self.location), self.scale)

    def _holds(self, z: Number) -> bool:
        above = self.low is None or exact.compare(z, self.low) >= 0
        return above and (self.high is None or exact.compare(z, self.high) <= 0)

    def covers(self, low: Edge, high: Edge) -> bool:
        """Tell whether the support holds an interval between neighbouring breaks."""
        own_low, own_high = self.ends
        above = own_low is None or (low is not None and exact.compare(own_low, low) <= 0)
        below = own_high is None or (high is not None and exact.compare(own_high, high) >= 0)
        return above and below

    def irregular(self, edge: Number) -> int:
        """Return at which end (−1 lower, 1 upper) of its support, or of a half beside a pole, a law is not regular at a value, else 0."""
        z = self.back(edge)
        for side, end in ((-1, self.law.ends[0]), (1, self.law.ends[1])):
            if end is not None and exact.compare(end, z) == 0 and not self.law.is_regular(side):
                return side
        return 0

    def side(self, direction: int) -> int:
        """Return on which side of z lies what is in a direction of the value."""
        return direction * exact.sign(self.scale)

    def log_within(self, low: Edge, high: Edge) -> Log:
        """Return the logarithm of the law's density, as a function of z, as it is for values in an interval without breaks inside."""
        ends = [None if edge is None else self.back(edge) for edge in (low, high)]
        return self.law.log_within(*(ends if exact.sign(self.scale) > 0 else ends[::-1]))


@dataclass(frozen=True, slots=True)
class Segment:
    """An interval of a coordinate t: the value there, the logarithms of the densities of z, and dx/dt."""

    start: arb
    end: arb
    place: Callable[[acb], acb]
    logs: tuple[Log, ...]
    jacobian: Callable[[acb], acb]

    def integral(
        self,
        of: Callable[[acb, list[acb], bool], acb],
        tolerance: float,
        is_time_up: Callable[[], bool] = lambda: False,
    ) -> arb:
        """Enclose ∫ of(place, logs, analytic) dx.

        Raises:
            Beyond: if it does not converge, or not in time: that of the whole work, or what ``is_time_up`` tells.
        """

        # One integral may take minutes. The integrand raises nothing: :meth:`acb.integral` does not always pass it on.
        def integrand(t: acb, analytic: bool) -> acb:
            if is_time_up() or is_over():
                return acb("nan")
            return of(self.place(t), [log(t, analytic) for log in self.logs], analytic) * self.jacobian(t)

        found = acb.integral(
            integrand, self.start, self.end, abs_tol=arb(tolerance), rel_tol=arb(2.0**-60), eval_limit=EVALUATIONS
        ).real
        if not found.is_finite():
            raise Beyond("an integral that does not converge")
        return arb(found)


@dataclass(frozen=True, slots=True)
class Corner:
    """What was left out beside an edge: an interval of a length, and for each density a bound ``factor · d^(exponent − 1)`` of that of z.

    ``logs`` bound the logarithm of each by A + B L + C L², L = −log d.
    """

    length: arb
    factors: tuple[arb, ...]
    exponents: tuple[arb, ...]
    logs: tuple[tuple[arb, arb, arb], ...] = ()


def edges_of(placed: Sequence[Placed], everywhere: bool) -> list[Edge]:
    """Return all breaks, ascending, infinity at the ends where something reaches it; ``everywhere``: anyway."""
    distinct = {edge for each in placed for edge in each.breaks}
    breaks: list[Edge] = [*sorted(distinct, key=cmp_to_key(exact.compare))]
    if everywhere or any(each.ends[0] is None for each in placed):
        breaks.insert(0, None)
    if everywhere or any(each.ends[1] is None for each in placed):
        breaks.append(None)
    return breaks if len(breaks) > 2 or breaks[:1] != [None] or breaks[1:] != [None] else [None, 0, None]


def segments_of(
    placed: Sequence[Placed], low: Edge, high: Edge, ends: tuple[arb, arb]
) -> tuple[list[Segment], list[Corner]]:
    """Return segments that cover an interval without breaks inside, all densities positive on it, but for corners.

    Args:
        placed: the densities.
        low: where it begins; None is −∞.
        high: where it ends.
        ends: where the segments begin and end, on a side that is infinite.
    """
    a, b = (end if edge is None else enclose(edge) for edge, end in ((low, ends[0]), (high, ends[1])))
    if not a < b:
        raise Beyond("an interval that is too narrow")
    segments: list[Segment] = []
    corners: list[Corner] = []
    bounds = [a, b]
    for at, (edge, inward) in enumerate(((low, 1), (high, -1))):
        if edge is None or not any(each.irregular(edge) for each in placed):
            continue
        segment, corner, inner = _beside(placed, edge, inward, ((b - a) / 2).lower(), (low, high))
        segments.append(segment)
        corners.append(corner)
        bounds[at] = inner
    if not bounds[0] >= bounds[1]:
        logs = tuple(_plain(each, low, high) for each in placed)
        segments.append(Segment(bounds[0], bounds[1], lambda z: z, logs, lambda _: acb(1)))
    return segments, corners


def _plain(each: Placed, low: Edge, high: Edge) -> Log:
    location, scale = enclose(each.location), enclose(each.scale)
    inner = each.log_within(low, high)
    return lambda z, analytic: inner((z - location) / scale, analytic)


def _beside(
    placed: Sequence[Placed], edge: Number, inward: int, most: arb, interval: tuple[Edge, Edge]
) -> tuple[Segment, Corner, arb]:
    """Return the segment beside an edge, the corner that it leaves out, and where it ends."""
    width = most.min(arb(1) / 2)
    smallest = arb(1)
    for each in placed:
        if own := each.irregular(edge):
            width = width.min((abs(enclose(each.scale)) / 2).lower())
            smallest = smallest.min(enclose(each.law.exponent(own)).lower())
    start = (-width.lower().log()).upper()
    far = (start + (_LEFT_OUT_BITS + 16) * arb(2).log() / smallest).upper()
    where = enclose(edge)
    logs: list[Log] = []
    factors: list[arb] = []
    exponents: list[arb] = []
    bounds: list[tuple[arb, arb, arb]] = []
    length = (-far).exp()
    for each in placed:
        scale, side = enclose(each.scale), each.irregular(edge)
        if side:
            size = abs(scale)
            logs.append(_near(each.law, side, size))
            exponent = enclose(each.law.exponent(side))
            factors.append((each.law.factor(side, length / size) * ((1 - exponent) * size.log()).exp()).upper())
            exponents.append(exponent)
            bounds.append(at_scale(each.law.logs_beside(side), size))
        else:
            z, turn = enclose(each.back(edge)), inward / scale
            log = each.log_within(*interval)
            logs.append(_at_distance(log, z, turn))
            nearby = z + turn * length * arb(0.5, 0.5)
            factors.append(log(acb(nearby), False).real.exp().upper())
            exponents.append(arb(1))
            bounds.append((abs(log(acb(nearby), False).real).upper(), arb(0), arb(0)))

    def place(t: acb) -> acb:
        return where + inward * (-t).exp()

    segment = Segment(start, far, place, tuple(logs), lambda t: (-t).exp())
    inner = where + inward * (-start).exp()
    return segment, Corner(length, tuple(factors), tuple(exponents), tuple(bounds)), inner


def at_scale(bounds: tuple[arb, arb, arb], size: arb) -> tuple[arb, arb, arb]:
    """Bound the logarithm of a density in terms of the distance of the value: L differs by that of the scale, (L + s)² ≤ 2 L² + 2 s²."""
    a, b, c = bounds
    shift = abs(size.log())
    return a + b * shift + 2 * c * shift * shift, b, 2 * c


def _near(law: Law, side: int, size: arb) -> Log:
    near, shift = law.near(side), size.log()
    return lambda t, analytic: near((-t).exp() / size, -t - shift, analytic)


def _at_distance(log: Log, z: arb, turn: arb) -> Log:
    return lambda t, analytic: log(z + turn * (-t).exp(), analytic)
