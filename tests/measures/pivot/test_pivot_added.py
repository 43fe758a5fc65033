"""What sums tell of one of their parts, with several others and noise beside it, against quadrature of densities in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty

Array = NDArray[np.float64]
Density = Callable[[Array], Array]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)
_erfc = np.vectorize(math.erfc)


def entropy(density: Density, cuts: Sequence[float], step: float = 0.25) -> float:
    """Return −∫ f log f between the first and the last cut, by Gauss' rule in panels that are dense beside all cuts."""
    total = 0.0
    for low, high in pairwise(cuts):
        v = np.linspace(0, 1, 24 + int(2 * (high - low) / step))
        edges = low + (high - low) * v**4 * (35 - 84 * v + 70 * v**2 - 20 * v**3)
        half, centre = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
        f = density((centre[:, None] + half[:, None] * NODES).ravel())
        total -= float(
            ((half[:, None] * WEIGHTS).ravel() * np.where(f > 0, f * np.log(np.where(f > 0, f, 1)), 0)).sum()
        )
    return total


def above(z: Array) -> Array:
    """Return the chance that a standard normal variable exceeds z."""
    chance: Array = _erfc(z / math.sqrt(2)) / 2
    return chance


def normal(variance: float) -> Density:
    return lambda x: np.exp(-x * x / (2 * variance)) / math.sqrt(2 * math.pi * variance)


def half(variance: float, rate: float) -> Density:
    """The density of a normal variable plus an exponential one."""
    root = math.sqrt(variance)
    return lambda x: rate * np.exp(rate * rate * variance / 2 - rate * x) * above(rate * root - x / root)


def laplace_beside(variance: float, scale: float = 1) -> Density:
    """The density of a normal variable plus a Laplace one."""
    one = half(variance, 1 / scale)
    return lambda x: (one(x) + one(-x)) / 2


def uniform_beside(variance: float, low: float, high: float) -> Density:
    root = math.sqrt(variance)
    return lambda x: (above((x - high) / root) - above((x - low) / root)) / (high - low)


def uniforms_beside(variance: float, *ends: tuple[float, float]) -> Density:
    """The density of a normal variable plus two uniform ones: second differences of the mean of the positive part."""
    root = math.sqrt(variance)

    def positive(x: Array) -> Array:
        return x * above(-x / root) + root * np.exp(-x * x / (2 * variance)) / math.sqrt(2 * math.pi)

    (a, b), (c, d) = ends
    width = (b - a) * (d - c)
    return lambda x: (positive(x - a - c) - positive(x - a - d) - positive(x - b - c) + positive(x - b - d)) / width


def mixed(*parts: tuple[float, Density]) -> Density:
    return lambda x: sum((weight * part(x) for weight, part in parts), np.zeros_like(x))


def laplace_entropy(scale: float) -> float:
    return 1 + math.log(2 * scale)


def normal_entropy(variance: float) -> float:
    return math.log(2 * math.pi * math.e * variance) / 2


