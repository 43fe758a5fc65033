"""From a measure as written to its :class:`Result`.

One function a measure: which joints it asks for, which formula applies. Discrete joints go to the discrete formulas, mixtures
to the Gaussian ones; an information that dependence alone proves to be 0 is not computed at all. Formulas work in nats; here they become
the unit that was asked for, rounded outward.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from flint import arb

from seepage import exact, rules
from seepage.diagnostics import Fault, Reason
from seepage.engines.outcome import Budget, Joint, MixtureJoint
from seepage.engines.select import check_total
from seepage.exact import ArithmeticFault, CannotDecide, Number
from seepage.measures import (
    arithmetic,
    divergence,
    entropy,
    gaussian_divergence,
    gaussian_entropy,
    gaussian_information,
    gaussian_moments,
    mutual_information,
    probability,
    variance,
    whole_bits,
)
from seepage.measures.arithmetic import worst
from seepage.measures.closed_form import closed_form
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import GHOST, Inquiry, Memory, as_mixture, assigning, joint_of, observing
from seepage.measures.quantity import Engine, Quantity, combined, total
from seepage.measures.result import Certainty, Formula, Result, Unit
from seepage.measures.rounding import float_ends, in_bits
from seepage.measures.scope import Scope, fail, is_plain, static_number, variables
from seepage.semantics.checked import Checked, Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import determines, independent, slice_program
from seepage.source import Span
from seepage.syntax.tree import Expression, MeasureArithmetic, MeasureCall, MeasureExpression, MeasureNegation

InformationUnit: TypeAlias = Literal["bits", "nats"]
_LONG, _LONGEST = 9, 256  # tuples whose independent members are looked for; shorter ones are solved at once


def evaluate(
    checked: Checked,
    core: CoreProgram,
    measure: MeasureExpression,
    parameters: Mapping[str, Number],
    unit: InformationUnit,
    budget: Budget,
    *,
    offset: int = 0,
    text: str = "",
    memory: Memory | None = None,
    formulas: bool = True,
) -> Result:
    """Evaluate a measure of a program at given values of its parameters.

    Args:
        checked: the program.
        core: the same, unrolled.
        measure: with spans relative to ``offset``.
        parameters: values; those that have none are left out.
        unit: of entropies, information and divergences.
        budget: of each run of an engine.
        offset: absolute place of the text that the measure's spans count from.
        text: the measure as it was written.
        memory: what earlier measures of the same program at the same parameters found, to use and to add to.
        formulas: whether to look for closed forms.

    Raises:
        Fault: a fault of the program in the slice of the measure, or of the measure itself at its place.
    """
    started = time.monotonic()
    scope = Scope(core, checked.symbols.consts, parameters, offset)
    inquiry = Inquiry(scope, measure.span.shift(offset), budget, memory or Memory())
    domains = {name: param.domain for name, param in checked.symbols.params.items() if param.domain is not None}
    quantity = _quantity(_Evaluation(inquiry, unit, formulas, domains), measure)
    result_unit: Unit = ""
    if quantity.dimension == 1:
        result_unit = unit
    elif quantity.dimension not in (0, None):
        fail(rules.UNITS_DO_NOT_FIT, inquiry.place, "found a product or quotient of units, expected one unit or none")
    lower, value, upper = float_ends(quantity.enclosure)
    return Result(
        measure=text,
        unit=result_unit,
        value=value,
        lower=lower,
        upper=upper,
        certainty=quantity.enclosure.certainty,
        engine=quantity.engine,
        formula=quantity.formula,
        because=quantity.because,
        params={name: exact.show(number) for name, number in parameters.items()},
        seconds=time.monotonic() - started,
        exact=quantity.enclosure.exact,
        notes=quantity.enclosure.notes,
    )


@dataclass(frozen=True, slots=True)
class _Evaluation:
    inquiry: Inquiry
    unit: InformationUnit
    formulas: bool
    domains: Mapping[str, Domain]

    @property
    def scope(self) -> Scope:
        return self.inquiry.scope


def _quantity(evaluation: _Evaluation, measure: MeasureExpression) -> Quantity:
    match measure:
        case MeasureCall():
            return _placed(evaluation, measure)
        case MeasureNegation(operand=operand):
            inner = _quantity(evaluation, operand)
            return replace(inner, enclosure=arithmetic.negate(inner.enclosure), formula=None)
        case MeasureArithmetic():
            left, right = _quantity(evaluation, measure.left), _quantity(evaluation, measure.right)
            return combined(measure.operator, left, right, measure.span.shift(evaluation.scope.offset))
        case _:
            return Quantity(_static(evaluation, measure), None, "dependence")


def _static(evaluation: _Evaluation, expression: Expression) -> Enclosure:
    number = static_number(evaluation.scope, expression)
    fraction = exact.to_fraction(number)
    return Enclosure.of_rational(fraction) if fraction is not None else Enclosure.of_ball(exact.enclose(number))


# --- one function a measure -------------------------------------------------------------------------------------------


def _placed(evaluation: _Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate one call; what its formulas cannot do is a fault at the call."""
    place = call.span.shift(evaluation.scope.offset)
    known = evaluation.inquiry.memory.quantities
    key = (call, evaluation.unit, evaluation.formulas)
    found = known.get((call, evaluation.unit, True)) or known.get(key)
    if found is not None:
        return found
    if evaluation.inquiry.budget.expired():
        fail(rules.BUDGET_EXCEEDED, place, "the time limit was reached before this measure")
    try:
        known[key] = _call(evaluation, call)
        return known[key]
    except CannotDecide as undecided:
        fail(rules.CANNOT_DECIDE, place, undecided.reason)
    except ArithmeticFault as fault:
        fail(rules.UNDEFINED_MEASURE, place, f"the measure has no value: {fault.reason}")
    except Fault as fault:
        if fault.diagnostic.rule is rules.NOT_SUPPORTED and fault.diagnostic.span == Span(0, 0):
            raise Fault(replace(fault.diagnostic, span=place)) from fault
        raise


