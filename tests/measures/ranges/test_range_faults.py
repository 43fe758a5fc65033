"""What has no value at some point of a range: the fault is told with the point, and no budget holds over it."""

from __future__ import annotations

import pytest
from tests.measures.ranges.range_answers import answer

from seepage import parse
from seepage.measures.facts import Answer

BIT = "x ~ bernoulli(1/2)\n"
SECRET = "x ~ bernoulli(t)\ny := x\n"
ELEMENTS = f"{BIT}a[0] := 1\na[1] := 2\n"

# Each fault is met at the point that stands behind it, an end of the range [0, 1] or inside, and not at the default 1/7.
FAULTS = [
    ("SEEP401", "t = 0", f"{BIT}y := (x + 1) / t\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 0", f"{BIT}y := 3 % t + x\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 0", f"{BIT}y := x + t^(-1)\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 1/2", f"{BIT}y := x / (t - 1/2)\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 0", f"{BIT}y := x + log(t)\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 1", f"{BIT}y := x + log(1 - 2*t)\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 1", f"{BIT}y := x + sqrt(1/2 - t)\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 1/2", f"{BIT}y := x + sqrt((t - 1/4)*(t - 3/4))\n", "H(x | y) <= 1"),
    ("SEEP401", "t = 1", f"{BIT}y := bit_xor(x, 0 - floor(t))\n", "H(x | y) <= 1"),
    ("SEEP404", "t = 1", f"{BIT}if x + floor(t) {{ y := 1 }} else {{ y := 0 }}\n", "H(x | y) <= 1"),
    ("SEEP405", "t = 1", f"{ELEMENTS}k := x + floor(t)\ny := a[k]\n", "H(y) <= 1"),
    ("SEEP405", "t = 1", f"{ELEMENTS}k := if t > 1/2 then 2 else x\ny := a[k]\n", "H(y) <= 1"),
    ("SEEP410", "t = 0", f"{BIT}y ~ bernoulli(t)\nobserve(y == 1)\n", "H(x) <= 1"),
    ("SEEP410", "t = 1/2", f"{BIT}observe(t != 1/2)\n", "H(x) <= 1"),
    ("SEEP420", "t = 1", f"{BIT}y ~ bernoulli(2*t)\n", "H(x | y) <= 1"),
    ("SEEP421", "t = 0", f"{BIT}y ~ {{0: t, 1: 6/7}}\n", "H(x | y) <= 1"),
    ("SEEP422", "t = 1", f"{BIT}n ~ uniform_int(0, 1 - 2*floor(t))\ny := x + n\n", "H(x | y) <= 1"),
    ("SEEP422", "t = 0", f"{BIT}n ~ discrete_laplace(t)\ny := x + n\n", "H(x | y) <= 1"),
    ("SEEP422", "t = 1", f"{BIT}n ~ poisson(1/2 - t)\ny := x + n\n", "H(x | y) <= 1"),
    ("SEEP504", "t = 0", f"{BIT}y ~ bernoulli(t)\n", "H(x | y == 1) <= 1"),
    ("SEEP504", "t = 0", SECRET, "P(x == 1 | y == 1) <= 1"),
    ("SEEP509", "t = 0", SECRET, "I(x; y) / H(x) <= 1"),
    ("SEEP509", "t = 1/2", "x ~ bernoulli((t - 1/2)^2)\ny := x\n", "I(x; y) / H(x) <= 2"),
    ("SEEP509", "t = 0", SECRET, "G(x -> y, {(7, 1): 1}) <= 1"),
    ("SEEP401", "t = 0", SECRET, "H(x) <= 1 / t"),
    ("SEEP401", "t = 0", SECRET, "H(x) <= 1 - log(t)"),
    ("SEEP401", "t = 0", SECRET, "H(x) <= 2 + sqrt(t - 1/100)"),
]


