"""The field of rational functions of the parameters, for the laws of loops that have formulas.

What in a chance is no polynomial of the parameters, ``exp(-eps)`` or ``sqrt(2)``, is a letter of its own, as in :mod:`seepage.algebra`. Letters are treated
as independent, so that a weight that is 0 in truth may not be the weight 0; which states a loop goes through rests on weights of which
:meth:`Quotients.need` proves that they are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeVar

from flint import arb, fmpq, fmpq_mpoly

from seepage.algebra import (
    Alphabet,
    Letter,
    NoAlgebra,
    NoLetter,
    Quotient,
    alphabet_of,
    exponential_of,
    minus,
    over,
    plus,
    quotient,
    raised,
    times,
)
from seepage.engines.forward.coefficients import exact_probability
from seepage.engines.signs import Signs
from seepage.exact import Number
from seepage.semantics.checked import Domain
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.expressions import plain_names
from seepage.semantics.substitute import is_closed, substitute
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

T = TypeVar("T")

Domains = Mapping[str, Domain | None]
"""Of parameters; None, or nothing, for all real numbers."""

_NOWHERE = Span(0, 0)
_LETTERS = 32
_HIGHEST = 4_096  # power of an exponential
_RESTARTS = 64


def with_letters(parameters: Sequence[str], domains: Domains, work: Callable[[Quotients], T]) -> T:
    """Return what is worked out in a field that has letters for all that is met.

    Args:
        parameters: the first letters.
        domains: of the parameters.
        work: is begun anew with each letter that is missing.

    Raises:
        NoAlgebra: if there are too many letters, or ``work`` raises it.
    """
    functions: list[Expression] = []
    for _ in range(_RESTARTS):
        try:
            return work(Quotients(parameters, domains, functions))
        except NoLetter as missing:
            functions.append(missing.function)
    raise NoAlgebra("too many different functions of the parameters")


class Field:
    """Weights as quotients of polynomials in the letters of an alphabet; they say themselves how they are divided."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.zero = alphabet.number(0)
        self.one = alphabet.number(1)

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        """Return a + b."""
        return plus(a, b)

    def multiply(self, a: Quotient, b: Quotient) -> Quotient:
        """Return a · b."""
        return times(a, b)

    def complement(self, a: Quotient) -> Quotient:
        """Return 1 − a."""
        return minus(self.one, a)

    def divide(self, a: Quotient, b: Quotient) -> Quotient:
        """Return a / b."""
        return over(a, b)

    def rational(self, numerator: int, denominator: int = 1) -> Quotient:
        """Return a rational number."""
        return self.alphabet.number(Fraction(numerator, denominator))

    def is_zero(self, a: Quotient) -> bool:
        """Tell whether a weight is 0 for all values of the parameters."""
        return a.is_zero

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[Quotient]:
        """Raise, since the probabilities of an infinite support are no rational functions.

        Raises:
            NoAlgebra: always.
        """
        raise NoAlgebra("the probabilities of an infinite support")


