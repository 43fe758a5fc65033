"""Budgets over ranges against exact values on grids, which the ordinary path computes point by point."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.ranges.range_answers import RESPONSE, answer

from seepage import MeasureError, parse
from seepage.deadline import Deadline
from seepage.engines.outcome import Budget
from seepage.exact import Number, number
from seepage.measures.asking import Asking
from seepage.measures.joints import Memory
from seepage.measures.parameters import parameter_values
from seepage.measures.ranges.decide import decide
from seepage.measures.ranges.form import eta
from seepage.measures.ranges.required import Requirement, ranges_of
from seepage.measures.requirement import Verdict, verdict
from seepage.program import Program
from seepage.semantics.checked import RequireSymbol
from seepage.semantics.unroll import unroll

# --- outcomes that are known ------------------------------------------------------------------------------------------


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "requirement",
    [
        # At p = 1/2 and eps = 1 the information is 1 - h(q) = 0.160058 bits for q = e/(e + 1), the largest in these ranges.
        "I(r; o) <= 0.1601 bits over eps in [0, 1], p in [0, 1]",
        "I(r; o) <= 0.12 nats over eps in [0, 1], p in [0, 1]",
        "I(r; o) <= 1/2 over eps in [0, inf), p in [0, 1/10]",
        "I(r; o) <= eps / 2 over eps in [0, 10], p in [0, 1]",
        "I(r; o) >= 0 over eps in [0, inf), p in [0, 1]",
        "H(r) <= 1 over p in [0, 1]",
        "H(r) <= log(2) nats over p in [0, 1]",
        "P(o == 1) <= 1/2 over p in [0, 1/2]",
        "P(r == 1) < 1 over p in [0, 1)",
        "P(r == 1) == p over p in [0, 1]",
        "Var(r) <= 1/4 over p in [0, 1]",
        "E(3 * r + 1) >= 1 over p in [0, 1]",
        "KL(r || o) <= 0.1 over p in [1/3, 2/3], eps in [1, 3]",
        "H(o) - H(o | r) - I(r; o) == 0 over p in [0, 1], eps in [0, 10]",
        "2 * I(r; o) - 1/2 <= 0 over p in [0, 1], eps in [0, 1]",
        "I(r; o) <= 0 over p in [0, 0], eps in [0, 1]",
        "DP(r -> o) <= eps over eps in [0, 10]",
        "DP(r -> o) <= eps over eps in [0, inf), p in [0, 1]",
        "DP(r -> o) < 2.1 over eps in [0, 2]",
    ],
)
def test_a_budget_is_proved(requirement: str) -> None:
    assert answer(RESPONSE, requirement) == ("holds", "")


@pytest.mark.parametrize(
    ("requirement", "witness"),
    [
        ("I(r; o) <= 0.1599 bits over eps in [0, 1], p in [0, 1]", "at eps = 1, p = 1/2"),
        ("P(r == 1) < 1 over p in [0, 1]", "at p = 1"),
        ("P(r == 1) == 1/2 over p in [0, 1]", "at p = 0"),
        ("Var(r) <= 1/5 over p in [0, 1/2]", "at p = 1/2"),
        ("DP(r -> o) <= 1.9 over eps in [0, 2]", "at eps = 2"),
        ("DP(r -> o) <= 0 - eps over eps in (0, 2]", "at eps = 2"),
    ],
)
def test_a_budget_is_refuted_at_a_point(requirement: str, witness: str) -> None:
    found, message = answer(RESPONSE, requirement)

    assert found == "violated"
    assert message.endswith(witness)


DATABASE = """param p in [0, 1] = 1/2
param eps in [0, 5] = 1
o := 0
for i in 1..2 {
    r[i] ~ bernoulli(p)
    t[i] ~ bernoulli(exp(eps) / (exp(eps) + 1))
    if t[i] { o := o + r[i] } else { o := o + !r[i] }
}
"""
COIN = "param p in (0, 1/2) = 1/4\ns ~ bernoulli(1/2)\nt ~ bernoulli(p)\no := s xor t\n"


@pytest.mark.parametrize(
    ("text", "requirement", "expected"),
    [
        (DATABASE, "DP(r -> o, distance=1) <= eps over eps in [0, 5], p in [0, 1]", "holds"),
        (DATABASE, "DP(r -> o) <= 2 * eps over eps in [0, 5], p in [0, 1]", "holds"),
        (DATABASE, "DP(r -> o) <= eps over eps in [0, 5], p in [0, 1]", "violated"),
        (DATABASE, "DP(r[1] -> o) <= eps over eps in [0, 1], p in [1/10, 9/10]", "holds"),
        # The ratio of a coin that lies with probability p is (1 - p)/p, without bound as p goes to the end that is left out.
        (COIN, "DP(s -> o) <= log((1 - p) / p) over p in (0, 1/2)", "holds"),
        (COIN, "DP(s -> o) < log(3) over p in (1/4, 1/2)", "holds"),
        (COIN, "DP(s -> o) <= 5 over p in (0, 1/2)", "violated"),
    ],
)
def test_privacy_is_proved_for_each_pair_of_neighbours(text: str, requirement: str, expected: str) -> None:
    assert answer(text, requirement)[0] == expected


def test_a_violation_away_from_corners_and_defaults_is_found() -> None:
    found, message = answer("param p in [0, 1] = 1/10\nx ~ bernoulli(p)\n", "p * 0 + Var(x) <= 6/25 over p in [0, 1]")

    assert found == "violated"
    assert message.endswith("at p = 1/2")


def test_a_maximum_that_only_just_exceeds_the_budget_is_found() -> None:
    # p (1 - p) has its maximum 1/4 at 1/2, which is no corner, and the ends are far below.
    found, _ = answer("param p in [0, 1] = 1/10\nx ~ bernoulli(p)\n", "Var(x) <= 0.2499999 over p in [0, 9/10]")

    assert found == "violated"


@pytest.mark.parametrize("lost", [Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)])
def test_an_information_is_proved_from_the_capacity_of_the_channel_on_and_not_before(lost: Fraction) -> None:
    # log(1 + (1 − e)·e^(e/(1 − e))) is the capacity of a channel that loses a 1 with the chance e; no corner of the range comes near it.
    e = mpmath.mpf(lost.numerator) / lost.denominator
    capacity = mpmath.log(1 + (1 - e) * e ** (e / (1 - e)), 2)
    text = f"param p in [0, 1] = 1/2\nr ~ bernoulli(p)\nkept ~ bernoulli({1 - lost})\no := r and kept\n"

    for change, expected in ((1e-5, "holds"), (-1e-5, "violated")):
        found, _ = answer(text, f"I(r; o) <= {mpmath.nstr(capacity + change, 10)} bits over p in [0, 1]")
        assert found == expected


@pytest.mark.parametrize(
    ("text", "requirement", "part"),
    [
        (
            "param p in [0, 1] = 0\nx ~ bernoulli(p * 2)\n",
            "P(x) <= 3 over p in [0, 1/2 + 1/10]",
            "probability outside [0, 1]",
        ),
        (
            "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\no := p * x\n",
            "H(o) <= 1 over p in [0, 1]",
            "more than a probability",
        ),
        ("param m in [0, 1] = 0\nx ~ normal(m, 1)\n", "P(x > 0) <= 0.9 over m in [0, 1]", "more than a probability"),
        ("param p in [0, 1] = 0\nx ~ bernoulli(p)\n", "P(x) ^ 2 <= 2 over p in [0, 1]", "power"),
    ],
)
def test_what_cannot_be_followed_is_never_proved(text: str, requirement: str, part: str) -> None:
    found, message = answer(text, requirement)

    assert found == "cannot tell"
    assert part in message


def test_a_meaning_that_the_ranges_do_not_ensure_is_no_proof() -> None:
    text = "param p in [0, 1] = 1/2\nparam q in [0, 1] = 1/2\ns ~ bernoulli(p)\nt ~ bernoulli(q)\nobserve s or t\n"

    found, message = answer(text, "P(s == 1) <= 2 over p in (0, 1), q in (0, 1)")

    assert found in ("holds", "cannot tell")
    assert (found == "holds") == (message == "")
    assert answer(text, "P(s == 1) <= 2 over p in [0, 1], q in [0, 1]")[0] == "cannot tell"


def test_what_remains_is_told_when_the_time_is_up() -> None:
    text = RESPONSE.replace("if t { o := r }", "u ~ bernoulli(p * p / 2)\nif t { o := r xor u }")

    found, message = answer(text, "I(r; o) - H(r) <= 0 over eps in [0, 20], p in [0, 1]", seconds=1.0)

    assert found == "cannot tell"
    assert "not decided for eps in [" in message or "time limit" in message


# --- random programs --------------------------------------------------------------------------------------------------

CHANCES = (
    "p",
    "q",
    "1 - p",
    "p * q",
    "p / 2",
    "1/3",
    "exp(q) / (exp(q) + 1)",
    "1 / (exp(q) + 1)",
    "(p + q) / 2",
    "p ^ 2",
)
BODIES = ("s xor t", "s and t", "s + t", "if t then s else u", "(s + t) * u", "s * 2 + u")
ENDINGS = ("", "observe o != 0 or t\n", "observe not (s and u)\n")
MEASURES = (
    "I(s; o)",
    "H(s | o)",
    "H(o)",
    "P(o == 1)",
    "E(o)",
    "Var(o)",
    "KL(s || t)",
    "I(s; o | u)",
    "H(s) - I(s; o)",
    "P(s | o == 0)",
)


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, str, str, Fraction]:
    s, t, u = (draw(st.sampled_from(CHANCES)) for _ in range(3))
    body, ending, measure = (
        draw(st.sampled_from(BODIES)),
        draw(st.sampled_from(ENDINGS)),
        draw(st.sampled_from(MEASURES)),
    )
    text = (
        "param p in [0, 1] = 1/2\nparam q in [0, 1] = 1/3\n"
        f"s ~ bernoulli({s})\nt ~ bernoulli({t})\nu ~ bernoulli({u})\no := {body}\n{ending}"
    )
    return text, measure, draw(st.sampled_from(("<=", "<", ">=", ">"))), Fraction(draw(st.integers(0, 24)), 16)


def asked(text: str) -> tuple[Program, Asking, RequireSymbol]:
    program = parse(text)
    checked = program.checked
    asking = Asking(checked, unroll(checked), parameter_values(checked, {}), "bits", Budget(), Memory())
    return program, asking, checked.symbols.requires[0]


GRID = tuple(Fraction(k, 4) for k in range(5))


@settings(max_examples=300 if os.environ.get("SEEPAGE_DEEP") == "1" else 10)
@given(questions())
def test_a_grid_of_exact_values_never_contradicts_the_outcome(question: tuple[str, str, str, Fraction]) -> None:
    text, measure, comparison, bound = question
    program, asking, symbol = asked(f"{text}require {measure} {comparison} {bound} over p in [0, 1], q in [0, 1]\n")

    def at(point: Mapping[str, Number]) -> Verdict:
        try:
            result = program.measure(measure, params={name: Fraction(v) for name, v in point.items()})  # type: ignore[arg-type]
        except MeasureError:
            return "cannot tell"
        return verdict(result, comparison, number(bound))  # type: ignore[arg-type]

    limited = replace(asking, budget=Budget(deadline=Deadline.after(0.3)))
    found = decide(limited, symbol, at)

    if found.verdict == "violated":
        assert found.witness is not None
        assert at(found.witness) == "violated"
    elif found.verdict == "holds":
        for p, q in itertools.product(GRID, GRID):
            assert at({"p": number(p), "q": number(q)}) == "holds", (p, q)


@settings(max_examples=20)
@given(st.lists(st.integers(0, 60), min_size=4, max_size=4), st.integers(0, 8), st.integers(0, 8))
def test_values_and_slopes_on_a_box_hold_those_at_its_points(ends: list[int], right: int, up: int) -> None:
    """Against the closed form of the paper's randomized response, by an independent library."""
    _, asking, symbol = asked(f"{RESPONSE}require I(r; o) <= 1/8 nats over p in [0, 1], eps in [0, 10]\n")
    form = Requirement(asking, symbol, ranges_of(asking, symbol), lambda point: "cannot tell").problem(1).form({})
    (p0, p1), (e0, e1) = sorted(ends[:2]), sorted(ends[2:])
    box = {"p": (arb(p0) / 60, arb(p1) / 60), "eps": (arb(e0) / 6, arb(e1) / 6)}
    p = mpmath.mpf(p0 * (8 - right) + p1 * right) / 480
    e = mpmath.mpf(e0 * (8 - up) + e1 * up) / 48

    letters = form.letters(box)
    low, high = form.value(letters)
    slopes = form.slopes(("p", "eps"), box, letters)

    assert within((low, high), information(p, e) - mpmath.mpf(1) / 8)
    if 0 < p < 1:
        assert within(slopes["p"], mpmath.diff(lambda x: information(x, e), p))
        assert within(slopes["eps"], mpmath.diff(lambda x: information(p, x), e))


