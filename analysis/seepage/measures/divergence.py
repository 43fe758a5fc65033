r"""Kullback–Leibler divergence of discrete variables, in nats.

.. math:: D(x \,\|\, y) = \sum_v p(v) \log \frac{p(v)}{q(v)}

(paper, section "Basic definitions"), infinite if some value of x is none of y. Evaluated as
:math:`\sum_v q(v)\,\varphi(p(v)/q(v))` (:mod:`seepage.measures.convex`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flint import arb, fmpq

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import precision
from seepage.measures.convex import phi
from seepage.measures.enclosure import Enclosure
from seepage.measures.entropy import non_negative
from seepage.measures.result import Certainty
from seepage.measures.weights import BITS, Values, W, Whole, marginal, positions, ratio, total, weights_of


def divergence(
    joint_p: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    x: Sequence[str],
    joint_q: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    y: Sequence[str],
) -> Enclosure:
    """Return the divergence of ``x`` in the first distribution from ``y`` in the second, in nats.

    Each side is normalised by its own mass.

    Raises:
        ValueError: if one has no mass or lacks a variable, or if the tuples differ in length.
    """
    if len(x) != len(y):
        raise ValueError(f"both sides of a divergence need as many variables, got {len(x)} and {len(y)}")
    here, there = positions(joint_p, x), positions(joint_q, y)
    with precision(BITS):
        p, q = weights_of(joint_p), weights_of(joint_q)
        if isinstance(p, Whole) and isinstance(q, Whole):
            return _divergence(marginal(p.weights, here), marginal(q.weights, there))
        return _divergence(marginal(p.as_balls().weights, here), marginal(q.as_balls().weights, there))


def _divergence(p: Mapping[Values, W], q: Mapping[Values, W]) -> Enclosure:
    if not p.keys() <= q.keys():
        infinite = arb("inf")
        return Enclosure(infinite, infinite, infinite, Certainty.EXACT)
    p_mass, q_mass = total(p.values()), total(q.values())
    if len(q) == 1:
        return non_negative(arb(0))
    result = arb(0)
    for values, weight in q.items():
        if values in p:
            joint, reference = p[values] * q_mass, weight * p_mass
            result += arb(weight) * phi(ratio(joint, reference), ratio(joint - reference, reference))
        else:
            result += arb(weight)
    return non_negative(result / arb(q_mass))
