"""Paths and their laws, against counts by hand and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb
from tests.engines.programs import core_of

import seepage
from seepage.engines.outcome import Budget
from seepage.engines.pivot.densities import Curve
from seepage.engines.pivot.paths import paths_of
from seepage.exact import precision
from seepage.laws.laplace import Laplace
from seepage.laws.normal import Normal
from seepage.laws.uniform import Uniform
from seepage.measures.pivot.panels import blend_of

CURVES = [
    Curve(arb(1), Normal((1,)), 0, None, (0, 1), (1,), 1, arb(10)),
    Curve(arb(1), Normal((1,)), None, None, (0, 0, 1), (1, 0, 1), 1, arb(1000)),
    Curve(arb(1), Laplace((1,)), None, None, (0, 1), (1,), 1, arb(100)),
    Curve(arb(1), Uniform(()), 0, 1, (0, 4), (1,), 1, arb(300)),
]


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.law.name)
def test_a_curve_of_gaussians_has_the_mass_of_its_interval_up_to_the_error(curve: Curve) -> None:
    with precision(128):
        blend = blend_of(curve, 1e-14)
        mass = sum((weight for weight, _, _ in blend.gaussians), arb(0))
        assert abs(mass - curve.law.probability(curve.low, curve.high)) < blend.error + arb(2) ** -100
        assert blend.error < 1e-14


def test_a_curve_of_gaussians_has_the_density_of_fine_trapezoids() -> None:
    with precision(128):
        blend = blend_of(CURVES[1], 1e-14)
    weights, means, variances = (np.array([float(each[i]) for each in blend.gaussians]) for i in range(3))
    pivot, out = np.arange(-900, 901)[:, None] / 100, np.linspace(-3, 9, 25)
    spread = 1 + pivot**2
    bells = np.exp(-((out - pivot**2) ** 2) / (2 * spread)) / np.sqrt(2 * np.pi * spread)
    true = (np.exp(-(pivot**2) / 2) / np.sqrt(2 * np.pi) * bells).sum(axis=0) / 100
    gauss = np.exp(-((out[:, None] - means) ** 2) / (2 * variances)) / np.sqrt(2 * np.pi * variances) @ weights
    assert np.abs(gauss - true).max() < 1e-12


PROGRAM = """
b ~ bernoulli(1/3)
x ~ normal(0, 1)
z ~ laplace(b, 1)
u ~ uniform(0, 2)
o := if x + z > 0 then max(z, 0) else u
p := abs(z - 1)
q := min(u, 1) * x
"""


def test_means_agree_with_a_simulation() -> None:
    generator = np.random.default_rng(7)
    size = 400_000
    b = generator.random(size) < 1 / 3
    x, z = generator.normal(size=size), generator.laplace(b, 1, size)
    u = generator.uniform(0, 2, size)
    samples = {"abs(z - 1)": np.abs(z - 1), "min(u, 1) * x": np.minimum(u, 1) * x, "max(z, 0)": np.maximum(z, 0)}
    for text, values in samples.items():
        mean = seepage.parse(PROGRAM).measure(f"E({text})")
        spread = seepage.parse(PROGRAM).measure(f"Var({text})")
        assert mean.certainty is not seepage.Certainty.APPROXIMATE
        assert abs(values.mean() - mean.value) < 6 * values.std() / np.sqrt(size)
        assert abs(values.var() - spread.value) < 6 * ((values - values.mean()) ** 2).std() / np.sqrt(size)


@pytest.mark.parametrize(
    ("measure", "true"),
    [("P(x > 0 and z > 0)", 0.25), ("P(x > 0 or z > 0)", 0.75), ("P(not (x > 0) xor z > 0)", 0.5), ("P(x == z)", 0.0)],
)
def test_chances_of_conditions_on_several_variables(measure: str, true: float) -> None:
    result = seepage.parse("x ~ normal(0, 1)\nz ~ laplace(0, 1)\n").measure(measure)
    assert result.lower <= true <= result.upper
    assert result.upper - result.lower < 1e-15


def test_a_law_may_have_more_chances_than_calls_stand_in_each_other() -> None:
    core = core_of("x ~ {" + ", ".join(f"{k}: 1/1200" for k in range(1_200)) + "}\nn ~ laplace(0, 1)\no := x + n")

    paths = paths_of(core, ("x", "o"), {}, Budget(), 53)

    assert len(paths) == 1_200
    assert {path.values["x"] for path in paths} == {*range(1_200)}
