from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import seepage
from seepage.measures.digits import justified, rounded, telling_digits
from seepage.report.markdown import lens_text
from seepage.report.text import answer_lines

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


@pytest.mark.parametrize(
    ("lower", "value", "upper", "text"),
    [
        (0.1099, 0.110017, 0.1101, "0.11"),
        (0.10095447828, 0.1009544782886, 0.1009544782889, "0.1009544783"),
        (0.0, 0.0, 0.0, "0"),
        (1.0, 1.0, math.nextafter(1.0, 2), "1"),
        (4.787335365e-6, 4.7873353657e-6, 4.787335366e-6, "4.78733537e-6"),
        (math.inf, math.inf, math.inf, "∞"),
        (-math.inf, -math.inf, -math.inf, "-∞"),
        (1.803368801e-19, 1.803368801e-19, 1.803368801e-19, "1.803368801e-19"),
    ],
)
def test_digits_are_those_that_the_bounds_share(lower: float, value: float, upper: float, text: str) -> None:
    assert justified(lower, value, upper) == text


@pytest.mark.parametrize("bounds", [(0.0, 0.1, 0.146), (0.0, 0.1, math.inf), (0.0, 0.0, 1e-12), (-1.0, 0.5, 1.0)])
def test_bounds_that_share_too_little_give_no_number(bounds: tuple[float, float, float]) -> None:
    assert justified(*bounds) is None


@given(st.floats(min_value=1e-30, max_value=1e30), st.floats(min_value=0, max_value=0.01), st.floats(0, 0.01))
def test_no_digit_is_contradicted_by_a_bound(value: float, below: float, above: float) -> None:
    lower, upper = value * (1 - below), value * (1 + above)

    text = justified(lower, value, upper)

    if text is not None:
        number = Decimal(text)
        last = number.as_tuple().exponent
        assert isinstance(last, int)
        assert number - Decimal(1).scaleb(last) <= Decimal(lower)
        assert Decimal(upper) <= number + Decimal(1).scaleb(last)


@given(st.fractions(1, 10**6), st.integers(0, 10**6), st.integers(2, 15))
def test_digits_that_are_asked_for_are_certain(number: Fraction, scale: int, most: int) -> None:
    """The number itself is rounded to what is shown: bounds are the doubles around it, as results have them."""
    number /= 10 ** (scale % 12)
    near = float(number)
    ends = (
        (math.nextafter(near, -math.inf), near, math.nextafter(near, math.inf))
        if Fraction(near) != number
        else (near,) * 3
    )

    text = justified(*ends, most)

    assert text is not None
    shown = Decimal(text)
    assert len(shown.as_tuple().digits) <= max(most, shown.adjusted() + 1)
    assert abs(Fraction(shown) - number) <= Fraction(10) ** (min(0, Decimal(near).adjusted() - most + 1)) / 2


@given(FINITE)
def test_bounds_round_outward(number: float) -> None:
    assert Decimal(rounded(number, 3, "down")) <= Decimal(number) <= Decimal(rounded(number, 3, "up"))


@given(FINITE)
def test_minus_zero_is_never_written(number: float) -> None:
    assert not rounded(number).startswith("-0") or Decimal(rounded(number)) != 0


@given(
    st.floats(min_value=1e-6, max_value=1e6),
    st.integers(1, 12),
    st.sampled_from([-1, 1]),
    st.integers(2, 10),
)
def test_a_number_beside_a_limit_is_written_on_its_side_of_it(value: float, place: int, side: int, fewest: int) -> None:
    limit = Fraction(value) * (1 + Fraction(side, 10**place))
    digits = telling_digits(value, value, value, limit, fewest)

    text = justified(value, value, value, digits)
    assert text is not None
    assert (Fraction(text) > limit) == (side < 0)
    assert Fraction(text) != limit
    assert digits >= fewest
    shorter = [justified(value, value, value, one) or "" for one in range(fewest, digits)]
    assert all(not (Fraction(one) > limit if side < 0 else Fraction(one) < limit) for one in shorter)


@pytest.mark.parametrize(
    ("ends", "limit"),
    [((0.5, 0.5, 0.5), Fraction(1, 2)), ((math.inf,) * 3, Fraction(3)), ((0.0, 0.1, 0.4), Fraction(1, 5))],
)
def test_no_digits_tell_what_is_equal_infinite_or_only_bounded(
    ends: tuple[float, float, float], limit: Fraction
) -> None:
    assert telling_digits(*ends, limit, 3) == 3
    assert telling_digits(*ends, None, 4) == 4


def test_few_digits_do_not_hide_by_what_a_budget_is_missed() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/4)\no := s\nrequire I(s; o) <= 0.811\nrequire I(s; o) >= 0.8112781\n"
    program = seepage.parse(text)
    violated, holds = program.analyze().answers  # the entropy of a quarter is 0.81127812… bits

    assert lens_text(violated, program.source, 2) == "violated · 0.8113 bits · exact"
    assert lens_text(violated, program.source) == "violated · 0.8113 bits · exact"
    assert lens_text(holds, program.source, 2) == "holds · 0.8113 bits · exact"
    assert next(iter(answer_lines(violated, program.source, 2))) == (
        "require I(s; o) <= 0.811: violated (I(s; o) = 0.8113 bits · exact)"
    )
