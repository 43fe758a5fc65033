"""Which measures depend on a parameter, and the leakage over its domain."""

from __future__ import annotations

import math

import mpmath
import pytest

from seepage.measures.facts import ParameterFacts
from seepage.pipeline import Options, analyze, check
from seepage.source import SourceFile

NOISY = """\
param p in [0, 1] = 1/2
param q in (0, 1/2] = 1/4
param unused = 1
secret s
output o
s ~ bernoulli(p)
flipped ~ bernoulli(q)
o := s xor flipped
show H(s)
show H(flipped)
require P(o) <= 1
"""


def facts(text: str, *, plots: bool = True) -> dict[str, ParameterFacts]:
    found = analyze(check(SourceFile("a.seep", text)), Options(plots=plots)).parameters
    return {one.name: one for one in found}


def binary_entropy(p: mpmath.mpf) -> mpmath.mpf:
    return -sum(x * mpmath.log(x, 2) for x in (p, 1 - p) if x)


def test_measures_are_told_that_read_a_parameter() -> None:
    found = facts(NOISY)

    assert found["p"].measures == ("H(s)", "P(o)", "I(s; o)")
    assert found["q"].measures == ("H(flipped)", "P(o)", "I(s; o)")
    assert found["unused"].measures == ()


def test_a_parameter_of_a_bound_counts() -> None:
    assert facts("param e = 1\nx ~ flip(1/2)\nrequire H(x) <= e\n")["e"].measures == ("H(x)",)


@pytest.mark.parametrize(
    "measure", ["G(x -> y, tries(e))", "G(x -> y, {(1, 1): e})", "G(x -> y, {(e, 1): 1})", "DP(x -> y, distance=e)"]
)
def test_a_parameter_of_a_gain_or_an_argument_counts(measure: str) -> None:
    assert facts(f"param e = 1\nx ~ flip(1/2)\ny := x\nshow {measure}\n")["e"].measures == (measure,)


def test_a_parameter_of_an_event_and_of_an_observation_counts() -> None:
    text = "param e = 1\nparam f = 1/2\nx ~ flip(1/2)\ny ~ flip(f)\nobserve x or y\nshow H(x)\nshow P(x == e)\n"

    assert facts(text)["e"].measures == ("P(x == e)",)
    assert facts(text)["f"].measures == ("H(x)", "P(x == e)")


@pytest.mark.parametrize(("name", "count"), [("p", 25), ("q", 24)])
def test_the_leakage_is_that_of_a_binary_channel(name: str, count: int) -> None:
    plot = facts(NOISY)[name].plot

    assert plot is not None
    assert (plot.measure, plot.unit, len(plot.points)) == ("I(s; o)", "bits", count)
    for point in plot.points:
        p, q = (point.at, mpmath.mpf(1) / 4) if name == "p" else (mpmath.mpf(1) / 2, point.at)
        true = binary_entropy(p * (1 - q) + q * (1 - p)) - binary_entropy(mpmath.mpf(q))
        # The point may be a rational that no float is: the curve is as steep as 10 at most near the ends.
        assert point.lower - 1e-12 <= true <= point.upper + 1e-12
        assert math.isclose(point.lower, point.upper, abs_tol=1e-9)
    assert [point.at for point in plot.points] == sorted(point.at for point in plot.points)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (NOISY.replace("[0, 1]", "[0, inf)"), "p"),
        (NOISY, "unused"),
        ("param p in [0, 1] = 1\nsecret x\noutput y\nx ~ normal(0, 1)\ny ~ normal(x, p)\n", "p"),
        (NOISY.replace("output o\n", ""), "p"),
    ],
    ids=["no end", "no measure", "continuous", "no output"],
)
def test_no_plot_is_made_where_none_is_quick_or_possible(text: str, name: str) -> None:
    assert facts(text)[name].plot is None


def test_no_plot_is_made_unless_it_is_asked_for() -> None:
    assert facts(NOISY, plots=False)["p"].plot is None
