"""The rings that weights of states may live in: exact rationals, balls, polynomials in the parameters.

Weights are made by sums, products and complements only, so one algorithm serves them all:

* :data:`RATIONALS`: exact, for programs all of whose probabilities are rational at the asked parameter values;
* :func:`balls`: midpoint and certified error in one (``arb``), for probabilities such as ``exp(1) / (exp(1) + 1)``;
* :func:`seepage.engines.forward.polynomials.polynomials`: exact in the parameters, for formulas.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar, cast

from flint import arb, ctx, fmpq

from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, Polynomials, polynomials
from seepage.engines.outcome import Ring
from seepage.exact import ArithmeticFault, Number, compare, enclose, precision, show, to_fraction
from seepage.rules import CANNOT_DECIDE, NOT_A_PROBABILITY
from seepage.semantics.evaluate import evaluate, spelled, valued_names, witness_text
from seepage.syntax.tree import Expression

__all__ = [
    "RATIONALS",
    "Balls",
    "IrrationalProbability",
    "NoPolynomial",
    "Operation",
    "Polynomial",
    "Polynomials",
    "Rationals",
    "balls",
    "exact_probability",
    "has_arrays",
    "operations",
    "polynomials",
]


C = TypeVar("C")
Operation: TypeAlias = Callable[[C, C], C]


class IrrationalProbability(Exception):
    """A probability is irrational, so that exact rationals cannot hold it; take :func:`balls`."""


def exact_probability(expression: Expression, state: Mapping[str, Number]) -> Number:
    """Return the exact value of a probability in a state.

    Raises:
        Fault: if it is undefined, or outside [0, 1], with the state as witness.
    """
    value = evaluate(expression, state)
    try:
        within = compare(value, 0) >= 0 and compare(value, 1) <= 0
    except ArithmeticFault as fault:
        message = f"cannot decide whether '{spelled(expression)}' is between 0 and 1: {fault}"
        raise Fault(Diagnostic(CANNOT_DECIDE, expression.span, message)) from fault
    if not within:
        valued = valued_names(state, expression)
        # Constants stand in the expression by their values: the text that people wrote is at its place.
        message = f"probability outside [0, 1]: {show(value)}{witness_text(valued, state, ' when ')}"
        raise Fault(Diagnostic(NOT_A_PROBABILITY, expression.span, message, valued=valued))
    return value


class Rationals:
    """The ring of exact rationals."""

    zero = fmpq(0)
    one = fmpq(1)

    def add(self, a: fmpq, b: fmpq) -> fmpq:
        """Return a + b."""
        return a + b

    def multiply(self, a: fmpq, b: fmpq) -> fmpq:
        """Return a · b."""
        return a * b

    def divide(self, a: fmpq, b: fmpq) -> fmpq:
        """Return a / b."""
        return a / b

    def complement(self, a: fmpq) -> fmpq:
        """Return 1 − a."""
        return 1 - a

    def rational(self, numerator: int, denominator: int = 1) -> fmpq:
        """Return a rational number."""
        return fmpq(numerator, denominator)

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> fmpq:
        """Return the value of a probability in a state.

        Raises:
            Fault: if it is undefined or not in [0, 1].
            IrrationalProbability: if it is irrational.
        """
        fraction = to_fraction(exact_probability(expression, state))
        if fraction is None:
            raise IrrationalProbability(spelled(expression))
        return fmpq(fraction.numerator, fraction.denominator)

    def is_zero(self, a: fmpq) -> bool:
        """Tell whether ``a`` is 0."""
        return a == 0

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[fmpq]:
        """Raise, since a support that is cut is kept as balls.

        Raises:
            IrrationalProbability: always.
        """
        raise IrrationalProbability("the probabilities of an infinite support")


RATIONALS = Rationals()


class Balls:
    """The ring of balls: each operation encloses the true result, rounded at ``bits`` bits whatever the global precision.

    Sums and products set the precision by hand: the context manager would cost ten times the operation.
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.zero = arb(0)
        self.one = arb(1)

    def add(self, a: arb, b: arb) -> arb:
        """Return an enclosure of a + b."""
        before = ctx.prec
        ctx.prec = self.bits
        try:
            return a + b
        finally:
            ctx.prec = before

    def multiply(self, a: arb, b: arb) -> arb:
        """Return an enclosure of a · b."""
        before = ctx.prec
        ctx.prec = self.bits
        try:
            return a * b
        finally:
            ctx.prec = before

    def complement(self, a: arb) -> arb:
        """Return an enclosure of 1 − a; close to 1 it loses relative precision, which callers see in the radius."""
        with precision(self.bits):
            return 1 - a

    def rational(self, numerator: int, denominator: int = 1) -> arb:
        """Return an enclosure of a rational number."""
        with precision(self.bits):
            return arb(numerator) / denominator

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> arb:
        """Return an enclosure of a probability in a state; 0 and 1 are exact.

        Raises:
            Fault: if it is undefined or not in [0, 1]; where the ball leaves that open, it is decided exactly.
        """
        with precision(self.bits):
            ball = enclose(evaluate(expression, state), self.bits)
            if ball > 0 and ball < 1:
                return ball
            return enclose(exact_probability(expression, state), self.bits)

    def is_zero(self, a: arb) -> bool:
        """Tell whether ``a`` is exactly 0; a ball that only holds 0 is kept."""
        return a.is_zero()

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[arb]:
        """Return the numbers that ``compute`` encloses with the ring's number of bits."""
        return compute(self.bits)


def balls(bits: int) -> Balls:
    """Return the ring of balls with ``bits`` bits.

    >>> ring = balls(128)
    >>> ring.add(ring.rational(1, 3), ring.rational(2, 3)).contains(1)
    True
    """
    return Balls(bits)


def has_arrays(ring: object) -> bool:
    """Tell whether weights of a ring fit into tables."""
    return isinstance(ring, Rationals | Balls)


def operations(ring: Ring[C]) -> tuple[Operation[C], Operation[C], Callable[[C], bool]]:
    """Return sum, product and the test for 0 of a ring; numbers that are their own ring need no method call in between."""
    kind: object = ring
    if isinstance(kind, Rationals):
        return cast("Operation[C]", operator.add), cast("Operation[C]", operator.mul), operator.not_
    if isinstance(kind, Balls):
        # At the precision that run sets.
        return cast("Operation[C]", operator.add), cast("Operation[C]", operator.mul), ring.is_zero
    return ring.add, ring.multiply, ring.is_zero
