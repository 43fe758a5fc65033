"""Losses of clipped records behind noise, against closed forms and quadrature, and bounds of what they tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from statistics import NormalDist

import pytest
from tests.measures.planning.test_statistic import question

import seepage
from seepage.measures.planning.reductions.clipped_records import CLIPPED_RECORDS

INCOMES = """
param eps in [0.1, 10] = 1
const n = 10
secret salary
output released
total := 0
for i in 1..n {{ salary[i] ~ normal(50, 225); c[i] := {clipped}; total := total + c[i] }}
mean := total / n
e ~ {noise}
released := mean + e
"""
CLIPPED = [
    "min(max(salary[i], 0), 100)",
    "max(0, min(100, salary[i]))",
    "if salary[i] < 0 then 0 else if salary[i] > 100 then 100 else salary[i]",
]


def bounds(text: str, measure: str) -> tuple[float, float]:
    found = seepage.parse(text).measure(measure)
    assert found.certainty in ("exact", "certified")
    return found.lower, found.upper


def is_exactly(found: tuple[float, float], truth: float) -> bool:
    return found == (truth, truth) or (found[0] - 1e-9 <= truth <= found[1] + 1e-9 and found[1] - found[0] < 1e-9)


@pytest.mark.parametrize(
    ("count", "measure", "truth"),
    [
        (10, "DP(salary -> released, distance=1)", 1.0),
        (4, "DP(salary -> released)", 4.0),
        (4, "Delta(c -> released, distance=1, eps=1/4)", 1 - math.exp(-(1 - 1 / 4) / 2)),
    ],
)
def test_the_mean_of_incomes_behind_laplace_noise(count: int, measure: str, truth: float) -> None:
    text = INCOMES.format(clipped=CLIPPED[0], noise="laplace(0, 100/n/eps)")

    assert is_exactly(bounds(text.replace("const n = 10", f"const n = {count}"), measure), truth)


@pytest.mark.parametrize("clipped", CLIPPED)
def test_records_clipped_in_other_words(clipped: str) -> None:
    text = INCOMES.format(clipped=clipped, noise="laplace(0, 100/n/eps)").replace("const n = 10", "const n = 3")

    assert is_exactly(bounds(text, "DP(salary[1] -> released)"), 1)
    assert is_exactly(bounds(text, "DP(c -> released, distance=2)"), 2)


def test_the_mean_of_ten_incomes_behind_normal_noise() -> None:
    text = INCOMES.format(clipped=CLIPPED[0], noise="normal(0, 100*100/n/n)").replace("const n = 10", "const n = 4")
    far, epsilon = 1.0, 0.25  # in standard deviations
    below, above = (NormalDist().cdf(sign * far / 2 - epsilon / far) for sign in (1, -1))

    assert bounds(text, "DP(salary[1] -> released)") == (math.inf, math.inf)
    assert is_exactly(bounds(text, "Delta(salary -> released, distance=1, eps=1/4)"), below - math.exp(epsilon) * above)


def test_incomes_that_are_not_clipped_have_no_finite_loss() -> None:
    text = INCOMES.format(clipped="max(salary[i], 0)", noise="laplace(0, 10)")

    assert CLIPPED_RECORDS.apply(question(text, "DP(salary -> released, distance=1)")) is None


def mass(density: Callable[[float], float], places: list[float], steps: int = 400) -> float:
    """Integrate between places by Simpson's rule."""
    total = 0.0
    for low, high in pairwise(places):
        width = (high - low) / steps
        inner = (density(low + at * width) * (4 if at % 2 else 2) for at in range(1, steps))
        total += (density(low) + math.fsum(inner) + density(high)) * width / 3
    return total


def laplace(z: float, scale: float) -> float:
    return math.exp(-abs(z) / scale) / (2 * scale)


def laplace_below(z: float, scale: float) -> float:
    half = math.exp(-abs(z) / scale) / 2
    return half if z < 0 else 1 - half


