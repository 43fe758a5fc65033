"""Limits of approximate numbers: they hold for the true law, which is known here in another way, and no limit is infinite for a finite secret."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seepage import parse
from seepage.measures.result import Certainty

# A value of which a density jumps where it is observed: a posterior that depends on the convention, and stays approximate.
JUMP = "secret s\noutput o\ns ~ uniform_int(0, 3)\no ~ uniform(s, s + 2)\n"
COPIED = "secret b\noutput o, w\nb ~ uniform_int(0, 2)\nt ~ laplace(0, 1)\no := b + t\nw := o\n"


@pytest.mark.parametrize(
    ("measure", "lower", "upper"),
    [
        ("H(s | o == 2)", 0, 2),
        ("Hmin(s | o == 2)", 0, 2),
        ("V(s | o == 2)", 1 / 4, 1),
        ("Guess(s | o == 2)", 1, 5 / 2),
        ("E(s | o == 2)", 0, 3),
        ("Var(s | o == 2)", 0, 9 / 4),
        ("E(2*s - 1 | o == 2)", -1, 5),
    ],
)
def test_a_secret_of_four_values_has_limits(measure: str, lower: float, upper: float) -> None:
    found = parse(JUMP).measure(measure)

    assert found.certainty is Certainty.APPROXIMATE
    assert (found.lower, found.upper) == pytest.approx((lower, upper), abs=1e-12)
    assert found.lower <= lower
    assert found.upper >= upper


def test_limits_are_in_the_unit_asked_for() -> None:
    found = parse(JUMP).measure("H(s | o == 2)", unit="nats")

    assert found.upper == pytest.approx(2 * math.log(2), abs=1e-12)


def test_what_observations_leave_is_among_the_values_without_them() -> None:
    # The law of b among runs that pass is not known, only that it has two values; s has the three that are drawn.
    text = "b ~ bernoulli(1/2)\ns ~ uniform_int(0, 2)\nx ~ student_t(3, 0, 1)\ny ~ normal(0, 1)\nobserve(x*x*x*y + s > b)\no := x*y*y + b + s\n"
    program = parse(text)

    for measure, most in (("H(b | o)", 1), ("I(b; o)", 1), ("I(b; o, x)", 1), ("Hmin(s | o)", math.log2(3)), ("H(s, b | o)", math.log2(6))):  # fmt: skip
        found = program.measure(measure)
        assert 0 <= found.lower <= found.upper <= most + 1e-12, measure
    assert program.measure("V(s | o)").lower >= 1 / 3 - 1e-12


def test_entropy_given_a_copy_of_what_is_seen() -> None:
    program = parse(COPIED)
    left, told = program.measure("H(b | o, w)"), program.measure("I(b; o)")

    assert left.certainty is Certainty.CERTIFIED
    assert left.number == pytest.approx(math.log2(3) - told.number, abs=1e-9)
    assert left.value == pytest.approx(1.30591985, abs=1e-8)
    # Outside [0, 2] the posterior is that of the nearer end, inside an integral of a smooth function.
    steps = 20_000
    uncertain = 0.0
    for n in range(steps):
        t = (n + 0.5) * 2 / steps
        weights = [math.exp(-abs(t - b)) / 6 for b in range(3)]
        uncertain += sum(w * math.log2(sum(weights) / w) for w in weights) * 2 / steps
    ends = [math.exp(-b) / 6 for b in range(3)]
    uncertain += 2 * sum(w * math.log2(sum(ends) / w) for w in ends)
    assert left.value == pytest.approx(uncertain, abs=1e-6)


def test_the_entropy_of_a_secret_behind_an_observation_that_is_no_guard() -> None:
    program = parse("b ~ bernoulli(1/2)\nx ~ normal(0, 1)\nobserve(x*x > b)\n")
    passes = math.erfc(1 / math.sqrt(2))
    chance = passes / (1 + passes)

    found = program.measure("H(b)")
    assert found.certainty is Certainty.CERTIFIED
    assert found.value == pytest.approx(-chance * math.log2(chance) - (1 - chance) * math.log2(1 - chance), abs=1e-10)


@given(st.integers(1, 5), st.integers(0, 6), st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_limits_of_posteriors_at_jumps_hold(values: int, seen: int, width: int) -> None:
    text = f"s ~ uniform_int(0, {values})\no ~ uniform(s, s + {width})\n"
    possible = [s for s in range(values + 1) if s <= seen <= s + width]
    if not possible:
        return
    found = parse(text).measure(f"E(s | o == {seen})")
    if found.certainty is Certainty.APPROXIMATE:  # whatever side counts at the ends, the posterior lives on these
        assert found.lower <= possible[0]
        assert found.upper >= possible[-1]
    else:
        assert found.value == pytest.approx(sum(possible) / len(possible), abs=1e-9)


@pytest.mark.variation(of="test_limits_of_posteriors_at_jumps_hold")
@pytest.mark.parametrize(
    "text",
    [
        "s ~ poisson(4)\nn ~ laplace(0, 1)\no := s + n\n",
        "s ~ geometric(1/2)\nn ~ normal(0, 1/1000)\no := s + n\n",
    ],
)
def test_cut_supports_leave_no_impossible_bound(text: str) -> None:
    asked = parse(text)

    for measure, least, most in (("V(s | o)", 0, 1), ("Hmin(s | o)", 0, math.inf), ("Lmin(s -> o)", 0, math.inf)):
        found = asked.measure(measure)
        assert least <= found.lower <= found.number <= found.upper <= most, measure
        for beside in found.companions:
            assert 0 <= beside.lower <= beside.upper <= 1, measure


HALF_SEEN = "secret x\noutput o\nx ~ normal(0, 1)\nn ~ normal(0, 1)\nl ~ laplace(0, 1)\nu ~ uniform(0, 1)\n"


@pytest.mark.parametrize(
    ("statements", "values"),
    [
        ("o := x*n*l > 1/2\n", (0, 1)),
        ("o := x*x + l > 1\n", (0, 1)),
        ("o := if x + u > 1 and x - u < 2 then 1 else 2\n", (1, 2)),
        ("observe(x + u > 0)\no := x + n + l > 1\n", (0, 1)),
        ("if x*l > n {\n  o := 3\n} else if x*n*l > 1 {\n  o := -5\n}\n", (-5, 0, 3)),
        ("a := x*n*l > 1\nb := x*n > l\no := 2*a - b\n", (-1, 0, 1, 2)),
        ("o := max(x*n*l > 1, 2 * (x*n > l))\n", (0, 1, 2)),
    ],
)
def test_an_output_decided_by_continuous_values_tells_at_most_the_logarithm_of_their_number(
    statements: str, values: tuple[int, ...]
) -> None:
    asked = parse(HALF_SEEN + statements)

    for measure in ("H(o)", "H(o | x)", "I(x; o)", "I(o; x)", "I(x; o | n)", "I(o; x | u > 1/2)"):
        found = asked.measure(measure)
        assert 0 <= found.lower <= found.number <= found.upper <= math.log2(len(values)) + 1e-12, measure
    mean = asked.measure("E(o)")
    assert min(values) <= mean.lower <= mean.number <= mean.upper <= max(values)


def test_an_output_tells_at_most_its_entropy() -> None:
    asked = parse(HALF_SEEN + "o := x + n + l > 1\n")
    # P(N + L > 1), N normal of variance 2: by x = sqrt(2) z the integral of the density times the tail of L.
    steps, width = 40_000, 24.0
    points = [-width / 2 + (k + 0.5) * width / steps for k in range(steps)]
    tails = [0.5 * math.exp(z - 1) if z < 1 else 1 - 0.5 * math.exp(1 - z) for z in points]
    chance = sum(math.exp(-z * z / 4) * t for z, t in zip(points, tails, strict=True)) * width / steps
    chance /= math.sqrt(4 * math.pi)
    entropy = -chance * math.log2(chance) - (1 - chance) * math.log2(1 - chance)

    for measure in ("I(x; o)", "I(o; x)"):
        found = asked.measure(measure)
        # The true information, by quadrature over x of the entropy left in o.
        assert found.lower <= 0.12581 <= found.upper <= entropy + 1e-6, measure
