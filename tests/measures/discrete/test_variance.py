"""Variances against closed forms, where E(x²) − E(x)² would lose all digits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, fmpq

import seepage
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number
from seepage.measures.discrete.variance import variance

FAR = 10**40


def test_rational_masses_give_an_exact_rational() -> None:
    masses: dict[tuple[Number, ...], fmpq] = {(FAR,): fmpq(1, 6), (FAR + 1,): fmpq(1, 3)}  # probabilities 1/3 and 2/3

    assert variance(DiscreteJoint(("x",), RATIONALS, masses, fmpq(1, 2)), "x").exact == Fraction(2, 9)


def test_a_variable_far_from_zero_keeps_its_digits() -> None:
    third = arb(1) / 3  # known to 53 bits
    found = variance(DiscreteJoint(("x",), balls(128), {(FAR,): third, (FAR + 1,): 2 * third}, 3 * third), "x")

    assert found.lower <= arb(2) / 9 <= found.upper
    assert found.upper - found.lower < 1e-14


def test_a_constant_has_variance_zero() -> None:
    found = variance(DiscreteJoint(("x",), balls(128), {(FAR,): arb(1) / 3}, arb(1) / 3), "x")

    assert found.exact == 0


@pytest.mark.parametrize("shift", ["exp(1000)", "-exp(1000)", "exp(1000) + 1/3", "7^300", "2^(1/2)"])
@pytest.mark.parametrize(
    "law", ["bernoulli(1/2)", "uniform_int(-3, 5)", "{0: 1/7, 9: 6/7}", "poisson(3)", "laplace(0, 1)"]
)
@pytest.mark.parametrize("written", ["m + (SHIFT)", "-m - (SHIFT)", "2 * m + (SHIFT) - m"])
def test_a_constant_that_is_added_changes_no_variance(law: str, shift: str, written: str) -> None:
    program = seepage.parse(f"m ~ {law}\n")

    moved, own = program.measure(f"Var({written.replace('SHIFT', shift)})"), program.measure("Var(m)")

    assert moved.lower == pytest.approx(own.lower, rel=1e-12)
    assert moved.upper == pytest.approx(own.upper, rel=1e-12)


def test_a_variable_behind_a_huge_constant_keeps_its_variance() -> None:
    found = seepage.parse("m ~ bernoulli(1/2)\nn ~ bernoulli(1/3)\nc := m + n + exp(1000)\n").measure("Var(c)")

    assert found.lower <= 1 / 4 + 2 / 9 <= found.upper
    assert found.upper - found.lower < 1e-12
