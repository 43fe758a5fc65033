"""Discrete laws with infinite support beside noise of every shape, against sums and quadrature by mpmath: what was cut off is inside the bounds."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty, Result

Floats = npt.NDArray[np.float64]
Density = Callable[[Floats], Floats]

LOW, HIGH, TERMS = -45.0, 75.0, 80
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


def poisson(rate: float) -> list[float]:
    return [math.exp(-rate + n * math.log(rate) - math.lgamma(n + 1)) for n in range(TERMS)]


def geometric(p: float) -> list[float]:
    return [p * (1 - p) ** n for n in range(TERMS)]


def exponential(x: Floats) -> Floats:
    return np.where(x >= 0, 2 * np.exp(-2 * np.maximum(x, 0)), 0)


def normal_and_laplace(x: Floats) -> Floats:
    """The density of the sum of a standard normal and a standard Laplace variable."""
    below, above = (np.vectorize(lambda t: math.erfc(t / math.sqrt(2)))(side * x + 1) for side in (-1, 1))
    density: Floats = math.exp(0.5) / 4 * (np.exp(-x) * below + np.exp(x) * above)
    return density


def laplace(x: Floats) -> Floats:
    return np.exp(-np.abs(x)) / 2


NOISE: dict[str, Density] = {
    "laplace(0, 1/2)": lambda x: np.exp(-2 * np.abs(x)),
    "uniform(-1, 1)": lambda x: np.where(np.abs(x) < 1, 0.5, 0.0),
    "exponential(2)": exponential,
    "gamma(2, 1)": lambda x: np.where(x >= 0, x * np.exp(-np.maximum(x, 0)), 0),
    "triangular(-1, 0, 1)": lambda x: np.maximum(1 - np.abs(x), 0),
}
LAWS = {"poisson(3)": poisson(3), "geometric(1/2)": geometric(0.5)}


def over(f: Density, masses: list[float]) -> Density:
    def density(o: Floats) -> Floats:
        return sum((p * f(o - n) for n, p in enumerate(masses)), np.zeros_like(o))

    return density


def integral(of: Density, low: float = LOW) -> float:
    """By 24 nodes on each half of a unit, dense near whole numbers, where the breaks are."""
    t = (NODES + 1) / 2
    found = 0.0
    for k in range(round(HIGH - low)):
        for start, side in ((low + k, 1), (low + k + 1, -1)):
            found += float(np.sum(WEIGHTS * t**3 * of(start + side * t**4 / 2)))
    return found


def eta(f: Floats) -> Floats:
    return -f * np.log(np.maximum(f, 1e-300))


def entropy(masses: list[float]) -> float:
    return float(np.sum(eta(np.array(masses))))


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure, unit="nats")


def holds(found: Result, truth: float, slack: float = 1e-9, width: float = 1e-9) -> bool:
    assert found.certainty is not Certainty.APPROXIMATE
    return bool(found.lower - slack <= truth <= found.upper + slack and found.upper - found.lower <= width)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("law", LAWS)
def test_what_infinitely_many_values_tell_through_noise(law: str, noise: str) -> None:
    masses, density = LAWS[law], NOISE[noise]
    text = f"n ~ {law}\nl ~ {noise}\no := n + l\noutput o\n"
    whole = over(density, masses)
    own, alone = integral(lambda o: eta(whole(o))), integral(lambda o: eta(density(o)))
    assert holds(measured(text, "H(o)"), own)
    assert holds(measured(text, "I(n; o)"), own - alone)
    assert holds(measured(text, "H(n | o)"), entropy(masses) + alone - own)
    assert holds(measured(text, "H(o | n)"), alone)
    assert holds(measured(text, "P(o > 4)"), integral(whole, 4))


def test_a_secret_and_a_count_beside_it() -> None:
    text = "s ~ bernoulli(1/4)\nn ~ poisson(3/2)\nl ~ laplace(0, 1)\no := 2*s + n + l\noutput o\n"
    apart = over(laplace, poisson(1.5))
    whole = integral(lambda o: eta(3 * apart(o) / 4 + apart(o - 2) / 4))
    given = integral(lambda o: eta(apart(o)))
    assert holds(measured(text, "I(s; o)"), whole - given)
    assert holds(measured(text, "I(n; o | s)"), given - 1 - math.log(2))


def test_a_continuous_secret_and_a_count_beside_it() -> None:
    text = "x ~ normal(0, 1)\nn ~ poisson(1)\nl ~ laplace(0, 1)\no := x + n + l\noutput o\n"
    whole, given = over(normal_and_laplace, poisson(1)), over(laplace, poisson(1))
    own = integral(lambda o: eta(whole(o)), -35)
    assert holds(measured(text, "H(o)"), own, width=1e-7)
    assert holds(measured(text, "I(x; o)"), own - integral(lambda o: eta(given(o))), width=1e-7)


def test_observations_of_what_holds_a_count() -> None:
    text = "n ~ poisson(2)\nl ~ laplace(0, 1)\no := n + l\nobserve(o > 6)\noutput o\n"
    passed = [math.exp(n - 6) / 2 if n <= 6 else 1 - math.exp(6 - n) / 2 for n in range(TERMS)]
    chances = [p * chance for p, chance in zip(poisson(2), passed, strict=True)]
    mass = math.fsum(chances)
    assert holds(measured(text, "H(n)"), entropy([chance / mass for chance in chances]))
    assert holds(measured(text, "P(n >= 5)"), math.fsum(chances[5:]) / mass)


def test_far_events_are_followed_further() -> None:
    found = measured("n ~ geometric(1/2)\nl ~ laplace(0, 1/10)\no := n + l\noutput o\n", "P(n > 61 | o > 60.5)")
    assert found.certainty is not Certainty.APPROXIMATE
    with mpmath.workdps(30):

        def above(n: int) -> mpf:
            gap = 10 * (mpf(n) - mpf("60.5"))
            return mpmath.exp(gap) / 2 if gap < 0 else 1 - mpmath.exp(-gap) / 2

        masses = [above(n) / mpf(2) ** (n + 1) for n in range(200)]
        truth = mpmath.fsum(masses[62:]) / mpmath.fsum(masses)
    assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
    assert found.upper - found.lower < 1e-9


@pytest.mark.parametrize(
    "text",
    [
        "n ~ poisson(3)\nl ~ lognormal(0, 1)\no := l * (n + 1)\n",
        "n ~ poisson(3)\nl ~ lognormal(0, 1)\nif n > 2 { o := l } else { o := 2 * l }\n",
        "n ~ poisson(3)\nl ~ lognormal(0, 1)\no := max(l, n)\n",
        "n ~ poisson(3)\nl ~ exponential(n + 1)\no := l\n",
    ],
)
def test_what_was_cut_off_may_be_of_another_shape(text: str) -> None:
    """Nothing is known of a density there: no bounds of an entropy may be told; what a number tells is bounded still."""
    assert not measured(text + "output o\n", "H(o)").upper < float("inf")
    assert measured(text + "output o\n", "I(n; o)").certainty is Certainty.CERTIFIED


def test_second_moments_bound_what_was_cut_off_from_above() -> None:
    """Densities of Laplace noise may be of any height there, but are spread no wider than their second moments allow."""
    found = measured("n ~ poisson(3)\nl ~ laplace(0, 1)\no := l * (n + 1)\noutput o\n", "H(o)")
    weights = [mpmath.exp(-3) * mpmath.mpf(3) ** n / mpmath.factorial(n) for n in range(40)]

    def term(x: mpmath.mpf) -> mpmath.mpf:
        f = mpmath.fsum(w * mpmath.exp(-x / (n + 1)) / (2 * (n + 1)) for n, w in enumerate(weights))
        return -2 * f * mpmath.log(f)

    truth = mpmath.quad(term, [0, 1, 4, 16, 64, 256, 600])
    assert truth < found.upper < truth + 1e-9
    assert not found.lower > -float("inf")


@pytest.mark.parametrize("observed", ["observe(o == 2)", "observe(o == n)", "if n > 30 { observe(l == 1) }"])
def test_densities_may_not_weigh_what_was_cut_off(observed: str) -> None:
    text = f"n ~ poisson(3)\nl ~ laplace(0, 1)\no := n + l\n{observed}\noutput o\n"
    try:
        found = measured(text, "H(n)")
    except seepage.MeasureError:
        return
    assert found.certainty is Certainty.APPROXIMATE
