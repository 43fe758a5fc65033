"""Guaranteed bounds where an information is not known exactly, against sums over fine grids."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty

Floats = NDArray[np.float64]


def laplace(x: Floats, scale: float = 1.0) -> Floats:
    density: Floats = np.exp(-np.abs(x) / scale) / (2 * scale)
    return density


def shifted(scale: float) -> tuple[Floats, Floats]:
    """Return masses of cells of a Laplace value around 0 and around 1: where their ratio is constant, and at Gauss points between the centres."""
    points, weights = np.polynomial.legendre.leggauss(60)
    points, weights = (points + 1) / 2, weights / 2
    ends = np.array([0.5, np.exp(-1 / scale) / 2])
    left = np.concatenate([ends, laplace(points, scale) * weights])
    return left, np.concatenate([ends[::-1], laplace(1 - points, scale) * weights])


def information(rows: list[Floats], cell: float) -> float:
    """Return I in nats of a uniform secret whose value i gives densities ``rows[i]`` on a grid."""
    mean = sum(rows) / len(rows)
    return float(sum((row * np.log(row / mean)).sum() * cell for row in rows) / len(rows))


def test_two_outputs_with_laplace_noise() -> None:
    program = (
        "secret s\noutput o, q\ns ~ bernoulli(1/2)\nz ~ laplace(0, 1)\nw ~ laplace(0, 2)\no := s + z\nq := s + w\n"
    )
    first, second = shifted(1.0), shifted(2.0)
    true = information([np.outer(one, other) for one, other in zip(first, second, strict=True)], 1.0)
    result = seepage.parse(program).measure("I(s; o, q)", unit="nats")

    assert result.certainty is Certainty.CERTIFIED
    assert result.lower <= true <= result.upper
    assert result.upper - result.lower < 0.02
    alone = seepage.parse(program).measure("I(s; o)", unit="nats")
    assert alone.lower <= result.lower


def test_a_continuous_secret_with_two_outputs() -> None:
    program = "secret x\noutput o, q\nx ~ normal(0, 1)\nz ~ laplace(0, 1)\nw ~ laplace(0, 1)\no := x + z\nq := x + w\n"
    both = seepage.parse(program).measure("I(x; o, q)", unit="nats")
    alone = seepage.parse(program).measure("I(x; o)", unit="nats")
    assert both.certainty is Certainty.CERTIFIED
    assert alone.lower <= both.lower
    assert both.upper <= 2 * alone.upper + 1e-9


@pytest.mark.variation(of="test_a_continuous_secret_with_two_outputs")
def test_paths_that_say_different_things_of_one_place() -> None:
    program = "x ~ normal(0, 1)\nb ~ bernoulli(1/2)\nn ~ normal(0, 1)\nm ~ laplace(0, 1)\nif b == 1 { o := x + n } else { o := 2 * x + m }\n"
    x, o = np.arange(-8, 8, 0.02) + 0.01, np.arange(-40, 40, 0.02) + 0.01
    prior = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    given = (np.exp(-((o - x[:, None]) ** 2) / 2) / np.sqrt(2 * np.pi) + laplace(o - 2 * x[:, None])) / 2
    marginal = prior @ given * 0.02
    true = float((prior[:, None] * given * np.log(given / marginal)).sum() * 0.02**2)
    result = seepage.parse(program).measure("I(x; o)", unit="nats")

    assert result.certainty is Certainty.CERTIFIED
    assert result.lower <= true <= result.upper
    assert result.upper < 2 * true


def test_where_only_the_entropy_is_known_nothing_is_claimed() -> None:
    program = "s ~ bernoulli(1/2)\nx ~ laplace(0, 1)\ny ~ laplace(0, 2)\no := s + x * y\n"
    result = seepage.parse(program).measure("I(s; o)", unit="nats")
    assert result.certainty is Certainty.APPROXIMATE
    assert any("may show no leak" in note for note in result.notes)


@pytest.mark.parametrize(
    ("measure", "true"),
    [
        ("H(x, y)", 2 + mpmath.log(2) + mpmath.log(4)),
        ("H(a, b)", 2 + mpmath.log(2) + mpmath.log(4) + mpmath.log(2)),
        ("H(x, y, u)", 2 + mpmath.log(2) + mpmath.log(4) + mpmath.log(3)),
        ("H(x, u | x > 0)", 1 + mpmath.log(3)),
    ],
)
def test_entropies_of_several_values_on_one_path(measure: str, true: mpmath.mpf) -> None:
    program = "x ~ laplace(0, 1)\ny ~ laplace(0, 2)\nu ~ uniform(0, 3)\na := x + y\nb := x - y\n"
    result = seepage.parse(program).measure(measure, unit="nats")
    assert result.lower - 1e-13 <= true <= result.upper + 1e-13
    assert result.upper - result.lower < 1e-9
