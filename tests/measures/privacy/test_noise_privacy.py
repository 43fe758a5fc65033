"""Differential privacy of Laplace noise and of outputs that shift with a continuous input, against closed forms and quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty, Result

BIT = "secret s\noutput o\ns ~ bernoulli(1/3)\n"
LAPLACE = f"{BIT}n ~ laplace(0, 2)\no := s + n\n"
SHIFT = "secret s\noutput o\ns ~ normal(0, 1)\n"


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure)


def holds(result: Result, truth: mpf, width: float = 1e-15) -> bool:
    return bool(result.lower <= truth <= result.upper and result.upper - result.lower <= width)


def test_the_laplace_mechanism_has_exactly_its_epsilon() -> None:
    assert measured(LAPLACE, "DP(s -> o)").exact == Fraction(1, 2)
    assert measured(f"{BIT}n ~ laplace(0, 1)\no := min(1, max(0, s + n))\n", "DP(s -> o)").exact == 1
    verdicts = seepage.parse(f"{LAPLACE}require DP(s -> o) <= 1/2\nrequire DP(s -> o) < 1/2\n").analyze().answers
    assert [answer.verdict for answer in verdicts] == ["holds", "violated"]


@pytest.mark.parametrize("noise", ["laplace(0, 1)", "normal(0, 1)"])
@pytest.mark.parametrize("law", ["laplace(0, 0)", "lognormal(0, 0)", "normal(0, 0)", "uniform(1, 1)"])
def test_a_secret_that_is_one_value_has_no_neighbours_to_be_told_apart(law: str, noise: str) -> None:
    text = f"secret s\noutput o\ns ~ {law}\nn ~ {noise}\no := s + n\n"

    for measure in ("DP(s -> o, delta=1/10)", "DP(s -> o, distance=1)", "Delta(s -> o, eps=1/2)"):
        result = measured(text, measure)
        assert (result.lower, result.upper) == (0, 0), measure


def test_laplace_profiles_are_closed_forms() -> None:
    assert holds(measured(LAPLACE, "Delta(s -> o, eps=1/4)"), 1 - mpmath.exp(mpf(-1) / 8))
    assert holds(measured(LAPLACE, "DP(s -> o, delta=1/10)"), mpf(1) / 2 + 2 * mpmath.log(mpf(9) / 10))
    assert measured(LAPLACE, "Delta(s -> o, eps=1/2)").exact == 0


def test_a_clamp_that_keeps_the_best_half_line_loses_nothing() -> None:
    clamped = LAPLACE.replace("s + n", "max(0, min(1, s + n))")

    assert holds(measured(clamped, "Delta(s -> o, eps=1/4)"), 1 - mpmath.exp(mpf(-1) / 8))


def test_a_clamp_away_from_the_places_lowers_the_loss() -> None:
    """Outputs in [3, 4] only: of places 0 and 1 the atoms at 3 have 1 − e^(−3/2)/2 and 1 − e^(−1)/2, all else the ratio √e."""
    clamped = LAPLACE.replace("s + n", "max(3, min(4, s + n))")
    with mpmath.workdps(30):
        atoms = 1 - mpmath.exp(mpf(-3) / 2) / 2, 1 - mpmath.exp(-1) / 2
        total = atoms[0] - atoms[1]

    assert measured(clamped, "DP(s -> o)").exact == Fraction(1, 2)
    assert holds(measured(clamped, "Delta(s -> o, eps=0)"), total)
    only = LAPLACE.replace("s + n", "min(-1, s + n)")
    assert measured(only, "DP(s -> o)").exact == Fraction(1, 2)


LOCATIONS = st.lists(st.tuples(st.sampled_from([1, 2, 5]), st.integers(-3, 3)), min_size=1, max_size=3)


@given(LOCATIONS, LOCATIONS, st.sampled_from([0, 0.25, 1]), st.booleans())
@settings(max_examples=10, deadline=None)
def test_delta_of_random_places_is_the_integral(
    one: list[tuple[int, int]], other: list[tuple[int, int]], epsilon: float, clamped: bool
) -> None:
    def table(law: list[tuple[int, int]]) -> str:
        weights: dict[int, int] = {}
        for weight, place in law:
            weights[place] = weights.get(place, 0) + weight
        whole = sum(weights.values())
        return "{" + ", ".join(f"{place}: {weight}/{whole}" for place, weight in weights.items()) + "}"

    end = "max(-2, min(5/2, p + n))" if clamped else "p + n"
    text = f"{BIT}if s {{ p ~ {table(one)} }} else {{ p ~ {table(other)} }}\nn ~ laplace(0, 3/2)\no := {end}\n"

    def density(law: list[tuple[int, int]], at: mpf) -> mpf:
        whole = sum(weight for weight, _ in law)
        return mpmath.fsum(w * mpmath.exp(-abs(at - p) / mpf("1.5")) / 3 for w, p in law) / whole

    def below(law: list[tuple[int, int]], at: mpf) -> mpf:
        whole = sum(weight for weight, _ in law)
        parts = [(w, (at - p) / mpf("1.5")) for w, p in law]
        return mpmath.fsum(w * (mpmath.exp(z) / 2 if z < 0 else 1 - mpmath.exp(-z) / 2) for w, z in parts) / whole

    def excess(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> mpf:
        factor = mpmath.exp(epsilon)

        def gap(at: mpf) -> mpf:
            return density(a, at) - factor * density(b, at)

        left, right = (mpf(-2), mpf("2.5")) if clamped else (mpf(-3), mpf(3))
        knots = sorted({left, right, *(mpf(p) for _, p in (*a, *b) if left < p < right)})
        total = max(mpf(0), below(a, left) - factor * below(b, left))
        total += max(mpf(0), 1 - below(a, right) - factor * (1 - below(b, right)))
        for low, high in pairwise(knots):
            ends = gap(low), gap(high)
            cut = [low, high]
            if ends[0] * ends[1] < 0:
                cut.insert(1, mpmath.findroot(gap, (low, high), solver="anderson", verify=False))
            for start, stop in pairwise(cut):
                part = below(a, stop) - below(a, start) - factor * (below(b, stop) - below(b, start))
                total += max(mpf(0), part)
        return total

    with mpmath.workdps(30):
        truth = max(excess(one, other), excess(other, one))

    found = measured(text, f"Delta(s -> o, eps={Fraction(epsilon)})")

    slack = mpf(10) ** -20  # of the oracle
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.lower <= truth + slack
    assert truth - slack <= found.upper
    assert found.upper - found.lower < 1e-15


def test_a_response_behind_laplace_noise_leaks_less_than_either() -> None:
    """At its corners 0 and 1 the ratio is (2 + e^−2)/(1 + 2e^−2)."""
    text = f"{BIT}b ~ bernoulli(if s then 2/3 else 1/3)\no ~ laplace(b, 1/2)\n"

    fall = mpmath.exp(-2)
    assert holds(measured(text, "DP(s -> o)"), mpmath.log((2 + fall) / (1 + 2 * fall)))


@pytest.mark.parametrize("law", ["normal(0, 1)", "exponential(1)", "gamma(2, 1)", "student_t(3, 0, 1)"])
def test_a_continuous_input_shifts_the_output(law: str) -> None:
    text = f"secret s\noutput o\ns ~ {law}\nn ~ normal(0, 4)\no := 1 - 2 * s + n\n"

    found = measured(text, "Delta(s -> o, eps=1, distance=3)")

    shift = mpf(3)
    truth = mpmath.ncdf(shift / 2 - 1 / shift) - mpmath.e * mpmath.ncdf(-shift / 2 - 1 / shift)
    assert holds(found, truth)
    assert found.certainty is Certainty.EXACT
    assert found.witness == "two values of s at distance 3"


def test_noise_of_several_normals_adds_up() -> None:
    text = f"{SHIFT}n ~ normal(0, 3)\nm ~ normal(5, 1)\no := s + n - m\n"

    shift = mpf(1) / 2
    truth = mpmath.ncdf(shift / 2) - mpmath.ncdf(-shift / 2)
    assert holds(measured(text, "Delta(s -> o, eps=0, distance=1)"), truth)


def test_without_a_distance_anything_may_be_told_apart() -> None:
    text = f"{SHIFT}n ~ laplace(0, 2)\no := s + n\n"

    assert measured(text, "DP(s -> o)").lower == math.inf
    assert measured(text, "Delta(s -> o, eps=9)").exact == 1
    assert "without a 'distance'" in measured(text, "DP(s -> o, delta=1/3)").notes[0]
    assert measured(text, "DP(s -> o, distance=1)").exact == Fraction(1, 2)


def test_a_bounded_input_bounds_the_distance() -> None:
    text = "secret s\noutput o\ns ~ uniform(2, 5)\nn ~ laplace(0, 2)\no := s + n\n"

    assert measured(text, "DP(s -> o)").exact == Fraction(3, 2)
    assert measured(text, "DP(s -> o, distance=1)").exact == Fraction(1, 2)


def test_the_loss_falls_as_delta_rises() -> None:
    text = f"{SHIFT}n ~ normal(0, 9)\no := s + n\n"
    losses = [measured(text, f"DP(s -> o, distance=2, delta={delta})") for delta in ("1e-9", "1e-5", "1/10", "1/2")]

    assert all(tighter.lower >= looser.upper for tighter, looser in pairwise(losses))
    assert losses[-1].exact == 0


def test_an_input_that_decides_whether_there_is_noise_is_told_by_it() -> None:
    text = f"{SHIFT}n ~ normal(0, 1)\nif s > 0 {{ o := n }} else {{ o := 0 }}\n"

    assert measured(text, "DP(s -> o, distance=1)").lower == math.inf
    assert measured(text, "Delta(s -> o, eps=1, distance=1)").lower == 1


@pytest.mark.parametrize(
    "tail",
    [
        "k ~ bernoulli(1/2)\nn ~ normal(0, 1 + k)\no := s + n\n",
        "n ~ normal(0, 1)\no := s * n\n",
        "n ~ normal(0, 1)\nobserve(s + n > 0)\no := s + n\n",
        "n ~ uniform(0, 1)\no := s + n\n",
        "n ~ normal(0, 1)\nu ~ uniform(0, 1)\no := s + n + u\n",
        "l ~ laplace(0, 1)\nm ~ laplace(0, 1)\no := s + l + m\n",
    ],
)
@pytest.mark.parametrize("call", ["DP(s -> o, distance=1)", "Delta(s -> o, eps=1, distance=1)"])
def test_other_channels_of_a_continuous_input_are_an_error_that_says_which_noise_is_supported(
    tail: str, call: str
) -> None:
    expected = "its multiple plus independent noise: normal, one that is Laplace, or both"
    with pytest.raises(seepage.MeasureError, match=expected):
        measured(f"{SHIFT}{tail}", call)


def test_the_capacity_of_a_continuous_input_is_not_supported_whatever_the_noise() -> None:
    with pytest.raises(seepage.MeasureError, match=r"'Cmin' where 's' is continuous$"):
        measured(f"{SHIFT}n ~ normal(0, 1)\no := s + n\n", "Cmin(s -> o)")


@pytest.mark.parametrize("variance", ["1/10000", "1/1000000", "1/100000000"])
@pytest.mark.parametrize(
    ("secret", "asked"),
    [("bernoulli(1/2)", "delta=1/100000"), ("normal(0, 1)", "distance=1, delta=1/100000")],
)
def test_the_loss_behind_next_to_no_noise_is_the_root_of_the_exact_profile(
    secret: str, asked: str, variance: str
) -> None:
    shift = mpmath.sqrt(mpf(variance.split("/")[1]))

    def profile(epsilon: mpf) -> mpf:
        gained, lost = (shift / 2 - epsilon / shift), (shift / 2 + epsilon / shift)
        return mpmath.ncdf(gained) - mpmath.exp(epsilon) * mpmath.ncdf(-lost)

    low, high = mpf(0), 2 * shift**2 + 100 * shift
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if profile(middle) > mpf(10) ** -5 else (low, middle)
    result = seepage.parse(f"s ~ {secret}\no ~ normal(s, {variance})\n").measure(f"DP(s -> o, {asked})", unit="nats")
    assert result.certainty is Certainty.CERTIFIED
    assert result.lower <= low <= result.upper
    assert result.upper - result.lower < 1e-11 * result.number


@pytest.mark.parametrize(
    ("size", "loss", "formula"),
    [
        ("1 - exp(-eps)", lambda eps: eps, "eps"),
        ("(1) - (exp((-eps / 2)))", lambda eps: eps / 2, "eps/2"),
        ("1 - exp(-eps) / 2", lambda eps: eps + mpmath.log(2), None),
    ],
)
@pytest.mark.parametrize("eps", [1, 40, 800])  # 1 - (1 - exp(-40)) is 0 in doubles
def test_the_two_sided_geometric_mechanism_has_the_epsilon_that_it_is_made_of(
    size: str, loss: Callable[[mpf], mpf], formula: str | None, eps: int
) -> None:
    text = (
        f"param eps in [0, 1000] = {eps}\nsecret s\noutput o\ns ~ uniform_int(0, 3)\n"
        f"n ~ geometric({size})\nm ~ geometric({size})\no := s + n - m\n"
    )

    result = measured(text, "DP(s -> o, distance=1)")

    with mpmath.workdps(30):
        truth = loss(mpf(eps))
        assert result.lower <= truth <= result.upper
        assert result.upper - result.lower <= truth * 1e-12
    if formula is not None:
        assert result.formula is not None
        assert result.formula.text == formula


@pytest.mark.parametrize(
    ("output", "loss"),
    [
        ("s + n + m", mpf("inf")),  # the least output gives s away
        ("s + n + k", mpf("inf")),
        ("s + n - 2*m", mpmath.log(4)),  # P(n - 2m = -2i) is 2^(1 - i)/7, that of -2i - 1 is 2^(-i - 1)/7
        ("s + n - k", mpmath.log(2)),  # P(n - k = j) falls by 1/2 above 0 and by 2/3 below
    ],
)
def test_geometric_draws_that_are_no_opposite_pair_have_no_loss_of_one(output: str, loss: mpf) -> None:
    text = f"{BIT}n ~ geometric(1/2)\nm ~ geometric(1/2)\nk ~ geometric(1/3)\no := {output}\n"

    result = measured(text, "DP(s -> o)")

    assert result.lower <= loss <= result.upper
