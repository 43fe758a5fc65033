"""What functions of a sum tell, as integrals: entropies of chances over the noise, and of the spread of a uniform value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import TypeAlias

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.cumulative import window_within
from seepage.engines.pivot.densities import Curve, Piece
from seepage.engines.pivot.segments import Placed, Segment, segments_of
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Chance, Edge
from seepage.measures.gaussian import quadrature
from seepage.measures.pivot.integral import (
    GOAL,
    cell_entropy,
    corner_bound,
    corner_entropy,
    eta,
    far_end,
    tail_of_entropy,
)
from seepage.measures.pivot.panels import blend_of
from seepage.measures.pivot.strata import ACCURACY, perturbation

_MOST_GAUSSIANS = 400

_MOST_SPANS = 1_000  # of the pivot, in standard deviations of the noise

_TAIL_BITS = 64

Cell: TypeAlias = tuple[Edge, Edge]


def within(ends: Cell, cell: Cell) -> Cell:
    """Return what two intervals have in common; None is no end."""
    (low, high), (begin, end) = ends, cell
    low = begin if low is None else low if begin is None else exact.maximum(low, begin)
    high = end if high is None else high if end is None else exact.minimum(high, end)
    return low, high


def spread_of_uniform(flat: Placed, other: Placed, cell: Cell) -> arb:
    """Enclose ∫ η(f) over a cell for the density f(s) = P(s − other in (a, b)) / (b − a) of a sum with a variable uniform on (a, b).

    Beyond (a, b) f is at most the other density at the nearer end, as far out as that falls.
    """
    (low, high), mirrored = flat.ends, Placed(other.law, 0, exact.neg(other.scale), other.low, other.high)
    if low is None or high is None:
        raise AssertionError("a uniform law is bounded")
    width = enclose(exact.sub(high, low))
    met = {exact.add(end, place) for end in (low, high) for place in other.breaks}
    ends = tuple(None if own is None else exact.add(own, end) for own, end in zip(other.ends, (low, high), strict=True))
    begin, end = within((ends[0], ends[1]), cell)
    if begin is not None and end is not None and exact.compare(begin, end) >= 0:
        return arb(0)
    at_ends = {
        sign: Piece(arb(1), place, other.scale, other.law, *other.law.ends) for sign, place in ((-1, low), (1, high))
    }

    def beyond(sign: int, far: arb) -> arb:
        return tail_of_entropy([at_ends[sign]], [], sign, far).upper()

    found = arb(0)
    for interval in pairwise(line_of(begin, end, met)):
        chance = window_within(mirrored, (low, high), interval)
        (first, last), outside = _cut(list(at_ends.values()), interval, beyond)
        start, stop = (
            far if edge is None else enclose(edge) for edge, far in zip(interval, (first, last), strict=True)
        )
        segment = Segment(start, stop, lambda z: z, (), lambda _: acb(1))
        found += arb(0).union(outside) + segment.integral(
            _eta_of_chance(chance, width), GOAL / 64, quadrature.time_is_up
        )
    return found


def _eta_of_chance(chance: Chance, width: arb) -> Callable[[acb, list[acb], bool], acb]:
    return lambda place, _, analytic: eta(chance(place, analytic) / width, analytic)


def curved(curve: Curve, low: Edge, high: Edge) -> arb:
    """Enclose ∫ η(f) over an interval by the mixture that stands for a curve."""
    if not _is_coarse(curve):
        raise Beyond("a sum of a variable and much narrower normal noise")
    blend = blend_of(curve, ACCURACY)
    if blend.hidden is not None or len(blend.gaussians) > _MOST_GAUSSIANS:
        raise Beyond("a sum of a variable and much narrower normal noise")
    found = cell_entropy([], blend.gaussians, low, high)
    largest = curve.weight / (2 * arb.pi() * blend.floor).sqrt()
    return found + perturbation([], blend.gaussians, blend.error, curve.fourth, largest)


def _is_coarse(curve: Curve) -> bool:
    """Tell whether the noise is wide enough beside the pivot for a mixture of few Gaussians."""
    if len(curve.variance) != 1 or len(curve.mean) != 2:
        return False
    reach = curve.law.reach(_TAIL_BITS)
    low, high = (-reach if curve.law.ends[0] is None else arb(0)), reach
    slope, spread = (abs(enclose(curve.mean[1])), enclose(curve.variance[0]).sqrt())
    return bool((high - low) * slope < _MOST_SPANS * spread)


def edges_of(placed: Placed, met: Iterable[Number]) -> list[Edge]:
    """Return the ends of the intervals of a law's support between its breaks and other places."""
    return line_of(*placed.ends, {*met, *placed.breaks})


