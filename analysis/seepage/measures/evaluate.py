"""From a measure as written to its :class:`Result`: arithmetic of measures, what is known of equal ones, and each call by the planner."""

from __future__ import annotations

from dataclasses import replace

from seepage import exact, rules
from seepage.deadline import cut_short, processor_seconds, until, watched
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import ArithmeticFault, CannotDecide
from seepage.measures import arithmetic
from seepage.measures.asking import Asking
from seepage.measures.clock import OutOfTime, given_up, has_more
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation, with_formula
from seepage.measures.formulas.arithmetic import constant_formula, negative_formula
from seepage.measures.games.optimum import optimal
from seepage.measures.gaussian import quadrature
from seepage.measures.known_quantities import remember, reused
from seepage.measures.limits import within_possible
from seepage.measures.meaning import names_subject
from seepage.measures.planning.claim import is_fine
from seepage.measures.planning.planner import planned
from seepage.measures.quantity import Quantity, combined
from seepage.measures.result import Formula, Result
from seepage.measures.scope import fail, static_number
from seepage.measures.units import result_of
from seepage.semantics.expressions import plain_names
from seepage.source import Span
from seepage.syntax.parse import parse_measure
from seepage.syntax.tree import (
    Expression,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
)

# What is said of a measure that has no number; where time was short, that is why.
_FOR_WANT_OF_TIME = (rules.TIME_LIMIT, rules.NOT_SUPPORTED, rules.BUDGET_EXCEEDED, rules.CANNOT_DECIDE)


def evaluate(asking: Asking, measure: MeasureExpression, offset: int = 0, formulas: bool = True) -> Result:
    """Evaluate a measure of a program at given values of its parameters.

    Args:
        asking: the program, the values, the unit, the limits.
        measure: with spans relative to ``offset``.
        offset: absolute place of the text that the measure's spans count from.
        formulas: whether to look for closed forms.

    Raises:
        Fault: a fault of the program in the slice of the measure, or of the measure itself at its place.
    """
    started = processor_seconds()
    for fault in asking.ambiguous:
        if names_subject(fault, measure):
            raise Fault(fault)
    if asking.game is not None:
        return optimal(asking, measure, offset, formulas, evaluate)
    inquiry = asking.inquiry(measure.span.shift(offset), offset)
    params = asking.checked.symbols.params
    domains = {name: param.domain for name, param in params.items() if param.domain is not None}
    secrets = tuple(secret.name for secret in asking.checked.symbols.secrets)
    evaluation = Evaluation(inquiry, asking.unit, formulas, domains, secrets, asking.method)
    with quadrature.until(asking.budget.deadline), until(asking.budget.deadline):
        quantity = _quantity(evaluation, measure)
    if not formulas:  # an equal measure may have been asked for with its formula: what is said must not depend on that
        quantity = replace(quantity, formula=None, notes=(), search=None)
    if quantity.dimension not in (0, 1, None):
        fail(rules.UNITS_DO_NOT_FIT, inquiry.place, "found a product or quotient of units, expected one unit or none")
    return result_of(asking, measure, quantity, processor_seconds() - started)


def evaluate_text(asking: Asking, text: str, formulas: bool = True) -> Result:
    """Evaluate a measure by its text, with its faults placed at the start of the program.

    Args:
        asking: the program, values of its parameters, the unit of information, and limits.
        text: the measure, as Seepage itself writes it.
        formulas: whether to look for one in the parameters.

    Raises:
        Fault: as :func:`evaluate`.
    """
    return evaluate(asking, measure_of(text), formulas=formulas)


def measure_of(text: str) -> MeasureExpression:
    """Return the tree of a measure that Seepage itself writes."""
    measure, diagnostics = parse_measure(text)
    if measure is None or diagnostics:
        raise ValueError(f"{text!r} is no measure")
    return measure


def _quantity(evaluation: Evaluation, measure: MeasureExpression) -> Quantity:
    match measure:
        case MeasureCall():
            return _placed(evaluation, measure)
        case MeasureOptimum(operand=operand):  # of a program without choices, in which there is one strategy
            return _quantity(evaluation, operand)
        case MeasureNegation(operand=operand):
            inner = _quantity(evaluation, operand)
            return replace(inner, enclosure=arithmetic.negate(inner.enclosure), formula=negative_formula(inner.formula))
        case MeasureArithmetic():
            left, right = _quantity(evaluation, measure.left), _quantity(evaluation, measure.right)
            return combined(measure.operator, left, right, measure.span.shift(evaluation.scope.offset))
        case _:
            static = _static(evaluation, measure)
            return Quantity(static, None, "dependence", formula=_constant(evaluation, measure, static))


