r"""Entropy and mutual information where variables are uniform over huge ranges, in nats.

An entry of weight :math:`m` whose variables x take :math:`c_x` equally likely values adds :math:`m \log c_x` to the entropy of its symbols:

.. math:: H(x) = H(\text{symbols of } x) + \sum m \log c_x.

So H(x | z) has :math:`\log (c_{xz} / c_z)` for it, and I(x; y | z) has :math:`\log (c_{xz} c_{yz} / (c_{xyz} c_z))`; both are logarithms of whole numbers, or 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.forward.class_joint import ClassJoint
from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures import entropy, mutual_information
from seepage.measures.clock import UNLIMITED
from seepage.measures.enclosure import Enclosure
from seepage.measures.entropy import non_negative
from seepage.measures.weights import BITS, positions
from seepage.measures.whole_bits import class_bits

Joint = ClassJoint[fmpq] | ClassJoint[arb]
Signed = Sequence[tuple[int, Sequence[str]]]


def conditional_entropy(
    joint: Joint, x: Sequence[str], z: Sequence[str] = (), budget: Budget = UNLIMITED
) -> tuple[Enclosure, Fraction | None]:
    """Return the entropy of ``x`` given ``z``, with its exact value in bits where that is rational.

    Raises:
        ValueError: if the joint distribution lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    signed = ((1, (*x, *z)), (-1, tuple(z)))
    found = entropy.conditional_entropy(joint.symbols, x, z, budget)
    return _with_counts(joint, found, signed), class_bits(joint, signed)


def information(
    joint: Joint, x: Sequence[str], y: Sequence[str], z: Sequence[str] = (), budget: Budget = UNLIMITED
) -> tuple[Enclosure, Fraction | None]:
    """Return the mutual information of ``x`` and ``y`` given ``z``, with its exact value in bits where that is rational.

    Raises:
        ValueError: if the joint distribution lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    signed = ((1, (*x, *z)), (1, (*y, *z)), (-1, (*x, *y, *z)), (-1, tuple(z)))
    found = mutual_information.mutual_information(joint.symbols, x, y, z, budget)
    return _with_counts(joint, found, signed), class_bits(joint, signed)


def _with_counts(joint: Joint, found: Enclosure, signed: Signed) -> Enclosure:
    """Add the logarithms of the counts, each at least 0."""
    places = [(sign, positions(joint.symbols, names)) for sign, names in signed]
    with precision(BITS):
        extra, mass = arb(0), arb(joint.symbols.mass)
        for key, weight in joint.symbols.masses.items():
            ratio = Fraction(1)
            for sign, where in places:
                ratio *= Fraction(joint.count(key, where)) ** sign
            if ratio != 1:
                extra += arb(weight) * (arb(ratio.numerator) / ratio.denominator).log()
        if extra.is_zero():
            return found
        added = non_negative(extra / mass)
        return Enclosure.bounded(found.value + added.value, found.lower + added.lower, found.upper + added.upper)
