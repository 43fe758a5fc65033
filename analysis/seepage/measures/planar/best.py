r"""What the best guess gains that reads a noisy place, where several places speak for one guess: an integral of a maximum over the plane.

With gains :math:`g_{ak}` of guess a where the place is k, that is :math:`\int \max_a \sum_k g_{ak} w_k f(o - x_k)\, do`. A guess that is best in the middle of a box by more than its lead can
change is best in all of it, and its sum is integrated by Gauss and Legendre (:mod:`seepage.measures.planar.boxes`). Elsewhere its integral is a lower bound, and what another guess may gain
more, an upper one: with gains from 0 on, which they are less what every guess gains at a place, a sum changes by at most :math:`\sum_k g_{ak} w_k f` for
each unit of length; and a difference as its slope in the middle says, but for half of the square of the length times the sum of :math:`g w_k f \max(1, 1/r)`, which bounds its second derivatives.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from seepage.measures.gaussian.quadrature_rules import Floats
from seepage.measures.planar.boxes import RHOS, TAU, Boxes, Ints, Scattered, on_ellipses, planned, tiling
from seepage.measures.planar.entropy import Bounds

_TOLERANCE = 3e-5
_REACH = 30.0
_EXPECTED = 20_000  # boxes
_MOST_TERMS = 3e8
_AT_ONCE = 400_000  # pairs of a box and a place
_UNIT = 2.0**-52


def best_gain(mixture: Scattered, gains: Floats, stop: Callable[[], bool]) -> Bounds:
    """Return between what the greatest expected gain lies.

    Args:
        mixture: the places.
        gains: of each guess at each place, shape ``(guesses, places)``.
        stop: tells whether the time is up.
    """
    given, gains = gains.min(axis=0), gains - gains.min(axis=0)  # what every guess gains
    sure = float(mixture.weights @ given)
    beyond = (1 + _REACH) * np.exp(-_REACH)
    waiting = tiling(mixture.places.min(axis=0) - _REACH, mixture.places.max(axis=0) + _REACH)
    each = max(1, _AT_ONCE // len(mixture.weights))
    lower = upper = spent = 0.0
    finished = True
    while len(waiting):
        spent += len(waiting) * (gains.size + 20 * len(mixture.weights))
        last = spent > _MOST_TERMS
        left: list[Boxes] = []
        for at in range(0, len(waiting), each):
            last = last or stop()
            some = waiting.of(np.arange(at, min(len(waiting), at + each)))
            (low, high), rest = _level(mixture, gains, some, last=last)
            lower, upper = lower + low, upper + high
            left.append(rest)
        finished = not last
        waiting = Boxes(*(np.concatenate([getattr(one, name) for one in left]) for name in ("centre", "half")))
    size = float(gains.max()) + float(np.abs(given).max())
    rounding = 200 * _UNIT * (1 + _REACH + float(np.abs(mixture.places).max())) * size + size * beyond
    return Bounds(sure + lower - rounding, sure + upper + rounding, finished)


def _level(mixture: Scattered, gains: Floats, boxes: Boxes, *, last: bool) -> tuple[tuple[float, float], Boxes]:
    """Integrate the boxes that are ripe; return bounds of what they gain, and the halves of the others."""
    area, row = boxes.area, np.arange(len(boxes))
    near = boxes.nearest(mixture.places)
    most = np.exp(-near) * (mixture.weights / TAU)
    terms = mixture.terms(boxes.centre)
    sums = terms @ gains.T  # (b, guesses)
    leader = sums.argmax(axis=1)
    lead = sums[row, leader]
    radius = np.hypot(boxes.half[:, 0], boxes.half[:, 1])
    steep = most @ gains.T
    changes = (steep + steep[row, leader][:, None]) * radius[:, None]
    changes = np.minimum(changes, _bent(mixture, gains, boxes, terms, most, near, leader))
    more = np.maximum(sums - lead[:, None] + changes, 0)
    more[row, leader] = 0
    missed = more.max(axis=1) * area  # what another guess may gain more
    rough = steep[row, leader] * radius * area  # how far the value in the middle is off
    goal = _TOLERANCE / _EXPECTED
    settled = np.flatnonzero((missed <= goal) | last)
    some, own = boxes.of(settled), gains[leader[settled]]
    plan = planned(some, _greatest(mixture, own, some), goal / 10)
    flat = (plan.size == 0) & ((rough[settled] <= goal) | last)
    value = _ruled(mixture, own, some, plan.size) + float((lead * area)[settled][flat].sum())
    off = float(plan.error[plan.size > 0].sum() + rough[settled][flat].sum())
    done, along = np.zeros(len(boxes), dtype=np.bool_), (boxes.half[:, 1] > boxes.half[:, 0]).astype(np.intp)
    done[settled] = (plan.size > 0) | flat
    along[settled] = plan.along
    return (value - off, value + off + float(missed[done].sum())), boxes.of(~done).halved(along[~done])


def _bent(
    mixture: Scattered, gains: Floats, boxes: Boxes, terms: Floats, most: Floats, near: Floats, leader: Ints
) -> Floats:
    """Bound how far the lead of the leader over each guess changes in a box, by its slope in the middle and by how much that can change."""
    row = np.arange(len(boxes))
    radius = np.hypot(boxes.half[:, 0], boxes.half[:, 1])[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        bends = (most * np.maximum(1.0, 1 / near)) @ gains.T
        away = [boxes.centre[:, along, None] - mixture.places[:, along] for along in (0, 1)]
        distance = np.hypot(*away)
        slopes = [(terms * np.where(distance > 0, each / distance, 0.0)) @ gains.T for each in away]
    found = (bends + bends[row, leader][:, None]) * radius**2 / 2
    for along, slope in enumerate(slopes):
        found = found + np.abs(slope - slope[row, leader][:, None]) * boxes.half[:, along, None]
    return np.asarray(np.where(np.isfinite(found), found, np.inf))


def _ruled(mixture: Scattered, chosen: Floats, boxes: Boxes, size: Ints) -> float:
    """Return the sum over boxes of the integrals of the sums that are chosen in each."""
    value = 0.0
    for nodes in np.unique(size[size > 0]):
        at = np.flatnonzero(size == nodes)
        some = boxes.of(at)
        points, rule = some.nodes(int(nodes))
        terms = mixture.terms(points.reshape(-1, 2)).reshape(len(at), -1, len(mixture.weights))
        value += float((np.einsum("bnk,bk->bn", terms, chosen[at]) @ rule * some.area).sum())
    return value


def _greatest(mixture: Scattered, own: Floats, boxes: Boxes) -> Floats:
    """Return the greatest moduli of the sums on the ellipses."""
    found = np.full((2, len(RHOS), len(boxes)), np.inf)
    for along in (0, 1):
        for at, rho in enumerate(RHOS):
            terms = on_ellipses(boxes, mixture.places, along, rho)
            found[along, at] = np.where(terms.calm, (terms.most * own) @ mixture.weights, np.inf)
    return found
