r"""Entropy, mutual information and divergence where variables are uniform over huge ranges, in nats.

An entry of weight :math:`m` whose variables x take :math:`c_x` equally likely values adds :math:`m \log c_x` to the entropy of its symbols:

.. math:: H(x) = H(\text{symbols of } x) + \sum m \log c_x.

So H(x | z) has :math:`\log (c_{xz} / c_z)` for it, and I(x; y | z) has :math:`\log (c_{xz} c_{yz} / (c_{xyz} c_z))`; both are logarithms of whole numbers, or 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from seepage.engines.forward.class_joint import ClassJoint, Progression
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number, number, precision, to_fraction
from seepage.measures.arithmetic import add, subtract
from seepage.measures.clock import UNLIMITED
from seepage.measures.discrete import entropy, mutual_information
from seepage.measures.discrete.divergence import divergence as discrete_divergence
from seepage.measures.discrete.entropy import non_negative
from seepage.measures.discrete.posteriors import given_value
from seepage.measures.discrete.probability import expectation
from seepage.measures.discrete.variance import variance as between_variance
from seepage.measures.discrete.weights import BITS
from seepage.measures.discrete.whole_bits import class_bits, divergence_bits
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.vulnerability import Discrete

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
    given = joint.shown(z)
    found = entropy.conditional_entropy(joint.symbols, _more(joint.shown((*x, *z)), given), given, budget)
    return _with_counts(joint, found, signed), class_bits(joint, signed)


def information(
    joint: Joint, x: Sequence[str], y: Sequence[str], z: Sequence[str] = (), budget: Budget = UNLIMITED
) -> tuple[Enclosure, Fraction | None]:
    """Return the mutual information of ``x`` and ``y`` given ``z``, with its exact value in bits where that is rational.

    What x and y tell only together, as whether they are equal, takes its entropy off that of the symbols of each.

    Raises:
        ValueError: if the joint distribution lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    signed = ((1, (*x, *z)), (1, (*y, *z)), (-1, (*x, *y, *z)), (-1, tuple(z)))
    given, left, right = joint.shown(z), joint.shown((*x, *z)), joint.shown((*y, *z))
    each = (*given, *_more(left, given), *_more(right, given))
    found = mutual_information.mutual_information(joint.symbols, _more(left, given), _more(right, given), given, budget)
    together = _more(joint.shown((*x, *y, *z)), each)
    if not together:
        return _with_counts(joint, found, signed), class_bits(joint, signed)
    less = entropy.conditional_entropy(joint.symbols, together, tuple(dict.fromkeys(each)), budget)
    added = _with_counts(joint, Enclosure.of_rational(Fraction(0)), signed)
    difference = subtract(add(found, added), less)
    at_least_0 = Enclosure.bounded(difference.value, difference.lower.max(arb(0)), difference.upper)
    return at_least_0, class_bits(joint, signed)


def _more(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if name not in known)


def divergence(
    joint: Joint, side: str, x: Sequence[str], budget: Budget = UNLIMITED
) -> tuple[Enclosure, Fraction | None]:
    r"""Return the divergence of ``x`` where ``side`` is 0 from ``x`` where it is 1, with its exact value in bits where that is rational.

    Given its symbol, x is uniform over the same values on both sides, so that their ratio is that of the symbols' probabilities.

    Raises:
        ValueError: if the joint distribution lacks a variable, or a side has no mass.
        OutOfTime: past the budget's deadline.
    """
    (place,) = joint.symbols.positions((side,))
    symbols = {joint.meaning(key, place): key[place] for key in joint.symbols.masses}
    p, q = (given_value(joint.symbols, (side,), (symbols[which],)) for which in (0, 1))
    shown = joint.shown(x)
    return discrete_divergence(p, shown, q, shown, budget), divergence_bits(p, shown, q, shown)


def _with_counts(joint: Joint, found: Enclosure, signed: Signed) -> Enclosure:
    """Add the logarithms of the counts, each at least 0."""
    places = [(sign, joint.symbols.positions(joint.shown(names))) for sign, names in signed]
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


