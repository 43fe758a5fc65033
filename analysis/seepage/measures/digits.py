"""How many digits of a number its bounds justify, and how to write them.

A number is written with as many digits as its two bounds agree on after rounding; if that is fewer than two, the bounds are written instead,
rounded outward.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from typing import Literal, TypeAlias

MOST_DIGITS = 10  # of a number in a report
TABLE_DIGITS = 6  # of a number in the leakage table
FEW_DIGITS = 3  # of a number in a lens, and of a bound
_MOST_TELLING = 17  # that differ in doubles
_FEWEST = 2  # common digits below which bounds say more than a number
_PLAIN = range(-5, 16)  # decimal exponents written without a power of ten

Real: TypeAlias = float | Decimal
Rounding = Literal["down", "up", "nearest"]
_ROUNDING = {"down": ROUND_FLOOR, "up": ROUND_CEILING, "nearest": ROUND_HALF_EVEN}


def justified(lower: Real, value: Real | None, upper: Real, most: int = MOST_DIGITS) -> str | None:
    """Write ``value`` with the digits (at most ``most``) that ``lower`` and ``upper`` share; None if they share fewer than two, or there is no value.

    Args:
        lower: where the number is at least.
        value: the number that is shown; None where there is none.
        upper: where it is at most.
        most: significant digits.

    >>> justified(0.1099, 0.110017, 0.1101)
    '0.11'
    """
    if value is None:
        return None
    if lower == upper:
        return rounded(value, most)
    if value == 0 or any(_infinite(end) for end in (lower, upper)):
        return None
    for digits in range(most, _FEWEST - 1, -1):
        place = _place(value, digits)
        texts = {_quantized(Decimal(number), place, "nearest") for number in (lower, value, upper)}
        if len(texts) == 1:
            return _written(texts.pop())
    return None


def telling_digits(lower: Real, value: Real | None, upper: Real, limit: Fraction | None, fewest: int) -> int:
    """Return how many digits :func:`justified` needs, at least ``fewest``, for a number that compares with a limit as ``value`` does.

    Args:
        lower: where the number is at least.
        value: the number that is shown.
        upper: where it is at most.
        limit: what it is compared with, in the same unit; None where it is with nothing.
        fewest: significant digits that are shown in any case.

    >>> telling_digits(0.8112781, 0.8112781, 0.8112781, Fraction(811, 1000), 2)
    4
    """
    if limit is None or value is None or _infinite(value) or Fraction(value) == limit:
        return fewest
    for digits in range(fewest, _MOST_TELLING):
        text = justified(lower, value, upper, digits)
        if text is None or text.endswith("∞"):
            return fewest
        if Fraction(text) != limit and (Fraction(text) > limit) == (Fraction(value) > limit):
            return digits
    return max(fewest, _MOST_TELLING)


def rounded(number: Real, digits: int = FEW_DIGITS, rounding: Rounding = "nearest") -> str:
    """Write a number with some significant digits, rounded down or up where it is a bound.

    Args:
        number: perhaps infinite.
        digits: significant ones.
        rounding: "down" for a lower bound, "up" for an upper one.
    """
    if _infinite(number):
        return "∞" if number > 0 else "-∞"
    if number == 0:
        return "0"
    return _written(_quantized(Decimal(number), _place(number, digits), rounding))


def _infinite(number: Real) -> bool:
    # As a float, which ``math`` makes of it, a finite decimal may be infinite.
    return number.is_infinite() if isinstance(number, Decimal) else math.isinf(number)


def with_unit(number: str, unit: str) -> str:
    """Return ``1 bit``, ``0.5 bits``, or the number alone where there is no unit."""
    name = unit.removesuffix("s") if number == "1" else unit
    return f"{number} {name}" if name else number


def _place(number: Real, digits: int) -> int:
    """Return the decimal exponent of the last of some significant digits; a zero before the point is always significant."""
    exponent = Decimal(number).adjusted() if number else 0
    place = exponent - digits + 1
    return min(place, 0) if exponent in _PLAIN else place


def _quantized(number: Decimal, place: int, rounding: Rounding) -> Decimal:
    with localcontext() as context:
        context.prec = 1_200  # a double has at most 767 significant digits
        return number.quantize(Decimal((0, (1,), place)), rounding=_ROUNDING[rounding])


def _written(number: Decimal) -> str:
    """Write a decimal without trailing zeros, in powers of ten only where it is far from 1; never ``-0``."""
    if number == 0:
        return "0"
    number = number.normalize()
    exponent = number.adjusted()
    if exponent in _PLAIN:
        return f"{number:f}"
    mantissa = number.scaleb(-exponent).normalize()
    return f"{mantissa:f}e{exponent}"