def _call(evaluation: _Evaluation, call: MeasureCall) -> Quantity:
    match call.name:
        case "H":
            return _entropy(evaluation, call)
        case "I":
            return _information(evaluation, call)
        case "KL":
            return _divergence(evaluation, call)
        case "P" | "E":
            return _expectation(evaluation, call)
        case "Var":
            return _variance(evaluation, call)
        case _:
            place = call.span.shift(evaluation.scope.offset)
            fail(
                rules.NOT_SUPPORTED,
                place,
                f"not supported yet: this version has no engine for the measure '{call.name}'",
            )


def _entropy(evaluation: _Evaluation, call: MeasureCall) -> Quantity:
    _shape(evaluation, call, None, "H(x, y) or H(x | z)")
    x = variables(evaluation.scope, call.left)
    given, event = _condition(evaluation, call, call.given)
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


def _joint_entropy(evaluation: _Evaluation, core: CoreProgram, x: tuple[str, ...], given: tuple[str, ...]) -> Quantity:
    joint = joint_of(evaluation.inquiry, core, (*x, *given))
    if isinstance(joint, MixtureJoint):
        shared = [joint.variables.index(name) for name in x if name in given]
        if any(component.values[place] is None for component in joint.components for place in shared):
            # Given itself, a continuous variable is a point: its differential entropy is −∞.
            point = Enclosure(arb.neg_inf(), arb.neg_inf(), arb.neg_inf(), Certainty.EXACT)
            return _in_unit(evaluation, point, joint)
        found = gaussian_entropy.conditional_entropy(joint, x, given) if given else gaussian_entropy.entropy(joint, x)
        return _in_unit(evaluation, found, joint)
    found = entropy.conditional_entropy(joint, x, given) if given else entropy.entropy(joint, x)
    bits = whole_bits.information_bits(joint, ((1, (*x, *given)), (-1, given)))
    return _in_unit(evaluation, found, joint, bits, _formula(evaluation, "H", core, x, given))


