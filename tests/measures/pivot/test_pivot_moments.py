"""Moments behind guards that tie variables to each other, against nested quadrature and simulation."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from math import pi, sqrt

import numpy as np
import numpy.typing as npt
import pytest

import seepage
from seepage.measures.result import Certainty

Array = npt.NDArray[np.float64]
Function = Callable[[Array, Array], Array]

DENSITIES: dict[str, tuple[Callable[[Array], Array], list[float]]] = {
    "laplace(1/2, 1)": (lambda x: np.exp(-abs(x - 0.5)) / 2, [-9.5, 0.5, 10.5]),
    "exponential(2)": (lambda x: 2 * np.exp(-2 * x), [0, 10]),
    "uniform(-1, 2)": (lambda x: np.full_like(x, 1 / 3), [-1, 2]),
    "normal(1, 3)": (lambda x: np.exp(-((x - 1) ** 2) / 6) / sqrt(6 * pi), [-9, 1, 11]),
}
ASKED: dict[str, Function] = {
    "E(e)": lambda x, e: e + 0 * x,
    "E(x * x)": lambda x, e: x * x + 0 * e,
    "E(x * e)": lambda x, e: x * e,
    "E(e * e * e * x)": lambda x, e: e**3 * x,
    "E((x - 3 * e) ^ 4)": lambda x, e: (x - 3 * e) ** 4,
}


def _by_quadrature(law: str, of: Function) -> float:
    """Return E(of(x, e); 2 e − 3 x in (−1, 2)), e normal(0, 1/2), by two nested rules of Gauss; |e| > 10 has less than 1e-40."""
    density, places = DENSITIES[law]
    nodes, weights = np.polynomial.legendre.leggauss(40)
    total = 0.0
    for low, high in pairwise(places):
        edges = np.linspace(low, high, 41)
        half = (edges[1] - edges[0]) / 2
        x = ((edges[1:] + edges[:-1])[:, None] / 2 + half * nodes).ravel()[:, None]
        e = (3 * x + 0.5) / 2 + 0.75 * nodes
        inner = 0.75 * (of(x, e) * np.exp(-e * e) / sqrt(pi)) @ weights
        total += half * float(np.tile(weights, 40) @ (density(x[:, 0]) * inner))
    return total


@pytest.mark.parametrize("law", DENSITIES)
def test_moments_of_a_variable_and_its_noise_are_those_of_nested_integrals(law: str) -> None:
    program = seepage.parse(f"x ~ {law}\ne ~ normal(0, 1/2)\nobserve(2*e - 3*x > -1 and 2*e - 3*x < 2)")
    chance = _by_quadrature(law, lambda x, e: 1 + 0 * x * e)
    for measure, of in ASKED.items():
        found, truth = program.measure(measure), _by_quadrature(law, of) / chance
        assert found.certainty is not Certainty.APPROXIMATE
        assert found.lower - 1e-9 * abs(truth) - 1e-10 <= truth <= found.upper + 1e-9 * abs(truth) + 1e-10
        assert found.upper - found.lower < 1e-9 * (1 + abs(truth))


def test_three_normal_variables_behind_one_guard_keep_what_symmetry_says() -> None:
    # s = x + y + z has variance 3; x, y, z are alike, so that E(x | s > 0) = E(s | s > 0)/3 and E(x y | s > 0) = E(x y) = 0.
    program = seepage.parse("x ~ normal(0,1)\ny ~ normal(0,1)\nz ~ normal(0,1)\nobserve(x + y + z > 0)\no := x - y")
    mean = sqrt(6 / pi) / 3
    for measure, truth in (("E(x)", mean), ("E(x * y)", 0), ("E(x * x)", 1), ("Var(o)", 2)):
        found = program.measure(measure)
        assert found.certainty is not Certainty.APPROXIMATE
        assert found.lower - 1e-15 <= truth <= found.upper + 1e-15
    # E(x y z; s > 0): s = 3 t, x y z given s has the mean t³ − t (cumulants: covariances −1/3 among residuals), t of variance 1/3.
    cubes = sqrt(2 / pi) * (2 / sqrt(3) ** 3 - 1 / sqrt(3))  # E|t|³ − E|t|
    found = program.measure("E(x * y * z)")
    assert found.lower - 1e-12 <= cubes <= found.upper + 1e-12


def test_what_is_outside_of_the_guards_it_can_solve_has_no_certified_moment() -> None:
    chain = seepage.parse("x ~ laplace(0,1)\ny ~ exponential(1)\ne ~ normal(0,1)\nobserve(x*y + e > 0)")
    assert chain.measure("E(e)").certainty is Certainty.APPROXIMATE


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(12))
def test_moments_of_random_guards_agree_with_simulation(seed: int) -> None:
    rng, draws = random.Random(seed), np.random.default_rng(seed)
    size = 400_000
    law, x = rng.choice(
        [
            ("laplace(0, 1)", draws.laplace(0, 1, size)),
            ("exponential(1)", draws.exponential(1, size)),
            ("normal(0, 2)", draws.normal(0, sqrt(2), size)),
        ]
    )
    e, f = draws.normal(0, 1, size), draws.normal(0, sqrt(0.5), size)
    (a, b), (c, d) = ((rng.choice([-2, -1, 1, 3]), rng.choice([-1, 1, 2])) for _ in range(2))
    first, second = rng.choice([-0.5, 0, 1]), rng.choice([-3, -1, 0])
    kept = (a * x + b * e > first) & (c * x + d * f > second)
    lines = f"x ~ {law}\ne ~ normal(0, 1)\nf ~ normal(0, 1/2)\nobserve({a}*x + {b}*e > {first})\nobserve({c}*x + {d}*f > {second})"
    program = seepage.parse(lines.replace("+ -", "- "))
    assert kept.sum() > 1_000
    for measure, values in (("E(e)", e), ("E(x * e + f)", x * e + f), ("E((x + e - f) ^ 2)", (x + e - f) ** 2)):
        sample = values[kept]
        found, error = program.measure(measure), 6 * sample.std() / sqrt(len(sample))
        assert found.certainty is not Certainty.APPROXIMATE
        assert found.lower - error <= sample.mean() <= found.upper + error
        assert found.upper - found.lower < 1e-9


def _grid(*ends: float) -> tuple[Array, Array]:
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.concatenate([np.linspace(a, b, 30, endpoint=False) for a, b in pairwise(ends)] + [np.array(ends[-1:])])
    half = (edges[1:] - edges[:-1])[:, None] / 2
    return ((edges[1:] + edges[:-1])[:, None] / 2 + half * nodes).ravel(), (half * weights).ravel()


def test_moments_behind_a_guard_on_a_sum_of_others_than_normal_ones() -> None:
    """The chance of the third variable is in closed form, the others are on a grid; one has an interval of its own."""
    program = seepage.parse(
        "x ~ beta(2, 3)\ny ~ gamma(2, 1)\nl ~ triangular(0, 1/2, 1)\nobserve(2*x - y/3 + l > 1/2 and y < 3)"
    )
    (x, v), (y, w) = _grid(0, 1), _grid(0, 3)
    x, v = x[:, None], v[:, None]
    place = 0.5 - 2 * x + y / 3
    above = np.where(place < 0, 1, np.where(place < 0.5, 1 - 2 * place**2, 2 * np.clip(1 - place, 0, None) ** 2))
    share = v * 12 * x * (1 - x) ** 2 * w * y * np.exp(-y) * above
    for measure, of in {"E(x)": x, "E(y)": y, "E(x * y)": x * y, "E(x^3 * y)": x**3 * y}.items():
        found, truth = program.measure(measure), float(np.sum(share * of) / np.sum(share))
        assert found.certainty is not Certainty.APPROXIMATE
        assert found.lower - 1e-9 <= truth <= found.upper + 1e-9
        assert found.upper - found.lower < 1e-12


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("x ~ uniform(0, 1)\nl ~ uniform(0, 1)\nobserve(x + l > 1)", "E(x * l)", 5 / 12),
        ("x ~ uniform(0, 1)\nl ~ uniform(0, 1)\nobserve(x + l > 1)", "Var(x)", 1 / 18),
        ("x ~ laplace(0, 1)\nl ~ exponential(1)\nobserve(x + l > 0)", "E(x)", 1 / 2),
        ("x ~ laplace(0, 1)\nl ~ exponential(1)\nobserve(x + l > 0)", "E(l)", 7 / 6),
        ("x ~ exponential(1)\nl ~ exponential(1)\nobserve(x - l > 0)", "E(x)", 3 / 2),  # the larger of two
        ("x ~ exponential(1)\nl ~ exponential(1)\nobserve(x + l < 1)", "E(x)", (1 - 2.5 / np.e) / (1 - 2 / np.e)),
    ],
)
def test_moments_behind_guards_on_sums_in_closed_form(text: str, measure: str, value: float) -> None:
    found = seepage.parse(text).measure(measure)
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.lower - 1e-14 <= value <= found.upper + 1e-14
    assert found.upper - found.lower < 1e-12
