"""Values of a path: exact numbers, or polynomials with exact coefficients in independent real sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number

Monomial: TypeAlias = tuple[tuple[int, int], ...]
"""``((source, power), …)``: sources ascending, powers positive; ``()`` is 1."""

Direction: TypeAlias = tuple[tuple[int, Number], ...]
"""A linear combination of sources, ``((source, coefficient), …)``: sources ascending, the first coefficient 1."""

MOST_TERMS, HIGHEST_DEGREE = 64, 8


class Beyond(Exception):
    """The program, or what is asked of it, is not of the kind that this engine solves; ``reason`` says why in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoMomentError(Beyond):
    """A moment is infinite, or does not exist.

    Attributes:
        sign: 1 or −1 where it is infinite; 0 where neither the positive nor the negative part is finite.
    """

    def __init__(self, sign: int) -> None:
        super().__init__("a moment that is infinite" if sign else "a moment that does not exist")
        self.sign = sign


class AtEdge(Beyond):
    """A density is asked for where it jumps; an atom at the same place would beat it."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """``Σ coefficient · monomial``; ``terms`` are sorted, hold no zero coefficient, and some monomial is not 1."""

    terms: tuple[tuple[Monomial, Number], ...]

    @property
    def degree(self) -> int:
        """The largest number of factors in a monomial."""
        return max(sum(power for _, power in monomial) for monomial, _ in self.terms)

    @property
    def sources(self) -> frozenset[int]:
        """The sources that occur."""
        return frozenset(source for monomial, _ in self.terms for source, _ in monomial)

    @property
    def constant(self) -> Number:
        """The coefficient of 1."""
        return dict(self.terms).get((), 0)


Value: TypeAlias = Number | Polynomial


def source(index: int) -> Polynomial:
    """Return a source as a value."""
    return Polynomial(((((index, 1),), 1),))


def terms_of(value: Value) -> Mapping[Monomial, Number]:
    """Return the coefficients by monomial, without zeros."""
    if isinstance(value, Polynomial):
        return dict(value.terms)
    return {(): value} if value != 0 else {}


def of_terms(terms: Mapping[Monomial, Number]) -> Value:
    """Return the value with given coefficients.

    Raises:
        Beyond: if it has too many terms or too high a degree.
    """
    kept = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient != 0}
    if not kept or set(kept) == {()}:
        return kept.get((), 0)
    found = Polynomial(tuple(sorted(kept.items(), key=lambda each: each[0])))
    if len(kept) > MOST_TERMS or found.degree > HIGHEST_DEGREE:
        raise Beyond("a polynomial with too many terms")
    return found


def plus(a: Value, b: Value) -> Value:
    """Return a + b."""
    if not isinstance(a, Polynomial) and not isinstance(b, Polynomial):
        return exact.add(a, b)
    total = dict(terms_of(a))
    for monomial, coefficient in terms_of(b).items():
        total[monomial] = exact.add(total.get(monomial, 0), coefficient)
    return of_terms(total)


def times(a: Value, b: Value) -> Value:
    """Return a · b."""
    if not isinstance(a, Polynomial) and not isinstance(b, Polynomial):
        return exact.mul(a, b)
    total: dict[Monomial, Number] = {}
    for first, u in terms_of(a).items():
        for second, v in terms_of(b).items():
            powers = dict(first)
            for index, power in second:
                powers[index] = powers.get(index, 0) + power
            monomial = tuple(sorted(powers.items()))
            total[monomial] = exact.add(total.get(monomial, 0), exact.mul(u, v))
    return of_terms(total)


def linear(value: Value) -> tuple[Number, Mapping[int, Number]] | None:
    """Return constant and coefficients of an affine value, None for another."""
    if not isinstance(value, Polynomial):
        return value, {}
    if value.degree > 1:
        return None
    return value.constant, {monomial[0][0]: coefficient for monomial, coefficient in value.terms if monomial}


def direction_of(coefficients: Mapping[int, Number]) -> tuple[Direction, Number]:
    """Return a combination of sources as ``scale · direction``."""
    ordered = sorted(coefficients.items())
    scale = ordered[0][1]
    return tuple((index, exact.div(coefficient, scale)) for index, coefficient in ordered), scale


def powers_of(value: Value, index: int) -> dict[int, Value]:
    """Write a value as ``Σ_k source^k · part_k`` and return the parts, which do not hold the source."""
    parts: dict[int, dict[Monomial, Number]] = {}
    for monomial, coefficient in terms_of(value).items():
        power = dict(monomial).get(index, 0)
        rest = tuple(each for each in monomial if each[0] != index)
        parts.setdefault(power, {})[rest] = coefficient
    return {power: of_terms(terms) for power, terms in parts.items()}


def factors_of(value: Polynomial) -> tuple[Value, ...] | None:
    """Write a value of several sources as a product of values of one source each, and a number; None where it is none."""
    factors: list[Value] = []
    rest: Value = value
    for index in sorted(value.sources):
        parts = powers_of(rest, index)
        leading = parts[max(parts)]
        factor: Value = 0
        for power, part in parts.items():
            ratio = _ratio(part, leading)
            if ratio is None:
                return None
            own: Value = ratio
            for _ in range(power):
                own = times(own, source(index))
            factor = plus(factor, own)
        factors.append(factor)
        rest = leading
    return (*factors, rest)


def _ratio(value: Value, to: Value) -> Number | None:
    """Return the number that a value is times another one, which is not 0; None if it is no such multiple."""
    monomial, coefficient = next(iter(terms_of(to).items()))
    ratio = exact.div(terms_of(value).get(monomial, 0), coefficient)
    return ratio if plus(value, times(exact.neg(ratio), to)) == 0 else None
