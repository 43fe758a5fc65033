"""What a folded noisy value tells, by bounds that hold what sums over fine grids say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import seepage
from seepage.measures.result import Certainty

Array = np.ndarray
STEP = 1 / 400


def exponential(u: Array) -> Array:
    return np.asarray(np.where(u > 0, np.exp(-np.maximum(u, 0)), 0))


def uniform(u: Array) -> Array:
    return np.asarray(np.where(abs(u) < 1, 1 / 2, 0))


def told(noise: Callable[[Array], Array], ends: tuple[int, int] = (-1, 3)) -> float:
    """Return I(x; |x + n|) in nats for a uniform x: midpoints of a grid of which all jumps and kinks are places."""
    x = np.arange(ends[0] + STEP / 2, ends[1], STEP)[:, None]
    u = np.arange(0, 25, STEP) + STEP  # a sum of two midpoints, or their difference, is such a place
    given = noise(u - x) + noise(-u - x)
    logs = np.log(np.where(given > 0, given, 1))
    left = -float((given * logs).sum()) * STEP / len(x)
    whole = given.mean(axis=0)
    return -float((whole * np.log(np.where(whole > 0, whole, 1))).sum()) * STEP - left


@pytest.mark.parametrize(
    ("noise", "density", "output"),
    [("exponential(1)", exponential, "3 - (x + n)^2"), ("uniform(-1, 1)", uniform, "abs(x + n)")],
)
def test_a_folded_sum_tells_what_lies_between_the_bounds(
    noise: str, density: Callable[[Array], Array], output: str
) -> None:
    found = seepage.parse(f"x ~ uniform(-1, 3)\nn ~ {noise}\no := {output}\n").measure("I(x; o)", unit="nats")
    truth = told(density)
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 2e-3 <= truth <= found.upper + 2e-3
    assert found.lower > 0.5 * truth


@pytest.mark.variation(of="test_a_folded_sum_tells_what_lies_between_the_bounds")
def test_what_a_fold_at_another_place_tells_lies_between_the_bounds() -> None:
    text = "x ~ uniform(-1, 3)\nn ~ uniform(-1, 1)\no := if x + n > 1 then x + n else 2 - (x + n)\n"
    found = seepage.parse(text).measure("I(x; o)", unit="nats")
    # o − 1 is |x − 1 + n|, and x − 1 uniform on (−2, 2)
    truth = told(uniform, (-2, 2))
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 2e-3 <= truth <= found.upper + 2e-3
