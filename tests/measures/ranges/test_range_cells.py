"""Budgets over ranges whose parameters stand in comparisons, and of arithmetic of measures, against values on grids."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.ranges.range_answers import RESPONSE, answer

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


@pytest.mark.family(every=4)
@pytest.mark.parametrize(
    "measure",
    ["I(s; v) * P(u < k)", "V(s | w) - V(s)", "I(s; o) / H(s)", "E(u) / (1 + V(w))", "Delta(s -> w, eps=1/10)"],
)
def test_the_least_budget_that_holds_is_the_greatest_value_on_a_grid(measure: str) -> None:
    # The measures change only where a comparison does and slowly in between, so that a grid finds their greatest value almost.
    program = parse(GUARDED)
    places: dict[str, list[int | Fraction]] = {
        "k": [1, Fraction(3, 2), 3, 5, Fraction(11, 2), 6],
        "eps": [Fraction(n, 4) for n in range(9)],
    }
    values = [
        program.measure(measure, params={"k": k, "eps": eps}).number for k in places["k"] for eps in places["eps"][::4]
    ]
    greatest = max(values)
    ranges = "over k in [1, 6], eps in [0, 2]"

    assert answer(GUARDED, f"{measure} <= {greatest + 0.02:.6f} {ranges}")[0] == "holds"
    assert answer(GUARDED, f"{measure} <= {greatest - 1e-6:.9f} {ranges}")[0] != "holds"


# What 't' is compared with is 0 or 1 for s in [3, 4] only, which neither the corners nor the middle of the ranges show.
NESTED = """param s in [0, 5] = 0
param t in [0, 10] = 1
u := s < 3 or s > 4
a ~ uniform_int(0, 1)
z := (if u then 0 else a) > t
"""


@pytest.mark.parametrize("ranges", ["t in [1/2, 3/2], s in [0, 5]", "s in [0, 5], t in [1/2, 3/2]"])
def test_ranges_are_cut_where_another_parameter_puts_the_break_points(ranges: str) -> None:
    assert answer(NESTED, f"P(z) <= 0 over {ranges}")[0] == "violated"
    assert answer(NESTED, f"P(z) <= 1/2 over {ranges}") == ("holds", "")


COMPARED = st.sampled_from(["a", "b", "a + b", "(if u then a else b)", "(if v then a else 0)", "2*a"])
COMPARISON = st.builds(
    "{} {} {}".format,
    COMPARED,
    st.sampled_from(["<", "<=", ">", ">=", "=="]),
    st.sampled_from(["s", "t", "2*t", "t + 1", "s/2"]),
)


@given(
    st.tuples(COMPARISON, COMPARISON, COMPARISON),
    st.sampled_from(["P(z)", "H(z)", "V(z)"]),
    st.sampled_from(["<= 0", "<= 1/4", ">= 1/4", "<= 3/4", ">= 1/2"]),
    st.permutations(["s in [0, 3]", "t in [0, 2]"]),
)
@settings(max_examples=20)
def test_a_budget_over_two_compared_parameters_is_never_proved_against_a_point(
    comparisons: tuple[str, str, str], measure: str, budget: str, ranges: list[str]
) -> None:
    u, v, z = comparisons
    text = (
        "param s in [0, 3] = 0\nparam t in [0, 2] = 0\na ~ uniform_int(0, 2)\nb ~ uniform_int(0, 1)\n"
        f"u := {u.replace('u', 'a == 0').replace('v', 'b == 1')}\nv := {v.replace('v', 'b == 1')}\nz := {z}\n"
    )
    found = answer(text, f"{measure} {budget} over {', '.join(ranges)}")[0]
    if found != "holds":
        return
    sign, _, bound = budget.partition(" ")
    program = parse(text)
    for s in (0, Fraction(1, 2), 1, Fraction(3, 2), 2, Fraction(5, 2), 3):
        for t in (0, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1, Fraction(3, 2), 2):
            value = program.measure(measure, params={"s": s, "t": t}).number
            kept = value <= Fraction(bound) + 1e-9 if sign == "<=" else value >= Fraction(bound) - 1e-9
            assert kept, f"{text}{measure} {budget} at s = {s}, t = {t}"


# None of these says anything of the variables that are asked for.
UNRELATED = (
    "b0 ~ uniform_int(0, 30); v0 := b0 > 10*t",
    "v0 := a >= t and a < 2*t",
    "v0 := if t > 1 then p else t",
    "d0 ~ bernoulli(p^2*(1 - p)); if d0 == t { e0 := 1 }",
)
ASKED = """param t in [0, 5] = 9/4
param p in [0, 1] = 1/3
a ~ uniform_int(0, 3)
c ~ bernoulli(p)
z := if c then a > t else a == 0
"""


@pytest.mark.family(every=4)
@pytest.mark.parametrize("unrelated", UNRELATED)
@pytest.mark.parametrize("t", ["9/4", "2"])
@pytest.mark.parametrize("measure", ["H(z)", "P(z)", "V(c | z)", "I(c; z)", "E(a | z)"])
def test_dead_code_and_names_change_no_formula_no_condition_and_no_verdict(
    unrelated: str, t: str, measure: str
) -> None:
    def found(text: str, measure: str) -> tuple[object, ...]:
        formula = parse(text).measure(measure, params={"t": t}).formula
        budgets = [answer(text, f"{measure} {budget} over t in [0, 3), p in [0, 1/2]") for budget in ("<= 1", "<= 1/2")]
        # What is said of a budget names it.
        verdicts = [(verdict, message.rpartition(" at ")[2]) for verdict, message in budgets]
        return (None if formula is None else (formula.text, formula.conditions, formula.definitions), verdicts)

    plain = found(ASKED, measure)
    renamed = {"a": "alpha", "z": "zeta", "c": "gamma_"}

    assert plain[0] is not None
    assert found(f"{ASKED}{unrelated}\n", measure) == plain
    assert found(*(re.sub(r"\b[azc]\b", lambda name: renamed[name[0]], each) for each in (ASKED, measure))) == plain
