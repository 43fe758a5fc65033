"""Interval arithmetic: ranges of expressions where their parameters lie in a box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from flint import arb, fmpq_mpoly

from seepage.exact import Number, enclose, number
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Interval: TypeAlias = tuple[arb, arb]  # balls that hold the ends; an infinite end is no value
Box: TypeAlias = Mapping[str, Interval]

_BITS = 96
_MOST_OF_A_ROOT = 64

WHOLE: Interval = (arb.neg_inf(), arb.pos_inf())


def side(low: Number | None, high: Number | None) -> Interval:
    """Return the interval between two numbers; None for no end."""
    start = arb.neg_inf() if low is None else enclose(low, _BITS)
    if low is not None and low == high:
        return start, start
    return start, arb.pos_inf() if high is None else enclose(high, _BITS)


def box_of(sides: Mapping[str, tuple[Number | None, Number | None]]) -> dict[str, Interval]:
    """Return the box with some sides."""
    return {name: side(low, high) for name, (low, high) in sides.items()}


def hull(ends: Sequence[arb]) -> Interval:
    """Return the least interval that holds some numbers."""
    if any(end.is_nan() for end in ends):
        return WHOLE
    low = high = ends[0]
    for end in ends[1:]:
        low, high = low.min(end), high.max(end)
    return low, high


def common(a: Interval, b: Interval) -> Interval:
    """Return what two intervals that hold the same numbers have in common."""
    low, high = a[0].max(b[0]), a[1].min(b[1])
    return a if low.is_nan() or high.is_nan() else (low, high)


def plus(a: Interval, b: Interval) -> Interval:
    """Return the sums."""
    if a[0] is a[1] and b[0] is b[1]:
        value = a[0] + b[0]
        return (value, value) if not value.is_nan() else WHOLE
    low, high = a[0] + b[0], a[1] + b[1]
    return arb.neg_inf() if low.is_nan() else low, arb.pos_inf() if high.is_nan() else high


def negative(a: Interval) -> Interval:
    """Return the negatives."""
    return -a[1], -a[0]


def times(a: Interval, b: Interval) -> Interval:
    """Return the products."""
    # 0 times an infinite end is 0, since that end is no value.
    if a[0] is a[1] and b[0] is b[1]:
        value = _times_ends(a[0], b[0])
        return (value, value) if not value.is_nan() else WHOLE
    if a[0] >= 0 and b[0] >= 0:
        low, high = _times_ends(a[0], b[0]), _times_ends(a[1], b[1])
        return (low, high) if not high.is_nan() else WHOLE
    return hull([arb(0) if x.is_zero() or y.is_zero() else x * y for x in a for y in b])


def inverse(a: Interval) -> Interval:
    """Return the reciprocals; everything where 0 lies inside."""
    if a[0] is a[1] and (a[0] > 0 or a[0] < 0):
        value = 1 / a[0]
        return value, value
    if a[0] > 0 or a[1] < 0:
        return hull([1 / a[1], 1 / a[0]])
    if a[0].is_zero():
        return (1 / a[1] if not a[1].is_zero() else arb(0)), arb.pos_inf()
    return WHOLE


def raised(a: Interval, power: int) -> Interval:
    """Return the powers, for a whole exponent that is not negative."""
    if a[0] is a[1]:
        value = power_of(a[0], power)
        return value, value
    if a[0] >= 0 and a[1].is_finite():
        return power_of(a[0], power), power_of(a[1], power)
    result: Interval = (arb(1), arb(1))
    if power % 2 == 0 and not a[0] >= 0:
        a = negative(a) if a[1] <= 0 else (arb(0), (-a[0]).max(a[1]))
    for _ in range(power):
        result = (_times_ends(result[0], a[0]), _times_ends(result[1], a[1])) if a[0] >= 0 else times(result, a)
    return result


def power_of(base: arb, exponent: int) -> arb:
    """Return a whole power by multiplication: the library's own power of a ball around 0 is nan."""
    result = arb(1)
    while exponent:
        if exponent & 1:
            result = result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return result


def _times_ends(a: arb, b: arb) -> arb:
    return arb(0) if a.is_zero() or b.is_zero() else a * b


def range_of(expression: Expression, box: Box) -> Interval:
    """Return an interval that holds all values of an expression where its parameters lie in a box."""
    match expression:
        case tree.Number(value=value):
            point = enclose(number(value))
            return point, point
        case tree.Name(id=name):
            return box.get(name, WHOLE)
        case tree.Parenthesized(inner=inner):
            return range_of(inner, box)
        case tree.Unary(operator="-", operand=operand):
            return negative(range_of(operand, box))
        case tree.Binary(operator="+", left=left, right=right):
            return plus(range_of(left, box), range_of(right, box))
        case tree.Binary(operator="-", left=left, right=right):
            return plus(range_of(left, box), negative(range_of(right, box)))
        case tree.Binary(operator="*", left=left, right=right):
            return times(range_of(left, box), range_of(right, box))
        case tree.Binary(operator="/", left=left, right=right):
            return times(range_of(left, box), inverse(range_of(right, box)))
        case tree.Binary(operator="^", left=left, right=tree.Number(value=value)) if (
            value.denominator == 1 and 0 <= value <= 64
        ):
            return raised(range_of(left, box), int(value))
        case tree.Binary(operator="^", left=left, right=right):
            return _power(range_of(left, box), right, box)
        case tree.Call(function=function, arguments=(argument,)):
            return _function(function, range_of(argument, box))
        case _:
            return WHOLE


def _power(base: Interval, exponent: Expression, box: Box) -> Interval:
    """Return the powers of numbers that are not negative, everything for others."""
    low, high = base
    if not low >= 0:
        return WHOLE
    if isinstance(exponent, tree.Number) and exponent.value > 0 and exponent.value.denominator <= _MOST_OF_A_ROOT:
        top, bottom = exponent.value.numerator, exponent.value.denominator
        if top <= _MOST_OF_A_ROOT:  # 0 and 1 stay what they are
            least = power_of(low.root(bottom), top) if low > 0 else arb(0)
            return least, power_of(high.root(bottom), top) if high > 0 and high.is_finite() else arb.pos_inf()
    least, most = _function("exp", times(range_of(exponent, box), _function("log", base)))
    return least.max(arb(0)), most


def _function(function: str, of: Interval) -> Interval:
    low, high = of
    match function:
        case "exp":
            start = low.exp() if low.is_finite() else arb(0)
            return start, start if low is high else high.exp() if high.is_finite() else arb.pos_inf()
        case "log":
            return low.log() if low > 0 else arb.neg_inf(), (
                high.log() if high > 0 and high.is_finite() else arb.pos_inf()
            )
        case "sqrt":
            return low.sqrt() if low > 0 else arb(0), high.sqrt() if high >= 0 and high.is_finite() else arb.pos_inf()
        case "abs":
            return arb(0) if not low >= 0 else low, high if low >= 0 else (-low).max(high)
        case _:
            return WHOLE


def range_of_polynomial(polynomial: fmpq_mpoly, letters: Mapping[int, Interval]) -> Interval:
    """Return an interval that holds a polynomial where its letters lie in intervals, each term by itself."""
    total: Interval = (arb(0), arb(0))
    for exponents, coefficient in polynomial.terms():
        term: Interval = (arb(coefficient), arb(coefficient))
        for place, exponent in enumerate(exponents):
            if exponent:
                term = times(term, raised(letters[place], int(exponent)))
        total = plus(total, term)
    return total
