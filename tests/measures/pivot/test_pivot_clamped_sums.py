"""What a function of a sum tells behind noise of the parts of that sum, named or written in place, against quadrature of its channel."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.engines.programs import core_of

import seepage
from seepage.engines.outcome import Budget
from seepage.engines.pivot.paths import paths_of
from seepage.laws.forms import Beyond
from seepage.measures.pivot.added import added_noise
from seepage.measures.result import Certainty

Array = NDArray[np.float64]
Density = Callable[[Array], Array]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
STEP = 0.01
OUTPUTS = np.arange(-12, 12 + STEP / 2, STEP)


def normal(variance: float) -> Density:
    return lambda z: np.exp(-z * z / (2 * variance)) / math.sqrt(2 * math.pi * variance)


def laplace(scale: float) -> Density:
    return lambda z: np.exp(-abs(z) / scale) / (2 * scale)


def of_three_uniforms(z: Array) -> Array:
    """The density of Irwin and Hall, between 0 and 3."""
    found: Array = (z**2 - 3 * np.maximum(z - 1, 0) ** 2 + 3 * np.maximum(z - 2, 0) ** 2) / 2
    return found


def told(density: Density, cuts: Sequence[float], noise: Density, added: Callable[[Array], Array]) -> float:
    """Return I(s; o) in bits, s of a density between the first and the last cut, and o a function of it plus noise."""
    edges = np.unique(np.concatenate([np.linspace(low, high, 6) for low, high in pairwise(cuts)]))
    half, centre = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    s = (centre[:, None] + half[:, None] * NODES).ravel()
    weights = (half[:, None] * WEIGHTS).ravel() * density(s)
    given = noise(OUTPUTS - added(s)[:, None])
    return float(entropy(weights @ given) - weights @ entropy(given))


def entropy(f: Array) -> Array:
    """Return −∫ f log f of densities at the outputs, in bits."""
    found: Array = -STEP * (f * np.log2(np.where(f > 0, f, 1))).sum(axis=-1)
    return found


@cache
def told_by_normals() -> float:
    return told(normal(3), [-9, 1, 2, 9], normal(0.25), lambda s: np.clip(s, 1, 2))


@cache
def told_by_uniforms() -> float:
    return told(of_three_uniforms, [0, 1, 2, 3], laplace(0.25), lambda s: np.clip(s, 1, 2))


NORMALS = "for i in 1..3 { x[i] ~ normal(0, 1) }\n"
UNIFORMS = "for i in 1..3 { x[i] ~ uniform(0, 1) }\n"
NORMAL_NOISE, LAPLACE_NOISE = "n ~ normal(0, 1/4)\n", "n ~ laplace(0, 1/4)\n"
S = "s := x[1] + x[2] + x[3]\n"
BY_NAME = f"{S}c := min(max(s, 1), 2)\ny := c + n\n"
BY_BRANCHES = f"{S}if s > 2 {{ s := 2 }}\nif s < 1 {{ s := 1 }}\ny := s + n\n"
IN_PLACE = "y := min(max(x[1] + x[2] + x[3], 1), 2) + n\n"


def measured(text: str, asked: str, number: float) -> None:
    """Assert that a measure is certified, to within 1e-8, and what quadrature tells it is, to four digits."""
    found = seepage.parse(f"output y\n{text}").measure(asked, unit="bits")
    assert found.certainty is Certainty.CERTIFIED
    assert found.upper - found.lower < 1e-8
    assert float(found.lower) == pytest.approx(number, abs=1e-4)


@pytest.mark.parametrize("form", [IN_PLACE, BY_NAME, BY_BRANCHES], ids=["in place", "by name", "by branches"])
def test_parts_of_a_clamped_sum_tell_what_the_sum_tells(form: str) -> None:
    measured(NORMALS + NORMAL_NOISE + form, "I(x[1], x[2], x[3]; y)", told_by_normals())
    measured(UNIFORMS + LAPLACE_NOISE + form, "I(x; y)", told_by_uniforms())


def test_a_sum_that_is_cut_behind_noise_is_a_secret_of_its_own() -> None:
    measured(UNIFORMS + LAPLACE_NOISE + BY_NAME, "I(s; y)", told_by_uniforms())


def test_a_weighted_sum_that_is_rectified_tells_what_it_leaves() -> None:
    text = "y := max(2 * x[1] - x[2] / 2 + x[3], 0) + n\n"
    number = told(normal(5.25), [-14, 0, 14], normal(0.25), lambda s: np.maximum(s, 0))
    measured(NORMALS + NORMAL_NOISE + text, "I(x; y)", number)


def test_normal_and_lognormal_values_are_cut_behind_laplace_noise() -> None:
    number = told(normal(3), [-9, 1, 2, 9], laplace(0.25), lambda s: np.clip(s, 1, 2))
    measured(NORMALS + LAPLACE_NOISE + IN_PLACE, "I(x; y)", number)
    of_logarithm = told(normal(1), [-7, 0, 7], laplace(0.25), lambda z: np.minimum(np.exp(z), 1))
    measured(f"s ~ lognormal(0, 1)\n{LAPLACE_NOISE}y := min(s, 1) + n\n", "I(s; y)", of_logarithm)


def test_a_secret_bit_beside_a_secret_value_moves_the_output_by_a_number() -> None:
    """I(b, s; y) = h(y) − h(n), y having a mixture of two normal laws."""
    text = f"b ~ flip(1/2)\ns ~ normal(0, 1)\n{NORMAL_NOISE}y := s + n\nif b == 1 {{ y := y + 3 }}\n"
    density = (normal(1.25)(OUTPUTS) + normal(1.25)(OUTPUTS - 3)) / 2
    measured(text, "I(b, s; y)", float(entropy(density) - entropy(normal(0.25)(OUTPUTS))))


NOT_ADDED = {
    "a multiple by chance": "if b == 1 { y := 2 * s + n } else { y := s + n }",
    "a clamp by chance": "if b == 1 { y := max(s, 0) + n } else { y := s + n }",
    "a number by chance, where the secret is large": "if s > 1 and b == 1 { y := n + 3 } else { y := n }",
    "noise that the secret makes louder": "if s > 0 { y := s + n } else { y := s + 2 * n }",
}


@pytest.mark.parametrize("statement", NOT_ADDED.values(), ids=NOT_ADDED)
def test_what_is_left_is_no_noise_where_the_secret_does_not_tell_what_is_added_to_it(statement: str) -> None:
    core = core_of(f"output y\nb ~ flip(1/2)\ns ~ normal(0, 1)\n{NORMAL_NOISE}{statement}\n")
    paths = paths_of(core, ("s", "y"), {}, Budget(), 128)
    with pytest.raises(Beyond):
        added_noise(paths, ("s",), "y")