def test_the_information_of_incomes_lies_within_its_bounds() -> None:
    """One clipped income of few, so that its information is a quadrature: two atoms and a density, behind Laplace noise."""
    text = "secret s\noutput o\nfor i in 1..2 { s[i] ~ normal(1/2, 1); c[i] := min(max(s[i], 0), 1) }\ne ~ laplace(0, 1)\no := c[1] + e\n"
    law = NormalDist(0.5, 1)
    ends = law.cdf(0)

    def density(z: float) -> float:
        inner = mass(lambda s: law.pdf(s) * laplace(z - s, 1), [0, min(max(z, 0), 1), 1], 40)
        return ends * (laplace(z, 1) + laplace(z - 1, 1)) + inner

    told = mass(lambda z: -density(z) * math.log2(density(z)), [-30, -5, 0, 1, 6, 31])
    told -= (1 + math.log(2)) / math.log(2)

    low, high = bounds(text, "I(s[1]; o)")

    assert low - 1e-6 <= told <= high + 1e-6
    assert high < 0.2


def test_what_the_others_give_hides_a_record_only_from_a_delta() -> None:
    """The others' records are noise, too: bounds hold the truth by quadrature, the loss is that of the tails."""
    text = "secret x\noutput o\nt := 0\nfor i in 1..2 { x[i] ~ uniform(0, 1); t := t + x[i] }\ne ~ laplace(0, 1/2)\no := t + e\n"

    def density(z: float) -> float:  # of a uniform value plus Laplace noise, by its distribution function
        return laplace_below(z, 0.5) - laplace_below(z - 1, 0.5)

    truth = mass(lambda z: max(0.0, density(z - 1) - math.exp(0.5) * density(z)), [-10, 0, 1, 2, 12], 4_000)

    low, high = bounds(text, "Delta(x[1] -> o, eps=1/2)")

    assert low - 1e-6 <= truth <= high + 1e-6
    assert low > 0.9 * truth
    assert is_exactly(bounds(text, "DP(x[1] -> o)"), 2)
    assert is_exactly(bounds(text, "DP(x -> o, distance=1)"), 2)


def test_several_outputs_and_laws_of_all_kinds() -> None:
    text = """
secret s
output o, p
s[1] ~ beta(2, 3)
s[2] ~ uniform(-1, 2)
s[3] ~ triangular(0, 1, 2)
t := s[1] + s[2] - s[3]
e ~ laplace(0, 2)
f ~ laplace(2*t, 3)
o := t + e
p := f
"""
    assert is_exactly(bounds(text, "DP(s -> o, p, distance=1)"), 3 * (1 / 2 + 2 / 3))
    assert is_exactly(bounds(text, "DP(s -> o, p, distance=2)"), 5 * (1 / 2 + 2 / 3))
    assert is_exactly(bounds(text, "DP(s -> o, distance=2)"), 5 / 2)


@pytest.mark.parametrize(
    ("law", "width"),
    [
        ("pareto(3, 2)", 1),  # from 2 on: what is clipped to [0, 3] comes between 2 and 3
        ("weibull(2, 1)", 3),
        ("gumbel(0, 1)", 3),
        ("logistic(1, 2)", 3),
        ("cauchy(0, 1)", 3),
    ],
)
def test_a_clipped_value_of_any_law_moves_as_far_as_its_support_goes(law: str, width: int) -> None:
    found = bounds(f"secret x\noutput o\nx ~ {law}\nn ~ laplace(0, 2)\no := min(max(x, 0), 3) + n\n", "DP(x -> o)")

    assert is_exactly(found, width / 2)


def test_rounded_records_behind_discrete_noise_are_bounded() -> None:
    text = "secret s\noutput o\nt := 0\nfor i in 1..2 { s[i] ~ normal(0, 1); t := t + floor(min(max(s[i], 0), 9)) }\ne ~ discrete_laplace(3)\no := t + e\n"

    low, high = bounds(text, "DP(s -> o, distance=1)")

    assert low <= 3 <= high + 1e-12
    assert high == pytest.approx(3)


