"""What observations do to the law of a secret: numbers from closed forms, and silence where dependence or the numbers prove that they do nothing."""

from __future__ import annotations

import math

import pytest

import seepage
from seepage.rules import OBSERVATION_MOVES_PRIOR


def told(text: str, seconds: float = 30.0) -> list[str]:
    found = seepage.parse(text).analyze(seconds=seconds).diagnostics
    return [each.message for each in found if each.rule is OBSERVATION_MOVES_PRIOR]


def test_bounded_laplace_noise_moves_the_ends_of_a_secret_most() -> None:
    passing = [1 - math.exp(-k) / 2 - math.exp(k - 10) / 2 for k in range(11)]
    end = passing[0] / math.fsum(passing)

    (message,) = told(
        "secret s\noutput o\ns ~ uniform_int(0, 10)\nn ~ laplace(0, 1)\no := s + n\nobserve o >= 0 and o <= 10\n"
    )

    assert message.endswith(f"P(s == 0) from {1 / 11:.3g} to {end:.3g}")


def test_the_mean_or_variance_of_a_continuous_secret_moves() -> None:
    half_normal = 1 - 2 / math.pi  # the variance of |s|

    (message,) = told("secret s\noutput o\ns ~ normal(0, 1)\nobserve s >= 0\nn ~ normal(0, 1)\no := s + n\n")

    moved = [f"E(s) from 0 to {math.sqrt(2 / math.pi):.3g}", f"Var(s) from 1 to {half_normal:.3g}", "H(s) from"]
    assert any(each in message for each in moved)


@pytest.mark.parametrize(
    "observed",
    [
        "n ~ flip(1/3)\nobserve n",
        "m ~ normal(0, 1)\nobserve m > 0",
        "t ~ flip(1/2)\nobserve t == t",
    ],
)
def test_nothing_is_said_of_observations_that_are_independent_of_secrets(observed: str) -> None:
    assert told(f"secret s\noutput o\ns ~ flip(1/2)\n{observed}\no := s\n") == []


def test_a_law_that_an_observation_leaves_as_it_is_is_not_told() -> None:
    """The sum of a fair bit and another one is a fair bit, whatever the other is: o == 1 has the same chance for both."""
    assert told("secret s\noutput z\ns ~ flip(1/3)\nk ~ flip(1/2)\no := s xor k\nobserve o\nz := s\n") == []


def test_elements_of_an_array_are_looked_at_one_by_one() -> None:
    (message,) = told("secret a\noutput o\nfor i in 1..3 { a[i] ~ flip(1/2) }\nobserve a[2]\no := a[1] + a[2] + a[3]\n")

    assert "P(a[2] == 0) from 0.5 to 0" in message or "P(a[2] == 1) from 0.5 to 1" in message
    assert "a[1]" not in message
    assert "a[3]" not in message


def test_the_last_of_a_loop_s_observations_counts_for_all_of_its_rounds() -> None:
    (message,) = told("secret s\noutput o\ns ~ uniform_int(1, 4)\nfor i in 1..2 { observe s != i }\no := s\n")

    assert "from 0.25 to" in message


def test_what_has_no_number_is_told_by_dependence() -> None:
    (message,) = told(
        "secret s\noutput o\ns ~ uniform_int(1, 10^12)\nt ~ uniform_int(1, 10^12)\nobserve s * t % 1000003 > 7 * (s % 1009)\no := s % 2\n"
    )

    assert "depends on 's' and may change" in message
