r"""How likely noise leaves a place the likeliest: one integral over directions.

Place k, of weight :math:`w_k`, beats place j at the outputs o with :math:`|o - x_k| - |o - x_j| < a`, where :math:`a = \log(w_k/w_j)`: on the near side of one branch of a hyperbola with
foci at both places. Seen from :math:`x_k` that is, in the direction θ, all distances below 1/u with

.. math:: u(\theta) = \frac{2 (d \cos(\theta - \theta_j) - a)}{d^2 - a^2}, \qquad d = |x_j - x_k|,

if u > 0, and all distances else; everywhere if :math:`a \ge d`, nowhere if :math:`a \le -d`. So place k beats all others up to the least of these distances, and as noise is farther than r from
its centre with the chance :math:`(1 + r) e^{-r}`, the noise leaves that cell with the chance

.. math:: \frac{1}{2\pi} \int_0^{2\pi} T(\max_j u_j(\theta)^+)\, d\theta, \qquad T(u) = (1 + 1/u)\, e^{-1/u}.

The greatest u is that of one place between angles that are found by walking around. What these, and rounding, miss of it by δ counts :math:`T' \le 27 e^{-3} < 1.35` times. The integrals are
by Gauss and Legendre, with the remainder of :mod:`seepage.measures.gaussian.quadrature`: for complex z with :math:`|z| \le L`, :math:`u(\theta + z)` is at most
:math:`\eta = |u'(\theta)| \sinh L + |u''(\theta)| (\cosh L - 1)` from :math:`u(\theta)`, and :math:`|T| \le (1 + 1/(u - \eta)) e^{-1/(u + \eta)}` there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_rules import Floats, rule

Ints: TypeAlias = NDArray[np.intp]

_NODES = 20
_RHOS = (1.6, 2.2, 3.0, 4.5, 8.0)
_GOAL = 1e-16  # of the remainder of one part
_UNIT = 2.0**-52
_STEEPEST = 1.35  # T'
_NARROWEST = 2.0**-34  # radians, of half an arc: where weights nearly tie, rounding hides what u is nearer to 0
_AHEAD = 1e-10  # radians, at which the likeliest place is looked up after a crossing
_MOST_CROSSINGS = 8  # for each place: there are at most two for each
_HIDDEN = 45.0  # T(1/45) is below 1e-17


@dataclass(frozen=True, slots=True)
class Arcs:
    """Parts of integrals of T(a cos θ + b sin θ + c) over θ from ``start`` to ``end``; ``owner`` says of which, ``doubt`` how far u may be off."""

    owner: Ints
    a: Floats
    b: Floats
    c: Floats
    start: Floats
    end: Floats
    doubt: Floats


@dataclass(frozen=True, slots=True)
class Chances:
    """Numbers, and how far each may be off."""

    values: Floats
    errors: Floats


def left(places: Floats, log_weights: Floats) -> Chances:
    """Return for each place how likely noise around it reaches outputs at which another place is likelier.

    Args:
        places: different points, in units of the scale, shape ``(n, 2)``.
        log_weights: logarithms of their weights, shape ``(n,)``.
    """
    arcs = [_around(places, log_weights, at) for at in range(len(places))]
    lost = np.array([each is None for each in arcs])
    kept = [each for each in arcs if each is not None]
    names = ("owner", "a", "b", "c", "start", "end", "doubt")
    found = integrated(Arcs(*(np.concatenate([getattr(each, name) for each in kept]) for name in names)), len(places))
    return Chances(np.where(lost, 1.0, found.values), found.errors)


def left_to(apart: Floats, lead: Floats) -> Chances:
    """Return the same of pairs of places.

    Args:
        apart: the distance of the two, above 0.
        lead: a: the logarithm of how many times heavier the place of the noise is.
    """
    count = len(apart)
    cosine = np.clip(lead / apart, -1, 1)
    inside = np.abs(lead) < apart
    kept = np.flatnonzero(inside)
    a, c, doubt = _hyperbola(apart[kept], lead[kept])
    zero = np.zeros(len(kept))
    found = integrated(Arcs(kept, a, zero, c, zero, np.arccos(cosine[kept]), doubt), count)
    return Chances(np.where(inside, 2 * found.values, (lead <= -apart).astype(float)), 2 * found.errors)


def _hyperbola(apart: Floats, lead: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what multiplies the cosine in u, the rest of it, and how far rounding takes u off."""
    gap = (apart - lead) * (apart + lead)
    slope, rest = 2 * apart / gap, -2 * lead / gap
    margin = apart - np.abs(lead)
    return slope, rest, 8 * _UNIT * (slope + np.abs(rest)) * (1 + apart / margin)


