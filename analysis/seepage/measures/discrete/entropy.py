r"""Shannon entropy of discrete variables, in nats.

.. math:: H(x) = -\sum_x p(x) \log p(x), \qquad H(x \mid y) = -\sum_{x,y} p(x, y) \log \frac{p(x, y)}{p(y)}

(paper, section "Basic definitions"), with :math:`0 \log 0 = 0`. Both are sums of non-negative terms: for weights
:math:`m_i` with sum :math:`M`

.. math:: S(m) = \sum_i m_i \log (M / m_i), \qquad H(x) = S(m)/M, \qquad H(x \mid y) = \sum_y S(m_{\cdot y})/M,

so nothing cancels, and the relative error is that of the working precision, however small the answer is. The logarithm of
a number near 1 is ``log1p`` of the sum of the other weights over this one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.outcome import Budget, Cut, DiscreteJoint
from seepage.exact import precision
from seepage.measures.clock import UNLIMITED, timed
from seepage.measures.discrete.cutting import certified, entropy_bounds
from seepage.measures.discrete.large import large_table, outcomes, surprise
from seepage.measures.discrete.weights import (
    BITS,
    Balls,
    Values,
    W,
    Whole,
    grouped,
    ratio,
    total,
    weights_of,
)
from seepage.measures.discrete.whole_bits import closed_information
from seepage.measures.enclosure import Enclosure


def entropy(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], x: Sequence[str], budget: Budget = UNLIMITED) -> Enclosure:
    """Return the entropy of some variables jointly, in nats.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    return conditional_entropy(joint, x, (), budget)


def conditional_entropy(
    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    x: Sequence[str],
    y: Sequence[str],
    budget: Budget = UNLIMITED,
) -> Enclosure:
    """Return the entropy of ``x`` given the variables ``y``, in nats; exactly 0 where ``y`` determines ``x``.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    of, given = joint.positions(x), joint.positions(y)
    with precision(BITS):
        table = large_table(joint)
        if table is not None:
            caps = [arb(outcomes(table, of)).log(), *([surprise(table, of, (), budget)] if given else [])]
            return non_negative(surprise(table, of, given, budget), *caps)
        cut = joint.cut
        match weights_of(joint, budget):
            case Whole(whole):
                found = _bounded(whole, of, given, budget)
                return replace(found, closed=closed_information(joint, ((1, (*x, *y)), (-1, tuple(y)))))
            case Balls(balls):
                return (
                    _bounded(balls, of, given, budget) if cut is None else _cut(balls, of, given, cut.about(x), budget)
                )


def _cut(weights: Mapping[Values, arb], of: Sequence[int], given: Sequence[int], cut: Cut, budget: Budget) -> Enclosure:
    """Enclose with what was cut off; the number of values is no bound then."""
    mass = total(weights.values())
    result = _entropy(weights, of, given, budget)
    caps = [entropy_bounds(_entropy(weights, of, (), budget), mass, cut)[1]] if given else []
    return certified(result, *entropy_bounds(result, mass, cut), *caps)


def _bounded(weights: Mapping[Values, W], of: Sequence[int], given: Sequence[int], budget: Budget) -> Enclosure:
    result = _entropy(weights, of, given, budget)
    caps = [arb(len({tuple(values[place] for place in of) for values in weights})).log()]
    if given:
        caps.append(_entropy(weights, of, (), budget))
    return non_negative(result, *caps)


def _entropy(weights: Mapping[Values, W], of: Sequence[int], given: Sequence[int], budget: Budget) -> arb:
    groups = grouped(weights, given, of)
    masses = [total(group.values()) for group in groups.values()]
    cells = timed(zip(groups.values(), masses, strict=True), budget)
    surprise = [split(list(group.values()), mass, budget) for group, mass in cells]
    return sum(surprise, arb(0)) / arb(total(masses))


def split(parts: Sequence[W], whole: W, budget: Budget) -> arb:
    r"""Return :math:`S(m) = \sum_i m_i \log(M / m_i)` for parts of sum ``whole``; exactly 0 for a single part."""
    if len(parts) == 1:
        return arb(0)
    result = arb(0)
    for part in timed(parts, budget):
        share = ratio(part, whole)
        if not share > 0:
            result += arb(whole) * _surprise_near_zero(share)
            continue
        # At most one part is above one half; its complement is added up, since 1 - share would lose digits.
        logarithm = ratio(_without(parts, part), part).log1p() if share > 0.5 else -share.log()
        result += arb(part) * logarithm
    return result


def _surprise_near_zero(share: arb) -> arb:
    r"""Enclose :math:`-t \log t`, which rises to 1/e, for a ball of a share that may hold 0 or reach below it."""
    turn = (-arb(1)).exp()
    upper = share.upper()
    most = -upper * upper.log() if 0 < upper < turn else arb(0) if upper.is_zero() else turn
    return arb(0).union(most)


def _without(parts: Sequence[W], left_out: W) -> W:
    return total([part for part in parts if part is not left_out])


def non_negative(ball: arb, *caps: arb) -> Enclosure:
    """Enclose a number that is known to lie between 0 and each of some numbers; exactly 0 if the ball is, and nothing more is known of one that is nan.

    Call it at the working precision: bounds are rounded outwards there.
    """
    if ball.is_zero():
        return Enclosure.of_rational(Fraction(0))
    lower, upper = (arb(0), arb.pos_inf()) if ball.is_nan() else (ball.lower(), ball.upper())
    if not lower > 0:
        lower = arb(0)
    for cap in caps:
        if cap.upper() < upper:
            upper = cap.upper()
    if not upper >= lower:
        raise AssertionError(f"bounds that exclude each other: {ball}, {caps}")
    return Enclosure.bounded(ball, lower, upper)