# --- what the values are ----------------------------------------------------------------------------------------------


def mean_and_variance(joint: Joint, variable: str) -> tuple[Enclosure, Enclosure]:
    r"""Return mean and variance of a variable.

    A class of n values with step q and least value a has mean :math:`a + q (n - 1) / 2` and variance :math:`q^2 (n^2 - 1) / 12`, and variances add up:
    within the classes on average, and between their means.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks the variable.
    """
    (place,) = joint.symbols.positions((variable,))
    means: dict[tuple[Number, ...], Any] = {}
    with precision(BITS):
        within, whole = joint.symbols.ring.zero, joint.symbols.ring.zero
        for key, weight in joint.symbols.masses.items():
            meaning = joint.meaning(key, place)
            centre: Number = meaning if not isinstance(meaning, Progression) else _centre(meaning)
            means[(centre,)] = means.get((centre,), joint.symbols.ring.zero) + weight
            spread = _spread(meaning) if isinstance(meaning, Progression) else Fraction(0)
            within += weight * joint.symbols.ring.rational(spread.numerator, spread.denominator)
            whole += weight
        symbols: DiscreteJoint[Any] = joint.symbols
        between = DiscreteJoint((variable,), symbols.ring, means, symbols.mass)
        mean, variance = expectation(between, variable), between_variance(between, variable)
        inside = within / whole
        added = (
            Enclosure.of_rational(Fraction(int(inside.p), int(inside.q)))
            if isinstance(inside, fmpq)
            else Enclosure.of_ball(inside)
        )
        return mean, add(variance, added)


def _centre(values: Progression) -> Number:
    return number(values.low + sum((step * Fraction(count - 1, 2) for step, count in values.digits), Fraction(0)))


def _spread(values: Progression) -> Fraction:
    return sum((step**2 * Fraction(count**2 - 1, 12) for step, count in values.digits), Fraction(0))


def channel_joint(joint: Joint, x: Sequence[str], y: Sequence[str], z: Sequence[str]) -> Discrete | None:
    """Return a joint with one value for each class, from which the channel from x to y given z is that of all values; None where there is none.

    All values of a class of x have the same row if, given the symbols, x and y are independent given z; then all outputs in a class of y have
    the same ratios, too. The value that stands for a class is its least. There is none, either, where values are compared: a class alone does not tell
    its rows then, and nothing is known of them by that.

    Raises:
        ValueError: if the joint distribution lacks a variable.
    """
    if joint.compared:
        return None
    sets = [joint.symbols.positions(names) for names in ((*x, *y, *z), z, (*x, *z), (*y, *z))]
    masses: dict[tuple[Number, ...], Any] = {}
    for key, weight in joint.symbols.masses.items():
        every, given, inputs, outputs = (joint.count(key, where) for where in sets)
        if every * given != inputs * outputs:
            return None
        meanings = (joint.meaning(key, place) for place in range(len(key)))
        masses[tuple(number(one.low) if isinstance(one, Progression) else one for one in meanings)] = weight
    every_one: Any = joint.symbols
    found: Discrete = replace(every_one, masses=masses)
    return found


