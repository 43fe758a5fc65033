"""Secrets of many variables that noisy outputs depend on through few values, against sums over those values and quadrature with numpy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty, Result

Array = NDArray[np.float64]
Masses = Mapping[tuple[float, ...], float]

GRID = np.linspace(-60, 260, 1_280_001)  # kinks of Laplace densities lie on it


def normal(x: Array) -> Array:
    return np.asarray(np.exp(-x * x / 8) / math.sqrt(8 * math.pi))


def laplace(x: Array) -> Array:
    return np.asarray(np.exp(-abs(x) / 2) / 4)


NOISE: Mapping[str, tuple[Callable[[Array], Array], float]] = {
    "normal(0, 4)": (normal, math.log(8 * math.pi * math.e) / 2),
    "laplace(0, 2)": (laplace, math.log(4 * math.e)),
}


def entropy(masses: Mapping[float, float], density: Callable[[Array], Array]) -> float:
    """Return −∫ f log f of a sum of independent noise and a discrete value, by the trapezoidal rule, Richardson's correction for kinks."""
    f = np.zeros_like(GRID)
    for place, mass in masses.items():
        f += mass * density(GRID - place)
    values = -f * np.log(np.maximum(f, 1e-300))
    step = GRID[1] - GRID[0]
    fine, coarse = step * values.sum(), 2 * step * values[::2].sum()
    return float(fine + (fine - coarse) / 3)


def binomial(count: int, chance: float = 0.5) -> dict[int, float]:
    return {k: math.comb(count, k) * chance**k * (1 - chance) ** (count - k) for k in range(count + 1)}


def told(masses: Mapping[float, float], noise: str) -> float:
    """Return I(t; t + noise) in bits."""
    density, own = NOISE[noise]
    return (entropy(masses, density) - own) / math.log(2)


def assert_holds(found: Result, truth: float, width: float = 1e-8) -> None:
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.upper - found.lower <= width
    assert found.lower - 1e-8 <= truth <= found.upper + 1e-8


def counting(count: int, noise: str, chance: str = "1/2") -> str:
    return f"""
        t := 0
        for i in 1..{count} {{ k[i] ~ bernoulli({chance})  t := t + 1 + 2 * k[i] }}
        n ~ {noise}
        obs := t + n
    """


@pytest.mark.family(every=3)
@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("count", [16, 40])
def test_a_count_of_many_bits_behind_noise(count: int, noise: str) -> None:
    asked = seepage.parse(counting(count, noise, "1/3"))
    masses = {float(count + 2 * k): mass for k, mass in binomial(count, 1 / 3).items()}
    prior = count * (-math.log2(1 / 3) / 3 - math.log2(2 / 3) * 2 / 3)

    assert_holds(asked.measure("I(k; obs)"), told(masses, noise))
    assert_holds(asked.measure("I(obs; k)"), told(masses, noise))
    assert_holds(asked.measure("H(obs | k)"), NOISE[noise][1] / math.log(2))
    assert_holds(asked.measure("H(k | obs)"), prior - told(masses, noise))


def test_a_hundred_bits() -> None:
    masses = {float(2 * k): mass for k, mass in binomial(100).items()}

    assert_holds(seepage.parse(counting(100, "normal(0, 4)")).measure("I(k; obs)"), told(masses, "normal(0, 4)"))


