r"""Kullback–Leibler divergence of discrete variables, in nats.

.. math:: D(x \,\|\, y) = \sum_v p(v) \log \frac{p(v)}{q(v)}

(paper, section "Basic definitions"), infinite if some value of x is none of y. Evaluated as
:math:`\sum_v q(v)\,\varphi(p(v)/q(v))` (:mod:`seepage.measures.discrete.convex`).

Where infinite supports were cut, let m and n be the known masses of the two sides, of sums M and N, and e and f what was cut off, of sums at most σ and τ, wherever it lies; W the values that n has.

* From below (Donsker and Varadhan 1983): :math:`D \ge E_p[g] - \log E_q[e^g]` for every function g; here
  :math:`g = \log \frac{m N}{n M}` where both masses are known, −200 where only n is, and 0 elsewhere. At the true masses the best g is the logarithm of their
  ratio, so nothing but what was cut off is lost.
* From above: with P = m + e and Q = n + f, :math:`M' D = \sum P \log (P / Q) + M' \log (N' / M')`, where
  :math:`\sum_W P \log (P / Q) \le \sum_W m \log (m / n) + \sigma (1 + \log^+ \frac{\max m + \sigma}{\min n})`, as Q ≥ n and :math:`\log (1 + t) \le t`. Outside of W the
  terms are at most 0 if P ≤ Q everywhere, as where p conditions q's distribution on an event; if p may have mass there and that is not known, nothing bounds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from flint import arb, fmpq

from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import precision
from seepage.measures.clock import UNLIMITED, timed
from seepage.measures.discrete.convex import phi
from seepage.measures.discrete.cutting import certified
from seepage.measures.discrete.entropy import non_negative
from seepage.measures.discrete.large import large_table, sights, told_by
from seepage.measures.discrete.weights import (
    BITS,
    ByShape,
    Values,
    W,
    Whole,
    grouped,
    marginal,
    ratio,
    total,
    weights_of,
)
from seepage.measures.discrete.whole_bits import closed_divergence
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note, NoteKind
from seepage.measures.result import Certainty

_LOW = 200
_UNBOUNDED = Note(
    "no upper bound: how the tails of the two infinite supports compare is not known", NoteKind.NO_UPPER_BOUND
)


def _cut_divergence(
    p: Mapping[Values, arb], p_left_out: arb, q: Mapping[Values, arb], q_left_out: arb, within: bool, budget: Budget
) -> Enclosure:
    """Enclose the divergence of masses from masses, each with a bound of the mass that was cut off; call it at the working precision.

    Args:
        p: known masses of the first side, not normalised.
        p_left_out: at least the mass cut off there, on the same scale.
        q: of the second side.
        q_left_out: there.
        within: whether each true mass of the first side is at most that of the second, both on one scale.
        budget: its deadline holds.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    if q_left_out.is_zero() and not p.keys() <= q.keys():
        infinite = arb("inf")
        return Enclosure(infinite, infinite, infinite, Certainty.EXACT)
    p_mass, q_mass = total(p.values()), total(q.values())
    shared = {values: (mass, q[values]) for values, mass in timed(p.items(), budget) if values in q}
    ratios = {values: m / n for values, (m, n) in timed(shared.items(), budget)}
    known = sum((shared[values][0] * each.log() for values, each in timed(ratios.items(), budget)), arb(0))
    shift = (q_mass / p_mass).log()
    lower = _lower(shared, ratios, known, (p_mass, p_left_out), (q_mass, q_left_out), shift)
    notes: tuple[Note, ...]
    upper, notes = arb("inf"), (_UNBOUNDED,)
    if within or (p_left_out.is_zero() and len(shared) == len(p)):
        most = max((m.upper() for m, _ in shared.values()), default=arb(0)) + p_left_out
        span = (most / min(n.lower() for n in q.values())).log().max(arb(0))
        sum_above = (known + p_left_out * (1 + span)).upper()
        least_mass = p_mass if sum_above > 0 else p_mass + p_left_out
        upper, notes = (sum_above / least_mass + ((q_mass + q_left_out) / p_mass).log()).upper(), ()
    value = known / p_mass + shift
    found = certified(value if value > 0 else arb(0), lower, upper)
    return found if not notes else Enclosure(found.value, lower, upper, Certainty.CERTIFIED, notes=notes)


def _lower(
    shared: Mapping[Values, tuple[arb, arb]],
    ratios: Mapping[Values, arb],
    known: arb,
    p_side: tuple[arb, arb],
    q_side: tuple[arb, arb],
    shift: arb,
) -> arb:
    (p_mass, p_left_out), (q_mass, q_left_out) = p_side, q_side
    if not shared:
        return arb(0)
    p_shared, q_shared = total(m for m, _ in shared.values()), total(n for _, n in shared.values())
    least = min((each.log() + shift).lower() for each in ratios.values()).min(arb(-_LOW))
    greatest = max((each * q_mass / p_mass).upper() for each in ratios.values()).max(arb(1))
    mean = known + p_shared * shift + p_left_out * least
    mean /= p_mass + p_left_out if mean > 0 else p_mass
    alone = (q_mass - q_shared).max(arb(0)) * arb(-_LOW).exp()
    power = p_shared / p_mass + (alone + q_left_out * greatest) / q_mass
    bound = (mean - power.log()).lower()
    return bound if bound > 0 else arb(0)


