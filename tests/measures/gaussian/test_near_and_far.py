"""Guessing behind laws that nearly coincide, and informations of laws that are out of the range of floats."""

from __future__ import annotations

import warnings
from typing import Literal

import mpmath
import pytest

from seepage import parse
from seepage.measures.result import Certainty


@pytest.mark.family(every=4)
@pytest.mark.parametrize(
    "law", ["normal(b * {d}, 1)", "laplace(b * {d}, 1)", "normal(b * {d} * 3, 9)", "laplace(7 - b * {d} / 3, 1/3)"]
)
@pytest.mark.parametrize("chance", ["1/2", "1/3", "9/10"])
@pytest.mark.parametrize("distance", ["10^(-9)", "1/1000", "1", "5/2", "30"])
def test_two_laws_of_one_shape(law: str, chance: str, distance: str) -> None:
    text = f"secret b\noutput o\nb ~ bernoulli({chance})\no ~ {law.format(d=distance)}\n"
    with mpmath.workdps(40):
        p = mpmath.mpf(number_of(chance))
        d = mpmath.mpf(10) ** -9 if "^" in distance else mpmath.mpf(number_of(distance))
        # The two densities, a distance d apart in units of their scale, cross once: at a place that is found on its own.
        normal = law.startswith("normal")
        place = d / 2 + mpmath.log((1 - p) / p) / (d if normal else 2)
        if not normal:
            place = (
                min(max(place, mpmath.mpf(0)), d)
                if mpmath.exp(d) > max(p / (1 - p), (1 - p) / p)
                else (mpmath.inf if p < 0.5 else -mpmath.inf)
            )
        expected = (1 - p) * below(place, normal) + p * (1 - below(place - d, normal))

        found = parse(text).measure("V(b | o)")
        assert found.certainty is not Certainty.APPROXIMATE
        assert found.lower - 1e-15 <= expected <= found.upper + 1e-15
        assert found.upper - found.lower < 1e-14


def number_of(text: str) -> mpmath.mpf:
    """Return a fraction as a number."""
    top, _, bottom = text.partition("/")
    return mpmath.mpf(top) / mpmath.mpf(bottom or "1")


def below(place: mpmath.mpf, normal: bool) -> mpmath.mpf:
    """Return the distribution function at a place."""
    if normal:
        return mpmath.ncdf(place)
    return mpmath.exp(place) / 2 if place < 0 else 1 - mpmath.exp(-place) / 2


def test_the_gain_of_laws_that_nearly_coincide() -> None:
    for law, gain in (("laplace", 2.5e-10), ("normal", 1e-9 / (2 * (2 * 3.141592653589793) ** 0.5))):
        program = parse(f"secret b\noutput o\nb ~ bernoulli(1/2)\no ~ {law}(b/1000000000, 1)\n")
        leak = program.measure("Lmin(b -> o)", unit="nats")
        assert leak.value == pytest.approx(2 * gain, rel=1e-6)
        assert leak.upper - leak.lower < 1e-14


