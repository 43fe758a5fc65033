"""Rational functions of letters: their derivatives, and enclosures where the letters lie in intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, Letter, NoAlgebra, Quotient, plus, quotient, times
from seepage.measures import intervals
from seepage.measures.intervals import Interval, range_of_polynomial
from seepage.semantics.expressions import plain_names
from seepage.syntax import tree

_DEPTH = 6  # letters fixed at their ends, one after the other


@dataclass(slots=True)
class Enclosing:
    """Enclosures of polynomials and rational functions: a letter in which one is monotonous, or of degree 1, takes its ends only.

    Attributes:
        known: derivatives, by the identity of what they are of, which is kept beside them (polynomials have no hash).
    """

    known: dict[tuple[int, int], tuple[object, fmpq_mpoly]] = field(default_factory=dict)

    def polynomial(self, polynomial: fmpq_mpoly, letters: Mapping[int, Interval], depth: int = 0) -> Interval:
        """Enclose a polynomial."""
        if len(polynomial) <= 1 or depth == _DEPTH:
            return range_of_polynomial(polynomial, letters)
        degrees = polynomial.degrees()
        for place, (low, high) in letters.items():
            if not degrees[place] or not _is_wide(low, high) or not high.is_finite():
                continue
            rising = degrees[place] == 1
            if not rising:
                slope = range_of_polynomial(self._partial(polynomial, place), letters)
                rising = bool(slope[0] >= 0) or bool(slope[1] <= 0)
            if rising:
                ends = [self.polynomial(polynomial, {**letters, place: (end, end)}, depth + 1) for end in (low, high)]
                return intervals.hull([end for interval in ends for end in interval])
        return range_of_polynomial(polynomial, letters)

    def quotient(self, value: Quotient, letters: Mapping[int, Interval], depth: int = 0) -> Interval:
        """Enclose a rational function."""
        if value.numerator.is_zero():
            return arb(0), arb(0)
        if value.denominator.is_constant():
            bottom = range_of_polynomial(value.denominator, letters)
            return intervals.times(self.polynomial(value.numerator, letters), intervals.inverse(bottom))
        bottom = self.polynomial(value.denominator, letters)
        if depth < _DEPTH and (bottom[0] > 0 or bottom[1] < 0):
            degrees = [max(pair) for pair in zip(value.numerator.degrees(), value.denominator.degrees(), strict=True)]
            for place, (low, high) in letters.items():
                if not degrees[place] or not _is_wide(low, high):
                    continue
                turn = range_of_polynomial(self._turn(value, place), letters)
                if not (turn[0] >= 0 or turn[1] <= 0):
                    continue
                limit = None if high.is_finite() else _limit(value, place, degrees)
                if limit is None and not high.is_finite():
                    continue
                first = self.quotient(value, {**letters, place: (low, low)}, depth + 1)
                last = limit or self.quotient(value, {**letters, place: (high, high)}, depth + 1)
                return intervals.hull([*first, *last])
        return intervals.times(self.polynomial(value.numerator, letters), intervals.inverse(bottom))

    def _partial(self, polynomial: fmpq_mpoly, place: int) -> fmpq_mpoly:
        key = (id(polynomial), place)
        if key not in self.known:
            self.known[key] = (polynomial, polynomial.derivative(place))
        return self.known[key][1]

    def _turn(self, value: Quotient, place: int) -> fmpq_mpoly:
        """Return a polynomial with the sign of a quotient's derivative in a letter."""
        key = (id(value), -1 - place)
        if key not in self.known:
            top, bottom = value.numerator, value.denominator
            self.known[key] = (value, top.derivative(place) * bottom - top * bottom.derivative(place))
        return self.known[key][1]


def _is_wide(low: arb, high: arb) -> bool:
    return bool(low.is_finite()) and bool(low < high)


def _limit(value: Quotient, place: int, degrees: list[int]) -> Interval | None:
    """Return the limit of a quotient of one letter as that grows, None if there are more letters, or it is infinite."""
    if any(degree for other, degree in enumerate(degrees) if other != place):
        return None
    top, bottom = value.numerator.degrees()[place], value.denominator.degrees()[place]
    if top > bottom:
        return None
    if top < bottom:
        return arb(0), arb(0)
    limit = arb(value.numerator.leading_coefficient() / value.denominator.leading_coefficient())
    return limit, limit


def derivative(value: Quotient, name: str, alphabet: Alphabet) -> Quotient:
    """Return the derivative of a rational function of letters in a parameter.

    Raises:
        NoAlgebra: if it holds a letter whose derivative is no rational function of letters.
    """
    result = alphabet.number(0)
    for place, letter in enumerate(alphabet.letters):
        top, bottom = value.numerator.derivative(place), value.denominator.derivative(place)
        if top.is_zero() and bottom.is_zero():
            continue
        inner = _letter_derivative(letter, place, name, alphabet)
        if inner is None or inner.is_zero:
            continue
        change = quotient(top * value.denominator - value.numerator * bottom, value.denominator * value.denominator)
        result = plus(result, times(change, inner))
    return result


def _letter_derivative(letter: Letter, place: int, name: str, alphabet: Alphabet) -> Quotient | None:
    """Return the derivative of a letter, None for 0."""
    if name not in plain_names(letter.meaning):
        return None
    if letter.kind == "parameter":
        return alphabet.number(1) if letter.meaning == tree.Name(name, letter.meaning.span) else None
    if letter.kind == "other":
        raise NoAlgebra("a function whose derivative is not expressed")
    result = alphabet.number(letter.rate)
    for other, power in letter.monomial:
        degree = power
        if other == name:
            result, degree = times(alphabet.number(power), result), power - 1
        for _ in range(degree):
            result = times(result, alphabet.parameter(other))
    return times(result, Quotient(alphabet.context.gen(place), alphabet.context.constant(1)))
