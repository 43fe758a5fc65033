r"""Observing in a component: the row :math:`observe(b)` of the paper's Table 2, :math:`T_{gm}(G_{|b})`.

A condition on discrete values keeps or drops the component. A linear equality :math:`e = c + a^T s = 0` of continuous values is conditioned on
exactly: the weight is multiplied by the density of e at 0, one source is eliminated (:math:`s_j = -(c + \sum_{i \ne j} a_i s_i) / a_j`, in exact coefficients), and with
:math:`g = \Sigma a, S = a^T \Sigma a, \mu = E(e)` the others become

.. math:: m' = m - g \mu / S, \qquad \Sigma' = \Sigma - g g^T / S,

which is positive definite on them again. The components are *reweighted by their likelihood* and nothing is normalised here, so that an observe in a
branch changes the branch's probability (language.md, Fine print 15).
"""

from __future__ import annotations

from dataclasses import replace

from flint import arb

from seepage.distributions.gaussian import Affine, Gaussian, Slot
from seepage.engines.soga.assign import difference, plus, scale, truth_in
from seepage.engines.soga.component import Component
from seepage.engines.soga.merge import covariance_of, dot, mean_of, rows_of, weighted
from seepage.engines.soga.scalars import Arithmetic
from seepage.engines.soga.weights import Weight, Weights
from seepage.exact import div, neg
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression


def conjuncts(condition: Expression) -> list[Expression]:
    """Return the parts of a conjunction, which are conditioned on one after the other."""
    match condition:
        case tree.Parenthesized(inner=inner):
            return conjuncts(inner)
        case tree.Binary(operator="and", left=left, right=right):
            return [*conjuncts(left), *conjuncts(right)]
        case _:
            return [condition]


def observe(component: Component, condition: Expression, met: dict[Span, set[str]]) -> tuple[Weight, Component] | None:
    """Condition a component on one conjunct; return the factor on its weight with what it becomes, None if nothing is left.

    Args:
        component: stays as it is.
        condition: with absolute spans; no conjunction.
        met: per equality, whether it met an "atom" or a "density"; added to.

    Raises:
        Undecided: as :func:`seepage.engines.soga.assign.value_in`.
        Fault: equality that is not linear, and as ``value_in``.
    """
    if not (isinstance(condition, tree.Binary) and condition.operator == "=="):
        return (Weights.one, component) if truth_in(component, condition) else None
    form = difference(replace(component, strict=True), condition)
    if isinstance(form, Affine):
        met.setdefault(condition.span, set()).add("density")
        return condition_on(component, form)
    if form != 0:
        return None
    met.setdefault(condition.span, set()).add("atom")
    return Weights.one, component


def condition_on(component: Component, form: Affine) -> tuple[Weight, Component]:
    """Condition a component on a form being 0; return the form's density at 0 and the component that is left."""
    law, density, pivot = conditioned(component.gaussian, form, component.of)
    slots: list[Slot] = [_without(value, form, pivot) for value in component.state]
    # Earlier cuts and matched products are written in sources that changed their law: the next statement starts anew.
    after = Component(component.scope, tuple(slots), component.of, law, reasons=dict(component.reasons))
    return density, after


def conditioned(gaussian: Gaussian, form: Affine, of: Arithmetic) -> tuple[Gaussian, arb, int]:
    """Return the law of the sources given form = 0, the density of the form at 0, and the source that no form may use any more."""
    table = covariance_of(gaussian)
    g = weighted(table, form.terms, of)
    variance = dot(form.terms, g, of)
    mean = mean_of(form, gaussian, of)
    ratio = of.div(mean, variance)
    means = list(gaussian.means)
    for i, covariance in g.items():
        means[i] = of.sub(means[i], of.mul(covariance, ratio))
        for j, other in g.items():
            if j <= i:
                value = of.sub(table[i].get(j, 0), of.div(of.mul(covariance, other), variance))
                table[i][j] = table[j][i] = value
    m, v = of.ball(mean), of.ball(variance)
    density = (-m * m / (2 * v)).exp() / (2 * arb.pi() * v).sqrt()
    law = replace(gaussian, means=tuple(means), rows=rows_of(table), observed=gaussian.observed + 1)
    return law, density, form.terms[-1][0]


def _without(value: Slot, form: Affine, pivot: int) -> Slot:
    """Write a value without the pivot source, by subtracting a multiple of the form, which is 0."""
    if not isinstance(value, Affine):
        return value
    terms = dict(value.terms)
    if pivot not in terms:
        return value
    factor = div(terms[pivot], dict(form.terms)[pivot])
    return plus(value, scale(form, neg(factor)))
