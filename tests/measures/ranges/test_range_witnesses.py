"""Points that refute budgets over ranges: programs have a meaning there, and the budget fails."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.ranges.range_answers import answer

from seepage import parse

# At q = 0 no run passes the observation, on which 'c' does not depend.
OBSERVED = "param q in [0, 1] = 1/2\nw ~ bernoulli(q)\nobserve w\nc ~ bernoulli(1/2 + q/2)\n"
TWICE = "param q in [0, 1] = 1/2\nsecret s\noutput o\ns ~ bernoulli(1/2)\nw ~ bernoulli(q)\nif w { s := 1 }\no := s\n"


@pytest.mark.parametrize("requirement", ["H(c) < 1", "P(c == 1) > 1/2", "E(w) >= 0", "H(c) <= 1", "H(w) <= 0"])
def test_a_point_without_meaning_neither_refutes_nor_lets_hold(requirement: str) -> None:
    verdict, message = answer(OBSERVED, f"{requirement} over q in [0, 1]")

    assert verdict == "cannot tell"
    assert "q = 0" in message or "q > 0" in message


@pytest.mark.parametrize(
    "observation", ["observe q < 1/2", "if q > 1/2 { observe q < 1/2 }", "observe q*q != 1/9 or q > 1/2"]
)
@pytest.mark.parametrize("requirement", ["P(c) <= 1", "H(c) <= 1", "E(c) == 1/3"])
def test_an_observation_of_parameters_alone_is_minded_where_no_measure_depends_on_it(
    observation: str, requirement: str
) -> None:
    text = f"param q in [0, 1] = 1/4\nc ~ bernoulli(1/3)\n{observation}\n"

    assert answer(text, f"{requirement} over q in (0, 1)")[0] == "cannot tell"


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
        at = Fraction(number.number) if number.exact is None else number.exact
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


@pytest.mark.variation(of="test_a_point_at_which_no_run_passes_lets_no_budget_hold")
@pytest.mark.parametrize("requirement", ["DP(s -> o) <= 6", "I(s; o) <= 99/100", "V(s | o) <= 999/1000"])
def test_behind_noise_too_every_point_needs_a_meaning(requirement: str) -> None:
    found, message = answer(NOISY, f"{requirement} over eps in [0, 5], q in [0, 1]")

    assert found == "cannot tell"
    assert message.endswith("no run passes 'w', at eps = 0, q = 0")
    assert answer(NOISY, f"{requirement} over eps in [0, 5], q in (0, 1]") == ("holds", "")


FLIPPED = "param q in [0, 1] = 3/4\nsecret r\noutput o\nr ~ flip(1/2)\nt ~ flip(q)\nif t { o := r } else { o := !r }\n"


@pytest.mark.parametrize(
    ("requirement", "witness", "number", "proved"),
    [
        # 1 - h(q) is 0.046 at 3/8, where the budget is tried first, 0.189 at the default and 1 at 1.
        ("I(r; o) <= 0.01 bits over q in [3/8, 1]", "q = 1", "1 bit ", True),
        ("H(o | r) >= 1 bits over q in [3/8, 1]", "q = 1", "0 bits", True),
        ("P(t == 1) == 1/2 over q in [1/4, 1]", "q = 1", "1 ", True),
        # Beyond the bound by 1 at 0, by 0.189 - 0.75 < 0 at the default, by 0 at 1.
        ("I(r; o) <= q bits over q in [0, 1]", "q = 0", "1 bit ", True),
        # As bad at both ends, which their logarithms prove, and no digits of them; at one point alone nothing is to be said.
        ("I(r; o) <= 0.01 bits over q in [1/5, 4/5]", "q = 1/5", "0.27807 bits", True),
        ("I(r; o) <= 0.01 bits over q in (3/4, 4/5]", "q = 4/5", "0.27807 bits", False),
    ],
)
def test_the_worst_of_the_points_that_were_tried_is_shown_and_called_so_where_that_is_proved(
    requirement: str, witness: str, number: str, proved: bool
) -> None:
    found = parse(f"{FLIPPED}require {requirement}\n").analyze().answers[-1]

    assert (found.verdict, found.worst) == ("violated", witness)
    assert found.diagnostic is not None
    assert f"= {number}" in found.diagnostic.message
    assert [note.startswith("that is the worst of the ") for note in found.diagnostic.notes] == [True] * proved


def test_where_a_point_has_no_meaning_none_is_called_the_worst() -> None:
    found = parse(f"{OBSERVED}require E(w) <= 0 over q in [0, 1]\n").analyze().answers[-1]

    assert (found.verdict, found.worst) == ("violated", "q = 1")
    assert found.diagnostic is not None
    assert found.diagnostic.notes == ()


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "measure", ["H(b) <= 1", "V(b) <= 1", "Hmin(b | o) <= 1/2", "P(b == 1) <= 1/2", "I(b; o) <= 1"]
)
@pytest.mark.parametrize(
    ("law", "condition", "meaningless"),
    [
        ("uniform_int(0, 3)", "s < r", "r in [0, 1]"),
        ("uniform_int(0, 3)", "s < (r - 1)^2", "r in [1/2, 3/2]"),
        ("uniform_int(0, 3)", "s < r", "r in [0, 1], q in [0, 1]"),
        ("uniform_int(0, 3)", "s < r + q", "r in [0, 1], q in [0, 1]"),
        ("bernoulli(r/5)", "s < 2*r", "r in [0, 1]"),
        ("bernoulli(r/5)", "s > r", "r in [0, 1/2]"),
    ],
)
def test_a_point_at_which_no_run_passes_lets_no_budget_hold(
    measure: str, law: str, condition: str, meaningless: str
) -> None:
    text = f"""param r in [0, 5] = 1/2