SHAPES = {
    "noise drawn first": "n ~ {noise}  t := 0  for i in 1..12 {{ k[i] ~ bernoulli(1/2)  t := t + k[i] }}  obs := t + n",
    "noise added in place": "o := 0  for i in 1..12 {{ k[i] ~ bernoulli(1/2)  o := o + k[i] }}  n ~ {noise}  obs := o + n  o := obs",
    "branches": "for i in 1..12 {{ k[i] ~ bernoulli(1/2) }}  t := 0  for i in 1..12 {{ if k[i] {{ t := t + 1 }} }}  n ~ {noise}  obs := t + n",
    "two parts": "a := 0  b := 0  for i in 1..6 {{ k[i] ~ bernoulli(1/2)  a := a + k[i] }}  for i in 7..12 {{ k[i] ~ bernoulli(1/2)  b := b + k[i] }}  n ~ {noise}  obs := a + b + n",
    "one bit again": "t := 0  for i in 1..12 {{ k[i] ~ bernoulli(1/2) }}  for i in 2..12 {{ t := t + k[i] }}  n ~ {noise}  obs := t + k[1] + n",
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_counting(shape: str, noise: str) -> None:
    asked = seepage.parse(SHAPES[shape].format(noise=noise))
    masses = {float(k): mass for k, mass in binomial(12).items()}

    assert_holds(asked.measure("I(k; obs)"), told(masses, noise))


@pytest.mark.parametrize("noise", NOISE)
def test_bits_that_depend_on_each_other_and_an_observed_count(noise: str) -> None:
    text = f"""
        k[1] ~ bernoulli(1/2)
        for i in 2..10 {{ k[i] ~ bernoulli(if k[i - 1] then 3/4 else 1/4) }}
        t := 0
        for i in 1..10 {{ t := t + k[i] }}
        observe(t > 3)
        n ~ {noise}
        obs := t + n
    """
    masses: dict[float, float] = {}
    for bits in itertools.product((0, 1), repeat=10):
        mass = 0.5 * math.prod(0.75 if a == b else 0.25 for a, b in itertools.pairwise(bits))
        if sum(bits) > 3:
            masses[float(sum(bits))] = masses.get(float(sum(bits)), 0) + mass
    total = sum(masses.values())

    assert_holds(seepage.parse(text).measure("I(k; obs)"), told({t: mass / total for t, mass in masses.items()}, noise))


@pytest.mark.variation(of="test_shapes_of_counting")
@pytest.mark.parametrize("noise", NOISE)
def test_an_observation_behind_the_noise(noise: str) -> None:
    """Given that the sum with noise is observed to be 5 beside what is shown."""
    text = counting(10, noise).replace("1 + 2 *", "") + f"m ~ {noise}\nobserve(t + m == 5)\n"
    density, own = NOISE[noise]
    masses = {float(k): mass * float(density(np.array(5.0 - k))) for k, mass in binomial(10).items()}
    total = sum(masses.values())

    truth = (entropy({t: mass / total for t, mass in masses.items()}, density) - own) / math.log(2)
    assert_holds(seepage.parse(text).measure("I(k; obs)"), truth)


@pytest.mark.variation(of="test_shapes_of_counting")
@pytest.mark.parametrize("noise", NOISE)
def test_a_secret_that_is_a_part_of_what_is_counted(noise: str) -> None:
    asked = seepage.parse(counting(16, noise))
    names = ", ".join(f"k[{i}]" for i in range(1, 4))
    density, _ = NOISE[noise]
    every = {float(16 + 2 * k): mass for k, mass in binomial(16).items()}
    parts = [
        entropy({float(16 + 2 * (k + known)): mass for k, mass in binomial(13).items()}, density) for known in range(4)
    ]
    left = sum(mass * part for mass, part in zip(binomial(3).values(), parts, strict=True))

    assert_holds(asked.measure(f"I({names}; obs)"), (entropy(every, density) - left) / math.log(2))


def test_few_variables_of_many_values() -> None:
    text = "for i in 1..3 { k[i] ~ uniform_int(0, 30) }\nt := k[1] + k[2] + k[3]\nn ~ normal(0, 4)\nobs := t + n\n"
    masses: dict[float, float] = {}
    for each in itertools.product(range(31), repeat=3):
        masses[float(sum(each))] = masses.get(float(sum(each)), 0) + 1 / 31**3

    assert_holds(seepage.parse(text).measure("I(k; obs)"), told(masses, "normal(0, 4)"))


def test_noise_that_the_secret_scales_is_told_too() -> None:
    """The output depends on the bits through their count and their parity, both functions of them."""
    text = """
        t := 0  p := 0
        for i in 1..10 { k[i] ~ bernoulli(1/2)  t := t + k[i]  p := (p + k[i]) % 2 }
        n ~ normal(0, 4 + 5 * p)
        obs := t + n
    """
    f = np.zeros_like(GRID)
    own = 0.0
    for k, mass in binomial(10).items():
        variance = 4 + 5 * (k % 2)
        f += mass * np.exp(-((GRID - k) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)
        own += mass * math.log(2 * math.pi * math.e * variance) / 2
    whole = float((GRID[1] - GRID[0]) * (-f * np.log(np.maximum(f, 1e-300))).sum())

    assert_holds(seepage.parse(text).measure("I(k; obs)"), (whole - own) / math.log(2))


def test_what_else_of_the_secret_is_shown_counts() -> None:
    """Beside the noisy count one bit is shown, the other outputs being as they are: by the chain rule."""
    text = counting(12, "normal(0, 4)").replace("1 + 2 *", "") + "b := k[1]\n"
    rest = binomial(11)
    shown = 1 + told({float(k): mass for k, mass in rest.items()}, "normal(0, 4)")

    assert_holds(seepage.parse(text).measure("I(k; obs, b)"), shown)
