"""Formulas by cases hold exactly where they say: checked at and around every break point against the numeric engine."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import mpmath
import pytest
from tests.measures.formulas.formula_reading import evaluated, read_text

import seepage

THRESHOLD = "param p in [0, 1] = 1/3\nparam t in [0, 9] = 3\nx ~ uniform_int(0, 9)\nb ~ bernoulli(p)\n"


def holds(condition: str, point: Mapping[str, Fraction]) -> bool:
    left, relation, right = condition.split(" ")
    value, bound = (evaluated(side, (), point) for side in (left, right))
    return bool(
        {"<": value < bound, ">": value > bound, "≤": value <= bound, "≥": value >= bound}.get(relation, value == bound)
    )


@pytest.mark.parametrize(
    ("text", "measure", "conditions"),
    [
        (THRESHOLD + "y := if x > t then b else 0", "P(y == 1)", ("t ≥ 3", "t < 4")),
        (THRESHOLD + "if x >= t { y := b } else { y := 0 }", "P(y == 1)", ("t > 2", "t ≤ 3")),
        (THRESHOLD + "observe(x <= t)\ny := b + x", "E(y)", ("t ≥ 3", "t < 4")),
        (THRESHOLD + "if x == t { y := b } else { y := 0 }", "P(y == 1)", ("t = 3",)),
        (THRESHOLD + "if p > 1/4 { y := b } else { y := 1 }", "P(y == 1)", ("p > 1/4",)),
        (THRESHOLD + "y ~ bernoulli(if 2*t - x > 3 then p else p^2)", "P(y == 1)", ("t > 5/2", "t ≤ 3")),
        (THRESHOLD + "if x < t and t < 2*x { y := b } else { y := 0 }", "P(y == 1)", ("t > 2", "t ≤ 3")),
        (THRESHOLD + "y := b * t", "E(y)", ("t = 3",)),
        (THRESHOLD + "if x > 4 { if x < t { y := b } else { y := 1 } } else { y := 0 }", "P(y == 1)", ("t ≤ 5",)),
    ],
)
def test_a_formula_says_in_which_case_it_holds(text: str, measure: str, conditions: tuple[str, ...]) -> None:
    program = seepage.parse(text, "test.seep")

    formula = program.measure(measure).formula

    assert formula is not None
    assert formula.conditions == conditions
    breaks = [Fraction(n, 2) for n in range(19)]
    inside = 0
    for t in (each + shift for each in breaks for shift in (Fraction(-1, 8), Fraction(0), Fraction(1, 8))):
        for p in (Fraction(1, 4), Fraction(2, 7)):
            point = {"p": p, "t": t}
            if 0 <= t <= 9 and all(holds(condition, point) for condition in conditions):
                inside += 1
                exact = program.measure(measure, params=point).exact
                assert exact is not None
                assert abs(read_text(formula, point) - mpmath.mpf(exact.numerator) / exact.denominator) < 1e-40
    assert inside


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("param t in [0, 9] = 3\nx ~ uniform_int(0, 9)\ny := x * t", "H(y)"),
        ("param p in [0, 1] = 1/3\nparam n in [0, 9] = 3\nx ~ binomial(n, p)", "E(x)"),
    ],
)
def test_a_parameter_that_enters_a_value_is_at_its_value(text: str, measure: str) -> None:
    formula = seepage.parse(text, "test.seep").measure(measure).formula

    assert formula is None or any(condition in ("t = 3", "n = 3") for condition in formula.conditions)


def test_runs_that_an_observation_ends_at_the_asked_value_bound_the_case_too() -> None:
    # at t = 3 no run with x = 5 goes on; it would from t = 5 on, which is where the case must end
    text = THRESHOLD + "observe(x <= t)\nobserve(x == 0 or x == 5)\ny := b + x"

    formula = seepage.parse(text, "test.seep").measure("E(y)").formula

    assert formula is not None
    assert "t < 4" in formula.conditions
    assert formula.text == "p"
