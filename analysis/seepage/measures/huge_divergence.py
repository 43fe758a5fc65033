"""Divergences of variables from huge ranges: by the chances of events that the variables decide, else by classes of equally likely values."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.forward.class_joint import SIDE
from seepage.engines.forward.class_widths import least_width
from seepage.engines.outcome import DiscreteJoint, Joint
from seepage.engines.select import core_with
from seepage.exact import precision
from seepage.measures.call_parts import event_of
from seepage.measures.discrete import classes
from seepage.measures.discrete.entropy import non_negative
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation
from seepage.measures.joints import GHOST, classes_of, joint_of, observing, sides_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.scope import core_expression
from seepage.measures.units import in_unit
from seepage.semantics.core import CoreAssign
from seepage.semantics.slice import determines
from seepage.syntax.tree import Boolean, Expression, MeasureCall, Name

_REFERENCE = "reference@asked"


def huge_divergence(
    evaluation: Evaluation, call: MeasureCall, x: tuple[str, ...], y: tuple[str, ...]
) -> Quantity | None:
    """Return KL(x | e || y | f) where a variable has a huge range; None for anything else, and where neither way tells it."""
    scope, inquiry = evaluation.scope, evaluation.inquiry
    if evaluation.method is not None or not least_width(scope.core.statements, scope.parameters):
        return None
    if all(classes_of(inquiry, scope.core, names) is None for names in dict.fromkeys((x, y))):
        return None
    events = event_of(scope, call, call.given), event_of(scope, call, call.right_given)
    if x == y and (told := _by_chances(evaluation, x, *events)) is not None:
        return told
    if len({*x}) < len(x) or len({*y}) < len(y):
        return None
    huge = sides_of(inquiry, (observing(scope, events[0]), x), (observing(scope, events[1]), y))
    if huge is None:
        return None
    found, bits = classes.divergence(huge, SIDE, x, inquiry.budget)
    return in_unit(evaluation.unit, found, huge.symbols, bits)


def _by_chances(
    evaluation: Evaluation, x: tuple[str, ...], event: Expression | None, reference: Expression | None
) -> Quantity | None:
    """Return log P(f) - log P(e), or infinity where e does not imply f; None where x does not decide both, or they are no events with exact chances.

    Each value of x is in e or not, so that P(x | e) = P(x) / P(e) for those that are, and likewise in f.
    """
    scope = evaluation.scope
    asked = (GHOST, _REFERENCE)
    place = evaluation.inquiry.place
    told = tuple(
        CoreAssign(Name(name, place), Boolean(True, place) if each is None else core_expression(scope, each), place)
        for name, each in zip(asked, (event, reference), strict=True)
    )
    core = core_with(scope.core, told)
    if not determines(core, x, asked):
        return None
    joint = joint_of(evaluation.inquiry, core, asked)
    chances = _exact_chances(joint)
    happens = chances.get((1, 0), fmpq(0)) + chances.get((1, 1), fmpq(0))
    against = chances.get((0, 1), fmpq(0)) + chances.get((1, 1), fmpq(0))
    if not happens or not against or any(value not in (0, 1) for values in chances for value in values):
        return None  # an event that is impossible, or no event, is told of elsewhere
    if chances.get((1, 0)):
        infinite = arb("inf")
        return in_unit(evaluation.unit, Enclosure(infinite, infinite, infinite, Certainty.EXACT), joint)
    ratio = against / happens
    with precision(BITS):
        found = non_negative((arb(ratio.p) / ratio.q).log())
    whole = ratio.q == 1 and int(ratio.p).bit_count() == 1
    return in_unit(evaluation.unit, found, joint, Fraction(int(ratio.p).bit_length() - 1) if whole else None)


def _exact_chances(joint: Joint) -> dict[Values, fmpq]:
    """Return the masses of values where they are rational, else none."""
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return {}
    exact = {values: mass for values, mass in joint.masses.items() if isinstance(mass, fmpq)}
    return exact if len(exact) == len(joint.masses) else {}
