r"""Variance of a discrete variable: :math:`\operatorname{Var}(x) = E(x^2) - E(x)^2`."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import enclose, precision, to_fraction
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty


def variance(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], variable: str) -> Enclosure:
    """Return the variance of a variable; an exact rational where masses and values are rational."""
    place = joint.variables.index(variable)
    rational = _rational(joint, place)
    if rational is not None:
        return Enclosure.of_rational(rational)
    with precision(WORKING_BITS):
        mass = first = second = arb(0)
        for values, weight in joint.masses.items():
            value = enclose(values[place], WORKING_BITS)
            mass += arb(weight)
            first += arb(weight) * value
            second += arb(weight) * value * value
        mean = first / mass
        ball = second / mass - mean * mean
        lower = ball.lower() if ball.lower() > 0 else arb(0)
        middle = ball.mid() if ball.mid() > lower else lower
        return Enclosure(middle, lower, ball.upper(), Certainty.EXACT)


def _rational(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], place: int) -> Fraction | None:
    mass = mean = square = Fraction(0)
    for values, weight in joint.masses.items():
        value = to_fraction(values[place])
        if value is None or not isinstance(weight, fmpq):
            return None
        share = Fraction(int(weight.p), int(weight.q))
        mass += share
        mean += share * value
        square += share * value * value
    return square / mass - (mean / mass) ** 2