WIDE = (-45.0, 0.0, 45.0)
CASES: dict[str, tuple[str, Callable[[], float]]] = {
    "one of two incomes behind Laplace noise": (
        "s ~ normal(0, 1)\nt ~ normal(0, 2)\nn ~ laplace(0, 1)\no := s + t + n\n",
        lambda: entropy(laplace_beside(3), WIDE) - entropy(laplace_beside(2), WIDE),
    ),
    "scaled, and moved": (
        "s ~ normal(3, 4)\nt ~ normal(0, 2)\nn ~ laplace(1, 1)\no := 7 - s / 2 + t + n\n",
        lambda: entropy(laplace_beside(3), WIDE) - entropy(laplace_beside(2), WIDE),
    ),
    "two uniform ones behind normal noise": (
        "s ~ uniform(0, 1)\nt ~ uniform(0, 2)\nn ~ normal(0, 1)\no := s + t + n\n",
        lambda: entropy(uniforms_beside(1, (0, 1), (0, 2)), (-9, 12)) - entropy(uniform_beside(1, 0, 2), (-9, 12)),
    ),
    "three uniform ones": (
        "s ~ uniform(0, 1)\nt ~ uniform(0, 2)\nn ~ uniform(-1, 1)\no := s + t + n\n",
        lambda: entropy(three_uniform, (-1, 0, 1, 2, 3, 4)) - entropy(triangle, (-1, 1, 3)),
    ),
    "noise of one side": (
        "s ~ normal(0, 4)\nn ~ laplace(0, 1)\no := s + abs(n)\n",
        lambda: entropy(half(4, 1), (-18.0, 0.0, 50.0)) - 1,
    ),
    "noise of two sizes, beside a discrete variable": (
        "s ~ normal(0, 4)\nb ~ flip(1/3)\nn ~ laplace(0, 1)\no := s + (if b then n + 2 else 3 * n)\n",
        lambda: (
            entropy(
                mixed((1 / 3, lambda x: laplace_beside(4)(x - 2)), (2 / 3, laplace_beside(4, 3))), (-110, 0, 2, 110)
            )
            - entropy(
                mixed((1 / 3, lambda x: np.exp(-abs(x - 2)) / 2), (2 / 3, lambda x: np.exp(-abs(x) / 3) / 6)),
                (-110, 0, 2, 110),
            )
        ),
    ),
    "a secret of two kinds": (
        "b ~ flip(1/4)\nz ~ normal(0, 1)\ns := if b then z + 3 else z\nt ~ normal(0, 1)\nn ~ laplace(0, 1)\no := s + t + n\n",
        lambda: (
            entropy(mixed((1 / 4, lambda x: laplace_beside(2)(x - 3)), (3 / 4, laplace_beside(2))), (-45, 0, 3, 48))
            - entropy(laplace_beside(1), WIDE)
        ),
    ),
    "a positive noise observed": (
        "s ~ normal(0, 4)\nt ~ normal(0, 1)\nn ~ laplace(0, 1)\nobserve n > 0\no := s + t + n\n",
        lambda: entropy(half(5, 1), (-20.0, 0.0, 50.0)) - entropy(half(1, 1), (-9.0, 0.0, 50.0)),
    ),
}


def triangle(x: Array) -> Array:
    """The density of the sum of uniform variables on (0, 2) and (−1, 1)."""
    return np.clip(2 - abs(x - 1), 0, None) / 4


def three_uniform(x: Array) -> Array:
    """The triangle above moved by (0, 1): differences of its integral."""

    def below(y: Array) -> Array:
        y = np.clip(y, -1, 3)
        return np.where(y < 1, (y + 1) ** 2 / 8, 1 - (3 - y) ** 2 / 8)

    return below(x) - below(x - 1)


@pytest.mark.parametrize("name", CASES)
def test_a_part_of_a_sum_is_told_as_much_as_quadrature_says(name: str) -> None:
    text, truth = CASES[name]
    program = seepage.parse(text)
    found, expected = program.measure("I(s; o)", unit="nats"), truth()
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-9 <= expected <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-8
    left, own = program.measure("H(s | o)", unit="nats"), program.measure("H(s)", unit="nats")
    assert left.certainty is Certainty.CERTIFIED
    assert left.lower - 1e-9 <= own.number - expected <= left.upper + 1e-9


def test_noise_whose_size_the_secret_tells_is_not_taken_for_one_law() -> None:
    # s is about 0 or about 50, which tells which noise there is: h(o | s) is the mean of two entropies
    text = "b ~ flip(1/2)\nz ~ normal(0, 1)\nl ~ laplace(0, 1)\ns := if b then z else z + 50\no := if b then s + l else s + 3*l\n"
    own = entropy(mixed((1 / 2, laplace_beside(1)), (1 / 2, lambda x: laplace_beside(1, 3)(x - 50))), (-60, 0, 50, 170))
    truth = own - (laplace_entropy(1) + laplace_entropy(3)) / 2
    found = seepage.parse(text).measure("I(s; o)", unit="nats")
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9


