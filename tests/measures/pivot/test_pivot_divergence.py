"""Divergences beyond mixtures of normals, against quadrature of densities written down by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

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


def divergence(f: Density, g: Density, cuts: Sequence[mpf]) -> mpf:
    with mpmath.workdps(30):
        return mpmath.quad(lambda x: f(x) * mpmath.log(f(x) / g(x)), cuts)


def laplace(mean: int, scale: int = 1) -> Density:
    return lambda x: mpmath.exp(-abs(x - mean) / mpf(scale)) / (2 * scale)


def normal(mean: int, variance: int = 1) -> Density:
    return lambda x: mpmath.npdf(x, mean, mpmath.sqrt(variance))


def student(df: int) -> Density:
    front = mpmath.gamma(mpf(df + 1) / 2) / mpmath.sqrt(df * mpmath.pi) / mpmath.gamma(mpf(df) / 2)
    return lambda z: front * (1 + z * z / df) ** (-mpf(df + 1) / 2)


def root(z: mpf) -> mpf:
    return mpmath.exp(-z) / mpmath.sqrt(mpmath.pi * z)


SMALL = [0, mpf(2) ** -60, mpf(2) ** -20, 1, 10, 60]
LINE = [-60, -10, -1, 0, 1, 3, 10, 60, 100, 160]
WIDE = [-mpmath.inf, -100, -10, -1, 1, 10, 100, mpmath.inf]


@pytest.mark.parametrize(
    ("x", "y", "f", "g", "cuts"),
    [
        ("laplace(0, 1)", "laplace(1, 2)", laplace(0), laplace(1, 2), LINE),
        ("laplace(0, 1)", "laplace(100, 1)", laplace(0), laplace(100), LINE),
        ("laplace(0, 1)", "normal(1, 2)", laplace(0), normal(1, 2), LINE),
        ("normal(1, 2)", "laplace(0, 1)", normal(1, 2), laplace(0), [-20, -1, 0, 1, 20]),
        ("normal(0, 1)", "student_t(1, 0, 1)", normal(0), student(1), [-20, -1, 1, 20]),
        ("student_t(3, 0, 1)", "student_t(1, 0, 1)", student(3), student(1), WIDE),
        ("gamma(1/2, 1)", "exponential(1)", root, lambda x: mpmath.exp(-x), SMALL),
        ("exponential(1)", "gamma(1/2, 1)", lambda x: mpmath.exp(-x), root, SMALL),
        ("beta(2, 3)", "uniform(0, 1)", lambda x: 12 * x * (1 - x) ** 2, lambda _: mpf(1), [0, 0.5, 1]),
        ("uniform(0, 1)", "beta(2, 3)", lambda _: mpf(1), lambda x: 12 * x * (1 - x) ** 2, [0, 0.5, 1]),
    ],
)
def test_of_two_laws(x: str, y: str, f: Density, g: Density, cuts: Sequence[mpf]) -> None:
    contains(f"x ~ {x}\ny ~ {y}\n", "KL(x || y)", divergence(f, g, cuts))


def test_of_a_part_from_its_mixture() -> None:
    program = "s ~ bernoulli(1/3)\nz ~ laplace(s, 1)\n"
    true = divergence(laplace(1), lambda x: laplace(1)(x) / 3 + 2 * laplace(0)(x) / 3, LINE)
    contains(program, "KL(z | s == 1 || z)", true)


def test_of_a_posterior_from_its_prior() -> None:
    program = "x ~ uniform(0, 10)\nn ~ normal(0, 4)\no := x + n\n"
    mass = mpmath.quad(normal(9, 4), [0, 5, 10])
    true = divergence(lambda x: normal(9, 4)(x) / mass, lambda _: mpf(1) / 10, [0, 5, 10])
    contains(program, "KL(x | o == 9 || x)", true)


def test_of_what_passed_a_noisy_comparison_from_a_normal_prior() -> None:
    program = "x ~ normal(0, 1)\ne ~ normal(0, 1/4)\n"
    true = divergence(lambda x: 2 * mpmath.npdf(x) * mpmath.ncdf(2 * x), mpmath.npdf, [-9, -3, 0, 3, 9])
    contains(program, "KL(x | x + e > 0 || x)", true)


def test_a_support_that_is_not_covered_is_infinitely_far() -> None:
    result = seepage.parse("x ~ uniform(0, 2)\ny ~ uniform(0, 1)\n").measure("KL(x || y)")
    assert result.lower == result.upper == float("inf")


def test_a_part_that_is_next_to_impossible_has_the_divergence_of_its_weight() -> None:
    """The three values of d leave disjoint outputs, so that KL is −log of the chance of d, here 1e-38."""
    program = "d ~ {-1: 1/6, 0: 1/3, 2: 1/2}\nz ~ lognormal(1/3*d, 1/100)\nobserve(z < 1/2)\no := -3*d + z\n"
    weights = {d: w * mpmath.ncdf((mpmath.log(mpf(1) / 2) - mpf(d) / 3) * 10) for d, w in ((-1, 1), (0, 2), (2, 3))}

    result = seepage.parse(program).measure("KL(o | d==2 || o)", unit="nats")

    true = -mpmath.log(weights[2] / sum(weights.values()))
    assert result.certainty is Certainty.CERTIFIED
    assert result.lower <= true <= result.upper
    assert result.upper - result.lower < 1e-9


def test_a_continuous_value_that_is_known_has_no_entropy() -> None:
    result = seepage.parse("x ~ laplace(0, 1)\n").measure("H(x | x == 1)", unit="nats")
    assert result.lower == result.upper == result.exact == 0


@pytest.mark.parametrize("df", ["1/2", "2"])
def test_a_tail_without_a_variance_is_infinitely_far_from_a_normal_law(df: str) -> None:
    result = seepage.parse(f"x ~ student_t({df}, 0, 1)\ny ~ normal(0, 1)\n").measure("KL(x || y)")
    assert (result.lower, result.certainty) == (float("inf"), Certainty.EXACT)


def test_a_law_that_begins_at_its_mode() -> None:
    laws = "x ~ exponential(1)\ny ~ beta(1, 3)\nz ~ triangular(0, 0, 2)\n"
    contains(laws, "KL(y || x)", mpmath.log(3) - mpf(2) / 3 + mpf(1) / 4)
    contains(laws, "H(y)", mpf(2) / 3 - mpmath.log(3))
    contains(laws, "H(z)", mpf(1) / 2)
    assert seepage.parse(laws).measure("KL(x || y)").lower == float("inf")


@pytest.mark.parametrize("df", ["3/2", "2", "3"])
def test_a_tail_without_a_variance_is_compared_with_one_that_falls_like_an_exponential(df: str) -> None:
    degrees = mpf(Fraction(df).numerator) / Fraction(df).denominator
    with mpmath.workdps(30):
        front = mpmath.gamma((degrees + 1) / 2) / mpmath.sqrt(degrees * mpmath.pi) / mpmath.gamma(degrees / 2)
        # With z = sinh t the integrands fall exponentially.
        f: Density = lambda z: front * (1 + z * z / degrees) ** (-(degrees + 1) / 2)
        term: Density = lambda z: f(z) * (mpmath.log(f(z)) + mpmath.log(4) + abs(z - mpf(1) / 2) / 2)
        places = [-150, -50, -10, 0, mpmath.asinh(mpf(1) / 2), 10, 50, 150]
        true = mpmath.quad(lambda t: term(mpmath.sinh(t)) * mpmath.cosh(t), places)

    contains(f"x ~ student_t({df}, 0, 1)\ny ~ laplace(1/2, 2)\n", "KL(x || y)", true)
