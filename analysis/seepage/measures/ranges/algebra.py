"""Rational functions of letters: their derivatives, and enclosures where the letters lie in intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, Letter, NoAlgebra, Quotient, plus, quotient, times
from seepage.data_classes import dataclass
from seepage.engines import intervals
from seepage.engines.intervals import Interval
from seepage.semantics.expressions import plain_names
from seepage.syntax import tree

_DEPTH = 6  # letters fixed at their ends, one after the other


@dataclass(frozen=True, slots=True)
class _Terms:
    """A polynomial as it is evaluated: per term the coefficient and the letters with their exponents."""

    of: fmpq_mpoly  # kept, so that its identity stays its own
    degrees: tuple[int, ...]
    terms: tuple[tuple[arb, tuple[tuple[int, int], ...]], ...]


@dataclass(slots=True)
class Enclosing:
    """Enclosures of polynomials and rational functions: a letter in which one is monotonous, or of degree 1, takes its ends only.

    Attributes:
        known: derivatives, by the identity of what they are of, which is kept beside them (polynomials have no hash).
        compiled: polynomials ready for evaluation, by their identity.
        factors: polynomials with their factors, by their identity.
    """

    known: dict[tuple[int, int], tuple[object, fmpq_mpoly]] = field(default_factory=dict)
    compiled: dict[int, _Terms] = field(default_factory=dict)
    factors: dict[int, tuple[fmpq_mpoly, tuple[tuple[fmpq_mpoly, int], ...]]] = field(default_factory=dict)

    def polynomial(self, polynomial: fmpq_mpoly, letters: Mapping[int, Interval]) -> Interval:
        """Enclose a polynomial, factor by factor."""
        product: Interval | None = None
        for factor, power in self._factored(polynomial):
            part = intervals.raised(self._factor(factor, letters, 0), power)
            product = part if product is None else intervals.times(product, part)
        return product if product is not None else (arb(0), arb(0))

    def _factored(self, polynomial: fmpq_mpoly) -> tuple[tuple[fmpq_mpoly, int], ...]:
        found = self.factors.get(id(polynomial))
        if found is None:
            parts: list[tuple[fmpq_mpoly, int]] = []
            if len(polynomial) > 1:
                constant, factors = polynomial.factor()
                parts = [(factor, int(power)) for factor, power in factors]
                if constant != 1:
                    parts[0:0] = [(polynomial.context().constant(constant), 1)]
            found = (polynomial, tuple(parts) or ((polynomial, 1),))
            self.factors[id(polynomial)] = found
        return found[1]

    def _factor(self, polynomial: fmpq_mpoly, letters: Mapping[int, Interval], depth: int) -> Interval:
        made = self._made(polynomial)
        wide = [place for place, (low, high) in letters.items() if made.degrees[place] and low is not high]
        if not wide:
            value = _at_point(made, letters)
            return value, value
        if len(made.terms) == 1 or depth == _DEPTH:
            return _term_by_term(made, letters)
        slopes: dict[int, Interval] = {}
        for place in wide:
            low, high = letters[place]
            if not low.is_finite() or not high.is_finite():
                continue
            rising = made.degrees[place] == 1
            if not rising:
                slopes[place] = slope = _term_by_term(self._made(self._partial(polynomial, place)), letters)
                rising = bool(slope[0] >= 0) or bool(slope[1] <= 0)
            if rising:
                ends = [self._factor(polynomial, {**letters, place: (end, end)}, depth + 1) for end in (low, high)]
                return intervals.hull([end for interval in ends for end in interval])
        natural = _term_by_term(made, letters)
        return intervals.common(natural, _centred(made, letters, slopes)) if len(slopes) == len(wide) else natural

    def _made(self, polynomial: fmpq_mpoly) -> _Terms:
        found = self.compiled.get(id(polynomial))
        if found is None:
            terms = tuple(
                (arb(coefficient), tuple((place, int(power)) for place, power in enumerate(exponents) if power))
                for exponents, coefficient in polynomial.terms()
            )
            found = _Terms(polynomial, tuple(map(int, polynomial.degrees())), terms)
            self.compiled[id(polynomial)] = found
        return found

    def quotient(self, value: Quotient, letters: Mapping[int, Interval], depth: int = 0) -> Interval:
        """Enclose a rational function."""
        if value.numerator.is_zero():
            return arb(0), arb(0)
        if value.denominator.is_constant():
            bottom = self.polynomial(value.denominator, letters)
            return intervals.times(self.polynomial(value.numerator, letters), intervals.inverse(bottom))
        bottom = self.polynomial(value.denominator, letters)
        if depth < _DEPTH and (bottom[0] > 0 or bottom[1] < 0):
            degrees = [max(pair) for pair in zip(value.numerator.degrees(), value.denominator.degrees(), strict=True)]
            for place, (low, high) in letters.items():
                if not degrees[place] or low is high or not low.is_finite():
                    continue
                turn = _term_by_term(self._made(self._turn(value, place)), letters)
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


def _at_point(made: _Terms, letters: Mapping[int, Interval]) -> arb:
    total = arb(0)
    for coefficient, factors in made.terms:
        term = coefficient
        for place, power in factors:
            base = letters[place][0]
            term = term * base if power == 1 else term * intervals.power_of(base, power)
        total += term
    return total


def _centred(made: _Terms, letters: Mapping[int, Interval], slopes: Mapping[int, Interval]) -> Interval:
    """Enclose by the mean value theorem."""
    middle = {place: ((letters[place][0] + letters[place][1]) / 2).mid() for place in slopes}
    value = _at_point(made, {**letters, **{place: (point, point) for place, point in middle.items()}})
    result: Interval = (value, value)
    for place, slope in slopes.items():
        low, high = letters[place]
        result = intervals.plus(result, intervals.times(slope, (low - middle[place], high - middle[place])))
    return result


def _term_by_term(made: _Terms, letters: Mapping[int, Interval]) -> Interval:
    total: Interval = (arb(0), arb(0))
    powers: dict[tuple[int, int], Interval] = {}
    for coefficient, factors in made.terms:
        term: Interval = (coefficient, coefficient)
        for factor in factors:
            if factor not in powers:
                powers[factor] = intervals.raised(letters[factor[0]], factor[1])
            term = intervals.times(term, powers[factor])
        total = intervals.plus(total, term)
    return total


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
