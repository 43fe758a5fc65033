"""Measures over whole infinite supports: series added up by mpmath, infinities that are proved, and bounds that hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest

import seepage
from seepage.measures.formulas.unbounded_ratios import unbounded_pair
from seepage.measures.result import Certainty, Result
from seepage.semantics.unroll import unroll

PROGRAM = (
    "param t in [0, 3] = 3/2\ng ~ geometric(1/3)\nn ~ poisson(5)\nm ~ poisson(2)\nk ~ geometric(2/5)\nl ~ discrete_laplace(2)\n"
    "s ~ bernoulli(1/2)\no ~ poisson(1 + 2*s)\nz := if s then g else m\nh := g / 2\n"
)
Mass = Callable[[int], mpmath.mpf]


def geometric(p: float | mpmath.mpf) -> Mass:
    return lambda j: mpmath.mpf(p) * (1 - mpmath.mpf(p)) ** j


def poisson(rate: float) -> Mass:
    return lambda j: mpmath.exp(-rate) * mpmath.mpf(rate) ** j / mpmath.factorial(j)


G, K, N, M = geometric(mpmath.mpf(1) / 3), geometric(mpmath.mpf(2) / 5), poisson(5), poisson(2)
TERMS = 900


def mean(mass: Mass, function: Callable[[int], mpmath.mpf]) -> mpmath.mpf:
    return mpmath.fsum(mass(j) * function(j) for j in range(TERMS))


def asked(measure: str, text: str = PROGRAM) -> Result:
    return seepage.parse(text).measure(measure)


def holds(found: Result, truth: mpmath.mpf, width: float = 1e-9) -> bool:
    slack = 1e-12 * max(1.0, abs(float(truth)))
    return found.lower - slack <= truth <= found.upper + slack and found.upper - found.lower <= width * max(
        1.0, abs(float(truth))
    )


@pytest.mark.parametrize(
    ("measure", "mass", "function"),
    [
        ("E(1/(n+1))", N, lambda j: mpmath.mpf(1) / (j + 1)),
        ("E(1/(g+1))", G, lambda j: mpmath.mpf(1) / (j + 1)),
        ("E(g/(g+2))", G, lambda j: mpmath.mpf(j) / (j + 2)),
        ("E((n+1)^(-2))", N, lambda j: mpmath.mpf(1) / (j + 1) ** 2),
        ("E(exp(-n/2) / (1 + n))", N, lambda j: mpmath.exp(-mpmath.mpf(j) / 2) / (1 + j)),
        ("E(2^n)", N, lambda j: mpmath.mpf(2) ** j),
        ("E((4/3)^g - g)", G, lambda j: (mpmath.mpf(4) / 3) ** j - j),
        ("E(n * 2^(n-1))", N, lambda j: j * mpmath.mpf(2) ** (j - 1)),
        ("E(g^2 / 2^g)", G, lambda j: j**2 / mpmath.mpf(2) ** j),
        ("E(exp(n/3))", N, lambda j: mpmath.exp(mpmath.mpf(j) / 3)),
    ],
)
def test_a_mean_is_the_sum_of_its_series(measure: str, mass: Mass, function: Callable[[int], mpmath.mpf]) -> None:
    assert holds(asked(measure), mean(mass, function))


def test_a_variance_of_exponentials_is_the_sum_of_its_series() -> None:
    first, second = mean(N, lambda j: (mpmath.mpf(5) / 4) ** j), mean(N, lambda j: (mpmath.mpf(5) / 4) ** (2 * j))

    assert holds(asked("Var((5/4)^n)"), second - first**2)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("E(t^g)", math.inf),  # 3/2 times 2/3 is 1: the series of a constant
        ("E(3 - 2^g)", -math.inf),
        ("E(g * t^g)", math.inf),
        ("Var((5/4)^g)", math.inf),  # (25/16)·(2/3) > 1
        ("DP(s -> o)", math.inf),
    ],
)
def test_what_is_infinite_is_told_exactly(measure: str, value: float) -> None:
    found = asked(measure)

    assert found.lower == found.value == found.upper == value
    assert found.certainty is Certainty.EXACT


def test_just_below_the_limit_a_mean_is_finite() -> None:
    found = seepage.parse(PROGRAM).measure("E(t^g)", params={"t": "1499/1000"})

    assert found.value == pytest.approx(1 / 3 / (1 - 1.499 * 2 / 3))


def test_infinite_parts_of_both_signs_are_no_number_and_no_bounds_are_no_certificate() -> None:
    found = asked("E(t^g - 2^g)")

    assert (found.lower, found.upper) == (-math.inf, math.inf)
    assert found.certainty is Certainty.APPROXIMATE


@pytest.mark.parametrize(
    ("measure", "p", "q"),
    [
        ("KL(m || g)", M, G),
        ("KL(g || m)", G, M),
        ("KL(n || m)", N, M),
        ("KL(g || k)", G, K),
        ("KL(n || n)", N, N),
    ],
)
def test_a_divergence_of_two_draws_is_bounded_from_below_by_the_sum_of_its_series(
    measure: str, p: Mass, q: Mass
) -> None:
    with mpmath.workdps(60):
        truth = mpmath.fsum(p(j) * mpmath.log(p(j) / q(j), 2) for j in range(400))

    found = asked(measure)

    assert float(truth) == pytest.approx(found.lower, abs=1e-5)
    assert found.lower - 1e-12 <= truth <= found.upper


def test_a_divergence_under_an_event_is_not_that_of_the_draws() -> None:
    found = asked("KL(n | n > 5 || m)")
    with mpmath.workdps(60):
        whole = mpmath.fsum(N(j) for j in range(6, 400))
        truth = mpmath.fsum(N(j) / whole * mpmath.log(N(j) / whole / M(j), 2) for j in range(6, 400))

    assert found.lower <= truth <= found.upper


def ranked(mass: Mass) -> mpmath.mpf:
    weights = sorted((mass(j) for j in range(400)), reverse=True)
    return mpmath.fsum(weight * rank for rank, weight in enumerate(weights, 1))


def laplace(j: int) -> mpmath.mpf:
    r = mpmath.exp(-mpmath.mpf(1) / 2)
    return (1 - r) / (1 + r) * r ** abs(j - 200)


@pytest.mark.parametrize(
    ("measure", "truth"),
    [
        ("Guess(g)", 3),
        ("Guess(n)", ranked(N)),
        ("Guess(l)", ranked(laplace)),
        ("Guess(o | s)", (ranked(poisson(1)) + ranked(poisson(3))) / 2),
        ("Guess(z)", ranked(lambda j: (G(j) + M(j)) / 2)),
    ],
)
def test_guesses_of_whole_numbers_have_an_upper_bound(measure: str, truth: mpmath.mpf) -> None:
    assert holds(asked(measure), truth)


def test_guesses_of_other_numbers_have_none() -> None:
    assert asked("Guess(h)").upper == math.inf


@pytest.mark.parametrize(
    ("text", "is_infinite"),
    [
        ("s ~ bernoulli(1/2)\no ~ poisson(1 + s)\ny := 3 - 2 * o\n", True),
        ("s ~ uniform_int(1, 3)\no ~ geometric(1 / (1 + s))\ny := o\n", True),
        ("s ~ bernoulli(1/2)\no ~ poisson(1 + s)\ny := min(o, 5)\n", False),
        ("s ~ bernoulli(1/2)\no ~ poisson(1 + s)\ny := 0 * o + s\n", None),
        ("s ~ bernoulli(1/2)\no ~ poisson(2 + 0 * s)\ny := o\n", False),
        ("o ~ poisson(1 + s)\ns ~ bernoulli(1/2)\ny := o\n", False),  # s is 0 when it is read
    ],
)
def test_a_loss_is_infinite_where_two_tails_differ_only(text: str, is_infinite: bool | None) -> None:
    found = asked("DP(s -> y)", text)

    if is_infinite is not None:
        assert (found.lower == math.inf) is is_infinite


def test_a_budget_on_an_infinite_mean_is_violated() -> None:
    program = seepage.parse("g ~ geometric(1/3)\nrequire E(2^g) <= 1000\nrequire E((4/3)^g) <= 3\n")

    assert [each.message for each in program.analyze().diagnostics] == ["budget exceeded: E(2^g) = ∞ > 1000"]


def test_an_input_that_is_drawn_after_the_output_and_by_it_proves_nothing() -> None:
    text = "s ~ bernoulli(1/2)\no ~ poisson(1 + s)\nt ~ bernoulli((1/2)^o)\n"

    core = seepage.parse(text).checked

    near = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)))  # 2^k against 2^-k
    assert not unbounded_pair(unroll(core), ("s", "t"), ("o",), near, {})
    assert unbounded_pair(unroll(core), ("s",), ("o",), ((Fraction(1),), (Fraction(0),)), {})
    assert not unbounded_pair(unroll(core), ("s",), ("o",), ((Fraction(0),), (Fraction(1),)), {})


@pytest.mark.parametrize(
    ("body", "bounded"),
    [
        # Which law is drawn from is decided by the input, or by a coin beside it.
        ("if s { t ~ geometric(1/4) } else { t ~ geometric(1/2) }", False),
        ("b ~ flip(1/3)\nt := 0\nif b { n ~ geometric(if s then 1/4 else 1/2)\nt := 2 * n + 1 }", False),
        ("b ~ flip(if s then 1/3 else 1/2)\nn ~ geometric(1/4)\nt := n + b", True),
        ("b ~ flip(if s then 1/3 else 1/2)\nt := 0\nif b { t ~ geometric(1/4) }", True),
        # The heaviest of several tails decides.
        ("b ~ flip(1/2)\nif b { t ~ geometric(1/8) } else { t ~ geometric(if s then 1/4 else 1/2) }", True),
        ("b ~ flip(1/2)\nif b { t ~ geometric(1/8) } else { t ~ poisson(if s then 4 else 2) }", True),
        ("b ~ flip(1/2)\nif b { t ~ geometric(1/2) } else { t ~ geometric(if s then 1/4 else 1/8) }", False),
        # A coin that shifts a Poisson law changes no more than a factor.
        ("b ~ flip(1/2)\nn ~ poisson(if s then 1 else 2)\nt := n + b", False),
        ("b ~ flip(1/2)\nn ~ poisson(2)\nt := n + (if s then b else 1)", True),
        # Draws that the input chooses from, and sums of them.
        ("n ~ poisson(2)\nm ~ poisson(3)\nt := if s then n else m", False),
        ("n ~ geometric(1/4)\nm ~ poisson(3 + s)\nt := n + m", True),
        ("n ~ geometric(1/4)\nm ~ geometric(if s then 1/2 else 1/4)\nt := n + m", False),
        ("n ~ geometric(1/4)\nm ~ geometric(if s then 1/2 else 2/3)\nt := n + m", True),
        # Products of draws, and sums of light ones, are not known.
        ("n ~ geometric(1/4)\nm ~ geometric(if s then 1/2 else 1/4)\nt := n * m", True),
        ("n ~ poisson(1)\nm ~ poisson(if s then 1 else 2)\nt := n + m", True),
        ("t := 0", True),
    ],
)
def test_paths_beside_the_draw_do_not_hide_that_a_ratio_has_no_bound(body: str, bounded: bool) -> None:
    core = seepage.parse(f"secret s\noutput t\ns ~ flip(1/2)\n{body}\n").checked

    both = (((0,), (1,)), ((1,), (0,)))
    assert any(unbounded_pair(unroll(core), ("s",), ("t",), near, {}) for near in both) is not bounded


def _stepwise(rate: float) -> Callable[[int], float]:
    return lambda k: -k * rate if k >= 0 else -math.inf


LOG_MASSES: dict[str, Callable[[int], float]] = {
    # What is drawn into t, and the logarithm of its probability by its definition, up to a constant.
    "t ~ geometric(1/4)": _stepwise(-math.log(3 / 4)),
    "t ~ geometric(1/2)": _stepwise(math.log(2)),
    "t ~ geometric(1 - exp(-1/2))": _stepwise(1 / 2),
    "g ~ geometric(1/4)\nt := 3 - g": lambda k: _stepwise(-math.log(3 / 4))(3 - k),
    "t ~ negative_binomial(2, 1/4)": lambda k: math.log(k + 1) + k * math.log(3 / 4) if k >= 0 else -math.inf,
    "t ~ negative_binomial(3, 1/4)": lambda k: (
        math.log((k + 1) * (k + 2)) + k * math.log(3 / 4) if k >= 0 else -math.inf
    ),
    "t ~ poisson(2)": lambda k: k * math.log(2) - math.lgamma(k + 1) if k >= 0 else -math.inf,
    "t ~ poisson(3)": lambda k: k * math.log(3) - math.lgamma(k + 1) if k >= 0 else -math.inf,
    "p ~ poisson(2)\nt := p + 4": lambda k: k * math.log(2) - math.lgamma(k - 3) if k >= 4 else -math.inf,
    "t ~ discrete_laplace(2)": lambda k: -abs(k) / 2,
    "t ~ discrete_laplace(3)": lambda k: -abs(k) / 3,
    "l ~ discrete_laplace(2)\nt := 5 - l": lambda k: -abs(k - 5) / 2,
    "t ~ discrete_gaussian(2)": lambda k: -k * k / 4,
    "t ~ discrete_gaussian(2, centre=1)": lambda k: -(k - 1) * (k - 1) / 4,
    "t ~ discrete_gaussian(3)": lambda k: -k * k / 6,
}


@pytest.mark.parametrize("first", LOG_MASSES)
def test_tails_of_unlike_laws_are_compared_as_their_probabilities_are(first: str) -> None:
    for second in LOG_MASSES:
        one, other = LOG_MASSES[first], LOG_MASSES[second]
        grows = False
        for side in (1, -1):
            near, far = (
                one(side * t) - other(side * t) if one(side * t) > -math.inf else -math.inf for t in (2000, 20000)
            )
            grows = grows or far == math.inf or (far > -math.inf and far - near > 0.5)
        core = seepage.parse(f"s ~ flip(1/2)\nif s {{ {first} }} else {{ {second} }}\n").checked

        assert unbounded_pair(unroll(core), ("s",), ("t",), ((1,), (0,)), {}) is grows, second


@pytest.mark.parametrize("degree", [3, 4, 6])
@pytest.mark.parametrize("law", ["geometric(1/3)", "poisson(5/2)"])
def test_moments_are_the_sums_that_define_them(law: str, degree: int) -> None:
    masses = {"geometric(1/3)": geometric(mpmath.mpf(1) / 3), "poisson(5/2)": poisson(2.5)}[law]
    program = seepage.parse(f"n ~ {law}\n")

    found = program.measure(f"E((5/4)^n * (n + 1)^{degree})")
    expected = mpmath.fsum(masses(k) * mpmath.mpf(5) ** k / mpmath.mpf(4) ** k * (k + 1) ** degree for k in range(600))
    assert found.certainty is seepage.Certainty.EXACT
    assert found.lower - 1e-9 * abs(found.lower) <= expected <= found.upper + 1e-9 * abs(found.upper)


def test_a_power_of_an_exponential_that_grows_faster_than_its_law_falls_has_an_infinite_mean() -> None:
    program = seepage.parse("g ~ geometric(1/2)\nx := (3/2)^g\n")

    assert program.measure("E(x)").value == 2
    assert program.measure("E(x^4)").lower == math.inf
    assert program.measure("E(x^(-2))").value == pytest.approx(9 / 14)  # 1/2 over 1 − 1/2·4/9


@pytest.mark.parametrize(
    ("body", "one", "other", "loss"),
    [
        # The greatest log ratio of the first law to the second, which is at 0 for all of them; the other way round there is none.
        ("s ~ uniform_int(1, 2)\nt ~ geometric(s/4)", 2, 1, math.log(2)),
        ("s ~ uniform_int(1, 2)\nt ~ poisson(s)", 1, 2, 1.0),
        ("s ~ uniform_int(1, 2)\nt ~ discrete_laplace(s)", 1, 2, math.log(math.tanh(1 / 2) / math.tanh(1 / 4))),
        ("s ~ uniform_int(1, 2)\nt := 0\nrepeat { t := t + 1\nok ~ flip(s/4) } until ok", 2, 1, math.log(2)),
    ],
)
def test_the_order_of_stated_neighbours_decides_which_tail_counts(body: str, one: int, other: int, loss: float) -> None:
    text = f"secret s\noutput t\n{body}\nrequire DP(s -> t, neighbours={{({one}, {other})}}) <= 2\n"
    program = seepage.parse(text)
    found = program.measure(f"DP(s -> t, neighbours={{({one}, {other})}})")
    assert found.lower <= loss + 1e-9
    assert loss - 1e-9 <= found.upper
    assert not any("budget exceeded" in each.message for each in program.analyze().diagnostics)
    back = program.measure(f"DP(s -> t, neighbours={{({other}, {one})}})")
    assert (back.lower, back.upper) == (math.inf, math.inf)
    either = program.measure(f"DP(s -> t, neighbours={{({one}, {other}), ({other}, {one})}})")
    assert (either.lower, either.upper) == (math.inf, math.inf)
    assert math.isinf(float(program.measure("DP(s -> t)")))


def test_a_path_that_the_input_rules_out_has_no_tail() -> None:
    text = "secret s\noutput t\nb ~ flip(1/2)\ns ~ flip(if b then 1 else 1/2)\nt := 0\nif b == 0 { t ~ geometric(if s then 1/4 else 1/2) }\n"
    core = seepage.parse(text).checked

    assert not unbounded_pair(unroll(core), ("s",), ("t",), ((0,), (1,)), {})
