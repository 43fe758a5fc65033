"""The measures of one law: of the joint distribution of all that is asked, by whichever engine tells it.

One function a measure: which joints it asks for, which formula applies. Discrete joints go to the discrete formulas, mixtures
to the Gaussian ones; an information that dependence alone proves to be 0 is not computed at all. Formulas work in nats; here they become
the unit that was asked for, rounded outward.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb

from seepage import rules
from seepage.diagnostics import Fault
from seepage.distributions.continuous import NoStandIn
from seepage.engines.forward.class_widths import least_width
from seepage.engines.outcome import Joint, MixtureJoint
from seepage.engines.select import samples_continuous
from seepage.exact import ArithmeticFault
from seepage.measures.call_parts import condition_of, event_of, need_condition, need_shape, with_value
from seepage.measures.channels.questions import channel
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete import (
    classes,
    divergence,
    entropy,
    mutual_information,
    probability,
    variance,
    whole_bits,
)
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation, formula
from seepage.measures.formulas import infinite_laws, infinite_pairs
from seepage.measures.formulas.form import NO_FORMULA
from seepage.measures.gaussian import divergence as gaussian_divergence
from seepage.measures.gaussian import entropy as gaussian_entropy
from seepage.measures.gaussian import information as gaussian_information
from seepage.measures.gaussian import moments as gaussian_moments
from seepage.measures.gaussian.facts import within_entropies, within_whole_bits
from seepage.measures.gaussian.guessing import as_discrete
from seepage.measures.gaussian.sum import clip
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.guessing.questions import guessing
from seepage.measures.huge_divergence import huge_divergence
from seepage.measures.joints import GHOST, as_mixture, classes_of, joint_of, need_no_fault, observing
from seepage.measures.limits import within_limits
from seepage.measures.paper import questions as paper_questions
from seepage.measures.pivot import questions as pivot_questions
from seepage.measures.planning.table import MEASURES, row_of
from seepage.measures.quantity import Quantity, combined, total
from seepage.measures.result import Certainty
from seepage.measures.scope import fail, variables
from seepage.measures.sufficiency import is_long, of_what_is_told, what_is_left
from seepage.measures.tiny_events import probability_of_ghost
from seepage.measures.units import in_unit, without_unit
from seepage.measures.unrounded import within_unrounded
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import determines, independent, slice_program
from seepage.syntax.tree import MeasureCall

_LONG, _LONGEST = 9, 256  # tuples whose independent members are looked for; shorter ones are solved at once


def by_one_law(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate a call, within what is told before outputs are rounded.

    Raises:
        Fault: a fault of the program in the slice of the measure, or of the measure itself at its place.
        OutOfTime: past the budget's deadline.
        ArithmeticFault: where a formula cannot do it.
    """
    return within_unrounded(evaluation, call, _by_any_engine)


