from __future__ import annotations

import math
from fractions import Fraction

import mpmath
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from seepage.exact import precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty
from seepage.measures.rounding import float_above, float_below, float_ends, in_bits


@given(st.fractions())
def test_floats_lie_on_their_side_and_close(number: Fraction) -> None:
    with precision(256):
        ball = arb(fmpq(number.numerator, number.denominator))

    below, above = float_below(ball), float_above(ball)

    assert Fraction(below) <= number <= Fraction(above)
    assert above <= math.nextafter(math.nextafter(math.nextafter(below, math.inf), math.inf), math.inf)


def test_a_number_below_every_float_has_zero_as_lower_bound() -> None:
    with precision(128):
        tiny = arb("1e-400")

    assert float_below(tiny) == 0.0
    assert float_above(tiny) > 0.0


def test_a_number_above_every_float_has_an_infinite_upper_bound_only() -> None:
    with precision(128):
        huge = arb(10) ** 400

    assert math.isfinite(float_below(huge))
    assert float_above(huge) == math.inf


def test_a_representable_rational_has_equal_bounds() -> None:
    assert float_ends(Enclosure.of_rational(Fraction(3, 4))) == (0.75, 0.75, 0.75)


def test_zero_is_never_negative() -> None:
    lower, value, upper = float_ends(Enclosure(-arb(0), -arb(0), -arb(0), Certainty.EXACT))

    assert [math.copysign(1, each) for each in (lower, value, upper)] == [1, 1, 1]


def test_bits_are_nats_over_log_two() -> None:
    with precision(192):
        nats = Enclosure.of_ball(arb(3))
    with mpmath.workdps(40):
        expected = 3 / mpmath.log(2)

        lower, value, upper = float_ends(in_bits(nats))

        assert lower <= expected <= upper
        assert abs(value - expected) < mpmath.mpf(10) ** -15


def test_a_ball_that_is_no_number_says_that_nothing_is_known() -> None:
    for found in (
        Enclosure.of_ball(arb.nan()),
        Enclosure.bounded(arb(1), arb.nan(), arb.nan()),
        Enclosure(arb.nan(), arb.nan(), arb.nan(), Certainty.EXACT),
    ):
        lower, value, upper = float_ends(found)
        assert (lower, upper) == (-math.inf, math.inf)
        assert math.isfinite(value)
        assert found.certainty is Certainty.CERTIFIED

    half_known = Enclosure.bounded(arb(1), arb.nan(), arb(2))
    lower, value, upper = float_ends(half_known)
    assert (lower, upper) == (-math.inf, 2.0)
    assert value <= 2.0
