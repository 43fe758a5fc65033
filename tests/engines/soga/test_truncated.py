"""Moments of normals between two bounds, against integrals found by mpmath."""

from __future__ import annotations

import mpmath
import pytest

import seepage


@pytest.mark.parametrize(("low", "high"), [(-1, 1), (-2, 2), (-1, 2), (0, 1), (3, 4)])
def test_moments_between_bounds_are_those_of_the_integral(low: int, high: int) -> None:
    program = seepage.parse(f"y ~ normal(0, 1)\nobserve(y > {low} and y < {high})\n")
    mass, first, second = (mpmath.quad(lambda y, k=k: y**k * mpmath.npdf(y), [low, high]) for k in range(3))
    mean = first / mass
    for text, expected in (("E(y)", mean), ("Var(y)", second / mass - mean**2)):
        result = program.measure(text)
        assert result.lower - 1e-15 <= float(expected) <= result.upper + 1e-15
        assert result.upper - result.lower < 1e-9
