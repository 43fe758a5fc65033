r"""The supremum of the log-ratio of two densities that are sums of explicit ones, with guaranteed bounds.

Between breaks all densities are analytic. There the line is cut into cells; in each, :math:`L = \log f - \log g` is bounded by its value in the middle and a ball that
holds its slope, or by its ends where the slope has one sign. The cell with the greatest bound is halved. Beside an end e of supports, where densities go like
:math:`|x - e|^{a - 1}`, the least power of g is divided out; in a tail the term R of g that falls slowest: every other term over R is constant there, or known to fall,
or (Student's law) a power of :math:`u = 1/(x - c)` times a function that is analytic at u = 0. If f has a part outside of the support of g, a
lower power or a tail that falls more slowly, the supremum is infinite. That is decided by exact comparisons.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from functools import cmp_to_key
from itertools import pairwise

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge
from seepage.laws.triangular import Triangular
from seepage.measures.pivot.falling import Fall, fall_of, is_slower, over_slowest

_CELLS = 2_500
_FINE = 1e-14


@dataclass(frozen=True, slots=True)
class Part:
    """``weight`` times the density of a value, restricted to an interval but not normalised."""

    weight: arb
    placed: Placed


@dataclass(frozen=True, slots=True)
class _Stretch:
    """An interval without breaks and what is there of both densities."""

    low: Edge
    high: Edge
    top: tuple[Part, ...]
    bottom: tuple[Part, ...]


class _Infinite(Exception):
    """The ratio exceeds every bound."""


def apart(top: Sequence[Part], bottom: Sequence[Part]) -> arb:
    """Return the mass of the first sum where the second has no density; exactly 0 where there is none."""
    found = arb(0)
    for stretch in _stretches(top, bottom):
        if not stretch.bottom:
            for part in stretch.top:
                found += part.weight * _mass(part.placed, stretch)
    return found


def _mass(placed: Placed, stretch: _Stretch) -> arb:
    ends = [None if edge is None else placed.back(edge) for edge in (stretch.low, stretch.high)]
    return placed.law.probability(*(ends if exact.sign(placed.scale) > 0 else ends[::-1]))


def log_ratio(top: Sequence[Part], bottom: Sequence[Part], budget: Budget) -> tuple[arb, arb]:
    """Return bounds of the supremum of log f/g over the support of f, both infinite if it is.

    Args:
        top: f, the sum of some parts of positive weights.
        bottom: g, likewise.
        budget: of time.

    Raises:
        Beyond: if the densities are of a kind that is not followed.
    """
    if not all(part.weight > 0 for part in (*top, *bottom)):
        raise Beyond("a probability that is not known to be positive")
    stretches = _stretches(top, bottom)
    if any(not stretch.bottom for stretch in stretches):
        return arb.pos_inf(), arb.pos_inf()
    try:
        return _searched(stretches, budget)
    except _Infinite:
        return arb.pos_inf(), arb.pos_inf()


def _stretches(top: Sequence[Part], bottom: Sequence[Part]) -> list[_Stretch]:
    """Return the intervals between breaks in which the first sum has a density."""
    breaks = {edge for part in (*top, *bottom) for edge in part.placed.breaks}
    edges: list[Number] = sorted(breaks or {top[0].placed.location}, key=cmp_to_key(exact.compare))
    found: list[_Stretch] = []
    for low, high in pairwise((None, *edges, None)):
        here = tuple(part for part in top if part.placed.covers(low, high))
        there = tuple(part for part in bottom if part.placed.covers(low, high))
        if here:
            found.append(_Stretch(low, high, here, there))
    return found


# --- cells ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cell:
    """A part of a stretch, by places relative to ``origin``: from ``near`` to ``far``, outward in the direction ``side``.

    ``kind``: inside; beside an end of supports, the origin, where ``near`` is 0; a tail, where ``far`` is infinite; or a band, which is cut from a tail.
    """

    stretch: _Stretch
    kind: str
    origin: Number
    side: int
    near: arb
    far: arb


def _searched(stretches: Sequence[_Stretch], budget: Budget) -> tuple[arb, arb]:
    lower, settled = arb.neg_inf(), arb.neg_inf()
    count = itertools.count()
    heap: list[tuple[float, int, arb, _Cell]] = []
    waiting = [cell for stretch in stretches for cell in _first_cells(stretch)]
    looked = 0
    while waiting:
        for cell in waiting:
            looked += 1
            low, high = _bounded(cell)
            lower = low if low > lower else lower
            if lower.is_finite() and high <= lower + _FINE * (1 + abs(lower)):
                settled = high if high > settled else settled
            else:
                heapq.heappush(heap, (-float(high.mid()) if high.is_finite() else -1e308, next(count), high, cell))
        waiting = []
        if heap and not looked > _CELLS and not budget.expired():
            high = heap[0][2]
            if not (lower.is_finite() and high <= lower + _FINE * (1 + abs(lower))):
                waiting = _halves(heapq.heappop(heap)[3])
    upper = largest_of(settled, *(high for _, _, high, _ in heap))
    return lower, largest_of(upper, lower)


def largest_of(*bounds: arb) -> arb:
    """Return a point that is at least each of some upper bounds, +∞ where one is no number: comparisons of points are never undecided.

    Balls around infinite numbers have no ends: neither these nor what is no number may reach a comparison.
    """
    largest = arb.neg_inf()
    for bound in bounds:
        if bound == arb.neg_inf():
            continue
        if not bound.is_finite():
            return arb.pos_inf()
        upper = bound.upper()
        largest = upper if upper > largest else largest
    return largest


def _first_cells(stretch: _Stretch) -> list[_Cell]:
    low, high = stretch.low, stretch.high
    zero = arb(0)
    if low is None and high is None:
        raise AssertionError("there is always an edge")
    if low is None or high is None:
        side = -1 if low is None else 1
        origin = high if low is None else low
        if origin is None:
            raise AssertionError("one of both is an edge")
        _check_tail(stretch, side)
        if _is_singular(stretch, origin):
            one = arb(1)
            return [
                _Cell(stretch, "edge", origin, side, zero, one),
                _Cell(stretch, "tail", origin, side, one, arb.pos_inf()),
            ]
        return [_Cell(stretch, "tail", origin, side, zero, arb.pos_inf())]
    width = enclose(exact.sub(high, low))
    half = (width / 2).mid()
    if not 0 < half < width:
        raise Beyond("breaks that are too near each other")
    left = "edge" if _is_singular(stretch, low) else "inside"
    right = "edge" if _is_singular(stretch, high) else "inside"
    # Both halves end where the other begins, up to rounding: the second takes what is left, and no less.
    return [
        _Cell(stretch, left, low, 1, zero, half),
        _Cell(stretch, right, high, -1, zero, (width - half).upper()),
    ]


def _halves(cell: _Cell) -> list[_Cell]:
    if cell.kind == "tail":
        step = _reach(cell.stretch)
        middle = (2 * cell.near + step).mid()
        return [
            _Cell(cell.stretch, "band", cell.origin, cell.side, cell.near, middle),
            _Cell(cell.stretch, "tail", cell.origin, cell.side, middle, cell.far),
        ]
    middle = ((cell.near + cell.far) / 2).mid()
    return [
        _Cell(cell.stretch, cell.kind, cell.origin, cell.side, cell.near, middle),
        _Cell(cell.stretch, "inside" if cell.kind == "edge" else cell.kind, cell.origin, cell.side, middle, cell.far),
    ]


def _reach(stretch: _Stretch) -> arb:
    scales = [abs(enclose(part.placed.scale)) * part.placed.law.reach(1) for part in (*stretch.top, *stretch.bottom)]
    return arb(max(float(scale.mid()) for scale in scales))


def _bounded(cell: _Cell) -> tuple[arb, arb]:
    """Return a value of L in a cell, or −∞, and an upper bound of it."""
    nothing = arb.neg_inf()
    if _is_constant(cell.stretch):
        return _inside(cell)
    match cell.kind:
        case "edge":
            _, high = _beside(cell)
            middle = (cell.far / 2).mid()
            return _value(cell, middle)[0].lower(), high
        case "tail":
            high = _in_tail(cell)
            return (nothing if cell.near.is_zero() else _value(cell, cell.near)[0].lower()), high
        case "band":
            low, high = _inside(cell)
            outer = _in_tail(cell)
            return low, outer if outer < high else high
        case _:
            return _inside(cell)


def _is_constant(stretch: _Stretch) -> bool:
    """Tell whether a ratio of single densities is one number in a whole stretch, by exact comparisons."""
    alone = [part.placed for part in (*stretch.top, *stretch.bottom)]
    if len(alone) != 2:
        return False
    one, other = alone
    if one == other:
        return True
    if one.law.is_straight and other.law.is_straight:
        return exact.compare(_rate(one, stretch), _rate(other, stretch)) == 0
    if isinstance(one.law, Triangular) and isinstance(other.law, Triangular):
        return exact.compare(_vanishing(one, stretch), _vanishing(other, stretch)) == 0
    return False


def _rate(placed: Placed, stretch: _Stretch) -> Number:
    """Return by how much the logarithm of a density rises in a stretch in which it is linear."""
    edge, side = (stretch.low, 1) if stretch.low is not None else (stretch.high, -1)
    slope = placed.law.slope_beside(placed.back(0 if edge is None else edge), placed.side(side))
    return exact.div(slope, placed.scale)


def _vanishing(placed: Placed, stretch: _Stretch) -> Number:
    """Return where a triangular density is 0, of its two ends the one on this side of the mode."""
    return placed.at(0 if _is_low(placed, placed.law.parameters[0], stretch) else 1)


def _is_low(placed: Placed, kink: Number, stretch: _Stretch) -> bool:
    """Tell whether z is below a kink in a stretch."""
    edge = stretch.high if exact.sign(placed.scale) > 0 else stretch.low
    return edge is not None and exact.compare(placed.back(edge), kink) <= 0


def _inside(cell: _Cell) -> tuple[arb, arb]:
    if _is_constant(cell.stretch):
        place = ((cell.near + cell.far) / 2).mid() if cell.far.is_finite() else cell.near + 1
        only = _value(cell, place)[0]
        return only.lower(), only.upper()
    middle, whole = ((cell.near + cell.far) / 2).mid(), cell.near.union(cell.far)
    at_middle = _value(cell, middle)[0]
    direct, slope = _value(cell, whole)
    ends = [_value(cell, end)[0] for end in (cell.near, cell.far)]
    best = arb.neg_inf()
    for found in (at_middle, *ends):
        best = found.lower() if found.is_finite() and found.lower() > best else best
    if slope.is_finite() and all(end.is_finite() for end in ends) and (slope >= 0 or slope <= 0):
        return best, (ends[1] if slope >= 0 else ends[0]).upper()
    high = direct.upper() if direct.is_finite() else arb.pos_inf()
    if slope.is_finite() and at_middle.is_finite():
        half = ((cell.far - cell.near) / 2).upper()
        tight = (at_middle + abs(slope).upper() * half).upper()
        high = tight if tight < high else high
    return best, high


def _value(cell: _Cell, place: arb) -> tuple[arb, arb]:
    """Return balls of L and of its derivative outward at some places."""
    x = enclose(cell.origin) + cell.side * place
    top, bottom = (_sum(parts, cell, x) for parts in (cell.stretch.top, cell.stretch.bottom))
    return top[0] - bottom[0], cell.side * (top[1] - bottom[1])


def _sum(parts: Sequence[Part], cell: _Cell, x: arb) -> tuple[arb, arb]:
    """Return balls of the logarithm of a sum of parts and of its derivative."""
    logs = [_log(part, cell, x) for part in parts]
    slopes = [_slope(part, cell, x) for part in parts]
    if len(parts) == 1:
        return logs[0], slopes[0]
    highest = max(logs, key=lambda log: float(log.mid()) if log.is_finite() else -float("inf")).mid()
    shares = [(log - highest).exp() for log in logs]
    total = sum(shares, arb(0))
    slope = sum((share * slope for share, slope in zip(shares, slopes, strict=True)), arb(0)) / total
    return highest + total.log(), slope.intersection(_hull(slopes)) if _meets(slope, _hull(slopes)) else slope


def _hull(slopes: Sequence[arb]) -> arb:
    found = slopes[0]
    for slope in slopes[1:]:
        found = found.union(slope)
    return found


def _meets(a: arb, b: arb) -> bool:
    return bool(a.is_finite() and b.is_finite() and a.overlaps(b))


def _log(part: Part, cell: _Cell, x: arb) -> arb:
    placed = part.placed
    scale = enclose(placed.scale)
    z = (x - enclose(placed.location)) / scale
    found = placed.log_within(cell.stretch.low, cell.stretch.high)(acb(z), False)
    return part.weight.log() + found.real - abs(scale).log()


def _slope(part: Part, cell: _Cell, x: arb) -> arb:
    placed = part.placed
    scale = enclose(placed.scale)
    z = (x - enclose(placed.location)) / scale
    step = (cell.near + cell.far) / 2 if cell.far.is_finite() else cell.near + 1
    inside = (enclose(cell.origin) + cell.side * step - enclose(placed.location)) / scale
    return placed.law.log_slope(z, inside.mid()) / scale


# --- beside an end of supports ----------------------------------------------------------------------------------------


def _is_singular(stretch: _Stretch, edge: Number) -> bool:
    return any(part.placed.irregular(edge) for part in (*stretch.top, *stretch.bottom))


def _power(part: Part, edge: Number) -> Number:
    """Return the a for which a density goes like the (a − 1)-th power of the distance from an edge."""
    law, end = part.placed.law, part.placed.irregular(edge)
    if end == 0:
        return 1
    return law.power_beside(end)


def _beside(cell: _Cell) -> tuple[arb, arb]:
    """Return nothing and an upper bound of L in a cell that begins at an end of supports.

    Raises:
        _Infinite: if it exceeds every bound there.
    """
    powers = [[_power(part, cell.origin) for part in parts] for parts in (cell.stretch.top, cell.stretch.bottom)]
    least = [_least(each) for each in powers]
    if exact.compare(least[0], least[1]) < 0:
        raise _Infinite
    distance = arb(0).union(cell.far)
    sides = (
        [
            part.weight * _regular(part, cell, distance) * _raised(cell.far, exact.sub(power, least[1]))
            for part, power in each
        ]
        for each in (
            zip(parts, own, strict=True)
            for parts, own in zip((cell.stretch.top, cell.stretch.bottom), powers, strict=True)
        )
    )
    return arb.neg_inf(), _log_quotient(*sides)


def _log_quotient(top: Sequence[arb], bottom: Sequence[arb]) -> arb:
    """Return an upper bound of the logarithm of a quotient of two sums of balls of numbers that are not negative; perhaps ∞."""
    above = sum(top, arb(0))
    below = sum((each.lower() for each in bottom if each.is_finite() and each > 0), arb(0)).lower()
    if not (above.is_finite() and below > 0):
        return arb.pos_inf()
    high = (above.upper() / below).upper()
    return high.log().upper() if high > 0 else arb.neg_inf()


def _least(powers: Sequence[Number]) -> Number:
    least = powers[0]
    for power in powers[1:]:
        least = exact.minimum(least, power)
    return least


def _raised(far: arb, power: Number) -> arb:
    """Return a ball of the powers of all distances from 0 to ``far``, for a power that is not negative."""
    return arb(1) if exact.sign(power) == 0 else arb(0).union((far.log() * enclose(power)).exp())


def _regular(part: Part, cell: _Cell, distance: arb) -> arb:
    """Return a density without the power of the distance from an edge."""
    placed = part.placed
    scale = abs(enclose(placed.scale))
    end = placed.irregular(cell.origin)
    if end == 0:
        return _log(Part(arb(1), placed), cell, enclose(cell.origin) + cell.side * distance).exp()
    power = enclose(_power(part, cell.origin))
    log = placed.law.near(end)(acb(distance / scale), acb(0), False).real
    return (log - power * scale.log()).exp()


# --- tails ------------------------------------------------------------------------------------------------------------


def _falls(parts: Sequence[Part], side: int) -> list[Fall]:
    return [fall_of(part.placed, side) for part in parts]


def _check_tail(stretch: _Stretch, side: int) -> None:
    """Raise ``_Infinite`` if the upper density falls more slowly than the lower one."""
    top, bottom = (_falls(parts, side) for parts in (stretch.top, stretch.bottom))
    if any(all(is_slower(one, other) for other in bottom) for one in top):
        raise _Infinite


def _in_tail(cell: _Cell) -> arb:
    """Return an upper bound of L from ``near`` to ``far``; perhaps ∞, if that is not far enough out."""
    sides = [_falls(parts, cell.side) for parts in (cell.stretch.top, cell.stretch.bottom)]
    slowest = sides[1][0]
    for fall in sides[1][1:]:
        slowest = fall if is_slower(fall, slowest) else slowest
    x = cell.side * enclose(cell.origin) + cell.near
    far = None if cell.kind == "tail" else cell.side * enclose(cell.origin) + cell.far
    quotients = (
        [part.weight * over_slowest(fall, slowest, x, far) for part, fall in zip(parts, falls, strict=True)]
        for parts, falls in zip((cell.stretch.top, cell.stretch.bottom), sides, strict=True)
    )
    return _log_quotient(*quotients)
