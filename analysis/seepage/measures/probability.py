"""Means of discrete variables; the probability of an event is the mean of a 0/1 variable that tells it."""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key

from flint import arb, fmpq

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, compare, enclose, precision, to_fraction
from seepage.measures.enclosure import Enclosure
from seepage.measures.weights import BITS, Whole, marginal, positions, total, weights_of


def expectation(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], variable: str) -> Enclosure:
    """Return the mean of a variable; an exact rational where masses and values are rational.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks the variable.
        CannotDecide: if two irrational values cannot be told apart.
    """
    place = positions(joint, (variable,))
    with precision(BITS):
        weights = weights_of(joint)
        if isinstance(weights, Whole):
            exact = _rational_mean({values[0]: int(w) for values, w in marginal(weights.weights, place).items()})
            if exact is not None:
                return Enclosure.of_rational(exact)
        return _mean({values[0]: w for values, w in marginal(weights.as_balls().weights, place).items()})


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
