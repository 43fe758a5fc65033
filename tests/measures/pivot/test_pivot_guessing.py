"""Guessing a discrete secret behind noise that is no mixture of normals, against closed forms and quadrature between the places where the best guess changes."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty

BIT = "secret s\noutput o\ns ~ bernoulli(1/2)\nz ~ laplace(0, 1)\no := s + z\nc := min(1, max(0, o))\n"


def contains(program: str, measure: str, true: mpf, width: float = 1e-9) -> None:
    result = seepage.parse(program).measure(measure, unit="nats")
    assert result.certainty is not Certainty.APPROXIMATE
    assert result.engine == "paths"
    assert mpf(result.lower) - mpf(10) ** -13 <= true <= mpf(result.upper) + mpf(10) ** -13
    assert result.upper - result.lower < width


@pytest.mark.parametrize("seen", ["o", "c"])
def test_a_bit_behind_laplace_noise(seen: str) -> None:
    # The better guess is the nearer value; it is wrong if the noise exceeds 1/2 on one side.
    chance = 1 - mpmath.exp(-mpf(1) / 2) / 2
    contains(BIT, f"V(s | {seen})", chance)
    contains(BIT, f"Hmin(s | {seen})", -mpmath.log(chance))
    contains(BIT, f"Lmin(s -> {seen})", mpmath.log(2 * chance))
    contains(BIT, f"Cmin(s -> {seen})", mpmath.log(2 * chance))
    contains(BIT, f"Guess(s | {seen})", 2 - chance)
    contains(BIT, f"G(s -> {seen}, tries(1))", mpmath.log(2 * chance))


def test_what_stands_beside_is_of_the_exact_law_too() -> None:
    result = seepage.parse(BIT).measure("Lmin(s -> o)")
    before, after = result.companions
    assert before.lower <= 0.5 <= before.upper
    assert after.lower <= 1 - float(mpmath.exp(-mpf(1) / 2)) / 2 <= after.upper
    assert after.upper - after.lower < 1e-12


def test_noise_in_an_interval() -> None:
    # Of 1/3 + z, a third of the mass lies above 1, and there the secret is 1 for sure.
    program = "secret s\noutput o\ns ~ bernoulli(1/3)\nz ~ uniform(0, 1)\no := s / 3 + z\n"
    contains(program, "V(s | o)", mpf(7) / 9)


def test_noise_with_a_pole() -> None:
    program = "secret s\noutput o\ns ~ bernoulli(1/3)\nz ~ gamma(1/2, 1)\no := s + z\n"

    def f(x: mpf) -> mpf:
        return mpmath.exp(-x) / mpmath.sqrt(mpmath.pi * x)

    with mpmath.workdps(30):
        # Above 1, f(x - 1) / 3 exceeds 2 f(x) / 3: 2 sqrt(x - 1) < e sqrt(x).
        low = mpmath.quad(lambda x: 2 * f(x) / 3, [0, mpf(2) ** -60, mpf(2) ** -20, 1])
        contains(program, "V(s | o)", low + mpf(1) / 3)


def test_a_bit_that_is_the_sign_of_what_is_seen_through_noise() -> None:
    program = "x ~ normal(0, 1)\nn ~ normal(0, 1)\no := x + n\nif x > 0 { s := 1 } else { s := 0 }\n"
    contains(program, "V(s | o)", mpf(1) / 2 + mpmath.atan(1) / mpmath.pi)


def test_a_bit_behind_heavy_tails() -> None:
    program = "s ~ bernoulli(1/2)\nz ~ student_t(1, 0, 1)\no := s + z\n"
    contains(program, "V(s | o)", mpf(1) / 2 + mpmath.atan(mpf(1) / 2) / mpmath.pi, 1e-5)


def test_a_secret_that_scales_a_square() -> None:
    program = "s ~ bernoulli(1/2)\nx ~ normal(0, 1)\nz ~ normal(0, 1)\nif s == 1 { o := x * x + z } else { o := z }\n"
    result = seepage.parse(program).measure("V(s | o)")
    # Guess 1 where o exceeds the place at which the densities cross: a grid of trapezoids, exact up to 1e-9.
    steps = [mpf(i) / 20 for i in range(-180, 181)]
    weights = [mpmath.npdf(x) / 20 for x in steps]

    def f(o: mpf) -> mpf:
        return mpmath.fsum(w * mpmath.npdf(o - x * x) for x, w in zip(steps, weights, strict=True))

    with mpmath.workdps(15):
        cross = mpmath.findroot(lambda o: f(o) - mpmath.npdf(o), 0.7)
        above = mpmath.fsum(w * mpmath.ncdf(x * x - cross) for x, w in zip(steps, weights, strict=True))
        true = (mpmath.ncdf(cross) + above) / 2
    assert result.certainty is Certainty.CERTIFIED
    assert result.lower - 1e-9 <= true <= result.upper + 1e-9
    assert result.upper - result.lower < 1e-3


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("gamma(1/2, 1)", "gamma(2, 1)", lambda: _gamma_against(mpf(1) / 2, 2, mpmath.pi ** (-mpf(1) / 3))),
        ("gamma(1/2, 1)", "exponential(1)", lambda: _gamma_against(mpf(1) / 2, 1, 1 / mpmath.pi)),
        ("gamma(3/4, 1)", "exponential(1)", lambda: _gamma_against(mpf(3) / 4, 1, mpmath.gamma(mpf(3) / 4) ** -4)),
        # The densities cross at 1/4 exactly: (15/16)/(x^(1/2)) = 30·x^2.
        ("beta(1/2, 3)", "beta(3, 3)", lambda: (1 + _beta(mpf(1) / 2, 3) - _beta(3, 3)) / 2),
    ],
)
def test_a_pole_whose_first_cell_reaches_over_the_place_where_densities_cross(
    one: str, other: str, found: Callable[[], mpf]
) -> None:
    """A density that is infinite at an end says nothing of which is greater elsewhere near that end."""
    program = f"secret s\noutput o\ns ~ flip(1/2)\nif s {{ o ~ {one} }} else {{ o ~ {other} }}\n"

    result = seepage.parse(program).measure("V(s | o)")

    assert result.certainty is Certainty.CERTIFIED
    assert result.lower <= found() <= result.upper
    assert result.upper - result.lower < 1e-9


def _gamma_against(shape: mpf, other: int, crossing: mpf) -> mpf:
    """Return the chance to guess which of two gamma laws of scale 1 it was, the first greater below their only crossing."""
    below = mpmath.gammainc(shape, 0, crossing, regularized=True)
    return (below + mpmath.gammainc(other, crossing, mpmath.inf, regularized=True)) / 2


def _beta(a: mpf, b: int) -> mpf:
    return mpmath.betainc(a, b, 0, mpf(1) / 4, regularized=True)
