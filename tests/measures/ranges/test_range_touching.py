"""Budgets over ranges that are met with equality inside them, or along a line: known inequalities, each beside one that fails nearby."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.measures.ranges.range_answers import answer

from seepage.measures.ranges.touching import simplest

TEXT = """param p in [0, 1] = 1/4
param q in [0, 1] = 1/3
param eps in [0, 2] = 1
s ~ bernoulli(1/2)
t ~ bernoulli(p)
o := s xor t
x ~ bernoulli(p)
y ~ bernoulli(q)
z := x xor y
u ~ bernoulli(exp(eps) / (1 + exp(eps)))
r := s xor u
"""


@pytest.mark.family(every=4)
@pytest.mark.parametrize(
    "requirement",
    [
        # 4 p (1 - p) <= h(p), with equality at 0, 1/2 and 1.
        "H(t) >= 4*p*(1 - p) over p in [0, 1]",
        "I(s; o) <= (2*p - 1)^2 over p in [0, 1]",
        "I(s; o) < (2*p - 1)^2 over p in (0, 1/2)",
        # Pinsker's inequality, with equality at p = q.
        "KL(x || y) >= 2*(p - q)^2 nats over p in [1/4, 3/4], q in [1/4, 3/4]",
        "KL(x || y) > 2*(p - q)^2 nats over p in [1/8, 3/8], q in (3/8, 1/2]",
        "KL(x || y) > 0 over p in [1/4, 1/2], q in (1/2, 3/4]",
        "KL(x || y) > 0 over p in [1/4, 1/2), q in [1/2, 3/4]",
        # Noise only adds entropy: equality at p = 1/2, q = 0 and q = 1.
        "H(z) - H(x) >= 0 over p in [3/8, 1/2], q in [0, 1/4]",
        "H(z) - H(x) > 0 over p in [3/8, 1/2), q in (0, 1/4]",
        # 1 - h(e^eps/(1 + e^eps)) <= eps^2/8 nats, with equality at eps = 0 (Pinsker's inequality turned round).
        "I(s; r) <= eps^2/8 nats over eps in [0, 2]",
        "I(s; r) < eps^2/8 nats over eps in (0, 2]",
        # The tangent of h at 1/3, where h is log2(3) - 2/3 and its slope is 1 bit.
        "H(t) <= log(3)/log(2) - 2/3 + (p - 1/3) over p in [1/6, 1/2]",
        "H(t) <= log(3) - 2/3*log(2) + (p - 1/3)*log(2) nats over p in [1/6, 1/2]",
        # h(p) <= log 2 - (2 p - 1)^2/2 nats.
        "I(s; o) >= (2*p - 1)^2/2/log(2) over p in [0, 1]",
    ],
)
def test_a_budget_that_is_touched_is_proved(requirement: str) -> None:
    assert answer(TEXT, requirement) == ("holds", "")


@pytest.mark.parametrize(
    "requirement",
    [
        "H(t) >= 4.01*p*(1 - p) over p in [0, 1]",
        "I(s; o) < (2*p - 1)^2 over p in (0, 1)",
        "I(s; o) <= 99/100*(2*p - 1)^2 over p in [0, 1]",
        "KL(x || y) >= 2.05*(p - q)^2 nats over p in [1/4, 3/4], q in [1/4, 3/4]",
        "KL(x || y) > 0 over p in [1/4, 1/2], q in [1/2, 3/4]",
        "H(z) - H(x) > 0 over p in [0, 1/2), q in [0, 1)",
        "I(s; r) <= eps^2/9 nats over eps in [0, 2]",
        # It crosses its bound at p = 1/2, to the third order: 1/2 + (p - 1/2)^3 against 1/2.
        "P(c == 1) <= 1/2 over p in [1/4, 3/4]",
        "P(c == 1) >= 1/2 over p in [1/4, 3/4]",
        "H(c) >= 1 over p in [1/4, 3/4]",
    ],
)
def test_one_that_is_crossed_is_refuted(requirement: str) -> None:
    more = "c ~ bernoulli(1/2 + (p - 1/2)^3)\n"

    assert answer(TEXT + more, requirement)[0] == "violated"


def test_a_pole_between_the_point_of_touch_and_the_rest_proves_nothing() -> None:
    # KL(w || v) is infinite at p = 1/2, where v is 0 for sure, and finite on both sides of it.
    more = "v ~ bernoulli((2*p - 1)^2)\nw ~ bernoulli(1/2)\n"

    for bound in ("0", "10", "1000*p^2"):
        assert answer(TEXT + more, f"KL(w || v) <= {bound} over p in [1/4, 3/4]")[0] != "holds"


@pytest.mark.parametrize("low", [Fraction(n, 97) for n in range(-30, 130, 7)])
def test_the_simplest_fraction_is_the_first_of_all(low: Fraction) -> None:
    high = low + Fraction(1, 150)
    least = next(d for d in range(1, 200) if -(-low.numerator * d // low.denominator) <= high * d)

    found = simplest(low, high)

    assert low <= found <= high
    assert found.denominator == least


@pytest.mark.variation(of="test_a_budget_that_is_touched_is_proved")
def test_a_difference_that_vanishes_everywhere_along_a_line_is_followed() -> None:
    # At p = 0 the numerator and the denominator of the quotient are 0 for all q: its polynomial there is that of no terms.
    program = """
        param p in [0, 1] = 1/4
        param q in [0, inf) = 1/3
        a ~ bernoulli(p*exp(q)/(p*exp(q) + 1))
        b ~ bernoulli(exp(q)/(exp(q) + 1))
        z := b - a
    """

    assert answer(program, "I(a; z) / H(a) < 1 over p in [0, 1/2), q in (1/4, inf)", seconds=5)[0] != "holds"
