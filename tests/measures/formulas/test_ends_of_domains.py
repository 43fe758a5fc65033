"""Numbers are right to their last digit where parameters are extreme, and formulas hold at the closed ends of their domains."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import mpmath
import pytest
from tests.measures.formulas.formula_reading import read_text

import seepage

RESPONSE = """param p in [0, 1] = 1/2
param eps in [0, 1000] = 1
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""
TINY = Fraction(1, 10**9)
DIGITS = 800  # the truth is a difference of numbers near 1


@cache
def program() -> seepage.Program:
    return seepage.parse(RESPONSE, "response.seep")


def truth(measure: str, p: Fraction, eps: Fraction) -> mpmath.mpf:
    """The closed forms of the paper's first case, its misprints corrected."""

    def h(x: mpmath.mpf) -> mpmath.mpf:
        return -sum((part * mpmath.log(part, 2) for part in (x, 1 - x) if part), mpmath.mpf(0))

    prior = mpmath.mpf(p.numerator) / p.denominator
    q = 1 / (1 + mpmath.exp(-mpmath.mpf(eps.numerator) / eps.denominator))
    output = h(prior * q + (1 - prior) * (1 - q))
    return {"H(o)": output, "H(r | o)": h(prior) + h(q) - output, "I(r; o)": output - h(q)}[measure]


@pytest.mark.parametrize("measure", ["H(o)", "H(r | o)", "I(r; o)"])
@pytest.mark.parametrize("eps", [Fraction(0), TINY, Fraction(1), Fraction(800)])
@pytest.mark.parametrize("p", [Fraction(0), TINY, Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_numbers_are_right_to_the_last_digit(measure: str, p: Fraction, eps: Fraction) -> None:
    result = program().measure(measure, params={"p": p, "eps": eps})

    with mpmath.workdps(DIGITS):
        true = truth(measure, p, eps)
        slack = mpmath.mpf(10) ** (20 - DIGITS)
        assert result.lower <= true + slack
        assert true - slack <= result.upper
        # two units in the last place of a double, or of what a double can be at all
        assert abs(result.value - true) <= 2 * max(abs(true) * mpmath.mpf(2) ** -53, mpmath.mpf(2) ** -1074)


def test_the_leak_at_extreme_privacy_levels() -> None:
    slight = program().measure("I(r; o)", params={"p": Fraction(1, 2), "eps": TINY})
    almost_all = program().measure("I(r; o)", params={"p": Fraction(1, 2), "eps": Fraction(800)})

    assert slight.value == pytest.approx(1.803368801e-19, rel=1e-9)
    assert almost_all.lower < 1 <= almost_all.upper
    with mpmath.workdps(DIGITS):
        assert abs(1 - truth("I(r; o)", Fraction(1, 2), Fraction(800)) - mpmath.mpf("4.2e-345")) < mpmath.mpf("1e-346")


@pytest.mark.parametrize("measure", ["H(o)", "H(r | o)", "I(r; o)", "E(o)", "Var(o)", "KL(o || r)", "H(r | o == 1)"])
def test_formulas_hold_at_the_closed_ends_where_their_conditions_allow_them(measure: str) -> None:
    formula = program().measure(measure).formula

    assert formula is not None
    for p in (Fraction(0), Fraction(1)):
        for eps in (Fraction(0), Fraction(1000)):
            point = {"p": p, "eps": eps}
            if any(condition not in ("0·log 0 = 0",) for condition in formula.conditions):
                assert measure == "KL(o || r)"  # infinite at p = 0 and p = 1
                continue
            result = program().measure(measure, params=point)
            with mpmath.workdps(DIGITS):
                value = read_text(formula, point)
                assert result.lower - 1e-300 <= value <= result.upper + 1e-300
