"""Polynomials and rational functions of the parameters as formula trees, in whichever form is shortest to read.

The forms of a polynomial: expanded; a product of factors; in terms of x and 1 − x together, as mixtures of two cases are written
(``p·q + (1 − p)·(1 − q)``); and in powers of 1 − 2·x, as chains of flips are. All are the same polynomial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from seepage.algebra import Alphabet, Letter, Quotient, content
from seepage.data_classes import dataclass
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import (
    ONE,
    Euler,
    Node,
    Numeral,
    Power,
    Product,
    Ratio,
    Root,
    Sum,
    Symbol,
    Verbatim,
    numeral,
    power_of,
    product_of,
    ratio_of,
    size,
    sum_of,
)
from seepage.semantics.evaluate import spelled
from seepage.syntax import tree

_REWRITTEN = 40  # terms of a polynomial for which other forms than its factors are looked for
_DEGREE = 24
_KEPT = 2_048
_FACTORED: dict[tuple[object, str], tuple[fmpq, list[tuple[fmpq_mpoly, int]]]] = {}
_CASES = 1.5  # how much longer a mixture of cases may be than what is left when it is multiplied out


# A letter by its place, whether 1 minus it is meant, and a power; a term as its coefficient and powers, each with how much there is to read.
_Letter: TypeAlias = tuple[int, bool, int]
_Term: TypeAlias = tuple[fmpq, list[tuple[Node, int]]]


@dataclass(frozen=True, slots=True)
class _Form:
    """A way of writing a polynomial: how much there is to read in it, and how it is written."""

    burden: float
    write: Callable[[], Node]


@dataclass(frozen=True, slots=True)
class Notation:
    """How to write: the letters, their values at a sample point (which settles signs), and which of them are probabilities.

    Attributes:
        alphabet: the letters.
        sample: their values at one point of the domains.
        chances: places of letters that lie between 0 and 1, for which 1 minus the letter reads well.
        known: forms found so far, by the polynomial's own spelling.
    """

    alphabet: Alphabet
    sample: tuple[arb, ...]
    chances: frozenset[int] = frozenset()
    known: dict[str, Node] = field(default_factory=dict)
    _powers: dict[_Letter, tuple[Node, int]] = field(default_factory=dict)
    _signs: dict[str, int] = field(default_factory=dict)

    # --- rational functions -------------------------------------------------------------------------------------------

    def text(self, value: Quotient) -> str:
        """Return a rational function as text."""
        return text_of(self.quotient(value))

    def quotient(self, value: Quotient) -> Node:
        """Write a rational function; its denominator is positive at the sample point."""
        top, bottom = value.numerator, value.denominator
        if self.sign(bottom) < 0:
            top, bottom = -top, -bottom
        return ratio_of(self.polynomial(top), self.polynomial(bottom))

    def read_in_share(self, value: Quotient) -> int:
        """Return how much there is to read, at least, in a product for the amount of a rational function in front."""
        negative = self.sign(value.numerator) * self.sign(value.denominator) < 0
        node = self.quotient(Quotient(-value.numerator, value.denominator) if negative else value)
        return size(node) - (node == ONE or (isinstance(node, Ratio) and node.top == ONE))

    def sign(self, polynomial: fmpq_mpoly) -> int:
        """Return 1 if a polynomial is positive at the sample point, −1 if it is negative, 0 if that is not known."""
        key = str(polynomial)
        if key not in self._signs:
            value = value_of(polynomial, self.sample)
            self._signs[key] = int(value > 0) - int(value < 0)
        return self._signs[key]

    def polynomial(self, polynomial: fmpq_mpoly) -> Node:
        """Write a polynomial in the form with the least to read."""
        key = str(polynomial)
        if key not in self.known:
            self.known[key] = min((self._factored(polynomial), self._sum(polynomial)), key=size)
        return self.known[key]

    def _factored(self, polynomial: fmpq_mpoly) -> Node:
        constant, factors = factored(polynomial)
        pieces: list[Node] = []
        for factor, power in sorted(factors, key=lambda each: _first_letter(each[0])):
            oriented = factor
            if self.sign(factor) < 0:
                oriented = -factor
                constant = constant * (-1) ** int(power)
            letter = self._only_letter(oriented)
            if letter is not None and letter.is_exponential:
                pieces.append(exponential(letter, int(power)))
            else:
                pieces.append(power_of(self._sum(oriented), numeral(int(power))))
        share = numeral(Fraction(abs(int(constant.p)), int(constant.q)))
        return sum_of([(bool(constant < 0), product_of(share, *_ordered(pieces)))])

    def _only_letter(self, polynomial: fmpq_mpoly) -> Letter | None:
        places = [
            place for place in range(len(self.alphabet.letters)) if polynomial == self.alphabet.context.gen(place)
        ]
        return self.alphabet.letters[places[0]] if places else None

    def _sum(self, polynomial: fmpq_mpoly) -> Node:
        """Write a polynomial as a sum times a number, in whichever letters it is short; as cases if that is not much longer.

        Forms are compared by what there is to read in them, counted from their terms; only the best is written.
        """
        key = f"+{polynomial}"
        if key not in self.known:
            scale = content(polynomial)
            whole = polynomial * (1 / scale)
            forms = [*self._by_cases(whole), self._expanded(whole)]
            best = min(forms, key=lambda form: form.burden)
            self.known[key] = product_of(numeral(Fraction(int(scale.p), int(scale.q))), best.write())
        return self.known[key]

    def _expanded(self, polynomial: fmpq_mpoly) -> _Form:
        terms = self._terms(polynomial, [(place, False) for place in range(len(self.alphabet.letters))])
        return _Form(float(sum(map(_size, terms))), lambda: _added(terms))

    # --- other forms --------------------------------------------------------------------------------------------------

    def _by_cases(self, polynomial: fmpq_mpoly) -> Iterator[_Form]:
        """Yield the forms in x and 1 − x, and in 1 − 2·x; no products, since what has factors is written factor by factor."""
        degrees = polynomial.degrees()
        places = [place for place in sorted(self.chances) if degrees[place] > 0]
        if not places or len(polynomial) > _REWRITTEN or sum(map(int, degrees)) > _DEGREE:
            return
        yield from self._mixed(polynomial, places, 0)
        if len(places) == 1 and degrees[places[0]] > 1:
            yield from self._mixed(polynomial, places, 1)
            flipped = self._flipped(polynomial, places[0])
            yield _Form(_burden(flipped), lambda: flipped)

    def _mixed(self, polynomial: fmpq_mpoly, places: Sequence[int], more: int) -> Iterator[_Form]:
        """Write a polynomial with all its terms of one degree in each x and 1 − x together, the own degree or ``more``."""
        count = len(self.alphabet.letters)
        context = fmpq_mpoly_ctx.get([f"z{i}" for i in range(count + len(places))], "deglex")
        degrees = polynomial.degrees()
        alike: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
        for exponents, coefficient in polynomial.terms():
            powers = tuple(map(int, exponents[:count]))
            missing = tuple(int(degrees[place]) + more - powers[place] for place in places)
            alike.setdefault(missing, {})[powers + (0,) * len(places)] = coefficient
        total = context.constant(0)
        for missing, terms in alike.items():
            group = context.from_dict(terms)
            for other, place in enumerate(places):
                group *= (context.gen(place) + context.gen(count + other)) ** missing[other]
            total += group
        if len(total) > len(polynomial):
            return
        written = self._terms(
            total, [*((place, False) for place in range(count)), *((place, True) for place in places)]
        )
        yield _Form(sum(map(_size, written)) - (_CASES if _is_mixture(written) else 0), lambda: _added(written))

    def _flipped(self, polynomial: fmpq_mpoly, place: int) -> Node:
        """Write a polynomial in powers of 1 − 2·x."""
        context = self.alphabet.context
        letters = [context.gen(each) for each in range(len(self.alphabet.letters))]
        letters[place] = (1 - letters[place]) * fmpq(1, 2)
        shifted = polynomial.compose(*letters)
        written = [self._letter(letter) for letter in self.alphabet.letters]
        written[place] = sum_of([(False, ONE), (True, product_of(numeral(2), written[place]))])
        scale = content(shifted)
        whole = _expansion(shifted * (1 / scale), written, self.alphabet.letters)
        return ratio_of(product_of(numeral(int(scale.p)), whole), numeral(int(scale.q)))

    # --- terms --------------------------------------------------------------------------------------------------------

    def _terms(self, polynomial: fmpq_mpoly, letters: Sequence[tuple[int, bool]]) -> list[_Term]:
        """Return the terms of a polynomial whose generators are letters by their places, or 1 minus one of them."""
        return [
            (coefficient, [self._power((*letters[at], int(power))) for at, power in enumerate(exponents) if power])
            for exponents, coefficient in polynomial.terms()
        ]

    def _power(self, letter: _Letter) -> tuple[Node, int]:
        """Return a power of a letter, or of 1 minus it, and how much there is to read in it."""
        if letter not in self._powers:
            place, opposite, power = letter
            kind = self.alphabet.letters[place]
            base = self._letter(kind)
            node = _raised(sum_of([(False, ONE), (True, base)]) if opposite else base, kind, power)
            self._powers[letter] = node, size(node)
        return self._powers[letter]

    # --- letters ------------------------------------------------------------------------------------------------------

    def _letter(self, letter: Letter) -> Node:
        if letter.is_exponential:
            return exponential(letter, 1)
        if letter.name:
            return Symbol(letter.name)
        if isinstance(letter.meaning, tree.Name):
            return Symbol(letter.meaning.id)
        written = _arithmetic(letter.meaning)
        if written is not None:
            return written
        return Verbatim(spelled(letter.meaning), isinstance(letter.meaning, tree.Call), letter.meaning)


def _arithmetic(expression: tree.Expression) -> Node | None:
    """Write an expression of names, numbers, powers and roots as it stands; None for anything else in it."""
    match expression:
        case tree.Name(id=name):
            return Symbol(name)
        case tree.Number(value=value):
            return numeral(value)
        case tree.Parenthesized(inner=inner):
            return _arithmetic(inner)
        case tree.Unary(operator="-", operand=operand):
            inside = _arithmetic(operand)
            return None if inside is None else sum_of([(True, inside)])
        case tree.Binary(operator=("+" | "-" | "*" | "/") as operator, left=left, right=right):
            one, other = _arithmetic(left), _arithmetic(right)
            if one is None or other is None:
                return None
            if operator in ("+", "-"):
                return sum_of([(False, one), (operator == "-", other)])
            return product_of(one, other) if operator == "*" else ratio_of(one, other)
        case tree.Binary(operator="^", left=left, right=right):
            one, other = _arithmetic(left), _arithmetic(right)
            return None if one is None or other is None else power_of(one, other)
        case tree.Call(function="exp" | "sqrt" as function, arguments=(argument,)):
            inside = _arithmetic(argument)
            return None if inside is None else Root(inside) if function == "sqrt" else power_of(Euler(), inside)
        case _:
            return None


def _expansion(polynomial: fmpq_mpoly, letters: Sequence[Node], kinds: Sequence[Letter]) -> Node:
    """Write a polynomial as a sum of terms in any letters."""
    terms: list[_Term] = []
    for exponents, coefficient in polynomial.terms():
        powers = [_raised(letters[place], kinds[place], int(power)) for place, power in enumerate(exponents) if power]
        terms.append((coefficient, [(power, 0) for power in powers]))
    return _added(terms)


def _added(terms: Sequence[_Term]) -> Node:
    """Write a sum of terms, the positive ones first if it does not start with one."""
    written: list[tuple[bool, Node]] = []
    for coefficient, powers in terms:
        number = numeral(Fraction(abs(int(coefficient.p)), int(coefficient.q)))
        written.append((bool(coefficient < 0), product_of(number, *_ordered(power for power, _ in powers))))
    if written and written[0][0]:
        written.sort(key=lambda term: term[0])
    return sum_of(written)


def _size(term: _Term) -> int:
    """Return how much there is to read in a term: what :func:`size` says of it once it is written."""
    coefficient, powers = term
    return sum(read for _, read in powers) + (not powers or abs(coefficient) != 1)


def _is_mixture(terms: Sequence[_Term]) -> bool:
    """Tell whether a sum of terms is one of products: cases with their probabilities."""
    if len(terms) < 2 and not any(coefficient < 0 for coefficient, _ in terms):
        return False
    return all(
        bool(powers) and (len(powers) > 1 or abs(coefficient) != 1 or isinstance(powers[0][0], Power))
        for coefficient, powers in terms
    )


def _first_letter(polynomial: fmpq_mpoly) -> int:
    return next((place for place, degree in enumerate(polynomial.degrees()) if degree), 0)


def _burden(form: Node) -> float:
    """Return how much there is to read in a sum; less for a mixture, in which each case is a product."""
    mixture = isinstance(form, Sum) and all(isinstance(term, Product | Power) for _, term in form.terms)
    return size(form) - (_CASES if mixture else 0)


def _ordered(factors: Iterable[Node]) -> list[Node]:
    """Return factors as they are read: names, then sums, then exponentials."""

    def rank(factor: Node) -> int:
        base = factor.base if isinstance(factor, Power) else factor
        return 1 if isinstance(base, Sum) else 2 if isinstance(base, Euler) else 0

    return sorted(factors, key=rank)


def _raised(base: Node, letter: Letter, power: int) -> Node:
    if letter.is_exponential and isinstance(base, Power | Euler):
        return exponential(letter, power)
    return power_of(base, numeral(power))


def exponential(letter: Letter, power: int) -> Node:
    """Write a power of an exponential as one: ``e^(2·eps)``."""
    rate = letter.rate * power
    monomial = [power_of(Symbol(name), numeral(degree)) for name, degree in letter.monomial]
    top = product_of(numeral(rate.numerator), *monomial)
    return power_of(Euler(), ratio_of(top, Numeral(Fraction(rate.denominator))))


def factored(polynomial: fmpq_mpoly) -> tuple[fmpq, list[tuple[fmpq_mpoly, int]]]:
    """Return a number, and the irreducible polynomials with their powers, whose product with it is a polynomial.

    Kept for a while: the measures of one program have the same probabilities, and each is factored to be added up and to be written.
    """
    key = (polynomial.context(), str(polynomial))
    if (known := _FACTORED.get(key)) is None:
        if len(_FACTORED) >= _KEPT:
            _FACTORED.clear()
        known = _FACTORED[key] = polynomial.factor()
    return known


class Prepared:
    """A polynomial to be evaluated at many points."""

    __slots__ = ("_degrees", "_terms")

    def __init__(self, polynomial: fmpq_mpoly) -> None:
        """Take a polynomial apart."""
        self._degrees = [int(degree) for degree in polynomial.degrees()]
        self._terms = [
            (coefficient, [(place, int(power)) for place, power in enumerate(exponents) if power])
            for exponents, coefficient in polynomial.terms()
        ]

    def at(self, letters: Sequence[arb]) -> arb:
        """Return an enclosure at values of the letters, at the working precision."""
        total = arb(0)
        powers = [
            [value**power for power in range(degree + 1)] if degree else ()
            for value, degree in zip(letters, self._degrees, strict=False)
        ]
        for coefficient, exponents in self._terms:
            term = arb(coefficient)
            for place, power in exponents:
                term *= powers[place][power]
            total += term
        return total


def value_of(polynomial: fmpq_mpoly, letters: Sequence[arb]) -> arb:
    """Return an enclosure of a polynomial at values of its letters, at the working precision."""
    return Prepared(polynomial).at(letters)


def value_of_quotient(quotient: Quotient, letters: Sequence[arb]) -> arb:
    """Return an enclosure of a rational function at values of its letters, at the working precision."""
    return value_of(quotient.numerator, letters) / value_of(quotient.denominator, letters)
