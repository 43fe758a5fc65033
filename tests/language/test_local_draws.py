"""Local draws: conditioned laws against closed forms and quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

import seepage


def integral(density: Callable[[float], float], low: float, high: float) -> float:
    """Return an integral by Simpson's rule."""
    steps = 4_000
    width = (high - low) / steps
    inner = sum((4 if at % 2 else 2) * density(low + at * width) for at in range(1, steps))
    return (density(low) + inner + density(high)) * width / 3


def cdf(x: float) -> float:
    """Return the chance that a standard normal is at most x."""
    return (1 + math.erf(x / math.sqrt(2))) / 2


def pdf(x: float) -> float:
    """Return the density of a standard normal."""
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


CLOSED = [
    ("y ~ geometric(1/3) given y < 10", "P(y == 3)", Fraction(1, 3) * Fraction(2, 3) ** 3 / (1 - Fraction(2, 3) ** 10)),
    (
        "param p in (0, 1) = 1/4\ny ~ geometric(p) given 2 <= y and y < 4",
        "P(y == 2)",
        Fraction(1) / (1 + Fraction(3, 4)),
    ),
    ("y ~ geometric(1/3) given y > 2", "E(y)", 5.0),
    ("y ~ poisson(2) given y < 3", "P(y == 1)", Fraction(2, 5)),
    ("y ~ poisson(2) given y > 0", "P(y == 1)", 2 * math.exp(-2) / (1 - math.exp(-2))),
    ("y ~ discrete_laplace(2) given abs(y) <= 1", "P(y == 0)", 1 / (1 + 2 * math.exp(-1 / 2))),
    ("y ~ discrete_laplace(1, centre=3) given abs(y) <= 3", "P(y == 3)", 1 / sum(math.exp(-k) for k in range(7))),
    (
        "y ~ discrete_gaussian(2) given 0 <= y and y <= 2",
        "P(y == 2)",
        math.exp(-1) / (1 + math.exp(-1 / 4) + math.exp(-1)),
    ),
    ("y ~ normal(0, 1) given y > 0", "E(y)", math.sqrt(2 / math.pi)),
    ("y ~ normal(1, 4) given -1 < y and y < 2", "P(y < 0)", (cdf(-1 / 2) - cdf(-1)) / (cdf(1 / 2) - cdf(-1))),
    ("y ~ normal(0, 1) given y > 1", "E(y)", pdf(1) / (1 - cdf(1))),
    ("y ~ exponential(2) given y > 1", "P(y > 2)", math.exp(-2)),
    ("y ~ laplace(0, 1) given y > -1", "P(y > 0)", 1 / (2 - math.exp(-1))),
    ("y ~ uniform(0, 1) given y > 1/4", "P(y > 1/2)", 2 / 3),
    (
        "def f(a) { n ~ poisson(a) m ~ geometric(1/2) observe n + m == 2 return n }\na ~ uniform_int(1, 2)\ny ~ f(a)",
        "P(y == 2 and a == 1)",
        1 / 2 * (1 / 2) / (1 / 4 + 1 / 2 + 1 / 2),
    ),
    # Redrawn only on some runs: whether they are redrawn is as likely as before.
    ("b ~ flip(1/3)\ny := -1\nif b { y ~ normal(0, 1) given y > 1 }", "P(b)", 1 / 3),
    (
        "b ~ flip(1/3)\ny := -1\nif b { y ~ normal(0, 1) given y > 1 } else { y ~ laplace(0, 1) given y > 2 }",
        "P(b)",
        1 / 3,
    ),
    ("b ~ flip(1/3)\ny := -1\nif b { y ~ poisson(3) given y > 1 }", "P(b)", 1 / 3),
    ("s ~ uniform_int(0, 2)\ny ~ poisson(1 + s) given y > s", "P(s == 2)", 1 / 3),
    (
        "s ~ uniform_int(0, 2)\ny ~ normal(s, 1) given y > 1\nd := y > 2",
        "P(d and s == 0)",
        (1 - cdf(2)) / (1 - cdf(1)) / 3,
    ),
]


@pytest.mark.parametrize(("text", "measure", "value"), CLOSED)
def test_a_conditioned_law_is_the_one_of_its_closed_form(text: str, measure: str, value: float) -> None:
    result = seepage.parse(text).measure(measure)

    assert result.certainty is not seepage.Certainty.APPROXIMATE
    if isinstance(value, Fraction):
        assert result.exact == value
    else:
        assert result.value == pytest.approx(value, rel=1e-9)
        assert result.lower is not None
        assert result.upper is not None
        assert result.lower - 1e-12 <= value <= result.upper + 1e-12


