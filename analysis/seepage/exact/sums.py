"""Sums of products of generators, of which numerators and denominators of irrational numbers are made; and the faults of arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from seepage.exact.numbers import Irrational

MAX_BITS = 20_000  # beyond, a number is a mistake (10^10^10) rather than a value
_MAX_TERMS = 400  # of a numerator or denominator


class ArithmeticFault(Exception):
    """A value does not exist or cannot be settled; ``reason`` says why in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undefined(ArithmeticFault):
    """Division by zero, logarithm of zero, ..."""


class CannotDecide(ArithmeticFault):
    """Two irrational values that neither algebra nor ball arithmetic tells apart."""


class TooLarge(ArithmeticFault):
    """A number past the budget on digits."""


@dataclass(frozen=True, slots=True)
class Generator:
    """``e`` (kind "e"), a prime under a root ("root"), ``log`` of an integer or irrational ("log"), ``exp`` of an irrational ("exp")."""

    kind: str
    of: int | Irrational


Monomial: TypeAlias = frozenset[tuple[Generator, Fraction]]
Sum: TypeAlias = Mapping[Monomial, Fraction]
UNIT: Monomial = frozenset()
ONE: Sum = MappingProxyType({UNIT: Fraction(1)})


def monomial_of(exponents: Mapping[Generator, Fraction]) -> tuple[Fraction, Monomial]:
    """Normalise a product of generators: whole powers of primes move into the coefficient."""
    coefficient = Fraction(1)
    kept: list[tuple[Generator, Fraction]] = []
    for generator, exponent in exponents.items():
        if generator.kind == "root" and isinstance(generator.of, int):
            whole = exponent.numerator // exponent.denominator
            if abs(whole) * generator.of.bit_length() > MAX_BITS:
                raise TooLarge("a power with too many digits")
            coefficient *= Fraction(generator.of) ** whole
            exponent -= whole
        if exponent:
            kept.append((generator, exponent))
    return coefficient, frozenset(kept)


def product(a: Monomial, b: Monomial) -> tuple[Fraction, Monomial]:
    """Multiply two products of generators; the first of the result is its rational factor."""
    exponents: dict[Generator, Fraction] = dict(a)
    for generator, exponent in b:
        exponents[generator] = exponents.get(generator, Fraction(0)) + exponent
    return monomial_of(exponents)


def plus(a: Sum, b: Sum) -> Sum:
    """Return a + b.

    Raises:
        TooLarge: past the budget on terms.
    """
    total = dict(a)
    for monomial, coefficient in b.items():
        value = total.get(monomial, Fraction(0)) + coefficient
        if value:
            total[monomial] = value
        else:
            del total[monomial]
    return _bounded(total)


def times(a: Sum, b: Sum) -> Sum:
    """Return a·b.

    Raises:
        TooLarge: past the budget on terms or digits.
    """
    total: dict[Monomial, Fraction] = {}
    for first, u in a.items():
        for second, v in b.items():
            factor, monomial = product(first, second)
            value = total.get(monomial, Fraction(0)) + u * v * factor
            if value:
                total[monomial] = value
            else:
                del total[monomial]
    return _bounded(total)


def _bounded(total: Sum) -> Sum:
    if len(total) > _MAX_TERMS:
        raise TooLarge("an irrational number with too many terms")
    return total
