"""Sums of normal and other noise, whole and clamped, against closed forms and sums over fine meshes."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from flint import acb, arb

import seepage
from seepage.engines.pivot.blurred import Blur
from seepage.engines.pivot.segments import Placed
from seepage.exact import number, precision
from seepage.laws.gamma import Gamma
from seepage.laws.laplace import Laplace
from seepage.laws.triangular import Triangular
from seepage.laws.uniform import Uniform
from seepage.measures.result import Certainty, Result

Array = np.ndarray
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(40)
_erfc = np.vectorize(math.erfc)


def mesh(*ends: float, parts: int = 40) -> tuple[Array, Array]:
    """Nodes and weights of a composite Gauss rule between some places."""
    places = [np.linspace(a, b, parts + 1) for a, b in pairwise(ends)]
    pairs = [(a, b) for row in places for a, b in pairwise(row)]
    nodes = [(a + b) / 2 + (b - a) / 2 * POINTS for a, b in pairs]
    return np.concatenate(nodes), np.concatenate([(b - a) / 2 * WEIGHTS for a, b in pairs])


def of_laplace(scale: float) -> tuple[Array, Array]:
    x, w = mesh(-40 * scale, 0, 40 * scale)
    return x, w * np.exp(-np.abs(x) / scale) / (2 * scale)


def of_gamma(shape: int) -> tuple[Array, Array]:
    x, w = mesh(0, 70)
    return x, w * x ** (shape - 1) * np.exp(-x) / math.gamma(shape)


def of_triangle(mode: float) -> tuple[Array, Array]:
    x, w = mesh(0, mode, 1)
    return x, w * np.where(x < mode, 2 * x / mode, 2 * (1 - x) / (1 - mode))


LAWS = {
    "laplace": (Laplace((2,)), 1, of_laplace(2.0)),
    "uniform": (Uniform(), -3, mesh(0, 1)),
    "gamma": (Gamma((3,)), number(Fraction(1, 2)), of_gamma(3)),
    "triangular": (Triangular((number(Fraction(1, 4)),)), 2, of_triangle(0.25)),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("variance", [Fraction(1, 16), Fraction(9, 4)])
def test_density_and_masses_around_places(name: str, variance: Fraction) -> None:
    """At points, over complex balls, over pieces of the line, and with moments behind a place."""
    law, scale, (x, w) = LAWS[name]
    blur = Blur(parameters=(number(variance),), parts=(Placed(law, 0, scale, *law.ends),))
    v, t = float(variance), float(Fraction(scale)) * x

    def density(z: complex) -> complex:
        return complex(np.sum(w * np.exp(-((z - t) ** 2) / (2 * v)))) / math.sqrt(2 * math.pi * v)

    def close(ball: arb, value: float) -> bool:
        return float(ball.lower()) - 1e-9 <= value <= float(ball.upper()) + 1e-9

    with precision(128):
        log = blur.log_within(None, None)
        for place in (-2.5, 0.0, 1.25):
            assert close(log(acb(place), True).real.exp(), density(place).real)
            chances = _erfc((place - t) / math.sqrt(2 * v)) / 2
            height = np.exp(-((place - t) ** 2) / (2 * v)) / math.sqrt(2 * math.pi * v)
            edge = number(Fraction(place))
            assert close(blur.probability(edge, None), np.sum(w * chances))
            assert close(blur.chance(None, arb(place)), np.sum(w * (1 - chances)))
            assert close(blur.moment_within(1, edge, None), np.sum(w * (t * chances + v * height)))
            second = (t * t + v) * chances + v * (place + t) * height
            assert close(blur.moment_within(2, edge, None), np.sum(w * second))
            size = 0.3 * math.sqrt(v)
            ball = log(acb(arb(place, size), arb(size, size)), True)
            line, slope = log(acb(arb(place, size)), True).real, blur.log_slope(arb(place, size))
            for step in (-1.0, -0.4, 0.7, 1.0):
                inner = cmath.log(density(complex(place + step * size, size - step * size)))
                assert close(ball.real, inner.real)
                assert any(close(ball.imag, inner.imag + turn * math.pi) for turn in (-2, 0, 2))  # of the same branch
                assert close(line, math.log(density(place + step * size).real))
                near = density(place + step * size + 1e-5).real, density(place + step * size - 1e-5).real
                assert float(slope.lower()) - 1e-6 <= math.log(near[0] / near[1]) / 2e-5 <= float(slope.upper()) + 1e-6


def test_a_ball_wider_than_the_noise_gets_no_value() -> None:
    """Within a distance of the noise's deviation a zero of the density is excluded, farther it is not."""
    law = Uniform()
    blur = Blur(parameters=(1,), parts=(Placed(law, 0, 1, *law.ends),))
    with precision(128):
        assert not blur.log_within(None, None)(acb(arb(0), arb(0, 2)), True).is_finite()


