"""Guesses of, and behind, counts without bound that are released with noise, against sums in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import seepage
from seepage.measures.result import Certainty

MOST = 60  # beyond it there is less than 1e-15 of all laws here


def poisson(k: int) -> float:
    return math.exp(-3 + k * math.log(3) - math.lgamma(k + 1))


def geometric(k: int) -> float:
    return 0.5 ** (k + 1)


def behind_laplace(weight: Callable[[int], float]) -> float:
    """Return the chance to guess a count behind Laplace noise of scale 1: between k and k + 1, at u from k, the greatest of a e^-u and b e^(u - 1)."""
    below = [max(weight(j) * math.exp(j - k) for j in range(k + 1)) for k in range(MOST)]
    above = [max(weight(j) * math.exp(k - j) for j in range(k, MOST + 1)) for k in range(MOST)]
    found = above[0] / 2 + below[-1] / 2
    for a, b in zip(below[:-1], above[1:], strict=True):
        u = min(max((1 + math.log(a / b)) / 2, 0), 1)
        found += (a * (1 - math.exp(-u)) + b * (1 - math.exp(u - 1))) / 2
    return found


def behind_exponential(weight: Callable[[int], float]) -> float:
    """Return the chance behind exponential noise of rate 1: between k and k + 1 the best count up to k stays the best."""
    best = [max(weight(j) * math.exp(j - k) for j in range(k + 1)) for k in range(MOST)]
    return sum(best) * (1 - math.exp(-1))


@pytest.mark.parametrize(
    ("count", "noise", "chance"),
    [
        ("poisson(3)", "laplace(0, 1)", behind_laplace(poisson)),
        ("poisson(3)", "exponential(1)", behind_exponential(poisson)),
        ("geometric(1/2)", "exponential(1)", behind_exponential(geometric)),
    ],
)
def test_a_count_behind_noise_is_guessed_with_the_chance_that_sums_say(count: str, noise: str, chance: float) -> None:
    program = seepage.parse(f"k ~ {count}\nn ~ {noise}\no := k + n\n")
    found = program.measure("V(k | o)")
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-12 <= chance <= found.upper + 1e-12
    assert found.upper - found.lower < 1e-5


def test_a_bit_beside_a_count_is_guessed_with_half_the_distance_of_its_laws() -> None:
    program = seepage.parse("s ~ flip(1/2)\nk ~ geometric(7/8)\nn ~ laplace(0, 1)\no := s + k + n\n")
    x, k = np.linspace(-30, 60, 90_001), np.arange(20)[:, None]
    zero, one = (np.sum(7 / 8 * 0.125**k * np.exp(-abs(x - k - s)) / 2, axis=0) for s in (0, 1))
    chance = (
        float(np.trapezoid(np.maximum(zero, one), x)) / 2
    )  # all kinks but one are on the grid: an error of about 1e-7
    found = program.measure("V(s | o)")
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-6 <= chance <= found.upper + 1e-6
    assert found.upper - found.lower < 1e-6
