"""Exponentials, logarithms, powers and roots of numbers, and functions of their bits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from flint import fmpz

from seepage.exact.faults import TooLarge, Undefined
from seepage.exact.numbers import (
    MAX_BITS,
    ONE,
    UNIT,
    Generator,
    Irrational,
    Monomial,
    Number,
    add,
    div,
    monomial_of,
    mul,
    number,
    quotient,
    show,
    show_count,
    sign,
    spelled_monomial,
)

_E = Generator("e", 1)
_FACTOR_BITS = 96  # integers up to this size factor in no time


def _single(generator: Generator, exponent: Fraction) -> Number:
    coefficient, monomial = monomial_of({generator: exponent})
    return quotient({monomial: coefficient}, ONE) if monomial else number(coefficient)


def exp_(a: Number) -> Number:
    r"""Return :math:`e^a`; the exponent's rational part, its multiples of ``log`` and the rest become separate factors."""
    if a == 0:
        return 1
    if not isinstance(a, Irrational):
        if abs(Fraction(a)) > MAX_BITS:
            raise TooLarge(f"exp({show(a)}) has too many digits")
        return _single(_E, Fraction(a))
    if a.denominator != ONE:
        return _single(Generator("exp", a), Fraction(1))
    result: Number = 1
    rest: dict[Monomial, Fraction] = {}
    for monomial, coefficient in a.numerator.items():
        logarithm = _plain_logarithm(monomial)
        if not monomial:
            result = mul(result, exp_(number(coefficient)))
        elif logarithm is not None:
            result = mul(result, _single(Generator("root", logarithm), coefficient))
        else:
            rest[monomial] = coefficient
    if rest:
        # exp(2x) is the square of exp(x): the content goes into the exponent.
        content = rest[min(rest, key=spelled_monomial)]
        inner = quotient({m: c / content for m, c in rest.items()}, ONE)
        if not isinstance(inner, Irrational):
            raise AssertionError("a sum of irrational monomials turned out rational")
        result = mul(result, _single(Generator("exp", inner), content))
    return result


def _plain_logarithm(monomial: Monomial) -> int | None:
    """Return n if the monomial is log(n) to the power 1."""
    if len(monomial) == 1:
        ((generator, exponent),) = monomial
        if generator.kind == "log" and isinstance(generator.of, int) and exponent == 1:
            return generator.of
    return None


def log_(a: Number) -> Number:
    """Return the natural logarithm.

    Raises:
        Undefined: if a is not positive.
    """
    direction = sign(a)
    if direction == 0:
        raise Undefined("logarithm of zero")
    if direction < 0:
        raise Undefined("logarithm of a negative number")
    if not isinstance(a, Irrational):
        return _log_rational(Fraction(a))
    if a.denominator == ONE and len(a.numerator) == 1:
        ((monomial, coefficient),) = a.numerator.items()
        if coefficient > 0 and all(g.kind in ("e", "exp", "root") for g, _ in monomial):
            logarithms = (mul(number(q), g.of if g.kind in ("e", "exp") else log_(g.of)) for g, q in monomial)
            return reduce(add, logarithms, _log_rational(coefficient))
    return _single(Generator("log", a), Fraction(1))


def _log_rational(value: Fraction) -> Number:
    total: dict[Monomial, Fraction] = {}
    for whole, direction in ((value.numerator, 1), (value.denominator, -1)):
        for prime, exponent in _factors(whole):
            total[frozenset({(Generator("log", prime), Fraction(1))})] = Fraction(direction * exponent)
    return quotient(total, ONE)


def _factors(whole: int) -> list[tuple[int, int]]:
    """Factor a positive integer; a large one without small factors stays as it is (only equality tests lose by that)."""
    if whole.bit_length() <= _FACTOR_BITS:
        return [(int(p), int(k)) for p, k in fmpz(whole).factor()]
    return [(int(p), int(k)) for p, k in fmpz(whole).factor_smooth(16)]


def logarithms(value: Number) -> tuple[Fraction, dict[int, Fraction]] | None:
    """Return r and q for a number that is written r + Σ q_n log n with rational r and q and whole n, None for any other."""
    if not isinstance(value, Irrational):
        return Fraction(value), {}
    if value.denominator != ONE:
        return None
    rational, found = Fraction(0), dict[int, Fraction]()
    for monomial, coefficient in value.numerator.items():
        of = _plain_logarithm(monomial)
        if monomial == UNIT:
            rational = coefficient
        elif of is None:
            return None
        else:
            found[of] = coefficient
    return rational, found


def power(a: Number, b: Number) -> Number:
    """Return a to the power b (1 for 0 to the power 0).

    Raises:
        Undefined: for 0 to a negative power or a negative number to a fractional one.
        TooLarge: past ``MAX_BITS``.
    """
    if isinstance(b, int):
        return _whole_power(a, b)
    direction = sign(a)
    if direction < 0:
        raise Undefined("fractional power of a negative number")
    if direction == 0:
        if sign(b) < 0:
            raise Undefined("division by zero")
        return 0
    return exp_(mul(b, log_(a)))


def _whole_power(a: Number, b: int) -> Number:
    if b < 0:
        return div(1, _whole_power(a, -b))
    if isinstance(a, Irrational):
        if b > MAX_BITS:
            raise TooLarge("a power with too many digits")
        result: Number = 1
        while b:
            if b & 1:
                result = mul(result, a)
            b >>= 1
            a = mul(a, a) if b else a
        return result
    size = max(abs(Fraction(a).numerator).bit_length(), Fraction(a).denominator.bit_length()) - 1
    if size * b > MAX_BITS:
        raise TooLarge(f"a number of about {show_count(size * b * 3 // 10)} digits")
    return number(a**b)


def sqrt_(a: Number) -> Number:
    """Return the square root.

    Raises:
        Undefined: if a is negative.
    """
    if sign(a) < 0:
        raise Undefined("square root of a negative number")
    return power(a, Fraction(1, 2))


# --- functions on non-negative integers -------------------------------------------------------------------------------


def _bits(name: str, function: Callable[[int, int], int]) -> Callable[[Number, Number], int]:
    def apply(a: Number, b: Number) -> int:
        if not (isinstance(a, int) and isinstance(b, int) and a >= 0 and b >= 0):
            wrong = next(show(x) for x in (a, b) if not (isinstance(x, int) and x >= 0))
            raise Undefined(f"{name} of {wrong}, which is not a non-negative integer")
        return function(a, b)

    apply.__doc__ = f"Return ``{name}`` of two non-negative integers; raises ``Undefined`` for others."
    return apply


def _shift_left(a: int, b: int) -> int:
    if a and a.bit_length() + b > MAX_BITS:
        raise TooLarge("shift_left gives a number with too many digits")
    return a << b if a else 0


bit_and = _bits("bit_and", operator.and_)
bit_or = _bits("bit_or", operator.or_)
bit_xor = _bits("bit_xor", operator.xor)
shift_left = _bits("shift_left", _shift_left)
shift_right = _bits("shift_right", operator.rshift)


def popcount(a: Number) -> int:
    """Return how many binary digits of a non-negative integer are 1; raises ``Undefined`` for other numbers."""
    if not (isinstance(a, int) and a >= 0):
        raise Undefined(f"popcount of {show(a)}, which is not a non-negative integer")
    return a.bit_count()
