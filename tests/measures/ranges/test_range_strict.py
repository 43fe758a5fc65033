"""Budgets that are met with equality at one point, in the range or at an end that is not in it, and budgets that every program meets."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.ranges.range_answers import answer

from seepage import parse

TEXT = """param p in [0, 1] = 1/4
param eps in [0, 5] = 1
param q in [0, 1] = 1/3
secret s
output o
s ~ bernoulli(1/2)
t ~ bernoulli(p)
u ~ bernoulli(exp(eps) / (1 + exp(eps)))
w ~ bernoulli(q)
o := s xor t
r := s xor u
"""


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "requirement",
    [
        # I(s; o) = 1 - h(p): 1 at p = 0 and p = 1, where its slope is infinite, and 0 at p = 1/2, where its slope is 0.
        "I(s; o) < 1 bits over p in (0, 0.5]",
        "I(s; o) < 1 over p in (0, 1)",
        "I(s; o) > 0 over p in [0, 1/2)",
        "I(s; o) > 0 over p in (1/2, 1]",
        "I(s; o) > 0 over p in [0, 1/2), q in [0, 1]",
        "I(s; r) > 0 over eps in (0, 1]",
        "I(s; r) < 1 over eps in [0, 5]",
        "H(s | o) > 0 over p in (0, 1/2]",
        "H(s | o) < 1 over p in [0, 1/2)",
        "H(t) < 1 over p in [0, 1/2)",
        "H(t) > 0 over p in (0, 1)",
        "H(t, w) < 2 over p in [0, 1], q in [0, 1/2)",
        "KL(s || t) > 0 over p in (0, 1/2)",
        "Var(t) < 1/4 over p in [0, 1/2)",
        "Var(t) > 0 over p in (0, 1)",
        "E(t) < 1 over p in [0, 1)",
        "P(t == 1) > 0 over p in (0, 1]",
        "V(s | o) < 1 over p in (0, 1/2]",
        "V(s | o) > 1/2 over p in [0, 1/2)",
        "Hmin(s | o) > 0 over p in (0, 1)",
        "Lmin(s -> o) < 1 over p in (0, 1)",
        "Cmin(s -> o) < 1 over p in (0, 1/2]",
        "Guess(s | o) < 3/2 over p in [0, 1/2)",
        "Guess(s | o) > 1 over p in (0, 1/2]",
        "DP(s -> r) < 1 over eps in [0, 1)",
    ],
)
def test_a_value_that_is_only_approached_meets_a_strict_budget(requirement: str) -> None:
    assert answer(TEXT, requirement) == ("holds", "")


@pytest.mark.parametrize(
    ("requirement", "witness"),
    [
        ("I(s; o) < 1 bits over p in [0, 0.5]", "p = 0"),
        ("I(s; o) > 0 over p in [0, 1/2]", "p = 1/2"),
        ("I(s; o) > 0 over p in [0, 1]", "p = 1/2"),
        ("I(s; r) > 0 over eps in [0, 1]", "eps = 0"),
        ("H(s | o) < 1 over p in [0, 1]", "p = 1/2"),
        ("H(t, w) < 2 over p in [0, 1], q in [0, 1]", "p = 1/2, q = 1/2"),
        ("V(s | o) < 1 over p in [0, 1/2]", "p = 0"),
        ("Lmin(s -> o) < 1 over p in [0, 1)", "p = 0"),
        ("Var(t) < 1/4 over p in [0, 1]", "p = 1/2"),
        ("DP(s -> r) < 1 over eps in [0, 1]", "eps = 1"),
        ("Guess(s | o) < 3/2 over p in [0, 1/2]", "p = 1/2"),
        # h(1/4) = 2 - 3/4 log2(3), which is no rational number of bits.
        ("H(t) < 2 - log(3)/log(2)*3/4 over p in [0, 1/4]", "p = 1/4"),
        ("H(t) > 2*log(2) - log(3)*3/4 nats over p in [1/4, 1/2]", "p = 1/4"),
        ("I(s; o) < log(3)/log(2)*3/4 - 1 over p in [1/4, 3/4]", "p = 1/4"),
        ("KL(s || t) > log(9/8)/2 nats over p in [1/4, 1/3]", "p = 1/3"),
    ],
)
def test_a_value_that_is_reached_violates_it(requirement: str, witness: str) -> None:
    verdict, message = answer(TEXT, requirement)

    assert verdict == "violated"
    assert message.endswith(f"at {witness}")


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "requirement",
    [
        # Of three values that are as likely as each other, log2(3) everywhere.
        "H(x) < log(3)/log(2) over p in [1/2, 1]",
        "H(x) > log(3)/log(2) over p in [1/2, 1]",
        "Hmin(x) < log(3)/log(2) over p in [1/2, 1]",
        "I(x; x) < log(3)/log(2) over p in [1/2, 1]",
        "Lmin(x -> x) < log(3)/log(2) over p in [1/2, 1]",
        "H(s) + H(x) < log(6)/log(2) over p in [0, 1]",
        "H(s) + H(x) > log(6)/log(2) over p in [0, 1]",
        # h(1/4) = 2 - 3/4 log2(3), at one end of the range.
        "H(t) < 2 - log(3)/log(2)*3/4 over p in [0, 1/4]",
        "H(t) > 2 - log(3)/log(2)*3/4 over p in [1/4, 1/2]",
        "H(t) < 2*log(2) - log(3)*3/4 nats over p in [0, 1/4]",
        "I(s; o) < log(3)/log(2)*3/4 - 1 over p in [1/4, 3/4]",
        # The chance of a right guess is 3/4 at p = 1/4.
        "Hmin(s | o) > log(4/3) nats over p in [1/4, 1/2]",
        "Lmin(s -> o) < log(3/2) nats over p in [1/4, 1/2]",
        "G(s -> o, guess) < log(3/2) nats over p in [1/4, 1/2]",
        "KL(t || x) < log(3) nats over p in [0, 1/2]",
        # (1 - p)^2 = 9/16 and p = 1/4, at p = 1/4.
        "P(n > 1) < 9/16 over p in [1/4, 1]",
        "P(n == 0) > 1/4 over p in [1/4, 1]",
        "P(m == 0) > exp(-2) over eps in [0, 2]",
        "E(m*s) < 1 over eps in [0, 2]",
    ],
)
def test_a_value_that_is_reached_is_never_within_a_strict_budget(requirement: str) -> None:
    more = "x ~ uniform_int(0, 2)\nn ~ geometric(p)\nm ~ poisson(eps)\n"

    assert answer(TEXT + more, requirement)[0] in ("cannot tell", "violated")


@pytest.mark.parametrize(
    "requirement",
    [
        "P(t == 1 and s == 0) <= 1 over p in [0, 1]",
        "I(s; o) <= 1 over p in [0, 1]",
        "I(s; o) + H(t) <= 2 over p in [0, 1]",
        "I(s; o) - H(t) >= -1 over p in [0, 1]",
        "-I(s; o) <= 0 over p in [0, 1]",
        "H(t) + 1 >= 1 over p in [0, 1]",
        "KL(s || t) >= 0 over p in (0, 1)",
        "DP(s -> o) >= 0 over p in [0, 1]",
        "DP(s -> o) > -1 over p in [0, 1]",
        "Delta(s -> o, eps=0) >= 0 over p in [0, 1]",
        "Delta(s -> o, eps=0) <= 1 over p in [0, 1]",
        "C(s -> o) >= 0 over p in [0, 1]",
        "C(s -> o) <= 1 over p in [0, 1]",
        "C(s -> o) <= 0.7 over p in [1/5, 4/5]",  # no more than log2(1.6)
        "Cmin(s -> o) >= 0 over p in [0, 1]",
        "Guess(s | o) >= 1 over p in [0, 1]",
    ],
)
def test_what_every_program_meets_holds(requirement: str) -> None:
    assert answer(TEXT, requirement) == ("holds", "")


@pytest.mark.parametrize(
    "requirement",
    [
        "Delta(s -> o, eps=0 - 1) <= 1 over p in (0, 1)",  # no such measure
        "Delta(s -> o, eps=q - 1) <= 1 over p in (0, 1), q in (0, 1)",
        "DP(s -> o, distance=q - 1/2) >= 0 over q in (0, 1)",
        "I(s; o) + H(t) <= 1.99 over p in [0, 1], q in [0, 1]",  # holds, as it is 1, but no limit says so
        "C(s -> o) <= 0.5 over p in [0, 1/2]",
        "C(s -> o) < 1 over p in [0, 1/2]",
    ],
)
def test_what_has_no_value_or_is_more_is_not_proved_by_limits(requirement: str) -> None:
    verdict, _ = answer(TEXT, requirement)

    assert (verdict == "holds") == requirement.startswith("I(s; o) + H(t)")


def test_a_program_without_a_meaning_somewhere_meets_no_budget() -> None:
    text = TEXT + "observe t or w\n"

    assert answer(text, "DP(s -> o) >= 0 over p in [0, 1], q in [0, 1]")[0] == "cannot tell"
    assert answer(TEXT + "v ~ bernoulli(2*p)\nz := v\n", "C(v -> z) >= 0 over p in (0, 1)")[0] == "cannot tell"


# --- random chances ---------------------------------------------------------------------------------------------------

CHANCES = {
    "q": lambda q: q,
    "1 - q": lambda q: 1 - q,
    "q*(1 - q)": lambda q: q * (1 - q),
    "4*q*(1 - q)": lambda q: 4 * q * (1 - q),
    "(2*q - 1)^2": lambda q: (2 * q - 1) ** 2,
    "1/2 + (q - 1/2)^3": lambda q: Fraction(1, 2) + (q - Fraction(1, 2)) ** 3,
    "q^2*(3 - 2*q)": lambda q: q * q * (3 - 2 * q),
}
COMPARISONS = {"<": operator.lt, ">": operator.gt}
ENDS = st.sampled_from([Fraction(n, 4) for n in range(5)])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(CHANCES)), st.sampled_from(["P(x)", "Var(x)", "H(x)", "V(x)", "I(x; y)"]), st.sampled_from(sorted(COMPARISONS)),
    st.sampled_from([Fraction(n, 4) for n in range(5)]), ENDS, ENDS, st.booleans(), st.booleans(),
)  # fmt: skip
def test_strict_budgets_agree_with_exact_values(
    chance: str,
    measure: str,
    comparison: str,
    bound: Fraction,
    one: Fraction,
    other: Fraction,
    closed: bool,
    at_top: bool,
) -> None:
    low, high = sorted((one, other))
    text = f"param q in [0, 1] = 1/3\nx ~ bernoulli({chance})\ny := x\n"
    ends = ("[" if closed else "(") + f"{low}, {high}" + ("]" if at_top else ")")
    verdict, message = answer(text, f"{measure} {comparison} {bound} over q in {ends}")

    def meets(q: Fraction) -> bool:
        x = CHANCES[chance](q)
        value: Fraction | float
        match measure:
            case "P(x)":
                value = x
            case "Var(x)":
                value = x * (1 - x)
            case "V(x)":
                value = max(x, 1 - x)
            case _ if x in (0, 1):
                value = 0
            case _ if x == Fraction(1, 2):
                value = 1
            case _:
                value = -float(x) * math.log2(x) - float(1 - x) * math.log2(1 - x)
        return bool(COMPARISONS[comparison](value, bound))

    if verdict == "violated":
        at = Fraction(message.rpartition("q = ")[2])
        assert low <= at <= high
        assert not meets(at)
    elif verdict == "holds":
        inside = [low + (high - low) * Fraction(k, 48) for k in range(1, 48)] if low < high else []
        assert all(meets(q) for q in inside)
        assert not (closed and (low < high or at_top)) or meets(low)
        assert not (at_top and (low < high or closed)) or meets(high)


def test_a_capacity_that_exceeds_its_budget_inside_the_range_is_found() -> None:
    # The channel is noiseless at p = 1/2 alone.
    text = "param p in [0, 1] = 1/10\ns ~ bernoulli(1/2)\nt ~ bernoulli((2*p - 1)^2)\no := if t then 0 else s\n"
    found = parse(f"{text}require C(s -> o) <= 0.99 over p in [1/10, 9/10]\n").analyze().answers[-1]

    assert (found.verdict, found.worst) == ("violated", "p = 1/2")


@pytest.mark.parametrize(
    ("requirement", "verdict"),
    [
        # The capacity is 1 - h(p): 0.531 at p = 1/10, and 0 at p = 1/2.
        ("C(s -> o) >= 0.53 over p in [0, 1/10]", "holds"),
        ("C(s -> o) >= 0.54 over p in [0, 1/10]", "violated"),
        ("C(s -> o) > 0 over p in [0, 1/2)", "holds"),
        ("C(s -> o) > 0 over p in [0, 1/2]", "violated"),
        # Of the channel that shows s where w is 1: q.
        ("C(s -> z) >= q over q in [0, 1]", "holds"),
        ("C(s -> z) > q - 1/100 over q in [0, 1]", "holds"),
        ("C(s -> z) > q over q in [0, 1]", "violated"),
    ],
)
def test_a_capacity_is_bounded_from_below_by_information(requirement: str, verdict: str) -> None:
    assert answer(f"{TEXT}z := if w then s else 2\n", requirement)[0] == verdict