def judged(text: str, budget: str, interval: str = "[0, 1]") -> Answer:
    text = f"param t in [0, 1] = 1/7\n{text}require {budget} over t in {interval}\n"
    return parse(text).analyze(seconds=30).answers[-1]


@pytest.mark.family(every=3)
@pytest.mark.parametrize(("code", "where", "text", "budget"), FAULTS)
def test_a_fault_at_a_point_of_a_range_is_told_with_the_point(code: str, where: str, text: str, budget: str) -> None:
    found = judged(text, budget)

    assert found.verdict == "cannot tell"
    assert found.diagnostic is not None
    assert found.diagnostic.rule.code == code
    assert where in found.diagnostic.message
    assert f"the budget has no meaning at {where}: " in found.diagnostic.notes[-1]


@pytest.mark.parametrize(
    ("text", "budget", "interval"),
    [
        (f"{BIT}y ~ bernoulli(t)\nobserve(y == 1)\n", "H(x) <= 1", "(0, 1]"),
        (f"{BIT}y ~ bernoulli(2*t)\n", "H(x | y) <= 1", "[0, 1/2]"),
        (SECRET, "P(x == 1 | y == 1) <= 1", "(0, 1]"),
        (SECRET, "H(x) <= 1 / t", "[1/7, 1]"),
        (SECRET, "H(x) <= 1 - log(t)", "(0, 1]"),
        (SECRET, "H(x) <= 1 + sqrt(t)", "[0, 1]"),
        (f"{BIT}observe(t != 1/2)\n", "H(x) <= 1", "[0, 1/2)"),
    ],
)
def test_without_the_point_the_budget_holds(text: str, budget: str, interval: str) -> None:
    assert judged(text, budget, interval).verdict == "holds"


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        (f"{BIT}y := (x + 1) / t\n", "H(x) - H(x | y) <= 1/2"),
        (f"{ELEMENTS}k := x + floor(t)\ny := a[k]\n", "H(y) <= 1/2"),
        ("x ~ bernoulli(t)\ny ~ bernoulli(t/2)\n", "P(x == 1) / P(y == 1) <= 1"),
    ],
)
def test_points_beside_a_fault_refute(text: str, budget: str) -> None:
    assert judged(text, budget).verdict == "violated"


def test_where_every_point_has_a_fault_none_is_said_to_be_left_out() -> None:
    found = judged(f"{BIT}z := 1 / x\n", "H(z) <= 1")

    assert found.diagnostic is not None
    assert found.diagnostic.message == "division by zero in '1 / x', witness x = 0, at t = 0"
    assert found.diagnostic.notes == ()


@pytest.mark.parametrize(
    ("budget", "where"),
    [
        ("H(x) <= 1 / (t - 1/3)^2", "t ≠ 1/3"),
        ("H(x) >= log((t - 1/3)^2)", "t ≠ 1/3"),
        ("H(x) * (1 / (t - 1/3)^2) >= 0", "t ≠ 1/3"),
        ("Delta(x -> y, eps=1 / (t - 1/3)^2) <= 1", "t ≠ 1/3"),
    ],
)
def test_numbers_of_a_budget_that_have_no_value_inside_a_range_are_told(budget: str, where: str) -> None:
    verdict, message = answer(f"param t in [0, 1] = 1/7\n{BIT}y ~ bernoulli(1/4)\n", f"{budget} over t in [0, 1]")

    assert verdict == "cannot tell"
    assert f"its numbers have values only where {where}, which the ranges do not ensure" in message


def test_a_fault_names_all_parameters_of_the_ranges() -> None:
    text = "param t in [0, 1] = 1/7\nparam q in [0, 1] = 1/2\nx ~ bernoulli(q)\ny := (x + 1) / t\n"

    verdict, message = answer(text, "H(x | y) <= 1 over t in [0, 1], q in [1/2, 1]")

    assert verdict == "cannot tell"
    assert message == "division by zero in '(x + 1) / t', witness x = 1, t = 0, at t = 0, q = 1/2"