def line_of(low: Edge, high: Edge, met: Iterable[Number]) -> list[Edge]:
    """Return the ends of the intervals of an interval between some places."""
    found: list[Edge] = [low]
    for place in sorted(met, key=cmp_to_key(exact.compare)):
        if _is_between((found[-1], high), place):
            found.append(place)
    return [*found, high] if found != [None] or high is not None else [None, 0, None]


def _is_between(ends: Cell, place: Number) -> bool:
    low, high = ends
    above = low is None or exact.compare(low, place) < 0
    return above and (high is None or exact.compare(place, high) < 0)


def mean_over(
    secret: Placed, interval: Cell, chances: Sequence[tuple[arb, Chance]], of: Callable[[acb, bool], acb]
) -> arb:
    """Enclose ∫ f_X(t) of(Σ weight · chance(t)) dt over an interval without breaks inside."""
    piece = Piece(arb(1), 0, secret.scale, secret.law, *secret.law.ends)
    height = (1 / abs(enclose(secret.scale))).log()

    def integrand(place: acb, logs: list[acb], analytic: bool) -> acb:
        total = acb(0)
        for weight, chance in chances:
            total += weight * chance(place, analytic)
        return (logs[0] + height).exp() * of(total, analytic)

    def beyond(sign: int, end: arb) -> arb:
        return secret.law.beyond(secret.side(sign), end / enclose(secret.scale))

    found = arb(0)
    ends, outside = _cut([piece], interval, beyond)
    segments, corners = segments_of([secret], *interval, ends)
    for segment in segments:
        found += segment.integral(integrand, GOAL / 64, quadrature.time_is_up)
    for corner in corners:
        largest, power = corner_bound(corner, [piece], [])
        if not largest.is_finite():
            raise Beyond("a density without a bound")
        outside += largest * (power * corner.length.log()).exp() / power
    return found + arb(0).union(outside.upper())


def over_noise(noise: Placed, interval: Cell, chance: Chance) -> arb:
    """Enclose ∫ η(f_N(u)) chance(u) du over an interval without breaks inside."""
    piece = Piece(arb(1), 0, noise.scale, noise.law, *noise.law.ends)
    height = (1 / abs(enclose(noise.scale))).log()

    def integrand(place: acb, logs: list[acb], analytic: bool) -> acb:
        log = logs[0] + height
        return -log.exp() * log * chance(place, analytic)

    ends, outside = _cut([piece], interval, lambda sign, end: tail_of_entropy([piece], [], sign, end).upper())
    found = arb(0).union(outside)
    segments, corners = segments_of([noise], *interval, ends)
    for segment in segments:
        found += segment.integral(integrand, GOAL / 64, quadrature.time_is_up)
    for corner in corners:
        found += arb(0).union(corner_entropy(corner, [piece], []))
    return found


def _cut(pieces: Sequence[Piece], interval: Cell, beyond: Callable[[int, arb], arb]) -> tuple[tuple[arb, arb], arb]:
    """Return where an interval is cut on sides that are infinite, and a bound of what is beyond."""
    if quadrature.time_is_up():
        raise Beyond("no time left")
    low, high = interval
    ends, outside = [arb(0), arb(0)], arb(0)
    for at, (edge, sign, other) in enumerate(((low, -1, high), (high, 1, low))):
        if edge is None:
            ends[at] = far_end(pieces, [], sign, other, _TAIL_BITS)
            outside += beyond(sign, ends[at])
    return (ends[0], ends[1]), outside


def eta_of(mass: arb) -> arb:
    r"""Return :math:`\eta(p) = -p \log p`, 0 for the chance 0."""
    if mass.is_zero():
        return mass
    return eta(acb(mass), False).real
