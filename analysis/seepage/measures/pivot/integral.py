r""":math:`-\int f \log f` and :math:`\int f \log(f / g)` of densities that are known in closed form between breaks, by rigorous integration in ball arithmetic.

Between neighbouring breaks f is a sum of :math:`e^{\ell_i}` with analytic :math:`\ell_i`, which :meth:`acb.integral` encloses. With
:math:`\eta(y) = -y \log y`, tails beyond which all densities together are less than 1/e are between 0 and the sum of the tails of each, because
:math:`\eta(a + b) \le \eta(a) + \eta(b)`. Beside an end where a density vanishes or has no bound, :math:`f \le K d^{a - 1}` at the distance d, so that over
d < ε

.. math:: -K \Big( \log^+ K \frac{\varepsilon^a}{a} + (1 - a) \frac{\varepsilon^a}{a} \big(\log \tfrac1\varepsilon + \tfrac1a\big) \Big)
    \le -\int f \log f \le \varepsilon / e .
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.densities import Piece
from seepage.engines.pivot.segments import Corner, Placed, edges_of, segments_of
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge
from seepage.measures.gaussian import quadrature

GOAL = 2.0**-44
_TAIL_BITS = 64
_MOST_TERMS = 20_000  # over all intervals; takes some seconds
_MOST_STRAIGHT = 100_000  # densities whose logarithms are linear between breaks, so that many are a few

Gaussian: TypeAlias = tuple[arb, arb, arb]


def entropy_integral(pieces: Sequence[Piece], gaussians: Sequence[Gaussian]) -> arb:
    """Enclose −∫ f log f for the sum of pieces and Gaussians ``(weight, mean, variance)``.

    Raises:
        Beyond: if the bounds are not met.
    """
    placed = [placed_of(piece) for piece in pieces]
    edges = edges_of(placed, bool(gaussians))
    straight = not gaussians and all(piece.law.is_straight for piece in pieces)
    if (len(placed) + len(gaussians)) * len(edges) > (_MOST_STRAIGHT if straight else _MOST_TERMS):
        raise Beyond("too many densities with too many breaks")
    total = arb(0)
    for low, high in pairwise(edges):
        active = [piece for piece, each in zip(pieces, placed, strict=True) if each.covers(low, high)]
        if active or gaussians:
            total += cell_entropy(active, gaussians, low, high)
    return total


def placed_of(piece: Piece) -> Placed:
    """Return a piece without its weight."""
    return Placed(piece.law, piece.location, piece.scale, piece.low, piece.high)


def height_of(piece: Piece) -> arb:
    """Return the factor of the density of z in the density of a piece."""
    return piece.weight / abs(enclose(piece.scale))


def cell_entropy(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], low: Edge, high: Edge) -> arb:
    """Enclose the integral between two neighbouring edges; of Gaussians alone between any two places."""
    if quadrature.time_is_up():
        raise Beyond("no time left")
    straight = all(piece.law.is_straight for piece in pieces)
    lines = _lines(pieces, low, high) if straight else []
    ends, rest = _ends(pieces, gaussians, low, high)
    segments, corners = segments_of([] if straight else [placed_of(piece) for piece in pieces], low, high, ends)
    heights = [height_of(piece).log() for piece in pieces]
    bells = [_log_of_gaussian(each) for each in gaussians]

    def integrand(place: acb, logs: list[acb], analytic: bool) -> acb:
        every = (
            [constant + (place - anchor) * slope for constant, anchor, slope in lines]
            if straight
            else [log + height for log, height in zip(logs, heights, strict=True)]
        )
        if not bells and len(every) == 1:
            return -every[0].exp() * every[0]
        f = acb(0)
        for log in every:
            f += log.exp()
        for constant, mean, rate in bells:
            f += ((place - mean) * (place - mean) * rate + constant).exp()
        return eta(f, analytic)

    for segment in segments:
        rest += segment.integral(integrand, GOAL / 64, quadrature.time_is_up)
    for corner in corners:
        rest += corner_entropy(corner, pieces, gaussians)
    return rest


def eta(y: acb, analytic: bool) -> acb:
    """Return −y log y; where it need not be analytic, near 0 a ball: |y log y| ≤ |y| (|log |y|| + π), which grows up to 1/e."""
    if analytic:
        return -y * y.log(analytic=True)
    found = -y * y.log()
    if found.is_finite():
        return found
    size = abs(y).upper()
    if not size < (-arb(1)).exp():
        return acb(arb.nan())
    bound = arb(0) if size.is_zero() else (size * (abs(size.log()) + arb.pi())).upper()
    return acb(arb(0, bound), arb(0, bound))


def _lines(pieces: Sequence[Piece], low: Edge, high: Edge) -> list[tuple[arb, arb, arb]]:
    """Return densities as they are between neighbouring edges as few ``exp(constant + slope · (x − anchor))``: those of one slope are added up."""
    anchor = low if low is not None else high if high is not None else 0
    heights: dict[Number, arb] = {}
    for piece in pieces:
        placed = placed_of(piece)
        log = placed.log_within(low, high)
        slope = piece.law.slope_beside(placed.back(anchor), placed.side(1 if anchor == low else -1))
        own = (log(acb(enclose(placed.back(anchor))), False).real + height_of(piece).log()).exp()
        key = exact.div(slope, piece.scale)
        heights[key] = heights.get(key, arb(0)) + own
    return [(height.log(), enclose(anchor), enclose(slope)) for slope, height in heights.items()]


def _log_of_gaussian(gaussian: Gaussian) -> Gaussian:
    """Return constant, mean and −1/(2 variance)."""
    weight, mean, variance = gaussian
    return (weight / (2 * arb.pi() * variance).sqrt()).log(), mean, -1 / (2 * variance)


def corner_bound(corner: Corner, pieces: Sequence[Piece], gaussians: Sequence[Gaussian]) -> tuple[arb, arb]:
    """Return K and a with f ≤ K d^(a − 1) in a corner, whose length is less than 1."""
    least = arb(1)
    for exponent in corner.exponents:
        least = least.min(exponent)
    total = sum((weight / (2 * arb.pi() * variance).sqrt() for weight, _, variance in gaussians), arb(0))
    for piece, factor in zip(pieces, corner.factors, strict=True):
        total += height_of(piece) * factor
    return total.upper(), least.lower()


def corner_entropy(corner: Corner, pieces: Sequence[Piece], gaussians: Sequence[Gaussian]) -> arb:
    """Enclose the integral over a corner, as the head of this module says."""
    largest, a = corner_bound(corner, pieces, gaussians)
    if not largest.is_finite():
        raise Beyond("a density without a bound")
    size = (a * corner.length.log()).exp() / a
    logs = largest.log().max(arb(0)) + (1 - a) * (1 / a - corner.length.log())
    return (-largest * size * logs).lower().union((corner.length * (-arb(1)).exp()).upper())


def _ends(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], low: Edge, high: Edge) -> tuple[tuple[arb, arb], arb]:
    """Return where a cell is cut on sides that are infinite, and an enclosure of the integral beyond."""
    rest = arb(0)
    ends: list[arb] = []
    for edge, sign, other in ((low, -1, high), (high, 1, low)):
        end = arb(0)
        if edge is None:
            end = far_end(pieces, gaussians, sign, other)
            rest += tail_of_entropy(pieces, gaussians, sign, end)
        ends.append(end)
    return (ends[0], ends[1]), rest


def far_end(
    pieces: Sequence[Piece], gaussians: Sequence[Gaussian], sign: int, other: Edge, bits: int = _TAIL_BITS
) -> arb:
    """Return a place beyond which little is left, an exact ball."""
    ends = [arb(0)] if other is None else [sign * enclose(other) + 1]
    ends += [sign * enclose(piece.location) + abs(enclose(piece.scale)) * piece.law.reach(bits) for piece in pieces]
    ends += [sign * mean + (2 * bits * variance).sqrt() for _, mean, variance in gaussians]
    farthest = ends[0]
    for end in ends[1:]:
        farthest = farthest.max(end)
    return sign * arb(farthest.upper()).mid()


def tail_of_entropy(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], sign: int, end: arb) -> arb:
    """Enclose −∫ f log f beyond an end."""
    height, bound = arb(0), arb(0)
    for piece in pieces:
        scale = enclose(piece.scale)
        z = (end - enclose(piece.location)) / scale
        times = height_of(piece)
        height += times * piece.law.density_at(z)
        bound += abs(scale) * piece.law.tail_entropy(placed_of(piece).side(sign), z, times)
    for weight, mean, variance in gaussians:
        offset = sign * (end - mean)
        if not offset > 0:
            raise Beyond("a tail that begins too near")
        own = (weight / (2 * arb.pi() * variance).sqrt() * (-offset * offset / (2 * variance)).exp()).upper()
        height += own
        bound += own * variance / offset * (1 - own.log())
    if not height < (-arb(1)).exp():
        raise Beyond("a tail that begins too near")
    return arb(0).union(bound.upper())
