"""Budgets over ranges behind noise whose size is a parameter, against laws of noise written out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from tests.measures.ranges.range_answers import RESPONSE, answer

from seepage import parse

COUNT = """param eps in (0, 5] = 1
secret s
output o
s ~ uniform_int(0, 3)
n ~ discrete_laplace(1/eps)
o := s + n
"""
CLAMPED = COUNT.replace("o := s + n", "m := s + n; o := min(max(m, 0), 3)")
DATABASE = """param eps in (0, 5] = 1
param p in [0, 1] = 1/2
for i in 1..3 { r[i] ~ bernoulli(p) }
c := r[1] + r[2] + r[3]
n ~ discrete_laplace(2/eps)
a := c + n
m ~ discrete_laplace(4/eps)
b := 2*c + m
"""
TWO_PARTIES = """param q in (0, 1) = 1/2
secret s
output o
s ~ uniform_int(0, 3)
g ~ geometric(q)
h ~ geometric(q)
o := s + g - h
"""
GAUSSIAN = """param eps in (0, 10] = 1
secret x
output o
x ~ normal(0, 1)
n ~ normal(0, 1/eps^2)
o := x + n
"""


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("program", "requirement"),
    [
        (COUNT, "DP(s -> o, distance=1) <= eps over eps in (0, 5]"),
        (COUNT, "DP(s -> o) <= 3 * eps over eps in (0, 5]"),
        (COUNT, "DP(s -> o, distance=1) < 2 over eps in (0, 2)"),
        (COUNT, "Delta(s -> o, distance=1, eps=eps) <= 0 over eps in (0, 5]"),
        # Of noise moved by 1 the best set of outputs is a half-line: delta = (1 - e^(1 - 1.1)) / (1 + e^-1.1) = 0.0714.
        (COUNT, "Delta(s -> o, distance=1, eps=1) <= 0.0715 over eps in (0, 1.1]"),
        (COUNT, "I(s; o) <= 1/2 over eps in (0, 1]"),
        (COUNT, "H(s | o) >= 3/2 over eps in (0, 1]"),
        (
            COUNT.replace("discrete_laplace(1/eps)", "laplace(0, 1/eps)"),
            "DP(s -> o, distance=1) <= eps over eps in (0, 5]",
        ),
        (CLAMPED, "DP(s -> o, distance=1) <= eps over eps in (0, 5]"),
        (COUNT, "C(s -> o) <= 1 over eps in (0, 1]"),
        (CLAMPED.replace("max(m, 0)", "max(m, eps)"), "DP(s -> o, distance=1) <= eps over eps in (0, 3)"),
        (DATABASE, "DP(r -> a, b, distance=1) <= eps over eps in (0, 5]"),
        (DATABASE, "DP(r[1] -> a, b) <= eps over eps in (0, 5], p in (0, 1)"),
        (TWO_PARTIES, "DP(s -> o, distance=1) <= -log(1 - q) over q in (0, 1)"),
        # Half of log(1 + 16) is 1.41661 nats.
        (GAUSSIAN, "I(x; o) <= 1.4167 nats over eps in (0, 4]"),
        (GAUSSIAN, "I(x; o) >= 1.4166 nats over eps in [4, 10]"),
    ],
)
def test_a_budget_is_proved(program: str, requirement: str) -> None:
    assert answer(program, requirement) == ("holds", "")


@pytest.mark.parametrize(
    ("program", "requirement", "witness"),
    [
        (COUNT, "DP(s -> o, distance=1) <= 0.9 * eps over eps in (0, 5)", "at eps = 1"),
        (COUNT, "Delta(s -> o, distance=1, eps=1) <= 0.0713 over eps in (0, 1.1]", "at eps = 11/10"),
        (TWO_PARTIES, "DP(s -> o, distance=1) <= 0.69 over q in (0, 1/2]", "at q = 1/2"),
        (GAUSSIAN, "I(x; o) <= 1.4166 nats over eps in (0, 4]", "at eps = 4"),
    ],
)
def test_a_budget_is_refuted_at_a_point(program: str, requirement: str, witness: str) -> None:
    found, message = answer(program, requirement)

    assert found == "violated"
    assert message.endswith(witness)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            COUNT.replace("o := s + n", "o := s + n; observe(o > 2)"),  # the noise is conditioned on
            marks=pytest.mark.variation(of="test_a_mechanism_that_noise_does_not_protect_is_not_proved"),
        ),
        COUNT.replace("o := s + n", "m := s + n; o := m + s"),  # the output is computed of the secret, too
        COUNT.replace("o := s + n", "o := s + n/2"),  # places move between the points of the noise
        CLAMPED.replace("max(m, 0)", "max(m, n)"),  # the noise itself is seen beside what it hides
    ],
)
def test_a_mechanism_that_noise_does_not_protect_is_not_proved(program: str) -> None:
    assert answer(program, "DP(s -> o, distance=1) <= eps over eps in (0, 5)")[0] != "holds"


def test_a_threshold_that_moves_with_the_noise_is_not_judged_where_the_noise_is_least() -> None:
    # At eps = 5 the output is 1 in no more than 0.0001 of the runs; at eps = 1 it tells 0.27 bits.
    program = COUNT.replace("o := s + n", "m := s + n; o := if m > 2*eps then 1 else 0")

    assert answer(program, "I(s; o) <= 0.01 over eps in [4, 5]")[0] != "holds"


@pytest.mark.family(every=4)
@pytest.mark.parametrize(
    ("law", "low", "high", "passing"),
    [
        ("normal(0, v)", "1/100", "10000", lambda v, d: mpmath.erfc(d / mpmath.sqrt(2 * v)) / 2),
        ("laplace(0, v)", "1/50", "50", lambda v, d: mpmath.exp(-d / v) / 2),
        ("discrete_laplace(v)", "1/50", "50", lambda v, d: mpmath.exp(-(d + 1) / v) / (1 + mpmath.exp(-1 / v))),
    ],
)
@pytest.mark.parametrize("output", ["m > 10", "if m > 10 then 1 else 0", "min(max(m, 10), 11) > 10"])
def test_more_noise_may_tell_more_where_an_output_is_only_computed_of_what_is_behind_it(
    law: str, low: str, high: str, passing: Callable[[float, float], mpmath.mpf], output: str
) -> None:
    # Without noise, and with very much, s + n > 10 tells little of whether s is 1 or 4; in between it does.
    program = f"param v in [{low}, {high}] = {low}\ns ~ {{1: 1/2, 4: 1/2}}\nn ~ {law}\nm := s + n\no := {output}\n"
    middle, ends = (50 if law.startswith("normal") else 5), [float(Fraction(low)), float(Fraction(high))]
    chances = {v: (passing(v, 9), passing(v, 6)) for v in (middle, *ends)}
    guessed = {v: (1 + b - a) / 2 for v, (a, b) in chances.items()}
    loss = {v: max(0, b - mpmath.exp(1 / 10) * a) for v, (a, b) in chances.items()}
    most = round(float(max(guessed[v] for v in ends)) + 0.001, 6)
    assert guessed[middle] > most + 0.01
    assert loss[middle] > 0.01
    assert max(loss[v] for v in ends) < 0.001

    for requirement in (f"V(s | o) <= {most}", "Delta(s -> o, eps=1/10) <= 1/1000"):
        assert answer(program, f"{requirement} over v in [{low}, {high}]")[0] != "holds"


def test_a_loss_that_is_compared_with_the_parameter_itself_is_not_judged_where_noise_is_least() -> None:
    program = "param e in [1/50, 50] = 50\ns ~ {1: 1/2, 4: 1/2}\nn ~ laplace(0, 1/e)\no := s + n > 10\n"
    at_fifth = math.log((math.exp(-6 / 5) / 2 - 0.03) / (math.exp(-9 / 5) / 2))
    assert at_fifth > 1 / 5

    assert answer(program, "DP(s -> o, delta=3/100) <= e over e in [1/50, 50]")[0] != "holds"


# --- chances of outputs, by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("requirement", "verdict"),
    [
        # Two outputs; at eps = e the chances are s = e^e/(e^e + 1) and 1 - s, so delta(e') = max(0, s - e^e' (1 - s)).
        ("Delta(r -> o, eps=1/2) <= 0.1015 over eps in [0, 2/3]", "holds"),
        ("Delta(r -> o, eps=1/2) <= 0.1014 over eps in [0, 2/3]", "violated"),
        ("Delta(r -> o, eps=eps) <= 0 over eps in [0, 4]", "holds"),
        ("Delta(r -> o, eps=eps/2) <= 0.8492 over eps in [0, 4], p in (0, 1)", "holds"),
        ("Delta(r -> o, eps=eps/2) <= 0.849 over eps in [0, 4], p in (0, 1)", "violated"),
        ("DP(r -> o, delta=0.1) <= eps over eps in [0, 2]", "holds"),
        ("DP(r -> o, delta=0.1) <= 0.9 * eps over eps in [0, 2]", "violated"),
    ],
)
def test_delta_over_a_range(requirement: str, verdict: str) -> None:
    assert answer(RESPONSE, requirement)[0] == verdict


@pytest.mark.parametrize(
    ("program", "measure", "loss", "formula"),
    [
        (DATABASE, "DP(r -> a, b, distance=1)", 1.0, "eps"),
        (DATABASE, "DP(r[1] -> a, b)", 1.0, "eps"),
        (DATABASE, "DP(r -> a)", 1.5, "3·eps/2"),
        (TWO_PARTIES, "DP(s -> o, distance=1)", math.log(2), "−log(1 - q)"),
        (COUNT.replace("discrete_laplace(1/eps)", "laplace(0, 1/eps)"), "DP(s -> o, distance=1)", 1.0, "eps"),
    ],
)
def test_the_loss_behind_noise_of_known_laws_is_exact(program: str, measure: str, loss: float, formula: str) -> None:
    result = parse(program).measure(measure)

    assert (result.lower, result.upper) == pytest.approx((loss, loss), rel=1e-12)
    assert result.certainty == "exact"
    assert result.formula is not None
    assert result.formula.text == formula


def test_an_output_computed_of_two_noisy_counts_is_bounded_by_both_together() -> None:
    program = DATABASE.replace("b := 2*c + m", "b := 2*c + m; w := if a > b then 1 else 0")
    result = parse(program).measure("DP(r -> w, distance=1)", seconds=60)

    assert 0 < result.lower < 1
    assert result.upper == pytest.approx(1.0)


@pytest.mark.parametrize("secret", ["bernoulli(1/2)", "normal(0, 4)"])
@pytest.mark.parametrize(
    ("ranges", "verdict"), [("[1/10, 1]", "holds"), ("[1/10, 40]", "violated"), ("(0, 1]", "holds")]
)
def test_the_classical_variance_keeps_its_promise_up_to_one(secret: str, ranges: str, verdict: str) -> None:
    """The variance 2·log(5/4/δ)/ε² keeps (ε, δ) for ε ≤ 1 and at last not for great ε; near 0 the noise alone hides enough."""
    text = f"""param e in (0, 100] = 1