def _around(places: Floats, log_weights: Floats, at: int) -> Arcs | None:
    """Return the arcs of one place; None if another is likelier everywhere."""
    offsets = np.delete(places - places[at], at, axis=0)
    lead = log_weights[at] - np.delete(log_weights, at)
    apart = np.hypot(offsets[:, 0], offsets[:, 1])
    if (lead <= -apart).any():
        return None
    near = lead < apart
    offsets, lead, apart = offsets[near], lead[near], apart[near]
    slope, rest, doubt = _hyperbola(apart, lead)
    # The last one is u = 0: no other place is likelier, however far the noise goes.
    a = np.append(slope * offsets[:, 0] / apart, 0.0)
    b = np.append(slope * offsets[:, 1] / apart, 0.0)
    c, doubt = np.append(rest, 0.0), np.append(doubt, 0.0)
    angles, leaders = _walk(a, b, c)
    start, end = np.array(angles[:-1]), np.array(angles[1:])
    chosen = np.array(leaders, dtype=np.intp)
    missed = _exceeded(a, b, c, chosen, start, end) + doubt.max()
    owner = np.full(len(chosen), at, dtype=np.intp)
    return Arcs(owner, a[chosen], b[chosen], c[chosen], start, end, missed)


def _walk(a: Floats, b: Floats, c: Floats) -> tuple[list[float], list[int]]:
    """Return the angles between which one u is the greatest, and which."""
    angle, full = 0.0, 2 * np.pi
    angles, leaders = [0.0], [_greatest(a, b, c, _AHEAD)]
    for _ in range(_MOST_CROSSINGS * len(a)):
        lead = leaders[-1]
        da, db, dc = a - a[lead], b - b[lead], c - c[lead]
        size = np.hypot(da, db)
        with np.errstate(divide="ignore", invalid="ignore"):
            half = np.arccos(-dc / size)
        rises = np.mod(np.arctan2(db, da) - half - angle - _AHEAD, full)  # where u gets greater than that of the leader
        rises = np.where(np.isfinite(rises), rises, np.inf)
        angle += float(rises.min()) + _AHEAD
        if not angle < full:
            break
        angles.append(angle)
        leaders.append(_greatest(a, b, c, angle + _AHEAD))
    return [*angles, full], leaders


def _greatest(a: Floats, b: Floats, c: Floats, angle: float) -> int:
    return int(np.argmax(a * np.cos(angle) + b * np.sin(angle) + c))


def _exceeded(a: Floats, b: Floats, c: Floats, chosen: Ints, start: Floats, end: Floats) -> Floats:
    """Return by how much some u exceeds the chosen one, at most, on each arc."""
    da, db, dc = a - a[chosen][:, None], b - b[chosen][:, None], c - c[chosen][:, None]
    ends = [da * np.cos(angle)[:, None] + db * np.sin(angle)[:, None] for angle in (start, end)]
    peak = np.mod(np.arctan2(db, da) - start[:, None], 2 * np.pi) <= (end - start)[:, None]
    swing = np.where(peak, np.hypot(da, db), np.maximum(*ends))
    return np.asarray(np.maximum((swing + dc).max(axis=1), 0.0))


