"""Budgets over ranges without an upper end: what is only approached as a parameter grows is never reached."""

from __future__ import annotations

import math

import pytest
from tests.measures.ranges.range_answers import answer

TEXT = """param eps in [0, inf) = 1
param a in (0, inf) = 1
param p in [0, 1] = 1/2
s ~ bernoulli(p)
f ~ bernoulli(1/2)
u ~ bernoulli(exp(eps) / (1 + exp(eps)))
v ~ bernoulli(exp(-eps/2))
w ~ bernoulli(1 - exp(-3*a)/2)
m ~ bernoulli(eps / (1 + eps))
o := s xor u
r := f xor u
"""


def entropy(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


@pytest.mark.parametrize(
    "requirement",
    [
        "I(s; o) < 1 over eps in [0, inf), p in [0, 1]",
        "H(s | o) > 0 over eps in [0, inf), p in (0, 1)",
        "I(f; r) > 0 over eps in (0, inf)",
        "H(u) > 0 over eps in [0, inf)",
        "H(v) > 0 over eps in (0, inf)",
        "P(u == 1) < 1 over eps in [0, inf)",
        "P(u == 1 and w == 1) < 1 over eps in [0, inf), a in (0, inf)",
        "P(u == 1) - P(v == 1) >= -1/2 over eps in [0, inf)",
        "V(f | r) < 1 over eps in [0, inf)",
        "Lmin(f -> r) < 1 over eps in [0, inf)",
        "Cmin(f -> r) < 1 over eps in [0, inf)",
        f"H(u) <= {entropy(1 / (1 + math.exp(4))) + 1e-6:.9f} over eps in [4, inf)",
        f"H(w) < {entropy(0.5):.1f} over a in (0, inf)",
        "I(s; o) <= eps nats over eps in [0, inf), p in [0, 1]",
        "Lmin(f -> r) <= 1 + eps over eps in [0, inf)",
    ],
)
def test_what_is_only_approached_is_not_reached(requirement: str) -> None:
    assert answer(TEXT, requirement) == ("holds", "")


@pytest.mark.parametrize(
    "requirement",
    [
        "I(f; r) <= 0.999999 over eps in [0, inf)",
        "H(u) >= 1e-9 over eps in [0, inf)",
        "H(v) > 0 over eps in [0, inf)",  # v is 1 for sure at eps = 0
        "P(v == 1) >= 1/1000 over eps in [0, inf)",
        "P(w == 1) < 9999/10000 over a in (0, inf)",
        "V(f | r) <= 0.9999 over eps in [0, inf)",
        f"H(u) <= {entropy(1 / (1 + math.exp(4))) - 1e-6:.9f} over eps in [4, inf)",
        "P(m == 1) <= 0.99 over eps in [0, inf)",
    ],
)
def test_what_is_exceeded_far_out_is_refuted(requirement: str) -> None:
    assert answer(TEXT, requirement)[0] == "violated"


def test_the_witness_is_a_value_of_the_parameter() -> None:
    _, message = answer(TEXT, "P(v == 1) >= 1/1000 over eps in [0, inf)")

    told = message.rpartition("eps = ")[2]
    assert told.endswith("*log(2)")
    assert int(told.removesuffix("*log(2)")) * math.log(2) > 2 * math.log(1000)  # there exp(-eps/2) is 1/1000


def test_a_probability_that_divides_by_0_somewhere_is_not_proved() -> None:
    # In lowest terms 1/2; at eps = log(3) the program has no meaning.
    text = "param eps in [0, inf) = 1\nx ~ bernoulli((exp(eps) - 3) / (exp(eps) - 3) / 2)\n"

    assert answer(text, "P(x == 1) < 3/4 over eps in [0, inf)")[0] == "cannot tell"


@pytest.mark.parametrize(
    ("requirement", "verdict"),
    [
        # V = max(p, 1 - p), so that Hmin(s) = log2(1/V); at p = 1/4 it is log2(4/3) = 0.415.
        ("Hmin(s) <= 2*p over p in [1/4, 1/2]", "holds"),
        ("Hmin(s) <= 3/2*p over p in [1/4, 1/2]", "violated"),
        ("Lmin(s -> s) <= 4/3 - p over p in [0, 1/3]", "holds"),
        ("Lmin(s -> s) <= 1/8 + p over p in [1/4, 1/3]", "violated"),
    ],
)
def test_budgets_in_bits_with_parameters_are_decided_for_guessing(requirement: str, verdict: str) -> None:
    assert answer(TEXT, requirement)[0] == verdict
