"""Means of discrete variables; the probability of an event is the mean of a 0/1 variable that tells it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cmp_to_key

from flint import arb, fmpq

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, compare, enclose, precision, to_fraction
from seepage.measures.discrete.cutting import certified
from seepage.measures.discrete.weights import BITS, Values, Whole, marginal, total, weights_of
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note
from seepage.measures.result import Certainty

_UNKNOWN = arb("inf")
_ANY_SIZE = Note("no bound: the tail of an infinite support may hold values of any size")


def probability(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], variable: str) -> Enclosure:
    """Return the probability that a variable with the values 0 and 1 is 1; an exact rational where masses are rational.

    Of the runs that were cut off an infinite support all or none may have the value 1.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks the variable.
    """
    if joint.cut is None:
        return expectation(joint, variable)
    place = joint.positions((variable,))
    with precision(BITS):
        chances = marginal(weights_of(joint).as_balls().weights, place)
        mass, true = total(chances.values()), chances.get((1,), arb(0))
        left_out = joint.cut.mass
        bounds = (true / (mass + left_out)).lower(), ((true + left_out) / (mass + left_out)).upper()
        return certified(true / mass, bounds[0].max(arb(0)), bounds[1].min(arb(1)))


def expectation(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], variable: str) -> Enclosure:
    """Return the mean of a variable; an exact rational where masses and values are rational.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks the variable.
        CannotDecide: if two irrational values cannot be told apart.
    """
    place = joint.positions((variable,))
    with precision(BITS):
        weights = weights_of(joint)
        if joint.cut is not None:
            first, _ = joint.cut.moments.get(variable, (_UNKNOWN, _UNKNOWN))
            return _cut_mean(marginal(weights.as_balls().weights, place), joint.cut.mass, first)
        if isinstance(weights, Whole):
            exact = _rational_mean({values[0]: int(w) for values, w in marginal(weights.weights, place).items()})
            if exact is not None:
                return Enclosure.of_rational(exact)
        return _mean({values[0]: w for values, w in marginal(weights.as_balls().weights, place).items()})


def _cut_mean(weights: Mapping[Values, arb], left_out: arb, moment: arb) -> Enclosure:
    """Enclose a mean where the runs cut off have the mass ``left_out`` and the mean of absolute values ``moment``, times that mass."""
    mass = total(weights.values())
    known = sum((enclose(values[0], BITS) * weight for values, weight in weights.items()), arb(0))
    if not moment.is_finite():
        return Enclosure((known / mass).mid(), arb.neg_inf(), _UNKNOWN, Certainty.APPROXIMATE, notes=(_ANY_SIZE,))
    whole = mass.union(mass + left_out)
    return certified(known / mass, ((known - moment) / whole).lower(), ((known + moment) / whole).upper())


def _rational_mean(weights: dict[Number, int]) -> Fraction | None:
    values = {to_fraction(value): weight for value, weight in weights.items()}
    if None in values:
        return None
    weighted = sum((value * weight for value, weight in values.items() if value is not None), Fraction(0))
    return weighted / sum(values.values())


def _mean(weights: dict[Number, arb]) -> Enclosure:
    """Enclose a mean with irrational values or masses; it lies between the smallest and the largest value."""
    if len(weights) == 1:
        (value,) = weights
        exact = to_fraction(value)
        return Enclosure.of_ball(enclose(value, BITS)) if exact is None else Enclosure.of_rational(exact)
    mean = sum((enclose(value, BITS) * weight for value, weight in weights.items()), arb(0)) / total(weights.values())
    ordered = sorted(weights, key=cmp_to_key(compare))
    lowest, highest = enclose(ordered[0], BITS).lower(), enclose(ordered[-1], BITS).upper()
    lower = mean.lower() if mean.lower() > lowest else lowest
    upper = mean.upper() if mean.upper() < highest else highest
    return Enclosure.bounded(mean, lower, upper)
