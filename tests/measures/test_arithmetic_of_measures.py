from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from seepage.exact import Undefined
from seepage.measures import arithmetic
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty

SMALL = st.fractions(min_value=-5, max_value=5, max_denominator=50)


def between(low: Fraction, high: Fraction, value: Fraction) -> Enclosure:
    """Enclose a value by two rational bounds, as a certified computation would."""
    low, high = min(low, high), max(low, high)
    ends = [arb(each.numerator) / arb(each.denominator) for each in (low, high, value)]
    return Enclosure(ends[2].mid(), ends[0].lower(), ends[1].upper(), Certainty.CERTIFIED)


@st.composite
def enclosures(draw: st.DrawFn) -> tuple[Enclosure, Fraction]:
    low, value, high = sorted((draw(SMALL), draw(SMALL), draw(SMALL)))
    return between(low, high, value), value


def holds(enclosure: Enclosure, value: Fraction) -> bool:
    ball = arb(value.numerator) / arb(value.denominator)
    return not ball < enclosure.lower and not ball > enclosure.upper


@given(enclosures(), enclosures())
def test_sums_differences_and_products_enclose_the_true_ones(
    first: tuple[Enclosure, Fraction], second: tuple[Enclosure, Fraction]
) -> None:
    (a, x), (b, y) = first, second

    assert holds(arithmetic.add(a, b), x + y)
    assert holds(arithmetic.subtract(a, b), x - y)
    assert holds(arithmetic.multiply(a, b), x * y)


@given(enclosures(), enclosures())
def test_a_quotient_encloses_the_true_one_or_is_refused(
    first: tuple[Enclosure, Fraction], second: tuple[Enclosure, Fraction]
) -> None:
    (a, x), (b, y) = first, second
    if b.lower <= 0 <= b.upper:
        with pytest.raises(Undefined):
            arithmetic.divide(a, b)
    else:
        assert holds(arithmetic.divide(a, b), x / y)


@given(SMALL, SMALL)
def test_rationals_stay_exact(x: Fraction, y: Fraction) -> None:
    total = arithmetic.add(Enclosure.of_rational(x), Enclosure.of_rational(y))

    assert total.exact == x + y
    assert total.certainty is Certainty.EXACT


def test_the_certainty_of_a_sum_is_the_worse_one() -> None:
    certified = between(Fraction(0), Fraction(1), Fraction(1, 2))

    assert arithmetic.add(Enclosure.of_rational(Fraction(1)), certified).certainty is Certainty.CERTIFIED


def test_the_difference_of_infinities_is_undefined() -> None:
    infinite = Enclosure(arb.pos_inf(), arb.pos_inf(), arb.pos_inf(), Certainty.EXACT)

    with pytest.raises(Undefined):
        arithmetic.subtract(infinite, infinite)


def test_an_infinity_may_be_halved() -> None:
    infinite = Enclosure(arb.pos_inf(), arb.pos_inf(), arb.pos_inf(), Certainty.EXACT)

    half = arithmetic.divide(infinite, Enclosure.of_rational(Fraction(2)))

    assert half.lower == arb.pos_inf()
    assert half.value == arb.pos_inf()
