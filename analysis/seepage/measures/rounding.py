"""From balls to the floats of a :class:`Result`: rounding always outward, so that the bounds stay bounds."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from seepage.exact import precision
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure


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

    A rational that a float holds exactly gets equal bounds.
    """
    if enclosure.exact is not None and Fraction(nearest := _nearest(enclosure.exact)) == enclosure.exact:
        return nearest, nearest, nearest
    lower, upper = float_below(enclosure.lower), float_above(enclosure.upper)
    value = float(enclosure.value.mid()) if enclosure.value.is_finite() else float(enclosure.value)
    return lower, min(max(value, lower), upper) + 0.0, upper


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
        )


def _nearest(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return 0.0
