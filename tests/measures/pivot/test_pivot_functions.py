"""Exponentials, logarithms, roots and reciprocals of continuous values, against quadrature of their densities with numpy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty, Result

Array = NDArray[np.float64]
Density = Callable[[Array], Array]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)
# The density of w, as a function of the distance from where its support begins; that place, and the length of the support.
LAWS: dict[str, tuple[Density, float, float]] = {
    "uniform(1, 3)": (lambda d: 0 * d + 1 / 2, 1, 2),
    "1 + exponential(2)": (lambda d: 2 * np.exp(-2 * d), 1, 40),
    "1/2 + gamma(1/2, 1)": (lambda d: np.exp(-d) / np.sqrt(np.pi * d), 0.5, 80),
    "3 - 2*beta(2, 3)": (lambda d: 12 * (2 - d) / 2 * (d / 2) ** 2 / 2, 1, 2),
    "exponential(2)": (lambda d: 2 * np.exp(-2 * d), 0, 40),
    "3*beta(2, 3)": (lambda d: 12 * d / 3 * (1 - d / 3) ** 2 / 3, 0, 3),
    "gamma(3, 2)": (lambda d: 4 * d**2 * np.exp(-2 * d), 0, 40),
    "uniform(0, 2)": (lambda d: 0 * d + 1 / 2, 0, 2),
    "lognormal(1, 1/4)": (lambda d: np.exp(-2 * (np.log(d) - 1) ** 2 - np.log(d)) / np.sqrt(np.pi / 2), 0, 5000),
}
FUNCTIONS: dict[str, tuple[Density, Density]] = {
    "log(w)": (np.log, lambda w: 1 / w),
    "1 - 2*sqrt(w)": (lambda w: 1 - 2 * np.sqrt(w), lambda w: 1 / np.sqrt(w)),
    "w^1.5 / 2": (lambda w: w**1.5 / 2, lambda w: 3 * np.sqrt(w) / 4),
    "3/w": (lambda w: 3 / w, lambda w: 3 / w**2),
}
WITHOUT_MEAN = [("exponential(2)", "3/w"), ("uniform(0, 2)", "3/w")]
WITHOUT_SECOND_MOMENT = [*WITHOUT_MEAN, ("3*beta(2, 3)", "3/w")]


def above(place: float) -> float:
    """Return the chance that a standard normal variable is above a place."""
    return math.erfc(place / math.sqrt(2)) / 2


def below(place: float) -> float:
    return above(-place)


def text_of(law: str, function: str) -> str:
    plus, _, drawn = law.rpartition("+ ") if "+" in law else law.rpartition("- 2*") if "- 2*" in law else ("", "", law)
    if drawn.startswith("3*"):
        return f"d ~ {drawn[2:]}\nw := 3*d\no := {function}\n"
    if "- 2*" in law:
        return f"d ~ {drawn}\nw := {plus} - 2*d\no := {function}\n"
    return f"d ~ {drawn}\nw := {plus or 0} + d\no := {function}\n"


def assert_certified(found: Result, truth: float, width: float = 1e-9) -> None:
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.lower - width <= truth <= found.upper + width
    assert found.upper - found.lower <= width * max(1, abs(truth))


def mean(law: str, of: Callable[[Array, Array], Array]) -> float:
    """Integrate a function of w and of its density, in pieces that shrink towards both ends of the support."""
    density, start, length = LAWS[law]
    shrinking = length / 2 * 2.0 ** -np.arange(0, 90)
    found = 0.0
    for b, a in itertools.pairwise(shrinking):
        for low, high in ((a, b), (length - b, length - a)):
            d = (low + high) / 2 + (high - low) / 2 * NODES
            f = density(d)
            inside = f > 1e-290  # what is less is rounding, and its logarithm no number
            f, w = f[inside], (start + d)[inside]
            found += (high - low) / 2 * float(WEIGHTS[inside] @ (f * of(w, f)))
    return found


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("law", LAWS)
def test_mean_variance_and_entropy_of_a_function(law: str, function: str) -> None:
    of, slope = FUNCTIONS[function]
    program = seepage.parse(text_of(law, function))

    if (law, function) in WITHOUT_MEAN:
        with pytest.raises(seepage.MeasureError, match="has no mean"):
            program.measure("E(o)")
    else:
        assert_certified(program.measure("E(o)"), mean(law, lambda w, _: of(w)))
    if (law, function) not in WITHOUT_SECOND_MOMENT:
        variance = mean(law, lambda w, _: of(w) ** 2) - mean(law, lambda w, _: of(w)) ** 2
        assert_certified(program.measure("Var(o)"), variance, 1e-8)
    entropy = mean(law, lambda w, f: np.log(slope(w)) - np.log(f))
    assert_certified(program.measure("H(o)", unit="nats"), entropy, 1e-8)


def test_a_second_moment_that_is_infinite_has_no_number() -> None:
    program = seepage.parse(text_of("3*beta(2, 3)", "3/w").replace("beta(2, 3)", "beta(2, 1)"))

    with pytest.raises(seepage.MeasureError):
        program.measure("Var(o)")


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("exp(n) > 2", 1 / 4),
        ("3 - exp(n) <= 1", 1 / 4),
        ("exp(n) > -1", 1.0),
        ("sqrt(e) < 2", 1 - math.exp(-4)),
        ("2 > e^0.5", 1 - math.exp(-4)),
        ("2 - 3*log(e) >= 1", 1 - math.exp(-math.exp(1 / 3))),
        ("-1 < sqrt(e)", 1.0),
        ("sqrt(k) > 0", 1 / 3),
        ("logged < 1/2", 1 - math.exp(-math.exp(1 / 2))),
    ],
)
def test_chances_of_what_is_compared_with_a_number(condition: str, truth: float) -> None:
    text = "n ~ laplace(0, 1)\ne ~ exponential(1)\nb ~ bernoulli(1/3)\nk := b*e\nlogged := log(e)\n"

    assert_certified(seepage.parse(text).measure(f"P({condition})"), truth)


OUTPUTS = ["exp(s + n)", "3 - 2*exp(s + n)", "log(s + e)", "5/(s + e) - 1", "sqrt(s + e)"]


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_one_to_one_function_of_an_output_tells_the_same(output: str) -> None:
    text = "s ~ bernoulli(1/3)\nn ~ laplace(0, 1)\ne ~ exponential(1)\n"
    applied = seepage.parse(f"{text}o := {output}\n")
    plain = seepage.parse(f"{text}o := s + {'n' if 'n)' in output else 'e'}\n")

    for measure in ("I(s; o)", "V(s | o)", "Lmin(s -> o)", "Guess(s | o)", "H(s | o)", "KL(o | s == 1 || o | s == 0)"):
        expected = plain.measure(measure)
        found = applied.measure(measure)
        assert expected.certainty is found.certainty is Certainty.CERTIFIED
        assert (found.lower, found.upper) == pytest.approx((expected.lower, expected.upper), abs=1e-12)


@pytest.mark.parametrize("output", ["1/w", "log(w)"])
def test_what_may_have_no_value_has_no_measures(output: str) -> None:
    text = f"s ~ bernoulli(1/3)\nx ~ uniform(1, 2)\nw := s*x\no := {output}\n"

    for measure in ("I(s; o)", "E(o)", "P(o > 0)", "V(s | o)", "H(o)"):
        with pytest.raises(seepage.MeasureError):
            seepage.parse(text).measure(measure)
    with pytest.raises(seepage.MeasureError):
        seepage.parse("x ~ normal(1, 1)\no := sqrt(x)\n").measure("E(o)")


@pytest.mark.parametrize(
    ("output", "event", "truth"),
    [
        ("1/(s + n)", "o > -1", 1 / 2 * (above(0) + below(-1)) + 1 / 2 * (above(-1) + below(-2))),
        ("(s + n)^3", "o > -1", 1 / 2 * above(-1) + 1 / 2 * above(-2)),
        ("1 - 2*(s + n)^3", "o > 3", 1 / 2 * below(-1) + 1 / 2 * below(-2)),
        ("(s + n)^2", "o > -1", 1.0),
        ("-1/(s + n)^2", "o < 1", 1.0),
    ],
)
def test_odd_powers_and_reciprocals_have_values_below_0(output: str, event: str, truth: float) -> None:
    text = f"s ~ bernoulli(1/2)\nn ~ normal(0, 1)\no := {output}\n"
    try:
        found = seepage.parse(text).measure(f"P({event})")
    except seepage.MeasureError:
        return  # no number is no wrong number
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9


@pytest.mark.parametrize(
    ("measure", "observed"),
    [
        ("P(o > 0)", "observe x > 0"),
        ("I(x; o)", "observe x > 0"),
        ("P(o > 0 | x > 0)", ""),
        ("I(x; o | x > 1)", ""),
        ("V(s | o)", "observe x > 0"),
    ],
)
def test_what_has_no_value_when_it_is_computed_has_none_whatever_is_observed_later(measure: str, observed: str) -> None:
    text = f"s ~ bernoulli(1/2)\nx ~ normal(s, 1)\no := log(x)\n{observed}\n"

    with pytest.raises(seepage.MeasureError):
        seepage.parse(text).measure(measure)
    first = seepage.parse("s ~ bernoulli(1/2)\nx ~ normal(s, 1)\nobserve x > 0\no := log(x)\n")
    passing = (above(0) + above(-1)) / 2
    assert_certified(first.measure("P(o > 0)"), (above(1) + above(0)) / 2 / passing)
