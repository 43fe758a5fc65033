"""The field of rational functions of the parameters, for the laws of loops that have formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Protocol, cast

from flint import acb, arb, fmpq, fmpq_mpoly, fmpq_poly

from seepage.algebra import NoAlgebra, Quotient, alphabet_of, minus, over, plus, quotient, raised, times
from seepage.exact import Number, number, to_fraction
from seepage.semantics.expressions import plain_names
from seepage.semantics.substitute import substitute
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_NOWHERE = Span(0, 0)


class Quotients:
    """Weights as quotients of polynomials in parameters; they say themselves how they are divided."""

    def __init__(self, parameters: Sequence[str]) -> None:
        self.parameters = tuple(parameters)
        self.alphabet = alphabet_of(self.parameters, ())
        self.zero = self.alphabet.number(0)
        self.one = self.alphabet.number(1)

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

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Quotient:
        """Return a probability in a state; its range is not checked.

        Raises:
            NoAlgebra: if it is no rational function of the parameters.
        """
        values: dict[str, Expression] = {}
        for name in dict.fromkeys(plain_names(expression)):
            if name not in self.parameters:
                value = to_fraction(state.get(name, 0))
                if value is None:
                    raise NoAlgebra("an irrational value")
                values[name] = tree.Number(value, expression.span)
        return self.alphabet.translate(substitute(expression, values, {}))

    def is_zero(self, a: Quotient) -> bool:
        """Tell whether a weight is 0 for all values of the parameters."""
        return a.is_zero

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[Quotient]:
        """Raise, since the probabilities of an infinite support are no rational functions.

        Raises:
            NoAlgebra: always.
        """
        raise NoAlgebra("the probabilities of an infinite support")

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
            for name, power in zip(self.parameters, exponents, strict=False):
                for _ in range(int(power)):
                    term = tree.Binary("*", term, tree.Name(name, _NOWHERE), _NOWHERE)
            if total is None:
                total = term if factor > 0 else tree.Binary("-", tree.Number(Fraction(0), _NOWHERE), term, _NOWHERE)
            else:
                total = tree.Binary("+" if factor > 0 else "-", total, term, _NOWHERE)
        return total or tree.Number(Fraction(0), _NOWHERE)

    def may_vanish(self, a: Quotient, domains: Mapping[str, Contains | None]) -> bool:
        """Tell whether a weight may be 0, or have no value, somewhere in the domains of the parameters; False is a proof that it is not."""
        for polynomial in (a.numerator, a.denominator):
            if polynomial.is_zero():
                return True
            factors = [] if polynomial.is_constant() else polynomial.factor()[1]
            if any(self._may_be_zero(factor, domains) for factor, _ in factors):
                return True
        return False

    def _may_be_zero(self, factor: fmpq_mpoly, domains: Mapping[str, Contains | None]) -> bool:
        """Tell it of an irreducible polynomial: those of one parameter have known roots."""
        degrees = [max(int(each), 0) for each in factor.degrees()]
        if sum(1 for each in degrees if each) != 1:
            return True
        place = next(number for number, degree in enumerate(degrees) if degree)
        domain = domains.get(self.parameters[place])
        if domain is None:
            return True
        coefficients = [fmpq(0)] * (degrees[place] + 1)
        for exponents, coefficient in factor.terms():
            coefficients[int(exponents[place])] = coefficient
        if len(coefficients) == 2:
            root = -coefficients[0] / coefficients[1]
            return domain.contains(number(Fraction(int(root.p), int(root.q))))
        found = cast("list[tuple[acb, int]]", fmpq_poly(coefficients).numer().complex_roots())
        for irrational, _ in found:
            if irrational.imag.contains(0):
                ends = (irrational.real.lower(), irrational.real.upper())
                if any(domain.contains(number(_rational(end))) for end in ends):
                    return True
        return False


class Contains(Protocol):
    """The domain of a parameter."""

    def contains(self, value: Number) -> bool:
        """Tell whether a value lies in it."""
        ...


def _rational(end: arb) -> Fraction:
    mantissa, exponent = end.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
