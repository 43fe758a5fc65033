r"""Arithmetic of numbers known by bounds: ``+ - * / ^`` on :class:`Enclosure`, by interval arithmetic on the bounds.

The bounds of ``a ∘ b`` are the least and the greatest of ``∘`` over the corners of the box of the operands' bounds (for a
division only where the divisor's bounds exclude 0); each corner is a ball whose own ends are taken outward. The two operands are treated as
unrelated, so ``I(x; o) / H(x)`` may be enclosed more widely than it is known; never more narrowly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Literal, TypeAlias

from flint import arb

from seepage.exact import Undefined, precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.quoting import is_quotable
from seepage.measures.result import Certainty

Operator: TypeAlias = Literal["+", "-", "*", "/", "^"]
GREATEST_POWER = 64
WORKING_BITS = 192  # enough that no bound of a printed digit moves

_ORDER = (Certainty.EXACT, Certainty.CERTIFIED, Certainty.APPROXIMATE)


def worst(certainties: Iterable[Certainty]) -> Certainty:
    """Return the least trustworthy of several certainties, EXACT for none."""
    return max(certainties, key=_ORDER.index, default=Certainty.EXACT)


def negate(a: Enclosure) -> Enclosure:
    """Return −a."""
    exact = None if a.exact is None else -a.exact
    with precision(WORKING_BITS):  # the library rounds even a change of sign to its working precision
        lower, upper = (-a.upper).lower(), (-a.lower).upper()
        return Enclosure.bounded(-a.value, lower, upper, a.certainty, exact, a.notes, a.estimated)


def add(first: Enclosure, *others: Enclosure) -> Enclosure:
    """Return the sum.

    Raises:
        Undefined: for ∞ − ∞.
    """
    result = first
    for other in others:
        result = _combine(result, other, lambda u, v: u + v, Fraction.__add__)
    return result


def subtract(a: Enclosure, b: Enclosure) -> Enclosure:
    """Return a − b.

    Raises:
        Undefined: for ∞ − ∞.
    """
    return add(a, negate(b))


def multiply(a: Enclosure, b: Enclosure) -> Enclosure:
    """Return a · b.

    Raises:
        Undefined: for ∞ · 0.
    """
    return _combine(a, b, lambda u, v: u * v, Fraction.__mul__)


def divide(a: Enclosure, b: Enclosure) -> Enclosure:
    """Return a / b.

    Raises:
        Undefined: if b is 0, may be 0, or both are infinite.
    """
    if b.exact == 0 or b.value == 0:
        raise Undefined("division by zero")
    if b.lower <= 0 <= b.upper:
        raise Undefined("division by a number that may be zero")
    return _combine(a, b, lambda u, v: u / v, Fraction.__truediv__)


def power(a: Enclosure, exponent: int) -> Enclosure:
    """Return a to a whole power, by repeated multiplication (so an even power of a number of unknown sign is enclosed widely).

    Raises:
        Undefined: for a negative power of 0.
    """
    if exponent < 0:
        return divide(Enclosure.of_rational(Fraction(1)), power(a, -exponent))
    result = Enclosure.of_rational(Fraction(1))
    for _ in range(exponent):
        result = multiply(result, a)
    return result


def operation(operator: Operator, a: Enclosure, b: Enclosure) -> Enclosure:
    """Return ``a operator b``.

    Raises:
        Undefined: where that has no value; for an exponent that is not known, or no whole number of at most :data:`GREATEST_POWER`.
    """
    match operator:
        case "+":
            return add(a, b)
        case "-":
            return subtract(a, b)
        case "*":
            return multiply(a, b)
        case "/":
            return divide(a, b)
        case "^":
            if b.exact is None or b.exact.denominator != 1 or abs(b.exact) > GREATEST_POWER:
                raise Undefined("a power that is not small and whole")
            return power(a, b.exact.numerator)


def _combine(
    a: Enclosure,
    b: Enclosure,
    of_balls: Callable[[arb, arb], arb],
    of_rationals: Callable[[Fraction, Fraction], Fraction],
) -> Enclosure:
    certainty = worst((a.certainty, b.certainty))
    notes = tuple(dict.fromkeys((*a.notes, *b.notes)))
    if a.exact is not None and b.exact is not None:
        exact = of_rationals(a.exact, b.exact)
        ball = Enclosure.of_rational(exact)
        return Enclosure(ball.value, ball.lower, ball.upper, certainty, exact, notes)
    with precision(WORKING_BITS):
        value = of_balls(a.value, b.value)
        if value.is_nan():
            raise Undefined("the difference, product or quotient of infinities")
        corners = [of_balls(u, v) for u in (a.lower, a.upper) for v in (b.lower, b.upper)]
        if any(corner.is_nan() for corner in corners):
            estimated = (a.estimated or b.estimated) and is_quotable(a) and is_quotable(b)
            return Enclosure(value.mid(), arb.neg_inf(), arb.pos_inf(), certainty, None, notes, estimated=estimated)
        lower = _least(corners)
        upper = -_least([-corner for corner in corners])
        estimated = (a.estimated or b.estimated) and is_quotable(a) and is_quotable(b)
        return Enclosure.bounded(value, lower, upper, certainty, None, notes, estimated)


def _least(balls: list[arb]) -> arb:
    ends = [ball.lower() for ball in balls]
    smallest = ends[0]
    for end in ends[1:]:
        smallest = end if end < smallest else smallest
    return smallest