def pairs_joint(joint: Joint, x: Sequence[str], y: Sequence[str]) -> Discrete | None:
    """Return a joint with two values for each class of x, and in each class of y these two and all others together; None where classes do not say it.

    Where x and y are compared, a value of y is as likely as any other given x, but the one that is equal to x. So any two values of x have the rows of
    two that stand for them here. Values are numbered: they only stand for those of the program.

    Raises:
        ValueError: if the joint distribution lacks a variable.
    """
    if len(x) != 1 or len(y) != 1 or len(joint.compared) != 1:
        return None
    (of,), (to,) = joint.symbols.positions(x), joint.symbols.positions(y)
    (told,) = joint.symbols.positions(tuple(joint.compared))
    if {of, to, told} != set(range(len(joint.symbols.variables))):
        return None
    ring: Any = joint.symbols.ring
    masses: dict[tuple[Number, ...], Any] = {}
    for key, weight in joint.symbols.masses.items():
        first, second, relation = (int(to_fraction(key[place]) or 0) for place in (of, to, told))
        inputs, outputs, both = (joint.count(key, where) for where in ((of,), (to,), (of, to)))
        if any(len(joint.sources[key][place]) > 1 for place in (of, to)) or (relation and inputs != outputs):
            return None
        if both != (inputs * outputs, inputs, inputs * (outputs - 1))[relation]:
            return None
        chosen = min(inputs, 2)
        for one in range(chosen):
            for other, share in _shares(outputs, one, relation).items():
                values = 2 * first + one, 3 * second + other
                part = ring.multiply(weight, ring.rational(share.numerator, share.denominator * chosen))
                masses[values] = ring.add(masses[values], part) if values in masses else part
    every_one: Any = joint.symbols
    found: Discrete = replace(every_one, variables=(*x, *y), masses=masses)
    return found


def _shares(outputs: int, one: int, relation: int) -> dict[int, Fraction]:
    """Return the shares of the first, the second and all other outputs of a class beside its ``one``-th input: equal to it (1), another (2), or any (0)."""
    if relation == 1:
        return {one: Fraction(1)}
    counts = {0: 1, 1: min(outputs, 2) - 1, 2: max(outputs - 2, 0)}
    if relation == 2:
        counts[one] = 0
    return {other: Fraction(count, sum(counts.values())) for other, count in counts.items() if count}


def lacks_pairs(joint: Joint, x: Sequence[str], y: Sequence[str], z: Sequence[str]) -> bool:
    """Tell whether it is certain that some value of x never has an output that another one has beside the same z; False where it is not known.

    Classes are disjoint: what an entry lacks is in no other one, unless they also tell how values compare.

    Raises:
        ValueError: if the joint distribution lacks a variable.
    """
    if joint.compared:
        return False
    sets = [joint.symbols.positions(names) for names in ((*x, *y, *z), z, (*x, *z), (*y, *z))]
    for key, weight in joint.symbols.masses.items():
        every, given, inputs, outputs = (joint.count(key, where) for where in sets)
        if weight > 0 and every * given < inputs * outputs:
            return True
    return False


def guessed_in_one_try(joint: Joint, x: Sequence[str], y: Sequence[str]) -> Fraction | None:
    r"""Return :math:`\sum_y \max_x P(y \mid x)`, whose logarithm is the min-capacity, where masses are rational.

    Raises:
        ValueError: if the joint distribution lacks a variable.
    """
    both, of, to = (joint.symbols.positions(joint.shown(names)) for names in ((*x, *y), x, y))
    weights = {key: weight for key, weight in joint.symbols.masses.items() if isinstance(weight, fmpq)}
    if len(weights) < len(joint.symbols.masses):
        return None
    inputs: dict[tuple[Number, ...], fmpq] = {}
    for key, weight in weights.items():
        symbols = tuple(key[place] for place in of)
        inputs[symbols] = inputs.get(symbols, fmpq(0)) + weight
    best: dict[tuple[Number, ...], Fraction] = {}
    for key, weight in weights.items():
        share = weight / inputs[tuple(key[place] for place in of)]
        # One of the values of y with this symbol, given one of x that it goes with; for all such values of y together.
        ratio = Fraction(joint.count(key, to) * joint.count(key, of), joint.count(key, both))
        chance = Fraction(int(share.p), int(share.q)) * ratio
        output = tuple(key[place] for place in to)
        best[output] = max(best.get(output, chance), chance)
    return sum(best.values(), Fraction(0))


def number_of_values(joint: Joint, names: Sequence[str]) -> int:
    """Return how many values some variables have jointly."""
    places = joint.symbols.positions(joint.shown(names))
    return sum(
        {tuple(key[place] for place in places): joint.count(key, places) for key in joint.symbols.masses}.values()
    )
