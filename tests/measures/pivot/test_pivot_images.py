"""Exponentials and powers of continuous values, against their own densities by quadrature with mpmath."""

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

Density = Callable[[mpf], mpf]


def normal(mean: float, variance: float) -> Density:
    return lambda x: mpmath.npdf(x, mean, mpmath.sqrt(variance))


def laplace(x: mpf) -> mpf:
    return mpmath.exp(-abs(x) / 2) / 4


def squared(f: Density) -> Density:
    """The density of 3 w² − 1, as a function of the distance from −1."""

    def density(d: mpf) -> mpf:
        root = mpmath.sqrt(d / 3)
        return (f(root) + f(-root)) / (6 * root)

    return density


def exponential(f: Density) -> Density:
    """The density of 2 exp(w) − 1, likewise."""
    return lambda d: f(mpmath.log(d / 2)) / d


def integral(of: Density) -> mpf:
    """Over all distances, in their logarithm."""
    return mpmath.quad(lambda t: of(mpmath.exp(t)) * mpmath.exp(t), list(range(-70, 46, 2)), maxdegree=5)


def entropy(density: Density) -> mpf:
    def eta(y: mpf) -> mpf:
        f = density(y)
        return -f * mpmath.log(f) if f > 0 else mpf(0)

    return integral(eta)


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure, unit="nats")


def holds(found: Result, truth: mpf, width: float = 1e-9) -> bool:
    assert found.certainty is not Certainty.APPROXIMATE
    return bool(found.lower - 1e-9 <= truth <= found.upper + 1e-9 and found.upper - found.lower <= width)


@pytest.mark.family(every=4)
@pytest.mark.parametrize("law", ["normal(0, 1)", "normal(2, 1)", "normal(-1/2, 9)", "normal(30, 1/4)", "laplace(0, 2)"])
@pytest.mark.parametrize(("text", "of"), [("3*x^2 - 1", squared), ("2*exp(x) - 1", exponential)])
def test_the_entropy_of_an_image(law: str, text: str, of: Callable[[Density], Density]) -> None:
    f = {
        "normal(0, 1)": normal(0, 1),
        "normal(2, 1)": normal(2, 1),
        "normal(-1/2, 9)": normal(-0.5, 9),
        "normal(30, 1/4)": normal(30, 0.25),
        "laplace(0, 2)": laplace,
    }[law]
    if law == "laplace(0, 2)" and of is exponential:
        truth = mpmath.log(4) + 1 + mpmath.log(2)  # h(w) + log 2 + E w: the tail is too heavy for the quadrature
    elif law == "normal(30, 1/4)":
        slope = mpmath.quad(lambda w: f(w) * mpmath.log(6 * w), [25, 30, 35]) if of is squared else mpmath.log(2) + 30
        truth = mpmath.log(2 * mpmath.pi * mpmath.e / 4) / 2 + slope
    else:
        with mpmath.workdps(20):
            truth = entropy(of(f))
    assert holds(measured(f"x ~ {law}\ny := {text}\noutput y\n", "H(y)"), truth)


@pytest.mark.parametrize(("text", "of"), [("3*z*z - 1", squared), ("-1 + exp(z)*2", exponential)])
def test_what_an_image_tells_of_a_choice(text: str, of: Callable[[Density], Density]) -> None:
    program = f"s ~ bernoulli(1/4)\nz ~ normal(2*s, 1 + s)\ny := {text}\nother := y + s\noutput y\n"
    parts = [of(normal(0, 1)), of(normal(2, 2))]
    with mpmath.workdps(20):
        given = [entropy(part) for part in parts]
        whole = entropy(lambda y: (3 * parts[0](y) + parts[1](y)) / 4)
    truth = whole - (3 * given[0] + given[1]) / 4
    assert holds(measured(program, "I(s; y)"), truth)
    assert holds(measured(program, "H(y)"), whole)
    assert holds(measured(program, "H(y | s)"), whole - truth)
    left = -(mpmath.log(mpf(1) / 4) + 3 * mpmath.log(mpf(3) / 4)) / 4 - truth
    assert holds(measured(program, "H(s | y)"), left)


def test_odd_powers_tell_all_and_even_ones_no_sign() -> None:
    program = "s ~ bernoulli(1/2)\nz ~ normal(if s == 1 then 1 else -1, 1)\ny := (z + 0)^3\nq := z^4\noutput y\n"
    plain = measured(program.replace("^3", ""), "I(s; y)")
    assert holds(measured(program, "I(s; y)"), mpf(plain.value))
    assert measured(program, "I(s; q)").upper < 1e-9
    assert math.isinf(measured(program, "I(z; y)").lower)


Numbers = npt.NDArray[np.float64]

IN_PART: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "y := if s == 1 then x*x else 2*x*x": lambda s, x: np.where(s == 1, 1, 2) * x * x,
    "if s == 1 { y := x*x } else { y := exp(x) }": lambda s, x: np.where(s == 1, x * x, np.exp(x)),
    "y := x*x\nif s == 1 { y := 2*y }": lambda s, x: np.where(s == 1, 2, 1) * x * x,
    "y := exp(x)\nx := y": lambda _, x: np.exp(x),
    "y := x*x\nobserve(y > 1)": lambda _, x: np.where(x * x > 1, x * x, np.nan),
}


@pytest.mark.parametrize("text", IN_PART)
def test_what_is_an_image_in_part_only(text: str) -> None:
    """No value of these is one to one with what is raised; what eight intervals tell in a simulation is at most what is told, within six standard errors."""
    found = measured(f"s ~ bernoulli(1/2)\nx ~ normal(s, 1)\n{text}\noutput y\n", "I(s; y)")
    rng = np.random.default_rng(7)
    s = rng.integers(0, 2, 400_000).astype(np.float64)
    y = IN_PART[text](s, s + rng.standard_normal(400_000))
    s, y = s[~np.isnan(y)], y[~np.isnan(y)]
    cells = np.searchsorted(np.quantile(y, np.linspace(0, 1, 9)[1:-1]), y)
    joint = np.array([[np.mean((s == a) & (cells == b)) for b in range(8)] for a in range(2)])
    told = float(np.sum(joint * np.log(joint / joint.sum(0) / joint.sum(1, keepdims=True))))
    assert found.upper >= told - 6 / math.sqrt(len(s))