secret s
output o
s ~ {secret}
n ~ normal(0, 2 * log(5/4 / (1/10)) / e^2)
o := s + n
require DP(s -> o, distance=1, delta=1/10) <= e over e in {ranges}
"""
    (found,) = parse(text).analyze().answers

    assert found.verdict == verdict
    if verdict == "violated":
        assert excess(40.0) > 0.1
        assert all(excess(k / 10) <= 0.1 for k in range(1, 11))


def excess(eps: float) -> float:
    """The privacy profile of the noise (Balle and Wang 2018) at its claimed ε."""
    mu = eps / math.sqrt(2 * math.log(12.5))
    return float(mpmath.ncdf(mu / 2 - eps / mu) - mpmath.exp(eps) * mpmath.ncdf(-mu / 2 - eps / mu))


@pytest.mark.family(every=4)
@pytest.mark.parametrize("noise", ["g - h", "n"])
@pytest.mark.parametrize(
    ("places", "loss"), [((0, 1, 2), math.inf), ((0, 2, 4), 2.0), ((1, 3), 1.0), ((0, 3), math.inf)]
)
def test_places_off_the_lattice_of_their_noise_are_told_apart(noise: str, places: tuple[int, ...], loss: float) -> None:
    # Twice whole numbers hide an even difference, each two of it by a factor of e^a, and no odd one.
    values = ", ".join(f"{place}: 1/{len(places)}" for place in places)
    program = f"""
        param a in [1/4, 2] = 1
        s ~ {{{values}}}
        g ~ geometric(1 - exp(-a))
        h ~ geometric(1 - exp(-a))
        n ~ discrete_laplace(1/a)
        o := s + 2*({noise})
    """
    found = parse(program).measure("DP(s -> o)")
    verdict = answer(program, f"DP(s -> o) <= {2 if loss == math.inf else loss:g}*a over a in [1/4, 2]")[0]

    assert found.upper == pytest.approx(loss, rel=1e-12)
    assert (verdict == "holds") == (loss < math.inf)
    assert found.formula is None or loss < math.inf


@pytest.mark.parametrize("measure", ["Renyi(s -> o, alpha=2)", "zCDP(s -> o)"])
def test_divergences_between_neighbours_are_largest_where_there_is_least_noise(measure: str) -> None:
    """Of normal noise of variance v moved by d the divergence of order α is α·d²/(2·v), so that zCDP is d²/(2·v): here 9 and 9/2 at v = 1."""
    program = "param v in [1, 4] = 2\nsecret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ normal(0, v)\no := s + n\n"
    worst = {"Renyi": Fraction(9), "zCDP": Fraction(9, 2)}[measure.partition("(")[0]]

    assert answer(program, f"{measure} <= {worst + Fraction(1, 100)} over v in [1, 4]")[0] == "holds"
    assert answer(program, f"{measure} <= {worst - Fraction(1, 100)} over v in [1, 4]")[0] == "violated"
