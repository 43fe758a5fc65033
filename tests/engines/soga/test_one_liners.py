"""Short programs that Gaussian-mixture engines get silently wrong, one for each kind of mistake, with their exact answers."""

from __future__ import annotations

import math

import pytest

import seepage

PHI_1 = 0.5 * math.erfc(-1 / math.sqrt(2))  # the standard normal distribution function at 1
COIN = "b ~ flip(1/2)\n"
NORMAL = "x ~ normal(0, 1)\n"

ONE_LINERS = [
    # a variable is the same variable wherever it is read
    (NORMAL + "y := x + x", "Var(y)", 4),
    (NORMAL + "y := x - x", "P(y == 0)", 1),
    (NORMAL + "y := x\nx ~ normal(0, 1)\nz := x + y", "Var(z)", 2),
    (NORMAL + "for i in 1..3 { x := x + 1 }", "E(x)", 3),
    (NORMAL + "y ~ normal(x, 1)\nz := y - x", "Var(z)", 1),
    (NORMAL + "y ~ normal(x, 1)\nz := y - x", "I(x; z)", 0),
    # an equality updates weights by likelihood
    (COIN + "x ~ normal(2 * b, 1)\nobserve(x == 2)", "P(b)", 1 / (1 + math.exp(-2))),
    (COIN + "x ~ normal(0, 1 + 3 * b)\nobserve(x == 0)", "P(b)", 1 / 3),
    (COIN + NORMAL + "if b { observe(x == 0) } else { observe(x == 1) }", "P(b)", 1 / (1 + math.exp(-1 / 2))),
    (COIN + NORMAL + "if b { observe(2 * x == 0) } else { observe(x == 0) }", "P(b)", 1 / 3),
    (
        COIN + NORMAL + "y ~ normal(0, 1)\nif b { observe(x == y) } else { observe(x + y == 2) }",
        "P(b)",
        1 / (1 + math.exp(-1)),
    ),
    # … and what is correlated
    (NORMAL + "y := x\nobserve(y == 1)", "E(x)", 1),
    (NORMAL + "y := 2 * x\nobserve(y == 1)", "Var(x)", 0),
    (NORMAL + "y ~ normal(0, 1)\nobserve(x + y == 2)", "E(x)", 1),
    (NORMAL + "y ~ normal(0, 1)\nobserve(x + y == 2)", "Var(x - y)", 2),
    (NORMAL + "for i in 1..3 { y[i] ~ normal(x, 1)  observe(y[i] == 1) }", "E(x)", 3 / 4),
    (NORMAL + "for i in 1..3 { y[i] ~ normal(x, 1)  observe(y[i] == 1) }", "Var(x)", 1 / 4),
    # what is determined already is an atom
    (NORMAL + "observe(x == 1)\nobserve(x == 1)", "E(x)", 1),
    (NORMAL + "observe(x == 1)\ny := x + 1\nobserve(y == 2)", "P(y == 2)", 1),
    (COIN + NORMAL + "observe(x == 1)\nif b { observe(x == 1) } else { observe(x == 2) }", "P(b)", 1),
    (COIN + NORMAL + "if b { y := 1000 } else { y := x }\nobserve(y == 1000)", "P(b)", 1),
    (COIN + NORMAL + "if b { observe(x == 0) }", "P(b)", 0),
    # an observation in a branch changes the weight of the branch
    (COIN + "x ~ uniform_int(0, 3)\nif b { observe(x == 1) }", "P(b)", 1 / 5),
    (COIN + NORMAL + "if b { observe(x > 0) }", "P(b)", 1 / 3),
    (COIN + NORMAL + "if b { observe(x > 0 and x < 1) } else { observe(x < 0) }", "P(b)", (PHI_1 - 0.5) / PHI_1),
    (COIN + "x ~ normal(b, 1)\nobserve(x > 0)", "P(b)", PHI_1 / (PHI_1 + 0.5)),
    (COIN + "x ~ normal(b, 1)", "P(b | x > 0)", PHI_1 / (PHI_1 + 0.5)),
    (NORMAL + "observe(x > 0)", "E(x)", math.sqrt(2 / math.pi)),
    # discrete factors and choices
    (COIN + NORMAL + "y := b * x", "P(y == 0)", 1 / 2),
    (COIN + NORMAL + "y := b * x", "Var(y)", 1 / 2),
    ("k ~ uniform_int(0, 2)\na[0] ~ normal(1, 1)\na[1] ~ normal(2, 1)\na[2] := 6\ny := a[k]", "E(y)", 3),
    (COIN + "x ~ normal(mean = b, std = 1 + b)", "Var(x)", (1 + 4) / 2 + 1 / 4),
    ("x ~ 1/4 * normal(0, 1) + 3/4 * uniform_of(2)", "P(x == 2)", 3 / 4),
    # variance 0 is a point
    (COIN + "x ~ normal(1, b)", "P(x == 1)", 1 / 2),
    (COIN + "x ~ normal(1, b)\nobserve(x == 1)", "P(b)", 0),
]


