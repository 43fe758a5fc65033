"""Results compared with numbers and with each other: decided by their bounds, else an error."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import seepage
from seepage.measures.result import Result

COIN = seepage.parse(
    "param p in [0, 1] = 1/3\nsecret s\noutput o\ns ~ bernoulli(p)\nn ~ bernoulli(1/4)\no := s xor n\n"
)
COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("number", [0, Fraction(1, 3), Fraction(1, 2), 1, Decimal("0.3"), 0.25, math.inf, -math.inf])
def test_an_exact_number_is_compared_as_a_fraction(compare: Callable[..., bool], number: float) -> None:
    result = COIN.measure("P(s == 1)")  # 1/3

    assert compare(result, number) is compare(Fraction(1, 3), number)
    assert compare(number, result) is compare(number, Fraction(1, 3))


def test_a_float_means_the_decimal_that_it_prints_as() -> None:
    result = COIN.measure("P(s == 1)", params={"p": 0.3})

    assert result == 0.3
    assert result == np.float64(0.3)
    assert not result < 0.3
    assert hash(result) == hash(Fraction(3, 10))


def test_a_logarithm_is_compared_by_its_bounds() -> None:
    result = COIN.measure("H(s)", params={"p": "1/4"})  # 2 − 3/4·log₂ 3 = 0.8112781…

    assert 0.8112 < result < 0.8113
    assert result != Fraction(8, 10)
    assert not result >= 0.82


def between(lower: float, upper: float) -> Result:
    """Return a result of which only bounds are known."""
    found = replace(COIN.measure("H(s)"), exact=None, closed=None, certainty=seepage.Certainty.CERTIFIED)
    return replace(found, lower=lower, value=None, upper=upper)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_bounds_on_both_sides_of_a_number_decide_nothing(compare: Callable[..., bool]) -> None:
    with pytest.raises(seepage.UndecidedError, match="do not decide whether H"):
        compare(between(0.25, 0.75), 0.5)


def test_a_number_at_the_end_of_the_bounds_decides_what_both_ends_say() -> None:
    result = between(0.25, 0.75)

    assert result <= 0.75
    assert result >= 0.25
    assert result != 0.76
    with pytest.raises(seepage.UndecidedError):
        _ = result < 0.75


def test_results_are_ordered_where_their_bounds_are_apart() -> None:
    first, second, third = between(0, 0.25), between(0.5, 0.75), between(0.7, 0.8)

    assert sorted([second, first]) == [first, second]
    assert first <= between(0.25, 0.5)
    with pytest.raises(seepage.UndecidedError):
        _ = second < third


def test_results_that_are_known_exactly_are_ordered_where_their_bounds_meet() -> None:
    first, second = COIN.measure("P(s == 1)"), COIN.measure("1 - P(s == 0)")

    assert first <= second
    assert first >= second
    assert not first < second


def test_results_in_two_units_are_not_compared() -> None:
    with pytest.raises(seepage.UndecidedError, match="'bits' and 'nats'"):
        _ = COIN.measure("H(s)") < COIN.measure("H(s)", unit="nats")


@pytest.mark.parametrize("compare", COMPARISONS)
def test_an_approximate_number_decides_nothing(compare: Callable[..., bool]) -> None:
    result = replace(COIN.measure("H(s)"), certainty=seepage.Certainty.APPROXIMATE, exact=None, closed=None)

    with pytest.raises(seepage.UndecidedError, match="approximate"):
        compare(result, 5)


def test_what_is_no_number_is_neither_equal_nor_ordered() -> None:
    result = COIN.measure("H(s)")

    assert result != "1"
    assert result is not None
    assert (result == None) is False  # noqa: E711
    with pytest.raises(TypeError):
        _ = result < "1"
