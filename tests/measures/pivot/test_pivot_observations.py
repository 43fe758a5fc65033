"""Equalities of continuous values that are observed beyond mixtures of normals, against Bayes' rule by quadrature."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty

Density = Callable[[mpf], mpf]


def contains(program: str, measure: str, true: mpf) -> None:
    result = seepage.parse(program).measure(measure, unit="nats")
    assert result.certainty is not Certainty.APPROXIMATE
    assert mpf(result.lower) - mpf(10) ** -13 <= true <= mpf(result.upper) + mpf(10) ** -13
    assert result.upper - result.lower < 1e-9


def laplace(x: mpf, scale: int = 1) -> mpf:
    return mpmath.exp(-abs(x) / mpf(scale)) / (2 * scale)


CASES: dict[str, tuple[str, Density, list[float]]] = {
    "a uniform secret behind normal noise": (
        "x ~ uniform(0, 4)\nn ~ normal(0, 1)\n",
        lambda x: mpmath.npdf(1 - x) / 4,
        [0, 1, 4],
    ),
    "a normal secret behind Laplace noise": (
        "x ~ normal(0, 1)\nn ~ laplace(0, 1)\n",
        lambda x: mpmath.npdf(x) * laplace(1 - x),
        [-12, 0, 1, 12],
    ),
    "a Laplace secret behind Laplace noise": (
        "x ~ laplace(0, 2)\nn ~ laplace(0, 1)\n",
        lambda x: laplace(x, 2) * laplace(1 - x),
        [-60, 0, 1, 60],
    ),
    "a secret whose density has a pole": (
        "x ~ gamma(1/2, 1)\nn ~ normal(0, 1)\n",
        lambda x: mpmath.exp(-x) / mpmath.sqrt(mpmath.pi * x) * mpmath.npdf(1 - x),
        [0, mpf(2) ** -60, mpf(2) ** -20, 0.1, 1, 5, 20],
    ),
    "a truncated secret behind normal noise": (
        "x ~ normal(0, 1)\nn ~ normal(0, 2)\nobserve(x > 0)\n",
        lambda x: mpmath.npdf(x) * mpmath.npdf(1 - x, 0, mpmath.sqrt(2)),
        [0, 1, 12],
    ),
    "noise of two parts": (
        "x ~ uniform(0, 4)\na ~ normal(0, 1)\nb ~ normal(0, 3)\nn := a - b\n",
        lambda x: mpmath.npdf(1 - x, 0, 2),
        [0, 1, 4],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_posterior_of_a_secret_in_a_sum(case: str) -> None:
    program, density, cuts = CASES[case]
    program += "o := x + n\n"
    with mpmath.workdps(30):
        mass = mpmath.quad(density, cuts)
        entropy = mpmath.quad(lambda x: -density(x) / mass * mpmath.log(density(x) / mass), cuts)
        mean = mpmath.quad(lambda x: x * density(x), cuts) / mass
        above = mpmath.quad(density, [1, *(cut for cut in cuts if cut > 1)]) / mass
        contains(program, "H(x | o == 1)", entropy)
        contains(program, "E(x | o == 1)", mean)
        contains(program, "E(n | o == 1)", 1 - mean)
        contains(program, "P(x > 1 | o == 1)", above)


def test_a_bit_behind_laplace_noise() -> None:
    program = "s ~ bernoulli(1/3)\nz ~ laplace(s, 1)\n"
    with mpmath.workdps(30):
        contains(program, "P(s == 1 | z == 2)", 1 / (1 + 2 * mpmath.exp(-1)))


def test_several_densities_are_observed_in_a_row() -> None:
    program = "s ~ bernoulli(1/3)\na ~ laplace(s, 1)\nb ~ laplace(s, 1)\nobserve(a == 2)\nobserve(b == 2)\n"
    with mpmath.workdps(30):
        contains(program, "P(s == 1)", 1 / (1 + 2 * mpmath.exp(-2)))


@pytest.mark.parametrize(
    "text",
    [
        "if s == 1 { o := 1 } else { o := z }\nobserve(o == 1)\n",
        "if s == 0 { observe(z == 1) }\n",
    ],
)
def test_a_run_that_observes_fewer_densities_outweighs_the_others(text: str) -> None:
    result = seepage.parse(f"s ~ bernoulli(1/2)\nz ~ laplace(0, 1)\n{text}").measure("P(s == 1)")
    assert result.lower == result.upper == 1


def test_normal_values_given_their_sum_have_the_variances_of_mixtures() -> None:
    text = "x ~ normal(0, 1)\ny ~ normal(1, 2)\nz ~ normal(0, 3)\nobserve(x + 2*y - z == 1)\n"
    # Of the Laplace variable nothing depends, but mixtures have only moments of the pair.
    program = text + "l ~ laplace(0, 1)\nw := x + y + l\n"
    plain = seepage.parse(text + "w := x + y\n")
    variance, mean = plain.measure("Var(w)").number, plain.measure("E(w)").number
    contains(program, "Var(w)", mpf(variance + 2))
    contains(program, "E(w)", mpf(mean))


@pytest.mark.parametrize("event", ["x == 2", "x > 2", "x + u == 5"])
def test_an_event_outside_of_a_support_is_impossible(event: str) -> None:
    with pytest.raises(seepage.MeasureError, match="impossible event"):
        seepage.parse("x ~ uniform(0, 1)\nu ~ beta(2, 2)\n").measure(f"H(x | {event})")
