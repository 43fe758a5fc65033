r"""Observing in a component: the row :math:`observe(b)` of the paper's Table 2, :math:`T_{gm}(G_{|b})`.

A condition on discrete values keeps or drops the component. A linear equality :math:`e = c + a^T s = 0` of continuous values is conditioned on
exactly: the weight is multiplied by the density of e at 0, one source is eliminated (:math:`s_j = -(c + \sum_{i \ne j} a_i s_i) / a_j`, in exact coefficients), and with
:math:`g = \Sigma a, S = a^T \Sigma a, \mu = E(e)` the others become

.. math:: m' = m - g \mu / S, \qquad \Sigma' = \Sigma - g g^T / S,

which is positive definite on them again. The components are *reweighted by their likelihood* and nothing is normalised here, so that an observe in a
branch changes the branch's probability (language.md, Fine print 15).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flint import arb

from seepage.data_classes import dataclass
from seepage.diagnostics import Advice, Diagnostic
from seepage.distributions.gaussian import Affine, Gaussian, Slot
from seepage.engines.soga.assign import difference, plus, scale, truth_in
from seepage.engines.soga.component import Component
from seepage.engines.soga.merge import covariance_of, dot, mean_of, rows_of, weighted
from seepage.engines.soga.scalars import Arithmetic
from seepage.engines.soga.weights import Weight, Weights
from seepage.exact import div, neg
from seepage.rules import NONLINEAR_EQUALITY
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import nodes, without_parentheses
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


@dataclass(frozen=True, slots=True)
class Observed:
    """What an observation makes of a component.

    Attributes:
        density: the factor on its weight.
        component: what it becomes.
        peak: the greatest factor that there could have been, whatever the mean; None if the factor is no density.
    """

    density: Weight
    component: Component
    peak: arb | None = None


def observe(component: Component, condition: Expression, met: dict[Span, set[str]]) -> Observed | None:
    """Condition a component on one conjunct; return None if nothing is left of it.

    Args:
        component: stays as it is.
        condition: with absolute spans; no conjunction.
        met: per equality, whether it met an "atom" or a "density", or was "improbable" where it stands; added to.

    Raises:
        Undecided: as :func:`seepage.engines.soga.assign.value_in`.
        Fault: equality that is not linear, and as ``value_in``.
    """
    component.improbable.clear()
    if not (isinstance(condition, tree.Binary) and condition.operator == "=="):
        if truth_in(component, condition):
            return Observed(Weights.one, component)
        _note_improbable(component, met)
        return None
    form = difference(replace(component, strict=True), condition)
    if isinstance(form, Affine):
        met.setdefault(condition.span, set()).add("density")
        return condition_on(component, form)
    if form != 0:
        _note_improbable(component, met)
        return None
    met.setdefault(condition.span, set()).add("atom")
    return Observed(Weights.one, component)


def _note_improbable(component: Component, met: dict[Span, set[str]]) -> None:
    for comparison in component.improbable:
        met.setdefault(comparison.span, set()).add("improbable")


def misplaced_equality(condition: Expression, met: Mapping[Span, set[str]]) -> Diagnostic | None:
    """Explain an observation that no run passes by an equality of continuous values that stands where it has no density."""
    for conjunct in conjuncts(condition):
        for node in nodes(conjunct):
            if isinstance(node, tree.Binary) and "improbable" in met.get(node.span, ()):
                message = (
                    f"equality of continuous values must stand alone or be joined by 'and', found '{spelled(conjunct)}'"
                )
                return Diagnostic(NONLINEAR_EQUALITY, node.span, message, notes=(_instead(conjunct, node),))
    return None


def _instead(conjunct: Expression, equality: tree.Binary) -> Advice:
    """Say what to write for an equality inside another condition."""
    match conjunct:
        case tree.Conditional(condition=condition, consequent=first, alternative=second):
            choice, one, other = spelled(condition), spelled(first), spelled(second)
            return Advice(f"write 'if {choice} {{ observe({one}) }} else {{ observe({other}) }}'")
        case tree.Unary(operand=operand) if without_parentheses(operand) == equality and equality.operator == "!=":
            return Advice(f"write '{spelled(equality.left)} == {spelled(equality.right)}'")
        case _:
            return Advice(
                "write one linear equality, with a discrete variable for what it may be equal to, as in 'k ~ uniform_of(1, 2)  observe(x == k)'"
            )


def condition_on(component: Component, form: Affine) -> Observed:
    """Condition a component on a form being 0; the factor is the form's density at 0."""
    law, density, peak, pivot = conditioned(component.gaussian, form, component.of)
    slots: list[Slot] = [_without(value, form, pivot) for value in component.state]
    # Earlier cuts and matched products are written in sources that changed their law: the next statement starts anew.
    after = Component(component.scope, tuple(slots), component.of, law, reasons=dict(component.reasons))
    return Observed(density, after, peak)


def conditioned(gaussian: Gaussian, form: Affine, of: Arithmetic) -> tuple[Gaussian, arb, arb, int]:
    """Return the law of the sources given form = 0, the form's density at 0 and at its mean, and the source that no form may use any more."""
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
    peak = 1 / (2 * arb.pi() * v).sqrt()
    density = (-m * m / (2 * v)).exp() * peak
    law = replace(gaussian, means=tuple(means), rows=rows_of(table), observed=gaussian.observed + 1)
    return law, density, peak, form.terms[-1][0]


def _without(value: Slot, form: Affine, pivot: int) -> Slot:
    """Write a value without the pivot source, by subtracting a multiple of the form, which is 0."""
    if not isinstance(value, Affine):
        return value
    terms = dict(value.terms)
    if pivot not in terms:
        return value
    factor = div(terms[pivot], dict(form.terms)[pivot])
    return plus(value, scale(form, neg(factor)))
