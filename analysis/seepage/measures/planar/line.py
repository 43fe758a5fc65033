r"""One coordinate of a noisy place: places on a line behind noise of the density :math:`g(t) = |t| K_1(|t|) / \pi`, in units of the scale.

That is the law of one coordinate of planar Laplace noise (its characteristic function is :math:`(1 + t^2)^{-3/2}`; DLMF 10.32.11). It is log-concave, as the slope of
:math:`-\log g` is :math:`K_0/K_1`, which rises from 0 to 1. So of two places at the distance d, whose weights have a quotient :math:`e^a`, the left one is likelier up to one output, where
:math:`\log g(t) - \log g(t - d) = -a`, which is found by halving and proved in balls; everywhere if :math:`a \ge d`, nowhere if :math:`a \le -d`. Noise is beyond t > 0 with the chance that planar noise
crosses a line at that distance (:mod:`seepage.measures.planar.rays`).

Entropies are integrals between the places, with the remainder of :mod:`seepage.measures.gaussian.quadrature`. As :math:`\sqrt z e^{-z} \ge g(z) \ge e^{-z}/\pi` for :math:`z \ge 1` (DLMF 10.40.2 with its remainder), what is farther than L from all places adds at most
:math:`2 \sum_k w_k ((L^2 + 2L + 2) e^{-L} + (\log\pi - \log w_k)(1 + L) e^{-L})`, and :math:`g \le 1/\pi < 1/e` as in :mod:`seepage.measures.planar.entropy`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from flint import arb

from seepage.exact import precision
from seepage.laws.forms import Beyond
from seepage.measures.gaussian.quadrature_rules import Floats, rule
from seepage.measures.planar.entropy import Bounds
from seepage.measures.planar.rays import Chances
from seepage.measures.planar.rays import left_to as left_to_in_plane

_BITS = 64
_MOST_PAIRS = 2_000
_MOST_PLACES = 40
_REACH = 34.0
_BESIDE = 2.0**-20  # a place, where the integrand has no derivative
_GOAL = 2.0**-44  # of one integral
_NODES = 16
_RHOS = (2.0, 3.0, 4.5)
_SAFE = 1 + 1e-9  # of bounds that are floats
_ROUNDING = 1e-13  # of sums of Bessel functions, whose relative errors are below 1e-15 (Moshier 1989, "Methods and Programs for Mathematical Functions")
_STEPS = 64
_SURE = 2.0**-44  # how near a crossing is found, relative to 1 and itself


def left(places: Floats, log_weights: Floats) -> Chances:
    """Return for each place how likely noise around it reaches outputs at which another place is likelier.

    Args:
        places: different numbers, in units of the scale.
        log_weights: logarithms of their weights.

    Raises:
        Beyond: if there are too many.
    """
    order = np.argsort(places)
    one, other = np.triu_indices(len(places), 1)
    first, second = order[one], order[other]  # of each pair the left one, and the right one
    low, high = _crossings(places[second] - places[first], log_weights[first] - log_weights[second])
    ends = np.full(
        (2, 2, len(places)), np.inf
    )  # the nearest crossings on the right and on the left, at least and at most
    for side, (own, signed) in enumerate(
        ((first, (low, high)), (second, _turned(places[second] - places[first], low, high)))
    ):
        for bound, each in enumerate(signed):
            np.minimum.at(ends[side, bound], own, each)
    total, errors = np.zeros(len(places)), np.zeros(len(places))
    for nearest, farthest in ends:
        most, least = beyond(nearest), beyond(farthest)
        total += (most.values + least.values) / 2
        errors += np.abs(most.values - least.values) / 2 + most.errors + least.errors
    lost = total > 1  # an empty cell: another place is likelier everywhere
    return Chances(np.where(lost, 1.0, total), errors)


def _turned(apart: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return crossings as they are seen from the right place to the left."""
    return apart - high, apart - low


