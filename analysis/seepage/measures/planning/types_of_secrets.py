r"""The law of a sum given how often each value comes among alike secrets: the *type* of the secrets (Csiszár and Körner 2011, chapter 2).

Where :math:`o = \sum z_i` and the pairs :math:`(x_i, z_i)` are independent and equally distributed, :math:`W(o \mid x) = K(T(x), o)` reads x through the counts T of its
values only. :math:`K(T, \cdot)` is the product of the polynomials of the terms, each as often as its value comes; terms without a secret are powers of one polynomial.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from math import comb, lcm, prod
from typing import Any, TypeAlias

from flint import arb, arb_poly, fmpq, fmpq_poly

from seepage.data_classes import dataclass
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Irrational, Number, add
from seepage.measures.discrete.weights import Values

Weight: TypeAlias = fmpq | arb
Polynomial: TypeAlias = fmpq_poly | arb_poly


class NoTypes(Exception):
    """Sums, or secrets, of which no law by types is made; ``reason`` completes "not answered by counts: …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class AlikeSecrets:
    """Independent parts that are alike.

    Attributes:
        count: how many.
        chances: of each value of the secret of one.
        rows: for each value of the secret, the law of what the part adds to the sum.
    """

    count: int
    chances: Mapping[Values, Weight]
    rows: Mapping[Values, Mapping[Fraction, Weight]]


@dataclass(frozen=True, slots=True)
class Class:
    """Values of a secret that tell the same.

    Attributes:
        chances: of its values.
        row: the law of what is added, where one of them is the value.
    """

    chances: tuple[Weight, ...]
    row: Mapping[Fraction, Weight]

    @property
    def chance(self) -> Weight:
        """The chance of any of them."""
        return sum_of(self.chances)

    @property
    def greatest(self) -> Weight:
        """The chance of the likeliest of them."""
        return reduce(larger, self.chances)


@dataclass(frozen=True, slots=True)
class Type:
    """How often each class comes, among the secrets of each kind.

    Attributes:
        counts: kind by kind, class by class.
        arrangements: in how many ways the classes can be shared out.
        chance: of the type, all arrangements together.
        greatest: the chance of the likeliest secrets of this type.
        law: of the sum, by its steps above the least one.
    """

    counts: tuple[tuple[int, ...], ...]
    arrangements: int
    chance: Weight
    greatest: Weight
    law: tuple[Weight, ...]


def sum_of(weights: Sequence[Weight]) -> Weight:
    """Add weights of one ring, at least one."""
    return reduce(lambda one, other: one + other, weights)


def larger(one: Weight, other: Weight) -> Weight:
    """Return the larger of two weights of one ring."""
    if isinstance(one, fmpq) and isinstance(other, fmpq):
        return max(one, other)
    return arb(one).max(arb(other))


def alike_secrets(joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], x: Sequence[str], count: int) -> AlikeSecrets:
    """Return parts from the law of one: of its secrets ``x`` and terms, all other variables.

    Raises:
        NoTypes: where a term is no rational number.
    """
    places = joint.positions(x)
    terms = [place for place in range(len(joint.variables)) if place not in places]
    masses: dict[Values, dict[Fraction, Weight]] = {}
    for values, mass in joint.masses.items():
        row = masses.setdefault(tuple(values[place] for place in places), {})
        nothing: Number = 0
        told = _rational(reduce(add, (values[place] for place in terms), nothing))
        row[told] = row[told] + mass if told in row else mass
    wholes = {value: sum_of(list(row.values())) for value, row in masses.items()}
    mass = sum_of(list(wholes.values()))
    rows = {value: {told: each / wholes[value] for told, each in row.items()} for value, row in masses.items()}
    return AlikeSecrets(count, {value: whole / mass for value, whole in wholes.items()}, rows)


def _rational(value: Number) -> Fraction:
    if isinstance(value, Irrational):
        raise NoTypes("a term is irrational")
    return Fraction(value)


