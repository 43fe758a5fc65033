"""Laws by their generating functions against closed forms: sums of geometric waits, and a law on few values."""

from __future__ import annotations

from fractions import Fraction
from math import comb, log

import pytest

from seepage.distributions.rational import RationalLaw, rational_window
from seepage.laws.windows import TooWide


def negative_binomial(r: int, p: Fraction) -> RationalLaw:
    """Failures before success r: the generating function is (p / (1 - q z))^r."""
    q = 1 - p
    below = [comb(r, k) * (-q) ** k for k in range(r + 1)]
    above = p**r
    return RationalLaw((above,), tuple(below))


@pytest.mark.parametrize("r", [1, 2, 5])
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 7), Fraction(9, 10)])
def test_masses_and_what_lies_beyond_are_those_of_the_closed_form(r: int, p: Fraction) -> None:
    found = rational_window(negative_binomial(r, p), 64, 60, 10_000)

    masses = [comb(k + r - 1, k) * p**r * (1 - p) ** k for k in range(len(found.masses))]
    for ball, mass in zip(found.masses, masses, strict=True):
        assert abs(float(ball.mid()) - float(mass)) <= 1e-15 * float(mass)
    beyond = 1 - sum(masses)
    assert float(beyond) <= float(found.outside()) <= 2.0**-60
    mean = r * (1 - p) / p - sum(k * mass for k, mass in enumerate(masses))
    assert float(mean) <= float(found.outside_moment(1)) <= float(mean) * (1 + 1e-9)
    square = r * (1 - p) / p**2 + (r * (1 - p) / p) ** 2 - sum(k * k * mass for k, mass in enumerate(masses))
    assert float(square) <= float(found.outside_moment(2)) <= float(square) * (1 + 1e-9)


@pytest.mark.parametrize("r", [1, 3])
def test_the_entropy_beyond_is_bounded(r: int) -> None:
    p = Fraction(1, 3)
    found = rational_window(negative_binomial(r, p), 64, 40, 10_000)

    far = range(len(found.masses), len(found.masses) + 2_000)
    beyond = [float(comb(k + r - 1, k)) * float(p) ** r * float(1 - p) ** k for k in far]
    entropy = -sum(mass * log(mass) for mass in beyond if mass)

    assert entropy <= float(found.outside_entropy()) <= 20 * entropy


def test_a_window_that_is_too_wide_is_told() -> None:
    with pytest.raises(TooWide):
        rational_window(negative_binomial(2, Fraction(1, 1000)), 64, 60, 1_000)
