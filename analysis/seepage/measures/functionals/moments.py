"""``P``, ``E`` and ``Var``: the mean of a value, of the condition that it is for a probability, and its variance."""

from __future__ import annotations

from types import MappingProxyType

from seepage.engines.outcome import MixtureJoint
from seepage.measures.call_parts import need_condition, need_shape, with_value
from seepage.measures.discrete import (
    classes,
    probability,
    variance,
)
from seepage.measures.evaluation import Evaluation, formula
from seepage.measures.formulas import infinite_laws
from seepage.measures.formulas.form import NO_FORMULA
from seepage.measures.functionals.answers import Answers
from seepage.measures.functionals.known import closed as closed_form_of
from seepage.measures.functionals.known import joint_or_known
from seepage.measures.gaussian import moments as gaussian_moments
from seepage.measures.joints import GHOST, classes_of
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity
from seepage.measures.tiny_events import probability_of_ghost
from seepage.measures.units import without_unit
from seepage.syntax.tree import MeasureCall


def _expectation(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, None, f"{call.name}(expression) or {call.name}(expression | event)")
    core, is_mean = with_value(evaluation.scope, call), row_of(call).functional == "mean"
    if is_mean and (huge := classes_of(evaluation.inquiry, core, (GHOST,))) is not None:
        return without_unit(classes.mean_and_variance(huge, GHOST)[0], huge.symbols)
    joint = joint_or_known(evaluation, call.name, core, (GHOST,))
    if isinstance(joint, infinite_laws.Known):
        return without_unit(joint.value, None, joint.closed)
    if not is_mean:
        need_condition(evaluation.scope, call, joint)
    if isinstance(joint, MixtureJoint):
        closed = formula(evaluation, "E", core, (GHOST,)) if is_mean else NO_FORMULA
        return without_unit(gaussian_moments.expectation(joint, GHOST, event=not is_mean), joint, closed)
    if is_mean and joint.cut is not None and (known := closed_form_of(evaluation, "E", core, GHOST)):
        return without_unit(known.value, joint, known.closed)
    value = probability.expectation(joint, GHOST) if is_mean else probability_of_ghost(evaluation.inquiry, core, joint)
    return without_unit(value, joint, formula(evaluation, call.name, core, (GHOST,)))


def _variance(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, None, "Var(expression) or Var(expression | event)")
    core = with_value(evaluation.scope, call)
    if (huge := classes_of(evaluation.inquiry, core, (GHOST,))) is not None:
        return without_unit(classes.mean_and_variance(huge, GHOST)[1], huge.symbols)
    joint = joint_or_known(evaluation, "Var", core, (GHOST,))
    if isinstance(joint, infinite_laws.Known):
        return without_unit(joint.value, None, joint.closed)
    if isinstance(joint, MixtureJoint):
        return without_unit(gaussian_moments.variance(joint, GHOST), joint, formula(evaluation, "Var", core, (GHOST,)))
    if joint.cut is not None and (known := closed_form_of(evaluation, "Var", core, GHOST)):
        return without_unit(known.value, joint, known.closed)
    return without_unit(variance.variance(joint, GHOST), joint, formula(evaluation, "Var", core, (GHOST,)))


ANSWERS: Answers = MappingProxyType({"chance": _expectation, "mean": _expectation, "variance": _variance})
