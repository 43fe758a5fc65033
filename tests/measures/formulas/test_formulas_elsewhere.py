"""A formula holds wherever its conditions do: at other values of the parameters it gives what is computed there anew."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from fractions import Fraction

import mpmath
import pytest
from tests.measures.formulas.formula_reading import evaluated, read_text

import seepage
from seepage.measures.result import Certainty, Formula

RANGES = {
    "m": (Fraction(0), Fraction(4)),
    "w": (Fraction(-2), Fraction(2)),
    "v": (Fraction(0), Fraction(5)),
    "p": (Fraction(0), Fraction(1)),
    "q": (Fraction(0), Fraction(1)),
    "k": (Fraction(-1), Fraction(3)),
}
HEAD = """param m in [0, 4] = 1
param w in [-2, 2] = 1
param v in (0, 5] = 1
param p in [0, 1] = 1/2
param q in [0, 1] = 1/2
param k in [-1, 3] = 1
secret s
output o
"""
AT = {"m": "1", "w": "1", "v": "1", "p": "1/2", "q": "1/2", "k": "1"}
BIT, FOUR = "s ~ bernoulli(1/2)\n", "s ~ uniform_int(0, 3)\n"

PROGRAMS: tuple[tuple[str, str], ...] = (
    # releases behind noise
    (f"{BIT}n ~ laplace(0, v)\no := m*s + n\n", "DP(s -> o)"),
    (f"{FOUR}n ~ laplace(0, v)\no := w*s + n\n", "DP(s -> o)"),
    (f"{FOUR}n ~ laplace(0, v)\no := w*s + n\n", "DP(s -> o, distance=1)"),
    (f"{FOUR}n ~ laplace(0, v)\no := s + n\n", "DP(s -> o, distance=k)"),
    (f"{FOUR}n ~ discrete_laplace(v)\no := s + n\n", "DP(s -> o, distance=k)"),
    (f"{FOUR}n ~ discrete_laplace(v)\no := floor(w)*s + n\n", "DP(s -> o)"),
    (f"{BIT}n ~ laplace(w, v)\no := m*s + n\n", "DP(s -> o)"),
    (f"{BIT}n ~ laplace(m*s, v)\no := w*n\n", "DP(s -> o)"),
    (f"{BIT}n ~ laplace(0, m*v)\no := w*s + n\n", "DP(s -> o)"),
    (f"{FOUR}n ~ laplace(0, v)\no := w*s^2 + m*s + n\n", "DP(s -> o)"),
    (f"{FOUR}n ~ laplace(0, v)\nx := if s > k then s + 1 else 0\no := x + n\n", "DP(s -> o)"),
    (f"{FOUR}n ~ laplace(0, v)\nif s > k {{ x := s + 1 }} else {{ x := 0 }}\no := x + n\n", "DP(s -> o)"),
    (f"{FOUR}n ~ laplace(0, v)\no := max(s, k) + n\n", "DP(s -> o)"),
    ("s ~ bernoulli(p)\nn ~ laplace(0, v)\no := s + n\n", "DP(s -> o)"),
    ("s ~ bernoulli(2*p)\nn ~ laplace(0, v)\no := s + n\n", "DP(s -> o)"),
    (
        f"{BIT}if s {{ x ~ {{0: p, 1: 1-p}} }} else {{ x ~ {{1: q, 2: 1-q}} }}\nn ~ laplace(0, v)\no := x + n\n",
        "DP(s -> o)",
    ),
    (f"{BIT}b ~ bernoulli(p)\nn ~ laplace(0, v)\no := m*s + w*b + n\n", "DP(s -> o)"),
    (f"{BIT}b ~ bernoulli(p)\nn ~ laplace(0, v)\no := m*s*b + n\n", "DP(s -> o)"),
    (f"{BIT}b ~ bernoulli(p)\nobserve(b or s)\nn ~ laplace(0, v)\no := m*s + n\n", "DP(s -> o)"),
    (f"{BIT}n ~ laplace(0, v)\no := min(1, max(0, m*s + n))\n", "DP(s -> o)"),
    (f"{BIT}t ~ bernoulli(1/(exp(m/2) + 1))\no := s xor t\n", "DP(s -> o)"),
    (f"{BIT}t ~ bernoulli(1/(exp(2*m) + 1))\no := s xor t\n", "DP(s -> o)"),
    (f"{BIT}t ~ bernoulli(1/(exp(m*v/3) + 1))\no := s xor t\n", "DP(s -> o)"),
    (f"{BIT}t ~ bernoulli(1/(exp(m^2) + 1))\no := s xor t\n", "DP(s -> o)"),
    (f"{BIT}a ~ geometric(q)\nb ~ geometric(q)\no := s + a - b\n", "DP(s -> o)"),
    # likelihood ratios
    (f"{BIT}o ~ bernoulli(if s then exp(-v)/(1 + exp(-v)) else 1/(1 + exp(-v)))\n", "DP(s -> o)"),
    (f"{BIT}o ~ bernoulli(if s then exp(-v)/(1 + exp(-v)) else 1/(1 + exp(-v)))\n", "DP(s -> o, distance=k)"),
    ("s ~ bernoulli(2*p)\no ~ bernoulli(if s then exp(-v)/(1 + exp(-v)) else 1/(1 + exp(-v)))\n", "DP(s -> o)"),
    # discrete programs
    ("s ~ bernoulli(p)\nt ~ flip(q)\no := if t then s else not s\n", "I(s; o)"),
    ("s ~ bernoulli(2*p)\nt ~ flip(q)\no := if t then s else not s\n", "H(s | o)"),
    (f"{FOUR}o := s > k\n", "I(s; o)"),
    (f"{FOUR}o := s > k + m\n", "I(s; o)"),
    (f"{FOUR}o := s * k\n", "E(o)"),
    (f"{FOUR}o := min(s, k)\n", "Var(o)"),
    ("s ~ bernoulli(p)\nt ~ flip(q)\no := if t then s else 0\n", "V(s | o)"),
    ("s ~ bernoulli(p)\nt ~ flip(q)\no := if t then s else 0\n", "Lmin(s -> o)"),
    ("s ~ bernoulli(p)\nt ~ flip(q)\no := if t then s else 0\n", "P(s | o == k)"),
    ("s ~ bernoulli(p)\nt ~ flip(q)\no := if t then s else 0\n", "KL(s | o == 0 || s)"),
    ("s ~ bernoulli(p)\nt ~ flip(q)\no := if t then s else 0\nobserve(o == 0)\n", "I(s; o) + H(s)"),
    # infinite laws
    ("s ~ geometric(q)\no := s\n", "H(s)"),
    ("s ~ geometric(2*p)\no := s + k\n", "E(o)"),
    ("s ~ poisson(v)\no := m*s + k\n", "Var(o)"),
    ("s ~ discrete_laplace(m)\no := s\n", "H(s)"),
    # linear Gaussian programs
    ("s ~ normal(k, v)\nn ~ normal(0, 1)\no := m*s + n\n", "I(s; o)"),
    ("s ~ normal(0, v)\no := m*s\n", "H(o)"),
    ("s ~ normal(0, v)\nn ~ normal(0, p)\no := s + n\n", "I(s; o)"),
    ("s ~ normal(0, v)\nn ~ normal(0, p)\no := s + n\n", "H(s | o)"),
    ("s ~ normal(k, v)\no ~ normal(s, m)\n", "KL(s || o)"),
    ("s ~ normal(k, v)\nif w > 0 { o := s } else { o := 2*s }\n", "Var(o)"),
    ("s ~ bernoulli(p)\no ~ normal(m*s, v)\n", "H(o | s)"),
    ("s ~ bernoulli(p)\no ~ normal(m*s, v)\n", "Var(o)"),
    ("s ~ bernoulli(p)\nif s { o ~ normal(0, v) } else { o ~ normal(k, 1) }\n", "H(o | s)"),
    ("s ~ bernoulli(p)\nif s > w { o ~ normal(0, v) } else { o ~ normal(k, 1) }\n", "E(o)"),
    ("s ~ normal(0, v)\nn ~ normal(0, 1)\no := s + n\nobserve(o == k)\n", "H(s)"),
    ("s ~ normal(0, v)\nn ~ normal(0, 1)\no := s + n\n", "KL(s | o == k || s)"),
    ("s ~ laplace(0, v)\no := m*s + k\n", "E(o)"),
    ("s ~ laplace(0, v)\no := m*s + k\n", "Var(o)"),
    ("s ~ exponential(v)\no := m*s\n", "E(o)"),
)


def holds(formula: Formula, point: dict[str, Fraction]) -> bool:
    """Tell whether the conditions of a formula hold."""
    names = {"=": mpmath.almosteq, "≠": lambda a, b: a != b}
    orders = {"<": lambda a, b: a < b, "≤": lambda a, b: a <= b, ">": lambda a, b: a > b, "≥": lambda a, b: a >= b}
    for condition in formula.conditions:
        if condition == "0·log 0 = 0":
            continue
        parts = re.split(r"\s([=≠<≤>≥])\s", condition)
        values = [evaluated(part, formula.definitions, point) for part in parts[::2]]
        for (one, other), sign in zip(itertools.pairwise(values), parts[1::2], strict=True):
            if not {**names, **orders}[sign](one, other):
                return False
    return True


def points() -> Iterator[dict[str, Fraction]]:
    """Yield values of all parameters: near those asked at, inside, and at the ends of some domains."""
    choose = random.Random(7)
    for v, p in ((1, Fraction(1, 2)), (2, Fraction(1, 2)), (2, Fraction(1, 3))):
        yield {name: Fraction(value) for name, value in AT.items()} | {"v": Fraction(v), "p": p}
    for trial in range(40):
        steps = (0, 1, 2, 3, 4) if trial % 2 else tuple(range(1, 12))
        yield {
            name: low + (high - low) * Fraction(choose.choice(steps), 4 if trial % 2 else 12)
            for name, (low, high) in RANGES.items()
        }


@pytest.mark.family(every=4)
@pytest.mark.parametrize(("text", "measure"), PROGRAMS)
def test_formulas_hold_elsewhere(text: str, measure: str) -> None:
    program = seepage.parse(HEAD + text)
    formula = program.measure(measure, params=AT).formula
    if formula is None:
        return
    compared = 0
    for point in points():
        if point["v"] == 0 or not holds(formula, point):
            continue
        try:
            found = program.measure(measure, params={name: str(value) for name, value in point.items()})
        except seepage.MeasureError as error:
            raise AssertionError(f"no value at {point}, where {formula.text} under {formula.conditions}") from error
        assert found.certainty is not Certainty.APPROXIMATE
        value = read_text(formula, point)
        slack = 1e-9 * (1 + abs(value))
        assert found.lower - slack <= value <= found.upper + slack, (
            formula.text,
            formula.conditions,
            point,
            found.value,
        )
        compared += 1
        if compared == 7:
            return
    assert compared, "the formula does not hold where it was asked for"