def integrated(arcs: Arcs, count: int) -> Chances:
    """Return the integrals of the arcs over 2π, by owner."""
    values, errors = np.zeros(count), np.zeros(count)
    nodes, weights = rule(_NODES)
    while len(arcs.owner):
        half, middle = (arcs.end - arcs.start) / 2, (arcs.end + arcs.start) / 2
        remainder = _remainder(arcs, middle, half)
        reach = np.maximum(np.abs(arcs.a) + np.abs(arcs.b), 0)
        top = _u(arcs, middle) + reach * half  # |u'| <= |a| + |b|
        hidden = top * _HIDDEN <= 1
        done = (remainder <= _GOAL) | hidden | (half <= _NARROWEST)
        last = done & ~hidden & (remainder > _GOAL)
        error = np.where(hidden, 1e-17, np.where(last, 1.0, remainder + _GOAL)) * 2 * half
        error = np.minimum(error + _STEEPEST * arcs.doubt * 2 * half, 2 * half)  # as T is between 0 and 1
        at = np.flatnonzero(done & ~hidden)
        angles = middle[at, None] + half[at, None] * nodes
        u = np.maximum(_u(_of(arcs, at), angles), 0.0)
        told = (tail(u) * weights).sum(axis=1) * half[at]
        np.add.at(values, arcs.owner[at], told / (2 * np.pi))
        np.add.at(errors, arcs.owner[at], 64 * _UNIT * told / (2 * np.pi))
        chosen = np.flatnonzero(done)
        np.add.at(errors, arcs.owner[chosen], error[chosen] / (2 * np.pi))
        arcs = _halved(_of(arcs, np.flatnonzero(~done)))
    return Chances(values, errors)


def tail(u: Floats) -> Floats:
    """Return T(u), the chance that noise is farther than 1/u from its centre."""
    with np.errstate(divide="ignore"):
        far = np.minimum(np.where(u > 0, 1 / np.where(u > 0, u, 1.0), 700.0), 700.0)
    return np.asarray((1 + far) * np.exp(-far))


def _u(arcs: Arcs, angles: Floats) -> Floats:
    a, b, c = (each if angles.ndim == 1 else each[:, None] for each in (arcs.a, arcs.b, arcs.c))
    return np.asarray(a * np.cos(angles) + b * np.sin(angles) + c)


def _remainder(arcs: Arcs, middle: Floats, half: Floats) -> Floats:
    """Bound how far the rule is off on each arc, divided by its half width."""
    u = _u(arcs, middle)
    swing = u - arcs.c
    slope = np.abs(arcs.b * np.cos(middle) - arcs.a * np.sin(middle))
    best = np.full(len(u), np.inf)
    for rho in _RHOS:
        reach = half * (rho + 1 / rho) / 2
        eta = slope * np.sinh(reach) + np.abs(swing) * (np.cosh(reach) - 1) + 1e-12 * np.abs(u)
        calm = eta < 0.9 * u
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            greatest = (1 + 1 / (u - eta)) * np.exp(-1 / (u + eta))
        bound = 64 / 15 * greatest * rho ** (-2 * _NODES) / (1 - rho**-2)
        best = np.minimum(best, np.where(calm, bound, np.inf))
    return best


def _of(arcs: Arcs, at: Ints) -> Arcs:
    return Arcs(arcs.owner[at], arcs.a[at], arcs.b[at], arcs.c[at], arcs.start[at], arcs.end[at], arcs.doubt[at])


def _halved(arcs: Arcs) -> Arcs:
    middle, twice = (arcs.start + arcs.end) / 2, np.tile(np.arange(len(arcs.owner)), 2)
    start, end = np.concatenate([arcs.start, middle]), np.concatenate([middle, arcs.end])
    return replace(_of(arcs, twice), start=start, end=end)
