"""From balls to the floats of a :class:`Result`: rounding always outward, so that the bounds stay bounds."""

from __future__ import annotations

import math
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction

from flint import arb

from seepage.exact import Irrational, div, log_, precision
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure

_FAR = 100_000  # powers of 2 from 1 beyond which a number is not written out
_DECIMAL_DIGITS = 40


def float_below(number: arb) -> float:
    """Return a float that is at most every number in the ball, the next one or two below its lower end."""
    end = number.lower()
    guess = float(end)
    if math.isinf(guess) and end.is_finite():
        guess = math.copysign(float("inf"), guess)
        return float.fromhex("0x1.fffffffffffffp+1023") if guess > 0 else guess
    while arb(guess) > end:
        guess = math.nextafter(guess, -math.inf)
    return guess + 0.0


def float_above(number: arb) -> float:
    """Return a float that is at least every number in the ball."""
    return -float_below(-number) + 0.0


def float_ends(enclosure: Enclosure) -> tuple[float, float, float]:
    """Return lower bound, value and upper bound as floats, the bounds rounded outward and the value kept between them.

    A rational that a float holds exactly gets equal bounds; a finite value that is too large for one becomes the bound on its inner side.
    """
    if enclosure.exact is not None and Fraction(nearest := _nearest(enclosure.exact)) == enclosure.exact:
        return nearest, nearest, nearest
    lower, upper = float_below(enclosure.lower), float_above(enclosure.upper)
    value = float(enclosure.value.mid()) if enclosure.value.is_finite() else float(enclosure.value)
    if enclosure.value.is_finite() and math.isinf(value):
        value = lower if value > 0 else upper
    return lower, min(max(value, lower), upper) + 0.0, upper


def exceeds_floats(enclosure: Enclosure) -> bool:
    """Tell whether the value is finite and larger than every float: then no float stands for it."""
    return bool(enclosure.value.is_finite() and math.isinf(float(enclosure.value.mid())))


def beyond_floats(enclosure: Enclosure) -> tuple[Decimal, Decimal, Decimal] | None:
    """Return lower bound, value and upper bound of a finite number of known sign that is too small or too large for floats, the bounds rounded outward; else None."""
    ends = (enclosure.lower.lower(), enclosure.value.mid(), enclosure.upper.upper())
    if not all(end.is_finite() and (end > 0) == (ends[0] > 0) and end != 0 for end in ends):
        return None
    binary = [(int(mantissa), int(exponent)) for mantissa, exponent in (end.man_exp() for end in ends)]
    sizes = [exponent + abs(mantissa).bit_length() for mantissa, exponent in binary]
    least, greatest = min(sizes), max(sizes)
    if least < -_FAR or greatest > _FAR or sys.float_info.min_exp < greatest <= sys.float_info.max_exp:
        return None
    return _decimal(binary[0], ROUND_FLOOR), _decimal(binary[1], ROUND_HALF_EVEN), _decimal(binary[2], ROUND_CEILING)


def _decimal(binary: tuple[int, int], rounding: str) -> Decimal:
    """Return mantissa · 2^exponent."""
    mantissa, exponent = binary
    with localcontext(Context(prec=_DECIMAL_DIGITS, rounding=rounding)):
        return Decimal(mantissa) * 2**exponent if exponent >= 0 else Decimal(mantissa) / Decimal(2**-exponent)


def in_bits(nats: Enclosure) -> Enclosure:
    """Divide by log 2, outward. A rational number of nats is no rational number of bits, unless it is 0."""
    if nats.exact == 0:
        return nats
    with precision(WORKING_BITS):
        log2 = arb.const_log2()
        return Enclosure(
            (nats.value / log2).mid() if nats.value.is_finite() else nats.value,
            (nats.lower / log2).lower() if nats.lower.is_finite() else nats.lower,
            (nats.upper / log2).upper() if nats.upper.is_finite() else nats.upper,
            nats.certainty,
            None,
            nats.notes,
            _in_bits(nats.closed),
            nats.estimated,
        )


def _in_bits(nats: Irrational | None) -> Irrational | None:
    bits = None if nats is None else div(nats, log_(2))
    return bits if isinstance(bits, Irrational) else None


def _nearest(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return 0.0
