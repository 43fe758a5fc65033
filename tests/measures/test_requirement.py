from __future__ import annotations

from fractions import Fraction

import pytest

from seepage.measures.requirement import Comparison, verdict
from seepage.measures.result import Certainty, Result


def known(
    lower: float, upper: float, exact: Fraction | None = None, certainty: Certainty = Certainty.CERTIFIED
) -> Result:
    return Result("I(s; o)", "bits", lower, lower, upper, certainty, "discrete", exact=exact)


@pytest.mark.parametrize(
    ("comparison", "bound", "expected"),
    [
        ("<=", Fraction(3, 10), "holds"),
        ("<=", Fraction(15, 100), "cannot tell"),
        ("<=", Fraction(5, 100), "violated"),
        ("<", Fraction(3, 10), "holds"),
        (">=", Fraction(5, 100), "holds"),
        (">=", Fraction(3, 10), "violated"),
        (">", Fraction(15, 100), "cannot tell"),
        ("==", Fraction(15, 100), "cannot tell"),
        ("==", Fraction(3, 10), "violated"),
    ],
)
def test_bounds_decide(comparison: Comparison, bound: Fraction, expected: str) -> None:
    assert verdict(known(0.1, 0.2), comparison, bound) == expected


@pytest.mark.parametrize(
    ("comparison", "expected"), [("==", "holds"), ("<", "violated"), ("<=", "holds"), (">", "violated")]
)
def test_an_exact_value_decides_at_the_boundary(comparison: Comparison, expected: str) -> None:
    third = known(0.3333333333333333, 0.33333333333333337, Fraction(1, 3))

    assert verdict(third, comparison, Fraction(1, 3)) == expected


def test_the_float_of_a_bound_is_not_the_bound() -> None:
    """0.1 as a double is a little more than 1/10, so a lower bound of 0.1 refutes ``<= 0.1``."""
    assert verdict(known(0.1, 0.1), "<=", Fraction(1, 10)) == "violated"


def test_an_approximate_measure_decides_nothing() -> None:
    sure = known(0.1, 0.2, certainty=Certainty.APPROXIMATE)

    assert verdict(sure, "<=", 100) == "cannot tell"
    assert verdict(sure, ">=", 100) == "cannot tell"


def test_infinite_information_violates_every_budget() -> None:
    assert verdict(known(float("inf"), float("inf")), "<=", 1000) == "violated"