param q in [0, 5] = 1
secret s
output o
s ~ {law}
observe {condition}
b ~ bernoulli(1/3)
o := b
"""

    assert answer(text, f"{measure} over {meaningless}")[0] == "cannot tell"
    if condition == "s < r":  # where s is 0, at all of these points
        assert answer(text, f"{measure} over r in [1/4, 1/2]")[0] == "holds"


@pytest.mark.parametrize("requirement", ["V(o) <= 1/10", "E(s) <= 1/2", "H(o) <= 3", "H(s) >= 3"])
@pytest.mark.parametrize(
    "observation", ["observe q > 1/2", "if q <= 1/2 { observe b > 1 }", "x := 0\nobserve x == q > 1/2"]
)
def test_beside_an_infinite_law_too_a_point_at_which_no_run_passes_refutes_nothing(
    requirement: str, observation: str
) -> None:
    draws = "s ~ poisson(1)\nb ~ bernoulli(1/3)\no := min(s, 2)\n"
    observation = observation.replace("x == q > 1/2", "x == (if q > 1/2 then 0 else 1)")
    verdict, message = answer(f"param q in [0, 1] = 3/4\n{draws}{observation}\n", f"{requirement} over q in [0, 1/4]")

    assert verdict == "cannot tell"
    assert message.endswith("at q = 0")


@pytest.mark.parametrize("requirement", ["H(s) <= 2", "H(s) > 2", "V(s) <= 1"])
def test_a_point_at_which_no_run_passes_is_named_and_is_no_worst_one(requirement: str) -> None:
    text = "param q in [0, 1] = 3/4\nparam r in [0, 1] = 1/4\ns ~ bernoulli(1/2)\nobserve q > r\n"
    verdict, message = answer(text, f"{requirement} over q in [0, 1/4], r in [1/4, 1]")

    assert verdict == "cannot tell"
    assert message == "impossible observation: no run passes 'q > r', at q = 0, r = 1/4"


def test_a_fault_that_an_observation_meets_leaves_a_point_without_meaning() -> None:
    # At p = 1 the chance of a = 0 is 2, and a is observed; above p = 1/2 there is no such law.
    text = """param p in (0, 1] = 1/8
s ~ bernoulli(1/2)
a ~ {0: 2*p, 3: (1 - 2*p)/2, 2: (1 - 2*p)/2}
observe a >= 2
o := s
"""

    assert answer(text, "H(s) >= 2 over p in (1/2, 1]")[0] == "cannot tell"
    verdict, message = answer(text, "DP(s -> o) <= 1/100 over p in (0, 1]")
    assert (verdict, message.split(" at ")[-1]) == ("violated", "p = 1/8")  # o = s tells all, where a has a law
    assert answer(text, "H(s) <= 1 over p in (0, 1]")[0] == "cannot tell"
    assert answer(text, "H(s) <= 1 over p in (0, 1/4]") == ("holds", "")