def _static(evaluation: Evaluation, expression: Expression) -> Enclosure:
    number = static_number(evaluation.scope, expression)
    fraction = exact.to_fraction(number)
    return Enclosure.of_rational(fraction) if fraction is not None else Enclosure.of_ball(exact.enclose(number))


def _constant(evaluation: Evaluation, expression: Expression, value: Enclosure) -> Formula | None:
    """Return a static number as a formula, None if it depends on a parameter."""
    reads = any(name in evaluation.scope.core.parameters for name in plain_names(expression))
    return None if reads or value.exact is None or not evaluation.formulas else constant_formula(value.exact)


# --- one function a measure -------------------------------------------------------------------------------------------


def _placed(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate one call; what its formulas cannot do is a fault at the call."""
    place = call.span.shift(evaluation.scope.offset)
    known = evaluation.inquiry.memory.quantities
    key = (call, evaluation.unit, evaluation.formulas)
    found = known.get((call, evaluation.unit, True)) or known.get(key)
    if found is not None and not (found.given_up is not None and has_more(evaluation.inquiry.budget, found.given_up)):
        if found.given_up is not None:
            cut_short()  # so that who asks here asks again, when there is more time
        return found if not evaluation.formulas else _with_formula(evaluation, call, found)
    spent = evaluation.inquiry.memory.spent.get((call, evaluation.unit))
    if evaluation.inquiry.budget.expired() or (spent is not None and not has_more(evaluation.inquiry.budget, spent)):
        cut_short()  # more time may give it, so that who asks here asks again
        fail(rules.TIME_LIMIT, place, "the time limit was reached before this measure")
    started = processor_seconds()
    with watched() as watch:
        try:
            found = _computed(evaluation, call, place)
        except Fault as fault:
            seconds = processor_seconds() - started
            if watch.cut and fault.diagnostic.rule in _FOR_WANT_OF_TIME:
                evaluation.inquiry.memory.spent[call, evaluation.unit] = seconds
                raise _late(fault, place, seconds) from fault
            raise
    if watch.cut and not is_fine(found):
        found = replace(found, given_up=processor_seconds() - started)
    known[key] = found
    return found


def _late(fault: Fault, place: Span, seconds: float) -> Fault:
    """Return the fault of a measure that has no number since the time was over: what ways without time say of the program is no reason."""
    told = fault.diagnostic
    message = told.message if told.rule is rules.TIME_LIMIT else "the time limit was reached in this measure"
    span, labels = (told.span, told.labels) if told.rule is rules.TIME_LIMIT else (place, ())
    notes = tuple(dict.fromkeys((*(told.notes if told.rule is rules.TIME_LIMIT else ()), given_up(seconds))))
    return Fault(Diagnostic(rules.TIME_LIMIT, span, message, labels, notes))


def _computed(evaluation: Evaluation, call: MeasureCall, place: Span) -> Quantity:
    """Compute one call; faults are at its place."""
    try:
        return reused(evaluation, call, lambda: within_possible(call, planned(evaluation, call)))
    except OutOfTime:
        fail(rules.TIME_LIMIT, place, "the time limit was reached in the sum over all outcomes")
    except CannotDecide as undecided:
        fail(rules.CANNOT_DECIDE, place, undecided.reason)
    except ArithmeticFault as fault:
        fail(rules.UNDEFINED_MEASURE, place, f"the measure has no value: {fault.reason}")
    except Fault as fault:
        if fault.diagnostic.rule is rules.NOT_SUPPORTED and fault.diagnostic.span == Span(0, 0):
            raise Fault(replace(fault.diagnostic, span=place)) from fault
        raise


def _with_formula(evaluation: Evaluation, call: MeasureCall, found: Quantity) -> Quantity:
    """Return a known quantity with the formula that it waits for, if any, and keep it so; without, where the search comes to no end."""
    try:
        whole = with_formula(evaluation, found, lambda: within_possible(call, planned(evaluation, call)))
    except (OutOfTime, ArithmeticFault, Fault):
        return found
    if whole is not found:
        evaluation.inquiry.memory.quantities[call, evaluation.unit, True] = whole
        remember(evaluation, call, whole)
    return whole