def left_to(apart: Floats, lead: Floats) -> Chances:
    """Return the same of pairs of places, as :func:`seepage.measures.planar.rays.left_to`."""
    low, high = _crossings(apart, lead)
    most, least = beyond(low), beyond(high)
    errors = np.abs(most.values - least.values) / 2 + most.errors + least.errors
    return Chances((most.values + least.values) / 2, errors)


def beyond(t: Floats) -> Chances:
    """Return the chance that noise is greater than t."""
    far = np.abs(np.where(np.isfinite(t), t, 1.0))
    found = left_to_in_plane(np.where(far > 0, 2 * far, 1.0), np.zeros(len(t)))
    upper = np.where(far > 0, found.values, 0.5)
    values = np.where(np.isfinite(t), np.where(t >= 0, upper, 1 - upper), np.where(t > 0, 0.0, 1.0))
    return Chances(values, np.where(np.isfinite(t) & (far > 0), found.errors, 0.0))


def _crossings(apart: Floats, lead: Floats) -> tuple[Floats, Floats]:
    """Return bounds of the output from which on the place at ``apart`` is likelier than the one at 0: infinite if there is none.

    Raises:
        Beyond: if there are too many pairs.
    """
    kinds, where = np.unique(np.stack([apart, lead], axis=1), axis=0, return_inverse=True)
    if len(kinds) > _MOST_PAIRS:
        raise Beyond(f"{len(kinds):,} pairs of places on a line")
    with precision(_BITS):
        ends = np.array([_crossing(float(d), float(a)) for d, a in kinds])
    return ends[where.ravel(), 0], ends[where.ravel(), 1]


def _crossing(apart: float, lead: float) -> tuple[float, float]:
    if abs(lead) >= apart:
        return (np.inf, np.inf) if lead > 0 else (-np.inf, -np.inf)
    low, high = -1.0, apart + 1.0
    while _ahead(low, apart, lead) <= 0 and low > -1e6:
        low *= 2
    while _ahead(high, apart, lead) >= 0 and high < 1e6:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _ahead(middle, apart, lead) > 0 else (low, middle)
    off = _SURE * (1 + abs(high))
    while not _is_ahead(low - off, apart, lead, 1) and off < abs(low) + apart + 1:
        off *= 4
    start, off = low - off, _SURE * (1 + abs(high))
    while not _is_ahead(high + off, apart, lead, -1) and off < abs(high) + apart + 1:
        off *= 4
    end = high + off
    return start if _is_ahead(start, apart, lead, 1) else -np.inf, end if _is_ahead(end, apart, lead, -1) else np.inf


def _ahead(t: float, apart: float, lead: float) -> float:
    """Return about by how much the place at 0 is likelier, in logarithms."""
    one, other = max(abs(t), 1e-300), max(abs(t - apart), 1e-300)
    k1e = _bessel(1)
    return float(lead + np.log(one * k1e(one)) - one - np.log(other * k1e(other)) + other)


def _is_ahead(t: float, apart: float, lead: float, sign: int) -> bool:
    """Tell whether the place at 0 is surely likelier at t, or surely less likely."""
    return bool(sign * (arb(lead) + _log_density(arb(t)) - _log_density(arb(t) - arb(apart))) > 0)


def _log_density(t: arb) -> arb:
    z = abs(t)
    return -arb.pi().log() if z.is_zero() else (z * z.bessel_k(1, scaled=True) / arb.pi()).log() - z


# --- entropies ----------------------------------------------------------------------------------------------------------