def _by_any_engine(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate a call by the exact laws of paths where mixtures do not do it, or only approximately."""
    if is_long(evaluation, call) and (of_less := _of_what_is_told(evaluation, call)) is not None:
        return of_less
    try:
        found = _call(evaluation, call)
    except Fault as fault:
        if fault.diagnostic.rule not in (rules.NOT_SUPPORTED, rules.BUDGET_EXCEEDED):
            raise
        instead = _by_masses(evaluation, call)
        if instead is None and fault.diagnostic.rule is rules.BUDGET_EXCEEDED:
            instead = _of_what_is_told(evaluation, call)
        why = ""
        if instead is None and fault.diagnostic.rule is rules.NOT_SUPPORTED:
            by_laws = pivot_questions.instead(evaluation, call)
            instead, why = (None, by_laws) if isinstance(by_laws, str) else (by_laws, "")
        if instead is None:
            raise _beyond_laws(fault, why) from fault
        return within_limits(evaluation, call, instead)
    if _is_loose(call, found):
        known = _by_masses(evaluation, call)
        if known is None and found.enclosure.certainty is Certainty.APPROXIMATE:
            known = _of_what_is_told(evaluation, call)
        if known is not None and known.enclosure.certainty is not Certainty.APPROXIMATE:
            return _cut(evaluation, call, known)
    return _cut(evaluation, call, within_limits(evaluation, call, pivot_questions.sharpened(evaluation, call, found)))


def _beyond_laws(fault: Fault, why: str) -> Fault:
    """Return what mixtures do not follow, with what kept the exact laws of paths from it; that alone is the reason where only a normal law in place of another is missing."""
    told = fault.diagnostic
    if not why:
        return fault
    message = f"the exact laws of the program's paths do not tell it: {why}"
    if isinstance(fault, NoStandIn):
        return Fault(replace(told, message=message, notes=(*told.notes, told.message)))
    return Fault(replace(told, notes=(*told.notes, message)))


def _of_what_is_told(evaluation: Evaluation, call: MeasureCall) -> Quantity | None:
    """Evaluate I and conditional entropies by what the outputs depend on in place of a secret, where that is seen."""
    if (told := of_what_is_told(evaluation, call)) is not None:
        return _by_any_engine(*told)
    if (parts := what_is_left(evaluation, call)) is None or (told := of_what_is_told(evaluation, parts[1])) is None:
        return None
    own, lost = _by_any_engine(evaluation, parts[0]), _by_any_engine(*told)
    left = combined("-", own, lost, call.span.shift(evaluation.scope.offset))
    return replace(left, enclosure=clip(left.enclosure, arb(0), own.enclosure.upper), formula=None)


def _is_loose(call: MeasureCall, found: Quantity) -> bool:
    """Tell whether a quantity is approximate, or only an upper bound of a loss behind noise."""
    known = found.enclosure
    bound_only = row_of(call).is_loss and found.engine == "soga" and not known.upper - known.lower < COARSE
    return known.certainty is Certainty.APPROXIMATE or (known.certainty is Certainty.CERTIFIED and bound_only)


def _by_masses(evaluation: Evaluation, call: MeasureCall) -> Quantity | None:
    """Evaluate a call of discrete variables by their chances, where the exact laws of paths tell these though continuous variables decide them."""
    if evaluation.method is not None or not samples_continuous(evaluation.scope.core.statements):
        return None
    if evaluation.inquiry.budget.expired():
        return None
    inquiry = replace(evaluation.inquiry, by_paths=True)
    try:
        found = _call(replace(evaluation, inquiry=inquiry, formulas=False), call)
    except (Fault, ArithmeticFault, OutOfTime):
        return None
    unbounded = not (found.enclosure.lower.is_finite() or found.enclosure.upper.is_finite())
    if unbounded and found.enclosure.certainty is Certainty.APPROXIMATE:
        return replace(found, engine="paths")  # no bounds are no certificate
    if found.enclosure.certainty is not Certainty.EXACT or found.enclosure.exact is None:
        found = replace(found, enclosure=replace(found.enclosure, certainty=Certainty.CERTIFIED, closed=None))
    return replace(found, engine="paths")


def _cut(evaluation: Evaluation, call: MeasureCall, found: Quantity) -> Quantity:
    """Return an information or entropy, at most what there is to know where that is a whole number of bits."""
    if not row_of(call).is_of_entropies or evaluation.unit != "bits" or evaluation.method is not None:
        return found
    _, event = condition_of(evaluation.scope, call)
    sides = [variables(evaluation.scope, side) for side in (call.left, call.right) if side]
    core = observing(evaluation.scope, event)
    return replace(found, enclosure=within_whole_bits(found.enclosure, evaluation.inquiry, core, *sides))


def _call(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    if evaluation.method is not None:
        paper_questions.need_bounds(evaluation, call)
    measure = row_of(call)
    if not measure.reads_prior:
        return channel(evaluation, call)
    if measure.is_of_guesses:
        return guessing(evaluation, call)
    match measure.functional:
        case "entropy":
            return (_information if measure.is_information else _entropy)(evaluation, call)
        case "divergence":
            return _divergence(evaluation, call)
        case "variance":
            return _variance(evaluation, call)
        case _:
            return _expectation(evaluation, call)


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
    joint = _joint_or_known(evaluation, "H", core, (*x, *given))
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
    if joint.cut is not None and len(x) == 1 and not given and (known := _closed(evaluation, "H", core, x[0])):
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
        joint = joint_of(evaluation.inquiry, core, (*determined, *given))
        if not isinstance(joint, MixtureJoint):
            need_no_fault(evaluation.inquiry, core, (*x, *y, *given))
            return _joint_entropy(evaluation, core, determined, given)
    return None


def _divergence(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, "||", "KL(x || y) or KL(x | event || y | event)")
    scope = evaluation.scope
    x, y = variables(scope, call.left), variables(scope, call.right)
    if len(x) != len(y):
        place = call.span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"KL compares {len(x)} with {len(y)} variables: expected equally many")
    if (told := huge_divergence(evaluation, call, x, y)) is not None:
        return told
    sides = [observing(scope, event_of(scope, call, given)) for given in (call.given, call.right_given)]
    joint_p, joint_q = (joint_of(evaluation.inquiry, core, names) for core, names in zip(sides, (x, y), strict=True))
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
    if len(x) == 1 and joint_p.cut is not None and joint_q.cut is not None:
        known = infinite_pairs.divergence(sides[0], x[0], sides[1], y[0], scope.parameters)
        found = found if known is None else known
    return in_unit(evaluation.unit, found, joint_p, bits, formula(evaluation, "KL", sides[0], x, y, other=sides[1]))


def _plain(joint: Joint) -> Joint:
    """Return a mixture of atoms that is not whole as a discrete joint: more is known of what was cut off one."""
    if not isinstance(joint, MixtureJoint) or joint.cut is None:
        return joint
    discrete = as_discrete(joint)
    return joint if discrete is None else discrete


def _expectation(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, None, f"{call.name}(expression) or {call.name}(expression | event)")
    core, is_mean = with_value(evaluation.scope, call), row_of(call).functional == "mean"
    if is_mean and (huge := classes_of(evaluation.inquiry, core, (GHOST,))) is not None:
        return without_unit(classes.mean_and_variance(huge, GHOST)[0], huge.symbols)
    joint = _joint_or_known(evaluation, call.name, core, (GHOST,))
    if isinstance(joint, infinite_laws.Known):
        return without_unit(joint.value, None, joint.closed)
    if not is_mean:
        need_condition(evaluation.scope, call, joint)
    if isinstance(joint, MixtureJoint):
        closed = formula(evaluation, "E", core, (GHOST,)) if is_mean else NO_FORMULA
        return without_unit(gaussian_moments.expectation(joint, GHOST, event=not is_mean), joint, closed)
    if is_mean and joint.cut is not None and (known := _closed(evaluation, "E", core, GHOST)):
        return without_unit(known.value, joint, known.closed)
    value = probability.expectation(joint, GHOST) if is_mean else probability_of_ghost(evaluation.inquiry, core, joint)
    return without_unit(value, joint, formula(evaluation, call.name, core, (GHOST,)))


def _variance(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    need_shape(evaluation.scope, call, None, "Var(expression) or Var(expression | event)")
    core = with_value(evaluation.scope, call)
    if (huge := classes_of(evaluation.inquiry, core, (GHOST,))) is not None:
        return without_unit(classes.mean_and_variance(huge, GHOST)[1], huge.symbols)
    joint = _joint_or_known(evaluation, "Var", core, (GHOST,))
    if isinstance(joint, infinite_laws.Known):
        return without_unit(joint.value, None, joint.closed)
    if isinstance(joint, MixtureJoint):
        return without_unit(gaussian_moments.variance(joint, GHOST), joint, formula(evaluation, "Var", core, (GHOST,)))
    if joint.cut is not None and (known := _closed(evaluation, "Var", core, GHOST)):
        return without_unit(known.value, joint, known.closed)
    return without_unit(variance.variance(joint, GHOST), joint, formula(evaluation, "Var", core, (GHOST,)))


def _joint_or_known(
    evaluation: Evaluation, name: str, core: CoreProgram, asked: tuple[str, ...]
) -> Joint | infinite_laws.Known:
    """Return the joint of some variables, or where that grows too large the measure itself: of a variable with a known law."""
    try:
        return joint_of(evaluation.inquiry, core, asked)
    except Fault as fault:
        if (
            fault.diagnostic.rule is not rules.BUDGET_EXCEEDED
            or len(asked) != 1
            or MEASURES[name].functional == "chance"
        ):
            raise
        known = _closed(evaluation, name, core, asked[0])
        if known is None:
            raise
        return known


def _closed(evaluation: Evaluation, name: str, core: CoreProgram, variable: str) -> infinite_laws.Known | None:
    """Return a measure of one draw from an infinite law in closed form."""
    scope, domains = evaluation.scope, evaluation.domains
    return infinite_laws.closed_measure(
        name, core, variable, scope.parameters, domains, evaluation.unit, evaluation.formulas, scope.taken
    )
