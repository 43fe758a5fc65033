"""Laws that read a variable, which no engine may take for one of their own numbers: against the same law at each value of that variable."""

from __future__ import annotations

from math import log2

import pytest

import seepage

WORDS = """
secret w
output x, y
w ~ uniform_int(0, 2^64 - 1)
z ~ uniform_int(0, 2^64 - 1)
b := w % 2
x ~ {law}
y := bit_xor(w, z)
"""
AVERAGED = """
b ~ flip(1/2)
p ~ beta({first}, 1)
x ~ bernoulli(p)
y ~ bernoulli(p)
"""
RANGED = """
secret x
output o
b ~ flip(1/2)
x ~ uniform(0, 1 + b)
n ~ laplace(0, 1)
o := x + n
"""


def test_a_uniform_law_whose_end_is_a_digit_of_a_word_tells_that_digit() -> None:
    program = seepage.parse(WORDS.format(law="uniform_int(0, 7 + b)"))
    chances = [(1 / 8 + 1 / 9) / 2] * 8 + [1 / 18]
    information = -sum(each * log2(each) for each in chances) - (3 + log2(9)) / 2

    assert program.measure("I(w; x, y)").value == pytest.approx(information, abs=1e-12)
    assert program.measure("P(x == 8)").value == pytest.approx(1 / 18, abs=1e-12)


def test_a_coin_whose_chance_is_a_digit_of_a_word_tells_that_digit() -> None:
    program = seepage.parse(WORDS.format(law="flip(1/2 - b/2)"))

    assert program.measure("I(w; x, y)").value == pytest.approx(
        -3 / 4 * log2(3 / 4) + 1 / 4 * log2(4) - 1 / 2, abs=1e-12
    )


@pytest.mark.parametrize("measure", ["P(x)", "P(x and y)", "E(x + y)"])
def test_a_chance_of_a_law_of_a_variable_is_averaged_over_it_or_not_told(measure: str) -> None:
    parts = [seepage.parse(AVERAGED.format(first=1 + b)).measure(measure).value for b in (0, 1)]
    try:
        found = seepage.parse(AVERAGED.format(first="1 + b")).measure(measure).value
    except seepage.MeasureError:
        return
    assert None not in parts
    assert found == pytest.approx(sum(each or 0 for each in parts) / 2)


@pytest.mark.parametrize(("measure", "least"), [("Renyi(x -> o, alpha=2)", 1.34), ("zCDP(x -> o)", 1.13)])
def test_a_range_whose_end_is_drawn_is_no_range_of_its_least_end(measure: str, least: float) -> None:
    """Some pairs of inputs are 2 apart: closed forms of Laplace noise."""
    try:
        found = seepage.parse(RANGED).measure(measure)
    except seepage.MeasureError:
        return
    assert float(found.upper) >= least
