"""Formulas of combined measures have the value of the combination."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from tests.measures.formulas.formula_reading import read_latex, read_mathml, read_text

import seepage
from seepage.measures.formulas.arithmetic import combined_formula
from seepage.measures.formulas.tree import ONE, Definition, Node, Symbol, sum_of
from seepage.measures.formulas.wording import Worded

RESPONSE = """param p in [0, 1] = 1/3
param eps in [0, 10] = 1
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""
POINT = {"p": Fraction(1, 5), "eps": Fraction(2)}


@pytest.mark.parametrize(
    ("measure", "text", "conditions"),
    [
        ("I(r; o) / H(r)", "(h(p·q + (1 − p)·(1 − q)) − h(q))/h(p)", ("0·log 0 = 0", "h(p) ≠ 0")),
        ("2 * H(r) - I(r; o)", None, ("0·log 0 = 0",)),
        ("-H(o) + H(o)", "h(p·q + (1 − p)·(1 − q)) − h(p·q + (1 − p)·(1 − q))", ()),
        ("P(o) * (1 - P(r)) ^ 2", None, ()),
        ("Var(r) / 2", "p·(1 − p)/2", ()),
    ],
)
def test_formulas_combine_as_the_measures_do(measure: str, text: str | None, conditions: tuple[str, ...]) -> None:
    result = seepage.parse(RESPONSE, "test.seep").measure(measure, params=POINT)

    assert result.formula is not None
    assert text is None or result.formula.text == text
    assert result.formula.conditions == conditions
    for read in (read_text, read_latex, read_mathml):
        assert abs(read(result.formula, POINT) - mpmath.mpf(result.value)) < 1e-14


def test_a_static_number_with_a_parameter_has_no_formula_here() -> None:
    assert seepage.parse(RESPONSE, "test.seep").measure("p * H(o)").formula is None


def test_equal_names_with_different_meanings_are_told_apart() -> None:
    def shifted(by: Node) -> Worded:
        u = Symbol("u")
        return Worded(sum_of([(False, u), (False, ONE)]), (Definition(u, by),))

    left, right = shifted(Symbol("p")).formula(()), shifted(Symbol("eps")).formula(())

    combined = combined_formula("*", left, right)

    assert combined is not None
    assert combined.text == "(u + 1)·(v + 1)"
    assert combined.definitions == ("u := p", "v := eps")
    assert abs(read_text(combined, POINT) - mpmath.mpf(18) / 5) < 1e-40


def test_a_divisor_without_parameters_needs_no_condition() -> None:
    text = "param p in [0, 1] = 1/3\na ~ bernoulli(1/7)\nb ~ bernoulli(p)\nc := a xor b\n"

    constant, variable = (seepage.parse(text).measure(f"I(a; c) / {by}").formula for by in ("H(a)", "H(b)"))

    assert constant is not None
    assert constant.conditions == ("0·log 0 = 0",)
    assert variable is not None
    assert "h(p) ≠ 0" in variable.conditions
