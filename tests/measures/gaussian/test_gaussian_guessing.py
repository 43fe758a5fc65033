"""Guessing a discrete secret behind continuous outputs, against closed forms in the normal distribution function, at sixty digits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

import seepage
from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.gaussian.maximum import Bell, integral_of_maximum
from seepage.measures.result import Certainty, Result

phi: Callable[[mpf], mpf] = mpmath.ncdf

BIT = "s ~ bernoulli(1/2)\nn ~ normal(0, 1)\n"


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure)


def is_enclosed(result: Result, truth: mpf, width: float = 1e-15) -> bool:
    """Tell whether a certified result holds the truth, in bounds as tight as floats are."""
    return bool(
        result.certainty is Certainty.CERTIFIED
        and result.lower <= truth <= result.upper
        and result.upper - result.lower <= width
    )


def test_two_equal_noises_meet_in_the_middle() -> None:
    assert is_enclosed(measured(f"{BIT}o := 3 * s + n\n", "V(s | o)"), phi(mpf(3) / 2))
    assert is_enclosed(measured(f"{BIT}o := 3 * s + n\n", "Guess(s | o)"), 2 - phi(mpf(3) / 2))
    leak = measured(f"{BIT}o := 3 * s + n\n", "Lmin(s -> o)")
    assert is_enclosed(leak, mpmath.log(2 * phi(mpf(3) / 2), 2))
    assert is_enclosed(measured(f"{BIT}o := 3 * s + n\n", "Hmin(s | o)"), -mpmath.log(phi(mpf(3) / 2), 2))
    gain = measured(f"{BIT}o := 3 * s + n\n", "G(s -> o, guess)")
    assert (gain.value, gain.lower, gain.upper) == (leak.value, leak.lower, leak.upper)


def test_an_unlikely_secret_moves_the_border() -> None:
    """With P(s = 1) = 1/10 the border of means 0 and 2 lies at 1 + log(9)/2."""
    border = 1 + mpmath.log(9) / 2
    truth = mpf(9) / 10 * phi(border) + mpf(1) / 10 * phi(2 - border)

    assert is_enclosed(measured("s ~ bernoulli(1/10)\nn ~ normal(0, 1)\no := 2 * s + n\n", "V(s | o)"), truth)


def test_of_two_widths_the_narrow_one_wins_in_an_interval() -> None:
    """Densities of N(0, 1) and N(0, 4) are equal at t² = (8/3) log 2."""
    border = mpmath.sqrt(mpf(8) / 3 * mpmath.log(2))
    inside = [2 * phi(border) - 1, 2 * phi(border / 2) - 1]

    found = measured("s ~ bernoulli(1/2)\nif s { o ~ normal(0, 4) } else { o ~ normal(0, 1) }\n", "V(s | o)")

    assert is_enclosed(found, (inside[0] + 1 - inside[1]) / 2)


def test_a_class_may_be_a_mixture_itself() -> None:
    """o is N(±3, 1) or N(0, 1): they are equally likely where cosh(3t) = exp(9/2)."""
    border = mpmath.acosh(mpmath.exp(mpf(9) / 2)) / 3
    truth = (2 * phi(border) - 1 + phi(3 - border) + phi(-3 - border)) / 2
    text = f"{BIT}t ~ bernoulli(1/2)\nif s {{ o := 6 * t - 3 + n }} else {{ o := n }}\n"

    assert is_enclosed(measured(text, "V(s | o)"), truth)


THREE = "s ~ uniform_int(-1, 1)\nn ~ normal(0, 1)\no := 2 * s + n\n"


def test_three_values_in_a_row() -> None:
    one, two = (4 * phi(mpf(1)) - 1) / 3, 1 - 2 * phi(mpf(-2)) / 3

    assert is_enclosed(measured(THREE, "V(s | o)"), one)
    assert is_enclosed(measured(THREE, "G(s -> o, tries(2))"), mpmath.log(two * 3 / 2, 2))
    assert is_enclosed(measured(THREE, "Guess(s | o)"), 1 + (1 - one) + (1 - two), 2e-15)
    assert measured(THREE, "V(s | o == 1)").exact is None


def test_of_many_values_only_few_tries_are_integrated() -> None:
    """Forty equally likely values, of which noise shows nothing: 20.5 guesses."""
    found = measured("s ~ uniform_int(1, 40)\nn ~ normal(0, 1)\no := n + 0 * s\n", "Guess(s | o)")

    assert found.lower <= 20.5 <= found.upper
    assert found.certainty is Certainty.CERTIFIED


@pytest.mark.variation(of="test_in_the_plane_cells_bound_the_chance_and_a_grid_does_so_alone")
@pytest.mark.parametrize(("rate", "is_narrow"), [("1/50", True), ("2", False)])
def test_guesses_of_an_infinite_secret_say_only_what_is_so(rate: str, is_narrow: bool) -> None:
    """Behind noise there are at most as many as without it: of 1/50, where the likeliest value is the smaller one, 1 + 1/50. There is a bound."""
    found = measured(f"s ~ poisson({rate})\nn ~ normal(0, 9)\no := s / 2 + n\n", "Guess(s | o)")

    assert found.certainty is Certainty.CERTIFIED
    assert math.isfinite(found.upper)
    assert not any("no upper bound" in note for note in found.notes)
    assert (found.upper - found.lower < 1e-3) is is_narrow is (not found.notes)
    assert not is_narrow or found.lower <= 1 + 1 / 50 <= found.upper + 1e-12


def test_the_nearest_guess_behind_noise() -> None:
    """Gains 1, 1/2, 0: between guesses 0 and 1 the border is where f(-1) + f(0) = f(1), by symmetry twice."""
    f = [lambda t, m=m: mpmath.npdf(t - m) for m in (-2, 0, 2)]
    border = mpmath.findroot(lambda t: f[0](t) + f[1](t) - f[2](t), 1)
    middle = [phi(border - m) - phi(-border - m) for m in (-2, 0, 2)]
    beyond = [phi(m - border) for m in (-2, 0, 2)]
    truth = (middle[0] / 2 + middle[1] + middle[2] / 2 + 2 * (beyond[2] + beyond[1] / 2)) / 3

    found = measured(THREE, "G(s -> o, distance)")

    assert is_enclosed(found, mpmath.log(truth / (mpf(2) / 3), 2))
    names = [companion.name for companion in found.companions]
    assert names == ["prior g-vulnerability", "posterior g-vulnerability", "multiplicative leakage", "additive leakage"]
    assert found.companions[1].lower <= truth <= found.companions[1].upper


def test_atoms_and_densities_are_seen_apart() -> None:
    """Half of the runs show 0 and say nothing, the others are those of two equal noises."""
    text = f"{BIT}t ~ bernoulli(1/2)\nif t {{ o := 0 }} else {{ o := s + n }}\n"

    assert is_enclosed(measured(text, "V(s | o)"), (mpf(1) / 2 + phi(mpf(1) / 2)) / 2)


def test_supports_that_never_meet_tell_the_secret() -> None:
    assert measured(f"{BIT}if s {{ o := n }} else {{ o := 5 }}\n", "V(s | o)").exact == 1
    assert measured(f"{BIT}o := n\na := n + s\n", "V(s | o, a)").exact == 1
    assert measured(f"{BIT}o := n\na := n + s\n", "Guess(s | o, a)").exact == 1


def test_an_output_that_says_nothing_leaves_the_prior() -> None:
    assert measured(f"{BIT}o := n\n", "V(s | o)").exact == measured(f"{BIT}o := n\n", "V(s)").exact
    assert measured(f"{BIT}o := n\n", "Lmin(s -> o)").exact == 0
    assert measured(f"{BIT}o := n\n", "G(s -> o, distance)").exact == 0
    hidden = measured(f"{BIT}o := 0 * s + n\na := n + 0 * s\n", "V(s | o, a)")
    assert is_enclosed(hidden, mpf(1) / 2)


def test_an_output_that_repeats_another_adds_nothing() -> None:
    text = f"{BIT}o := 3 * s + n\na := 2 * o + 1\n"

    assert is_enclosed(measured(text, "V(s | o, a)"), phi(mpf(3) / 2))


def test_lines_that_do_not_meet_tell_the_secrets_of_each_apart() -> None:
    """s and t make o = a + t; t is told by the line, s by the place on it."""
    text = f"{BIT}t ~ bernoulli(1/2)\na := 3 * s + n\no := a + t\n"

    assert is_enclosed(measured(text, "V(s, t | o, a)"), phi(mpf(3) / 2))
    assert measured(text, "V(t | o, a)").exact == 1


def test_outputs_of_which_one_statistic_tells_all_are_one_output() -> None:
    """Two looks at s through noise of their own are one look at their mean, of variance 1/2."""
    text = f"{BIT}m ~ normal(0, 1)\no := 2 * s + n\na := 2 * s + m\n"

    assert is_enclosed(measured(text, "V(s | o, a)"), phi(mpmath.sqrt(2)))


def test_in_the_plane_cells_bound_the_chance_and_a_grid_does_so_alone() -> None:
    """Round noises of variances 1 and 4 have equal densities at r² = (8/3) log 4."""
    square = mpf(8) / 3 * mpmath.log(4)
    truth = (1 - mpmath.exp(-square / 2) + mpmath.exp(-square / 8)) / 2
    text = "s ~ bernoulli(1/2)\nv := 1 + 3 * s\no ~ normal(0, v)\na ~ normal(0, v)\nb := o + a\n"

    apart, image = measured(text, "V(s | o, a)"), measured(text, "V(s | o, b)")

    assert is_enclosed(apart, truth, width=1e-3)  # independent given s
    assert is_enclosed(image, truth, width=1e-3)  # a one-to-one image of them
    told = next(step.told for step in apart.plan if step.name == "one law")
    low, high = map(float, re.findall(r"0\.\d+", told))
    assert low <= truth <= high <= low + 0.1


def test_an_approximation_claims_no_more_than_what_is_known() -> None:
    text = "s ~ bernoulli(1/4)\nn ~ laplace(0, 1)\nm ~ laplace(0, 1)\no := s + n * m\n"
    found = measured(text, "V(s | o)")

    assert found.certainty is Certainty.APPROXIMATE
    assert (found.lower, found.upper) == (0.75, 1.0)
    leak = measured(text, "Lmin(s -> o)")
    assert (leak.lower, leak.certainty) == (0.0, Certainty.APPROXIMATE)
    assert leak.upper == pytest.approx(float(mpmath.log(mpf(4) / 3, 2)), rel=1e-15)


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 6)), min_size=1, max_size=4, unique=True),
    st.data(),
)
@settings(max_examples=12)
def test_integrals_of_maxima_agree_with_quadrature(laws: list[tuple[int, int]], data: st.DataObject) -> None:
    """Against the trapezoidal rule, which errs at a kink by an eighth of the squared step times the change of slope, here 0.0003 at most."""
    rows = data.draw(
        st.lists(st.lists(st.integers(-3, 5), min_size=len(laws), max_size=len(laws)), min_size=1, max_size=4)
    )
    bells = [Bell(arb(mean), arb(width) / 2) for mean, width in laws]
    step, reach = 1 / 128, 30.0

    with precision(160):
        low, high = integral_of_maximum(bells, [{k: arb(c) for k, c in enumerate(row)} for row in rows], Budget())
        width = float(high - low)
    total = 0.0
    for i in range(int(2 * reach / step) + 1):
        t = -reach + i * step
        densities = [_density(t, mean, width / 2) for mean, width in laws]
        total += step * max(sum(c * d for c, d in zip(row, densities, strict=True)) for row in rows)

    assert width < 1e-20
    assert abs(float((low + high) / 2) - total) < 0.01


def _density(t: float, mean: float, deviation: float) -> float:
    return math.exp(-(((t - mean) / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))
