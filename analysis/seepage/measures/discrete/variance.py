r"""Variance of a discrete variable: :math:`\operatorname{Var}(x) = \sum_x p(x) (x - E x)^2`.

The number has no unit that Seepage keeps: it is that of the variable, squared. Rational masses and values give an exact rational. Elsewhere
the sum is over distances from the mean, which are squared before they are added: nothing cancels there, as it does in
:math:`E(x^2) - E(x)^2` for a variable that lies far from 0. The mean is a ball that holds the true mean, so each term holds the true one;
a term's ball may reach below 0, which no variance does.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, enclose, precision, sub, to_fraction
from seepage.measures.discrete.cutting import certified
from seepage.measures.discrete.entropy import non_negative
from seepage.measures.discrete.weights import BITS, Values, Whole, marginal, total, weights_of
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note, NoteKind
from seepage.measures.result import Certainty

_UNKNOWN = arb("inf")
_ANY_SIZE = Note("no upper bound: the tail of an infinite support may hold values of any size", NoteKind.NO_UPPER_BOUND)


def variance(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], variable: str) -> Enclosure:
    """Return the variance of a variable, without a unit; an exact rational where masses and values are rational.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks the variable.
    """
    place = joint.positions((variable,))
    with precision(BITS):
        weights = weights_of(joint)
        if joint.cut is not None:
            moments = joint.cut.moments.get(variable, (_UNKNOWN, _UNKNOWN))
            return _cut(marginal(weights.as_balls().weights, place), joint.cut.mass, *moments)
        if isinstance(weights, Whole):
            exact = _rational({values[0]: int(w) for values, w in marginal(weights.weights, place).items()})
            if exact is not None:
                return Enclosure.of_rational(exact)
        return _enclosed({values[0]: w for values, w in marginal(weights.as_balls().weights, place).items()})


def _rational(weights: Mapping[Number, int]) -> Fraction | None:
    values: list[tuple[Fraction, int]] = []
    for value, weight in weights.items():
        fraction = to_fraction(value)
        if fraction is None:
            return None
        values.append((fraction, weight))
    whole = sum(weights.values())
    mean = sum((value * weight for value, weight in values), Fraction(0)) / whole
    return sum((weight * (value - mean) ** 2 for value, weight in values), Fraction(0)) / whole


def _cut(weights: Mapping[Values, arb], left_out: arb, first: arb, second: arb) -> Enclosure:
    r"""Enclose a variance where the runs cut off have given mass and first two absolute moments, times that mass.

    With distances from an origin a, :math:`|v - a| \le |v| + |a|` bounds what these runs add to the two sums.
    """
    mass = total(weights.values())
    origin = (sum((enclose(values[0], BITS) * weight for values, weight in weights.items()), arb(0)) / mass).mid()
    distances = [(enclose(values[0], BITS) - origin, weight) for values, weight in weights.items()]
    known = sum((distance * distance * weight for distance, weight in distances), arb(0))
    offset = sum((distance * weight for distance, weight in distances), arb(0))
    value = known / mass - (offset / mass) * (offset / mass)
    if not (first.is_finite() and second.is_finite()):
        return Enclosure(value.mid().max(arb(0)), arb(0), _UNKNOWN, Certainty.CERTIFIED, notes=(_ANY_SIZE,))
    size = abs(origin)
    more = arb(0).union(second + 2 * size * first + size * size * left_out)
    shift = first + size * left_out
    whole = mass.union(mass + left_out)
    mean = (offset + shift.union(-shift)) / whole
    result = (known + more) / whole - mean * mean
    return certified(value, result.lower().max(arb(0)), result.upper())


def _enclosed(weights: Mapping[Number, arb]) -> Enclosure:
    if len(weights) == 1:
        return Enclosure.of_rational(Fraction(0))
    # Distances from a likely value first: the mean itself is known only as well as the masses, relative to its size.
    origin = max(weights, key=lambda value: float(weights[value]))
    distances = [(_distance(value, origin), weight) for value, weight in weights.items()]
    whole = total(weights.values())
    mean = sum((distance * weight for distance, weight in distances), arb(0)) / whole
    # A deviation times itself, not to the power 2: the library's power of a ball around 0 is nan.
    squares = (weight * (distance - mean) * (distance - mean) for distance, weight in distances)
    return non_negative(sum(squares, arb(0)) / whole)


def _distance(value: Number, origin: Number) -> arb:
    """Enclose value − origin: exactly where balls of both would cancel, for a constant that is added to all values changes no variance."""
    found = enclose(value, BITS) - enclose(origin, BITS)
    return found if found.rel_accuracy_bits() >= BITS // 2 else enclose(sub(value, origin), BITS)
