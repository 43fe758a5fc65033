"""A certified interval of which nothing but the ends is known shows no number beside them."""

from __future__ import annotations

import math

import pytest

from seepage.measures.result import Certainty, Result
from seepage.report.numbers import number_text


def result(lower: float, value: float, upper: float, certainty: Certainty = Certainty.CERTIFIED) -> Result:
    return Result("KL(x || y)", "nats", value, lower, upper, certainty, "pivot", symbol="KL")


@pytest.mark.parametrize(
    ("lower", "value", "upper", "text"),
    [
        (0.0, 3.5e15, 7e15, "0 ≤ KL ≤ 7000000000000000 nats"),
        (1.0, 1.0, math.inf, "1 ≤ KL nats"),
        (0.25, 0.5, 0.75, "0.25 ≤ KL ≤ 0.75 nats"),
        (0.0, 0.0, 0.5, "0 ≤ KL ≤ 0.5 nats"),
    ],
)
def test_a_certified_middle_or_end_of_bounds_is_no_estimate(
    lower: float, value: float, upper: float, text: str
) -> None:
    assert number_text(result(lower, value, upper)) == text


def test_what_is_estimated_stands_beside_the_bounds() -> None:
    assert number_text(result(0, 0.5, 1, Certainty.APPROXIMATE)) == "0 ≤ KL ≤ 1 nats, estimate 0.5"
    assert number_text(result(0, 0.7, 1)) == "0 ≤ KL ≤ 1 nats, estimate 0.7"