class Types:
    """The law of a sum by types.

    Attributes:
        kinds: for each kind of parts how many there are, and their classes.
        width: the number of values from the least sum to the greatest, in steps.
    """

    def __init__(self, parts: Sequence[AlikeSecrets], are_classes: bool) -> None:
        self.kinds = [(part.count, _classes(part, are_classes)) for part in parts]
        self._low = Fraction(0)
        told = [value for _, classes in self.kinds for each in classes for value in each.row]
        self._scale = lcm(*(value.denominator for value in told))
        width = 1
        for count, classes in self.kinds:
            values = [value for each in classes for value in each.row]
            self._low += count * min(values)
            width += count * int((max(values) - min(values)) * self._scale)
        self.width = width
        self.is_ball = any(
            isinstance(each, arb) for _, classes in self.kinds for one in classes for each in one.chances
        )

    def count(self) -> int:
        """Return how many types there are."""
        return prod(comb(count + len(classes) - 1, len(classes) - 1) for count, classes in self.kinds)

    def value(self, step: int) -> Fraction:
        """Return the sum at so many steps above the least one."""
        return self._low + Fraction(step, self._scale)

    def possible(self) -> list[int]:
        """Return the steps that sums have."""
        reached = 1  # a bit a step
        for count, classes in self.kinds:
            low = min(value for each in classes for value in each.row)
            steps = {int((value - low) * self._scale) for each in classes for value in each.row}
            for _ in range(count):
                reached = reduce(lambda found, step: found | reached << step, steps, 0)
        return [step for step in range(self.width) if reached >> step & 1]

    def __iter__(self) -> Iterator[Type]:
        powers = [list(self._of_kind(count, classes)) for count, classes in self.kinds]
        for parts in product(*powers):
            law = reduce(lambda one, other: one * other, (each[4] for each in parts))
            coefficients: list[Any] = list(law.coeffs())
            zero: Weight = arb(0) if self.is_ball else fmpq(0)
            yield Type(
                tuple(each[0] for each in parts),
                prod(each[1] for each in parts),
                reduce(lambda one, other: one * other, (each[2] for each in parts)),
                reduce(lambda one, other: one * other, (each[3] for each in parts)),
                (*coefficients, *(zero for _ in range(self.width - len(coefficients)))),
            )

    def _of_kind(
        self, count: int, classes: Sequence[Class]
    ) -> Iterator[tuple[tuple[int, ...], int, Weight, Weight, Polynomial]]:
        """Yield the types of the parts of one kind: counts, arrangements, chance, greatest chance, and the law."""
        low = min(value for each in classes for value in each.row)
        polynomials = [self._polynomial(each.row, low) for each in classes]
        powers = [_powers(each, count if len(classes) > 1 else 0) for each in polynomials]
        if len(classes) == 1:
            powers[0] = {count: polynomials[0] ** count}
        for counts in _counts(count, len(classes)):
            arrangements, left = 1, count
            for each in counts:
                arrangements *= comb(left, each)
                left -= each
            chance = reduce(lambda a, b: a * b, (one.chance**each for one, each in zip(classes, counts, strict=True)))
            best = reduce(lambda a, b: a * b, (one.greatest**each for one, each in zip(classes, counts, strict=True)))
            law = reduce(lambda a, b: a * b, (power[each] for power, each in zip(powers, counts, strict=True)))
            yield counts, arrangements, chance * arrangements, best, law

    def _polynomial(self, row: Mapping[Fraction, Weight], low: Fraction) -> Polynomial:
        steps = {int((value - low) * self._scale): mass for value, mass in row.items()}
        entries: list[Any] = [steps.get(step, 0) for step in range(max(steps) + 1)]
        return arb_poly(entries) if self.is_ball else fmpq_poly(entries)


def _classes(part: AlikeSecrets, are_classes: bool) -> list[Class]:
    """Return the values of a secret, those with equal laws together, if they may be; which balls never are."""
    found: dict[object, list[Values]] = {}
    for value, row in part.rows.items():
        exact = are_classes and all(isinstance(mass, fmpq) for mass in row.values())
        found.setdefault(frozenset(row.items()) if exact else value, []).append(value)
    return [Class(tuple(part.chances[value] for value in values), part.rows[values[0]]) for values in found.values()]


def _powers(polynomial: Polynomial, most: int) -> dict[int, Polynomial]:
    found: dict[int, Polynomial] = {0: polynomial**0}
    for exponent in range(1, most + 1):
        found[exponent] = found[exponent - 1] * polynomial
    return found


def _counts(total: int, length: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number as a sum of so many, in order."""
    if length == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _counts(total - first, length - 1):
            yield (first, *rest)
