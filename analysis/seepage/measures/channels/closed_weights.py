"""Probabilities in closed form: the ring of exact numbers, for channels whose probabilities are irrational.

Balls cannot tell that randomized response has a privacy loss of exactly eps; ``exp(1)/(exp(1) + 1)`` over ``1/(exp(1) + 1)``, simplified, can.
Closed forms are dear, so they are tried for small programs only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from flint import arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from seepage import exact
from seepage.deadline import sooner
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import exact_probability
from seepage.engines.forward.run import run
from seepage.engines.outcome import DiscreteJoint, Ring
from seepage.exact import ArithmeticFault, Generator, Irrational, Number, Sum, TooLarge
from seepage.measures.joints import Inquiry
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import sunk_slice
from seepage.syntax.tree import Expression

_STATES = 1_500
_SECONDS = 0.7
_TERMS = 48  # of a weight; sums of closed forms multiply each other out


class ClosedForms:
    """The ring of exact numbers, rational or not."""

    zero: Number = 0
    one: Number = 1

    def add(self, a: Number, b: Number) -> Number:
        """Return a + b.

        Raises:
            TooLarge: if it has too many terms.
        """
        total = exact.add(a, b)
        if isinstance(a, Irrational) and isinstance(b, Irrational) and a.denominator != b.denominator:
            total = simplified(total)
        return _bounded(total)

    def multiply(self, a: Number, b: Number) -> Number:
        """Return a · b.

        Raises:
            TooLarge: if it has too many terms.
        """
        return _bounded(exact.mul(a, b))

    def complement(self, a: Number) -> Number:
        """Return 1 − a."""
        return exact.sub(1, a)

    def rational(self, numerator: int, denominator: int = 1) -> Number:
        """Return a rational number."""
        return exact.number(Fraction(numerator, denominator))

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Number:
        """Return the value of a probability in a state.

        Raises:
            Fault: if it is undefined or not in [0, 1].
        """
        return exact_probability(expression, state)

    def is_zero(self, a: Number) -> bool:
        """Tell whether ``a`` is known to be 0."""
        return a == 0

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[Number]:
        """Refuse numbers that are known by balls only.

        Raises:
            TooLarge: always.
        """
        raise TooLarge("a number without a closed form")


CLOSED_FORMS = ClosedForms()


def closed_joint(inquiry: Inquiry, core: CoreProgram, asked: tuple[str, ...]) -> DiscreteJoint[Number] | None:
    """Return the joint distribution of some variables with masses in closed form; None where that is too large."""
    program = sunk_slice(core, tuple(dict.fromkeys(asked)))
    deadline = sooner(inquiry.budget.deadline, _SECONDS)
    budget = replace(inquiry.budget, states=min(_STATES, inquiry.budget.states), deadline=deadline)
    try:
        ring: Ring[Number] = CLOSED_FORMS
        joint = run(program, tuple(dict.fromkeys(asked)), inquiry.scope.parameters, ring, budget)
    except (Fault, ArithmeticFault):
        return None
    return joint if joint.cut is None else None


def simplified(value: Number) -> Number:
    """Return a number with common factors of its numerator and denominator cancelled: e² + e over e + 1 is e.

    What generators are to each other is not used (they are taken as independent), so that some quotients stay as they are.
    """
    if not isinstance(value, Irrational) or len(value.denominator) == 1:
        return value
    terms = [monomial for part in (value.numerator, value.denominator) for monomial in part]
    generators = tuple(dict.fromkeys(generator for monomial in terms for generator, _ in monomial))
    scale = {
        generator: lcm(*(power.denominator for monomial in terms for one, power in monomial if one == generator))
        for generator in generators
    }
    context = fmpq_mpoly_ctx.get([f"g{i}" for i in range(len(generators))])
    least = [
        min(Fraction(0), *(dict(monomial).get(generator, Fraction(0)) for monomial in terms))
        for generator in generators
    ]

    def polynomial(part: Sum) -> fmpq_mpoly:
        exponents = {
            tuple(
                int((dict(monomial).get(generator, Fraction(0)) - low) * scale[generator])
                for generator, low in zip(generators, least, strict=True)
            ): fmpq(coefficient.numerator, coefficient.denominator)
            for monomial, coefficient in part.items()
        }
        return context.from_dict(exponents)

    def number(part: fmpq_mpoly) -> Number:
        total: Number = 0
        for exponents, coefficient in part.terms():
            term: Number = exact.number(Fraction(int(coefficient.p), int(coefficient.q)))
            for generator, exponent in zip(generators, exponents, strict=True):
                if exponent:
                    term = exact.mul(term, _power(generator, Fraction(int(exponent), scale[generator])))
            total = exact.add(total, term)
        return total

    top, bottom = polynomial(value.numerator), polynomial(value.denominator)
    common = top.gcd(bottom)
    return value if common.is_constant() else exact.div(number(top // common), number(bottom // common))


def logarithm(value: Number) -> Number:
    """Return the natural logarithm of a positive number, simplified: that of e² + e over e + 1 is 1."""
    return exact.log_(simplified(value))


def _power(generator: Generator, exponent: Fraction) -> Number:
    return Irrational({frozenset({(generator, exponent)}): Fraction(1)}, {frozenset(): Fraction(1)})


def _bounded(value: Number) -> Number:
    if isinstance(value, Irrational) and len(value.numerator) + len(value.denominator) > _TERMS:
        raise TooLarge("a closed form with too many terms")
    return value
