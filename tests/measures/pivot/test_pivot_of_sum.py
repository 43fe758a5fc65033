"""What clamped, rectified and compared sums with noise tell of a continuous secret, against sums over fine meshes and closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

import seepage
from seepage.measures.result import Certainty, Result

Array = np.ndarray
Function = Callable[[Array], Array]
INFINITE = math.inf
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(12)
_erf = np.vectorize(math.erf)


@dataclass(frozen=True)
class Law:
    """A density, its distribution function, the places where it is not smooth, and an interval that holds all but 1e-15."""

    density: Function
    below: Function
    ends: tuple[float, float]
    kinks: tuple[float, ...] = ()


def normal(variance: float) -> Law:
    spread = math.sqrt(variance)
    return Law(
        lambda x: np.exp(-x * x / (2 * variance)) / math.sqrt(2 * math.pi * variance),
        lambda x: (1 + _erf(x / (spread * math.sqrt(2)))) / 2,
        (-9 * spread, 9 * spread),
    )


def laplace(scale: float) -> Law:
    return Law(
        lambda x: np.exp(-abs(x) / scale) / (2 * scale),
        lambda x: np.where(x < 0, np.exp(np.minimum(x, 0) / scale) / 2, 1 - np.exp(-np.maximum(x, 0) / scale) / 2),
        (-38 * scale, 38 * scale),
        (0,),
    )


def uniform(a: float, b: float) -> Law:
    return Law(
        lambda x: np.where((x >= a) & (x <= b), 1 / (b - a), 0), lambda x: np.clip((x - a) / (b - a), 0, 1), (a, b)
    )


def exponential(rate: float) -> Law:
    return Law(
        lambda x: np.where(x >= 0, rate * np.exp(-rate * np.maximum(x, 0)), 0),
        lambda x: 1 - np.exp(-rate * np.maximum(x, 0)),
        (0, 40 / rate),
    )


SECRETS = {
    "uniform(0, 10)": uniform(0, 10),
    "normal(0, 10)": normal(10),
    "laplace(0, 3)": laplace(3),
    "exponential(1/2)": exponential(1 / 2),
}
NOISES = {"laplace(0, 1)": laplace(1), "normal(0, 1)": normal(1), "uniform(-1, 2)": uniform(-1, 2)}
Piece = tuple[float, float, float | None]
"""From where to where of the sum, and which value it has there, None for the sum itself."""
FUNCTIONS: dict[str, Sequence[Piece]] = {
    "o := min(max(x + n, 0), 4)": [(-INFINITE, 0, 0), (0, 4, None), (4, INFINITE, 4)],
    "o := x + n > 3": [(-INFINITE, 3, 0), (3, INFINITE, 1)],
    "y := x + n\nif y > 1 and y < 3 { o := 1 } else { o := y > 3 }": [(-INFINITE, 1, 0), (1, INFINITE, 1)],
    "y := x + n\nif y > 1 and y < 3 { o := 1 } else { o := 0 }": [(-INFINITE, 1, 0), (1, 3, 1), (3, INFINITE, 0)],
}


def mesh(low: float, high: float, kinks: Sequence[float], count: int = 160) -> tuple[Array, Array]:
    """Return nodes and weights of Gauss rules on panels that are dense beside all kinks."""
    cuts = sorted({low, high, *(kink for kink in kinks if low < kink < high)})
    nodes, weights = [], []
    for a, b in pairwise(cuts):
        v = np.linspace(0, 1, max(24, int(count * (b - a) / (high - low))) + 1)
        edges = np.unique(a + (b - a) * v**4 * (35 - 84 * v + 70 * v**2 - 20 * v**3))
        half, centre = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
        nodes.append((centre[:, None] + half[:, None] * POINTS).ravel())
        weights.append((half[:, None] * WEIGHTS).ravel())
    return np.concatenate(nodes), np.concatenate(weights)


def eta(p: Array) -> Array:
    return np.where(p > 0, -p * np.log(np.where(p > 0, p, 1)), 0)


def window(law: Law, low: float, high: float, at: Array) -> Array:
    """Return P(at + value in the window)."""
    above = np.ones_like(at) if high == INFINITE else law.below(high - at)
    return above - (0 if low == -INFINITE else law.below(low - at))


def expected(x: Law, n: Law, pieces: Sequence[Piece]) -> tuple[float, float]:
    """Return I(x; o) and H(o | x) in nats."""
    noise_kinks = [*n.kinks, *n.ends]
    own_kinks = [*x.kinks, *x.ends]
    cuts = [edge for low, high, _ in pieces for edge in (low, high) if math.isfinite(edge)]
    told, left = 0.0, 0.0
    t, weight = mesh(*x.ends, [*x.kinks, *(cut - kink for cut in cuts for kink in noise_kinks)])
    for kept in {value for _, _, value in pieces if value is not None}:
        chance = sum((window(n, low, high, t) for low, high, own in pieces if own == kept), np.zeros_like(t))
        whole, given = (weight * x.density(t) * chance).sum(), (weight * x.density(t) * eta(chance)).sum()
        told, left = told + float(eta(np.array(whole))) - given, left + given
    for low, high, value in pieces:
        if value is not None:
            continue
        ends = max(low, x.ends[0] + n.ends[0]), min(high, x.ends[1] + n.ends[1])
        s, span = mesh(*ends, [a + b for a in own_kinks for b in noise_kinks])
        density = []
        for place in s:
            inner = max(x.ends[0], place - n.ends[1]), min(x.ends[1], place - n.ends[0])
            u, step = mesh(*inner, [*x.kinks, *(place - kink for kink in n.kinks)])
            density.append((step * x.density(u) * n.density(place - u)).sum())
        u, step = mesh(*n.ends, [*n.kinks, *(cut - kink for cut in cuts for kink in own_kinks)])
        given = (step * eta(n.density(u)) * window(x, low, high, u)).sum()
        told, left = told + (span * eta(np.array(density))).sum() - given, left + given
    return told, left


def program(secret: str, noise: str, function: str) -> seepage.Program:
    return seepage.parse(f"secret x\noutput o\nx ~ {secret}\nn ~ {noise}\n{function}\n")


def encloses(result: Result, value: float, error: float) -> bool:
    return result.lower - error <= value <= result.upper + error


@pytest.mark.family(every=5)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("secret", SECRETS)
def test_a_piecewise_linear_function_of_a_sum(secret: str, noise: str, function: str) -> None:
    told, left = expected(SECRETS[secret], NOISES[noise], FUNCTIONS[function])
    asked = program(secret, noise, function)
    for measure, value in (("I(x; o)", told), ("H(o | x)", left)):
        result = asked.measure(measure, unit="nats")
        assert result.certainty is Certainty.CERTIFIED
        assert encloses(result, value, 1e-9)
        assert result.upper - result.lower < 1e-9


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "law", ["normal(0, 2)", "laplace(0, 1/3)", "uniform(-1, 1)", "triangular(-1, 0, 1)", "student_t(3, 0, 1)"]
)
def test_the_sign_of_two_of_one_symmetric_law(law: str) -> None:
    """P(o = 1 | x) = F(x) is uniform: I = log 2 − ∫ h(u) du = log 2 − 1/2."""
    result = program(law, law, "o := x + n > 0").measure("I(x; o)", unit="nats")
    assert result.certainty is Certainty.CERTIFIED
    assert encloses(result, math.log(2) - 0.5, 0)
    assert result.upper - result.lower < 1e-9


@pytest.mark.family(every=5)
@pytest.mark.parametrize("noise", ["laplace(0, 1/100)", "laplace(0, 1000)", "normal(0, 1/10)", "uniform(-1, 1)"])
@pytest.mark.parametrize("secret", ["uniform(0, 10)", "gamma(3, 1)", "exponential(1)"])
def test_more_of_the_sum_tells_more(secret: str, noise: str) -> None:
    functions = ("o := x + n > 1", "o := min(max(x + n, 1), 2)", "o := max(x + n, 1)", "o := x + n")
    results = [program(secret, noise, function).measure("I(x; o)", unit="nats") for function in functions]
    for less, more in pairwise(results):
        assert less.lower <= more.upper


def test_a_clamp_that_nothing_reaches_keeps_all() -> None:
    plain = program("uniform(0, 1)", "uniform(0, 1)", "o := x + n").measure("I(x; o)", unit="nats")
    clamped = program("uniform(0, 1)", "uniform(0, 1)", "o := min(max(x + n, -1), 3)").measure("I(x; o)", unit="nats")
    assert encloses(clamped, 0.5, 0)  # h of the triangle is 1/2, h of the noise 0
    assert encloses(plain, 0.5, 0)


def test_a_clamp_or_not_by_chance() -> None:
    """With a fair coin that o does not show: known, as the noise has no atoms and the clamped part is inside."""
    text = "secret x\noutput o\nx ~ uniform(0, 10)\nn ~ laplace(0, 1)\nt ~ bernoulli(1/4)\nif t == 1 { o := 20 } else { o := min(max(x + n, 0), 4) }\n"
    told, _ = expected(SECRETS["uniform(0, 10)"], NOISES["laplace(0, 1)"], FUNCTIONS["o := min(max(x + n, 0), 4)"])
    result = seepage.parse(text).measure("I(x; o)", unit="nats")
    assert result.certainty is Certainty.CERTIFIED
    assert encloses(result, 0.75 * told, 1e-9)


@pytest.mark.variation(of="test_a_piecewise_linear_function_of_a_sum")
@pytest.mark.parametrize("function", ["o := abs(x + n)", "o := (x + n) ^ 2"])
def test_images_that_meet_have_the_sum_as_an_upper_bound(function: str) -> None:
    result = program("uniform(0, 10)", "laplace(0, 1)", function).measure("I(x; o)", unit="nats")
    whole = program("uniform(0, 10)", "laplace(0, 1)", "o := x + n").measure("I(x; o)", unit="nats")
    assert result.certainty is Certainty.CERTIFIED
    assert result.upper <= whole.upper + 1e-12


def test_a_sum_that_is_observed_is_not_taken_for_one_that_is_not() -> None:
    """Given x + n > 5 the secret is no longer uniform, so that the formula for clamped sums does not hold."""
    text = "secret x\noutput o\nx ~ uniform(0, 10)\nn ~ laplace(0, 1)\nobserve(x + n > 5)\no := x + n > 7\n"
    u = np.arange(0, 10, 0.0005) + 0.00025
    passed, above = (1 - laplace(1).below(edge - u) for edge in (5, 7))
    posterior = passed / passed.sum()
    share = above / passed
    whole = (posterior * share).sum()
    told = eta(np.array([whole, 1 - whole])).sum() - (posterior * (eta(share) + eta(1 - share))).sum()
    result = seepage.parse(text).measure("I(x; o)", unit="nats")
    assert result.certainty is not Certainty.CERTIFIED or encloses(result, told, 1e-6)


@pytest.mark.variation(of="test_more_of_the_sum_tells_more")
def test_what_the_sum_tells_bounds_what_is_not_known_better() -> None:
    """Normal noise much narrower than a beta law of no whole shapes: the density of the sum has no form whose clamped part is integrated."""
    plain, clamped = (
        program("beta(3/2, 2)", "normal(0, 1/10000)", f"o := {value}").measure("I(x; o)", unit="nats")
        for value in ("x + n", "max(x + n, 1/10)")
    )
    own = (
        math.log(4 / 15) - 0.03648997397857652 / 2 - 0.42278433509846714 + 1.5 * 1.1031566406452432
    )  # ψ at 3/2, 2, 7/2
    above = own - math.log(2 * math.pi * math.e / 10000) / 2
    assert clamped.certainty is Certainty.CERTIFIED
    assert clamped.upper <= plain.upper + 1e-9
    assert above - 0.02 < clamped.upper < above + 0.02