def test_whole_numbers_that_move_one_of_two_outputs_by_half_a_step() -> None:
    """The farthest move is a whole step of the second noise, the smaller ones show: they are what is worst."""
    text = "secret x\noutput o, p\nfor i in 1..2 { x[i] ~ uniform_int(0, 1) }\nt := x[1] + x[2]\nd ~ discrete_laplace(1)\ne ~ discrete_laplace(1)\no := t + d\np := t/2 + e\n"

    assert CLIPPED_RECORDS.apply(question(text, "DP(x -> o, p)")) is None


@pytest.mark.parametrize(
    "kept", ["if c > 1 { c := 1 }\nif c < 0 { c := 0 }", "if c > 1 { c := 1 } else { if c < 0 { c := 0 } }"]
)
def test_records_clipped_by_branches_without_an_else(kept: str) -> None:
    text = f"secret x\noutput o\nt := 0\nfor i in 1..3 {{ x[i] ~ normal(0, 9)\nc := x[i]\n{kept}\nt := t + c }}\ne ~ laplace(0, 2)\no := t + e\n"

    assert is_exactly(bounds(text, "DP(x -> o, distance=1)"), 1 / 2)


@pytest.mark.parametrize(
    "text",
    [
        # Records that depend on each other, that are observed, that are multiplied with each other, and noise that they scale.
        "x[1] ~ uniform(0, 1)\nd ~ uniform(0, 1)\nx[2] := x[1] + d\nt := x[1] + x[2]\ne ~ laplace(0, 1)\no := t + e\n",
        "x[1] ~ uniform(0, 1)\nx[2] ~ uniform(0, 1)\nobserve x[1] < x[2]\ne ~ laplace(0, 1)\no := x[1] + x[2] + e\n",
        "x[1] ~ uniform(0, 1)\nx[2] ~ uniform(0, 1)\ne ~ laplace(0, 1)\no := x[1]*x[2] + e\n",
        "x[1] ~ uniform(0, 1)\nx[2] ~ uniform(0, 1)\ne ~ laplace(0, 1)\no := x[1] + x[2]*e\n",
        # Continuous records behind noise of whole numbers: the places after the point are told.
        "x[1] ~ uniform(0, 1)\nx[2] ~ uniform(0, 1)\ne ~ discrete_laplace(1)\no := x[1] + x[2] + e\n",
        # Whole numbers that do not move the output by whole steps of its noise: 1/2 and 1 are worse than 2; noises of unlike steps are not log-concave.
        "for i in 1..2 { x[i] ~ uniform_int(0, 2) }\ne ~ discrete_laplace(1)\no := x[1] + x[2] + 2*e\n",
        "for i in 1..2 { x[i] ~ uniform_int(0, 2) }\ne ~ discrete_laplace(1)\no := x[1]/2 + x[2]/2 + e\n",
        "for i in 1..2 { x[i] ~ uniform_int(0, 2) }\nd ~ discrete_laplace(1)\ne ~ discrete_laplace(1)\no := x[1] + x[2] + d + 2*e\n",
        # The output tells more of the first record than the record itself, which is clipped.
        "s ~ uniform(0, 9)\nx[1] := min(s, 1)\nx[2] ~ uniform(0, 1)\ne ~ laplace(0, 1)\no := s + x[2] + e\n",
    ],
)
def test_other_programs_are_left_alone(text: str) -> None:
    assert CLIPPED_RECORDS.apply(question(f"secret x\noutput o\n{text}", "DP(x -> o, distance=1)")) is None


def test_a_gap_makes_the_ranges_a_bound_only() -> None:
    """A record that jumps, and one that is compared: not all of what lies between their ends is reached."""
    text = "secret x\noutput o\nt := 0\nfor i in 1..2 { x[i] ~ uniform(0, 3); if x[i] > 1 { c := 5 } else { c := x[i] }; t := t + c }\ne ~ laplace(0, 1)\no := t + e\n"

    reduced = CLIPPED_RECORDS.apply(question(text, "DP(x -> o, distance=1)"))

    assert reduced is not None
    assert reduced.relation == "<="
