"""Measures of programs with Gumbel, logistic, Cauchy, Weibull and Pareto variables, against closed forms and quadrature."""

from __future__ import annotations

import math

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage import rules
from seepage.measures.result import Certainty

SIZES = {"logistic(0, 2)": 0.5, "cauchy(0, 1)": 2 * math.log((1 + math.sqrt(5)) / 2)}

VALUES = {
    "E(g)": mpmath.euler,
    "Var(g)": mpmath.pi**2 / 6,
    "Var(l)": mpmath.pi**2 / 3,
    "E(w)": mpf(2),
    "Var(w)": mpf(20),
    "E(p)": mpf(3),
    "Var(p)": mpf(3),
    "E(exp(l / 2))": mpmath.pi / 2,
    "E(sqrt(p))": mpmath.sqrt(2) * mpf(6) / 5,
    "E(log(p))": mpmath.log(2) + mpf(1) / 3,
    "E(max(l, 0))": mpmath.log(2),
    "P(g > 1)": 1 - mpmath.exp(-mpmath.exp(-1)),
    "P(l > 1)": 1 / (1 + mpmath.e),
    "P(c > 1)": mpf(1) / 4,
    "P(w > 4)": mpmath.exp(-2),
    "P(p > 4)": mpf(1) / 8,
    "P(l + n > 1)": mpmath.quad(lambda z: mpmath.npdf(z) / (1 + mpmath.exp(1 - z)), [-12, 0, 12]),
    "H(l)": mpf(2),
    "H(c)": mpmath.log(4 * mpmath.pi),
    "H(g)": 1 + mpmath.euler,
    "H(w)": 1 + mpmath.euler * (1 - 1 / mpf(0.5)) + mpmath.log(1 / mpf(0.5)),
    "H(p)": mpmath.log(mpf(2) / 3) + 1 + mpf(1) / 3,
}

PROGRAM = """
g ~ gumbel(0, 1)
l ~ logistic(0, 1)
c ~ cauchy(0, 1)
w ~ weibull(1/2, 1)
p ~ pareto(3, 2)
n ~ normal(0, 1)
"""


@pytest.mark.parametrize("text", VALUES)
def test_a_measure_has_its_closed_form(text: str) -> None:
    result = seepage.parse(PROGRAM).measure(text, unit="nats")

    assert result.certainty is not Certainty.APPROXIMATE
    assert result.lower - 1e-12 <= float(VALUES[text]) <= result.upper + 1e-12
    assert result.upper - result.lower < 1e-8


@pytest.mark.parametrize("law", SIZES)
def test_the_loss_of_a_release_is_the_greatest_ratio_of_its_densities(law: str) -> None:
    program = seepage.parse(f"secret s\noutput o\ns ~ uniform_int(0, 1)\nn ~ {law}\no := s + n\n")

    found = program.measure("DP(s -> o)")

    assert found.lower - 1e-12 <= SIZES[law] <= found.upper + 1e-12
    assert found.upper - found.lower < 1e-6


@pytest.mark.parametrize("law", ["weibull(2, 1)", "pareto(2, 1)"])
def test_noise_from_a_place_on_hides_nothing_below_it(law: str) -> None:
    program = seepage.parse(f"secret s\noutput o\ns ~ uniform_int(0, 1)\nn ~ {law}\no := s + n\n")

    assert math.isinf(program.measure("DP(s -> o)").lower)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("E(z)", math.inf),
        ("E(2 - 3 * z)", -math.inf),
        ("E(y^2 - y)", math.inf),
        ("Var(y)", math.inf),
        ("E(y)", 0.0),
    ],
)
def test_a_moment_may_be_infinite(text: str, value: float) -> None:
    program = seepage.parse("y ~ student_t(2, 0, 1)\nz ~ pareto(1, 1)\nn ~ normal(0, 1)\n")

    assert program.measure(text).value == value


@pytest.mark.parametrize("text", ["E(c)", "Var(c)", "E(c + n)", "E(z - y)", "Var(z)"])
def test_a_moment_that_does_not_exist_is_a_fault_that_says_so(text: str) -> None:
    program = seepage.parse("c ~ cauchy(0, 1)\ny ~ pareto(1, 1)\nz ~ pareto(1, 1)\nn ~ normal(0, 1)\n")

    with pytest.raises(seepage.MeasureError) as caught:
        program.measure(text)

    assert caught.value.diagnostic.rule is rules.UNDEFINED_VALUE
    assert "does not exist" in caught.value.diagnostic.message


@pytest.mark.parametrize("law", ["gamma(5/2, 1)", "student_t(3, 2, 1)", "gumbel(2, 1/2)", "lognormal(0, 1)"])
def test_a_value_that_is_drawn_alike_for_both_secrets_tells_nothing(law: str) -> None:
    program = seepage.parse(f"s ~ flip(1/2)\nx ~ {law}\ny ~ {law}\nif s == 1 {{ o := x }} else {{ o := y }}\n")

    found = program.measure("V(s | o)")

    assert found.lower <= 0.5 <= found.upper
    assert found.upper - found.lower < 1e-14
