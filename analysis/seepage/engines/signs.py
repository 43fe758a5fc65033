"""Signs of polynomials on the whole domains of their parameters, proved by interval arithmetic, subdivision and slopes.

What is not proved is unknown: an answer errs to the safe side only. Letters count as independent within one box of
the parameters; that boxes are halved brings the dependence back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import cast

from flint import acb, arb, fmpq, fmpq_mpoly, fmpq_poly

from seepage.algebra import Alphabet, Letter, Quotient
from seepage.data_classes import dataclass
from seepage.engines.intervals import Box, Interval, range_of, range_of_polynomial
from seepage.exact import ArithmeticFault, Number, compare, div, enclose, log_, number
from seepage.semantics.checked import Domain
from seepage.semantics.expressions import plain_names
from seepage.syntax import tree

EVERYWHERE = Domain(None, None, low_closed=False, high_closed=False)
_BOXES = 32  # a sign that so many boxes do not settle stays unknown
_CORNERS = 6  # letters of degree 1 of which both ends are visited
_DEGREE = 64  # of polynomials in one letter whose roots are looked for


@dataclass(frozen=True, slots=True)
class Signs:
    """Signs of polynomials over an alphabet, for parameters in domains; a parameter without one may be any number."""

    alphabet: Alphabet
    domains: Mapping[str, Domain]

    def constant(self, polynomial: fmpq_mpoly) -> int:
        """Return 1 if a polynomial is known never to be negative, −1 if never positive, 0 if neither is known."""
        for sign in (1, -1):
            if self.at_least_zero(polynomial * sign):
                return sign
        return 0

    def never_zero(self, polynomial: fmpq_mpoly) -> bool:
        """Tell whether an irreducible polynomial is known to vanish nowhere."""
        root = root_of(polynomial, self.alphabet)
        if root is not None:
            name, value = root
            return not self.domains.get(name, EVERYWHERE).contains(number(value))
        used = _used(polynomial)
        if len(polynomial) == 1 and all(self.alphabet.letters[place].is_exponential for place in used):
            return True
        if len(used) == 1 and polynomial.degrees()[used[0]] <= _DEGREE:
            letter = self.alphabet.letters[used[0]]
            if (varying := _varying(letter)) is not None:
                return not any(self._is_reached(letter, varying, at) for at in _real_roots(polynomial, used[0]))
        if any(self.at_least_zero(signed, strict=True) for signed in (polynomial, -polynomial)):
            return True
        return self._vanishes_at_corners_only(polynomial)

    def _is_reached(self, letter: Letter, name: str, value: Number) -> bool:
        """Tell whether a letter may have a value somewhere in the domain of its parameter."""
        try:
            if letter.is_exponential:
                if compare(value, 0) <= 0:
                    return False
                value = div(log_(value), number(letter.rate))
            return self.domains.get(name, EVERYWHERE).contains(value)
        except ArithmeticFault:
            return True

    def _vanishes_at_corners_only(self, polynomial: fmpq_mpoly) -> bool:
        """Tell whether a polynomial of degree 1 in each of a few parameters vanishes only where their domains do not reach.

        Inside a box it is a mixture of its values at the corners, each with a positive weight; on a face, of those of the face. So it vanishes
        nowhere if no two corners have different signs and each face that belongs to the domains has a corner at which it is not 0.
        """
        used = _used(polynomial)
        sides = [self._rational_side(place) for place in used]
        if len(used) > _CORNERS or max(polynomial.degrees()) > 1 or not all(sides):
            return False
        values: dict[tuple[int, ...], fmpq] = {}
        for corner in product((0, 1), repeat=len(used)):
            point = [fmpq(0)] * len(self.alphabet.letters)
            for place, side, end in zip(used, sides, corner, strict=True):
                if side is not None:
                    point[place] = side[0][end]
            values[corner] = polynomial(*point)
        if any(value < 0 for value in values.values()) and any(value > 0 for value in values.values()):
            return False
        faces = product(*(((0, 1), *((end,) for end in (0, 1) if side is not None and side[1][end])) for side in sides))
        return all(any(values[corner] != 0 for corner in product(*face)) for face in faces)

    def _rational_side(self, place: int) -> tuple[tuple[fmpq, fmpq], tuple[bool, bool]] | None:
        """Return the ends of the domain of a letter that is a parameter, and which of them belong to it; None for others."""
        letter = self.alphabet.letters[place]
        if letter.kind != "parameter" or not isinstance(letter.meaning, tree.Name):
            return None
        domain = self.domains.get(letter.meaning.id, EVERYWHERE)
        ends = [end for end in (domain.low, domain.high) if isinstance(end, int | Fraction)]
        if len(ends) < 2 or ends[0] == ends[1]:
            return None
        low, high = (fmpq(Fraction(end).numerator, Fraction(end).denominator) for end in ends)
        return (low, high), (domain.low_closed, domain.high_closed)

    def at_least_zero(self, polynomial: fmpq_mpoly, *, strict: bool = False) -> bool:
        """Tell whether a polynomial is known never to be negative; with ``strict``, to be positive everywhere."""
        places = _used(polynomial)
        names = dict.fromkeys(n for place in places for n in plain_names(self.alphabet.letters[place].meaning))
        boxes: list[dict[str, Interval]] = [{n: _ends(self.domains.get(n, EVERYWHERE)) for n in names}]
        for _ in range(_BOXES):
            if not boxes:
                return True
            box = boxes.pop()
            letters = self._letters(box, places)
            if _holds(polynomial, letters, strict):
                continue
            if any(_fails(polynomial, self._letters(point, places), strict) for point in _tried(box)):
                return False
            halves = _halved(box)
            if not halves:
                return False
            boxes.extend(halves)
        return not boxes

    def never_negative(self, value: Quotient) -> bool:
        """Tell whether a rational function is known never to be negative where it has a value."""
        return self.at_least_zero(self.open_part(value))

    def open_part(self, value: Quotient) -> fmpq_mpoly:
        """Return a polynomial with the sign of a value wherever that is not 0: the factors of unknown sign, odd powers only."""
        result = self.alphabet.context.constant(1)
        for polynomial in (value.numerator, value.denominator):
            if polynomial.is_zero():
                return polynomial
            constant, factors = polynomial.factor()
            result *= 1 if constant > 0 else -1
            for factor, power in factors:
                if power % 2:
                    result *= self.constant(factor) or factor
        return result

    def _letters(self, box: Box, places: Sequence[int]) -> dict[int, Interval]:
        return {place: range_of(self.alphabet.letters[place].meaning, box) for place in places}


def root_of(polynomial: fmpq_mpoly, alphabet: Alphabet) -> tuple[str, Fraction] | None:
    """Return the parameter and the rational value at which a polynomial of degree 1 in one letter vanishes.

    An exponential of a parameter is 1 where the parameter is 0; its other roots are irrational, and None is returned.
    """
    used = _used(polynomial)
    if len(used) != 1 or polynomial.degrees()[used[0]] != 1:
        return None
    slope, offset = Fraction(0), Fraction(0)
    for exponents, coefficient in polynomial.terms():
        value = Fraction(int(coefficient.p), int(coefficient.q))
        if exponents[used[0]]:
            slope = value
        else:
            offset = value
    letter = alphabet.letters[used[0]]
    match letter.is_exponential, letter.meaning, letter.monomial:
        case False, tree.Name(id=name), _:
            return name, -offset / slope
        case True, _, ((name, 1),) if offset == -slope:
            return name, Fraction(0)
        case _:
            return None


def _varying(letter: Letter) -> str | None:
    """Return the parameter of a letter that is one, or an exponential of its multiples; so different values are different letters."""
    match letter.is_exponential, letter.meaning, letter.monomial:
        case (False, tree.Name(id=name), _) | (True, _, ((name, 1),)):
            return name
        case _:
            return None


def _real_roots(polynomial: fmpq_mpoly, place: int) -> Iterator[Number]:
    """Yield the real roots of an irreducible polynomial in one letter: one of degree 1 itself, else the ends of intervals around them."""
    coefficients = [fmpq(0)] * (int(polynomial.degrees()[place]) + 1)
    for exponents, coefficient in polynomial.terms():
        coefficients[int(exponents[place])] = coefficient
    if len(coefficients) == 2:
        root = -coefficients[0] / coefficients[1]
        yield number(Fraction(int(root.p), int(root.q)))
        return
    for found, _ in cast("list[tuple[acb, int]]", fmpq_poly(coefficients).numer().complex_roots()):
        if found.imag.contains(0):
            for end in (found.real.lower(), found.real.upper()):
                yield number(_rational(end))


def _rational(end: arb) -> Fraction:
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _used(polynomial: fmpq_mpoly) -> list[int]:
    return [place for place, degree in enumerate(polynomial.degrees()) if degree > 0]


# --- boxes ------------------------------------------------------------------------------------------------------------


def _ends(domain: Domain) -> Interval:
    return (
        arb.neg_inf() if domain.low is None else enclose(domain.low),
        arb.pos_inf() if domain.high is None else enclose(domain.high),
    )


def _inner(interval: Interval) -> arb | None:
    """Return an exact number inside an interval, None if it is a point."""
    low, high = interval
    if low.is_finite() and high.is_finite():
        middle = ((low + high) / 2).mid()
        return middle if low < middle and middle < high else None
    if low.is_finite():
        return (low + 1 + abs(low)).mid()
    return (high - 1 - abs(high)).mid() if high.is_finite() else arb(0)


def _halved(box: Box) -> list[dict[str, Interval]]:
    """Return the halves of a box across its widest side; none if it is a point."""
    widest, place, where = arb(-1), None, arb(0)
    for name, (low, high) in box.items():
        middle = _inner((low, high))
        width = (high - low).mid() if low.is_finite() and high.is_finite() else arb.pos_inf()
        if middle is not None and width > widest:
            widest, place, where = width, name, middle
    if place is None:
        return []
    low, high = box[place]
    return [{**box, place: (low, where)}, {**box, place: (where, high)}]


def _tried(box: Box) -> list[dict[str, Interval]]:
    """Return some points of a box."""
    points: list[dict[str, Interval]] = []
    middle = {name: _inner(side) or side[0] for name, side in box.items()}
    for ends in (
        middle,
        {name: low if low.is_finite() else middle[name] for name, (low, _) in box.items()},
        {name: high if high.is_finite() else middle[name] for name, (_, high) in box.items()},
    ):
        points.append({name: (value, value) for name, value in ends.items()})
    return points


# --- polynomials on boxes ---------------------------------------------------------------------------------------------


def _fails(polynomial: fmpq_mpoly, letters: Mapping[int, Interval], strict: bool) -> bool:
    high = range_of_polynomial(polynomial, letters)[1]
    return bool(high <= 0) if strict else bool(high < 0)


def _holds(
    polynomial: fmpq_mpoly, letters: dict[int, Interval], strict: bool, fixed: frozenset[int] = frozenset()
) -> bool:
    """Tell whether a polynomial is known to be positive (not negative) where its letters lie in intervals.

    A letter in which it is monotonous is fixed at the lower end, one of degree 1 at either end.
    """
    low = range_of_polynomial(polynomial, letters)[0]
    if low > 0 or (not strict and low >= 0):
        return True
    degrees = polynomial.degrees()
    wide = [place for place in letters if degrees[place] > 0 and place not in fixed]
    for place in wide:
        slope = range_of_polynomial(polynomial.derivative(place), letters)
        if slope[0] >= 0 or slope[1] <= 0:
            value = letters[place][0 if slope[0] >= 0 else 1]
            point = {**letters, place: (value, value)}
            return bool(value.is_finite()) and _holds(polynomial, point, strict, fixed | {place})
    for place in wide:
        start, end = letters[place]
        if degrees[place] == 1 and len(fixed) < _CORNERS and start.is_finite() and end.is_finite():
            points = ({**letters, place: (value, value)} for value in (start, end))
            return all(_holds(polynomial, point, strict, fixed | {place}) for point in points)
    return False
