"""Budgets over ranges that the hidden value alone decides, whatever noise it is seen behind; and those that it must not decide."""

from __future__ import annotations

import pytest
from tests.measures.ranges.range_answers import answer

NOISY = """param w in [1, 2] = 1
param q in [0, 1/4] = 1/8
secret s, b
output o, p
s ~ uniform_int(0, 3)
b ~ bernoulli(q)
n ~ gumbel(0, 1)
o := w*s + n
m ~ gumbel(w, scale=w)
p := b + m
"""
QUICK = """param w in [1, 2] = 1
secret s
output o
s ~ uniform_int(0, 3)
n ~ uniform_int(0, 2)
o := w*s + n
"""


@pytest.mark.parametrize(
    "budget",
    [
        "I(s; o) <= 2 bits over w in [1, 2]",
        "I(b; p) <= 0.8113 bits over q in [0, 1/4], w in [1, 2]",  # h(1/4) = 0.811278
        "V(s | o) <= 1 over w in [1, 2]",
        "V(b | p) >= 3/4 over q in [0, 1/4], w in [1, 2]",
        "Guess(b | p) <= 5/4 over q in [0, 1/4]",
        "Hmin(s | o) >= 0 over w in [1, 2]",
        "C(b -> p) <= 1 bits over w in [1, 2]",
        "G(s -> o, distance) <= 0.585 bits over w in [1, 2]",  # before, the best guess is off by 1 of 3 on average: log2(3/2)
    ],
)
def test_what_the_hidden_value_itself_tells_decides(budget: str) -> None:
    assert answer(NOISY, budget) == ("holds", "")


def test_what_fails_at_a_point_is_violated() -> None:
    assert (
        answer(NOISY, "I(b; p) <= 0.02 bits over q in [0, 1/4], w in [1, 2]")[0] == "violated"
    )  # it is 0.06 at one end


@pytest.mark.parametrize(
    "more",
    [
        "k ~ laplace(0, w - 3/2)",  # no law for some w, so that no measure of the program has a value there
        "k ~ laplace(0, 1); observe k < w",
        "if w > 3/2 { k ~ laplace(0, 3/2 - w) } else { k := 0 }",
        "k := 1/(w - 7/4)",
        "k ~ uniform(w, 5/4)",
        "k := -3/2*w; l ~ laplace(0, k + 2)",
    ],
)
def test_a_meaning_in_the_whole_range_is_needed(more: str) -> None:
    assert answer(f"{QUICK}{more}\n", "I(s; o) <= 2 bits over w in [1, 2]")[0] == "cannot tell"
