"""Facts that hold whatever the balls say: chances, variances and discrete entropies keep to their ranges, certain values are certain."""

from __future__ import annotations

import math

import pytest

import seepage
from seepage.measures.result import Certainty, Result

FIXED = "x ~ normal(0, 1)\ny ~ normal(x, 1)\nobserve(y == 1)\nobserve(x + y == 3)\n"
SHIFTED = "s ~ flip(1/3)\nx ~ normal(0, 1)\ny := x + s\n"
FAR = "s ~ flip(1/2)\nx ~ normal(s, 1)\nobserve(x == 1000)\n"
WEIGHED = "s ~ flip(1/3)\nt := s\nx ~ normal(s, 1)\nobserve(x == 1/3)\n"


def measured(program: str, measure: str) -> Result:
    return seepage.parse(program).measure(measure)


def bounds(program: str, measure: str) -> tuple[float, float]:
    result = measured(program, measure)
    return result.lower, result.upper


@pytest.mark.parametrize("measure", ["Var(x)", "H(x)", "Var(x - y)", "H(x, y)"])
def test_what_observations_fix_is_certain(measure: str) -> None:
    assert measured(FIXED, measure).exact == 0


def test_the_value_of_what_observations_fix_is_exact() -> None:
    assert measured(FIXED, "E(x)").exact == 2


def test_a_chance_is_at_most_one_and_at_least_zero() -> None:
    low, high = bounds(FAR, "P(s)")
    assert 1 - 1e-15 < low <= high == 1
    assert bounds(FAR, "1 - P(s)")[0] == 0
    assert bounds(FAR, "P(not s)")[0] >= 0


def test_a_variance_is_not_negative() -> None:
    assert bounds(FAR, "Var(s)")[0] >= 0


def test_parallel_supports_give_the_discrete_variable_away() -> None:
    assert measured(SHIFTED, "H(s | x, y)").exact == 0
    low, high = bounds(SHIFTED, "I(s; x, y)")
    entropy = -sum(p * math.log2(p) for p in (1 / 3, 2 / 3))
    assert low <= entropy <= high
    assert high - low < 1e-12


@pytest.mark.parametrize("line", ["y := if s then 2 * x else x", "y := if s then x else 1", "y := if s then 1 else 2"])
def test_supports_of_other_directions_and_atoms_give_it_away(line: str) -> None:
    assert measured(f"s ~ flip(1/3)\nx ~ normal(0, 1)\n{line}\n", "H(s | x, y)").exact == 0


def test_values_with_one_support_stay_uncertain() -> None:
    program = "s ~ uniform_int(0, 2)\nx ~ normal(0, 1)\ny := x + (s == 2)\n"  # 0 and 1 look alike
    assert bounds(program, "H(s | x, y)")[1] > 0.6


def test_equal_atoms_give_it_away_whatever_their_weights() -> None:
    assert measured(WEIGHED, "H(s | t)").exact == 0


# --- approximations ---------------------------------------------------------------------------------------------------

ROUGH = "s ~ flip(1/3)\nu ~ normal(0, 1)\nw ~ normal(0, 1)\nx := exp(w)\ny := x + s\n"


def test_an_approximate_information_is_at_most_the_entropy_of_a_side_that_is_exact() -> None:
    result = measured(ROUGH, "I(s; y)")
    assert result.certainty is Certainty.APPROXIMATE
    assert result.lower == 0
    assert result.upper == pytest.approx(measured(ROUGH, "H(s)").upper, rel=1e-14)
    assert result.number <= result.upper


def test_an_approximate_conditional_entropy_is_at_most_the_entropy() -> None:
    result = measured(ROUGH, "H(s | y)")
    assert (result.certainty, result.lower) == (Certainty.APPROXIMATE, 0)
    assert result.upper == pytest.approx(measured(ROUGH, "H(s)").upper, rel=1e-14)
    assert measured(ROUGH + "z := u + x\n", "H(u | z)").upper == pytest.approx(measured(ROUGH, "H(u)").upper, rel=1e-14)


def test_nothing_is_known_where_both_sides_are_approximate() -> None:
    assert measured(ROUGH, "I(x; y)").upper == math.inf
