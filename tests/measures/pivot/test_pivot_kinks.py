"""Equalities observed at kinks of densities, which are continuous there, against Bayes' rule by hand; at jumps nothing is certified."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seepage import parse
from seepage.measures.result import Certainty

MECHANISM = "secret s\noutput o\ns ~ uniform_int(0, 3)\no ~ laplace(s, 1)\n"
TWO = "b ~ bernoulli(1/3)\n"


def _entropy(weights: list[float]) -> float:
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


@pytest.mark.parametrize("seen", range(-1, 5))
def test_whole_observations_of_the_laplace_mechanism(seen: int) -> None:
    weights = [math.exp(-abs(seen - s)) for s in range(4)]
    program = parse(MECHANISM)

    entropy = program.measure(f"H(s | o == {seen})")
    assert entropy.certainty is Certainty.CERTIFIED
    assert entropy.lower <= _entropy(weights) + 1e-12
    assert entropy.upper >= _entropy(weights) - 1e-12
    assert entropy.value == pytest.approx(_entropy(weights), abs=1e-12)
    chance = program.measure(f"P(s == 1 | o == {seen})")
    assert chance.value == pytest.approx(weights[1] / sum(weights), abs=1e-12)
    if seen == 1:
        assert entropy.value == pytest.approx(1.67988307597, abs=1e-11)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # At 2 one Laplace law has its peak, the other e^(-4/3) of it.
        ("if b { o ~ laplace(-2, 3) } else { o ~ laplace(2, 3) }\nobserve(o == 2)\n", math.exp(-4 / 3) / 3 / (math.exp(-4 / 3) / 3 + 2 / 3)),
        ("if b { o ~ laplace(1, 2) } else { o ~ normal(0, 1) }\nobserve(o == 1)\n", 0.25 / (0.25 + 2 * math.exp(-0.5) / math.sqrt(2 * math.pi))),
        # Peaks of triangular laws are 2 / width.
        ("if b { o ~ triangular(0, 1, 4) } else { o ~ uniform(0, 5) }\nobserve(o == 1)\n", 0.5 / (0.5 + 2 / 5)),
        # A product of densities: f_x(0) differs by 2, f_n(1) is the same.
        ("if b { x ~ laplace(0, 1) } else { x ~ laplace(0, 2) }\nn ~ laplace(0, 1)\nobserve(x + n == 1)\nobserve(x == 0)\n", 0.5),
        ("if b { x ~ laplace(0, 1) } else { x ~ laplace(0, 2) }\nn ~ laplace(0, 1)\nobserve(x + n == 1)\nobserve(x == 1)\n", 1 / (1 + math.exp(0.5))),
    ],
)  # fmt: skip
def test_posteriors_at_kinks(text: str, expected: float) -> None:
    found = parse(TWO + text).measure("P(b == 1)")

    assert found.certainty is Certainty.CERTIFIED
    assert found.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "if b { o ~ uniform(0, 2) } else { o ~ uniform(1, 4) }\nobserve(o == 2)\n",
        "if b { o ~ exponential(1) } else { o ~ laplace(0, 1) }\nobserve(o == 0)\n",
        "if b { o ~ triangular(0, 0, 4) } else { o ~ laplace(0, 1) }\nobserve(o == 0)\n",
        "if b { x ~ uniform(0, 1) } else { x ~ laplace(0, 2) }\nn ~ laplace(0, 1)\nobserve(x + n == 2)\nobserve(x == 1)\n",
    ],
)
def test_at_jumps_nothing_is_certified(text: str) -> None:
    assert parse(TWO + text).measure("P(b == 1)").certainty is Certainty.APPROXIMATE


@given(st.integers(-4, 4), st.integers(-4, 4), st.integers(1, 5), st.integers(1, 5), st.integers(-4, 4))
@settings(max_examples=25, deadline=None)
def test_two_laplace_laws_anywhere(first: int, second: int, one: int, other: int, seen: int) -> None:
    text = f"if b {{ o ~ laplace({first}, {one}) }} else {{ o ~ laplace({second}, {other}) }}\nobserve(o == {seen})\n"
    weights = [
        math.exp(-abs(seen - first) / one) / one,
        2 * math.exp(-abs(seen - second) / other) / other,
    ]

    found = parse(TWO + text).measure("P(b == 1)")

    assert found.certainty is not Certainty.APPROXIMATE
    assert found.value == pytest.approx(weights[0] / sum(weights), abs=1e-12)
