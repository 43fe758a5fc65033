"""Capacities against closed forms, against every prior that is tried, and against the public definitions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from tests.measures.random_channels import Matrix, matrices, program

import seepage


def entropy(*shares: float | Fraction) -> mpf:
    exact = [Fraction(share) for share in shares]
    chances = [mpf(share.numerator) / share.denominator for share in exact if share]
    return -sum((chance * mp.log(chance, 2) for chance in chances), mpf(0))


def encloses(result: seepage.Result, value: mpf) -> bool:
    return bool(mpf(result.lower) <= value + mpf(2) ** -80 and value - mpf(2) ** -80 <= mpf(result.upper))


@pytest.fixture(autouse=True)
def _precise() -> Iterator[None]:
    with mp.workprec(200):
        yield


def binary(zero: str, one: str, prior: str = "1/3") -> seepage.Program:
    """Return a channel of one bit: the probabilities of a 1 for either input."""
    text = (
        f"secret x\noutput y\nx ~ bernoulli({prior})\nif x {{ y ~ bernoulli({one}) }} else {{ y ~ bernoulli({zero}) }}"
    )
    return seepage.parse(text)


@pytest.mark.parametrize("flip", ["1/10", "1/1000000", "499999999/1000000000"])
def test_a_symmetric_channel_has_the_capacity_of_one_bit_less_the_noise(flip: str) -> None:
    found = binary(flip, f"1 - {flip}").measure("C(x -> y)")

    assert encloses(found, 1 - entropy(Fraction(flip), 1 - Fraction(flip)))
    assert found.certainty is seepage.Certainty.EXACT
    assert found.upper - found.lower <= 1e-12 * found.upper


@pytest.mark.parametrize("loss", [Fraction(1, 2), Fraction(1, 7), Fraction(99, 100)])
def test_a_z_channel_has_its_closed_form(loss: Fraction) -> None:
    found = binary("0", str(1 - loss)).measure("C(x -> y)")

    power = mpf(loss.numerator) / loss.denominator
    power = (1 - power) * power ** (power / (1 - power))
    assert encloses(found, mp.log(1 + power, 2))
    assert found.upper - found.lower <= 1e-12 * found.upper


def test_an_erasure_channel_has_a_rational_number_of_bits() -> None:
    text = "secret x\noutput y\nx ~ uniform_int(0, 3)\nlost ~ bernoulli(1/5)\nif lost { y := 9 } else { y := x }"

    found = seepage.parse(text).measure("C(x -> y)")

    assert found.exact == Fraction(8, 5)


@pytest.mark.parametrize("chance", ["0.99", "1e-9", "exp(1) / (exp(1) + 1)"])
def test_an_asymmetric_channel_meets_the_formula_for_two_inputs(chance: str) -> None:
    """The capacity of a channel of two inputs and outputs is log Σ 2^(−v) for the solution v of W v = H (Muroga 1953)."""
    found = binary("1/4", chance).measure("C(x -> y)")

    a, b = mpf(1) / 4, {"0.99": mpf(99) / 100, "1e-9": mpf(10) ** -9}.get(chance, mp.e / (mp.e + 1))
    ha, hb = (-p * mp.log(p, 2) - (1 - p) * mp.log(1 - p, 2) for p in (a, b))
    v1 = ((1 - b) * ha - (1 - a) * hb) / (a * (1 - b) - b * (1 - a))
    v0 = (a * hb - b * ha) / (a * (1 - b) - b * (1 - a))
    assert encloses(found, mp.log(2**-v0 + 2**-v1, 2))
    assert found.upper - found.lower < 1e-14


def test_an_input_that_only_just_helps_converges_as_well() -> None:
    """The third row is the mean of the others: it never helps, and its divergence comes close to theirs."""
    rows = [
        [Fraction(9, 10), Fraction(1, 10)],
        [Fraction(1, 10), Fraction(9, 10)],
        [Fraction(899, 1000), Fraction(101, 1000)],
    ]

    found = program(rows).measure("C(x -> y)")

    assert encloses(found, 1 - entropy(Fraction(1, 10), Fraction(9, 10)))
    assert found.upper - found.lower < 1e-12


def test_a_function_of_a_secret_of_64_bits_has_the_capacity_of_its_values() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 2^16 - 1)\no := s % 8"

    found = seepage.parse(text).measure("C(s -> o)")

    assert found.exact == 3
    assert seepage.parse(text).measure("Cmin(s -> o)").exact == 3


def test_values_outside_the_support_are_no_inputs() -> None:
    text = "secret x\noutput y\nx ~ {0: 1, 1: 0}\ny := x"

    assert seepage.parse(text).measure("C(x -> y)").exact == 0
    assert seepage.parse(text).measure("Cmin(x -> y)").exact == 0


def test_capacity_is_no_average_over_the_given_prior() -> None:
    program = binary("1/10", "9/10", prior="1/1000")

    assert program.measure("I(x; y)").upper < 0.01
    assert program.measure("C(x -> y)").lower > 0.5


@given(matrices(), st.lists(st.integers(1, 9), min_size=4, max_size=4))
@settings(max_examples=15)
def test_no_prior_leaks_more(rows: Matrix, weights: list[int]) -> None:
    prior = [Fraction(weight, sum(weights[: len(rows)])) for weight in weights[: len(rows)]]
    leaky = program(rows, prior)

    capacity, min_capacity = leaky.measure("C(x -> y)"), leaky.measure("Cmin(x -> y)")

    assert leaky.measure("I(x; y)").lower <= capacity.upper
    assert capacity.lower <= min_capacity.upper
    assert capacity.upper - capacity.lower <= 1e-11
    assert capacity.upper <= math.log2(min(len(rows), len(rows[0]))) + 1e-12
    # the defining sum, over floats
    assert min_capacity.value == pytest.approx(
        math.log2(sum(max(map(float, column)) for column in zip(*rows, strict=True))), abs=1e-12
    )


@given(matrices(most_outputs=3))
@settings(max_examples=8)
def test_what_is_computed_from_the_output_tells_no_more(rows: Matrix) -> None:
    merged = [[row[0] + row[1], *row[2:]] for row in rows]

    for measure in ("C(x -> y)", "Cmin(x -> y)"):
        assert program(merged).measure(measure).lower <= program(rows).measure(measure).upper


@given(matrices(3, 3))
@settings(max_examples=6)
def test_capacity_is_the_best_of_a_grid_of_priors(rows: Matrix) -> None:
    steps = 24
    best = 0.0
    for a in range(steps + 1):
        for b in range(steps + 1 - a):
            prior = [a / steps, b / steps, (steps - a - b) / steps][: len(rows)]
            if abs(sum(prior) - 1) < 1e-9:
                best = max(best, information(prior, rows))

    found = program(rows).measure("C(x -> y)")

    assert best <= found.upper + 1e-12
    assert found.lower <= best + 0.02


def information(prior: list[float], rows: Matrix) -> float:
    total = 0.0
    for column in range(len(rows[0])):
        mass = sum(p * float(row[column]) for p, row in zip(prior, rows, strict=True))
        for p, row in zip(prior, rows, strict=True):
            if p and row[column]:
                total += p * float(row[column]) * math.log2(float(row[column]) / mass)
    return total
