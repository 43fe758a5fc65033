"""Differential privacy against enumeration over all sets of outputs, closed forms and the laws that it obeys."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations, pairwise, product

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.random_channels import Matrix, matrices, program

import seepage

RESPONSE = """
param eps in [0, 10] = 1
secret s
output o
s ~ bernoulli(1/3)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := s } else { o := !s }
"""

RECORDS = """
secret r
output o
for i in 1..4 { r[i] ~ bernoulli(1/2) }
for i in 1..4 {
    t[i] ~ bernoulli(3/4)
    if t[i] { o[i] := r[i] } else { o[i] := !r[i] }
}
"""


def excess(row: list[Fraction], other: list[Fraction], factor: Fraction) -> Fraction:
    """Return the greatest W(S|x) − factor·W(S|x′) over all sets S of outputs, by looking at each."""
    places = range(len(row))
    sets = chain.from_iterable(combinations(places, size) for size in range(len(row) + 1))
    return max(sum((row[y] - factor * other[y] for y in chosen), Fraction(0)) for chosen in sets)


def verdict(text: str, requirement: str) -> str | None:
    answers = seepage.parse(f"{text}\nrequire {requirement}").analyze().answers
    return answers[-1].verdict


# --- against enumeration ----------------------------------------------------------------------------------------------


@given(matrices(), st.sampled_from([Fraction(1), Fraction(4, 3), Fraction(2), Fraction(5)]))
@settings(max_examples=15)
def test_delta_is_the_worst_set_of_outputs(rows: Matrix, factor: Fraction) -> None:
    expected = max(excess(list(a), list(b), factor) for a, b in product(rows, rows))

    found = program(rows).measure(f"Delta(x -> y, eps=log({factor}))")

    assert found.exact == expected


@given(matrices(), st.sampled_from(["1/10", "1/3", "1/100", "2/3"]))
@settings(max_examples=15)
def test_the_least_epsilon_is_where_delta_is_met(rows: Matrix, delta: str) -> None:
    found = program(rows).measure(f"DP(x -> y, delta={delta})")

    def worst(factor: Fraction) -> Fraction:
        return max(excess(list(a), list(b), factor) for a, b in product(rows, rows))

    if math.isinf(found.number):
        assert worst(Fraction(10**12)) > Fraction(delta)
        return
    above, below = (Fraction(math.exp(found.number) * (1 + change)) for change in (1e-12, -1e-9))
    assert worst(max(above, Fraction(1))) <= Fraction(delta)
    assert found.value == 0 or worst(below) > Fraction(delta)


@given(matrices())
@settings(max_examples=15)
def test_the_loss_is_the_greatest_logarithm_of_a_ratio(rows: Matrix) -> None:
    ratios = [a[y] / b[y] if b[y] else math.inf for a, b in product(rows, rows) for y in range(len(a)) if a[y]]

    found = program(rows).measure("DP(x -> y)")

    assert found.value == pytest.approx(math.log(max(ratios)), abs=1e-12)


@given(matrices(most_outputs=3))
@settings(max_examples=6)
def test_irrational_channels_agree_with_rational_ones(rows: Matrix) -> None:
    """In balls and in closed form: the same matrix, with each row mixed with irrational weights."""
    first, second, *_ = rows
    mixed = seepage.parse(
        f"x ~ flip(1/2)\nkeep ~ bernoulli(exp(-1))\nif keep xor x {{ y ~ categorical({', '.join(map(str, first))}) }}"
        f" else {{ y ~ categorical({', '.join(map(str, second))}) }}"
    )
    q = math.exp(-1)
    one = [q * float(a) + (1 - q) * float(b) for a, b in zip(first, second, strict=True)]
    other = [(1 - q) * float(a) + q * float(b) for a, b in zip(first, second, strict=True)]
    ratio = max((max(a / b, b / a) for a, b in zip(one, other, strict=True) if a or b), default=1)
    delta = max(sum(max(0.0, a - 1.5 * b) for a, b in zip(*pair, strict=True)) for pair in ((one, other), (other, one)))

    assert mixed.measure("DP(x -> y)").value == pytest.approx(math.log(ratio), abs=1e-9)
    assert mixed.measure("Delta(x -> y, eps=log(3/2))").value == pytest.approx(delta, abs=1e-12)


# --- laws -------------------------------------------------------------------------------------------------------------


@given(matrices(most_outputs=3))
@settings(max_examples=6)
def test_post_processing_keeps_privacy(rows: Matrix) -> None:
    merged = [[row[0] + row[1], *row[2:]] for row in rows]

    for measure in ("DP(x -> y)", "DP(x -> y, delta=1/20)", "Delta(x -> y, eps=1/2)"):
        assert program(merged).measure(measure).lower <= program(rows).measure(measure).upper


@given(matrices())
@settings(max_examples=6)
def test_delta_falls_in_epsilon_and_epsilon_in_delta(rows: Matrix) -> None:
    channel = program(rows)
    deltas = [channel.measure(f"Delta(x -> y, eps={eps})") for eps in ("0", "1/2", "2", "10")]
    losses = [channel.measure(f"DP(x -> y, delta={delta})") for delta in ("0", "1/50", "1/4", "1")]

    assert all(later.lower <= earlier.upper for earlier, later in pairwise(deltas))
    assert all(later.lower <= earlier.upper for earlier, later in pairwise(losses))
    assert losses[-1].value == 0


def test_the_prior_does_not_matter() -> None:
    rows = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 5), Fraction(4, 5)]]

    found = program(rows, [Fraction(1, 1000), Fraction(999, 1000)]).measure("DP(x -> y)")

    assert found.value == pytest.approx(math.log(5 / 2))
    assert found.witness == "x = 0 against x = 1, at y = 0"


# --- decided at the boundary ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eps", ["0", "1", "1/3", "10", "log(3)", "1e-9"])
def test_randomized_response_has_exactly_its_epsilon(eps: str) -> None:
    text = RESPONSE.replace("= 1\n", f"= {eps}\n", 1)

    assert verdict(text, "DP(s -> o) <= eps") == "holds"
    assert verdict(text, "DP(s -> o) >= eps") == "holds"
    assert verdict(text, "DP(s -> o) == eps") == "holds"
    assert verdict(text, "DP(s -> o) < eps") == "violated"
    assert verdict(text, "Delta(s -> o, eps=eps) <= 0") == "holds"


def test_a_budget_at_the_logarithm_of_a_ratio_is_decided() -> None:
    text = "s ~ flip(1/2)\nif s { o ~ flip(3/4) } else { o ~ flip(1/4) }"

    assert verdict(text, "DP(s -> o) <= log(3)") == "holds"
    assert verdict(text, "DP(s -> o) < log(3)") == "violated"
    assert verdict(text, "DP(s -> o) <= 1.0986") == "violated"
    assert verdict(text, "Cmin(s -> o) <= log(3/2)/log(2)") == "holds"
    assert verdict(text, "Cmin(s -> o) < log(3/2) nats") == "violated"


@pytest.mark.parametrize("eps", ["1e-9", "800"])
def test_extreme_parameters_are_right(eps: str) -> None:
    text = RESPONSE.replace("[0, 10] = 1\n", f"[0, 1000] = {eps}\n", 1)

    assert seepage.parse(text).measure("DP(s -> o)").exact == Fraction(eps)


def test_an_impossible_output_is_an_infinite_loss() -> None:
    found = seepage.parse("s ~ flip(1/2)\nif s { o ~ flip(1/2) } else { o := 0 }").measure("DP(s -> o)")

    assert (found.lower, found.value, found.upper) == (math.inf, math.inf, math.inf)
    assert found.witness == "s = 1 against s = 0, at o = 1"
    assert verdict("s ~ flip(1/2)\nif s { o ~ flip(1/2) } else { o := 0 }", "DP(s -> o) <= 1000") == "violated"


# --- neighbours -------------------------------------------------------------------------------------------------------


def test_records_differ_in_so_many_places_as_the_distance_says() -> None:
    """Each answer of its own has a ratio of 3, so k records have 3^k."""
    records = seepage.parse(RECORDS)

    losses = [records.measure(f"DP(r -> o, distance={k})").value for k in (1, 2, 3, 4)]

    assert losses == pytest.approx([k * math.log(3) for k in (1, 2, 3, 4)], abs=1e-12)
    assert records.measure("DP(r -> o)").value == pytest.approx(4 * math.log(3))
    assert records.measure("DP(r[1], r[3] -> o, distance=1)").value == pytest.approx(math.log(3))


def test_numbers_are_so_far_apart_as_the_distance_says() -> None:
    text = """
    x ~ {0: 1/4, 1/2: 1/4, 2: 1/4, 5: 1/4}
    if x == 0 { y ~ flip(1/2) } else if x == 1/2 { y ~ flip(1/3) } else if x == 2 { y ~ flip(1/9) } else { y ~ flip(1/90) }
    """
    found = {k: seepage.parse(text).measure(f"DP(x -> y, distance={k})").value for k in ("1/4", "1/2", "1", "3/2", "5")}

    assert found["1/4"] == 0
    assert found["1/2"] == found["1"] == pytest.approx(math.log(3 / 2))
    assert found["3/2"] == pytest.approx(math.log(3))
    assert found["5"] == pytest.approx(math.log(45))


def test_one_record_is_told_apart_from_the_database_guarantee() -> None:
    text = "secret r\noutput o\nfor i in 1..3 { r[i] ~ flip(1/2) }\no := r[1] + r[2] + r[3]\nt ~ flip(1/4)\nif t { o := 0 }"
    program = seepage.parse(text)

    alone, worst = program.measure("DP(r[1] -> o)"), program.measure("DP(r -> o, distance=1)")

    assert any("this is not the database guarantee" in note for note in alone.notes)
    assert not any("database" in note for note in worst.notes)


def test_a_condition_takes_the_worst_value() -> None:
    text = """
    secret s, z
    output o
    s ~ flip(1/2)
    z ~ {0: 9/10, 1: 1/10}
    if z == 0 { o ~ flip(1/2) } else if s { o ~ flip(3/4) } else { o ~ flip(1/4) }
    """
    program = seepage.parse(text)

    given, averaged = program.measure("DP(s -> o | z)"), program.measure("DP(s -> o)")

    assert given.value == pytest.approx(math.log(3))
    assert given.witness == "s = 1 against s = 0, at o = 1, given z = 1"
    # P(o | s) = 9/10·1/2 + 1/10·(3/4 or 1/4)
    assert averaged.value == pytest.approx(math.log(0.525 / 0.475))
    assert any("'z' is drawn as modelled" in note for note in averaged.notes)
    assert program.measure("Delta(s -> o, eps=0 | z)").exact == Fraction(1, 2)


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("DP(s -> o, delta=2)", "delta = 2"),
        ("DP(s -> o, distance=0)", "distance = 0"),
        ("Delta(s -> o, eps=-1)", "eps = -1"),
        ("Delta(s -> o)", "without a claimed 'eps'"),
        ("DP(s, t -> o, distance=1/2)", "a whole number"),
    ],
)
def test_what_cannot_be_meant_is_told(measure: str, words: str) -> None:
    with pytest.raises(seepage.MeasureError, match=words):
        seepage.parse(RESPONSE).measure(measure)


# --- as a formula -----------------------------------------------------------------------------------------------------


def test_the_loss_of_randomized_response_is_a_formula() -> None:
    found = seepage.parse(RESPONSE).measure("DP(s -> o)").formula

    assert found is not None
    assert (found.text, found.conditions) == ("eps", ())


def test_a_formula_says_where_there_are_fewer_inputs() -> None:
    text = "param p in [0, 1] = 1/3\n" + RESPONSE.replace("bernoulli(1/3)", "bernoulli(p)")

    found = seepage.parse(text).measure("DP(s -> o)")

    assert found.formula is not None
    assert found.formula.conditions == ("p > 0", "p < 1")
    assert seepage.parse(text).measure("DP(s -> o)", params={"p": "0"}).exact == 0


def test_a_formula_that_fails_in_a_part_of_the_domain_says_so() -> None:
    """Below 0 the loss is −eps."""
    text = RESPONSE.replace("[0, 10]", "[-1, 10]")

    found = [seepage.parse(text).measure("DP(s -> o)", params={"eps": eps}).formula for eps in ("1", "-1/2")]

    assert [each and (each.text, each.conditions) for each in found] == [("eps", ("eps ≥ 0",)), ("−eps", ("eps ≤ 0",))]
    assert seepage.parse(text).measure("DP(s -> o)", params={"eps": "-1/2"}).exact == Fraction(1, 2)


@pytest.mark.parametrize("eps", [Fraction(1), Fraction(1, 2)])
def test_the_loss_behind_a_sum_of_many_answers_is_exact(eps: Fraction) -> None:
    """That of one answer: if all answers are the same, the sum tells each of them."""
    text = f"""
    o := 0
    for i in 1..20 {{
        r[i] ~ bernoulli(1/2)
        t[i] ~ bernoulli(exp({eps}) / (exp({eps}) + 1))
        if t[i] {{ o := o + r[i] }} else {{ o := o + !r[i] }}
    }}
    """

    assert seepage.parse(text).measure("DP(r[1] -> o)").exact == eps


def test_records_have_the_sum_of_their_losses_as_a_formula() -> None:
    text = """
    param eps in [0, 10] = 1
    for i in 1..2 {
        r[i] ~ bernoulli(1/2)
        t[i] ~ bernoulli(exp(eps) / (exp(eps) + 1))
        o[i] := if t[i] then r[i] else !r[i]
    }
    """
    formulas = [seepage.parse(text).measure(measure).formula for measure in ("DP(r -> o)", "DP(r -> o, distance=1)")]

    assert [found and found.text for found in formulas] == ["2·eps", "eps"]


@pytest.mark.parametrize(
    ("noise", "mass", "delta"),
    [
        ("poisson(3)", lambda k: mpmath.exp(-3) * mpmath.mpf(3) ** k / mpmath.factorial(k) if k >= 0 else 0, "1/10"),
        ("discrete_gaussian(4)", lambda k: mpmath.exp(-(mpmath.mpf(k) ** 2) / 8), "1/100"),
    ],
)
def test_a_loss_with_a_delta_behind_an_infinite_support_is_closed_in(
    noise: str, mass: Callable[[int], mpmath.mpf], delta: str
) -> None:
    places = range(-80, 160)
    whole = sum(mass(k) for k in places)
    allowed = mpmath.mpf(Fraction(delta).numerator) / Fraction(delta).denominator

    def too_much(eps: mpmath.mpf) -> mpmath.mpf:
        rows = [[mass(k - s) / whole for k in places] for s in (0, 1)]
        pairs = (zip(*rows, strict=True), zip(*rows[::-1], strict=True))
        return max(sum(max(0, one - mpmath.exp(eps) * other) for one, other in pair) for pair in pairs) - allowed

    truth = mpmath.findroot(too_much, (0.1, 3), solver="anderson", tol=1e-12)

    found = seepage.parse(f"s ~ bernoulli(1/2)\nn ~ {noise}\no := s + n\n").measure(f"DP(s -> o, delta={delta})")

    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-9