def test_noise_that_a_guard_ties_to_the_secret_is_not_independent() -> None:
    # given s, the noise that passes is uniform on (−1, 1) above −s
    text = "s ~ uniform(0, 1)\nn ~ uniform(-1, 1)\nobserve s + n > 0\no := s + n\n"
    # o has the density of the trapezoid on (0, 2): 2/3 · min(1, 2 − o); given s it is uniform on (0, 1 + s), s having the density 2/3 · (1 + s)
    own = math.log(3 / 2) - (2 / 3) * (-1 / 4)
    left = 2 / 3 * ((2**2 / 2) * math.log(2) - (2**2 - 1) / 4)
    found = seepage.parse(text).measure("I(s; o)", unit="nats")
    assert found.lower - 1e-9 <= own - left <= found.upper + 1e-9


@pytest.mark.parametrize("noise", ["uniform(-1, 1)", "exponential(1)", "laplace(0, 1)"])
@pytest.mark.parametrize("output", ["max(s, n)", "if s + n > 0 then s else 0"])
def test_a_secret_that_is_shown_in_some_runs_is_told_without_bound(noise: str, output: str) -> None:
    program = seepage.parse(f"s ~ normal(0, 4)\nn ~ {noise}\no := {output}\n")
    told, left = program.measure("I(s; o)"), program.measure("H(s | o)")
    assert (told.certainty, told.lower) == (Certainty.EXACT, math.inf)
    assert (left.certainty, left.upper) == (Certainty.EXACT, -math.inf)


@pytest.mark.parametrize("noise", ["uniform(-1, 1)", "exponential(1)"])
def test_what_a_comparison_leaves_of_a_secret_is_what_it_does_not_tell(noise: str) -> None:
    program = seepage.parse(f"s ~ normal(0, 4)\nn ~ {noise}\no := s + n > 0\n")
    told, left = program.measure("I(s; o)", unit="nats"), program.measure("H(s | o)", unit="nats")
    assert left.certainty is Certainty.CERTIFIED
    assert left.lower - 1e-9 <= normal_entropy(4) - told.number <= left.upper + 1e-9


def _entropy_of_sum(densities: Sequence[Array], step: float) -> float:
    """Return the entropy in bits of a sum of independent variables, by convolution of densities at the middles of cells."""
    found = np.array([1 / step])
    for density in densities:
        size = len(found) + len(density) - 1
        found = np.fft.irfft(np.fft.rfft(found, size) * np.fft.rfft(density, size), size) * step
    found = found[found > 1e-14]
    return float(-(found * np.log2(found)).sum() * step)


@pytest.mark.parametrize("secrets", [("a", "b", "c", "d"), ("a", "b", "d"), ("c",)])
def test_many_secrets_behind_one_noisy_sum_are_told_through_it(secrets: Sequence[str]) -> None:
    """I(x; y) = h(y) − h(what is left of y given x), with all of the secrets or some, certified to 1e-8."""
    program = seepage.parse(
        "secret a, b, c, d\noutput o\na ~ uniform(0, 10)\nb ~ uniform(0, 10)\nc ~ exponential(1/2)\nd ~ laplace(0, 2)\n"
        "n ~ normal(0, 1)\no := (a + b + 2 * c + d) / 4 + n"
    )
    step = 1 / 256
    positive, both = np.arange(0, 30, step) + step / 2, np.arange(-12, 12, step) + step / 2
    laws: dict[str, Array] = {
        "a": np.full(int(2.5 / step), 0.4),
        "b": np.full(int(2.5 / step), 0.4),
        "c": np.exp(-positive),
        "d": np.exp(-2 * abs(both)),
        "n": np.exp(-both * both / 2) / math.sqrt(2 * math.pi),
    }
    whole = _entropy_of_sum([*laws.values()], step)
    left = _entropy_of_sum([density for name, density in laws.items() if name not in secrets], step)
    found = program.measure(f"I({', '.join(secrets)}; o)")
    assert found.certainty is Certainty.CERTIFIED
    assert found.upper - found.lower < 1e-8
    assert found.value == pytest.approx(whole - left, abs=3e-5)
