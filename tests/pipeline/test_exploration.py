"""Programs that are asked again and again: the answers are those of a single question."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from seepage import parse
from seepage.diagnostics import Fault
from seepage.exploration import Axis, Explored

RESPONSE = (
    "param p in [0, 1] = 1/2\nparam eps in (0, 10] = 1\nsecret r\noutput o\nr ~ bernoulli(p)\n"
    "t ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
)
CASES = "param t in [0, 4] = 1\nsecret s\noutput o\ns ~ uniform_int(0, 3)\no := s > t\n"
NOISE = "param v in (0, 4] = 1\nsecret s\noutput o\ns ~ normal(0, 1)\nn ~ normal(0, v)\no := s + n\n"


@pytest.mark.parametrize(
    ("text", "measure", "settings"),
    [
        (RESPONSE, "I(r; o)", [{}, {"eps": "1/2"}, {"p": "0.3", "eps": "2"}]),
        (RESPONSE, "H(r | o) / H(r)", [{}, {"eps": "1/2"}]),
        (CASES, "H(o)", [{}, {"t": "2"}, {"t": "3/2"}]),
        (NOISE, "I(s; o)", [{}, {"v": "2"}]),
        (RESPONSE, "V(r | o)", [{}, {"p": "9/10"}, {"p": "1/10"}]),
        (CASES, "G(s -> o, tries(t))", [{}, {"t": "2"}]),
        (RESPONSE, "P(o == eps)", [{}, {"eps": "2"}]),
        ("param k in [1, 3] = 1\n" + RESPONSE, "G(r -> o, {(1, 1): k, (0, 0): 1})", [{}, {"k": "2"}, {"k": "3"}]),
    ],
)
def test_a_slider_says_what_a_single_question_says(text: str, measure: str, settings: list[dict[str, str]]) -> None:
    program = parse(text)
    explored = Explored(program.checked)

    for params in settings:
        again = explored.measure(measure, program.read_params(params), "bits", 20.0)
        alone = program.measure(measure, params=params)
        assert (again.lower, again.value, again.upper) == (alone.lower, alone.value, alone.upper)
        assert (again.certainty, again.formula, again.notes) == (alone.certainty, alone.formula, alone.notes)
        assert again.params == alone.params


def test_a_curve_has_the_numbers_of_its_points() -> None:
    program = parse(RESPONSE)

    axes = [Axis("eps", Fraction(1), Fraction(3), 5)]
    plot = Explored(program.checked).plot("I(r; o)", axes, program.read_params({"p": "1/3"}), "nats", 20.0)

    (row,) = plot.rows
    assert (plot.unit, plot.values) == ("nats", ((1, Fraction(3, 2), 2, Fraction(5, 2), 3),))

    assert [point.at for point in row] == [(1,), (Fraction(3, 2),), (2,), (Fraction(5, 2),), (3,)]
    for point in row:
        alone = program.measure("I(r; o)", params={"p": "1/3", "eps": point.at[0]}, unit="nats")
        assert point.lower <= alone.upper
        assert alone.lower <= point.upper


def test_a_logarithmic_axis_goes_by_equal_factors() -> None:
    assert Axis("eps", Fraction(1, 100), 100, 5, logarithmic=True).values() == (
        Fraction(1, 100),
        Fraction(1, 10),
        1,
        10,
        100,
    )
    with pytest.raises(ValueError, match="more than 0"):
        Axis("eps", 0, 1, 3, logarithmic=True).values()


def test_a_grid_has_a_row_for_each_value_of_the_first() -> None:
    program = parse(RESPONSE)
    axes = [Axis("p", Fraction(0), Fraction(1), 3), Axis("eps", Fraction(1), Fraction(2), 2)]

    rows = Explored(program.checked).plot("I(r; o)", axes, {}, "bits", 20.0).rows

    assert [[point.at for point in row] for row in rows] == [[(p, e) for e in (1, 2)] for p in (0, Fraction(1, 2), 1)]
    assert (rows[0][0].lower, rows[0][0].value) == (0.0, 0.0)


def test_a_point_outside_the_domain_has_no_number() -> None:
    (row,) = Explored(parse(RESPONSE).checked).plot("I(r; o)", [Axis("eps", 0, 2, 3)], {}, "bits", 20.0).rows

    assert math.isnan(row[0].lower)
    assert row[0].fault == "'eps' = 0 is outside its domain (0, 10]"
    assert not row[1].fault


@pytest.mark.parametrize(
    ("axes", "reason"),
    [
        ([], "expected one parameter"),
        ([Axis("eps", 1, 2, 3), Axis("eps", 1, 2, 3)], "two different ones"),
        ([Axis("eps", 1, 2, 258)], "found 258 points, expected at most 257"),
        ([Axis("eps", 1, 2, 3), Axis("p", 0, 1, 65)], "found 65 points, expected at most 64"),
        ([Axis("eps", 2, 1, 3)], "ends that ascend"),
        ([Axis("q", 0, 1, 3)], "no parameter 'q'"),
    ],
)
def test_a_plot_that_makes_no_sense_is_refused(axes: list[Axis], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Explored(parse(RESPONSE).checked).plot("I(r; o)", axes, {}, "bits", 20.0)


def test_a_measure_of_what_is_not_there_is_a_fault() -> None:
    with pytest.raises(Fault, match="'q'"):
        Explored(parse(RESPONSE).checked).measure("H(q)", {}, "bits", 20.0)


@pytest.mark.parametrize(("measure", "unit"), [("P(o == 1)", ""), ("H(o) / H(r)", ""), ("I(r; o)", "bits")])
def test_a_plot_has_the_unit_of_its_measure(measure: str, unit: str) -> None:
    plot = Explored(parse(RESPONSE).checked).plot(measure, [Axis("eps", 1, 2, 2)], {}, "bits", 20.0)

    assert plot.unit == unit


def test_a_loop_that_ends_by_chance_is_settled_at_each_point_of_a_plot() -> None:
    # b is uniform over t, …, 9 when the loop ends; o counts how far it is: H = log₂(10 − t).
    text = "param t in [0, 9] = 5\noutput b\nb ~ uniform_int(0, 9)\nwhile b < t { b ~ uniform_int(0, 9) }\n"

    plot = parse(text).plot("H(b)", Axis("t", 0, 9, 10))

    assert [point.value for point in plot.rows[0]] == pytest.approx([math.log2(10 - t) for t in range(10)])
