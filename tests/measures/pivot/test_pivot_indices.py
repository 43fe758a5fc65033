"""Arrays of continuous variables whose elements random indices pick, against quadrature with numpy."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty, Result

Array = NDArray[np.float64]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)
CHOSEN = {1: 1 / 2, 2: 1 / 3, 3: 1 / 6}
NOISES = """
    for j in 1..3 { n[j] ~ laplace(0, j) }
    i ~ categorical(1/2, 1/3, 1/6)
    i := i + 1
    s ~ bernoulli(1/4)
"""


def noise(x: Array) -> Array:
    """Return the density of the noise that is picked."""
    return np.asarray(sum(weight * np.exp(-abs(x) / scale) / (2 * scale) for scale, weight in CHOSEN.items()))


def entropy(density: Callable[[Array], Array]) -> float:
    """Return the entropy in bits of a density that is analytic but for kinks at 0 and 1."""
    pieces = itertools.pairwise([-120, -40, -12, -4, -1, 0, 1, 2, 5, 13, 41, 121])
    found = 0.0
    for a, b in pieces:
        at = density((a + b) / 2 + (b - a) / 2 * NODES)
        found -= (b - a) / 2 * float(WEIGHTS @ (at * np.log2(at)))
    return found


def assert_certified(found: Result, truth: float) -> None:
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.lower - 1e-10 <= truth <= found.upper + 1e-10
    assert found.upper - found.lower <= 1e-8


@pytest.mark.parametrize(
    "release",
    ["o := s + n[i]", "n[i] := n[i] + s  o := n[i]", "z[1] := 0  z[2] := 0  z[1 + s] := n[i]  o := s + z[1] + z[2]"],
    ids=["read", "written", "both"],
)
def test_noise_picked_by_a_random_index(release: str) -> None:
    asked = seepage.parse(NOISES + release)
    told = entropy(lambda x: noise(x) * 3 / 4 + noise(x - 1) / 4) - entropy(noise)

    assert_certified(asked.measure("I(s; o)"), told)
    assert_certified(asked.measure("E(o)"), 1 / 4)
    assert_certified(asked.measure("Var(o)"), 3 / 16 + 2 * sum(p * scale**2 for scale, p in CHOSEN.items()))


def test_an_index_that_may_pick_no_element_is_a_fault() -> None:
    text = "z[1] ~ laplace(0, 1)\nz[2] ~ laplace(0, 2)\ni ~ uniform_int(1, 3)\ns ~ flip(1/2)\no := s + z[i]\n"

    with pytest.raises(seepage.MeasureError, match="index 3 is outside the array"):
        seepage.parse(text).measure("I(s; o)")
