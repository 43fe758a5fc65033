"""Formulas of an attacker who guesses, read back wherever their conditions hold, against maxima over tables made by hand."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from tests.measures.formulas.formula_reading import evaluated, read_text

import seepage
from seepage.exact import enclose
from seepage.measures.formulas.ends import node_of
from seepage.measures.formulas.text import text_of
from seepage.measures.result import Formula
from seepage.semantics.evaluate import evaluate
from seepage.syntax.parse import parse_expression

Point = Mapping[str, Fraction]
Law = Mapping[tuple[int, int], mpmath.mpf]

RESPONSE = """param p in [0, 1] = 1/3
param eps in [0, 10] = 1
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""
DICE = """param p in [0, 1] = 1/4
param q in [0, 1/2] = 1/8
r ~ {0: p, 1: (1 - p) / 3, 4: 2 * (1 - p) / 3}
t ~ bernoulli(q)
o := if t then 4 else min(r, 1)
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested is what is written, not how busy the machine is."""
    monkeypatch.setattr("seepage.measures.formulas.closed_form._SECONDS", 20.0)
    monkeypatch.setattr("seepage.measures.formulas.closed_form._PATIENCE", 60.0)


def response(point: Point) -> Law:
    p, q = real(point["p"]), 1 / (1 + mpmath.exp(-real(point["eps"])))
    return {(1, 1): p * q, (1, 0): p * (1 - q), (0, 0): (1 - p) * q, (0, 1): (1 - p) * (1 - q)}


def dice(point: Point) -> Law:
    p, q = real(point["p"]), real(point["q"])
    prior = {0: p, 1: (1 - p) / 3, 4: 2 * (1 - p) / 3}
    law = {(r, min(r, 1)): mass * (1 - q) for r, mass in prior.items()}
    return law | {(r, 4): mass * q for r, mass in prior.items()}


