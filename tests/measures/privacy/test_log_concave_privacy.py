"""Privacy of shifts behind normal plus Laplace noise and other sums with log-concave laws, against convolutions by quadrature, and what such noise bounds beside other variables."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest
from flint import arb

import seepage
from seepage.measures.privacy.log_concave import TwoNoises
from seepage.measures.result import Certainty, Result

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


@cache
def by_quadrature(variance: float, scale: float, shift: float, epsilon: float) -> float:
    """∫ max(0, f(y − c) − e^ε f(y)) dy on a fine grid, f by a convolution: normal density over the Laplace law, side by side."""
    deviation = variance**0.5
    far = 12 * deviation + 40 * scale
    grid = np.linspace(-far, far + shift, 20_001)

    def density(y: np.ndarray) -> np.ndarray:
        total = np.zeros_like(y)
        edges = np.concatenate((-np.geomspace(1e-3, far, 16)[::-1], [0.0], np.geomspace(1e-3, far, 16)))
        for low, high in pairwise(edges):
            u = (low + high) / 2 + (high - low) / 2 * NODES
            mass = WEIGHTS * (high - low) / 2 * np.exp(-abs(u) / scale) / (2 * scale)
            for at, weight in zip(u, mass, strict=True):
                total += weight * np.exp(-((y - at) ** 2) / (2 * variance)) / (2 * np.pi * variance) ** 0.5
        return total

    gain = np.maximum(0, density(grid - shift) - np.exp(epsilon) * density(grid))
    return float(np.trapezoid(gain, grid))


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("variance", "scale", "shift", "epsilon"),
    [
        (1, 1, 1, Fraction(1, 2)),
        (1, 1, 3, 1),
        (1, 1, 1, 0),
        (Fraction(1, 4), 2, 1, Fraction(1, 4)),
        (9, Fraction(1, 2), 1, Fraction(1, 10)),
        (1, 1, Fraction(1, 2), Fraction(49, 100)),
    ],
)
def test_the_excess_is_the_integral_of_the_positive_part(
    variance: Fraction, scale: Fraction, shift: Fraction, epsilon: Fraction
) -> None:
    low, high = TwoNoises(variance, scale).excess(shift, epsilon)
    truth = by_quadrature(float(variance), float(scale), float(shift), float(epsilon))
    assert high - low < 1e-30
    assert low <= high
    assert abs(float(low) - truth) < 3e-6


def test_the_loss_is_that_of_laplace_noise_alone_and_no_excess_is_left_from_there_on() -> None:
    noise = TwoNoises(4, 2)
    assert all(end == 0 for end in noise.excess(3, Fraction(3, 2)))
    low, high = noise.excess(3, Fraction(1499, 1000))
    assert 0 < low <= high < arb("1e-3")


def test_bounds_hold_at_scales_far_apart() -> None:
    for variance, scale in ((Fraction(1, 10**12), 1), (10**12, 1), (1, Fraction(1, 100)), (1, 10**6)):
        low, high = TwoNoises(variance, scale).excess(1, Fraction(1, 10**9))
        alone = TwoNoises(variance, 0).excess(1, Fraction(1, 10**9)), TwoNoises(0, scale).excess(1, Fraction(1, 10**9))
        assert 0 <= low <= high <= 1
        assert all(low <= one for _, one in alone)  # more noise, less leak
        if variance == 10**12:
            assert abs(float(high - alone[0][0])) < 1e-6  # the other noise is nothing beside it


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text + "\nsecret s\noutput o").measure(measure)


TWO = "n ~ normal(0, 1)\nm ~ laplace(0, 1)\n"


@pytest.mark.parametrize("law", ["normal(0, 1)", "bernoulli(1/2)"])
def test_programs_with_both_kinds_of_noise_have_the_excess_of_their_sum(law: str) -> None:
    text = f"s ~ {law}\n{TWO}o := s + n + m"
    truth = by_quadrature(1, 1, 1, 0.5)
    found = measured(text, "Delta(s -> o, eps=1/2, distance=1)")
    assert found.certainty is not Certainty.APPROXIMATE
    assert abs(found.lower - truth) < 3e-6 > found.upper - found.lower
    loss = measured(text, f"DP(s -> o, distance=1, delta={found.value:.17f})")
    assert loss.lower - 1e-8 <= 1 / 2 <= loss.upper + 1e-8
    assert loss.upper - loss.lower < 1e-8
    assert measured(text, "DP(s -> o, distance=1)").upper == 1


def test_a_clamped_output_of_a_bounded_secret_has_an_upper_bound() -> None:
    found = measured(f"s ~ uniform(0, 1)\n{TWO}o := max(0, s + n + m)", "Delta(s -> o, eps=1/2)")
    assert found.lower <= by_quadrature(1, 1, 1, 0.5) - 1e-7 < found.upper + 1e-6
    assert found.lower == 0


def test_noise_beside_other_variables_bounds_the_loss_from_above_at_once() -> None:
    # Given a and b the output is normal: what it lets through is at most the Gaussian mechanism's.
    text = "s ~ bernoulli(1/2)\na ~ normal(0, 1)\nb ~ normal(0, 1)\nn ~ normal(0, 1)\n"
    bounded = seepage.parse(text + "o := s + a*b + n").measure("DP(s -> o, delta=1/100)", seconds=3)
    alone = seepage.parse(text + "o := s + n").measure("DP(s -> o, delta=1/100)")
    assert bounded.certainty is not Certainty.APPROXIMATE
    assert bounded.upper <= alone.upper * 1.01
    assert bounded.lower <= bounded.upper


def test_places_that_the_sign_is_not_known_at_are_looked_at_from_both_sides() -> None:
    # At ε = 0 the best place is the middle between both laws, where the ratio is 1 to the last digit.
    found = measured(
        "s ~ bernoulli(1/2)\nn ~ normal(0, 1)\nu ~ uniform(0, 1)\no := 2*s + n + u", "Delta(s -> o, eps=0)"
    )
    below = NormalDist().cdf
    truth = sum(
        float(w) / 2 * (below(1.5 - (x + 1) / 2) - below(-0.5 - (x + 1) / 2))
        for x, w in zip(NODES, WEIGHTS, strict=True)
    )
    assert abs(found.lower - truth) < 1e-12 > found.upper - found.lower
