"""Formulas of random programs hold where their conditions do, which they do at the values that the formula is shown for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.formulas.formula_reading import holds, read_text

import seepage
from seepage.measures.result import Formula
from seepage.program import MeasureError

VALUES = tuple(map(Fraction, ("0", "1/3", "1/2", "7/8", "1")))

CHANCES = st.sampled_from(["p", "q", "p*q", "q^2", "1 - p", "1/3", "p/2 + q/3"])
SECRETS = [
    "x ~ bernoulli({a})",
    "x ~ {{0: {a}, 1: (1 - {a})/2, 5: (1 - {a})/2}}",
    "x ~ binomial(2, {a})",
    "x ~ {{1: {a}, 3: 1 - {a}}}",
]
OUTPUTS = [
    "y := x",
    "y := x > 0",
    "y ~ bernoulli(if x == 1 then {b} else {a})",
    "w ~ bernoulli({b}); y := if w then x else 1",
    "w ~ bernoulli({b}); y := x + w",
    "y ~ bernoulli({b})",
]
OBSERVATIONS = ["", "", "observe x <= 1", "observe x > 0 or y == 1"]
MEASURES = st.sampled_from(
    [
        "H(x)", "H(x | y)", "I(x; y)", "E(x | y <= 1)", "Var(x)", "P(x == 1 | y == 1)", "KL(x | y == 1 || x)", "V(x | y)",
        "Hmin(x | y)", "Lmin(x -> y)", "G(x -> y, distance)", "G(x -> y, tries(2))", "I(x; y) / H(x)", "V(x | y) - V(x)",
    ]
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def patience() -> object:
    """What is tested is what is written, not how busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seepage.measures.formulas.closed_form._SECONDS", 20.0)
        patch.setattr("seepage.measures.formulas.closed_form._PATIENCE", 60.0)
        yield


def real(value: mpmath.mpf | mpmath.mpc) -> mpmath.mpf:
    """Return a value whose probabilities may have left [0, 1] by rounding, which makes logarithms complex by as little."""
    assert abs(mpmath.im(value)) < mpmath.mpf(10) ** -30
    return mpmath.re(value)


@st.composite
def programs(draw: st.DrawFn) -> str:
    chances = {"a": draw(CHANCES), "b": draw(CHANCES)}
    lines = [draw(st.sampled_from(part)).format(**chances) for part in (SECRETS, OUTPUTS, OBSERVATIONS)]
    return "\n".join(["param p in [0, 1] = 1/2", "param q in [0, 1] = 1/2", *lines]) + "\n"


# At these values the secret has fewer values than around them, and distances are relative to those it has.
NARROWER = [
    ("param p in [0, 1] = 0\nx ~ bernoulli(p)\ny := x\n", "G(x -> y, distance)"),
    ("param p in [0, 1] = 1\nx ~ {0: p, 1: (1 - p)/2, 5: (1 - p)/2}\ny := x > 0\n", "G(x -> y, distance)"),
    ("param p in [0, 1] = 0\nx ~ binomial(3, p^2)\ny := x\n", "G(y -> y, distance)"),
]


@pytest.mark.parametrize(("text", "measure"), NARROWER)
def test_a_formula_of_other_values_is_not_shown(text: str, measure: str) -> None:
    found = seepage.parse(text).measure(measure)

    assert found.exact == 0
    assert found.formula is None
    assert "no formula: those for other values of the parameters do not hold here" in found.notes
    assert seepage.parse(text).measure(measure, params={"p": Fraction(1, 3)}).formula is not None


@given(programs(), MEASURES, st.sampled_from(VALUES), st.sampled_from(VALUES))
@settings(max_examples=60)
def test_the_conditions_of_a_formula_hold_where_it_is_shown_and_it_holds_where_they_do(
    text: str, measure: str, p: Fraction, q: Fraction
) -> None:
    program = seepage.parse(text)
    shown = {"p": p, "q": q}
    formula = formula_at(program, measure, shown)
    if formula is None:
        return
    for condition in formula.conditions:
        assert holds(condition, formula, shown), f"{condition} at {shown}\n{text}"
    for point in (shown, *({"p": one, "q": other} for one in VALUES[::2] for other in VALUES[1::2])):
        if not all(holds(condition, formula, point) for condition in formula.conditions):
            continue
        try:
            number = program.measure(measure, params=point)
        except MeasureError as fault:
            raise AssertionError(f"no meaning at {point}: {fault}\n{text}") from fault
        slack = 1e-9 * (1 + abs(number.number))
        used: set[str] = set()
        value = real(read_text(formula, point, used))
        assert used <= {*formula.conditions}, f"{formula} at {point}\n{text}"
        assert number.lower - slack <= value <= number.upper + slack, f"{formula} at {point}\n{text}"


