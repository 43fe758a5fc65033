"""Differential privacy of Gaussian outputs, against quadrature at thirty digits, closed forms, and the laws that it obeys."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty, Result

phi: Callable[[mpf], mpf] = mpmath.ncdf
Mixture: TypeAlias = Sequence[tuple[float, float, float]]  # weight, mean, variance

BIT = "secret s\noutput o\ns ~ bernoulli(1/3)\n"
ONE_NOISE = f"{BIT}n ~ normal(0, 1)\no := s + n\n"
RESPONSE = f"{BIT}b ~ bernoulli(if s then 9/10 else 1/10)\nn ~ normal(0, 1)\no := b + n\n"


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure)


def density(mixture: Mixture, at: mpf) -> mpf:
    return mpmath.fsum(w * mpmath.npdf(at, m, mpmath.sqrt(v)) for w, m, v in mixture)


def excess(one: Mixture, other: Mixture, epsilon: float) -> mpf:
    """Return ∫ max(0, p − e^ε q): between the sign changes, which a fine grid finds and bisection sharpens, sums of erf."""
    with mpmath.workdps(30):

        def gap(at: mpf) -> mpf:
            return density(one, at) - mpmath.exp(epsilon) * density(other, at)

        reach = 15 * max(math.sqrt(v) for _, _, v in (*one, *other)) + max(abs(m) for _, m, _ in (*one, *other))
        grid = [mpf(k) * reach / 200 for k in range(-200, 201)]
        signs = [mpmath.sign(gap(at)) for at in grid]
        cuts = [-mpmath.inf]
        for k in range(400):
            if signs[k] * signs[k + 1] < 0:
                cuts.append(mpmath.findroot(gap, (grid[k], grid[k + 1]), solver="anderson", verify=False))
        cuts.append(mpmath.inf)

        def below(mixture: Mixture, at: mpf) -> mpf:
            return mpmath.fsum(w * mpmath.ncdf(at, m, mpmath.sqrt(v)) for w, m, v in mixture)

        total = mpf(0)
        for left, right in pairwise(cuts):
            part = (
                below(one, right) - below(one, left) - mpmath.exp(epsilon) * (below(other, right) - below(other, left))
            )
            total += max(mpf(0), part)
        return total


def gaussian_profile(shift: mpf, epsilon: mpf) -> mpf:
    """Return δ(ε) of two normal laws of one variance, ``shift`` standard deviations apart (Balle and Wang 2018)."""
    gained = phi(shift / 2 - epsilon / shift)
    return gained - mpmath.exp(epsilon) * phi(-shift / 2 - epsilon / shift)


def holds(result: Result, truth: mpf, width: float) -> bool:
    return bool(
        result.certainty is not Certainty.APPROXIMATE
        and result.lower <= truth <= result.upper
        and result.upper - result.lower <= width
    )


# --- one normal law for each input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("claimed", "epsilon"), [("0", 0), ("1/4", 0.25), ("1", 1), ("5", 5), ("30", 30)])
def test_the_gaussian_mechanism_has_its_exact_profile(claimed: str, epsilon: float) -> None:
    with mpmath.workdps(40):
        truth = gaussian_profile(mpf(1), mpf(epsilon))

    found = measured(ONE_NOISE, f"Delta(s -> o, eps={claimed})")

    assert holds(found, truth, 1e-15)
    assert found.certainty is Certainty.EXACT


def test_delta_at_zero_is_the_total_variation() -> None:
    assert holds(measured(ONE_NOISE, "Delta(s -> o, eps=0)"), 2 * phi(mpf(1) / 2) - 1, 1e-15)


@pytest.mark.parametrize(("claimed", "delta"), [("1/10", 0.1), ("1e-5", 1e-5), ("1e-12", 1e-12)])
def test_the_loss_is_where_the_profile_meets_delta(claimed: str, delta: float) -> None:
    found = measured(ONE_NOISE, f"DP(s -> o, delta={claimed})")

    assert found.upper - found.lower < 1e-11
    with mpmath.workdps(40):
        exact_delta = mpf(10) ** round(math.log10(delta))
        assert gaussian_profile(mpf(1), mpf(found.lower)) >= exact_delta >= gaussian_profile(mpf(1), mpf(found.upper))


def test_the_classical_variance_promises_nothing_at_a_large_epsilon() -> None:
    """At ε = 100 and δ = 1/10 the variance 2 log(1.25/δ) Δ²/ε² is 5.05e-4, and the laws of neighbours hardly meet."""
    text = f"{BIT}n ~ normal(0, 2 * log(1.25 / 0.1) / 100^2)\no := s + n\n"
    with mpmath.workdps(40):
        shift = 100 / mpmath.sqrt(2 * mpmath.log(mpf("12.5")))
        truth = gaussian_profile(shift, mpf(100))

    found = measured(text, "Delta(s -> o, eps=100)")

    assert found.lower <= truth <= found.upper
    assert found.lower > 0.99


def test_the_loss_has_no_bound_where_means_differ() -> None:
    found = measured(ONE_NOISE, "DP(s -> o)")

    assert found.value == found.lower == math.inf
    assert found.certainty is Certainty.EXACT
    assert "only with a 'delta'" in found.notes[0]


def test_neighbours_furthest_apart_are_the_worst() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 20)\nn ~ normal(0, 4)\no := 3 * s + n\n"

    near, far = (measured(text, f"Delta(s -> o, eps=1{distance})") for distance in (", distance=2", ""))

    assert holds(near, gaussian_profile(mpf(3), mpf(1)), 1e-15)
    assert holds(far, gaussian_profile(mpf(30), mpf(1)), 1e-15)
    assert far.witness == "s = 0 against s = 20"


def test_the_worst_value_of_what_is_given_counts() -> None:
    text = f"{BIT}z ~ bernoulli(1/2)\nn ~ normal(0, 1)\no := (1 + z) * s + n\n"

    assert holds(measured(text, "Delta(s -> o, eps=1 | z)"), gaussian_profile(mpf(2), mpf(1)), 1e-15)


# --- unequal variances and mixtures -----------------------------------------------------------------------------------


def test_the_wider_law_is_told_from_the_narrower_without_bound_but_not_the_other_way() -> None:
    """Of two centred laws of variances 1 and 4 the density of the first is at most twice that of the second."""
    text = f"{BIT}n ~ normal(0, 1 + 3 * s)\no := n\n"
    assert measured(text, "DP(s -> o)").lower == math.inf

    both_wide = f"{BIT}b ~ bernoulli(if s then 1/2 else 1/4)\nn ~ normal(0, 1 + 3 * b)\no := n\n"
    found = measured(both_wide, "DP(s -> o)")

    assert found.closed is not None  # 1/2 of the wide law against 1/4
    assert found.value == pytest.approx(math.log(2), abs=1e-15)


def test_a_response_behind_noise_keeps_its_odds_in_the_tails() -> None:
    found = measured(RESPONSE, "DP(s -> o)")

    assert found.closed is not None
    assert found.value == pytest.approx(2 * math.log(3), abs=1e-15)
    assert found.certainty is Certainty.EXACT


def test_a_ratio_that_is_greatest_inside_is_found() -> None:
    """Both laws end in the same tails; the first has more in the middle, where the log-ratio is greatest, at 0 by symmetry."""
    text = f"{BIT}b ~ {{-1: if s then 1/8 else 1/3, 0: if s then 3/4 else 1/3, 1: if s then 1/8 else 1/3}}\nn ~ normal(0, 1/4)\no := b + n\n"
    with mpmath.workdps(30):
        side = mpmath.exp(-2)  # of the density of a neighbouring component at 0
        middle = mpmath.log((mpf(3) / 4 + side / 4) / (mpf(1) / 3 + side * 2 / 3))

    found = measured(f"{text}", "DP(s -> o)")

    tails = mpmath.log(mpf(8) / 3)  # of s = 0 against s = 1: the largest of all
    assert holds(found, max(middle, tails), 1e-15)
    more = text.replace("1/8", "1/4").replace("3/4", "1/2")
    with mpmath.workdps(30):
        middle = mpmath.log((mpf(1) / 2 + side / 2) / (mpf(1) / 3 + side * 2 / 3))
    assert middle > mpmath.log(mpf(4) / 3)
    assert holds(measured(more, "DP(s -> o)"), middle, 1e-12)


WEIGHTS = st.sampled_from([1, 2, 3, 7])
MEANS = st.integers(-8, 8)
VARIANCES = st.sampled_from(["1/4", "1", "2", "9"])
PARTS = st.lists(st.tuples(WEIGHTS, MEANS, VARIANCES), min_size=1, max_size=3)


def program(laws: Sequence[Sequence[tuple[int, int, str]]]) -> str:
    """Return a program with one mixture for each value of s, each drawn by a table of components."""
    lines = ["secret s", "output o", f"s ~ uniform_int(0, {len(laws) - 1})"]
    for value, law in enumerate(laws):
        whole = sum(weight for weight, _, _ in law)
        table = ", ".join(f"{k}: {weight}/{whole}" for k, (weight, _, _) in enumerate(law))
        lines.append(f"k{value} ~ {{{table}}}")
        for k, (_, mean, variance) in enumerate(law):
            lines.append(f"n{value}x{k} ~ normal({mean}, {variance})")
    for value, law in enumerate(laws):
        lines.append(f"if s == {value} {{")
        for k in range(len(law)):
            lines.append(f"if k{value} == {k} {{ o := n{value}x{k} }}")
        lines.append("}")
    return "\n".join(lines) + "\n"


def as_floats(law: Sequence[tuple[int, int, str]]) -> Mixture:
    whole = sum(weight for weight, _, _ in law)
    numbers = {"1/4": 0.25, "1": 1.0, "2": 2.0, "9": 9.0}
    return [(mpf(weight) / whole, mean, numbers[variance]) for weight, mean, variance in law]


@given(PARTS, PARTS, st.sampled_from([0, 1, 3]))
@settings(max_examples=6, deadline=None)
def test_delta_of_mixtures_is_the_integral(
    one: list[tuple[int, int, str]], other: list[tuple[int, int, str]], epsilon: int
) -> None:
    with mpmath.workdps(30):
        a, b = as_floats(one), as_floats(other)
        truth = max(excess(a, b, epsilon), excess(b, a, epsilon))

    found = measured(program([one, other]), f"Delta(s -> o, eps={epsilon})")

    slack = mpf(10) ** -20  # of the oracle
    assert found.lower <= truth + slack
    assert truth - slack <= found.upper
    assert found.upper - found.lower < 1e-14


@given(PARTS, PARTS)
@settings(max_examples=2, deadline=None)
def test_the_laws_of_privacy_hold(one: list[tuple[int, int, str]], other: list[tuple[int, int, str]]) -> None:
    text = program([one, other])
    deltas = [measured(text, f"Delta(s -> o, eps={epsilon})") for epsilon in ("0", "1/2", "2")]
    losses = [measured(text, f"DP(s -> o, delta={delta})") for delta in ("1/4", "1/100")]

    assert all(later.lower <= earlier.upper for earlier, later in pairwise(deltas))
    assert losses[0].lower <= losses[1].upper
    assert measured(text, "DP(s -> o)").upper >= losses[1].lower
    noisier = measured(f"{text}m ~ normal(0, 1)\np := o + m\n", "Delta(s -> p, eps=1/2)")
    assert noisier.lower <= deltas[1].upper


# --- atoms and densities ----------------------------------------------------------------------------------------------


def test_an_atom_against_a_density_has_no_bound() -> None:
    text = f"{BIT}n ~ normal(0, 1)\nif s {{ o := n }} else {{ o := 0 }}\n"

    assert measured(text, "DP(s -> o)").lower == math.inf
    assert measured(text, "Delta(s -> o, eps=3)").lower == 1
    assert measured(text, "DP(s -> o, delta=1/2)").lower == math.inf


def test_a_release_that_fails_sometimes_is_lost_with_the_chance_of_failing() -> None:
    """One run in ten gives the secret away; the noise of the others is the same for both."""
    text = f"{BIT}f ~ bernoulli(1/10)\nn ~ normal(0, 1)\nif f {{ o := s }} else {{ o := n }}\n"

    assert measured(text, "DP(s -> o)").lower == math.inf
    assert measured(text, "Delta(s -> o, eps=7)").value == pytest.approx(0.1, abs=1e-15)
    assert measured(text, "DP(s -> o, delta=1/5)").value == 0


def test_min_capacity_is_the_integral_of_the_greatest_density() -> None:
    """Three unit noises at 0, 2 and 4: 1 + 2·(2Φ(1) − 1) by the borders at 1 and 3."""
    text = "secret s\noutput o\ns ~ {0: 1/2, 1: 1/3, 2: 1/6}\nn ~ normal(0, 1)\no := 2 * s + n\n"

    assert holds(measured(text, "Cmin(s -> o)"), mpmath.log(1 + 2 * (2 * phi(mpf(1)) - 1), 2), 1e-14)


def test_two_noisy_copies_tell_as_much_as_their_sum() -> None:
    text = f"{BIT}n ~ normal(0, 1)\nm ~ normal(0, 1)\no := s + n\np := s + m\n"

    assert holds(measured(text, "Delta(s -> o, p, eps=1)"), gaussian_profile(mpmath.sqrt(2), mpf(1)), 1e-14)
    assert measured(text, "DP(s -> o, p)").lower == math.inf


# --- honesty ----------------------------------------------------------------------------------------------------------


def test_an_approximation_is_never_certified() -> None:
    text = f"{BIT}n ~ laplace(0, 1)\nm ~ laplace(0, 1)\no := s + n * m\n"

    for asked in ("DP(s -> o, delta=1/10)", "Delta(s -> o, eps=1)"):
        found = measured(text, asked)
        assert found.certainty is Certainty.APPROXIMATE
        assert found.because
    assert (found.lower, found.upper) == (0, 1)


def test_budgets_are_judged_by_the_bounds() -> None:
    answers = seepage.parse(
        f"{ONE_NOISE}require DP(s -> o, delta=1e-5) <= 4.3772\nrequire DP(s -> o, delta=1e-5) <= 4.3771\nrequire DP(s -> o) <= 100\n"
    ).analyze()

    assert [answer.verdict for answer in answers.answers] == ["holds", "violated", "violated"]


@pytest.mark.variation(of="test_budgets_are_judged_by_the_bounds")
def test_too_many_laws_to_compare_is_an_error_that_says_what_helps() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 40)\nk ~ bernoulli(1/2)\nn ~ normal(0, 1 + k + s)\no := s + n\n"
    with pytest.raises(seepage.MeasureError, match="pairs of laws"):
        measured(text, "DP(s -> o, delta=1/10)")
