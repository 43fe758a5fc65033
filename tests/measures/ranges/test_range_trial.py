"""Budgets over ranges of continuous programs: refuted at points inside the ranges, against closed forms, and never proved."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.ranges.range_answers import answer

from seepage import parse

NOISY = "param q in [0, 1] = 1/100\nsecret b\noutput o\nb ~ bernoulli(q)\nn ~ normal(0, 1)\no := 5*b + n\n"
# Half of the runs with b = 1 pass: P(b = 1) = (q/2) / (1 - q/2), which is 1/2 at q = 2/3 and no earlier or later.
CUT = "param q in [0, 1] = 1/100\nb ~ bernoulli(q)\nx ~ normal(0, 1)\nif b { observe(x > 0) }\n"


def test_a_leak_that_is_greatest_inside_the_range_is_refuted_there() -> None:
    found = parse(f"{NOISY}require I(b; o) <= 0.5 over q in [0, 1]\n").analyze().answers[-1]

    def mixture(t: mpmath.mpf) -> mpmath.mpf:
        density = (mpmath.npdf(t, 0, 1) + mpmath.npdf(t, 5, 1)) / 2
        return -density * mpmath.log(density, 2)

    leak = mpmath.quad(mixture, [-12, -4, 0, 2.5, 5, 9, 17]) - mpmath.log(2 * mpmath.pi * mpmath.e, 2) / 2
    assert (found.verdict, found.worst) == ("violated", "q = 1/2")
    assert found.result is not None
    assert found.result.value == pytest.approx(float(leak), abs=1e-9)


def test_steps_from_the_grid_refute_a_budget_that_fails_in_a_narrow_part() -> None:
    verdict, message = answer(CUT, "H(b) <= 0.999999 over q in [0, 1]")

    # |P(b = 1) - 1/2| < 0.0006 there, so that q is within 0.0012 of 2/3; the grid is sixteen times as coarse.
    assert verdict == "violated"
    assert float(Fraction(message.rpartition("q = ")[2])) == pytest.approx(2 / 3, abs=0.0012)


def test_what_is_not_refuted_is_said_to_be_tried_and_not_proved() -> None:
    verdict, message = answer(NOISY, "I(b; o) <= 0.98 over q in [0, 1]")

    assert verdict == "cannot tell"
    assert "measures of continuous values are tried at points and not proved; the worst of" in message
    assert "points tried is q = 1/2: I(b; o) = 0.97518 bits" in message


@pytest.mark.parametrize(
    ("budget", "witness"),
    [
        ("E(n + (2*q - 1)^2) >= 1/100 over q in [0, 1]", "q = 1/2"),  # least in the middle
        ("E(n + a/(1 + a*a)) <= 0.4999 over a in [0, inf)", "a = 1"),  # 1/2 at a = 1, 0 at both ends
        ("E(n - a/(1 + a*a)) < 0.4999 over a in (-inf, 0]", "a = -1"),
        ("E(n + 1/(1 + a*a)) <= 0.9999 over a in (-inf, inf)", "a = 0"),
        ("Var(n + b) == q*(1 - q) + 1 + (q - q*q)/10^6 over q in [0, 1]", "q = 1/100"),
        ("E(n + q*r*(1 - q)*(1 - r)) <= 0.0624 over q in [0, 1], r in (0, 1)", "q = 1/2, r = 1/2"),
    ],
)
def test_every_comparison_and_side_is_tried(budget: str, witness: str) -> None:
    verdict, message = answer(f"param r in (0, 1) = 1/9\nparam a = 1000\n{NOISY}", budget)

    assert verdict == "violated"
    assert message.endswith(f"at {witness}")


def test_points_without_meaning_refute_nothing_and_others_do() -> None:
    text = "param q in [0, 1] = 1/100\nw ~ bernoulli(q)\nobserve w\nn ~ normal(q*(1 - q), 1)\n"

    assert answer(text, "E(n) <= 0.2 over q in [0, 1]")[1].endswith("at q = 1/2")
    assert answer(text, "E(n) <= 0.3 over q in [0, 1]")[0] == "cannot tell"


QUARTERS = st.integers(0, 8).map(lambda n: Fraction(n, 8))


@pytest.mark.variation(of="test_a_leak_that_is_greatest_inside_the_range_is_refuted_there")
@given(QUARTERS, QUARTERS, st.integers(100, 800).map(lambda n: Fraction(n, 100)))
@settings(max_examples=40, deadline=None)
def test_refuted_where_the_variance_is_larger_and_nowhere_else(
    one: Fraction, other: Fraction, budget: Fraction
) -> None:
    low, high = sorted((one, other))
    best = min(max(Fraction(1, 2), low), high)
    greatest = 1 + 25 * best * (1 - best)  # Var(o) = 25 q (1 - q) + 1

    verdict, message = answer(NOISY, f"Var(o) <= {budget} over q in [{low}, {high}]")

    if greatest > budget + Fraction(1, 10**6):
        assert verdict == "violated"
        at = Fraction(message.rpartition("q = ")[2])
        assert low <= at <= high
        assert 1 + 25 * at * (1 - at) > budget
    else:
        assert verdict != "violated"


def test_the_worst_point_is_called_so_where_bounds_prove_it() -> None:
    # The same wherever q moves the output, which bounds of an information do not prove.
    text = NOISY.replace("bernoulli(q)", "bernoulli(1/3)").replace("5*b + n", "5*b + n + q")

    asked = ((NOISY, "0.98"), (text, "0.9"))  # both less than the entropy of b
    proved, tied = (answer(program, f"I(b; o) <= {most} over q in [0, 1]")[1] for program, most in asked)

    assert "points tried is q = 1/2: I(b; o)" in proved
    assert "points tried seems to be q = " in tied