@pytest.mark.parametrize(("program", "measure", "answer"), ONE_LINERS, ids=[f"{m}: {p}" for p, m, _ in ONE_LINERS])
def test_gets_what_others_get_silently_wrong(program: str, measure: str, answer: float) -> None:
    found = seepage.parse(program).measure(measure)
    assert found.value == pytest.approx(answer, rel=1e-12, abs=1e-15)
    assert found.lower <= answer * (1 + 1e-14) + 1e-30
    assert answer * (1 - 1e-14) <= found.upper


@pytest.mark.parametrize(
    "condition",
    ["x * x == 1", "x * y == 1", "x / y == 1", "x^3 == 1", "2^x == 1", "abs(x) == 1", "1 / x == 1", "sqrt(x) == 1"],
)
def test_refuses_an_equality_that_is_not_linear(condition: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(NORMAL + f"y ~ normal(0, 1)\nobserve({condition})").measure("E(y * x)")
    assert caught.value.diagnostic.rule.code == "SEEP311"


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("b ~ flip(1/2)\nx ~ normal(0, b - 1/2)", "is -1/2 when b = 0"),
        ("b ~ flip(1/2)\nx ~ normal(mean = 0, std = b - 1)", "'b - 1' is -1 when b = 0"),
        ("b ~ flip(1/2)\nx ~ laplace(0, b - 1)", "'b - 1' is -1 when b = 0"),
        ("b ~ flip(1/2)\nx ~ uniform(1, b)", "'b' is 0 when b = 0"),
        ("b ~ flip(1/2)\nx ~ gamma(b, 1)", "'b' is 0 when b = 0"),
        ("b ~ flip(1/2)\nx ~ triangular(0, b, 1/2)", "the mode of 'triangular' must be between its ends"),
        ("y ~ normal(0, 1)\nx := 1 / y", "no mean"),
        ("y ~ normal(0, 1)\nx := log(y)", "a normal takes values below 0"),
        ("x ~ normal(0, 1)\nobserve(x == 1)\nobserve(x == 2)", "no run passes 'x == 2'"),
    ],
)
def test_says_what_is_wrong_with_a_law(program: str, says: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(program).measure("E(x)")
    assert says in caught.value.diagnostic.message


def test_an_infinite_variance_is_told() -> None:
    assert seepage.parse("x ~ student_t(2, 0, 1)").measure("Var(x)").value == math.inf


@pytest.mark.parametrize(("measure", "degrees"), [("Var(x)", 1), ("E(x)", 1)])
def test_a_law_without_the_moment_that_is_asked_for_says_so(measure: str, degrees: int) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(f"x ~ student_t({degrees}, 0, 1)").measure(measure)
    assert "does not exist" in caught.value.diagnostic.message


def test_a_budget_on_components_says_where_they_grew_and_what_helps() -> None:
    program = "for i in 1..13 { b[i] ~ flip(1/2) }\nx ~ normal(0, 1)\nfor i in 1..13 { x := x + 2^i * b[i] }\n"
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(program).measure("H(x)")
    found = caught.value.diagnostic
    assert found.rule.code == "SEEP902"
    assert "components" in found.message
    assert program[found.span.start : found.span.end].startswith(("x := x", "b[i]"))
    assert "equal discrete values" in found.notes[0]
