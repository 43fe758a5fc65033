"""Formulas of linear Gaussian programs: as in textbooks, and equal to the numbers wherever the parameters lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import seepage
from seepage.measures.formulas.tree import Euler, Logarithm, Node, Numeral, Pi, Power, Product, Ratio, Sum, Symbol
from seepage.measures.result import Formula

CHANNEL = (
    "param s = 2\nparam v = 3\nparam m = 1\nsecret x\noutput y\nx ~ normal(m, 1)\nn ~ normal(0, v)\ny := s * x + n\n"
)


def formula(text: str, measure: str) -> Formula:
    found = seepage.parse(text).measure(measure).formula
    assert found is not None
    return found


def value(node: Node, at: Mapping[str, float]) -> float:
    """Evaluate a tree in floats."""
    match node:
        case Numeral(value=number):
            return float(number)
        case Pi():
            return math.pi
        case Symbol(name=name):
            return at[name]
        case Euler():
            return math.e
        case Sum(terms=terms):
            return math.fsum(-value(term, at) if negative else value(term, at) for negative, term in terms)
        case Product(factors=factors):
            return math.prod(value(factor, at) for factor in factors)
        case Ratio(top=top, bottom=bottom):
            return value(top, at) / value(bottom, at)
        case Power(base=base, exponent=exponent):
            return float(value(base, at) ** value(exponent, at))
        case Logarithm(argument=argument, unit=unit):
            return math.log2(value(argument, at)) if unit == "bits" else math.log(value(argument, at))
        case _:
            raise AssertionError(node)


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        ("I(x; y)", "1/2·log₂(1 + s²/v)"),
        ("H(n)", "1/2·log₂(2·π·e·v)"),
        ("H(y)", "1/2·log₂(2·π·e·(s² + v))"),
        ("H(x | y)", "1/2·log₂(2·π·e·v/(s² + v))"),
        ("E(y)", "s·m"),
        ("Var(y)", "s² + v"),
        ("E(n^2)", None),
    ],
)
def test_textbook_formulas(measure: str, text: str | None) -> None:
    found = seepage.parse(CHANNEL).measure(measure).formula

    assert (found.text if found is not None else None) == text
    assert found is None or found.conditions == ("v > 0",)


def test_formulas_are_in_the_unit_that_is_asked_for() -> None:
    found = seepage.parse(CHANNEL).measure("I(x; y)", unit="nats").formula

    assert found is not None
    assert found.text == "1/2·log(1 + s²/v)" or "ln" in found.text
    assert "\\frac{1}{2}" in found.latex
    assert "\\pi" in formula(CHANNEL, "H(n)").latex


MEASURES = (
    "I(x; y)",
    "H(y)",
    "H(x | y)",
    "H(x, y)",
    "KL(x || y)",
    "KL(x | y == 1 || x)",
    "E(x | y == 2)",
    "Var(x | y == 2)",
    "H(x | y == 2)",
    "I(x; y, z)",
    "I(y; z)",
)


@given(
    st.sampled_from(MEASURES),
    st.sampled_from(["1/3", "-2", "5"]),
    st.sampled_from(["1/100", "1", "17/3"]),
    st.sampled_from(["0", "-3", "7/2"]),
)
@settings(max_examples=15, deadline=None)
def test_formulas_hold_at_other_parameters(measure: str, s: str, v: str, m: str) -> None:
    text = f"{CHANNEL}k ~ normal(0, 2)\nz := x + k\n"
    found = formula(text, measure)
    numbers = {name: eval_fraction(number) for name, number in (("s", s), ("v", v), ("m", m))}

    result = seepage.parse(text).measure(measure, params={"s": s, "v": v, "m": m})

    assert found.tree is not None
    assert value(found.tree, numbers) == pytest.approx(result.value, abs=1e-9, rel=1e-9)


def eval_fraction(text: str) -> float:
    top, _, bottom = text.partition("/")
    return float(top) / float(bottom or 1)


def test_the_gaussian_mechanism_as_a_formula_of_epsilon() -> None:
    text = "param eps in [1/10, 100] = 1\nsecret x\noutput y\nx ~ normal(0, 1)\nn ~ normal(0, 2 * log(25/2) / eps^2)\ny := x + n\n"

    found = formula(text, "I(x; y)")

    assert found.text == "1/2·log₂(1 + eps²/(2·log(12.5)))"
    assert found.conditions == ()


@pytest.mark.parametrize(
    "tail",
    [
        "y := x * n\n",
        "b ~ bernoulli(1/2)\nif b == 1 { observe(n == 1) } else { observe(x == n) }\ny := x + b\n",
        "if x > 0 { y := x } else { y := n }\n",
        "u ~ uniform(0, v)\ny := x + u\n",
    ],
)
def test_other_programs_have_no_such_formula(tail: str) -> None:
    text = f"param v = 3\nsecret x\noutput y\nx ~ normal(0, 1)\nn ~ normal(0, v)\n{tail}"

    assert seepage.parse(text).measure("Var(y)").formula is None


def test_what_vanishes_is_a_condition() -> None:
    text = "param s = 2\nx ~ normal(0, 1)\ny := s * x\n"

    assert formula(text, "H(y)").conditions == ("s ≠ 0",)


def test_where_the_program_computes_no_number_is_a_condition() -> None:
    text = "param delta = 1/10\nx ~ normal(0, 1)\nn ~ normal(0, 2 * log(5/4 / delta))\ny := x + n\n"

    assert any("delta" in condition for condition in formula(text, "I(x; y)").conditions)


WAYS = """
param v in [1, 10] = 2
param p in [0, 1] = 1/3
param t = 1/4
x ~ normal(0, 1)
s ~ bernoulli(p)
if s == 1 { n ~ normal(0, v) } else { n ~ normal(1, 2*v) }
y := x + n
u ~ bernoulli(t)
w ~ normal(0, v + u)
k ~ uniform_int(1, 3)
z ~ normal(k, v)
"""


def bits(variance: float) -> float:
    return math.log2(2 * math.pi * math.e * variance) / 2


@pytest.mark.parametrize(("v", "p"), [(2.0, 1 / 3), (5.0, 0.75)])
@pytest.mark.parametrize(
    ("measure", "true"),
    [
        ("H(y | s)", lambda v, p: p * bits(v + 1) + (1 - p) * bits(2 * v + 1)),
        ("I(x; y | s)", lambda v, p: p * math.log2(1 + 1 / v) / 2 + (1 - p) * math.log2(1 + 1 / (2 * v)) / 2),
        ("E(y)", lambda v, p: 1 - p),
        ("Var(y)", lambda v, p: 1 + p * v + (1 - p) * 2 * v + p * (1 - p)),
        ("KL(y | s == 1 || y | s == 0)", lambda v, p: _divergence(v + 1, 2 * v + 1, 1.0)),
        ("H(z | k)", lambda v, p: bits(v)),
        ("Var(z)", lambda v, p: v + 2 / 3),
    ],
)
def test_one_normal_law_for_each_discrete_value(
    measure: str, true: Callable[[float, float], float], v: float, p: float
) -> None:
    tree = formula(WAYS, measure).tree
    assert tree is not None
    assert value(tree, {"v": v, "p": p, "t": 0.25}) == pytest.approx(true(v, p), rel=1e-12)


def _divergence(ours: float, theirs: float, gap: float) -> float:
    return (math.log(theirs / ours) + (ours + gap * gap) / theirs - 1) / 2 / math.log(2)


def test_probabilities_are_conditions_unless_their_domain_says_so() -> None:
    assert formula(WAYS, "H(w | u)").conditions == ("t ≥ 0", "1 − t ≥ 0")
    assert formula(WAYS, "H(y | s)").conditions == ()


def test_an_event_that_may_be_impossible_is_a_condition() -> None:
    assert any("p" in condition for condition in formula(WAYS, "H(y | s == 1)").conditions)


def test_a_mixture_has_no_formula_of_its_entropy() -> None:
    assert seepage.parse(WAYS).measure("H(y)").formula is None
