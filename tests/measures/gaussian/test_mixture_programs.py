"""Measures of continuous programs against Bayes' rule on a grid, ball integrals, and what holds by definition."""

from __future__ import annotations

import math
import os
from collections.abc import Callable

import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.gaussian.gaussian_mixtures import weighted, weighted_pair

import seepage
from seepage.exact import precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import quadrature
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
OF_FLOATS = 1e-12  # rounding of sums of some ten thousand floats near 1

SECRET = "b ~ bernoulli(1/2)\nif b == 1 { x ~ normal(2, 1/4) } else { x ~ normal(-1, 1) }\n"


def phi(x: np.ndarray, m: float, v: float) -> np.ndarray:
    return np.asarray(np.exp(-((x - m) ** 2) / (2 * v)) / math.sqrt(2 * math.pi * v))


@pytest.mark.parametrize("seen", [-3, 0, 1.5, 7])
def test_posteriors_are_those_of_bayes_rule_on_a_grid(seen: float) -> None:
    program = seepage.parse(SECRET + "o ~ normal(x, 1)\n")
    x = np.arange(-15, 15, 0.005)
    prior = (phi(x, 2, 0.25) + phi(x, -1, 1)) / 2
    posterior = prior * phi(x, seen, 1)
    posterior /= posterior.sum() * 0.005

    left = program.measure(f"H(x | o == {seen})", unit="nats")
    learnt = program.measure(f"KL(x | o == {seen} || x)", unit="nats")

    entropy = -float((posterior * np.log(np.maximum(posterior, 1e-300))).sum()) * 0.005
    divergence = float((posterior * np.log(np.maximum(posterior, 1e-300) / np.maximum(prior, 1e-300))).sum()) * 0.005
    for found, value in ((left, entropy), (learnt, divergence)):
        assert found.lower - OF_FLOATS <= value <= found.upper + OF_FLOATS
        assert found.upper - found.lower < 1e-9


def test_a_secret_with_an_atom_and_a_density_is_measured_by_a_ball_integral() -> None:
    # x is 0 or N(0, 1); given x, the output is N(x, 1/4), so that I = H(o) − ½ log(2πe/4).
    program = seepage.parse("b ~ bernoulli(1/2)\nif b == 1 { x ~ normal(0, 1) } else { x := 0 }\no ~ normal(x, 1/4)\n")
    found = program.measure("I(x; o)", unit="nats")

    def integrand(z: acb, _: object) -> acb:
        density = ((-2 * z * z).exp() * 2 + (-z * z * 2 / 5).exp() * 2 / acb(5).sqrt()) / (2 * (2 * acb.pi()).sqrt())
        return -density * density.log()

    with precision(80):
        entropy = 2 * acb.integral(integrand, 0, 11).real
        value = float(entropy - (acb.pi() * 2).real.log() / 2 - arb(1) / 2 + arb(4).log() / 2)
    assert found.lower - OF_FLOATS <= value <= found.upper + OF_FLOATS
    assert found.upper - found.lower < 1e-9


def test_an_atom_at_the_value_that_is_seen_outweighs_every_density() -> None:
    program = seepage.parse(SECRET + "c ~ bernoulli(1/3)\nif c == 1 { o := 1 } else { o ~ normal(x, 1) }\n")

    assert program.measure("P(c == 1 | o == 1)").exact == 1
    assert program.measure("KL(x | o == 1 || x)").upper <= 1e-9  # the atom says nothing about x


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("x ~ normal(0, 1)\no := 3 * x + 1\n", "I(x; o)", math.inf),
        ("x ~ normal(0, 1)\no := 3 * x + 1\n", "H(x | o)", -math.inf),
        (
            "x ~ normal(0, 1)\nb ~ bernoulli(1/1000)\nif b == 1 { o := x } else { o ~ normal(0, 1) }\n",
            "I(x; o)",
            math.inf,
        ),
        ("x ~ normal(0, 1)\nn ~ normal(0, 1)\na := x + n\nb := x - n\n", "I(x; a, b)", math.inf),
        ("x ~ normal(0, 1)\no := 2\n", "KL(x || o)", math.inf),
        ("x ~ normal(0, 1)\no := 2\n", "KL(o || x)", math.inf),
        ("x ~ normal(0, 1)\no := x - x + 5\n", "I(x; o)", 0),
        ("x ~ normal(0, 1)\ny := 2 * x\n", "H(x, y)", -math.inf),
    ],
)
def test_what_is_infinite_or_zero_is_so_exactly(text: str, measure: str, value: float) -> None:
    found = seepage.parse(text).measure(measure)

    assert (found.lower, found.upper) == (value, value)


