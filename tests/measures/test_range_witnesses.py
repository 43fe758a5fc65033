"""Points that refute budgets over ranges: programs have a meaning there, and the budget fails."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.range_answers import answer

from seepage import parse

# At q = 0 no run passes the observation, on which 'c' does not depend.
OBSERVED = "param q in [0, 1] = 1/2\nw ~ bernoulli(q)\nobserve w\nc ~ bernoulli(1/2 + q/2)\n"
TWICE = "param q in [0, 1] = 1/2\nsecret s\noutput o\ns ~ bernoulli(1/2)\nw ~ bernoulli(q)\nif w { s := 1 }\no := s\n"


@pytest.mark.parametrize("requirement", ["H(c) < 1", "P(c == 1) > 1/2", "E(w) >= 0", "H(c) <= 1", "H(w) <= 0"])
def test_a_point_without_meaning_neither_refutes_nor_lets_hold(requirement: str) -> None:
    verdict, message = answer(OBSERVED, f"{requirement} over q in [0, 1]")

    assert verdict == "cannot tell"
    assert "q = 0" in message or "q > 0" in message


@pytest.mark.parametrize("requirement", ["P(c == 1) > 1/2", "E(w) >= 0", "H(c) <= 1", "H(w) <= 0"])
def test_without_that_point_the_budget_holds(requirement: str) -> None:
    assert answer(OBSERVED, f"{requirement} over q in (0, 1]") == ("holds", "")


@pytest.mark.parametrize(
    ("requirement", "witness"), [("H(c) <= 1/2", "q = 1/2"), ("E(w) <= 0", "q = 1"), ("P(c == 1) < 1", "q = 1")]
)
def test_another_point_refutes(requirement: str, witness: str) -> None:
    verdict, message = answer(OBSERVED, f"{requirement} over q in [0, 1]")

    assert verdict == "violated"
    assert message.endswith(f"at {witness}")


def test_a_secret_that_is_assigned_twice_at_a_point_leaves_it_without_meaning() -> None:
    assert answer(TWICE, "H(s) < 1 over q in [0, 1]")[0] == "cannot tell"


OBSERVATIONS = ["observe w", "observe w or v", "observe not (w and v)", "observe c == w", "observe v"]
MEASURES = ["H(c)", "P(c == 1)", "E(w)", "H(c | w)", "V(c)", "H(v)", "P(c == 1 | v == 1)"]
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
CHANCES = st.sampled_from(["q", "1 - q", "q/2", "1/2", "1/2 + q/2", "q^2", "(2*q - 1)^2"])


@given(
    st.tuples(CHANCES, CHANCES, CHANCES), st.sampled_from(OBSERVATIONS), st.sampled_from(MEASURES),
    st.sampled_from(sorted(COMPARISONS)), st.sampled_from(["0", "1/4", "1/2", "3/4", "1"]),
)  # fmt: skip
@settings(max_examples=50)
def test_a_witness_has_a_meaning_and_fails(
    chances: tuple[str, str, str], observation: str, measure: str, comparison: str, bound: str
) -> None:
    draws = [f"{name} ~ bernoulli({chance})" for name, chance in zip("wvc", chances, strict=True)]
    text = "\n".join(["param q in [0, 1] = 1/2", *draws, observation]) + "\n"

    found = parse(f"{text}require {measure} {comparison} {bound} over q in [0, 1]\n").analyze().answers[-1]

    if found.verdict == "violated":
        assert found.worst is not None
        point = {"q": found.worst.removeprefix("q = ")}
        number = parse(text).measure(measure, params=point)  # raises where it has no meaning
        at = Fraction(number.value) if number.exact is None else number.exact
        assert not COMPARISONS[comparison](at, Fraction(bound)), f"{text}{measure} {comparison} {bound}"


# What is published behind noise depends on neither 'w' nor 'q'.
NOISY = """param eps in [0, 5] = 1
param q in [0, 1] = 1/2
s ~ bernoulli(1/2)
n ~ discrete_laplace(1/(eps + 1))
o := s + n
w ~ bernoulli(q)
observe w
"""


@pytest.mark.parametrize("requirement", ["DP(s -> o) <= 6", "I(s; o) <= 99/100", "V(s | o) <= 999/1000"])
def test_behind_noise_too_every_point_needs_a_meaning(requirement: str) -> None:
    found, message = answer(NOISY, f"{requirement} over eps in [0, 5], q in [0, 1]")

    assert found == "cannot tell"
    assert "only where q > 0" in message
    assert answer(NOISY, f"{requirement} over eps in [0, 5], q in (0, 1]") == ("holds", "")
