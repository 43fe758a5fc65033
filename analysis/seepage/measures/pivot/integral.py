r""":math:`-\int f \log f` of densities that are known in closed form between breaks, by rigorous integration in ball arithmetic.

Between neighbouring breaks f is a sum of :math:`e^{\ell_i}` with analytic :math:`\ell_i`, which :meth:`acb.integral` encloses. Beyond the last break,
:math:`f(x) \le C e^{-\kappa (x - T)}` with C <= 1/e, and :math:`-t \log t` grows below 1/e, so that

.. math:: 0 \le -\int_T^\infty f \log f \le \frac{C}{\kappa} (1 - \log C) .

Where f may vanish at a break, a sliver is left out and enclosed by the range of :math:`-t \log t`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise
from typing import TypeAlias

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.densities import Piece
from seepage.engines.pivot.forms import Beyond
from seepage.engines.pivot.laws import Edge
from seepage.exact import Number, add, enclose, mul

GOAL = 2.0**-44
_TAIL_BITS = 64
_SLIVER = 2.0**-56
_EVALUATIONS = 20_000
_MOST_TERMS = 20_000  # over all intervals; takes some seconds

Gaussian: TypeAlias = tuple[arb, arb, arb]
Log: TypeAlias = Callable[[acb, bool], acb]


@dataclass(frozen=True, slots=True)
class _Span:
    """A piece in the coordinates of the value: its support, and the breaks of its density."""

    piece: Piece
    low: Edge
    high: Edge
    breaks: tuple[Number, ...]

    def covers(self, low: Edge, high: Edge) -> bool:
        """Tell whether the support holds an interval between neighbouring breaks."""
        above = self.low is None or (low is not None and exact.compare(self.low, low) <= 0)
        below = self.high is None or (high is not None and exact.compare(self.high, high) >= 0)
        return above and below


def entropy_integral(pieces: Sequence[Piece], gaussians: Sequence[Gaussian]) -> arb:
    """Enclose −∫ f log f for the sum of pieces and Gaussians ``(weight, mean, variance)``.

    Raises:
        Beyond: if the bounds are not met.
    """
    spans = [_span(piece) for piece in pieces]
    edges = _edges(spans, bool(gaussians))
    if (len(spans) + len(gaussians)) * len(edges) > _MOST_TERMS:
        raise Beyond("too many densities with too many breaks")
    total = arb(0)
    for low, high in pairwise(edges):
        active = [span.piece for span in spans if span.covers(low, high)]
        if active or gaussians:
            total += _cell(active, gaussians, low, high)
    return total


def _span(piece: Piece) -> _Span:
    def place(z: Number) -> Number:
        return add(piece.location, mul(piece.scale, z))

    low, high = piece.low, piece.high
    inner = [
        edge
        for edge in piece.law.breaks
        if edge is not None
        and (low is None or exact.compare(edge, low) >= 0)
        and (high is None or exact.compare(edge, high) <= 0)
    ]
    ends = [None if low is None else place(low), None if high is None else place(high)]
    if exact.sign(piece.scale) < 0:
        ends.reverse()
    breaks = {place(edge) for edge in inner} | {edge for edge in ends if edge is not None}
    return _Span(piece, ends[0], ends[1], tuple(breaks))


def _edges(spans: Sequence[_Span], everywhere: bool) -> list[Edge]:
    breaks: list[Edge] = [*sorted({edge for span in spans for edge in span.breaks}, key=cmp_to_key(exact.compare))]
    if everywhere or any(span.low is None for span in spans):
        breaks.insert(0, None)
    if everywhere or any(span.high is None for span in spans):
        breaks.append(None)
    return breaks if len(breaks) > 2 or breaks[:1] != [None] or breaks[1:] != [None] else [None, 0, None]


def _cell(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], low: Edge, high: Edge) -> arb:
    """Enclose the integral between two neighbouring edges."""
    a, b, rest = _bounded(pieces, gaussians, low, high)
    middle = ((a + b) / 2).mid()
    logs = [_log_of(piece, middle) for piece in pieces] + [_log_of_gaussian(each) for each in gaussians]

    def integrand(z: acb, analytic: bool) -> acb:
        if len(logs) == 1:
            return -logs[0](z, analytic).exp() * logs[0](z, analytic)
        f = acb(0)
        for log in logs:
            f += log(z, analytic).exp()
        return -f * f.log(analytic=analytic)

    found = acb.integral(integrand, a, b, abs_tol=arb(GOAL / 64), rel_tol=arb(2.0**-60), eval_limit=_EVALUATIONS).real
    if not found.is_finite():
        raise Beyond("an integral that does not converge")
    return found + rest


def _log_of(piece: Piece, middle: arb) -> Log:
    location, scale = enclose(piece.location), enclose(piece.scale)
    inner = piece.law.log_density((middle - location) / scale)
    constant = (piece.weight / abs(scale)).log()
    return lambda z, analytic: inner((z - location) / scale, analytic) + constant


def _log_of_gaussian(gaussian: Gaussian) -> Log:
    weight, mean, variance = gaussian
    constant, rate = (weight / (2 * arb.pi() * variance).sqrt()).log(), -1 / (2 * variance)
    return lambda z, _: (z - mean) * (z - mean) * rate + constant


def _bounded(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], low: Edge, high: Edge) -> tuple[arb, arb, arb]:
    """Return a bounded part of an interval, and an enclosure of the integral over the rest."""
    rest = arb(0)
    ends: list[arb] = []
    for edge, sign in ((low, -1), (high, 1)):
        if edge is None:
            other = high if sign < 0 else low
            end = _far(pieces, gaussians, sign, other)
            rest += _tail(pieces, gaussians, sign, end)
        else:
            end = enclose(edge)
            if any(_vanishes(piece, edge) for piece in pieces):
                rest += _sliver(pieces, gaussians)
                end -= sign * arb(_SLIVER)
        ends.append(end)
    if not ends[0] < ends[1]:
        raise Beyond("an interval that is too narrow")
    return ends[0], ends[1], rest


def _vanishes(piece: Piece, edge: Number) -> bool:
    if not piece.law.vanishes:
        return False
    return any(
        end is not None and exact.compare(add(piece.location, mul(piece.scale, end)), edge) == 0
        for end in piece.law.breaks
    )


def _sliver(pieces: Sequence[Piece], gaussians: Sequence[Gaussian]) -> arb:
    """Enclose the integral over an interval of length ``_SLIVER``: −t log t for t between 0 and the largest density."""
    largest = sum((piece.weight / abs(enclose(piece.scale)) * piece.law.largest for piece in pieces), arb(0))
    largest += sum((weight / (2 * arb.pi() * variance).sqrt() for weight, _, variance in gaussians), arb(0))
    lowest = (-largest * largest.log()).min(arb(0)).lower()
    return arb(_SLIVER) * lowest.union((-arb(1)).exp())


def _far(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], sign: int, other: Edge) -> arb:
    """Return a place beyond which little is left, an exact ball."""
    ends = [arb(0)] if other is None else [sign * enclose(other) + 1]
    ends += [
        sign * enclose(piece.location) + abs(enclose(piece.scale)) * piece.law.reach(_TAIL_BITS) for piece in pieces
    ]
    ends += [sign * mean + (2 * _TAIL_BITS * variance).sqrt() for _, mean, variance in gaussians]
    farthest = ends[0]
    for end in ends[1:]:
        farthest = farthest.max(end)
    return sign * arb(farthest.upper()).mid()


def _tail(pieces: Sequence[Piece], gaussians: Sequence[Gaussian], sign: int, end: arb) -> arb:
    heights: list[arb] = []
    rates: list[arb] = []
    for piece in pieces:
        location, scale = enclose(piece.location), enclose(piece.scale)
        z = (end - location) / scale
        heights.append((piece.weight / abs(scale) * piece.law.density_at(z)).upper())
        rates.append(piece.law.decay(z) / abs(scale))
    for weight, mean, variance in gaussians:
        offset = sign * (end - mean)
        if not offset > 0:
            raise Beyond("a tail that begins too near")
        heights.append((weight / (2 * arb.pi() * variance).sqrt() * (-offset * offset / (2 * variance)).exp()).upper())
        rates.append((offset / variance).lower())
    height, rate = sum(heights, arb(0)).upper(), rates[0]
    for each in rates[1:]:
        rate = rate.min(each)
    if not height < (-arb(1)).exp():
        raise Beyond("a tail that begins too near")
    bound = height / rate * (1 - height.log())
    return arb(0).union(bound.upper())
