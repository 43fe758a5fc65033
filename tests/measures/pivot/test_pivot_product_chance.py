"""Chances of products of two variables, against closed forms and integrals over the other one of both."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

import seepage
from seepage.measures.result import Certainty

Array = npt.NDArray[np.float64]
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(16)


def mesh(*ends: float, parts: int = 800) -> tuple[Array, Array]:
    """Nodes and weights of a composite Gauss rule between some places."""
    found: list[tuple[Array, Array]] = []
    for low, high in pairwise(ends):
        edges = np.linspace(low, high, parts + 1)
        half = (edges[1:] - edges[:-1])[:, None] / 2
        found.append((((edges[1:] + edges[:-1])[:, None] / 2 + half * POINTS).ravel(), (half * WEIGHTS).ravel()))
    return np.concatenate([x for x, _ in found]), np.concatenate([w for _, w in found])


@pytest.mark.parametrize(
    ("text", "event", "value"),
    [
        ("x ~ uniform(0, 1)\ny ~ uniform(0, 1)", "x*y > 1/2", (1 - math.log(2)) / 2),
        ("x ~ uniform(0, 1)\ny ~ uniform(0, 1)", "x*y <= 1/5", (1 + math.log(5)) / 5),
        # t/2 (1 + log 2/t) of a product below t for s = 1, y > t/x, less what is below x = 1
        (
            "s ~ bernoulli(1/2)\nx ~ uniform(0, 1)\ny ~ uniform(0, 1)",
            "(x + s)*y > 1/2",
            ((1 - math.log(2)) / 2 + 1 - math.log(2) / 2) / 2,
        ),
        ("x ~ triangular(-1, 0, 2)\ny ~ laplace(0, 1)", "x*y - x + y > 1", math.exp(-1) / 2),  # (x + 1)(y − 1) > 0
        ("x ~ uniform(0, 2)\ny ~ exponential(1)", "x*y > 0", 1),
        ("x ~ uniform(1, 2)\ny ~ exponential(1)\nobserve(x > 3/2)", "x*y > 0", 1),
        ("x ~ lognormal(0, 1)\ny ~ uniform(0, 1)", "x*y > 2*x", 0),
    ],
)
def test_chances_in_closed_form(text: str, event: str, value: float) -> None:
    found = seepage.parse(text).measure(f"P({event})")
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.lower - 1e-15 <= value <= found.upper + 1e-15
    assert found.upper - found.lower < 1e-12


def above_normal(t: Array) -> Array:
    return np.asarray(np.vectorize(math.erfc)((t - 1) / 2) / 2)  # mean 1, variance 2


def above_uniform(t: Array) -> Array:
    return np.asarray(np.clip((3 - t) / 4, 0, 1))  # on (−1, 3)


def above_exponential(t: Array) -> Array:
    return np.asarray(np.exp(-2 * np.maximum(t, 0)))


Y: dict[str, tuple[Callable[[Array], Array], tuple[float, ...]]] = {
    "laplace(0, 1)": (lambda y: np.exp(-np.abs(y)) / 2, (-36.0, -0.125, 0.0, 36.0)),
    "triangular(0, 1, 3)": (lambda y: np.where(y < 1, 2 * y / 3, (3 - y) / 3), (0.0, 1.0, 3.0)),
    "beta(2, 2)": (lambda y: 6 * y * (1 - y), (0.0, 1.0)),
}


@pytest.mark.parametrize("law", Y)
@pytest.mark.parametrize(
    ("other", "above"),
    [("normal(1, 2)", above_normal), ("uniform(-1, 3)", above_uniform), ("exponential(2)", above_exponential)],
)
def test_chances_of_two_variables_with_constants(law: str, other: str, above: Callable[[Array], Array]) -> None:
    """``(2 y + 1/4) x > 1/2 + y``: given y, on the side that the sign of the factor tells."""
    density, ends = Y[law]
    y, w = mesh(*ends)
    factor = 2 * y + 0.25
    chance = above((0.5 + y) / factor)
    truth = float(np.sum(w * density(y) * np.where(factor > 0, chance, 1 - chance)))
    found = seepage.parse(f"x ~ {other}\ny ~ {law}").measure("P(2*x*y + x/4 - y > 1/2)")
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-6 <= truth <= found.upper + 1e-6  # the mesh has kinks between nodes
    assert found.upper - found.lower < 1e-12


def test_an_interval_and_a_condition() -> None:
    """Two comparisons of one product, given what a factor alone passes."""
    program = seepage.parse("x ~ exponential(1)\ny ~ uniform(0, 1)")
    x, w = mesh(1, 45)
    truth = float(np.sum(w * np.exp(1 - x) * (np.minimum(1, 1 / x) - np.minimum(1, 1 / (2 * x)))))
    found = program.measure("P(x*y > 1/2 and x*y < 1 | x > 1)")
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-10 <= truth <= found.upper + 1e-10
    assert found.upper - found.lower < 1e-12
