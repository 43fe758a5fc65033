r"""``Dalpha(x || y, alpha=a)``: Rényi's divergence of an order, of discrete laws.

.. math:: D_\alpha(x \,\|\, y) = \frac{1}{\alpha - 1} \log \sum_v q(v) \left(\frac{p(v)}{q(v)}\right)^\alpha

At 1 it is Kullback and Leibler's; above, it is infinite if some value of x is none of y, and below, if they share none (van Erven, Harremoës 2014, "Rényi
Divergence and Kullback-Leibler Divergence", definition 2 and theorem 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flint import arb

from seepage import exact, rules
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.exact import Number, enclose, precision
from seepage.measures.call_parts import need_shape
from seepage.measures.clock import timed
from seepage.measures.discrete.divergence import divergence
from seepage.measures.discrete.entropy import non_negative
from seepage.measures.discrete.weights import BITS, Values, marginal, total, weights_of
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation
from seepage.measures.functionals.answers import Answers
from seepage.measures.functionals.divergence import compared, tuples
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.scope import fail, static_number
from seepage.measures.units import in_unit
from seepage.syntax.tree import MeasureCall


def _of_order(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, "||", f"{call.name}(x || y, alpha=2)", takes_named=True)
    alpha = _order(evaluation, call)
    x, y = tuples(evaluation, call)
    (first, second), (joint_p, joint_q) = compared(evaluation, call, x, y)
    if isinstance(joint_p, MixtureJoint) or isinstance(joint_q, MixtureJoint) or joint_p.cut or joint_q.cut:
        message = f"'{call.name}' is of discrete laws with finitely many values; 'KL' compares others, too"
        fail(rules.NOT_SUPPORTED, call.span.shift(evaluation.scope.offset), message)
    budget = evaluation.inquiry.budget
    if x == y and first == second:
        return in_unit(evaluation.unit, Enclosure.of_number(0), joint_p)
    if exact.compare(alpha, 1) == 0:
        return in_unit(evaluation.unit, divergence(joint_p, x, joint_q, y, budget), joint_p)
    with precision(BITS):
        p, q = weights_of(joint_p, budget).as_balls().weights, weights_of(joint_q, budget).as_balls().weights
        here, there = marginal(p, joint_p.positions(x)), marginal(q, joint_q.positions(y))
        return in_unit(evaluation.unit, _between(here, there, enclose(alpha), budget), joint_p)


def _order(evaluation: Evaluation, call: MeasureCall) -> Number:
    scope = evaluation.scope
    if not call.named:
        message = f"'{call.name}' without an order 'alpha': write {call.name}(x || y, alpha=2)"
        fail(rules.UNFIT_MEASURE, call.span.shift(scope.offset), message)
    alpha = static_number(scope, call.named[0].value)
    if exact.sign(alpha) <= 0:
        message = f"found alpha = {exact.show(alpha)}, expected a number above 0"
        fail(rules.UNFIT_MEASURE, call.named[0].span.shift(scope.offset), message)
    return alpha


def _between(p: Mapping[Values, arb], q: Mapping[Values, arb], alpha: arb, budget: Budget) -> Enclosure:
    shared = [(mass, q[values]) for values, mass in timed(p.items(), budget) if values in q]
    if not shared or (alpha > 1 and len(shared) < len(p)):
        infinite = arb.pos_inf()
        return Enclosure(infinite, infinite, infinite, Certainty.EXACT)
    p_mass, q_mass = total(p.values()), total(q.values())
    power = sum((weight * (mass * q_mass / (weight * p_mass)) ** alpha for mass, weight in shared), arb(0)) / q_mass
    return non_negative(power.log() / (alpha - 1))


ANSWERS: Answers = MappingProxyType({"divergence of an order": _of_order})
