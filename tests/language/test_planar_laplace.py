"""``planar_laplace`` against its density: moments by quadrature in polar coordinates, and runs by the law of the radius."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import seepage


def _moment(of_x: int, of_y: int, scale: float) -> float:
    """Return E(a^i b^j) of the law around (0, 0), by quadrature."""
    radial = mpmath.quad(
        lambda r: r ** (of_x + of_y + 1) * mpmath.exp(-r / scale) / (2 * mpmath.pi * scale**2),
        [0, 10 * scale, mpmath.inf],
    )
    angular = mpmath.quad(lambda t: mpmath.cos(t) ** of_x * mpmath.sin(t) ** of_y, [0, mpmath.pi, 2 * mpmath.pi])
    return float(radial * angular)


@pytest.mark.parametrize("scale", ["1/2", "2"])
@pytest.mark.parametrize("powers", [(1, 0), (2, 0), (1, 1), (2, 2), (4, 0), (1, 3)])
def test_moments_are_those_of_the_density(powers: tuple[int, int], scale: str) -> None:
    i, j = powers
    program = seepage.parse(f"a, b ~ planar_laplace(0, 0, {scale})\n")

    told = program.measure(f"E(a^{i} * b^{j})")

    assert told.certainty is not seepage.Certainty.APPROXIMATE
    assert told.value == pytest.approx(_moment(i, j, {"1/2": 0.5, "2": 2.0}[scale]), rel=1e-9, abs=1e-12)


def test_the_centre_and_the_scale_may_be_random() -> None:
    program = seepage.parse("s ~ uniform_int(1, 2)\nx ~ flip(1/2)\na, b ~ planar_laplace(4 * x, s, s)\n")

    assert program.measure("Var(a)").value == pytest.approx(4 + 3 * (1 + 4) / 2, abs=1e-12)
    assert program.measure("Var(b)").value == pytest.approx(1 / 4 + 3 * (1 + 4) / 2, abs=1e-12)


def test_a_centre_may_be_what_is_written() -> None:
    """Values are read before any is written, in draws of arrays as well."""
    points = seepage.parse("x := 1\ny := 2\nx, y ~ planar_laplace(y, x, 1)\n")
    arrays = seepage.parse("x[0] := 1\nx[1] := 2\nx ~ normal([x[1], x[0]], [[1, 0], [0, 1]])\n")

    assert [points.measure(f"E({name})").value for name in ("x", "y")] == [2, 1]
    assert [arrays.measure(f"E({name})").value for name in ("x[0]", "x[1]")] == [2, 1]


def test_elements_of_arrays_are_drawn_together() -> None:
    program = seepage.parse("p[0], p[1] ~ planar_laplace(scale=1, y=5, x=3)\n")

    assert [program.measure(f"E(p[{at}])").exact for at in (0, 1)] == [3, 5]
    assert program.measure("Var(p[0] + p[1])").value == pytest.approx(6, abs=1e-12)


def test_runs_have_the_law_of_the_radius_and_no_direction() -> None:
    """P(r ≤ t) = 1 − (1 + t/s) exp(−t/s); the largest gap of a sample of n is above 2/√n with chance 2 exp(−8)."""
    size, scale = 20_000, 2.0
    runs = seepage.parse("a, b ~ planar_laplace(1, -1, 2)\n").sample(size, seed=5)
    a, b = runs["a"] - 1, runs["b"] + 1
    radius, angle = np.sort(np.hypot(a, b)) / scale, np.sort((np.arctan2(b, a) + math.pi) / (2 * math.pi))
    ranks = (np.arange(size) + 0.5) / size

    assert np.abs(1 - (1 + radius) * np.exp(-radius) - ranks).max() < 2 / math.sqrt(size)
    assert np.abs(angle - ranks).max() < 2 / math.sqrt(size)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("a ~ planar_laplace(0, 0, 1)", "SEEP121"),
        ("a, b, c ~ planar_laplace(0, 0, 1)", "SEEP121"),
        ("a, b ~ planar_laplace(0, 1)", "SEEP111"),
        ("a, b ~ planar_laplace(0, 0, size=1)", "SEEP111"),
        ("a, b ~ planar_laplace(0, 0, 0)", "SEEP422"),
        ("a := planar_laplace(0, 0, 1)", "SEEP112"),
    ],
)
def test_what_is_no_such_draw_is_told(statement: str, code: str) -> None:
    program = seepage.parse(f"{statement}\n")

    assert [one.rule.code for one in program.diagnostics if one.is_error] == [code]


@pytest.mark.parametrize("measure", ["P(a * b <= 1)", "P(a <= 1 and b <= 1)", "KL(a || b)"])
def test_what_is_not_known_of_it_is_refused(measure: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse("a, b ~ planar_laplace(0, 0, 1)\n").measure(measure)

    assert caught.value.diagnostic.rule.code == "SEEP901"
