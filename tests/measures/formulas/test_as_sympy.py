"""Formulas as objects of SymPy: they have the numbers of the measures, and of the text that is printed, wherever their conditions say so."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, cast

import mpmath
import numpy as np
import pytest
import sympy
from tests.cases.test_cases import CASES, program_of
from tests.measures.formulas.formula_reading import read_text

import seepage
from seepage.exact import enclose, number
from seepage.exploration import Explored
from seepage.measures.formulas.as_sympy import SymbolicFormula
from seepage.measures.parameters import Value

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
POINTS = 1_000 if DEEP else 4  # of each formula, beside the asked one
DIGITS = 40
if DEEP:
    pytestmark = pytest.mark.timeout(3_600)

# Formulas of kinds that few cases have: named probabilities, cases of comparisons, best guesses, infinite laws, normal laws, losses, functions.
MORE = {
    "named probabilities": (
        "param a in [0, 1] = 1/3\nparam b in [0, 1] = 1/5\nsecret s\noutput o\ns ~ uniform_int(0, 3)\nx ~ bernoulli(a)\ny ~ bernoulli(b)\n"
        "z ~ bernoulli(a * b)\no := s + x + 2 * y + z\n",
        ["I(s; o)", "H(o)", "H(s | o)"],
    ),
    "cases": ("param t in [0, 4] = 1\nparam p in [0, 1] = 1/3\nsecret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ bernoulli(p)\no := (s > t) xor n\n", ["I(s; o)", "H(o)"]),
    "best guesses": ("param p in [0, 1] = 1/3\nparam q in [0, 1] = 1/5\nsecret s\noutput o\ns ~ bernoulli(p)\nn ~ bernoulli(q)\no := s xor n\n", ["V(s | o)", "Lmin(s -> o)", "V(s)"]),
    "infinite laws": ("param p in (0, 1] = 1/3\nk ~ geometric(p)\n", ["H(k)", "E(k)", "Var(k)"]),
    "normal laws": ("param v in (0, 9] = 2\nparam m = 1\nsecret s\noutput o\ns ~ normal(m, 3)\nn ~ normal(0, v)\no := 2 * s + n\n", ["I(s; o)", "E(o)", "Var(o)", "H(o)"]),
    "a loss": ("param eps in (0, 9] = 1\nsecret s\noutput o\ns ~ bernoulli(1/2)\nt ~ bernoulli(exp(eps) / (1 + exp(eps)))\nif t { o := s } else { o := !s }\n", ["DP(s -> o)", "I(s; o)"]),
    "functions": ("param a in [1, 4] = 2\nsecret s\noutput o\ns ~ bernoulli(1 / (1 + log(a)))\nn ~ bernoulli(sqrt(a) / 3)\no := s xor n\n", ["H(s)", "I(s; o)", "P(o == 1)"]),
    "a choice": ("param a in [0, 1] = 1/3\nsecret s\ns ~ bernoulli(if a > 1/2 then a else 1 - a)\n", ["H(s)", "P(s == 1)"]),
    "a divergence": ("param p in (0, 1) = 1/3\nparam q in (0, 1) = 1/5\nx ~ bernoulli(p)\ny ~ bernoulli(q)\n", ["KL(x || y)", "H(x) / H(y)"]),
    "an observation": ("param p in [0, 1] = 1/3\nsecret s\noutput o\ns ~ bernoulli(p)\no ~ bernoulli(if s then 1/3 else p)\nobserve s or o\n", ["I(s; o)", "P(s == 1)"]),
    "names that SymPy has, too": ("param E in [0, 1] = 1/3\nparam I in [0, 1] = 1/5\nparam pi in [0, 1] = 1/7\nx ~ bernoulli(E * I * pi)\n", ["P(x == 1)", "H(x)"]),
}  # fmt: skip


CASES_WITH_PARAMETERS = [name for name, case in CASES.items() if "param" in case["program"] and "expect" in case]


@dataclass(frozen=True, slots=True)
class Asked:
    """A measure of a program at values of its parameters."""

    program: seepage.Program
    measure: str
    unit: Literal["bits", "nats"]
    params: Mapping[str, Value]

    def result(self, params: Mapping[str, Value] | None = None, seconds: float = 30.0) -> seepage.Result:
        """Return its result, at other values if there are any."""
        return self.program.measure(
            self.measure, params={**self.params, **(params or {})}, unit=self.unit, seconds=seconds
        )


def asked_of_case(name: str) -> list[Asked]:
    """Return what a case expects."""
    return [
        Asked(
            program_of(name),
            each["measure"],
            cast("Literal['bits', 'nats']", each["unit"] or "bits"),
            each.get("set", {}),
        )
        for each in CASES[name]["expect"]
    ]


def formula_of(asked: Asked) -> seepage.Formula | None:
    """Return the formula of a measure, None if it has none within a second."""
    try:
        return asked.program.measure(asked.measure, params=asked.params, unit=asked.unit, seconds=1.0).formula
    except seepage.MeasureError:
        return None


def random_point(program: seepage.Program, symbols: Mapping[str, Any], random_: random.Random) -> dict[str, Fraction]:
    """Return rational values of parameters inside their domains, the ends that belong to them now and then."""
    point = {}
    for name in symbols:
        domain = program.checked.symbols.params[name].domain
        low, high = (None, None) if domain is None else (domain.low, domain.high)
        least = Fraction(-8) if low is None else Fraction(float(enclose(low).mid()))
        most = least + 16 if high is None else Fraction(float(enclose(high).mid()))
        while name not in point:
            steps = random_.choice((12, 10_000))
            value = least + (most - least) * Fraction(random_.randrange(steps + 1), steps)
            if domain is None or domain.contains(number(value)):
                point[name] = value
    return point


def function_of(formula: SymbolicFormula, part: Any) -> Callable[[Mapping[str, Fraction]], Any]:
    """Return the value of an expression or a condition of a formula as a function of points, to some 40 digits."""
    of_numbers = sympy.lambdify(list(formula.symbols.values()), part, "mpmath")

    def value(point: Mapping[str, Fraction]) -> Any:
        with mpmath.workdps(DIGITS):
            return of_numbers(
                *(mpmath.mpf(point[name].numerator) / point[name].denominator for name in formula.symbols)
            )

    return value


def holding(formula: SymbolicFormula) -> Callable[[Mapping[str, Fraction]], bool]:
    """Return whether the condition of a formula holds, as a function of points; where a part of it has no value, it does not."""
    condition = function_of(formula, formula.condition)

    def holds(point: Mapping[str, Fraction]) -> bool:
        try:
            return bool(condition(point))
        except ZeroDivisionError:
            return False

    return holds


def check(asked: Asked, formula: seepage.Formula) -> None:
    """Compare a formula with the measure at random points where its condition holds, and at the asked one."""
    symbolic, program = formula.to_sympy(), asked.program
    random_ = random.Random(str(formula))
    points = [random_point(program, symbolic.symbols, random_) for _ in range(POINTS)]
    holds = holding(symbolic)
    inside = [point for point in points if holds(point)]
    settings = {name: symbol.default for name, symbol in program.checked.symbols.params.items()} | program.read_params(
        asked.params
    )
    given = {name: Fraction(value) for name, value in settings.items() if isinstance(value, int | Fraction)}
    here = {
        name: Fraction(str(settings[name])) for name in symbolic.symbols if isinstance(settings[name], int | Fraction)
    }
    if len(here) == len(symbolic.symbols):
        at_zero = any(not each.relations for each in formula.conditions)  # a logarithm of 0 may be taken there
        assert holds(here) or at_zero
        inside += [here] if holds(here) else []

    names = list(symbolic.symbols)
    places = [tuple(number(point[name]) for name in names) for point in inside]
    params = {name: value for name, value in program.read_params(asked.params).items() if name not in names}
    value = function_of(symbolic, symbolic.expression)
    alone = Explored(program.checked).points(asked.measure, names, places, params, asked.unit, 30.0)
    for point, there in zip(inside, alone, strict=True):
        assert not there.fault
        found = mpmath.mpf(value(point))
        rounding = mpmath.mpf(10) ** (10 - DIGITS) * (1 + abs(found))
        printed = read_text(formula, {**given, **point})
        assert abs(found - printed) <= rounding, (asked.measure, str(formula), point)
        assert there.lower - rounding <= found <= there.upper + rounding, (asked.measure, str(formula), point)
    assert inside


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", CASES_WITH_PARAMETERS)
def test_formulas_of_cases_have_the_numbers_of_their_measures(name: str) -> None:
    found = [(asked, formula) for asked in asked_of_case(name) if (formula := formula_of(asked)) is not None]

    for asked, formula in {str(formula): (asked, formula) for asked, formula in found}.values():
        check(asked, formula)


@pytest.mark.parametrize("name", MORE)
def test_formulas_of_other_kinds_have_the_numbers_of_their_measures(name: str) -> None:
    text, measures = MORE[name]

    for measure in measures:
        asked = Asked(seepage.parse(text), measure, "nats", {})
        formula = formula_of(asked)
        assert formula is not None, measure
        check(asked, formula)


RESPONSE = "param p in [0, 1] = 1/2\nparam eps in (0, 10] = 1\nparam m in [-3, 0)\nsecret r\noutput o\nr ~ bernoulli(p)\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"


def response() -> SymbolicFormula:
    """Return the information of a randomized response."""
    formula = seepage.parse(RESPONSE).measure("I(r; o)", params={"m": -1}).formula
    assert formula is not None
    return formula.to_sympy()


def test_symbols_know_the_signs_of_their_domains_and_the_condition_the_rest() -> None:
    formula = response()
    eps, p = formula.symbols["eps"], formula.symbols["p"]

    assert list(formula.symbols) == ["eps", "p"]
    assert (eps.is_positive, p.is_positive, p.is_nonnegative) == (True, None, True)
    assert formula.condition == sympy.And(eps <= 10, p <= 1)


def test_named_parts_are_replacements_as_common_subexpressions_are() -> None:
    formula = response()
    ((q, meaning),) = formula.replacements

    assert str(q) == "q"
    assert formula.short.has(q)
    assert formula.short.subs(q, meaning) == formula.expression
    assert not formula.expression.has(q)


def test_a_formula_is_differentiated_and_expanded() -> None:
    formula = response()
    eps, p = formula.symbols["eps"], formula.symbols["p"]

    # Around eps = 0, q = 1/2 + eps/4 + …, and I = 1 − h(q) = 2/ln 2·(eps/4)² + … bits for p = 1/2.
    at_half = formula.expression.subs(p, sympy.Rational(1, 2))
    assert at_half.diff(eps).subs(eps, 0) == 0
    assert sympy.simplify(at_half.diff(eps, 2).subs(eps, 0) - sympy.Rational(1, 4) / sympy.log(2)) == 0


def test_a_formula_is_a_function_of_arrays() -> None:
    formula = response()
    program = seepage.parse(RESPONSE)
    eps = np.linspace(0.25, 6, 24)

    found = sympy.lambdify(list(formula.symbols.values()), formula.expression)(eps, 0.25)

    np.testing.assert_allclose(found, program.sweep("I(r; o)", eps=eps, p=0.25).to_numpy()[:, 0], rtol=1e-10)


def test_a_logarithm_of_zero_is_left_out_by_the_condition() -> None:
    formula = seepage.parse(MORE["infinite laws"][0]).measure("H(k)").formula
    assert formula is not None
    assert "0·log 0 = 0" in formula.conditions
    found = formula.to_sympy()

    assert found.condition.subs(found.symbols["p"], 1) == sympy.false
    assert found.condition.subs(found.symbols["p"], sympy.Rational(1, 2)) == sympy.true


def test_a_formula_that_is_a_mere_text_is_told() -> None:
    with pytest.raises(ValueError, match="mere text"):
        seepage.Formula("p", "p").to_sympy()


def test_sympy_is_loaded_only_where_it_is_asked_for() -> None:
    code = (
        "import sys, seepage\n"
        "program = seepage.parse('param p in [0, 1] = 1/2\\nsecret s; output o; s ~ bernoulli(p); o := s')\n"
        "found = program.measure('H(s)')\n"
        "program.analyze()\n"
        "assert found.formula and 'sympy' not in sys.modules\n"
        "found.formula.to_sympy()\n"
        "assert 'sympy' in sys.modules\n"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