def formula_at(program: seepage.Program, measure: str, point: Mapping[str, Fraction]) -> Formula | None:
    """Return the formula shown at values of the parameters, None where there is none or the measure has no meaning."""
    try:
        return program.measure(measure, params=dict(point)).formula
    except MeasureError:
        return None


# What has no meaning once n = 1, which no run reaches where p is 0 (below: or 1).
UNDEFINED = (
    *(
        f"x ~ {law}"
        for law in (
            "bernoulli(if n == 1 then 2 else 1/2)",
            "bernoulli(1/2 + n)",
            "bernoulli(a[n])",
            "bernoulli(exp(n) / 2)",
            "flip(-n)",
            "{0: 1/2, 1: 1/2 + n}",
            "{0: 1/2 + n, 1: 1/2 - n}",
            "{0: 1/2, 1: 1/2 - n, 2: n}",
            "categorical(1/2 + n, 1/2 - n)",
            "binomial(2, 1/2 + n)",
            "binomial(2 - 3*n, 1/2)",
            "uniform_int(0, 1 - 2*n)",
            "geometric(1/2 + n)",
            "poisson(1 - 2*n)",
            "discrete_laplace(1 - 2*n)",
            "normal(0, 1 - 2*n)",
            "normal(0, std=1 - 2*n)",
            "mixture(1/2 + n: bernoulli(1/2), 1/2 - n: bernoulli(1/3))",
            "(1/2 + n)*normal(0, 1) + (1/2 - n)*normal(1, 1)",
        )
    ),
    *(
        f"x := {value}"
        for value in (
            "m / (1 - n)",
            "log(1 - n)",
            "sqrt(1 - 2*n)",
            "m % (1 - n)",
            "a[2*n]",
            "bit_xor(m, -n)",
            "!(m + n)",
        )
    ),
    "if m + n { x := 1 } else { x := 0 }",
)
ASKED = ("H(x)", "E(x)", "Var(x)", "P(x <= 0)", "H(m | x)", "I(m; x)", "V(x)", "DP(m -> x)")


def _around(chance: str, statement: str) -> str:
    head = f"param p in [0, 1] = 0\na[0] := 1/2\na[1] := 2\nn ~ bernoulli({chance})\nm ~ bernoulli(1/2)\n"
    return f"{head}{statement}\n"


@pytest.mark.parametrize("statement", UNDEFINED)
def test_a_formula_that_holds_only_where_a_fault_is_out_of_reach_is_not_told_as_one(statement: str) -> None:
    program = seepage.parse(_around("p", statement))

    with pytest.raises(seepage.MeasureError):
        program.measure("E(x)", params={"p": "1/2"})
    for measure in ASKED:
        try:
            result = program.measure(measure)
        except seepage.MeasureError:
            continue
        assert result.formula is None, measure


@pytest.mark.family(every=3)
@pytest.mark.parametrize("statement", UNDEFINED)
def test_no_budget_is_proved_over_ranges_inside_of_which_a_fault_is_reached(statement: str) -> None:
    budgets = "".join(f"require {measure} <= 1000 over p in [0, 1]\n" for measure in ASKED)

    found = seepage.parse(_around("p*(1 - p)", statement) + budgets).analyze(seconds=20)

    assert {answer.verdict for answer in found.answers} <= {None, "cannot tell", "violated"}


def test_a_standard_deviation_must_be_positive_not_only_its_square() -> None:
    result = seepage.parse("param p in [-1, 1] = 1/2\nx ~ normal(0, std=p)\n").measure("Var(x)")

    assert result.formula is not None
    assert result.formula.conditions == ("p > 0",)
