"""Losses of privacy that are infinite by proof: an output that one input never has, tails whose ratio grows without bound; and those that are not."""

from __future__ import annotations

import math

import pytest

import seepage
from seepage.measures.result import Certainty

SHIFTED = "secret s\noutput o\ns ~ uniform_int(0, {top})\nn ~ {law}\n{added}o := {value}\n"


def loss(law: str, value: str = "s + n", measure: str = "DP(s -> o)", top: int = 1, added: str = "") -> seepage.Result:
    return seepage.parse(SHIFTED.format(law=law, value=value, top=top, added=added)).measure(measure)


@pytest.mark.parametrize(
    ("law", "value", "measure"),
    [
        ("poisson(2)", "s + n", "DP(s -> o)"),
        ("poisson(2)", "s - n", "DP(s -> o)"),
        ("poisson(2)", "3 * (s + n) - 1", "DP(s -> o)"),
        ("poisson(2)", "min(s + n, 3)", "DP(s -> o)"),
        # P(o = 0 | s = 0) = exp(−2) = 0.135, and o = 0 is impossible for s = 1
        ("poisson(2)", "s + n", "DP(s -> o, delta=13/100)"),
        ("geometric(1/2)", "s + n", "DP(s -> o)"),
        ("geometric(1/2)", "s + n", "DP(s -> o, delta=49/100)"),
        ("binomial(5, 1/2)", "s + n", "DP(s -> o)"),
        ("binomial(5, 1/2)", "s + n", "DP(s -> o, delta=1/33)"),
        # W(k | 0) / W(k | 1) = exp((1 − 2k)/8): unbounded as k falls
        ("discrete_gaussian(4)", "s + n", "DP(s -> o)"),
        ("discrete_gaussian(4)", "2*s - 3*n", "DP(s -> o)"),
        ("discrete_gaussian(s + 1)", "n", "DP(s -> o)"),
        ("discrete_laplace(s + 1)", "n", "DP(s -> o)"),
        ("poisson(s + 1)", "n", "DP(s -> o)"),
        ("geometric((s + 1)/3)", "n", "DP(s -> o)"),
        ("normal(0, 1)", "s + n", "DP(s -> o)"),
        ("uniform(0, 1)", "s + n", "DP(s -> o)"),
        ("exponential(1)", "s + n", "DP(s -> o)"),
        ("gamma(2, 1)", "s + n", "DP(s -> o)"),
        ("beta(2, 3)", "s + n", "DP(s -> o)"),
        ("lognormal(0, 1)", "s + n", "DP(s -> o)"),
        ("triangular(0, 1, 2)", "s + n", "DP(s -> o)"),
    ],
)
def test_a_loss_that_is_infinite_is_told_so(law: str, value: str, measure: str) -> None:
    found = loss(law, value, measure)

    assert (found.value, found.lower, found.upper) == (math.inf, math.inf, math.inf)
    assert found.certainty is Certainty.EXACT


@pytest.mark.parametrize(
    ("law", "value", "measure", "truth"),
    [
        ("discrete_laplace(2)", "s + n", "DP(s -> o)", 1 / 2),
        ("discrete_laplace(2)", "5 * (s + n)", "DP(s -> o)", 1 / 2),
        ("student_t(3, 0, 1)", "s + n", "DP(s -> o)", 1.1392362),
        ("discrete_gaussian(4)", "s * 0 + n", "DP(s -> o)", 0.0),
        ("poisson(2)", "n + 0 * s", "DP(s -> o)", 0.0),
    ],
)
def test_a_loss_that_is_finite_stays_so(law: str, value: str, measure: str, truth: float) -> None:
    found = loss(law, value, measure)

    assert found.lower - 1e-6 <= truth <= found.upper + 1e-6
    assert found.number == pytest.approx(truth, abs=1e-6)


def test_a_delta_that_covers_what_is_impossible_leaves_a_finite_loss() -> None:
    # Above o = 0 the ratio is W(k | 1)/W(k | 0) = k/2 or W(k | 0)/W(k | 1) = 2/k: bounded from k = 1 up for one order only.
    masses = [math.exp(-2) * 2**k / math.factorial(k) for k in range(60)]

    def excess(eps: float) -> float:
        rows = ([*masses, 0.0], [0.0, *masses])
        ways = (zip(*pair, strict=True) for pair in (rows, rows[::-1]))
        return max(math.fsum(max(0.0, p - math.exp(eps) * q) for p, q in way) for way in ways)

    found = loss("poisson(2)", measure="DP(s -> o, delta=1/5)")

    assert found.upper < math.inf
    assert excess(found.upper + 1e-9) <= 1 / 5 + 1e-12
    assert excess(found.lower - 1e-6) >= 1 / 5 - 1e-12