def information(p: mpmath.mpf, eps: mpmath.mpf) -> mpmath.mpf:
    """h(pq + (1 - p)(1 - q)) - h(q) in nats, q = e^eps / (e^eps + 1)."""
    q = mpmath.exp(eps) / (mpmath.exp(eps) + 1)
    return binary(p * q + (1 - p) * (1 - q)) - binary(q)


def binary(q: mpmath.mpf) -> mpmath.mpf:
    return -sum(x * mpmath.log(x) for x in (q, 1 - q) if x > 0)


def within(interval: tuple[arb, arb], value: mpmath.mpf) -> bool:
    """Tell whether a number with an error of at most 1e-15 may lie in an interval."""
    ball = arb(mpmath.nstr(value, 40), 1e-15)
    return not ball < interval[0] and not ball > interval[1]


@given(st.fractions(0, 3), st.fractions(0, 3), st.integers(0, 10))
def test_eta_of_an_interval_holds_its_values(one: Fraction, other: Fraction, part: int) -> None:
    low, high = min(one, other), max(one, other)
    t = mpmath.mpf(low.numerator) / low.denominator * (10 - part) / 10
    t += mpmath.mpf(high.numerator) / high.denominator * part / 10

    least, greatest = eta((arb(low.numerator) / low.denominator, arb(high.numerator) / high.denominator))

    assert within((least, greatest), t * mpmath.log(t) if t > 0 else mpmath.mpf(0))


