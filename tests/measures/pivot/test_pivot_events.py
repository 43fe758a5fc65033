"""Chances of events beyond linear guards, against quadrature over one source at a time, and atoms where a density jumps."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty

HALF = mpf(1) / 2
PRODUCT = "x ~ normal(0, 1)\ny ~ normal(0, 1)\nn ~ normal(0, 1)\no := x * y + n\n"
SHIFTED = "s ~ bernoulli(1/2)\nx ~ normal(1, 1)\ny ~ normal(1, 1)\nn ~ normal(0, 1)\no := x * y + s + n\n"
SUM = "s ~ bernoulli(1/3)\nz ~ laplace(0, 1)\nn ~ normal(0, 1/4)\no := s + z + n\n"
GREATER = "x ~ normal(0, 1)\ny ~ normal(0, 2)\no := max(x, y)\n"
CLAMPED = "x ~ laplace(0, 1)\nn ~ normal(0, 1/4)\no := min(1, max(0, x)) + n\n"


def above(c: mpf, mean: mpf, deviation: mpf) -> mpf:
    return mpmath.ncdf((mean - c) / deviation)


def over_normal(of: Callable[[mpf], mpf], mean: int = 0) -> mpf:
    with mpmath.workdps(25):
        return mpmath.quad(lambda x: mpmath.npdf(x - mean) * of(x), [-12, -4, -1, 0, 1, 2, 4, 12])


def over_laplace(of: Callable[[mpf], mpf]) -> mpf:
    with mpmath.workdps(25):
        cuts = [-60, -20, -5, -1, 0, HALF, 1, 3, 5, 20, 60]
        return mpmath.quad(lambda z: mpmath.exp(-abs(z)) / 2 * of(z), cuts)


def product_above(c: mpf) -> mpf:
    return over_normal(lambda x: above(c, mpf(0), mpmath.sqrt(1 + x * x)))


def shifted_above(s: int) -> mpf:
    return over_normal(lambda x: above(HALF - s, x, mpmath.sqrt(1 + x * x)), 1)


def sum_above(s: int, c: mpf) -> mpf:
    return over_laplace(lambda z: above(c - s, z, HALF))


def clamped_above(low: float) -> mpf:
    """P(o > 1/2 and x > low), low 0 or −∞."""
    return over_laplace(lambda x: above(HALF, min(mpf(1), max(mpf(0), x)), HALF) if x > low else mpf(0))


CASES = [
    (PRODUCT, "P(o > 1/2)", lambda: product_above(HALF)),
    (PRODUCT, "P(o <= 1/2)", lambda: 1 - product_above(HALF)),
    (PRODUCT, "P(1/2 < o and o <= 2)", lambda: product_above(HALF) - product_above(mpf(2))),
    (PRODUCT, "P(not (3 > 2 * o + 2))", lambda: product_above(HALF)),
    (SHIFTED, "P(s == 1 | o > 1/2)", lambda: shifted_above(1) / (shifted_above(0) + shifted_above(1))),
    (SUM, "P(o > 1/2)", lambda: 2 * sum_above(0, HALF) / 3 + sum_above(1, HALF) / 3),
    (SUM, "P(s == 1 | o < 0)", lambda: (1 - sum_above(1, 0)) / (2 * (1 - sum_above(0, 0)) + 1 - sum_above(1, 0))),
    (GREATER, "P(o > 1/2)", lambda: 1 - mpmath.ncdf(HALF) * mpmath.ncdf(HALF / mpmath.sqrt(2))),
    (CLAMPED, "P(o > 1/2)", lambda: clamped_above(-100)),
    (CLAMPED, "P(x > 0 | o > 1/2)", lambda: clamped_above(0) / clamped_above(-100)),
    (CLAMPED, "P(o > 1/2 | x > 0)", lambda: 2 * clamped_above(0)),
]


@pytest.mark.family(every=4)
@pytest.mark.parametrize(("program", "measure", "true"), CASES, ids=[f"{m}-{i}" for i, (_, m, _) in enumerate(CASES)])
def test_the_chance_that_a_value_lies_beyond_a_place(program: str, measure: str, true: Callable[[], mpf]) -> None:
    result = seepage.parse(program).measure(measure)
    number = true()
    assert result.certainty is Certainty.CERTIFIED
    assert result.lower - 1e-15 <= number <= result.upper + 1e-15
    assert result.upper - result.lower < 1e-11


def test_an_equality_after_such_a_comparison_is_not_taken_for_known() -> None:
    result = seepage.parse(PRODUCT).measure("P(x > 0 | o > 1/2 and x == 1)")
    assert result.certainty is Certainty.APPROXIMATE or result.lower == 1


@pytest.mark.parametrize(
    ("branch", "event"),
    [("x := min(1, max(0, x))", "x == 0"), ("x := max(1/2, x)", "x == 1/2"), ("x := min(0, x)", "x == 0")],
)
def test_an_atom_beats_the_density_beside_it(branch: str, event: str) -> None:
    program = seepage.parse(f"b ~ bernoulli(1/2)\nx ~ normal(0, 1)\nif b {{ {branch} }}\nobserve({event})\n")
    assert program.measure("P(b == 1)").exact == 1
    assert program.measure("H(b)").exact == 0


def test_a_density_that_jumps_where_it_is_asked_for_has_no_certified_answer_without_an_atom() -> None:
    program = "b ~ bernoulli(1/2)\nx ~ uniform(0, 1)\nif b { x := x + 1 }\nobserve(x == 1)\n"
    result = seepage.parse(program).measure("P(b == 1)")
    assert (result.lower, result.upper, result.certainty) == (0, 1, Certainty.APPROXIMATE)


def close(text: str, measure: str, truth: mpf) -> bool:
    found = seepage.parse(text).measure(measure)
    certain = found.certainty is not Certainty.APPROXIMATE and found.upper - found.lower < 1e-10
    return bool(certain and found.lower - 1e-11 <= truth <= found.upper + 1e-11)


def test_squares_are_compared_by_their_roots() -> None:
    text = "s ~ bernoulli(1/2)\nx ~ normal(0, 1)\no := (x + s)^2\n"
    truth = sum(mpmath.ncdf(-1 - s) + mpmath.ncdf(s - 1) for s in (0, 1)) / 2

    assert close(text, "P(o > 1)", truth)
    assert close(text, "P(x^2 + 1 > 0)", mpf(1))
    assert close(text, "P(2*x - x^2 > 3/4)", mpmath.ncdf(1.5) - mpmath.ncdf(0.5))
    assert close("x ~ exponential(1)\n", "P(x^2 > 2)", mpmath.exp(-mpmath.sqrt(2)))


def test_the_chance_of_a_product_of_two_centred_normal_variables_is_an_integral_of_a_bessel_function() -> None:
    with mpmath.workdps(20):
        truth = mpmath.quad(lambda z: mpmath.besselk(0, z) / mpmath.pi, [1, 3, 10, 60])

    assert close("x ~ normal(0, 1)\ny ~ normal(0, 1)\no := x*y\n", "P(o > 1)", truth)


@pytest.mark.parametrize(
    ("event", "truth"),
    [
        ("x * y > 0", (1 - exp(-1) / 2) * 2 / 3 + exp(-1) / 6),
        ("x * y * z < 0", 1 - (1 - exp(-1) / 2) * 2 / 3 - exp(-1) / 6),  # z > 0
        ("x * x * y < 0", 1 / 3),
        ("y * x * x - y > 0", (exp(-2) / 2 + 1 / 2) * 2 / 3 + (1 / 2 - exp(-2) / 2) / 3),  # y (x − 1)(x + 1)
        ("x * y - x > 0", (1 - exp(-1) / 2) / 3 + exp(-1) / 3),  # x (y − 1)
        ("2 * x + y - x * y - 2 > 0", 1 / 2),  # (1 − x)(y − 2), y < 2
        ("x > 0 and x * y > 0", (1 - exp(-1) / 2) * 2 / 3),
    ],
)
def test_the_sign_of_a_product_is_that_of_its_factors(event: str, truth: float) -> None:
    found = seepage.parse("x ~ laplace(1, 1)\ny ~ uniform(-1, 2)\nz ~ exponential(1)").measure(f"P({event})")
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
    assert found.upper - found.lower < 1e-12


def test_what_is_seen_behind_the_sign_of_a_product_is_certified() -> None:
    # Given x y > 0 with alike symmetric x and y: |x| is as before, so that E(x y) = E|x|² = 1 for laplace(0, 1), and E(x) = 0.
    program = seepage.parse("x ~ laplace(0, 1)\ny ~ laplace(0, 1)\nobserve(x * y > 0)")
    for measure, truth in (("E(x * y)", 1), ("E(x)", 0), ("Var(x)", 2), ("H(x)", (1 + log(2)) / log(2))):
        found = program.measure(measure)
        assert found.certainty is not Certainty.APPROXIMATE
        assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
