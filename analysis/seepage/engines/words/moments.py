r"""Means of products of words, from their digits.

A digit over fair coins is :math:`(1 - \chi) / 2`, where χ is the sign that the parity of its coins has, and signs of different parities are orthonormal (Parseval; O'Donnell 2014, Analysis
of Boolean Functions, section 1.4). So two words without gates, :math:`v = \bar v - \sum_m a_m \chi_m` and w likewise, have :math:`E[vw] = \bar v \bar w + \sum_m a_m b_m`, however many pairs of
digits there are. A digit with a coin that nothing else depends on is independent of all else; only pairs that are left are asked for, each as the mean of a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias, cast

from seepage.data_classes import dataclass
from seepage.engines.words.circuit import ONE, Beyond, Operand, Plain
from seepage.engines.words.coordinates import Coordinates
from seepage.engines.words.reading import Reading
from seepage.engines.words.values import Value, binary
from seepage.engines.words.writing import Writer, choose, factors_of, members_of
from seepage.exact import Irrational, show_count
from seepage.semantics.core import CoreProgram
from seepage.syntax.tree import Expression

MOST_TERMS = 256
"""Means that are asked for, of digits, and of products of digits that depend on each other."""

Names: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenProduct:
    """The mean of a product of values, as means over coins and small numbers.

    Attributes:
        core: the program.
        constant: what is added to the terms.
        terms: expressions whose means, each times a number, add up to the mean, with the variables that each reads.
    """

    core: CoreProgram
    constant: Fraction
    terms: tuple[tuple[Fraction, Expression, Names], ...]


def written_product(reading: Reading, core: CoreProgram, names: Names) -> WrittenProduct:
    """Write the mean of a value, or of a product of two, as means of digits, small numbers and products of two of them.

    Args:
        reading: of the program; its circuit grows.
        core: the program.
        names: of the variables that hold the values, at most two; the same one twice for a square.

    Raises:
        Beyond: if one is irrational, no run passes the observations, or past a limit.
    """
    coordinates = Coordinates(reading.circuit)
    held = [left for each in reading.observed if (left := coordinates.hold(each)) is not None]
    values = [reading.values.get(name, 0) for name in names]
    members = [list(members_of(value)) for value in values]
    choose(coordinates, [[each for some in dict(zip(names, members, strict=True)).values() for each in some]], held)
    writer = Writer(coordinates, {})
    sums = [_sum(coordinates, value, some) for value, some in zip(values, members, strict=True)]
    writer.write([each for _, terms in sums for each, _ in terms])
    for each in held:
        writer.observe(coordinates.resolved(each))
    tied = 0
    for each in held:
        tied |= writer.behind(coordinates.resolved(each))
    means = _Means(writer, tied, Fraction(0), {})
    (first, ours), (second, theirs) = (*sums, (Fraction(1), []), (Fraction(1), []))[:2]
    means.constant = first * second
    for times, terms in ((second, ours), (first, theirs)):
        for operand, factor in terms:
            means.add(factor * times, (operand,))
    means.add_products(ours, theirs)
    told = means.terms()  # which writes sums of coins
    return WrittenProduct(writer.program(core), means.constant, told)


_Terms: TypeAlias = list[tuple[Operand, Fraction]]


def _sum(coordinates: Coordinates, value: Value, members: Sequence[Operand]) -> tuple[Fraction, _Terms]:
    """Return a value as a constant and a sum of forms without constants and of small numbers, each once, with factors."""
    if not members:
        if isinstance(value, Irrational):
            raise Beyond("an irrational number")
        return Fraction(cast("int | Fraction", value)), []
    constant, found = Fraction(0), dict[Operand, Fraction]()
    for factor, member in zip(factors_of(value), members, strict=True):
        operand: Operand = member if isinstance(member, Plain) else coordinates.resolved(member)
        if not isinstance(operand, Plain) and operand & ONE:  # 1 - the form without it
            constant, factor, operand = constant + factor, -factor, operand & ~ONE
        if operand:
            found[operand] = found.get(operand, Fraction(0)) + factor
    return constant, [(operand, factor) for operand, factor in found.items() if factor]


@dataclass(slots=True)
class _Means:
    """What is added up. Mutable.

    Attributes:
        tied: the roots of observations.
        asked: means of digits, numbers and products, by what is multiplied, with factors.
    """

    writer: Writer
    tied: int
    constant: Fraction
    asked: dict[tuple[Operand, ...], Fraction]

    def add(self, factor: Fraction, multiplied: tuple[Operand, ...]) -> None:
        """Add a mean times a number."""
        if len(multiplied) == 1 and self.is_fair(multiplied[0]):
            self.constant += factor / 2
            return
        self.asked[multiplied] = self.asked.get(multiplied, Fraction(0)) + factor
        if len(self.asked) > MOST_TERMS:
            raise Beyond(f"more than {show_count(MOST_TERMS)} products of digits that depend on each other")

    def add_products(self, ours: _Terms, theirs: _Terms) -> None:
        """Add the means of all products of two sums."""
        fair = [{each: factor for each, factor in terms if self.is_fair(each)} for terms in (ours, theirs)]
        left = [[(each, factor) for each, factor in terms if not self.is_fair(each)] for terms in (ours, theirs)]
        wholes = [sum(some.values(), Fraction(0)) for some in fair]
        both = sum((factor * fair[1].get(each, 0) for each, factor in fair[0].items()), Fraction(0))
        self.constant += (wholes[0] * wholes[1] + both) / 4
        for one, other in ((fair[0].items(), left[1]), (left[0], fair[1].items()), (left[0], left[1])):
            for (a, by), (b, times) in product(one, other):
                self._add_product(by * times, a, b)

    def _add_product(self, factor: Fraction, a: Operand, b: Operand) -> None:
        if a == b and not isinstance(a, Plain):
            self.add(factor, (a,))
        elif self.has_own_coin(a, b):
            self.add(factor / 2, (b,))
        elif self.has_own_coin(b, a):
            self.add(factor / 2, (a,))
        else:
            self.add(factor, (a, b) if (b, a) not in self.asked else (b, a))

    def is_fair(self, operand: Operand) -> bool:
        """Tell whether an operand is a sum of coins that no observation depends on."""
        return self.writer.is_parity(operand) and not self.writer.behind(operand) & self.tied

    def has_own_coin(self, a: Operand, b: Operand) -> bool:
        """Tell whether an operand is a sum of coins, one of which neither the other nor an observation depends on."""
        return self.writer.is_parity(a) and bool(self.writer.behind(a) & ~(self.writer.behind(b) | self.tied))

    def terms(self) -> tuple[tuple[Fraction, Expression, Names], ...]:
        """Return what is asked for, as expressions."""
        terms = []
        for multiplied, factor in self.asked.items():
            parts = [self.writer.part(each) for each in multiplied]
            whole = parts[0] if len(parts) == 1 else binary("*", *parts)
            terms.append((factor, whole, tuple(dict.fromkeys(map(self.writer.variable, multiplied)))))
        return tuple(terms)