def test_eta_from_zero_on_is_finite() -> None:
    assert all(end == 0 for end in eta((arb(0), arb(0))))

    low, high = eta((arb(0), arb(1)))  # t log t is least at 1/e, and 0 at both ends
    assert low.contains(-(arb(-1).exp()))
    assert high == 0


def test_an_event_that_is_impossible_at_an_end_is_told_with_the_point() -> None:
    """P(x == 1) = p: the event is impossible at p = 0 alone."""
    text = "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\ny ~ bernoulli(1/2)\n"
    verdict, message = answer(text, "H(y | x == 1) <= 1 over p in [0, 1]")

    assert verdict == "cannot tell"
    assert message.endswith("no run of the program makes it true, at p = 0")
    assert answer(text, "H(y | x == 1) <= 1 over p in (0, 1]") == ("holds", "")


@pytest.mark.parametrize("law", ["geometric(p*s)", "poisson(p + s)", "discrete_laplace(p + s)", "discrete_gaussian(p)"])
def test_a_law_without_an_end_is_named_where_a_budget_is_not_followed(law: str) -> None:
    text = f"param p in [0, 1] = 1/2\ns ~ uniform_int(1, 2)\nif s == 2 {{ s := 1/2 }}\nx ~ {law}\no := x > 1\n"
    verdict, said = answer(text, "P(o) <= 99/100 over p in [1/4, 3/4]")

    assert verdict == "cannot tell"
    assert f"'p' is one of '{law.partition('(')[0]}'" in said
    assert "more than a probability" not in said
