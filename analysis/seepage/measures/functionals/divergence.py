"""``KL(x || y)``."""

from __future__ import annotations

from types import MappingProxyType

from seepage import rules
from seepage.engines.outcome import Joint, MixtureJoint
from seepage.measures.call_parts import event_of, need_shape
from seepage.measures.discrete import divergence, whole_bits
from seepage.measures.evaluation import Evaluation, formula
from seepage.measures.functionals.answers import Answers
from seepage.measures.gaussian import divergence as gaussian_divergence
from seepage.measures.gaussian.guessing import as_discrete
from seepage.measures.huge_divergence import huge_divergence
from seepage.measures.joints import as_mixture, joint_of, observing
from seepage.measures.paper import questions as paper_questions
from seepage.measures.quantity import Quantity
from seepage.measures.scope import fail, variables
from seepage.measures.units import in_unit
from seepage.semantics.core import CoreProgram
from seepage.syntax.tree import MeasureCall


def _divergence(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, "||", "KL(x || y) or KL(x | event || y | event)")
    x, y = tuples(evaluation, call)
    if (told := huge_divergence(evaluation, call, x, y)) is not None:
        return told
    sides, (joint_p, joint_q) = compared(evaluation, call, x, y)
    if evaluation.method is not None:
        return paper_questions.divergence(evaluation, evaluation.method, (joint_p, x), (joint_q, y))
    joint_p, joint_q = _plain(joint_p), _plain(joint_q)
    if isinstance(joint_p, MixtureJoint) or isinstance(joint_q, MixtureJoint):
        p, q = as_mixture(joint_p), as_mixture(joint_q)
        closed = formula(evaluation, "KL", sides[0], x, y, other=sides[1])
        return in_unit(evaluation.unit, gaussian_divergence.divergence(p, x, q, y), p, None, closed, q)
    within = x == y and not call.right_given
    found = divergence.divergence(joint_p, x, joint_q, y, evaluation.inquiry.budget, within)
    bits = whole_bits.divergence_bits(joint_p, x, joint_q, y)
    return in_unit(evaluation.unit, found, joint_p, bits, formula(evaluation, "KL", sides[0], x, y, other=sides[1]))


def tuples(evaluation: Evaluation, call: MeasureCall) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the variables on both sides of ``||``, equally many.

    Raises:
        Fault: if they are not, or are no variables.
    """
    scope = evaluation.scope
    x, y = variables(scope, call.left), variables(scope, call.right)
    if len(x) != len(y):
        place = call.span.shift(scope.offset)
        message = f"{call.name} compares {len(x)} with {len(y)} variables: expected equally many"
        fail(rules.UNFIT_MEASURE, place, message)
    return x, y


def compared(
    evaluation: Evaluation, call: MeasureCall, x: tuple[str, ...], y: tuple[str, ...]
) -> tuple[tuple[CoreProgram, CoreProgram], tuple[Joint, Joint]]:
    """Return the programs of both sides, each under its event, and the joints of x in the first and of y in the second.

    Raises:
        Fault: a fault of the program in the slice of a side, or of an event.
    """
    scope = evaluation.scope
    first, second = (observing(scope, event_of(scope, call, given)) for given in (call.given, call.right_given))
    return (first, second), (joint_of(evaluation.inquiry, first, x), joint_of(evaluation.inquiry, second, y))


def _plain(joint: Joint) -> Joint:
    """Return a mixture of atoms that is not whole as a discrete joint: more is known of what was cut off one."""
    if not isinstance(joint, MixtureJoint) or joint.cut is None:
        return joint
    discrete = as_discrete(joint)
    return joint if discrete is None else discrete


ANSWERS: Answers = MappingProxyType({"divergence": _divergence})
