"""Numbers that are too small or too large for floats are told with the digits that are known."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import mpmath
import pytest
from flint import arb

import seepage
from seepage.exact import precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.rounding import beyond_floats
from seepage.report.numbers import number_text

RESPONSE = """
param p in [0, 1] = 1/2
param eps in [0, 100000] = 800
secret r
output o
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""


def truth(measure: str, eps: int) -> Any:
    """Return the number for a fair secret; the sums lose as many digits as e^eps has."""
    with mpmath.workdps(40 + eps):
        wrong = 1 / (mpmath.exp(eps) + 1)
        entropy = -(wrong * mpmath.log(wrong, 2) + (1 - wrong) * mpmath.log(1 - wrong, 2))
        return {"H(r | o)": entropy, "H(t)": entropy, "P(r != o)": wrong, "Var(t)": wrong * (1 - wrong)}[measure]


@pytest.mark.parametrize("measure", ["H(r | o)", "H(t)", "P(r != o)", "Var(t)"])
@pytest.mark.parametrize("eps", [600, 720, 800, 3000])
def test_digits_of_small_numbers_are_right_to_the_last(measure: str, eps: int) -> None:
    result = seepage.parse(RESPONSE).measure(measure, params={"eps": eps})

    digits = number_text(result).split()[0]
    with mpmath.workdps(60):
        known = truth(measure, eps)
        assert result.lower <= known <= result.upper
        assert abs(mpmath.mpf(digits) - known) <= known * mpmath.mpf(10) ** -9


def test_bounds_of_small_numbers_are_rounded_outward() -> None:
    with precision(128):
        third = arb(2) ** -2000 / 3
        found = beyond_floats(Enclosure(third.mid(), third.lower(), third.upper(), seepage.Certainty.EXACT))

    assert found is not None
    with mpmath.workdps(60):
        known = mpmath.mpf(2) ** -2000 / 3
        assert mpmath.mpf(str(found[0])) < known < mpmath.mpf(str(found[2]))
    assert found[2] - found[0] < found[1] * Decimal("1e-35")


@pytest.mark.parametrize(
    ("lower", "upper"), [("0", "1e-400"), ("-1e-400", "1e-400"), ("1e-400", "1e-200"), ("1e-300", "1e-299")]
)
def test_what_floats_say_or_nobody_knows_is_no_small_number(lower: str, upper: str) -> None:
    enclosure = Enclosure(arb(upper).mid(), arb(lower).lower(), arb(upper).upper(), seepage.Certainty.EXACT)

    assert beyond_floats(enclosure) is None


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("squarings", [11, 13, 14])
def test_digits_of_large_numbers_are_right_to_the_last(squarings: int, sign: str) -> None:
    text = f"a ~ uniform_of(1, 2)\nfor i in 1..{squarings} {{ a := a * a }}\no := {sign}a\nrequire E(o) <= 5\n"
    result = seepage.parse(text).measure("E(o)")

    with mpmath.workdps(60):
        known = (1 + mpmath.mpf(2) ** (2**squarings)) / 2 * (-1 if sign else 1)
        assert abs(mpmath.mpf(number_text(result)) - known) <= abs(known) * mpmath.mpf(10) ** -9
        low, _, high = (mpmath.mpf(str(end)) for end in result.ends)
        assert low < known < high
    assert result.value is None  # no float is near
    with pytest.raises(ValueError, match="larger than every float"):
        _ = result.number
    (answer,) = seepage.parse(text).analyze().answers
    assert answer.verdict == ("holds" if sign else "violated")
    assert "∞" not in str(answer.diagnostic)


@pytest.mark.parametrize(
    ("measure", "power", "survival"),
    [
        ("P(n > 0)", 1, 0),
        ("P(n > 0 | n >= 0)", 1, 0),
        ("P(n > 1)", 2, 0),
        ("P(b == 1 and n > 0)", 2, 0),
        ("P(n == 3)", 3, 1),
    ],
)
def test_events_that_a_window_of_an_infinite_support_leaves_out_have_digits(
    measure: str, power: int, survival: int
) -> None:
    """P(n > k) = q^(k + 1) and P(n = k) = q^k (1 - q) with q = exp(-800)."""
    text = "param eps in [0, 1000] = 800\nn ~ geometric(1 - exp(-eps))\nb ~ bernoulli(exp(-eps))\n"

    result = seepage.parse(text).measure(measure)

    with mpmath.workdps(60):
        q = mpmath.exp(-800)
        true = q**power * (1 - q) ** survival
        low, value, high = (mpmath.mpf(str(end)) for end in result.ends)
        assert low <= true <= high
        assert high - low < mpmath.mpf(10) ** -12 * true
        assert abs(value - true) < mpmath.mpf(10) ** -12 * true


def test_an_event_that_no_value_meets_stays_within_its_bounds() -> None:
    result = seepage.parse("n ~ geometric(1 - exp(-800))\n").measure("P(n < 0)")

    assert result.lower == 0
    assert result.upper <= 5e-324


@pytest.mark.parametrize("measure", ["H(s | o)", "H(u)", "I(o; u)", "KL(s || u)", "KL(u || s)"])
def test_chances_below_the_working_precision_leave_bounds(measure: str) -> None:
    """The chance of u = 0 is 1 - exp(8192)/(exp(8192) + 1), of which no digit is left; it is the error of o."""
    text = "s ~ bernoulli(1/2)\nu ~ bernoulli(exp(8192) / (exp(8192) + 1))\no := s xor u\n"

    result = seepage.parse(text).measure(measure)

    with mpmath.workdps(8_000):
        p = 1 / (mpmath.exp(8192) + 1)
        entropy = -(p * mpmath.log(p, 2) + (1 - p) * mpmath.log(1 - p, 2))
        true = {
            "H(s | o)": entropy,
            "H(u)": entropy,
            "I(o; u)": mpmath.mpf(0),
            "KL(s || u)": -1 - mpmath.log(p * (1 - p), 2) / 2,
            "KL(u || s)": 1 - entropy,
        }[measure]
        assert result.lower <= true <= result.upper
