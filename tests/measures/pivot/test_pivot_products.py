"""Products whose noise vanishes with a factor, against sums over grids in logarithmic coordinates, and quadrature.

With o = ±e^u and a pivot ±e^t every integrand is analytic and falls at least exponentially on both sides, so that sums over equal steps converge fast.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty, Result

Array = NDArray[np.float64]
STEP = 0.05
HALF_PI_E = math.log(2 * math.pi * math.e) / 2


def measured(text: str, measure: str) -> Result:
    found = seepage.parse(text).measure(measure, unit="nats")
    assert found.certainty is Certainty.CERTIFIED
    return found


def holds(found: Result, truth: float | mpf, width: float = 1e-8) -> bool:
    return bool(found.lower - 1e-8 <= truth <= found.upper + 1e-8 and found.upper - found.lower <= width)


def normal(z: Array) -> Array:
    return np.asarray(np.exp(-z * z / 2) / math.sqrt(2 * math.pi))


def laplace(z: Array) -> Array:
    return np.asarray(np.exp(-abs(z)) / 2)


def gamma(z: Array) -> Array:
    return np.where(z > 0, abs(z) * np.exp(-abs(z)), 0)


def entropy_and_noise(law: Callable[[Array], Array], zero: float, mean: float) -> tuple[float, float]:
    """Return the entropy of N(mean · d, d²), d being the distance of a pivot from ``zero``, and the mean of that given the pivot."""
    t = np.arange(-40, 5, STEP)
    distance = np.concatenate([np.exp(t), -np.exp(t)])
    weight = law(zero + distance) * abs(distance) * STEP
    u = np.arange(-42, 7, STEP)
    total = 0.0
    for sign in (1, -1):
        o = sign * np.exp(u)
        density = np.array([np.sum(weight * normal((x - mean * distance) / distance) / abs(distance)) for x in o])
        kept = density > 0
        total -= float(np.sum((density * np.log(np.where(kept, density, 1)) * np.exp(u))[kept])) * STEP
    noise = float(np.sum(weight * (HALF_PI_E + np.log(abs(distance)))))
    return total, noise


@pytest.mark.family(every=4)
@pytest.mark.parametrize(
    ("text", "law", "zero", "mean"),
    [
        ("x ~ normal(0, 1)\nz ~ normal(0, 1)\no := z*x + z/3\n", normal, -1 / 3, 0.0),
        ("z ~ normal(0, 1)\nx ~ normal(0, 1)\no := x*z + x/3\n", normal, 0.0, 1 / 3),
        ("x ~ laplace(0, 1)\nz ~ normal(0, 1)\no := x*z\n", laplace, 0.0, 0.0),
        ("x ~ gamma(2, 1)\nz ~ normal(0, 1)\no := x*z\n", gamma, 0.0, 0.0),
        ("x ~ laplace(0, 1)\nz ~ normal(0, 1)\no := (x - 1)*z\n", laplace, 1.0, 0.0),
    ],
)
def test_entropy_and_information_of_a_product_are_those_of_the_sum_over_a_grid(
    text: str, law: Callable[[Array], Array], zero: float, mean: float
) -> None:
    if zero == 1.0:
        # The density of the pivot has a kink, where equal steps would converge slowly: its two sides are weighed apart.
        given = float(mpmath.quad(lambda x: mpmath.exp(-abs(x)) / 2 * mpmath.log(abs(x - 1)), [-60, 0, 1, 60]))
        found = measured(text, "H(o)")
        known = measured(text, "I(x; o)")
        assert holds(known, found.number - HALF_PI_E - given)
        return
    entropy, noise = entropy_and_noise(law, zero, mean)

    assert holds(measured(text, "H(o)"), entropy)
    assert holds(measured(text, "I(x; o)"), entropy - noise)


def test_the_product_of_two_centred_normal_variables_has_one_entropy_by_both_ways() -> None:
    # By its closed density, and with a shift that is next to nothing by a pivot.
    closed = measured("x ~ normal(0, 1)\nz ~ normal(0, 1)\no := x*z\n", "H(o)")
    shifted = measured("x ~ normal(1e-30, 1)\nz ~ normal(0, 1)\no := x*z\n", "H(o)")

    assert abs(closed.number - shifted.number) < 1e-9
    # E log|x| = -(γ + log 2) / 2 for a normal variable.
    truth = closed.number - HALF_PI_E + float(mpmath.euler + mpmath.log(2)) / 2
    assert holds(measured("x ~ normal(0, 1)\nz ~ normal(0, 1)\no := x*z\n", "I(x; o)"), truth)


@pytest.mark.parametrize(
    ("law", "density", "places"),
    [
        ("uniform(0, 2)", lambda x: mpf(1) / 2, [0, 0.1, 2]),
        ("exponential(1)", lambda x: mpmath.exp(-x), [0, 0.1, 1, 5, 80]),
        ("beta(2, 3)", lambda x: 12 * x * (1 - x) ** 2, [0, 0.1, 1]),
        ("lognormal(0, 1/4)", lambda x: 2 * mpmath.npdf(2 * mpmath.log(x)) / x, [1e-9, 0.1, 1, 5, 400]),
    ],
)
def test_chances_of_a_product_are_integrals(law: str, density: Callable[[mpf], mpf], places: list[float]) -> None:
    truth = mpmath.quad(lambda x: density(x) * mpmath.ncdf(-1 / x) if x > 0 else mpf(0), places)

    assert holds(measured(f"x ~ {law}\nz ~ normal(0, 1)\no := x*z\n", "P(o > 1)"), truth)


@pytest.mark.parametrize(
    ("law", "density", "places"),
    [
        ("gamma(2, 1)", lambda x: x * mpmath.exp(-x), [0, 1, 5, 80]),
        ("beta(1/2, 1/2)", lambda x: 1 / (mpmath.pi * mpmath.sqrt(x * (1 - x))), [0, 0.5, 1]),
        ("triangular(0, 1, 2)", lambda x: 1 - abs(x - 1), [0, 1, 2]),
    ],
)
def test_information_behind_noise_that_a_variable_with_ends_scales(
    law: str, density: Callable[[mpf], mpf], places: list[float]
) -> None:
    text = f"x ~ {law}\nz ~ normal(0, 1)\nn ~ normal(0, 1)\no := x*z + n\n"
    given = mpmath.quad(lambda x: density(x) * mpmath.log(1 + x * x) / 2, places) + HALF_PI_E

    assert holds(measured(text, "I(x; o)"), measured(text, "H(o)").number - given)


@pytest.mark.variation(of="test_entropy_and_information_of_a_product_are_those_of_the_sum_over_a_grid")
def test_a_bit_that_shifts_a_factor_leaks_what_the_entropies_say() -> None:
    text = "s ~ bernoulli(1/2)\nx ~ normal(0, 1)\ny ~ normal(0, 1)\no := (x + s)*y + y\n"
    alone = [measured(f"x ~ normal(0, 1)\ny ~ normal(0, 1)\no := (x + {s})*y\n", "H(o)").number for s in (1, 2)]
    t = np.arange(-40, 4, STEP)
    distance = np.concatenate([np.exp(t), -np.exp(t)])
    weight = normal(distance) * abs(distance) * STEP
    u = np.arange(-42, 7, STEP)
    total = 0.0
    for sign in (1, -1):
        o = sign * np.exp(u)
        density = np.array(
            [np.sum(weight * sum(normal((x - m * distance) / distance) for m in (1, 2)) / 2 / abs(distance)) for x in o]
        )
        kept = density > 0
        total -= float(np.sum((density * np.log(np.where(kept, density, 1)) * np.exp(u))[kept])) * STEP

    assert holds(measured(text, "H(o)"), total)
    assert holds(measured(text, "I(s; o)"), total - sum(alone) / 2)


@pytest.mark.variation(of="test_entropy_and_information_of_a_product_are_those_of_the_sum_over_a_grid")
def test_information_does_not_depend_on_the_scale_of_the_noise() -> None:
    # A change of the scale of z is one of that of o, which loses nothing.
    text = "b ~ bernoulli(1/3)\nz ~ normal(0, {})\nx ~ normal(1, 1)\no := z*x + 2*b*z\n"
    truth = measured(text.format(1), "I(b; o)")
    for variance in ("1/1000000", "10000"):
        found = measured(text.format(variance), "I(b; o)")
        assert found.upper - found.lower < 1e-8
        assert abs(found.number - truth.number) < 1e-8