def divergence(
    joint_p: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    x: Sequence[str],
    joint_q: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    y: Sequence[str],
    budget: Budget = UNLIMITED,
    within: bool = False,
) -> Enclosure:
    """Return the divergence of ``x`` in the first distribution from ``y`` in the second, in nats.

    Each side is normalised by its own mass. ``within`` tells that no mass of the first is above that of the second before that, as where the first is
    the second under an event: then the divergence has an upper bound although infinite supports were cut.

    Raises:
        ValueError: if one has no mass or lacks a variable, or if the tuples differ in length.
        OutOfTime: past the budget's deadline.
    """
    if len(x) != len(y):
        raise ValueError(f"both sides of a divergence need as many variables, got {len(x)} and {len(y)}")
    here, there = joint_p.positions(x), joint_q.positions(y)
    with precision(BITS):
        p, q = weights_of(joint_p, budget), weights_of(joint_q, budget)
        if joint_p.cut is not None or joint_q.cut is not None:
            left, right = _masses(joint_p, here), _masses(joint_q, there)
            return _cut_divergence(left, _left_out(joint_p), right, _left_out(joint_q), within, budget)
        if isinstance(p, Whole) and isinstance(q, Whole):
            found = _between(marginal(p.weights, here), marginal(q.weights, there), budget)
            return replace(found, closed=closed_divergence(joint_p, x, joint_q, y))
        return _between(marginal(p.as_balls().weights, here), marginal(q.as_balls().weights, there), budget)


def _masses(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], places: Sequence[int]) -> dict[Values, arb]:
    """Return the masses themselves, not only up to a factor: what was cut off is on their scale."""
    masses: Mapping[Values, fmpq | arb] = joint.masses
    return marginal({values: arb(mass) for values, mass in masses.items()}, places)


def _left_out(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb]) -> arb:
    return arb(0) if joint.cut is None else joint.cut.mass.upper()


def posterior_divergences(
    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb],
    x: Sequence[str],
    y: Sequence[str],
    budget: Budget = UNLIMITED,
) -> list[tuple[Values, Enclosure]]:
    """Return for each value v of ``y`` the divergence of ``x`` given ``y`` = v from ``x``, in nats; in time linear in the joint.

    It is a function of the pairs of weights, after and before, that the values of x have, and is computed once for values v that have the same pairs.

    Raises:
        ValueError: if the joint distribution has no mass, lacks a variable, or was cut.
        OutOfTime: past the budget's deadline.
    """
    if joint.cut is not None:
        raise ValueError("what was cut off an infinite support may tell more than any value that is known")
    of, given = joint.positions(x), joint.positions(y)
    with precision(BITS):
        table = large_table(joint)
        if table is not None:
            mass = sum(table.weights.tolist())
            told = cache(lambda parts: non_negative(told_by(parts, mass)))
            return [(value, told(parts)) for value, parts in timed(sights(table, of, given), budget)]
        found = weights_of(joint, budget)
        if isinstance(found, Whole):
            return _posterior_divergences(found.weights, of, given, budget)
        return _posterior_divergences(found.weights, of, given, budget)


def _posterior_divergences(
    weights: Mapping[Values, W], of: Sequence[int], given: Sequence[int], budget: Budget
) -> list[tuple[Values, Enclosure]]:
    prior = marginal(weights, of)
    mass = total(prior.values())
    known = ByShape[Mapping[Values, W], Enclosure](lambda posterior: _divergence(posterior, prior, mass, budget))
    groups = timed(grouped(weights, given, of).items(), budget)
    return [
        (value, known.of([(weight, prior[one]) for one, weight in posterior.items()], posterior))
        for value, posterior in groups
    ]


def _between(p: Mapping[Values, W], q: Mapping[Values, W], budget: Budget) -> Enclosure:
    return _divergence(p, q, total(q.values()), budget)


def _divergence(p: Mapping[Values, W], q: Mapping[Values, W], q_mass: W, budget: Budget) -> Enclosure:
    """Return the divergence of weights from weights of sum ``q_mass``, in time linear in ``p`` where that is the smaller."""
    if not p.keys() <= q.keys():
        infinite = arb("inf")
        return Enclosure(infinite, infinite, infinite, Certainty.EXACT)
    if len(q) == 1:
        return non_negative(arb(0))
    p_mass = total(p.values())
    result = _outside(p, q, q_mass)
    bounded = True
    for values, mass in timed(p.items(), budget):
        weight = q[values]
        if weight > 0:
            result += _term(mass, weight, p_mass, q_mass)
        else:  # a ball around 0: terms fall as q grows up to p, so that its upper end tells how much they are at least
            bounded = False
            result += _term(arb(mass), arb(weight).upper(), arb(p_mass), arb(q_mass))
    if not bounded:
        least = non_negative(result / arb(q_mass)).lower
        return Enclosure.bounded(least, least, arb.pos_inf())
    return non_negative(result / arb(q_mass))


def _term(mass: W, weight: W, p_mass: W, q_mass: W) -> arb:
    joint, reference = mass * q_mass, weight * p_mass
    return arb(weight) * phi(ratio(joint, reference), ratio(joint - reference, reference))


def _outside(p: Mapping[Values, W], q: Mapping[Values, W], q_mass: W) -> arb:
    """Return the weight that q has where p has none."""
    if 2 * len(p) < len(q):
        return arb(q_mass - total(q[values] for values in p))
    return sum((arb(weight) for values, weight in q.items() if values not in p), arb(0))