def test_redrawn_laplace_noise_has_the_information_of_quadrature() -> None:
    text = "s ~ uniform_int(0, 3)\nn ~ laplace(0, 1) given 0 <= s + n and s + n <= 3\no := s + n\n"
    shares = [2 - math.exp(-s) - math.exp(s - 3) for s in range(4)]

    def mixed(o: float) -> float:
        parts = [math.exp(-abs(o - s)) / share for s, share in enumerate(shares)]
        mean = sum(parts) / 4
        return sum(part * math.log2(part / mean) for part in parts) / 4

    expected = sum(integral(mixed, low, low + 1) for low in range(3))
    result = seepage.parse(text).measure("I(s; o)")

    assert result.certainty is not seepage.Certainty.APPROXIMATE
    assert result.value == pytest.approx(expected, rel=1e-8)
    assert seepage.parse(text).measure("P(s == 0)").value == pytest.approx(1 / 4, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("n ~ flip(1/2) given n > 1\n", "n ~ flip(1/2) given n > 1"),
        ("s ~ uniform_int(0, 3)\ndef f(s) { n ~ uniform_int(0, 3) observe n < s return n }\no ~ f(s)\n", "o ~ f(s)"),
        ("s ~ flip(1/2)\ny ~ geometric(1/2) given y < s\n", "y ~ geometric(1/2) given y < s"),
        ("y ~ normal(0, 1) given y > 1 and y < 0\n", "y ~ normal(0, 1) given y > 1 and y < 0"),
    ],
)
def test_a_draw_that_nothing_passes_is_told_at_the_draw(text: str, at: str) -> None:
    program = seepage.parse(text + "show P(1 == 1)\n")
    found = [one for one in program.analyze().diagnostics if one.rule.code == "SEEP418"]

    assert [program.checked.source[one.span] for one in found] == [at]
    assert "@" not in found[0].message


def test_an_unreachable_argument_may_pass_nothing() -> None:
    text = "s ~ uniform_int(0, 3)\ny := 0\nif s > 0 { y ~ uniform_int(0, 3) given y < s }\n"

    assert seepage.parse(text).measure("P(y == 2)").exact == Fraction(1, 12)


@pytest.mark.parametrize(
    "text",
    [
        "x ~ normal(0, 1)\ny ~ normal(0, 1) given y > x\n",
        "x ~ poisson(2)\ny ~ normal(0, 1) given y > x\n",
        "y := 0\nrepeat { y ~ normal(0, 1) given y > 0 } until y > 1\n",
        "def f() { n := 0 repeat { n ~ poisson(2) } until n > 2 x ~ normal(n, 1) observe x > 0 return x }\ny ~ f()\n",
    ],
)
def test_what_no_engine_can_divide_by_is_refused_plainly(text: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(text).measure("P(y > 0)")
    assert caught.value.diagnostic.rule.code == "SEEP901"


def test_a_procedure_with_a_parameter_has_a_formula() -> None:
    text = "param p in [0, 1] = 1/3\ndef f(s) { n ~ flip(p) m ~ flip(1/2) observe n or m or s return n }\ns ~ flip(1/4)\ny ~ f(s)\n"
    result = seepage.parse(text).measure("P(y)")
    third = Fraction(1, 3)

    assert result.exact == Fraction(3, 4) * third / (third + (1 - third) / 2) + Fraction(1, 4) * third
    assert result.formula is not None


def test_a_procedure_with_chance_calls_itself_with_an_argument_that_is_known() -> None:
    walk = "def walk(n) { if n == 0 { return 0 } x ~ flip(1/2) y ~ walk(n - 1) return x + y }\nt ~ walk(5)\n"
    kept = "def kept(n) { if n == 0 { return 0 } y ~ kept(n - 1) x ~ flip(1/2) observe x or y > 0 return x + y }\nt ~ kept(3)\n"

    assert seepage.parse(walk).measure("P(t == 2)").exact == Fraction(math.comb(5, 2), 32)
    # Nested: kept(1) is 1; then x is free, twice.
    assert seepage.parse(kept).measure("P(t == 2)").exact == Fraction(1, 2)


def test_an_argument_that_falls_at_random_is_refused() -> None:
    text = "def f(n) { x ~ uniform_int(0, 3) if x < n { y ~ f(x) return y } return x }\nu ~ f(2)\n"

    assert [one.rule.code for one in seepage.parse(text).diagnostics if one.is_error] == ["SEEP118"]


def test_a_draw_in_a_loop_that_no_run_reaches_may_pass_nothing() -> None:
    text = "y := 2\nx := 1\nif y < 2 {\n    repeat { x ~ flip(1/2) given x > 1 } until y < x\n}\n"
    assert seepage.parse(text).measure("P(x == 1)").exact == 1
