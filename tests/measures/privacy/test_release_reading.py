"""Values behind noise inside of expressions and branches: what is computed of them has their loss, and nothing else has."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
from tests.measures.ranges.range_answers import answer

import seepage
from seepage import parse

CLAMPED = """param a in (0, 1) = 1/2
c ~ uniform_int(0, 2)
n ~ geometric(1 - a)
m ~ geometric(1 - a)
o := min(max(c + n - m, 0), 2)
"""
HISTOGRAM = """param eps in (0, 5] = 1
for i in 1..4 {
    v[i] ~ uniform_int(0, 2)
}
for k in 0..2 { h[k] := 0 }
for i in 1..4 { h[v[i]] := h[v[i]] + 1 }
for k in 0..2 {
    noise ~ discrete_laplace(2/eps)
    h[k] := h[k] + noise
}
"""
TWO_CELLS = """param eps in (0, 5] = 1
for k in 0..1 { h[k] := 0 }
for i in 1..3 {
    v[i] ~ uniform_int(0, 1)
    h[v[i]] := h[v[i]] + 1
}
for k in 0..1 {
    noise ~ discrete_laplace(2/eps)
    h[k] := h[k] + noise
}
"""
GREATEST = """param eps in (0, 5] = 4
for k in 0..1 { c[k] ~ uniform_int(0, 2) }
best := -1000
w := 0
for k in 0..1 {
    noise ~ discrete_laplace(2/eps)
    if c[k] + noise > best { best := c[k] + noise; w := k }
}
"""


def test_a_clamped_count_in_one_expression_has_the_loss_of_its_noise() -> None:
    found = parse(CLAMPED).measure("DP(c -> o, distance=1)")

    # Of the outputs, 0 has the ratio of two tails, and the middle one that of two neighbours in the geometric law: both 1/a.
    assert found.lower <= math.log(2) <= found.upper
    assert found.upper - found.lower < 1e-12


def test_cells_that_a_random_index_counts_have_a_loss() -> None:
    found = parse(HISTOGRAM).measure("DP(v -> h, distance=1)")

    # One vote moves two cells by 1, each behind noise of scale 2.
    assert found.exact == 1


def test_the_greatest_of_a_loop_is_bounded_by_all_its_noise() -> None:
    found = parse(GREATEST).measure("DP(c -> w, distance=1)")

    s = mpmath.exp(-2)

    def mass(n: int) -> Any:
        return (1 - s) / (1 + s) * s ** abs(n)

    def at_most(n: int) -> Any:
        return 1 - s ** (n + 1) / (1 + s) if n >= 0 else s ** (-n) / (1 + s)

    # The first is the greatest unless the second exceeds it.
    first = {
        (a, b): mpmath.fsum(mass(n) * at_most(a + n - b) for n in range(-200, 201))
        for a, b in product(range(3), repeat=2)
    }
    pairs = [(x, y) for x in first for y in first if sum(p != q for p, q in zip(x, y, strict=True)) == 1]
    truth = max(mpmath.log(max(first[x] / first[y], (1 - first[x]) / (1 - first[y]))) for x, y in pairs)
    assert found.lower <= truth + 1e-12
    assert truth <= found.upper <= 4 + 1e-12


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("text", "requirement", "verdict"),
    [
        (CLAMPED, "DP(c -> o, distance=1) <= -log(a) over a in [1/10, 1/2]", "holds"),
        (CLAMPED, "DP(c -> o, distance=1) <= -log(a) * 9/10 over a in [1/10, 1/2]", "violated"),
        (TWO_CELLS, "DP(v -> h, distance=1) <= eps over eps in [1, 5]", "holds"),
        (GREATEST, "DP(c -> w, distance=1) <= 2 * eps over eps in [4, 5]", "holds"),
    ],
)
def test_a_budget_is_decided_by_what_is_published(text: str, requirement: str, verdict: str) -> None:
    assert answer(text, requirement)[0] == verdict


START = "s ~ uniform_int(0, 3)\nn ~ discrete_laplace(1)\n"


@pytest.mark.parametrize(
    ("body", "measure"),
    [
        ("o := if s + n > 1 then s else 0", "DP(s -> o)"),
        ("o := min(s + n, s)", "DP(s -> o)"),
        ("w := s\nif s + n > 1 { w := 0 }\no := w", "DP(s -> o)"),
        ("w := 0\nif s + n > 1 { w := s }\no := w", "DP(s -> o)"),
        ("w := 0\nif s + n > 1 { if s > 1 { w := 1 } }\no := w", "DP(s -> o)"),
        ("w := 0\nif s + n > 1 { w := 1 }\no := w + 2 * s", "DP(s -> o)"),
        ("w := 0\nw := s\no := max(s + n, 0) * 0 + w", "DP(s -> o)"),
        ("w := 0\nif s > 1 { w := 1 }\no := if s + n > -9 then w else w", "DP(s -> o)"),
        ("for k in 0..3 { a[k] := k }\no := a[s] + 0 * max(s + n, 0)", "DP(s -> o)"),
        ("a[0] := 0; a[1] := 0\na[s % 2] := s\no := a[0] + 0 * max(s + n, 0)", "DP(s -> o)"),
        ("a := max(s + n, 0)\nb := max(2 * s + n, 0)", "DP(s -> a, b)"),
        ("c := s\na := max(c + n, 0)\nc := 2 * s\nb := max(c + n, 0)", "DP(s -> a, b)"),
        ("n := s\no := max(n, 0)", "DP(s -> o)"),
        ("o := max(s + n - n, 0)", "DP(s -> o)"),
        ("r ~ flip(s / 3)\no := max(s + n, 0) * 0 + r", "DP(s -> o)"),
    ],
)
def test_what_shows_the_secret_beside_its_noise_has_no_bound(body: str, measure: str) -> None:
    assert parse(START + body).measure(measure).upper == math.inf


@pytest.mark.parametrize(
    ("outputs", "loss"),
    [
        ("o[1] := a\no[2] := a + b", "1/2 + 1/3"),
        ("o[1] := a + b\no[2] := a - b", "1/2 + 1/3"),
        ("o[1] := 2*a - 3*b\no[2] := a + b", "1/2 + 1/3"),
    ],
)
def test_one_to_one_sums_of_noisy_values_tell_what_these_tell(outputs: str, loss: str) -> None:
    """Both noisy values can be computed of both outputs, and losses of independent releases add up."""
    text = f"secret s\noutput o\ns ~ uniform_int(0, 1)\na ~ laplace(s, 2)\nb ~ laplace(s, 3)\n{outputs}"
    found = seepage.parse(text).measure("DP(s -> o)")
    assert found.certainty == "exact"
    assert found.value == pytest.approx(sum(Fraction(each) for each in loss.split(" + ")))


def test_sums_of_which_the_noisy_values_are_not_known_are_not_taken_for_them() -> None:
    """Of three noises two sums are published: less than their parts tell."""
    text = """
    secret s
    output o
    s ~ uniform_int(0, 1)
    a ~ laplace(s, 2)
    b ~ laplace(s, 2)
    c ~ laplace(s, 2)
    o[1] := a - b
    o[2] := b - c
    """
    found = seepage.parse(text).measure("DP(s -> o)", seconds=5)
    assert found.lower is not None
    assert found.lower < 1e-6