def entropy(places: Floats, weights: Floats, stop: Callable[[], bool]) -> Bounds:
    r"""Return between what :math:`-\int p \log p` lies, in nats, for lengths in units of the scale.

    Args:
        places: different numbers, in units of the scale.
        weights: positive, together at most 1.
        stop: tells whether the time is up.

    Raises:
        Beyond: if there are too many places, or the time is up.
    """
    if len(places) > _MOST_PLACES:
        raise Beyond(f"{len(places):,} places on a line")
    order = np.argsort(places)
    places, weights = places[order], weights[order]
    waiting = list(pairwise([float(places[0]) - _REACH, *places.tolist(), float(places[-1]) + _REACH]))
    ruled: list[tuple[float, float]] = []
    value = off = 0.0
    while waiting:
        if stop():
            raise Beyond("no time left")
        low, high = waiting.pop()
        error = _remainder(places, weights, low, high)
        if error <= _GOAL:
            ruled.append((low, high))
            off += error
        elif high - low <= _BESIDE:
            ends = _range(places, weights, low, high)
            value += (high - low) * sum(ends) / 2
            off += (high - low) * (ends[1] - ends[0]) / 2
        else:
            middle = (low + high) / 2
            waiting += [(low, middle), (middle, high)]
    value += _ruled(places, weights, np.array(ruled))
    off += _ROUNDING * (8 + abs(value)) * (1 + float(np.abs(places).max()))
    far = np.exp(-_REACH)
    each = far * (_REACH**2 + 2 * _REACH + 2 + (np.log(np.pi) - np.log(weights)) * (1 + _REACH))
    return Bounds(value - off, value + off + 2 * float((weights * each).sum()))


def _remainder(places: Floats, weights: Floats, low: float, high: float) -> float:
    """Bound how far the rule is off between two numbers; infinite where that is not known."""
    half, middle = (high - low) / 2, (low + high) / 2
    away = np.abs(middle - places)
    p = float((weights * _shape(away, 1)).sum()) / np.pi
    best = np.inf
    for rho in _RHOS:
        reach = half * (rho + 1 / rho) / 2
        near = away - reach
        if not (near > 0).all() or not p > 0:
            continue
        # |K_ν(z)| ≤ K_ν(Re z), and −t K_0 is the derivative of t K_1.
        most = _SAFE * float((weights * _shape(near, 1) * (away + reach) / near).sum()) / np.pi
        slope = _SAFE * float((weights * _shape(near, 0) * (away + reach) / near).sum()) / np.pi
        if (
            slope * reach < 0.7 * p
        ):  # then p stays in a disk around its value in the middle, and log p within 2 of that one's
            bound = 64 / 15 * most * (abs(np.log(p)) + 2) * half * rho ** (-2 * _NODES) / (1 - rho**-2)
            best = min(best, float(bound))
    return best


def _bessel(order: int) -> Callable[[Any], Any]:
    """Return a scaled Bessel function of scipy, which is loaded when one is needed, as not everybody has it.

    Raises:
        Beyond: if scipy is not installed.
    """
    try:
        from scipy import special
    except ImportError as error:
        raise Beyond("one coordinate of planar noise, where scipy is not installed") from error
    found: Callable[[Any], Any] = special.k1e if order else special.k0e
    return found


def _shape(t: Floats, order: int) -> Floats:
    """Return t K(t) for numbers above 0, as floats."""
    kernel = _bessel(order)
    t = np.maximum(t, 1e-200)
    return np.asarray(t * kernel(t) * np.exp(-t))


def _ruled(places: Floats, weights: Floats, pieces: Floats) -> float:
    """Return what the rule makes of −p log p on pieces of the line."""
    nodes, rule_weights = rule(_NODES)
    middle, half = pieces.mean(axis=1), (pieces[:, 1] - pieces[:, 0]) / 2
    t = middle[:, None] + half[:, None] * nodes
    p = (_shape(np.abs(t[..., None] - places), 1) @ weights) / np.pi
    return float(((-p * np.log(p)) @ rule_weights * half).sum())


def _range(places: Floats, weights: Floats, low: float, high: float) -> tuple[float, float]:
    """Return bounds of −p log p between two numbers: it rises with p."""
    near = np.maximum(np.maximum(places - high, low - places), 0.0)
    away = np.maximum(np.abs(low - places), np.abs(high - places))
    ends = [float((_shape(each, 1) @ weights) / np.pi) for each in (away, near)]
    return -ends[0] * float(np.log(ends[0])), -ends[1] * float(np.log(ends[1]))
