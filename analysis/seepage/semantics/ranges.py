"""Ranges of values: intervals that hold every value a discrete expression can have, so that some conditions are decided without running.

Ends are rational; None is an end that is unknown or infinite. Ends that grow long are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from seepage.exact import Number
from seepage.syntax.tree import BinaryOperator

End: TypeAlias = Fraction | int | None
Range: TypeAlias = tuple[End, End]

ANY: Range = (None, None)
UNIT: Range = (0, 1)
TRUE: Range = (1, 1)
FALSE: Range = (0, 0)

_LONGEST = 256  # bits of an end; beyond, it is dropped, so that repeated squaring costs nothing


def exactly(value: Number) -> Range:
    """Return the range of a known number."""
    return (value, value) if isinstance(value, int | Fraction) and _is_short(value) else ANY


def hull(a: Range, b: Range) -> Range:
    """Return the range of what is in ``a`` on some runs and in ``b`` on others."""
    return (_least((a[0], b[0])), _greatest((a[1], b[1])))


def widened(before: Range, after: Range) -> Range:
    """Return ``after`` without the ends at which it is wider than ``before``, so that a loop soon learns nothing more."""
    if before == after:
        return after
    low = after[0] if after[0] == before[0] else None
    return (low, after[1] if after[1] == before[1] else None)


def of_operation(operator: BinaryOperator, a: Range, b: Range) -> Range:
    """Return the range of a binary operation on values in ``a`` and ``b``."""
    if a is ANY and b is ANY and operator in "+-*/%^":
        return ANY
    match operator:
        case "+":
            return _short((_sum(a[0], b[0]), _sum(a[1], b[1])))
        case "-":
            return of_operation("+", a, negated(b))
        case "*":
            return _product(a, b)
        case "/" if b[0] is not None and b[0] == b[1] != 0:
            return _product(a, (Fraction(1) / b[0], Fraction(1) / b[0]))
        case "<" | ">=" | ">" | "<=" | "==" | "!=":
            return _comparison(operator, a, b)
        case "and":
            return FALSE if FALSE in (a, b) else TRUE if a == b == TRUE else UNIT
        case "or":
            return TRUE if TRUE in (a, b) else FALSE if a == b == FALSE else UNIT
        case "xor":
            known = a in (TRUE, FALSE) and b in (TRUE, FALSE)
            return (FALSE if a == b else TRUE) if known else UNIT
        case _:
            return ANY


def negated(a: Range) -> Range:
    """Return the range of ``-e``."""
    return (None if a[1] is None else -a[1], None if a[0] is None else -a[0])


def complement(a: Range) -> Range:
    """Return the range of ``not e``."""
    return FALSE if a == TRUE else TRUE if a == FALSE else UNIT


def of_function(function: str, parts: Sequence[Range]) -> Range:
    """Return the range of a function of values in ``parts``."""
    lows, highs = [part[0] for part in parts], [part[1] for part in parts]
    match function:
        case "min":
            known = [high for high in highs if high is not None]
            return (_least(lows), min(known, default=None))
        case "max":
            known = [low for low in lows if low is not None]
            return (max(known, default=None), _greatest(highs))
        case "floor" | "ceil" if len(parts) == 1:
            low, high = parts[0]
            return (None if low is None else _whole(function, low), None if high is None else _whole(function, high))
        case "abs" if len(parts) == 1:
            low, high = parts[0]
            if low is not None and low >= 0:
                return parts[0]
            return (0, None if low is None or high is None else max(-low, high))
        case _:
            return ANY


def _whole(function: str, value: Fraction | int) -> int:
    return value.__floor__() if function == "floor" else value.__ceil__()


def _comparison(operator: BinaryOperator, a: Range, b: Range) -> Range:
    match operator:
        case ">" | "<=":
            return _comparison("<" if operator == ">" else ">=", b, a)
        case ">=":
            return complement(_comparison("<", a, b))
        case "!=":
            return complement(_comparison("==", a, b))
        case "==":
            if a == b and a[0] is not None and a[0] == a[1]:
                return TRUE
            return FALSE if TRUE in (_comparison("<", a, b), _comparison("<", b, a)) else UNIT
        case _:
            if a[1] is not None and b[0] is not None and a[1] < b[0]:
                return TRUE
            return FALSE if a[0] is not None and b[1] is not None and a[0] >= b[1] else UNIT


def _product(a: Range, b: Range) -> Range:
    if FALSE in (a, b):
        return FALSE
    corners = [_corner(x, y, i, j) for i, x in enumerate(a) for j, y in enumerate(b)]
    finite = [value for value, infinite in corners if not infinite]
    below, above = (any(infinite == sign for _, infinite in corners) for sign in (-1, 1))
    return _short((None if below or not finite else min(finite), None if above or not finite else max(finite)))


def _corner(x: End, y: End, i: int, j: int) -> tuple[Fraction | int, int]:
    """Return the product of the ends number i and j (0: below, 1: above) of two ranges, or the sign with which it is infinite; 0 times any number is 0."""
    if x is not None and y is not None:
        return x * y, 0
    signs = [(1 if which else -1) if end is None else (end > 0) - (end < 0) for end, which in ((x, i), (y, j))]
    return 0, signs[0] * signs[1]


def _sum(a: End, b: End) -> End:
    return None if a is None or b is None else a + b


def _least(ends: Sequence[End]) -> End:
    known = [end for end in ends if end is not None]
    return min(known) if len(known) == len(ends) and known else None


def _greatest(ends: Sequence[End]) -> End:
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) and known else None


def _short(a: Range) -> Range:
    keep: Callable[[End], End] = lambda end: end if end is not None and _is_short(end) else None  # noqa: E731
    return (keep(a[0]), keep(a[1]))


def _is_short(value: Fraction | int) -> bool:
    return value.numerator.bit_length() + value.denominator.bit_length() <= _LONGEST
