r"""Mutual information of discrete variables, in nats.

.. math:: I(x; y \mid z) = \sum_{x,y,z} p(x,y,z) \log \frac{p(z)\, p(x,y,z)}{p(x,z)\, p(y,z)}

(for empty z the paper's H(x) − H(x | y), section "Basic definitions"; the difference itself would cancel). With
:math:`q = p(x,z) p(y,z) / p(z)`, which has the mass of p for each z, it is
:math:`\sum q\,\varphi(p/q)` plus the q-mass of pairs that p excludes (:mod:`seepage.measures.discrete.convex`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from flint import arb, fmpq

from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import precision
from seepage.measures.clock import UNLIMITED, timed
from seepage.measures.discrete.convex import phi
from seepage.measures.discrete.cutting import certified, entropy_bounds, information_bounds
from seepage.measures.discrete.entropy import non_negative, split
from seepage.measures.discrete.large import information, large_table, surprise
from seepage.measures.discrete.weights import (
    BITS,
    Balls,
    Values,
    W,
    Whole,
    grouped,
    marginal,
    ratio,
    total,
    weights_of,
)
from seepage.measures.discrete.whole_bits import closed_information
from seepage.measures.enclosure import Enclosure

# Pairs that cannot occur together are visited one by one up to this number; above, their mass is a difference.
_PAIRS = 200_000


def mutual_information(
    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    x: Sequence[str],
    y: Sequence[str],
    z: Sequence[str] = (),
    budget: Budget = UNLIMITED,
) -> Enclosure:
    """Return the mutual information of ``x`` and ``y`` given the variables ``z``, in nats.

    Exactly 0 if rational masses factorise, or if given each ``z`` one of the two has a single value.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    left, right, given = joint.positions(x), joint.positions(y), joint.positions(z)
    with precision(BITS):
        table = large_table(joint)
        if table is not None:
            caps = (surprise(table, places, given, budget) for places in (left, right))
            return non_negative(information(table, left, right, given, budget), *caps)
        cut = joint.cut
        match weights_of(joint, budget):
            case Whole(whole):
                signed = ((1, (*x, *z)), (1, (*y, *z)), (-1, (*x, *y, *z)), (-1, tuple(z)))
                found = non_negative(*_parts(whole, left, right, given, budget))
                return replace(found, closed=closed_information(joint, signed))
            case Balls(balls):
                told, *entropies = _parts(balls, left, right, given, budget)
                if cut is None:
                    return non_negative(told, *entropies)
                mass = total(balls.values())
                caps = (
                    entropy_bounds(each, mass, cut.about(side))[1] for each, side in zip(entropies, (x, y), strict=True)
                )
                return certified(told, *information_bounds(told, mass, cut.about(x, y)), *caps)


def _parts(
    weights: Mapping[Values, W], left: Sequence[int], right: Sequence[int], given: Sequence[int], budget: Budget
) -> tuple[arb, arb, arb]:
    """Return the information and the two entropies that bound it."""
    information, left_entropy, right_entropy, masses = arb(0), arb(0), arb(0), []
    pair = (*left, *right)
    for cell in timed(grouped(weights, given, pair).values(), budget):
        xs = marginal(cell, range(len(left)))
        ys = marginal(cell, range(len(left), len(pair)))
        mass = total(cell.values())
        masses.append(mass)
        information += _within(cell, xs, ys, mass, len(left), budget)
        left_entropy += split(list(xs.values()), mass, budget)
        right_entropy += split(list(ys.values()), mass, budget)
    whole = arb(total(masses))
    return information / whole, left_entropy / whole, right_entropy / whole


def _within(
    cell: Mapping[Values, W], xs: Mapping[Values, W], ys: Mapping[Values, W], mass: W, width: int, budget: Budget
) -> arb:
    r"""Return the mass of one z times its information: :math:`\sum p \log (p\,m / (p_x p_y))`."""
    if len(xs) == 1 or len(ys) == 1:
        return arb(0)
    result = arb(0)
    for values, weight in timed(cell.items(), budget):
        independent = xs[values[:width]] * ys[values[width:]]
        joint = weight * mass
        result += arb(independent) * phi(ratio(joint, independent), ratio(joint - independent, independent))
    return (result + _excluded(cell, xs, ys, mass, width, budget)) / arb(mass)


def _excluded(
    cell: Mapping[Values, W], xs: Mapping[Values, W], ys: Mapping[Values, W], mass: W, width: int, budget: Budget
) -> arb:
    """Return the sum of p_x·p_y over the pairs that never occur together."""
    pairs = len(xs) * len(ys)
    if pairs == len(cell):
        return arb(0)
    if pairs <= _PAIRS:
        return sum(
            (arb(xs[one] * ys[other]) for one, other in timed(product(xs, ys), budget) if one + other not in cell),
            arb(0),
        )
    covered = total([xs[values[:width]] * ys[values[width:]] for values in cell])
    return arb(mass * mass - covered)
