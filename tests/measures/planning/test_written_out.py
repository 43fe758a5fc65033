"""Means and variances of sums with many clipped terms, against closed forms; one law of them would have a piece for each combination of sides."""

import math

import pytest

import seepage

CLIPPED = """
secret x
output o
s := 0
for i in 1..20 { x[i] ~ uniform(0, 150); s := s + min(x[i], 100) }
z ~ laplace(0, 5)
o := s / 20 + z
"""
MEAN = (100**2 / 2 + 100 * 50) / 150
SQUARE = (100**3 / 3 + 100**2 * 50) / 150


@pytest.mark.parametrize(
    ("asked", "truth"),
    [
        ("E(o)", MEAN),
        ("E(2*o + 1)", 2 * MEAN + 1),
        ("Var(o)", (SQUARE - MEAN**2) / 20 + 2 * 5**2),
        ("Var(3 - o/2)", ((SQUARE - MEAN**2) / 20 + 2 * 5**2) / 4),
    ],
)
def test_a_mean_of_clipped_values_behind_noise(asked: str, truth: float) -> None:
    found = seepage.parse(CLIPPED).measure(asked)
    assert found.certainty != "approximate"
    assert found.value == pytest.approx(truth, rel=1e-12)


def test_a_start_and_what_is_taken_away_count() -> None:
    text = """
    secret x
    output o
    s := 5
    for i in 1..12 { x[i] ~ normal(1, 4); s := s - max(x[i], 0) }
    z ~ laplace(0, 3)
    o := (s - z) * 2
    """
    positive = (1 + math.erf(0.5 / math.sqrt(2))) / 2 + 2 * math.exp(-1 / 8) / math.sqrt(2 * math.pi)
    found = seepage.parse(text).measure("E(o)")
    assert found.value == pytest.approx(2 * (5 - 12 * positive), rel=1e-12)


def test_what_is_observed_stays_observed() -> None:
    text = """
    secret x
    output o
    s := 5
    for i in 1..12 { x[i] ~ uniform(0, 4); s := s + min(x[i], 2) }
    observe(x[1] < 1)
    z ~ laplace(0, 3)
    o := s + z
    """
    assert seepage.parse(text).measure("E(o | x[2] < 2)").value == pytest.approx(5 + 1 / 2 + 1 + 10 * 1.5, rel=1e-12)


def test_terms_that_depend_on_each_other_add_up() -> None:
    """The same value is clipped twelve times: o is 12·min(x, 1) plus noise, x uniform on [0, 2]."""
    text = """
    output o
    x ~ uniform(0, 2)
    s := 0
    for i in 1..12 { s := s + min(x, 1) }
    z ~ laplace(0, 1)
    o := s + z
    """
    assert seepage.parse(text).measure("E(o)").value == pytest.approx(12 * (1 / 4 + 1 / 2), rel=1e-12)