# --- programs ---------------------------------------------------------------------------------------------------------

TWO = "s ~ bernoulli(1/3)\nn ~ normal(0, 1)\nl ~ laplace(0, 1)\n"


@cache
def program(text: str) -> seepage.Program:
    return seepage.parse(text)


def certified(text: str, measure: str) -> Result:
    found = program(text).measure(measure, unit="nats")
    assert found.certainty in (Certainty.CERTIFIED, Certainty.EXACT)
    return found


def holds(found: Result, value: float, width: float = 1e-8) -> bool:
    return found.lower - 1e-8 <= value <= found.upper + 1e-8 and found.upper - found.lower < width


def two_noises(t: Array) -> Array:
    """The density of a standard normal plus a standard Laplace variable."""
    up, down = np.exp(0.5 - t), np.exp(0.5 + t)
    return np.asarray((up * _erfc((1 - t) / math.sqrt(2)) + down * _erfc((1 + t) / math.sqrt(2))) / 4)


def sum_over(function: Callable[[Array], Array], *ends: float) -> float:
    x, w = mesh(*ends, parts=4)
    return float(np.sum(w * function(x)))


def clamped() -> tuple[Array, Array, Array, Array]:
    """Weights of a rule on [0, 1] with an atom at each end, and the law of o there given s = 0 and s = 1."""
    x, w = mesh(0, 1, parts=4)
    f = [two_noises(x - s) for s in (0, 1)]
    right = sum_over(two_noises, 0, 5, 20), sum_over(two_noises, 1, 6, 20)
    below = 1 - right[0], right[1]  # of s + noise at 0, for s = 0 and 1
    above = right[1], right[0]
    laws = [np.concatenate([[below[s]], f[s], [above[s]]]) for s in (0, 1)]
    return x, np.concatenate([[1], w, [1]]), laws[0], laws[1]


CLAMPED = TWO + "o := min(max(s + n + l, 0), 1)\n"


def test_clamped_normal_and_laplace_noise() -> None:
    """All measures of atoms beside a density."""
    _, w, zero, one = clamped()
    o = 2 / 3 * zero + 1 / 3 * one
    entropy = -np.sum(w * o * np.log(o))
    told = np.sum(w * (2 / 3 * zero * np.log(zero / o) + 1 / 3 * one * np.log(one / o)))
    assert holds(certified(CLAMPED, "H(o)"), entropy)
    assert holds(certified(CLAMPED, "I(s; o)"), told)
    assert holds(certified(CLAMPED, "V(s | o)"), np.sum(w * np.maximum(2 / 3 * zero, 1 / 3 * one)))
    assert holds(certified(CLAMPED, "KL(o | s == 1 || o | s == 0)"), np.sum(w * one * np.log(one / zero)))
    excess = np.sum(w * np.maximum(one - math.exp(0.1) * zero, 0))
    found = certified(CLAMPED, "Delta(s -> o, eps = 1/10)")
    assert found.value == pytest.approx(excess, abs=1e-4)  # the mesh has a kink between nodes
    assert found.upper - found.lower < 1e-9
    ratio = np.max(np.abs(np.log(one / zero)))
    assert holds(certified(CLAMPED, "DP(s -> o)"), ratio)


def test_moments_of_a_clamped_sum() -> None:
    x, w, zero, one = clamped()
    places = np.concatenate([[0], x, [1]])
    o = 2 / 3 * zero + 1 / 3 * one
    mean = np.sum(w * o * places)
    assert holds(certified(CLAMPED, "E(o)"), mean)
    assert holds(certified(CLAMPED, "Var(o)"), np.sum(w * o * places**2) - mean**2)
    assert holds(certified(CLAMPED, "P(o > 1/2)"), np.sum(w[-1:] * o[-1:]) + _above_half())


def _above_half() -> float:
    return sum_over(lambda t: 2 / 3 * two_noises(t) + 1 / 3 * two_noises(t - 1), 0.5, 1)


def normal_and_uniform(t: Array) -> Array:
    return np.asarray((_erfc((t - 1) / math.sqrt(2)) - _erfc(t / math.sqrt(2))) / 2)


UNIFORM = "s ~ normal(0, 1)\nn ~ uniform(0, 1)\no := min(max(s + n, 0), 1)\n"


def test_clamped_normal_secret_behind_uniform_noise() -> None:
    x, w = mesh(0, 1, parts=4)
    f = normal_and_uniform(x)
    below = sum_over(normal_and_uniform, -9, -3, 0)
    masses = np.array([below, 1 - below - float(np.sum(w * f))])
    entropy = -np.sum(w * f * np.log(f)) - np.sum(masses * np.log(masses))
    assert holds(certified(UNIFORM, "H(o)"), entropy)


# --- privacy ----------------------------------------------------------------------------------------------------------