def _information(evaluation: _Evaluation, call: MeasureCall) -> Quantity:
    _shape(evaluation, call, ";", "I(x; y) or I(x; y | z)")
    x, y = variables(evaluation.scope, call.left), variables(evaluation.scope, call.right)
    given, event = _condition(evaluation, call, call.given)
    core = observing(evaluation.scope, event)
    if independent(core, x, y, given):
        _need_no_fault(evaluation, core, (*x, *y, *given))
        return Quantity(Enclosure.of_rational(Fraction(0)), 1, "dependence")
    if (entropy_alone := _of_a_function(evaluation, core, x, y, given)) is not None:
        return entropy_alone
    joint = joint_of(evaluation.inquiry, core, (*x, *y, *given))
    if isinstance(joint, MixtureJoint):
        return _in_unit(evaluation, gaussian_information.mutual_information(joint, x, y, given), joint)
    found = mutual_information.mutual_information(joint, x, y, given)
    signed = ((1, (*x, *given)), (1, (*y, *given)), (-1, (*x, *y, *given)), (-1, given))
    bits = whole_bits.information_bits(joint, signed)
    return _in_unit(evaluation, found, joint, bits, _formula(evaluation, "I", core, x, y, given))


def _of_a_function(
    evaluation: _Evaluation, core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], given: tuple[str, ...]
) -> Quantity | None:
    """Return I(x; y | z) = H(y | z) where y is discrete and a function of x, so that x need not be enumerated; or so with x and y exchanged."""
    for determined, by in ((y, x), (x, y)):
        if not determines(core, by, determined):
            continue
        joint = joint_of(evaluation.inquiry, core, (*determined, *given))
        if not isinstance(joint, MixtureJoint):
            _need_no_fault(evaluation, core, (*x, *y, *given))
            return _joint_entropy(evaluation, core, determined, given)
    return None


def _need_no_fault(evaluation: _Evaluation, core: CoreProgram, asked: tuple[str, ...]) -> None:
    """Raise what is wrong with the statements that a measure depends on, where the measure itself needs no run."""
    for diagnostic in check_total(slice_program(core, asked), evaluation.scope.parameters, evaluation.inquiry.budget):
        if diagnostic.is_error:
            raise Fault(diagnostic)


def _divergence(evaluation: _Evaluation, call: MeasureCall) -> Quantity:
    _shape(evaluation, call, "||", "KL(x || y) or KL(x | event || y | event)")
    scope = evaluation.scope
    x, y = variables(scope, call.left), variables(scope, call.right)
    if len(x) != len(y):
        place = call.span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"KL compares {len(x)} with {len(y)} variables: expected equally many")
    sides = [observing(scope, _event(evaluation, call, given)) for given in (call.given, call.right_given)]
    joint_p, joint_q = (joint_of(evaluation.inquiry, core, names) for core, names in zip(sides, (x, y), strict=True))
    if isinstance(joint_p, MixtureJoint) or isinstance(joint_q, MixtureJoint):
        p, q = as_mixture(joint_p), as_mixture(joint_q)
        return _in_unit(evaluation, gaussian_divergence.divergence(p, x, q, y), p, None, None, q)
    found = divergence.divergence(joint_p, x, joint_q, y)
    bits = whole_bits.divergence_bits(joint_p, x, joint_q, y)
    return _in_unit(evaluation, found, joint_p, bits, _formula(evaluation, "KL", sides[0], x, y, other=sides[1]))


def _expectation(evaluation: _Evaluation, call: MeasureCall) -> Quantity:
    _shape(evaluation, call, None, f"{call.name}(expression) or {call.name}(expression | event)")
    core = _ghost(evaluation, call)
    joint = joint_of(evaluation.inquiry, core, (GHOST,))
    if call.name == "P":
        _need_condition(evaluation, call, joint)
    if isinstance(joint, MixtureJoint):
        return _without_unit(gaussian_moments.expectation(joint, GHOST), joint)
    quantity = _without_unit(probability.expectation(joint, GHOST), joint)
    return replace(quantity, formula=_formula(evaluation, call.name, core, (GHOST,)))


def _variance(evaluation: _Evaluation, call: MeasureCall) -> Quantity:
    _shape(evaluation, call, None, "Var(expression) or Var(expression | event)")
    joint = joint_of(evaluation.inquiry, _ghost(evaluation, call), (GHOST,))
    if isinstance(joint, MixtureJoint):
        return _without_unit(gaussian_moments.variance(joint, GHOST), joint)
    return _without_unit(variance.variance(joint, GHOST), joint)


# --- parts of a call --------------------------------------------------------------------------------------------------


