"""Curves and grids hold the measure at every point, as the numeric engine and closed forms have it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import mpmath
import pytest

import seepage
from seepage import Axis
from seepage.engines.outcome import Budget
from seepage.exact import Number, number
from seepage.measures import plotting
from seepage.measures.asking import Asking
from seepage.measures.evaluate import evaluate, measure_of
from seepage.measures.joints import Memory
from seepage.measures.plotting import Plotted, curve, grid
from seepage.semantics.check import check
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

POLL = """param p in [0, 1] = 1/2
param eps in [0, 10] = 1
for i in 1..{n} {{ r[i] ~ bernoulli(p) }}
o := 0
for i in 1..{n} {{
    t ~ bernoulli(exp(eps) / (exp(eps) + 1))
    if t {{ o := o + r[i] }} else {{ o := o + !r[i] }}
}}
"""
OBSERVED = """param p in [0, 1] = 1/2
param q in [0, 1] = 1/3
x ~ bernoulli(p)
y ~ bernoulli(q)
z ~ binomial(2, p)
observe(x or y)
"""


def asking(text: str, **parameters: Fraction | int) -> Asking:
    checked = check(SourceFile("test.seep", text))
    assert not [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_error]
    values: dict[str, Number] = {name: number(value) for name, value in parameters.items()}
    return Asking(checked, unroll(checked), values, "bits", Budget(), Memory())


def anew(asked: Asking, measure: str, point: Mapping[str, Number]) -> tuple[float, float]:
    there = Asking(asked.checked, asked.core, {**asked.parameters, **point}, asked.unit, asked.budget, Memory())
    result = evaluate(there, measure_of(measure), formulas=False)
    return result.lower, result.upper


def fifths(high: int = 1) -> list[Number]:
    return [number(Fraction(high * i, 5)) for i in range(6)]


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("text", "measure", "names"),
    [
        (POLL.format(n=4), "I(r[1]; o)", ("p", "eps")),
        (POLL.format(n=4), "I(r[1]; o | r[2])", ("p", "eps")),
        (POLL.format(n=4), "H(o)", ("p", "eps")),
        (POLL.format(n=4), "H(r[1], r[2] | o)", ("p", "eps")),
        (POLL.format(n=4), "H(r[1] | o > 1)", ("p", "eps")),
        (POLL.format(n=4), "E(o^2)", ("p", "eps")),
        (POLL.format(n=4), "P(o == 2 | r[1] == r[2])", ("p", "eps")),
        (OBSERVED, "I(x; y)", ("p", "q")),
        (OBSERVED, "H(z | x)", ("p", "q")),
    ],
)
def test_a_grid_holds_the_measure_at_every_point_and_is_tight(text: str, measure: str, names: tuple[str, str]) -> None:
    asked = asking(text)

    rows = grid(asked, measure_of(measure), (names[0], fifths()), (names[1], fifths(10 if "eps" in names else 1)))

    assert [len(row) for row in rows] == [6] * 6
    for plotted in (each for row in rows for each in row):
        if plotted.fault:
            assert "impossible" in plotted.fault
            assert plotted.at == (0, 0) or measure.endswith("o > 1)")
            continue
        lower, upper = anew(asked, measure, dict(zip(names, plotted.at, strict=True)))
        assert plotted.lower <= upper
        assert lower <= plotted.upper
        assert plotted.value is not None
        assert plotted.lower <= plotted.value <= plotted.upper
        assert plotted.upper - plotted.lower < 1e-12


def test_a_curve_runs_the_program_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Plotted:
        raise AssertionError("a point was asked by itself")

    monkeypatch.setattr(plotting, "_asked", refused)

    found = curve(asking(POLL.format(n=30), eps=1), measure_of("I(r[1]; o)"), "p", fifths()[1:5])

    assert [each.lower > 0 for each in found] == [
        True
    ] * 4  # it is 0 at both ends, where points are asked by themselves


def test_a_curve_of_many_respondents_agrees_with_the_closed_form() -> None:
    n, eps = 40, mpmath.mpf(1)
    q = mpmath.exp(eps) / (mpmath.exp(eps) + 1)

    def information(p: mpmath.mpf) -> mpmath.mpf:
        yes = p * q + (1 - p) * (1 - q)

        def others(k: int) -> mpmath.mpf:
            return mpmath.binomial(n - 1, k) * yes**k * (1 - yes) ** (n - 1 - k) if 0 <= k < n else mpmath.mpf(0)

        total = mpmath.mpf(0)
        for k in range(n + 1):
            joint = [(1 - p) * (q * others(k) + (1 - q) * others(k - 1)), p * (q * others(k - 1) + (1 - q) * others(k))]
            for prior, mass in zip((1 - p, p), joint, strict=True):
                total += mass * mpmath.log(mass / (prior * sum(joint)), 2)
        return total

    for plotted in curve(asking(POLL.format(n=n), eps=1), measure_of("I(r[1]; o)"), "p", fifths()[1:-1]):
        truth = information(mpmath.mpf(plotted.at[0].numerator) / plotted.at[0].denominator)
        assert plotted.lower <= truth <= plotted.upper


def test_numbers_that_underflow_stay_within_their_bounds() -> None:
    asked = asking(
        "param p in (0, 1)\nfor i in 1..60 { x[i] ~ bernoulli(p) }\no := 0\nfor i in 1..60 { o := o + x[i] }"
    )
    points = [number(Fraction(1, 10**9)), number(Fraction(1, 2))]

    for plotted in curve(asked, measure_of("H(o)"), "p", points):
        lower, upper = anew(asked, "H(o)", {"p": plotted.at[0]})
        assert plotted.lower <= upper
        assert lower <= plotted.upper
        assert plotted.upper - plotted.lower < 1e-11


def test_a_parameter_that_enters_a_guard_is_asked_point_by_point() -> None:
    asked = asking("param t in [0, 9]\nx ~ uniform_int(0, 9)\ny := x > t")

    found = curve(asked, measure_of("P(y)"), "t", [number(Fraction(i, 2)) for i in range(20)])

    assert [each.value for each in found] == [(9 - i // 2) / 10 for i in range(20)]


def test_a_point_at_which_the_measure_has_no_value_says_why() -> None:
    first, second = curve(asking(OBSERVED, q=0), measure_of("H(x, z)"), "p", [0, number(Fraction(1, 2))])

    assert math.isnan(first.lower)
    assert "impossible observation" in first.fault
    assert second.lower <= 1.5 <= second.upper


def test_a_probability_that_leaves_0_to_1_says_so() -> None:
    first, second = curve(asking("param a in [0, 9]\nx ~ bernoulli(a)"), measure_of("E(x)"), "a", [1, 2])

    assert (first.lower, first.upper) == (1.0, 1.0) or first.upper - first.lower < 1e-12
    assert "probability" in second.fault


def test_arithmetic_of_measures_is_plotted_too() -> None:
    asked = asking(POLL.format(n=1), eps=1)

    (found,) = curve(asked, measure_of("I(r[1]; o) / H(r[1])"), "p", [number(Fraction(1, 2))])

    lower, upper = anew(asked, "I(r[1]; o) / H(r[1])", {"p": number(Fraction(1, 2))})
    assert found.value is not None
    assert lower <= found.value <= upper


def test_a_parameter_that_the_program_lacks_is_a_wrong_call() -> None:
    asked = asking(POLL.format(n=1))

    with pytest.raises(ValueError, match="'z'"):
        curve(asked, measure_of("H(o)"), "z", [0])
    with pytest.raises(ValueError, match="different"):
        grid(asked, measure_of("H(o)"), ("p", [0]), ("p", [0]))


@pytest.mark.parametrize(
    ("observation", "measure"),
    [
        ("observe(y == 2)", "H(x)"),
        ("observe(y == 1)\nobserve(y == 0)", "P(x == 1)"),
        ("observe(y == 1)\nobserve(y == 0)", "V(x)"),
        ("", "H(x | y == 2)"),
        ("", "E(x | y == 2)"),
    ],
)
def test_no_point_has_a_number_where_no_run_passes_what_the_measure_is_independent_of(
    observation: str, measure: str
) -> None:
    asked = asking(f"param p in [0, 1] = 1/2\nx ~ flip(p)\ny ~ flip(1/2)\n{observation}\n")

    found = curve(asked, measure_of(measure), "p", fifths())

    assert all("impossible" in each.fault and math.isnan(each.lower) for each in found)


def test_a_curve_that_is_0_somewhere_says_0_there() -> None:
    """I(r; o) of a bit behind a symmetric channel is 1 − h(p): 0 at 1/2 exactly."""
    program = seepage.parse("param p in [0, 1]\nr ~ flip(1/2)\nn ~ flip(p)\no := r xor n\n")
    plot = program.plot("I(r; o)", [Axis("p", 0, 1, 5)])

    middle = plot.rows[0][2]
    assert middle.at == (number(Fraction(1, 2)),)
    assert (middle.lower, middle.value, middle.upper) == (0.0, 0.0, 0.0)