THREE = TWO + "u ~ uniform(0, 1)\no := s + n + l + u\n"


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        (THREE, 1.0),
        ("s ~ bernoulli(1/2)\nn ~ normal(0, 1)\nu ~ uniform(0, 1)\no := 2*s + n + u\n", math.inf),
        ("s ~ bernoulli(1/2)\nl ~ laplace(0, 3)\nk ~ laplace(0, 2)\nb ~ beta(2, 3)\no := s + l + k + b\n", 1 / 3),
        ("s ~ bernoulli(1/2)\nn ~ normal(0, 1)\nl ~ laplace(0, 3)\nk ~ laplace(0, 3)\no := s + n + l + k\n", 1 / 3),
    ],
)
def test_the_widest_laplace_noise_decides_the_loss(text: str, loss: float) -> None:
    """The greatest slope of the logarithm of a log-concave density is that of its tail."""
    found = certified(text, "DP(s -> o)")
    assert found.lower <= loss <= found.upper
    assert found.value == pytest.approx(loss)


def three_noises(t: Array) -> Array:
    x, w = mesh(0, 1, parts=1)
    return np.array([np.sum(w * two_noises(place - x)) for place in t])


def test_excess_behind_three_noises() -> None:
    """Of all outputs above a place, the best one: tried over a mesh."""
    edges = np.linspace(-20, 20, 801)
    middle = (edges[1:] + edges[:-1]) / 2
    f, g = three_noises(middle) * 0.05, three_noises(middle - 1) * 0.05
    gained = np.cumsum((g - math.exp(0.1) * f)[::-1])
    found = certified(THREE, "Delta(s -> o, eps = 1/10)")
    assert found.value == pytest.approx(float(np.max(gained)), abs=1e-3)
    assert found.upper - found.lower < 1e-9


def test_more_noise_of_heavier_tails_leaves_the_loss_open() -> None:
    """Exponential noise that is wider than the Laplace noise: above, it is the tail; below, the Laplace noise is."""
    text = "s ~ bernoulli(1/2)\nl ~ laplace(0, 1)\ne ~ exponential(1/4)\no := s + l + e\n"
    found = program(text).measure("DP(s -> o)", unit="nats")
    assert found.lower <= 1 <= found.upper


def test_divergence_behind_two_noises() -> None:
    text = TWO + "o := s + n + l\n"

    def gained(t: Array) -> Array:
        return np.asarray(two_noises(t - 1) * np.log(two_noises(t - 1) / two_noises(t)))

    truth = sum_over(gained, -20, -5, 0, 1, 6, 20)
    assert holds(certified(text, "KL(o | s == 1 || o | s == 0)"), truth, 1e-7)


def test_guessing_behind_two_noises() -> None:
    text = TWO + "o := s + n + l\n"
    kink = 1.0  # the mesh ends where the guesses change
    for _ in range(60):
        gap = float(np.log(two_noises(np.array([kink - 1]))[0] / two_noises(np.array([kink]))[0])) - math.log(2)
        kink -= gap * 2
    truth = sum_over(lambda t: 2 / 3 * two_noises(t), -20, -5, 0, kink)
    truth += sum_over(lambda t: 1 / 3 * two_noises(t - 1), kink, kink + 5, 20)
    assert holds(certified(text, "V(s | o)"), truth)


# --- heavy tails ------------------------------------------------------------------------------------------------------


def of_lognormal_and_normal(o: Array) -> Array:
    """The density of e^u + n, u and n standard normal, by a rule over the part of u that n reaches o from."""
    low = np.log(np.maximum(o - 10, math.exp(-9)))
    high = np.maximum(np.log(np.maximum(o + 10, math.exp(-9))), low)
    unit, w = mesh(0, 1, parts=4)
    u = low[:, None] + (high - low)[:, None] * unit
    inside = np.exp(-(u**2) / 2 - (o[:, None] - np.exp(u)) ** 2 / 2) / (2 * math.pi)
    return np.asarray((high - low) * (inside @ w))


def test_lognormal_secrets_behind_normal_noise() -> None:
    """The tail of the secret is long beside the noise: what is left out of it is in the bounds."""
    text = "b ~ bernoulli(1/2)\nx ~ lognormal(0, 1)\nn ~ normal(0, 1)\no := x + n + b\n"
    o, w = mesh(-9, 0, 10, 30, 100, 400, 1500, parts=3)
    zero, one = of_lognormal_and_normal(o), of_lognormal_and_normal(o - 1)
    both = np.maximum((zero + one) / 2, 1e-300)
    told = np.sum(w * (zero * np.log(np.maximum(zero, 1e-300) / both) + one * np.log(np.maximum(one, 1e-300) / both)))
    assert holds(certified(text, "I(b; o)"), told / 2)
    assert holds(certified(text, "H(o)"), -np.sum(w * both * np.log(both)))