def _shape(evaluation: _Evaluation, call: MeasureCall, separator: str | None, shape: str) -> None:
    right = bool(call.right)
    if call.separator != separator or right != (separator is not None) or not call.left or call.named or call.gain:
        place = call.span.shift(evaluation.scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"found another shape of '{call.name}', expected {shape}")
    if call.name in ("P", "E", "Var") and len(call.left) != 1:
        place = call.span.shift(evaluation.scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"found {len(call.left)} arguments of '{call.name}', expected one")


def _condition(
    evaluation: _Evaluation, call: MeasureCall, given: tuple[Expression, ...]
) -> tuple[tuple[str, ...], Expression | None]:
    """Read what follows ``|`` in H and I: variables, or one event (language.md, Fine print 6)."""
    events = [expression for expression in given if not is_plain(evaluation.scope, expression)]
    if not events:
        return variables(evaluation.scope, given), None
    if len(given) > 1:
        place = events[0].span.shift(evaluation.scope.offset)
        message = f"found an event in a list after '|' in '{call.name}', expected variables only, or one event"
        fail(rules.UNFIT_MEASURE, place, message)
    return (), events[0]


def _event(evaluation: _Evaluation, call: MeasureCall, given: tuple[Expression, ...]) -> Expression | None:
    if len(given) > 1:
        place = given[1].span.shift(evaluation.scope.offset)
        fail(
            rules.UNFIT_MEASURE,
            place,
            f"found {len(given)} events after '|' in '{call.name}', expected one: join them by 'and'",
        )
    return given[0] if given else None


def _ghost(evaluation: _Evaluation, call: MeasureCall) -> CoreProgram:
    core = observing(evaluation.scope, _event(evaluation, call, call.given))
    return assigning(core, evaluation.scope, call.left[0])


def _need_condition(evaluation: _Evaluation, call: MeasureCall, joint: Joint) -> None:
    if isinstance(joint, MixtureJoint):
        values = {component.values[0] for component in joint.components}
    else:
        values = {first for first, *_ in joint.masses}
    if not values <= {0, 1}:
        place = call.left[0].span.shift(evaluation.scope.offset)
        fail(rules.UNFIT_MEASURE, place, "found a number in 'P', expected a condition: compare it with a value")


# --- units and certainty ----------------------------------------------------------------------------------------------


def _in_unit(
    evaluation: _Evaluation,
    nats: Enclosure,
    joint: Joint,
    bits: Fraction | None = None,
    formula: Formula | None = None,
    other: Joint | None = None,
) -> Quantity:
    """Turn nats into the unit asked for; ``bits`` is the exact number of bits where that is known."""
    because = _reasons(joint) + (_reasons(other) if other is not None else ())
    if bits is not None and evaluation.unit == "bits":
        enclosure = replace(Enclosure.of_rational(bits), notes=nats.notes)
    elif bits == 0:
        enclosure = replace(Enclosure.of_rational(Fraction(0)), notes=nats.notes)
    else:
        enclosure = in_bits(nats) if evaluation.unit == "bits" else nats
    return Quantity(_marked(enclosure, because), 1, _engine(joint), because, formula)


def _without_unit(enclosure: Enclosure, joint: Joint) -> Quantity:
    because = _reasons(joint)
    return Quantity(_marked(enclosure, because), 0, _engine(joint), because)


def _marked(enclosure: Enclosure, because: tuple[Reason, ...]) -> Enclosure:
    """Mark a number as approximate if a statement broke exactness: then nothing is exact about it."""
    if not because:
        return enclosure
    return replace(enclosure, certainty=worst((enclosure.certainty, Certainty.APPROXIMATE)), exact=None)


def _reasons(joint: Joint) -> tuple[Reason, ...]:
    return joint.approximations if isinstance(joint, MixtureJoint) else ()


def _engine(joint: Joint) -> Engine:
    return "soga" if isinstance(joint, MixtureJoint) else "wpe"


def _formula(
    evaluation: _Evaluation,
    name: str,
    core: CoreProgram,
    x: Sequence[str],
    y: Sequence[str] = (),
    z: Sequence[str] = (),
    other: CoreProgram | None = None,
) -> Formula | None:
    if not evaluation.formulas:
        return None
    arguments = (tuple(x), tuple(y), tuple(z))
    return closed_form(evaluation.inquiry, name, core, arguments, evaluation.unit, evaluation.domains, other)
