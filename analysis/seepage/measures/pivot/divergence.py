r"""KL(p ‖ q) of values under two sets of paths, in nats.

Stratum by stratum: :math:`\sum \alpha \log (\alpha / \beta)` over atoms, plus :math:`\int f \log (f / g)`, infinite where p has what q has not. Against one normal
law of mean μ and variance v the integral is :math:`-J(f) + \frac12 \log(2 \pi v) + \frac{1}{2v} \int (x - \mu)^2 f`. Other densities are integrated between
breaks. In a tail, and beside an end, :math:`|\log g|` is bounded by one of the parts of g from below.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from flint import acb, arb

from seepage.engines.pivot.densities import Bell, Curve, Piece, Term, explicit, term_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import Corner, edges_of, segments_of
from seepage.exact import Number, abs_, compare, div, enclose, mul, neg, power
from seepage.laws.forms import Beyond, Polynomial, plus
from seepage.laws.law import Edge, dyadic
from seepage.laws.normal import Normal
from seepage.laws.tails import Kind
from seepage.measures.gaussian import quadrature
from seepage.measures.pivot.integral import (
    GOAL,
    corner_bound,
    corner_entropy,
    far_end,
    height_of,
    placed_of,
    tail_of_entropy,
)
from seepage.measures.pivot.moments import moment_of_paths
from seepage.measures.pivot.strata import density_entropy, scaled, strata_of, total_of

Names = tuple[str, ...]


def divergence(of: tuple[Sequence[Path], Names], against: tuple[Sequence[Path], Names]) -> arb:
    """Enclose KL; infinite where the support of one is not in that of the other.

    Raises:
        Beyond: for several continuous variables together, or a density that is not known.
    """
    (paths_p, x), (paths_q, y) = of, against
    total_p, total_q = total_of(paths_p), total_of(paths_q)
    others = strata_of(paths_q, y)
    found = arb(0)
    for key, group in strata_of(paths_p, x).items():
        mass = total_of(group) / total_p
        beside = others.get(key)
        if beside is None:
            return arb.pos_inf()
        continuous = [i for i, value in enumerate(key) if value is None]
        if not continuous:
            found += mass * (mass * total_q / total_of(beside)).log()
        elif len(continuous) == 1:
            found += _of_densities((group, x[continuous[0]], total_p), (beside, y[continuous[0]], total_q))
        else:
            raise Beyond("several continuous variables together")
    return found


_Side = tuple[Sequence[Path], str, arb]


def _of_densities(p: _Side, q: _Side) -> arb:
    terms = _terms(q)
    if all(isinstance(term, Bell) for term in terms) and any(_has_no_variance(term) for term in _terms(p)):
        return arb.pos_inf()  # −log g grows as x², of which f has no mean; its own logarithm has one
    if len(terms) == 1 and isinstance(terms[0], Bell):
        paths, name, total = p
        bell = terms[0]
        variance, share = enclose(bell.variance), bell.weight / q[2]
        mass = total_of(paths) / total
        square = (
            sum((moment_of_paths(path, plus(path.values[name], neg(bell.mean)), 2) for path in paths), arb(0)) / total
        )
        logs = (2 * arb.pi() * variance).log() / 2 - share.log()
        return -density_entropy(paths, name, total) + mass * logs + square / (2 * variance)
    return _integral([_piece(term, p[2]) for term in _terms(p)], [_piece(term, q[2]) for term in terms])


def _has_no_variance(term: Term) -> bool:
    """Tell whether a density has a tail that falls like a power so slowly that it has no variance."""
    if not isinstance(term, Piece) or (tail := term.law.tail) is None or tail.kind != "power":
        return False
    return (term.low is None or term.high is None) and compare(tail.rate, 2) <= 0


def _terms(side: _Side) -> list[Term]:
    paths, name, _ = side
    return [term_of(path, value) for path in paths if isinstance(value := path.values[name], Polynomial)]


def _piece(term: Term, total: arb) -> Piece:
    match term:
        case Piece():
            return scaled(term, total)
        case Bell():
            return Piece(term.weight / total, term.mean, 1, Normal((term.variance,)), None, None)
        case Curve():
            return scaled(explicit(term), total)


def _integral(p: Sequence[Piece], q: Sequence[Piece]) -> arb:
    """Enclose ∫ f log(f / g), which is the same in all units: in one in which the narrowest density is about as wide as 1."""
    unit = _unit([*p, *q])
    p, q = ([_in_units(unit, piece) for piece in side] for side in (p, q))
    placed = [placed_of(piece) for piece in (*p, *q)]
    found = arb(0)
    for low, high in pairwise(edges_of(placed, False)):
        f, g = ([piece for piece in side if placed_of(piece).covers(low, high)] for side in (p, q))
        if f and not g:
            return arb.pos_inf()
        if f:
            found += _cell(f, g, low, high)
    return found


def _unit(pieces: Sequence[Piece]) -> Number:
    """Return a power of two that is about the width of the narrowest of some densities."""
    widths = [abs(enclose(piece.scale)) * piece.law.reach(1) for piece in pieces]
    logs = [(width.log() / arb(2).log()).mid() for width in widths if width > 0 and width.is_finite()]
    return power(2, min(int(float(log)) for log in logs)) if logs else 1


def _in_units(unit: Number, piece: Piece) -> Piece:
    """Return a piece in a unit; laws that have a size of their own take all of it, so that their z is the distance of the value."""
    location, scale = div(piece.location, unit), div(piece.scale, unit)
    size = abs_(scale)
    law = piece.law.resized(size)
    if law is None:
        return replace(piece, location=location, scale=scale)
    low, high = (None if end is None else mul(end, size) for end in (piece.low, piece.high))
    return Piece(piece.weight, location, div(scale, size), law, low, high)


def _cell(f: Sequence[Piece], g: Sequence[Piece], low: Edge, high: Edge) -> arb:
    if quadrature.time_is_up():
        raise Beyond("no time left")
    every = [*f, *g]
    found = arb(0)
    ends: list[arb] = []
    for edge, sign, other in ((low, -1, high), (high, 1, low)):
        end = arb(0)
        if edge is None:
            end = far_end(every, [], sign, other, _bits(f, g))
            found += _tail(f, g, sign, end)
        ends.append(end)
    segments, corners = segments_of([placed_of(piece) for piece in every], low, high, (ends[0], ends[1]))
    heights = [height_of(piece).log() for piece in every]
    count = len(f)

    def integrand(_: acb, logs: list[acb], analytic: bool) -> acb:
        parts = [log + height for log, height in zip(logs, heights, strict=True)]
        log_f, log_g = _log_sum(parts[:count], analytic), _log_sum(parts[count:], analytic)
        return sum((part.exp() for part in parts[:count]), acb(0)) * (log_f - log_g)

    for segment in segments:
        found += segment.integral(integrand, GOAL / 64, quadrature.time_is_up)
    for corner in corners:
        found += _corner(corner, f, g)
    return found


def _log_sum(logs: Sequence[acb], analytic: bool) -> acb:
    """Return log Σ e^ℓ, over real balls between the greatest ℓ and that plus the logarithm of their number where the sum is not known to be above 0."""
    if len(logs) == 1:
        return logs[0]
    found = sum((log.exp() for log in logs), acb(0)).log(analytic=analytic)
    if found.is_finite() or analytic or not all(log.imag.is_zero() for log in logs):
        return found
    greatest = logs[0].real
    for log in logs[1:]:
        greatest = greatest.max(log.real)
    return acb(greatest.union(greatest + arb(len(logs)).log()))


def _bits(f: Sequence[Piece], g: Sequence[Piece]) -> int:
    heavy = any(_falls_like(piece, "power") for piece in f) and not all(_falls_like(piece, "power") for piece in g)
    return 200 if heavy else 64


def _falls_like(piece: Piece, kind: Kind) -> bool:
    """Tell whether the tail of a density is of a kind."""
    return piece.law.tail is not None and piece.law.tail.kind == kind


def _tail(f: Sequence[Piece], g: Sequence[Piece], sign: int, end: arb) -> arb:
    """Enclose the integral beyond an end: f log f is between −η and 0, and −log g, positive as g < 1, at most that of each part of g."""
    own = -tail_of_entropy(f, [], sign, end)
    tail_of_entropy(g, [], sign, end)  # the end lies in the tails of g
    best = arb.pos_inf()
    for piece in g:
        scale = enclose(piece.scale)
        far = placed_of(piece).side(sign) * (end - enclose(piece.location)) / scale
        if not far > 1:
            continue
        a, b, c = piece.law.growth(far)
        constant = a + abs(height_of(piece).log())
        # in terms of the value x: z² <= 2 (x² + l²) / s², log|z| <= log|x| + |l / x| + |log s|
        at, location = abs(end), abs(enclose(piece.location))
        if not at > 1:
            continue
        constant += c * (abs(abs(scale).log()) + location / at)
        with contextlib.suppress(Beyond):
            squared = constant + 2 * b * location * location / (scale * scale)
            means = (_tail_mean(each, sign, end, squared, 2 * b / (scale * scale), c) for each in f)
            best = _smaller(best, sum(means, arb(0)).upper())
        if _falls_like(piece, "linear") and c.is_zero():
            # −log g <= A + B far |z| there, and |z| <= (|x| + |l|) / |s|
            slope = b * far / abs(scale)
            with contextlib.suppress(Beyond):
                means = (_linear_mean(each, sign, end, constant + slope * location, slope) for each in f)
                best = _smaller(best, sum(means, arb(0)).upper())
    if not best.is_finite():
        raise Beyond("a tail that begins too near")
    return own + arb(0).union(best)


def _smaller(a: arb, b: arb) -> arb:
    return a if a < b else b


def _linear_mean(piece: Piece, sign: int, end: arb, constant: arb, slope: arb) -> arb:
    """Bound ∫ f (A + B |x|) beyond an end; raises ``Beyond`` where f has no mean."""
    placed, law = placed_of(piece), piece.law
    scale, location = enclose(piece.scale), enclose(piece.location)
    side, z = placed.side(sign), (end - location) / scale
    mass = law.beyond(side, z)
    if side < 0 and not law.is_symmetric:
        raise Beyond("the mean of a tail of a law that is not symmetric")
    first = law.moment_within(1, dyadic((side * z).lower()), None)
    return piece.weight * (constant * mass + slope * (abs(scale) * first + abs(location) * mass))


def _tail_mean(piece: Piece, sign: int, end: arb, constant: arb, square: arb, log: arb) -> arb:
    """Bound ∫ f (A + B x² + C log|x|) beyond an end."""
    placed, law = placed_of(piece), piece.law
    scale, location = enclose(piece.scale), enclose(piece.location)
    side, z = placed.side(sign), (end - location) / scale
    mass = law.beyond(side, z)
    found = constant * mass
    far = side * z
    if not square.is_zero() or (not log.is_zero() and not _falls_like(piece, "power")):
        second = law.second_beyond(side, far)
        mean_square = 2 * (scale * scale * second + location * location * mass)
        found += square * mean_square + log * mean_square  # log|x| <= x²
    elif not log.is_zero():
        # f <= F z^(-df - 1); log|x| <= log z + log(|s| + |l|)
        df, front = law.values[0], law.above_power()
        power = (-df * far.log()).exp()
        found += log * front * power / df * (far.log() + 1 / df + (abs(scale) + abs(location)).log().max(arb(0)))
    return piece.weight * found


def _corner(corner: Corner, f: Sequence[Piece], g: Sequence[Piece]) -> arb:
    """Enclose the integral over a corner: |log g| is at most A + B L + C L² with L = −log d."""
    own = Corner(corner.length, corner.factors[: len(f)], corner.exponents[: len(f)])
    others = Corner(corner.length, corner.factors[len(f) :], corner.exponents[len(f) :])
    largest, a = corner_bound(own, f, [])
    above, power = corner_bound(others, g, [])
    if not (largest.is_finite() and above.is_finite()):
        raise Beyond("a density without a bound")
    length = -corner.length.log()
    best = arb.pos_inf()
    for piece, (low, first, second) in zip(g, corner.logs[len(f) :], strict=True):
        size = abs(height_of(piece).log()) + low + abs(above.log())
        terms = size + (first + 1 - power) * (length + 1 / a) + second * (length**2 + 2 * length / a + 2 / a**2)
        bound = (largest * (-a * length).exp() / a * terms).upper()
        best = bound if bound < best else best
    if not best.is_finite():
        raise Beyond("a density without a bound")
    return -corner_entropy(own, f, []) + arb(0, best)
