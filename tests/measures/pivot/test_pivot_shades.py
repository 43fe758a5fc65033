"""The greater and the smaller of independent normal and Laplace variables, and guards with Laplace noise, by quadrature of f G + g F."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

import seepage
from seepage.measures.result import Certainty, Result

Floats = npt.NDArray[np.float64]
Real = Callable[[Floats], Floats]
Law = tuple[Real, Real]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
EDGES = np.arange(-320, 321) / 4  # quarters: every kink is one
PLACES = (EDGES[:-1, None] + (NODES + 1) / 8).ravel()
SHARES = np.tile(WEIGHTS / 8, len(EDGES) - 1)


def above_standard(x: Floats) -> Floats:
    return np.array([math.erfc(t / math.sqrt(2)) / 2 for t in x])


def normal(mean: float, deviation: float) -> Law:
    """The density, and the chance to be below."""

    def density(x: Floats) -> Floats:
        return np.exp(-(((x - mean) / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))

    return density, lambda x: above_standard((mean - x) / deviation)


def laplace(mean: float, scale: float) -> Law:
    def below(x: Floats) -> Floats:
        t = (x - mean) / scale
        return np.where(t < 0, np.exp(np.minimum(t, 0)) / 2, 1 - np.exp(-np.maximum(t, 0)) / 2)

    return (lambda x: np.exp(-np.abs(x - mean) / scale) / (2 * scale)), below


def greater(one: Law, other: Law) -> Real:
    return lambda x: one[0](x) * other[1](x) + other[0](x) * one[1](x)


def smaller(one: Law, other: Law) -> Real:
    return lambda x: one[0](x) * (1 - other[1](x)) + other[0](x) * (1 - one[1](x))


def integral(of: Real, low: float = -80.0) -> float:
    return float(np.sum(np.where(low < PLACES, SHARES * of(PLACES), 0)))


def entropy(density: Real) -> float:
    return integral(lambda x: -density(x) * np.log(np.maximum(density(x), 1e-300)))


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure, unit="nats")


def holds(found: Result, truth: float, width: float = 1e-9) -> bool:
    assert found.certainty is not Certainty.APPROXIMATE
    return bool(found.lower - 1e-9 <= truth <= found.upper + 1e-9 and found.upper - found.lower <= width)


CASES: dict[str, tuple[str, Callable[[int], tuple[Law, Law]]]] = {
    "normal and laplace": ("x ~ normal(s, 4)\nl ~ laplace(1/2, 1/2)\n", lambda s: (normal(s, 2), laplace(0.5, 0.5))),
    "two laplace": ("x ~ laplace(s, 1)\nl ~ laplace(0, 1/2)\n", lambda s: (laplace(s, 1), laplace(0, 0.5))),
    "scaled": (
        "a ~ normal(0, 1)\nb ~ laplace(0, 1)\nx := s - a\nl := 1 - 2*b\n",
        lambda s: (normal(s, 1), laplace(1, 2)),
    ),
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("function", "law"), [("max", greater), ("min", smaller)])
def test_the_greater_and_the_smaller_of_two(case: str, function: str, law: Callable[[Law, Law], Real]) -> None:
    text, laws = CASES[case]
    program = f"s ~ bernoulli(1/2)\n{text}o := {function}(x, l)\noutput o\n"
    parts = [law(*laws(s)) for s in (0, 1)]
    given = sum(entropy(part) for part in parts) / 2
    whole = entropy(lambda x: (parts[0](x) + parts[1](x)) / 2)
    above = sum(integral(part, 1) for part in parts) / 2
    assert holds(measured(program, "H(o)"), whole)
    assert holds(measured(program, "I(s; o)"), whole - given)
    assert holds(measured(program, "P(o > 1)"), above)


@pytest.mark.parametrize(("condition", "low", "high"), [("2*x + l > 1", 1.0, None), ("abs(x - 3*l) < 1", -1.0, 1.0)])
def test_what_passes_a_guard_with_laplace_noise(condition: str, low: float, high: float | None) -> None:
    program = f"x ~ normal(1/2, 1)\nl ~ laplace(0, 1)\nobserve({condition})\noutput x\n"
    factor, scale = (2, 1) if high is None else (1, 3)
    _, below = laplace(0, scale)

    def density(x: Floats) -> Floats:
        upper = 1 if high is None else below(high - factor * x)
        return normal(0.5, 1)[0](x) * (upper - below(low - factor * x))

    mass = integral(density)
    assert holds(measured(program, "H(x)"), entropy(lambda x: density(x) / mass))


def test_random_maxima_against_simulation() -> None:
    rng = np.random.default_rng(11)
    for _ in range(6):
        m, v, b, a = (int(k) for k in rng.integers(1, 6, 4))
        program = f"x ~ normal({m}, {v})\nl ~ laplace(0, {b})\no := max({a}*x, 2*l + 1)\noutput o\n"
        edge = m + a
        found = measured(program, f"P(o > {edge})")
        drawn = np.maximum(a * (m + math.sqrt(v) * rng.standard_normal(200_000)), 2 * b * rng.laplace(size=200_000) + 1)
        share = float(np.mean(drawn > edge))
        error = 6 * math.sqrt(share * (1 - share) / 200_000)
        assert found.certainty is not Certainty.APPROXIMATE
        assert found.lower - error <= share <= found.upper + error
        own = measured(program, "H(o)")
        assert own.certainty is not Certainty.APPROXIMATE
        counts, edges = np.histogram(drawn, bins=400)
        kept = counts > 0
        shares, widths = counts[kept] / 200_000, np.array([q - p for p, q in pairwise(edges)])[kept]
        estimate = float(-np.sum(shares * np.log(shares / widths)))
        assert abs(estimate - own.number) < 0.02  # of bins: their bias is far above six standard errors
