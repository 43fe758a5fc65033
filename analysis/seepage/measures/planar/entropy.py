r"""The entropy of a noisy place: :math:`-\int p \log p` over the plane, with proof.

As all weights are together at most 1, :math:`p \le 1/(2\pi) < 1/e`, where :math:`-p \log p` rises with p: in a box it lies between its values at bounds of p. On ellipses
(:mod:`seepage.measures.planar.boxes`) it is analytic, and at most the greatest modulus of p times (the greatest modulus of log |p|, and β for the angle). Farther than L from all places,

.. math:: 0 \le -\int p \log p \le \sum_k w_k \bigl( (L^2 + 2L + 2) e^{-L} + (\log 2\pi - \log w_k)(1 + L) e^{-L} \bigr),

as :math:`\log p \ge \log(w_k f)`. Around a place p has the shape of a cone: boxes become small there until the range of the integrand is narrow enough. Where places
and weights are the same in a mirror, half of the plane tells all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.planar.boxes import RHOS, TAU, Boxes, Scattered, on_ellipses, planned, tiling

_TOLERANCE = 1e-10  # nats, for all boxes together
_EXPECTED = 4_000  # boxes
_REACHES = (24.0, 28.0, 32.0, 40.0, 60.0, 120.0)
_MOST_TERMS = 1.5e9
_AT_ONCE = 1_000_000  # pairs of a box and a place
_UNIT = 2.0**-52


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between what a number lies; ``finished`` where it is as narrow as wanted."""

    lower: float
    upper: float
    finished: bool = True


def entropy(mixture: Scattered, mirrors: tuple[bool, bool], stop: Callable[[], bool]) -> Bounds:
    """Return between what :math:`-\\int p \\log p` lies, in nats, for lengths in units of the scale.

    Args:
        mixture: the places.
        mirrors: for each coordinate whether places and weights are the same when it is turned around the middle.
        stop: tells whether the time is up.
    """
    reach, beyond = _outside(mixture.weights)
    low, high = mixture.places.min(axis=0) - reach, mixture.places.max(axis=0) + reach
    low = np.where(mirrors, (low + high) / 2, low)
    times = 2 ** sum(mirrors)
    waiting = tiling(low, high)
    value = off = spent = 0.0
    count = len(mixture.weights)
    finished = True
    while len(waiting):
        spent += len(waiting) * count * 40
        last = spent > _MOST_TERMS
        left: list[Boxes] = []
        for at in range(0, len(waiting), max(1, _AT_ONCE // count)):
            last = last or stop()
            some = waiting.of(np.arange(at, min(len(waiting), at + max(1, _AT_ONCE // count))))
            part, doubt, rest, terms = _level(mixture, some, _TOLERANCE / _EXPECTED / times, last=last)
            value, off, spent = value + part, off + doubt, spent + terms
            left.append(rest)
        finished = not last
        waiting = _joined(left)
    off += 200 * _UNIT * (1 + reach + float(np.abs(mixture.places).max())) * (abs(value) + 8)
    return Bounds(times * (value - off), times * (value + off) + beyond, finished)


def _joined(parts: list[Boxes]) -> Boxes:
    return Boxes(np.concatenate([each.centre for each in parts]), np.concatenate([each.half for each in parts]))


def _outside(weights: Floats) -> tuple[float, float]:
    """Return how far boxes reach, and what is missing beyond at most."""
    found = [(reach, _missing(weights, reach)) for reach in _REACHES]
    return next((each for each in found if each[1] < _TOLERANCE), found[-1])


def _missing(weights: Floats, reach: float) -> float:
    far = np.exp(-reach)
    each = (reach**2 + 2 * reach + 2) * far + (np.log(TAU) - np.log(weights)) * (1 + reach) * far
    return float((weights * each).sum())


def _level(mixture: Scattered, boxes: Boxes, goal: float, *, last: bool) -> tuple[float, float, Boxes, float]:
    """Integrate the boxes that are ripe; return the value, how far it may be off, the halves of the others, and how many terms it took."""
    weights, places, area = mixture.weights, mixture.places, boxes.area
    low = _h((np.exp(-boxes.farthest(places)) * weights).sum(axis=1) / TAU) * area
    high = _h((np.exp(-boxes.nearest(places)) * weights).sum(axis=1) / TAU) * area
    narrow = (high - low <= 1e-2 * goal) | last
    value, off = float(((low + high) / 2)[narrow].sum()), float(((high - low) / 2)[narrow].sum())
    boxes = boxes.of(~narrow)
    if not len(boxes):
        return value, off, boxes, 0.0
    plan = planned(boxes, _greatest(mixture, boxes), goal)
    terms = 0.0
    for size in np.unique(plan.size[plan.size > 0]):
        chosen = np.flatnonzero(plan.size == size)
        some = boxes.of(chosen)
        points, rule = some.nodes(int(size))
        p = mixture.density(points.reshape(-1, 2)).reshape(len(some), -1)
        value += float((_h(p) @ rule * some.area).sum())
        off += float(plan.error[chosen].sum())
        terms += p.size * len(weights)
    ripe = plan.size > 0
    return value, off, boxes.of(~ripe).halved(plan.along[~ripe]), terms


def _greatest(mixture: Scattered, boxes: Boxes) -> Floats:
    """Return the greatest moduli of the integrand on the ellipses, shape ``(2, len(RHOS), b)``."""
    found = np.full((2, len(RHOS), len(boxes)), np.inf)
    for along in (0, 1):
        for at, rho in enumerate(RHOS):
            terms = on_ellipses(boxes, mixture.places, along, rho)
            most = terms.most @ mixture.weights
            least = np.cos(terms.angle) * (terms.least @ mixture.weights)
            with np.errstate(divide="ignore"):
                logarithm = np.maximum(np.abs(np.log(most)), np.abs(np.log(least))) + terms.angle
            found[along, at] = np.where(terms.calm, most * logarithm, np.inf)
    return found


def _h(p: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(p > 0, -p * np.log(p), 0.0))
