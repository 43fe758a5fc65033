"""Equalities that have probability 0 are decided before anything is computed, and no others."""

from __future__ import annotations

import pytest

import seepage

PIN = "secret pin\noutput ok\npin ~ uniform(0, 9999)\n"


@pytest.mark.parametrize(
    "rest",
    [
        "guess ~ uniform_int(0, 9999)\nok := guess == pin\n",
        "guess ~ uniform_int(0, 9999)\nok := 2 * pin + 1 == guess\n",
        "guess ~ uniform_int(0, 9999)\nif guess == pin { ok := 1 } else { ok := 0 }\n",
        "guess ~ poisson(5000)\nok := not (guess != pin) and guess > 3\n",
        "a ~ uniform_int(0, 99)\nb ~ uniform_int(0, 99)\nok := pin / 100 - a == b\n",
    ],
)
def test_a_guess_of_a_continuous_value_tells_nothing_and_says_why(rest: str) -> None:
    analysis = seepage.parse(PIN + rest).analyze(seconds=5)

    (row,) = analysis.table
    assert row.information is not None
    assert (row.information.lower, row.information.upper, row.information.certainty.value) == (0, 0, "exact")
    assert "with probability 1" in row.why_nothing
    assert [one.message for one in analysis.diagnostics if one.is_error] == []


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("x ~ uniform(-1, 1)\ny := max(0, x)\no := y == 0\n", "P(o)", 1 / 2),
        ("x ~ uniform(-1, 1)\ny := x\no := y == x\n", "P(o)", 1),
        ("x ~ uniform(-1, 1)\ny := 2 * x - x\no := y != x\n", "P(o)", 0),
        ("x ~ normal(3, 0)\no := x == 3\n", "P(o)", 1),
        ("x ~ uniform(0, 2)\nk := floor(x)\nif k == 1 { x := 5 }\no := x == 5\n", "P(o)", 1 / 2),
        ("x ~ uniform(0, 2)\nb ~ flip(1/4)\nif b { y := x } else { y := 3 }\no := y == x\n", "P(o)", 1 / 4),
    ],
)
def test_what_may_be_equal_is_not_decided(text: str, measure: str, value: float) -> None:
    result = seepage.parse(text).measure(measure)

    assert result.lower - 1e-9 <= value <= result.upper + 1e-9
    assert result.upper - result.lower < 1e-6


def test_an_equality_that_is_observed_still_conditions_on_the_density() -> None:
    """s = 1 has the density 1/2 at 0, s = 0 the density 1: the posterior of s = 1 is 1/3."""
    text = "s ~ flip(1/2)\nif s { x ~ uniform(-1, 1) } else { x ~ uniform(-1/2, 1/2) }\nobserve x == 0\n"
    also = "s ~ flip(1/2)\nn ~ normal(0, 1)\nm ~ normal(0, 1)\no := n + s\nobserve o == m\nshow P(s)\n"

    assert seepage.parse(text).measure("P(s)").value == pytest.approx(1 / 3)
    assert 0 < float(seepage.parse(also).measure("P(s)")) < 1 / 2


POINTS = "param v in [0, 1] = 1\nx ~ {}\no := x == 0\n"


@pytest.mark.parametrize(
    "law", ["normal(0, v)", "normal(std=v, mean=0)", "laplace(0, v)", "uniform(0, v)", "triangular(-v, 0, v)"]
)
def test_a_law_that_is_a_point_somewhere_in_the_domain_of_its_parameter_may_be_equal(law: str) -> None:
    text = POINTS.format(law)
    answers = seepage.parse(f"{text}require P(o) <= 1/2 over v in [0, 1]\n").analyze().answers

    assert [seepage.parse(text).measure("P(o)", v=v).value for v in (0, 1)] == [1, 0]
    assert seepage.parse(text).sweep("P(o)", v=[1, 0]).to_numpy().tolist() == [0, 1]
    assert [answer.verdict for answer in answers] == ["violated"]


@pytest.mark.parametrize(
    "law",
    ["uniform(2, 2)", "laplace(2, 0)", "lognormal(log(2), 0)", "triangular(2, 2, 2)", "normal(variance=0, mean=2)"],
)
def test_a_point_is_no_density(law: str) -> None:
    assert seepage.parse(f"x ~ {law}\no := x == 2\n").measure("P(o)").value == 1


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ("o := if x == 1 / k then 1 else 0\n", "SEEP401"),
        ("if sqrt(k - 1) == x { o := 1 } else { o := 0 }\n", "SEEP401"),
        ("a[1] := 3\no := x == a[k]\n", "SEEP405"),
        ("y ~ exponential(0)\no := y == 3\n", "SEEP422"),
    ],
)
def test_what_has_no_value_is_a_fault_also_beside_a_continuous_value(rest: str, code: str) -> None:
    with pytest.raises(seepage.MeasureError) as raised:
        seepage.parse(f"k ~ flip(1/2)\nx ~ uniform(0, 1)\n{rest}").measure("P(o)")
    assert raised.value.diagnostic.rule.code == code


def test_noise_whose_size_is_a_parameter_is_decided_where_it_is_never_a_point() -> None:
    text = "param eps in (0, 4] = 1\ns ~ uniform_int(0, 9999)\nt ~ uniform_int(0, 9999)\nx ~ laplace(0, 3 / eps)\no := x + s == t\n"
    told = seepage.parse(text).measure("P(o)", seconds=5)
    assert (told.lower, told.upper) == (0, 0)
