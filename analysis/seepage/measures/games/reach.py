"""Between what a measure, or arithmetic of measures, lies under every strategy: what values there are allows no more."""

from __future__ import annotations

from dataclasses import replace

from flint import arb

from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault
from seepage.measures import arithmetic
from seepage.measures.asking import Asking
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation
from seepage.measures.limits import whatever_is_chosen
from seepage.measures.planning.question import question_of
from seepage.measures.result import Certainty, Result
from seepage.measures.rounding import float_above
from seepage.measures.scope import static_number
from seepage.syntax.parse import parse_measure
from seepage.syntax.tree import MeasureArithmetic, MeasureCall, MeasureExpression, MeasureNegation, MeasureOptimum


def reach(evaluation: Evaluation, measure: MeasureExpression) -> Enclosure:
    """Return bounds of a measure that hold under every strategy, infinite where nothing is known.

    Args:
        evaluation: of the program in which choices are random: each value that a variable has under some strategy, it has there.
        measure: the measure; calls in it are treated as unrelated.
    """
    match measure:
        case MeasureCall():
            question = question_of(evaluation, measure)
            return _between(
                *(whatever_is_chosen(question.evaluation, measure) if question is not None else (None, None))
            )
        case MeasureOptimum(operand=operand):
            return reach(evaluation, operand)
        case MeasureNegation(operand=operand):
            return arithmetic.negate(reach(evaluation, operand))
        case MeasureArithmetic(operator=operator, left=left, right=right):
            sides = reach(evaluation, left), reach(evaluation, right)
            try:
                return arithmetic.operation(operator, *sides)
            except ArithmeticFault:
                return _between(None, None)
        case _:
            try:
                number = static_number(evaluation.scope, measure)
            except Fault:
                return _between(None, None)
            return Enclosure.of_number(number)


def up_to_the_limit(asking: Asking, found: Result, most: float) -> Result:
    """Return the number of a strategy as bounds of what a better one may reach.

    Args:
        asking: of the strategy, with the game that it is one of.
        found: the number of a measure that attackers want large.
        most: that it can be, in its unit.
    """
    measure, wrong = parse_measure(found.measure, asking.checked.context)
    if measure is None or wrong:
        raise AssertionError("no measure was measured")
    random = asking.random()
    bounds = reach(Evaluation(random.inquiry(), random.unit, False, {}), measure)
    certainty = max(found.certainty, Certainty.CERTIFIED, key=list(Certainty).index)
    upper = max(found.upper, min(most, float_above(bounds.upper)))
    return replace(
        found, value=None, upper=upper, certainty=certainty, exact=None, closed=None, beyond=None, formula=None
    )


def _between(least: arb | None, most: arb | None) -> Enclosure:
    lower = arb.neg_inf() if least is None else least
    upper = arb.pos_inf() if most is None else most
    value = lower if lower.is_finite() else upper if upper.is_finite() else arb(0)
    return Enclosure.bounded(value, lower, upper, Certainty.CERTIFIED)
