"""Comparisons of variables of any laws: against closed forms, and against quadrature of a density times a distribution function by mpmath."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import mpmath
import pytest
from mpmath import mpf

import seepage

Function = Callable[[mpf], mpf]


def chance(draws: str, event: str) -> float:
    """Return the probability of an event after some draws."""
    found = seepage.parse(f"secret s\noutput o\ns ~ flip(1/2)\no := s\n{draws}").measure(f"P({event})")
    assert found.certainty is seepage.Certainty.CERTIFIED
    assert found.value is not None
    return found.value


@pytest.mark.family(every=4)
@pytest.mark.parametrize(
    ("draws", "event", "value"),
    [
        ("a ~ gumbel(1, 2)\nb ~ gumbel(0, 2)", "a > b", 1 / (1 + math.exp(-1 / 2))),
        ("a ~ gumbel(1, 2)\nb ~ gumbel(0, 2)", "a - b <= 3", 1 / (1 + math.exp(-1))),
        ("a ~ gumbel(0, 1)\nb ~ gumbel(0, 1)", "-1 < a - b and a - b < 2", 1 / (1 + math.exp(-2)) - 1 / (1 + math.e)),
        ("a ~ cauchy(0, 1)\nb ~ cauchy(1, 2)", "a > b", 1 / 2 - math.atan(1 / 3) / math.pi),
        ("a ~ cauchy(0, 1)\nb ~ cauchy(1, 2)", "a + b > 4", 1 / 2 - math.atan(1) / math.pi),
        ("a ~ pareto(3, 1)\nb ~ pareto(2, 1)", "a > b", 2 / 5),
        ("a ~ weibull(1/2, 4)\nb ~ weibull(1/2, 1)", "a > b", 2 / 3),
        ("a ~ weibull(2, 3)\nb ~ weibull(2, 1)", "a > b", 9 / 10),
    ],
)
def test_comparisons_with_a_closed_form(draws: str, event: str, value: float) -> None:
    assert chance(draws, event) == pytest.approx(value, abs=1e-12)


def _logistic(z: mpf) -> mpf:
    return 1 / (1 + mpmath.exp(-z))


def _lognormal(z: mpf) -> mpf:
    return mpmath.ncdf(mpmath.log(z)) if z > 0 else mpf(0)


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("draws", "event", "density", "other", "places"),
    [
        (
            "a ~ cauchy(0, 1)\nb ~ logistic(1, 1)",
            "a < b",
            lambda z: _logistic(z) * (1 - _logistic(z)),
            lambda z: mpf(1) / 2 + mpmath.atan(z + 1) / mpmath.pi,
            (-60, -5, 0, 5, 60),
        ),
        (
            "a ~ lognormal(0, 1)\nb ~ beta(2, 3)",
            "a < b",
            lambda z: 12 * z * (1 - z) ** 2,
            _lognormal,
            (0, 0.1, 0.5, 1),
        ),
        (
            "a ~ lognormal(0, 1)\nb ~ gumbel(0, 2)",
            "a < b",
            lambda z: mpmath.exp(-z / 2 - mpmath.exp(-z / 2)) / 2,
            _lognormal,
            (0, 1, 5, 20, 120),
        ),
        (
            "a ~ weibull(3/2, 1)\nb ~ pareto(5/2, 1/2)",
            "a < b",
            lambda z: mpf(5) / 2 * mpf(1) / 2 ** mpf("2.5") / z ** mpf("3.5"),
            lambda z: 1 - mpmath.exp(-(z ** mpf("1.5"))),
            (0.5, 1, 3, 10, mpmath.inf),
        ),
    ],
)
def test_comparisons_by_quadrature(
    draws: str, event: str, density: Function, other: Function, places: Sequence[float]
) -> None:
    expected = mpmath.quad(lambda z: density(z) * other(z), list(places))
    assert chance(draws, event) == pytest.approx(float(expected), abs=1e-9)


NOISY_MAX = """
secret s
output o
s ~ uniform_int(0, 2)
for i in 0..2 { v[i] ~ gumbel(2 * (s == i) + i / 2, 2) }
o := argmax(v)
"""


def test_the_greatest_behind_gumbel_noise_is_the_exponential_mechanism() -> None:
    """Yellott 1977: the greatest of v_i + Gumbel noise of scale b is i with chance in proportion to exp(v_i / b)."""
    weights = [[math.exp((2 * (s == i) + i / 2) / 2) for i in range(3)] for s in range(3)]
    rows = [[weight / sum(row) for weight in row] for row in weights]
    outputs = [sum(row[i] for row in rows) / 3 for i in range(3)]
    program = seepage.parse(NOISY_MAX)
    told = sum(row[i] / 3 * math.log2(row[i] / outputs[i]) for row in rows for i in range(3))
    assert program.measure("I(s; o)").value == pytest.approx(told, abs=1e-10)
    assert program.measure("V(s | o)").value == pytest.approx(
        sum(max(row[i] for row in rows) / 3 for i in range(3)), abs=1e-10
    )
    loss = max(math.log(one[i] / other[i]) for one in rows for other in rows for i in range(3))
    assert program.measure("DP(s -> o)").value == pytest.approx(loss, abs=1e-10)


def test_the_reason_is_what_happened() -> None:
    """Nothing is said of a law that the user did not write."""
    program = seepage.parse("o, q ~ planar_laplace(0, 0, 1)\n")
    with pytest.raises(
        seepage.MeasureError, match="exact laws of the program's paths do not tell it: no single variable"
    ) as told:
        program.measure("P(o * q < 1)")
    assert not any("weibull" in each for each in (str(told.value), *told.value.diagnostic.notes))
