"""``H(x | y)`` and ``I(x; y | z)``: an information that dependence alone proves to be 0 is not computed at all."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType

from flint import arb

from seepage import rules
from seepage.diagnostics import Fault
from seepage.engines.forward.class_widths import least_width
from seepage.engines.outcome import MixtureJoint
from seepage.engines.select import samples_continuous
from seepage.measures.call_parts import condition_of, need_shape
from seepage.measures.discrete import (
    classes,
    entropy,
    mutual_information,
    whole_bits,
)
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation, formula
from seepage.measures.formulas import infinite_laws
from seepage.measures.functionals.answers import Answers
from seepage.measures.functionals.known import closed as closed_form_of
from seepage.measures.functionals.known import joint_or_known
from seepage.measures.gaussian import entropy as gaussian_entropy
from seepage.measures.gaussian import information as gaussian_information
from seepage.measures.gaussian.facts import within_entropies
from seepage.measures.joints import classes_of, joint_of, need_no_fault, observing
from seepage.measures.paper import questions as paper_questions
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity, total
from seepage.measures.result import Certainty
from seepage.measures.scope import variables
from seepage.measures.units import in_unit
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import determines, independent, slice_program
from seepage.syntax.tree import MeasureCall

_LONG, _LONGEST = 9, 256  # tuples whose independent members are looked for; shorter ones are solved at once


def _entropy(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, None, "H(x, y) or H(x | z)")
    x = variables(evaluation.scope, call.left)
    given, event = condition_of(evaluation.scope, call)
    core = observing(evaluation.scope, event)
    alone = _independent_of_the_rest(core, x) if not given else ()
    if alone:
        rest = tuple(name for name in x if name not in alone)
        return total(
            [_joint_entropy(evaluation, core, part, ()) for part in (*((name,) for name in alone), rest) if part]
        )
    return _joint_entropy(evaluation, core, x, given)


def _independent_of_the_rest(core: CoreProgram, x: tuple[str, ...]) -> tuple[str, ...]:
    """Return the variables of a long tuple that are independent of all the others: their entropies add up."""
    if not _LONG <= len(x) <= _LONGEST:
        return ()
    return tuple(name for name in x if independent(core, (name,), tuple(other for other in x if other != name)))


def _joint_entropy(evaluation: Evaluation, core: CoreProgram, x: tuple[str, ...], given: tuple[str, ...]) -> Quantity:
    if evaluation.method is not None:
        return paper_questions.entropy(evaluation, evaluation.method, core, x, given)
    if (huge := classes_of(evaluation.inquiry, core, (*x, *given))) is not None:
        found, bits = classes.conditional_entropy(huge, x, given, evaluation.inquiry.budget)
        return in_unit(evaluation.unit, found, huge.symbols, bits)
    joint = joint_or_known(evaluation, "H", core, (*x, *given))
    if isinstance(joint, infinite_laws.Known):
        return in_unit(evaluation.unit, joint.value, None, joint.bits, joint.closed)
    if isinstance(joint, MixtureJoint):
        shared = [joint.variables.index(name) for name in x if name in given]
        if any(component.values[place] is None for component in joint.components for place in shared):
            # Given itself, a continuous variable is a point: its differential entropy is −∞.
            point = Enclosure(arb.neg_inf(), arb.neg_inf(), arb.neg_inf(), Certainty.EXACT)
            return in_unit(evaluation.unit, point, joint)
        found = gaussian_entropy.conditional_entropy(joint, x, given) if given else gaussian_entropy.entropy(joint, x)
        found = within_entropies(found, joint, evaluation.inquiry, core, x, densities=True)
        return in_unit(evaluation.unit, found, joint, None, formula(evaluation, "H", core, x, given))
    if joint.cut is not None and len(x) == 1 and not given and (known := closed_form_of(evaluation, "H", core, x[0])):
        return in_unit(evaluation.unit, known.value, joint, known.bits, known.closed)
    found = entropy.conditional_entropy(joint, x, given, evaluation.inquiry.budget)
    bits = whole_bits.information_bits(joint, ((1, (*x, *given)), (-1, given)))
    return in_unit(evaluation.unit, found, joint, bits, formula(evaluation, "H", core, x, given))


def _information(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, ";", "I(x; y) or I(x; y | z)")
    x, y = variables(evaluation.scope, call.left), variables(evaluation.scope, call.right)
    given, event = condition_of(evaluation.scope, call)
    core = observing(evaluation.scope, event)
    if independent(core, x, y, given):
        joint_of(evaluation.inquiry, core, ())  # an event that is independent, too, may still be impossible
        need_no_fault(evaluation.inquiry, core, (*x, *y, *given))
        return Quantity(Enclosure.of_rational(Fraction(0)), 1, "dependence")
    if evaluation.method is not None:
        return paper_questions.information(evaluation, evaluation.method, core, x, y, given)
    if (entropy_alone := _of_a_huge_secret(evaluation, core, x, y, given)) is not None:
        return entropy_alone
    if (huge := classes_of(evaluation.inquiry, core, (*x, *y, *given))) is not None:
        found, bits = classes.information(huge, x, y, given, evaluation.inquiry.budget)
        return in_unit(evaluation.unit, found, huge.symbols, bits)
    if (entropy_alone := _of_a_function(evaluation, core, x, y, given)) is not None:
        return entropy_alone
    joint = joint_of(evaluation.inquiry, core, (*x, *y, *given))
    if isinstance(joint, MixtureJoint):
        found = gaussian_information.mutual_information(joint, x, y, given)
        found = within_entropies(found, joint, evaluation.inquiry, core, x, y)
        return in_unit(evaluation.unit, found, joint, None, formula(evaluation, "I", core, x, y, given))
    found = mutual_information.mutual_information(joint, x, y, given, evaluation.inquiry.budget)
    signed = ((1, (*x, *given)), (1, (*y, *given)), (-1, (*x, *y, *given)), (-1, given))
    bits = whole_bits.information_bits(joint, signed)
    return in_unit(evaluation.unit, found, joint, bits, formula(evaluation, "I", core, x, y, given))


def _of_a_huge_secret(
    evaluation: Evaluation, core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], given: tuple[str, ...]
) -> Quantity | None:
    """Return I(x; y | z) = H(y | z) where x has a huge range and y is a function of x, or so with x and y exchanged.

    To follow x, too, may split it at every bit that y reads.
    """
    sliced = slice_program(core, (*x, *y, *given)).statements
    if not least_width(sliced, evaluation.scope.parameters) or samples_continuous(sliced):
        return None
    for determined, by in ((y, x), (x, y)):
        if not determines(core, by, determined):
            continue
        need_no_fault(evaluation.inquiry, core, (*x, *y, *given))
        try:
            return _joint_entropy(evaluation, core, determined, given)
        except Fault as fault:
            if fault.diagnostic.rule is not rules.BUDGET_EXCEEDED:
                raise
    return None


def _of_a_function(
    evaluation: Evaluation, core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], given: tuple[str, ...]
) -> Quantity | None:
    """Return I(x; y | z) = H(y | z) where y is discrete and a function of x, so that x need not be enumerated; or so with x and y exchanged."""
    for determined, by in ((y, x), (x, y)):
        if not determines(core, by, determined):
            continue
        known = (*determined, *given)
        if not isinstance(joint_of(evaluation.inquiry, core, known), MixtureJoint):
            need_no_fault(evaluation.inquiry, core, (*x, *y, *given), known)
            return _joint_entropy(evaluation, core, determined, given)
    return None


def _of_entropies(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    return (_information if row_of(call).is_information else _entropy)(evaluation, call)


ANSWERS: Answers = MappingProxyType({"entropy": _of_entropies})