def real(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def expected(
    law: Law, gain: Callable[[tuple[int, ...], int], mpmath.mpf], guesses: list[tuple[int, ...]], seen: bool
) -> mpmath.mpf:
    """The best gain, summed over what is seen."""
    outputs = {o for _, o in law} if seen else {None}
    return sum(
        max(sum(mass * gain(guess, r) for (r, o), mass in law.items() if output in (None, o)) for guess in guesses)
        for output in outputs
    )


def right(guess: tuple[int, ...], r: int) -> mpmath.mpf:
    return mpmath.mpf(r in guess)


def near(guess: tuple[int, ...], r: int) -> mpmath.mpf:
    return 1 - mpmath.mpf(abs(guess[0] - r)) / 4


def holds(condition: str, formula: Formula, point: Point) -> bool:
    relations = {"≥": operator.ge, "≤": operator.le, ">": operator.gt, "<": operator.lt, "≠": operator.ne}
    for sign, relation in relations.items():
        if f" {sign} " in condition:
            left, right = (evaluated(side, formula.definitions, point) for side in condition.split(f" {sign} "))
            return bool(relation(left, right))
    assert condition == "0·log 0 = 0"
    return True


CASES = [
    (RESPONSE, response, "V(r)", False, right, 1),
    (RESPONSE, response, "V(r | o)", True, right, 1),
    (RESPONSE, response, "Hmin(r | o)", True, right, 1),
    (RESPONSE, response, "Lmin(r -> o)", True, right, 1),
    (RESPONSE, response, "G(r -> o, guess)", True, right, 1),
    (DICE, dice, "V(r | o)", True, right, 1),
    (DICE, dice, "Lmin(r -> o)", True, right, 1),
    (DICE, dice, "G(r -> o, tries(2))", True, right, 2),
    (DICE, dice, "G(r -> o, distance)", True, near, 1),
]


@pytest.mark.parametrize(("text", "law", "measure", "seen", "gain", "tries"), CASES)
@pytest.mark.parametrize("default", ["p=1/3", "p=9/10", "p=1/2"])
def test_formulas_hold_wherever_their_conditions_do(
    text: str,
    law: Callable[[Point], Law],
    measure: str,
    seen: bool,
    gain: Callable[[tuple[int, ...], int], mpmath.mpf],
    tries: int,
    default: str,
) -> None:
    program = seepage.parse(text)
    formula = program.measure(measure, params={"p": default.removeprefix("p=")}).formula
    assert formula is not None
    other = "eps" if "eps" in text else "q"
    values = [Fraction(each) for each in ("0", "1/8", "1/5", "1/3", "1/2", "3/5", "9/10", "1")]
    others = [Fraction(each) for each in (("0", "1/3", "1", "4") if other == "eps" else ("0", "1/8", "1/3", "1/2"))]
    tested = 0
    for p, second in product(values, others):
        point = {"p": p, other: second}
        if not all(holds(condition, formula, point) for condition in formula.conditions):
            continue
        tested += 1
        table = law(point)
        secrets = sorted({r for r, _ in table})
        guesses = [guess for guess in product(secrets, repeat=tries) if len(set(guess)) == tries]
        after = expected(table, gain, guesses, seen)
        if measure.startswith("V"):
            truth = after
        elif measure.startswith("Hmin"):
            truth = -mpmath.log(after, 2)
        else:
            truth = mpmath.log(after / expected(table, gain, guesses, False), 2)
        assert abs(read_text(formula, point) - truth) < 1e-12, point
    assert tested >= 3


def test_conditions_are_the_cases_of_the_best_guess() -> None:
    program = seepage.parse(RESPONSE)

    def conditions(measure: str, **values: str) -> tuple[str, ...]:
        formula = program.measure(measure, params=values).formula
        assert formula is not None
        return formula.conditions

    assert conditions("V(r)", p="1/3") == ("p ≤ 1/2",)
    assert conditions("V(r)", p="2/3") == ("p ≥ 1/2",)
    assert conditions("V(r | o)", p="1/3") == ("p ≥ 1/(e^eps + 1)", "p ≤ e^eps/(e^eps + 1)")
    assert conditions("V(o | r)", p="1/3") == ()


def test_distances_are_relative_to_values_that_are_possible() -> None:
    program = seepage.parse(DICE)
    for value, condition in (("9/10", "p < 1"), ("1/8", "p > 0")):
        formula = program.measure("G(r -> o, distance)", params={"p": value}).formula

        # At p = 0 the least value is 1, and at p = 1 there is one value only.
        assert formula is not None
        assert condition in formula.conditions


def test_a_condition_on_a_rate_is_a_logarithm() -> None:
    formula = seepage.parse("param a in [0, 5] = 1\nx ~ bernoulli(exp(-a))").measure("V(x)").formula

    assert formula is not None
    assert formula.conditions == ("a ≥ ln 2",)


def test_where_the_best_guess_depends_on_too_much_there_is_no_formula() -> None:
    text = RESPONSE + "s ~ {0: p^2, 1: p * (1 - p) * exp(-eps), 2: 1 - p^2 - p * (1 - p) * exp(-eps)}\nz := s + o"

    assert seepage.parse(text).measure("V(s | z)").formula is None


TIED = "param p in [0, 1] = 1/3\nx ~ binomial(3, p)\ny ~ binomial(2, 1 - p)\nz := x + y\n"


@pytest.mark.parametrize(
    ("p", "conditions"),
    [
        ("1/3", ("p ≥ 1/3", "p ≤ 2/3")),  # as good: the masses of 0, 1 and 2 are 1/9, 4/9 and 4/9
        ("1/3 + 10^-20", ("p ≥ 1/3", "p ≤ 2/3")),
        ("1/3 - 10^-20", ("p ≤ 1/3",)),
    ],
)
def test_of_guesses_that_are_equally_good_those_of_one_neighbouring_case_are_taken(
    p: str, conditions: tuple[str, ...]
) -> None:
    formula = seepage.parse(TIED).measure("V(z | x)", params={"p": p}).formula

    assert formula is not None
    assert formula.conditions == conditions


@pytest.mark.parametrize(
    ("draw", "condition"),
    [
        ("exp(-a)*197/324", "a ≥ ln(197/162)"),
        ("exp(-2*a)*4/5", "a ≥ 1/2·ln(8/5)"),
        ("(a + 3)/6", "a ≥ 0"),
    ],
)
def test_conditions_are_written_as_formulas_are(draw: str, condition: str) -> None:
    formula = seepage.parse(f"param a in [-2, 3] = 1\nx ~ bernoulli({draw})").measure("V(x)").formula

    assert formula is not None
    assert condition in formula.conditions


def test_ends_below_0_are_written_as_formulas_are() -> None:
    formula = seepage.parse("param a in [-2, 3] = 1\nu ~ uniform_int(-1, 4)\nx := u > a\n").measure("V(x)").formula
    assert formula is not None
    assert formula.conditions == ("a ≥ 1", "a < 2")

    below = seepage.parse("param a in [-2, 3] = -1/2\nu ~ uniform_int(-1, 4)\nx := u > a\n").measure("V(x)").formula
    assert below is not None
    assert below.conditions == ("a ≥ −1", "a < 0")


@pytest.mark.parametrize(
    "value",
    [
        "2*log(3) - log(2)/3",
        "-log(7)/2",
        "log(10^12 + 39) + log(5)",
        "1/3 - sqrt(2)/5",
        "exp(2/3) + 1",
        "1/log(3)",
        "-7/3",
    ],
)
def test_ends_have_the_value_that_they_are_written_for(value: str) -> None:
    expression, _ = parse_expression(value)
    assert expression is not None
    number = evaluate(expression, {})
    node = node_of(number)

    written = evaluated(text_of(node), (), {})
    with mpmath.workdps(40):
        assert abs(written - mpmath.mpf(enclose(number, 128).mid().str(35, radius=False))) < mpmath.mpf(10) ** -30


def test_a_gain_that_reads_a_parameter_gives_no_formula() -> None:
    """It would be that of one value: one try gains log2(3/2) at p = 1/2, and two gain nothing."""
    program = seepage.parse("param p in [0, 1] = 1/2\nparam k = 1\nx ~ flip(p)\nt ~ flip(1/4)\ny := x xor t\n")

    for gain in ("tries(k)", "{(1, 1): k, (0, 0): 1}", "{(k, 1): 1, (0, 0): 1}"):
        found = program.measure(f"G(x -> y, {gain})")
        assert found.formula is None
        assert "no formula: the gain depends on 'k'" in found.notes
    assert program.measure("G(x -> y, tries(1))").formula is not None