def test_laws_out_of_the_range_of_floats_warn_nobody() -> None:
    program = parse("secret b\noutput o\nb ~ bernoulli(1/2)\no ~ normal(b * 10^200, 1)\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told, spread = program.measure("I(b; o)"), program.measure("H(o)")

    assert (told.lower, told.upper) == pytest.approx((1, 1), abs=1e-12)
    assert spread.value == pytest.approx(float(1 + mpmath.log(2 * mpmath.pi * mpmath.e, 2) / 2), abs=1e-9)


FAR = ["exp(100)", "exp(300)", "exp(1000)", "10^200", "10^500"]
NORMAL = mpmath.log(2 * mpmath.pi * mpmath.e, 2) / 2
LAPLACE = mpmath.log(2 * mpmath.e, 2)


def holds(text: str, measure: str, expected: mpmath.mpf, width: float = 1e-9) -> None:
    found = parse(text).measure(measure)
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.lower - 1e-12 <= expected <= found.upper + 1e-12
    assert found.upper - found.lower < width


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("p", ["1/2", "1/3"])
def test_an_output_whose_means_are_too_far_apart_for_floats_tells_the_bit(far: str, p: str) -> None:
    text = f"param p in [0, 1] = {p}\nsecret m\noutput c\nm ~ flip(p)\nn ~ normal(0, 1)\nc := m * {far} + n\n"
    share = mpmath.mpf(number_of(p))
    bit = -share * mpmath.log(share, 2) - (1 - share) * mpmath.log(1 - share, 2)

    holds(text, "H(c)", NORMAL + bit)
    holds(text, "I(m; c)", bit)
    holds(text, "H(m | c)", mpmath.mpf(0))
    (row,) = parse(text).analyze().table
    assert row.information is not None
    assert row.information.lower - 1e-9 <= bit <= row.information.upper + 1e-9


@pytest.mark.family(every=3)
@pytest.mark.parametrize("far", [*FAR, "-exp(1000)", "10^400/3"])
def test_what_is_added_to_an_output_changes_no_entropy(far: str) -> None:
    text = f"secret m\noutput c\nm ~ bernoulli(1/2)\nn ~ normal(0, 1)\nc := m * 4 + {far} + n\n"

    def density(x: mpmath.mpf) -> mpmath.mpf:
        return (mpmath.npdf(x, 0, 1) + mpmath.npdf(x, 4, 1)) / 2

    entropy = mpmath.quad(lambda x: -density(x) * mpmath.log(density(x), 2), [-12, -4, 0, 2, 4, 8, 16])

    holds(text, "H(c)", entropy)
    holds(text, "I(m; c)", entropy - NORMAL)
    holds(text, "Var(c)", mpmath.mpf(5))


@pytest.mark.parametrize("method", ["huber", "hershey"])
@pytest.mark.parametrize("far", ["exp(100)", "exp(1000)"])
def test_the_papers_bounds_do_not_depend_on_what_is_added(method: Literal["huber", "hershey"], far: str) -> None:
    text = "secret m\noutput c\nm ~ bernoulli(1/2)\nn ~ normal(0, 1)\nc := m * 4 + {} + n\n"
    for measure in ("H(c)", "I(m; c)"):
        moved = parse(text.format(far)).measure(measure, method=method)
        plain = parse(text.format("0")).measure(measure, method=method)
        assert (moved.lower, moved.upper) == pytest.approx((plain.lower, plain.upper), abs=1e-12)


@pytest.mark.parametrize("scale", ["exp(1000)", "exp(-1000)", "10^400", "2^(-4000)"])
def test_one_of_two_laws_has_a_spread_that_floats_do_not_hold(scale: str) -> None:
    text = "secret m\noutput c\nm ~ bernoulli(1/2)\nn ~ {}(0, {})\nq ~ normal(0, 1)\nc := if m == 1 then n else q\n"
    logarithm = {"exp(1000)": 1000 / mpmath.log(2), "exp(-1000)": -1000 / mpmath.log(2)}
    size = logarithm.get(scale, -4000 if scale.startswith("2") else 400 * mpmath.log(10, 2))

    holds(text.format("normal", scale), "H(c)", 1 + NORMAL + size / 4)
    holds(text.format("laplace", scale), "H(c)", 1 + (NORMAL + LAPLACE + size) / 2)


@pytest.mark.variation(of="test_two_laws_of_one_shape")
@pytest.mark.parametrize("scale", ["exp(1000)", "10^400"])
def test_guessing_behind_a_sum_of_noises_of_unlike_sizes_is_bounded(scale: str) -> None:
    # The noise is so wide that the output tells next to nothing of the bit: V is 1/2 and a little.
    text = f"secret m\noutput c\nm ~ bernoulli(1/2)\nn ~ laplace(0, {scale})\nq ~ normal(0, 1)\nc := m + n + q\n"
    found = parse(text).measure("V(m | c)")

    assert found.lower <= 0.5 <= found.upper
    assert parse(text).measure("Hmin(m)").value == 1
    parse(text).measure("Hmin(m | c)")
    assert parse(text).analyze().table


@pytest.mark.variation(of="test_two_laws_of_one_shape")
def test_variances_in_one_ball_are_not_taken_for_one() -> None:
    # The wider of the two normals exceeds every multiple of the other far out, however little wider it is.
    text = (
        "secret m\noutput c\nm ~ bernoulli(1/2)\nb ~ flip(1/2)\np ~ normal(0, exp(1))\n"
        "q ~ normal(0, exp(1) + 10^(-100))\nc := if m == 0 and b then q else p\n"
    )
    assert parse(text).measure("DP(m -> c)").lower == float("inf")