class Quotients(Field):
    """Those in parameters and functions of these."""

    def __init__(self, parameters: Sequence[str], domains: Domains, functions: Iterable[Expression] = ()) -> None:
        self.parameters = tuple(parameters)
        self.domains = {name: domain for name, domain in domains.items() if domain is not None}
        super().__init__(alphabet_of(self.parameters, functions, _LETTERS, _HIGHEST))
        self.signs = Signs(self.alphabet, self.domains)

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Quotient:
        """Return a probability in a state, of which it is proved that it lies between 0 and 1 for all values of the parameters.

        Raises:
            Fault: if it depends on no parameter, and is undefined or not in [0, 1].
            NoLetter: if a function of the parameters in it is no letter.
            NoAlgebra: if that is not known.
        """
        names = (name for name in dict.fromkeys(plain_names(expression)) if name not in self.parameters)
        closed = substitute(expression, {name: expression_of(state.get(name, 0)) for name in names}, {})
        if is_closed(closed):
            return self.alphabet.translate(expression_of(exact_probability(expression, state)))
        chance = self.alphabet.translate(closed)
        for each in (chance, self.complement(chance)):
            if not (self._never_vanishes(each.denominator) and self.signs.never_negative(each)):
                raise NoAlgebra("what may be no probability somewhere in the domains")
        return chance

    def power(self, name: str, power: int) -> Quotient:
        """Return a power of a parameter."""
        return raised(self.alphabet.parameter(name), power)

    def coefficients(self, a: Quotient, name: str) -> tuple[list[Quotient], list[Quotient]]:
        """Return the coefficients of the powers of a parameter, from that of 1 on, in the numerator and in the denominator."""
        place = self.parameters.index(name)
        return self._coefficients(a.numerator, place), self._coefficients(a.denominator, place)

    def _coefficients(self, polynomial: fmpq_mpoly, place: int) -> list[Quotient]:
        terms: dict[int, dict[tuple[int, ...], fmpq]] = {}
        for exponents, coefficient in polynomial.terms():
            powers = [int(each) for each in exponents]
            power, powers[place] = powers[place], 0
            terms.setdefault(power, {})[tuple(powers)] = coefficient
        context, one = self.alphabet.context, self.alphabet.context.constant(1)
        groups = [context.from_dict(terms.get(power, {})) for power in range(max(terms, default=0) + 1)]
        return [quotient(each, one) for each in groups]

    def at_one(self, a: Quotient, name: str) -> Quotient:
        """Return a weight with 1 in the place of a parameter, where its denominator does not vanish there."""
        above, below = self.coefficients(a, name)
        return over(reduce(plus, above, self.zero), reduce(plus, below, self.zero))

    def written(self, a: Quotient) -> Expression:
        """Return a weight as an expression of the parameters."""
        known = a.constant()
        if known is not None:
            return tree.Number(known, _NOWHERE)
        return tree.Binary("/", self._polynomial(a.numerator), self._polynomial(a.denominator), _NOWHERE)

    def _polynomial(self, polynomial: fmpq_mpoly) -> Expression:
        total: Expression | None = None
        for exponents, coefficient in polynomial.terms():
            factor = Fraction(int(coefficient.p), int(coefficient.q))
            term: Expression = tree.Number(abs(factor), _NOWHERE)
            for letter, power in zip(self.alphabet.letters, exponents, strict=False):
                for one in _powers(letter, int(power)):
                    term = tree.Binary("*", term, one, _NOWHERE)
            if total is None:
                total = term if factor > 0 else tree.Binary("-", tree.Number(Fraction(0), _NOWHERE), term, _NOWHERE)
            else:
                total = tree.Binary("+" if factor > 0 else "-", total, term, _NOWHERE)
        return total or tree.Number(Fraction(0), _NOWHERE)

    # --- signs --------------------------------------------------------------------------------------------------------

    def need(self, weight: Quotient) -> None:
        """Raise ``NoAlgebra`` where it is not known that a weight vanishes nowhere in the domains: there a loop might be another."""
        if self.may_vanish(weight):
            raise NoAlgebra("a probability that may vanish")

    def may_vanish(self, a: Quotient) -> bool:
        """Tell whether a weight may be 0, or have no value, somewhere in the domains of the parameters; False is a proof that it is not."""
        return not (self._never_vanishes(a.numerator) and self._never_vanishes(a.denominator))

    def _never_vanishes(self, polynomial: fmpq_mpoly) -> bool:
        if polynomial.is_constant():
            return not polynomial.is_zero()
        return all(self.signs.never_zero(factor) for factor, _ in polynomial.factor()[1])


def _powers(letter: Letter, power: int) -> Iterator[Expression]:
    """Yield factors whose product is a power of a letter."""
    if not power:
        return
    if letter.is_exponential:
        yield exponential_of(letter.monomial, letter.rate * power)
    else:
        for _ in range(power):
            yield letter.meaning
