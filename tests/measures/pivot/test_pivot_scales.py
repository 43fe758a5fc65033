"""Noise that is much narrower or wider than what it hides, against closed forms."""

from __future__ import annotations

import math

import pytest

import seepage
from seepage.measures.result import Certainty, Result

NARROW = [1e-3, 1e-6, 1e-12]


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure, unit="nats")


def holds(found: Result, truth: float) -> None:
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-12 * abs(truth) <= truth <= found.upper + 1e-12 * abs(truth)
    assert found.upper - found.lower < 1e-8 * max(1, abs(truth))


@pytest.mark.parametrize("scale", [*NARROW, 1e2])
def test_laplace_laws_far_apart_diverge_by_their_distance(scale: float) -> None:
    text = f"s ~ flip(1/2)\nn ~ laplace(0, {scale!r})\no := s + n\n"
    holds(measured(text, "KL(o | s == 0 || o | s == 1)"), 1 / scale + math.exp(-1 / scale) - 1)


@pytest.mark.parametrize("size", NARROW)
def test_a_narrow_normal_law_diverges_from_a_laplace_one_by_its_mean_distance(size: float) -> None:
    text = f"s ~ flip(1/2)\nm ~ normal(0, {size!r})\nl ~ laplace(1, {size!r})\no := if s == 0 then m else l\n"
    # 1 is more than 31 deviations away, so that |x − 1| has the mean 1
    truth = 1 / size + math.log(2 * size) - math.log(2 * math.pi * math.e * size) / 2
    holds(measured(text, "KL(o | s == 0 || o | s == 1)"), truth)


@pytest.mark.parametrize("size", NARROW)
@pytest.mark.parametrize(("noise", "entropy"), [("laplace(0, {})", 1 + math.log(2)), ("exponential(1 / {})", 1.0)])
def test_narrow_noise_hides_nothing_of_a_bit(noise: str, entropy: float, size: float) -> None:
    # exp(−1/size) of the mass overlaps, less than 10^-434
    text = f"s ~ flip(1/2)\nn ~ {noise.format(repr(size))}\no := s + n\n"
    holds(measured(text, "I(s; o)"), math.log(2))
    holds(measured(text, "H(o)"), math.log(2) + entropy + math.log(size))
    holds(measured(text, "KL(o | s == 0 || o)"), math.log(2))


@pytest.mark.family(every=3)
@pytest.mark.parametrize("noise", ["laplace(0, 1e300)", "exponential(1e-300)"])
@pytest.mark.parametrize("output", ["x + n", "max(x + n, 0)"])
def test_noise_of_any_size_leaves_bounds(noise: str, output: str) -> None:
    found = measured(f"x ~ normal(0, 1)\nn ~ {noise}\no := {output}\n", "I(x; o)")
    # at most 1/2 log(1 + var x / var n), and so next to nothing, as h(n) is that of a normal law but for a constant
    assert found.lower <= 1e-6 <= found.upper or found.upper < 1e-6
