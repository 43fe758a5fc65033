"""Budgets over ranges whose parameters stand in comparisons, and of arithmetic of measures, against values on grids."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.measures.range_answers import RESPONSE, answer

from seepage import parse

GUARDED = """param eps in [0, 5] = 1
param p in [0, 1] = 1/3
param k in [0, 10] = 3
secret s
output o
s ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
u ~ uniform_int(0, 9)
if exp(2*eps) > 4 { o := s } else { if t { o := s } else { o := 0 } }
v := if u < k then s else 0
w := if u < k then t else s
"""


@pytest.mark.parametrize(
    "requirement",
    [
        "I(s; o) <= 1 over eps in [0, 5]",
        "I(s; o) <= 0.9 over eps in [0, 0.69]",  # 2·0.69 is less than log 4
        "I(s; v) <= 0.2 over k in [0, 3], p in [0, 1]",
        "V(s | w) <= 1 over k in [0, 10], p in [0, 1], eps in [0, 5]",
        "P(u < k) <= 1/2 over k in [0, 5]",
        "P(o == 1 | u < k) <= 1/3 over k in [1, 6), eps in [0, 5]",
        "H(s | u < k) <= 1 over k in [1, 6), p in [0, 1]",
        "E(if exp(eps) > 3 then s else 1 - t) >= 1/4 over eps in [0, 5], p in [0.3, 1]",
    ],
)
def test_a_budget_is_proved_cell_by_cell(requirement: str) -> None:
    assert answer(GUARDED, requirement) == ("holds", "")


@pytest.mark.parametrize(
    ("requirement", "witness"),
    [
        ("P(u < k) <= 1/2 over k in [0, 5.01]", "at k = 501/100"),
        ("P(u < k) <= 1/2 over k in [0, 6)", "at k = 11/2"),
        # 1 - t has its least mean, 1/4, at the break point itself, which belongs to the second case.
        ("E(if exp(eps) > 3 then s else 1 - t) > 1/4 over eps in [0, 5], p in [0.3, 1]", "at eps = log(3), p = 1"),
    ],
)
def test_a_budget_is_refuted_in_one_cell(requirement: str, witness: str) -> None:
    found, message = answer(GUARDED, requirement)

    assert found == "violated"
    assert message.endswith(witness)


@pytest.mark.parametrize(
    "requirement",
    [
        "I(r; o) / H(r) <= 0.19 over p in (0, 1)",
        "1 - I(r; o) / H(r) >= 0.5 over p in [0.1, 0.9], eps in [0, 1]",
        "V(r | o) - V(r) <= 1/4 over p in [0.1, 0.9], eps in [0, 1]",
        "I(r; o) / eps <= 0.17 over eps in [0.1, 1]",
    ],
)
def test_arithmetic_of_measures_is_followed(requirement: str) -> None:
    assert answer(RESPONSE, requirement) == ("holds", "")


def test_a_quotient_that_has_no_value_at_an_end_is_not_proved() -> None:
    assert answer(RESPONSE, "I(r; o) / H(r) <= 0.3 over p in [0, 1]")[0] == "cannot tell"


@pytest.mark.parametrize(
    "measure",
    ["I(s; v) * P(u < k)", "V(s | w) - V(s)", "I(s; o) / H(s)", "E(u) / (1 + V(w))", "Delta(s -> w, eps=1/10)"],
)
def test_the_least_budget_that_holds_is_the_greatest_value_on_a_grid(measure: str) -> None:
    # The measures change only where a comparison does and slowly in between, so that a grid finds their greatest value almost.
    program = parse(GUARDED)
    places = {"k": [1, Fraction(3, 2), 3, 5, Fraction(11, 2), 6], "eps": [Fraction(n, 4) for n in range(9)]}
    values = [
        program.measure(measure, params={"k": k, "eps": eps}).value for k in places["k"] for eps in places["eps"][::4]
    ]
    greatest = max(values)
    ranges = "over k in [1, 6], eps in [0, 2]"

    assert answer(GUARDED, f"{measure} <= {greatest + 0.02:.6f} {ranges}")[0] == "holds"
    assert answer(GUARDED, f"{measure} <= {greatest - 1e-6:.9f} {ranges}")[0] != "holds"
