"""Two sources that come in one combination only are one source of a law with a name: differences of Gumbel values, sums of Cauchy values."""

from __future__ import annotations

from math import exp, log, log2, pi

import pytest

from seepage import parse

_DIFFERENCE = "secret x  output o  x ~ uniform_int(0, 3)  a ~ gumbel(1, 2)  b ~ gumbel(1, 2)  o := x + a - b"
_LOGISTIC = "secret x  output o  x ~ uniform_int(0, 3)  l ~ logistic(0, 2)  o := x + l"
_HEAVY = "secret x  output o  x ~ uniform_int(0, 3)  a ~ cauchy(0, 1)  b ~ cauchy(0, 2)  c ~ cauchy(0, 1)  o := x + a - b/4 + c/2"
_CAUCHY = "secret x  output o  x ~ uniform_int(0, 3)  n ~ cauchy(0, 2)  o := x + n"
_MEASURES = [
    "H(o)",
    "I(x; o)",
    "V(x | o)",
    "Guess(x | o)",
    "Cmin(x -> o)",
    "DP(x -> o)",
    "P(o > 1)",
    "P(o > 1 | x == 0)",
]


@pytest.mark.parametrize(
    ("two", "one", "measure"),
    [
        *((_DIFFERENCE, _LOGISTIC, measure) for measure in _MEASURES),
        *((_HEAVY, _CAUCHY, measure) for measure in ("H(o)", "I(x; o)")),
    ],
)
def test_measures_are_those_of_the_law_of_the_combination(two: str, one: str, measure: str) -> None:
    first, second = (parse(text.replace("  ", "\n")).measure(measure) for text in (two, one))

    assert first.number == pytest.approx(second.number, rel=1e-9)
    assert first.certainty.value != "approximate"


def test_numbers_are_those_of_closed_forms() -> None:
    """The entropies of the logistic and the Cauchy law, the ratio of logistic densities far out, and the best guess from midpoints between the places."""
    program = parse(_DIFFERENCE.replace("  ", "\n") + "\nn := a - b")
    assert program.measure("H(n)").number == pytest.approx(2 * log2(exp(1)) + 1, rel=1e-9)
    assert program.measure("DP(x -> o)").number == pytest.approx(3 / 2, rel=1e-9)
    inside = 2 / (1 + exp(-1 / 4)) - 1
    beside = 1 / (1 + exp(-1 / 4))
    assert program.measure("V(x | o)").number == pytest.approx((2 * inside + 2 * beside) / 4, rel=1e-9)
    heavy = parse(_HEAVY.replace("  ", "\n") + "\nn := 2 * a - b")
    assert heavy.measure("H(n)").number == pytest.approx(log(4 * pi * 4) / log(2), rel=1e-9)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("o := a - b  p := a", "H(o, p)"),  # both told: a and b as they are
        ("o := a + b", "E(o)"),
        ("o := a - 2 * b", "E(o)"),
        ("o := a - b  p := a * b", "E(p)"),
        ("observe a > 0  o := a - b", "P(o > 0)"),
    ],
)
def test_sources_that_come_in_other_ways_stay(text: str, measure: str) -> None:
    """The Gumbel law has the mean γ and the entropy 1 + γ; behind a > 0, b is below a with the chance ∫ F dF / (1 − F(0)) = (1 + F(0)) / 2."""
    euler = 0.57721566490153286
    expected = {
        "H(o, p)": 2 * (1 + euler) / log(2),
        "E(o)": 2 * euler if "+" in text else -euler,
        "E(p)": euler**2,
        "P(o > 0)": (1 + exp(-1)) / 2,
    }
    program = parse(f"output o, p\na ~ gumbel(0, 1)\nb ~ gumbel(0, 1)\np := 0\n{text}".replace("  ", "\n"))

    assert program.measure(measure).number == pytest.approx(expected[measure], rel=1e-9)