@pytest.mark.parametrize("exponent", [4, 13, 40])
def test_little_noise_leaves_a_finite_information(exponent: int) -> None:
    found = seepage.parse(f"x ~ normal(0, 1)\no ~ normal(x, 1/10^{exponent})\n").measure("I(x; o)", unit="nats")

    value = 0.5 * math.log1p(10.0**exponent)
    assert found.lower - OF_FLOATS <= value <= found.upper + OF_FLOATS
    assert found.upper - found.lower < 1e-6


def test_a_value_outside_of_the_support_is_no_condition() -> None:
    program = seepage.parse("b ~ bernoulli(1/2)\nx ~ normal(b, 1)\no := 2 * b\n")

    with pytest.raises(seepage.MeasureError, match="impossible"):
        program.measure("H(x | o == 1)")


# --- random mixtures against sums over grids, which share nothing with the boxes ---------------------------------------------

moderate = st.tuples(st.floats(0.01, 1), st.floats(-6, 6), st.floats(0.3, 3))
planar = st.builds(
    weighted_pair,
    st.floats(0.01, 1),
    st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    st.tuples(st.floats(0.5, 2), st.floats(0.5, 2)),
    st.floats(-0.8, 0.8),
)


@settings(max_examples=3000 if DEEP else 15, deadline=None)
@given(st.lists(moderate, min_size=1, max_size=8), st.lists(moderate, min_size=1, max_size=8))
def test_enclosures_of_random_mixtures_contain_the_sum_over_a_grid(
    f: list[tuple[float, float, float]], g: list[tuple[float, float, float]]
) -> None:
    x = np.arange(-45, 45, 0.05)
    of_f, of_g = (
        np.logaddexp.reduce(
            [math.log(w / v) - 0.5 * math.log(2 * math.pi) - 0.5 * ((x - m) / v) ** 2 for w, m, v in each]
        )
        for each in (f, g)
    )
    first, second = ([weighted(w, m, v * v) for w, m, v in each] for each in (f, g))

    _holds(quadrature.entropies([first])[0], lambda: float(-(np.exp(of_f) * of_f).sum() * 0.05))
    _holds(quadrature.divergence(first, second), lambda: float((np.exp(of_f) * (of_f - of_g)).sum() * 0.05))


@settings(max_examples=400 if DEEP else 6, deadline=None)
@given(st.lists(planar, min_size=1, max_size=4))
def test_enclosures_in_the_plane_contain_the_sum_over_a_grid(parts: list[WeightedGaussian]) -> None:
    x = np.arange(-26, 26, 0.1)
    density = np.zeros((x.size, x.size))
    for part in parts:
        (a, b), (_, d) = ([float(entry) for entry in row] for row in part.covariance)
        u, v = (x - float(part.mean[0]))[:, None], (x - float(part.mean[1]))[None, :]
        det = a * d - b * b
        density += (
            float(part.weight)
            * np.exp(-(d * u * u - 2 * b * u * v + a * v * v) / (2 * det))
            / (2 * math.pi * math.sqrt(det))
        )

    _holds(
        quadrature.entropies([parts])[0], lambda: float(-(density * np.log(np.maximum(density, 1e-300))).sum() * 0.01)
    )


def _holds(found: Enclosure, by_a_grid: Callable[[], float]) -> None:
    value = by_a_grid()
    allowance = 1e-10 * (1 + abs(value))  # of the grid, whose steps are a sixth of the least deviation
    assert float(found.lower) - allowance <= value <= float(found.upper) + allowance
