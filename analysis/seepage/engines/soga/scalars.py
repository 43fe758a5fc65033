"""Means and covariances of sources: exact as long as that is cheap, balls that know their origin afterwards.

A ball alone cannot tell whether two numbers are equal, and components with equal laws must merge. So every inexact number is
interned by the operation and the operands that made it: the same computation gives the same object.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb, fmpq

from seepage import exact
from seepage.distributions.gaussian import Real, Scalar
from seepage.exact import ArithmeticFault, Irrational, Number, enclose

_TERMS = 12  # of an irrational number that is still cheap to compute with
_HEIGHT = 2_048  # bits of a rational number that is


def _is_cheap(value: Number) -> bool:
    match value:
        case Irrational():
            return len(value.denominator) == 1 and len(value.numerator) <= _TERMS
        case int():
            return value.bit_length() <= _HEIGHT
        case _:
            return value.numerator.bit_length() + value.denominator.bit_length() <= _HEIGHT


class Arithmetic:
    """Field operations on scalars; ``bits`` is the precision of balls. One object serves one run, and owns its balls.

    The caller sets the global precision of balls to ``bits`` around the run (:func:`seepage.exact.precision`).
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self._known: dict[tuple[object, ...], Real] = {}

    def ball(self, value: Scalar) -> arb:
        """Return an enclosure; that of a large exact number is as close, absolutely, as those around 1, so that differences keep their digits."""
        if isinstance(value, Real):
            return value.ball
        near = enclose(value, self.bits)
        mantissa, exponent = near.mid().man_exp()
        size = int(mantissa).bit_length() + int(exponent)
        return near if size <= 0 or near.is_exact() else enclose(value, self.bits + size)

    def add(self, a: Scalar, b: Scalar) -> Scalar:
        """Return a + b."""
        if a == 0:
            return b
        if b == 0:
            return a
        return self._commuting("+", exact.add, lambda x, y: x + y, a, b)

    def sub(self, a: Scalar, b: Scalar) -> Scalar:
        """Return a − b, exactly 0 where both are the same."""
        return 0 if a is b else self.add(a, self.mul(-1, b))

    def mul(self, a: Scalar, b: Scalar) -> Scalar:
        """Return a · b, exactly 0 where a factor is."""
        if a == 0 or b == 0:
            return 0
        if a == 1:
            return b
        if b == 1:
            return a
        return self._commuting("*", exact.mul, lambda x, y: x * y, a, b)

    def div(self, a: Scalar, b: Scalar) -> Scalar:
        """Return a / b for a b that is known not to be 0."""
        if a == 0:
            return 0
        return self.mul(a, self.inverse(b))

    def inverse(self, b: Scalar) -> Scalar:
        """Return 1 / b."""
        if not isinstance(b, Real):
            try:
                quotient = exact.div(1, b)
            except ArithmeticFault:
                quotient = None
            if quotient is not None and _is_cheap(quotient):
                return quotient
        return self.function("1/", lambda x: 1 / x, b)

    def function(self, name: str, compute: Callable[..., arb], *arguments: Scalar) -> Real:
        """Return a function of scalars as a ball with its origin; the same name must mean the same function."""
        reals = [self._real(argument) for argument in arguments]
        return self._intern((name, *(real.ident for real in reals)), lambda: compute(*(real.ball for real in reals)))

    def weight(self, name: str, compute: Callable[..., arb], *arguments: Scalar) -> arb:
        """Return a function of scalars, as close as their enclosures allow: a chance that many components have alike is computed once."""
        key = (name, *(self._real(argument).ident for argument in arguments))
        return self._intern(key, lambda: compute(*(self.ball(argument) for argument in arguments))).ball

    def _commuting(
        self,
        name: str,
        precisely: Callable[[Number, Number], Number],
        roughly: Callable[[arb, arb], arb],
        a: Scalar,
        b: Scalar,
    ) -> Scalar:
        if not isinstance(a, Real) and not isinstance(b, Real):
            try:
                result = precisely(a, b)
            except ArithmeticFault:  # too large to stay exact
                result = None
            if result is not None and _is_cheap(result):
                return result
        first, second = sorted((self._real(a), self._real(b)), key=lambda real: real.ident)
        return self._intern((name, first.ident, second.ident), lambda: roughly(first.ball, second.ball))

    def _real(self, value: Scalar) -> Real:
        if isinstance(value, Real):
            return value
        return self._intern(("exactly", value), lambda: enclose(value, self.bits))

    def _intern(self, key: tuple[object, ...], compute: Callable[[], arb]) -> Real:
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Real(compute(), len(self._known))
        return known


def rational_weight(value: Number, bits: int) -> fmpq | arb:
    """Return a number as a weight: a rational exactly, another one as a ball."""
    fraction = exact.to_fraction(value)
    return enclose(value, bits) if fraction is None else fmpq(fraction.numerator, fraction.denominator)
