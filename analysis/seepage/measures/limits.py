r"""What holds whatever the law of the variables is: limits of numbers that are only approximate, from how many values a discrete variable can have.

Observations only remove values, so the values are those of the program without its observations, where these are known exactly,
or else those that its text shows (a comparison is 0 or 1). With n values
:math:`H(x \mid y) \le \log n`, :math:`V(x \mid y) \ge 1/n`, the expected number of guesses is at most (n + 1)/2, and
:math:`I(x; y)`, ``Lmin(x -> y)``, ``C(x -> y)`` and ``Cmin(x -> y)`` are at most log n for either side (a channel with n outputs multiplies
chances by n at most, whatever the prior).
:math:`I(x; y \mid z) \le H(x)` and :math:`H(x \mid y) \le H(x)` where H(x) is known. A mean lies between the least and the greatest value,
and a variance is at most a quarter of the square of their distance.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

from flint import arb

from seepage import exact
from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.engines.select import solve
from seepage.exact import ArithmeticFault, Number, enclose, precision
from seepage.measures.call_parts import condition_of, with_value
from seepage.measures.clock import OutOfTime
from seepage.measures.evaluation import Evaluation
from seepage.measures.gaussian.guessing import as_discrete
from seepage.measures.gaussian.sum import clip
from seepage.measures.joints import GHOST, joint_of, observing
from seepage.measures.pivot.questions import entropy_of
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.scope import variables
from seepage.semantics.core import CoreIf, CoreObserve, CoreProgram, CoreStatement
from seepage.semantics.finite import finite_values
from seepage.syntax.tree import MeasureCall

_BITS = 128
_MOST_TUPLES = 4096


Names = tuple[str, ...]


def within_limits(evaluation: Evaluation, call: MeasureCall, found: Quantity) -> Quantity:
    """Return an approximate quantity, or one without an upper bound, within the limits that hold for every law; any other as it is."""
    known = found.enclosure.certainty
    unbounded = known is Certainty.CERTIFIED and not found.enclosure.upper.is_finite()
    if not (known is Certainty.APPROXIMATE or unbounded) or evaluation.method is not None:
        return found
    with precision(_BITS):
        try:
            lower, upper = _limits(evaluation, call)
        except (Fault, ArithmeticFault):
            return found
        return replace(found, enclosure=clip(found.enclosure, lower, upper))


def whatever_is_chosen(evaluation: Evaluation, call: MeasureCall) -> tuple[arb | None, arb | None]:
    """Return between what a measure lies under every strategy of an attacker; None where nothing is known.

    Args:
        evaluation: of the program in which choices are random: each value that a variable has under some strategy, it has there.
        call: the measure.
    """
    row = row_of(call)
    least, most = (None if end is None else arb(end) for end in (row.least, row.most))
    with precision(_BITS):
        try:
            lower, upper = _limits(evaluation, call, by_law=False)
        except (Fault, ArithmeticFault, OutOfTime):
            return least, most
    return least if lower is None else lower, most if upper is None else upper


def within_possible(call: MeasureCall, found: Quantity) -> Quantity:
    """Return a quantity with bounds that a measure of its name can have: chances up to 1, no information below 0, at least one guess."""
    row = row_of(call)
    least, most = row.least, row.most
    known = found.enclosure
    above = least is None or known.lower >= least or not known.upper >= least
    below = most is None or known.upper <= most or not known.lower <= most
    if above and below:
        return found
    lower, upper = (None if end is None else arb(end) for end in (least, most))
    return replace(found, enclosure=clip(known, None if above else lower, None if below else upper))


def _limits(evaluation: Evaluation, call: MeasureCall, by_law: bool = True) -> tuple[arb | None, arb | None]:
    """Return limits from how many values there are and, ``by_law``, from entropies that are known."""
    scope = evaluation.scope
    measure = row_of(call)
    if measure.functional in ("mean", "variance"):
        return _of_value(evaluation, call)
    if not (measure.functional == "entropy" or measure.is_of_gains) or call.gain is not None:
        return None, None
    x, y = variables(scope, call.left), variables(scope, call.right)
    _, event = (None, None) if measure.shape == "channel" else condition_of(scope, call)
    core = observing(scope, event)
    counts = [count for side in (x, y) if side and (count := _count(evaluation, core, side)) is not None]
    if not counts:
        return None, None
    fewest = arb(min(counts))
    if measure.is_chance_to_guess:
        return 1 / fewest, None
    if measure.functional == "tries":
        return None, (fewest + 1) / 2
    most = [_logarithm(evaluation, min(counts))]
    if measure.is_of_entropies and by_law:
        sides = [entropy_of(evaluation, core, side) for side in (x, y) if side]
        most += [own / arb(2).log() if evaluation.unit == "bits" else own for own in sides if own is not None]
    return None, min(most, key=lambda each: float(each.upper()))


def _logarithm(evaluation: Evaluation, count: int) -> arb:
    """Return the logarithm of a number of values in the unit asked for, a whole number of bits where it is one."""
    if evaluation.unit == "bits":
        return arb(count.bit_length() - 1) if count & (count - 1) == 0 else arb(count).log() / arb(2).log()
    return arb(count).log()


def _of_value(evaluation: Evaluation, call: MeasureCall) -> tuple[arb | None, arb | None]:
    values = _values(evaluation, with_value(evaluation.scope, call), (GHOST,))
    if values is None:
        return None, None
    least, greatest = values[0][0], values[0][0]
    for (value,) in values[1:]:
        least, greatest = exact.minimum(least, value), exact.maximum(greatest, value)
    if row_of(call).functional == "mean":
        return enclose(least), enclose(greatest)
    width = enclose(exact.sub(greatest, least))
    return arb(0), width * width / 4


def _count(evaluation: Evaluation, core: CoreProgram, x: Names) -> int | None:
    values = _values(evaluation, core, x)
    return None if values is None else len(values)


def _values(evaluation: Evaluation, core: CoreProgram, x: Names) -> list[tuple[Number, ...]] | None:
    """Return what values variables can have at most, None if they are not known to be discrete, or to have finitely many."""
    inquiry = evaluation.inquiry
    if inquiry.budget.expired():
        return None
    free = _without_observations(core.statements)
    try:
        if free == core.statements:
            joint = joint_of(inquiry, core, x)
        else:
            joint = solve(replace(core, statements=free), x, inquiry.scope.parameters, inquiry.budget)
    except (Fault, ArithmeticFault):
        return _seen_values(evaluation, core, x)
    discrete = as_discrete(joint) if isinstance(joint, MixtureJoint) else joint
    if discrete is None or discrete.cut is not None:
        return _seen_values(evaluation, core, x)
    return list(discrete.masses)


def _seen_values(evaluation: Evaluation, core: CoreProgram, x: Names) -> list[tuple[Number, ...]] | None:
    """Return all tuples of the values that the text gives variables, None where these are not finitely many, or too many."""
    seen = finite_values(core, evaluation.scope.parameters)
    sets = [values for name in x if (values := seen.get(name)) is not None]
    if len(sets) < len(x) or math.prod(map(len, sets)) > _MOST_TUPLES:
        return None
    return list(product(*sets))


def _without_observations(statements: tuple[CoreStatement, ...]) -> tuple[CoreStatement, ...]:
    kept: list[CoreStatement] = []
    for statement in statements:
        match statement:
            case CoreObserve():
                pass
            case CoreIf():
                arms = (_without_observations(arm) for arm in (statement.consequent, statement.alternative))
                consequent, alternative = arms
                kept.append(replace(statement, consequent=consequent, alternative=alternative))
            case _:
                kept.append(statement)
    return tuple(kept)
