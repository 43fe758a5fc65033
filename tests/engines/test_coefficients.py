"""The rings of weights: exact rationals, balls, and polynomials in the parameters."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.random_programs import core_of

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS, Balls, IrrationalProbability, Rationals, balls
from seepage.engines.forward.polynomials import NoPolynomial, Polynomials, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.exact import Number, number, precision
from seepage.rules import NOT_A_PROBABILITY
from seepage.semantics.evaluate import spelled
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import Expression

RESPONSE = """param p in [0, 1] = 1/2
param eps in [0, 10] = 1
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
o := r * t + (1 - r) * (1 - t)
"""


def expression(text: str) -> Expression:
    parsed, diagnostics = parse_expression(text)
    assert parsed is not None
    assert not diagnostics
    return parsed


def test_rational_probabilities_are_exact() -> None:
    assert RATIONALS.probability(expression("x / 3"), {"x": 2}) == fmpq(2, 3)


def test_an_irrational_probability_does_not_fit_into_rationals() -> None:
    with pytest.raises(IrrationalProbability):
        RATIONALS.probability(expression("exp(-1)"), {})


@pytest.mark.parametrize("ring", [RATIONALS, balls(128)])
@pytest.mark.parametrize("text", ["x / 3", "-x / 8", "1 + exp(-x)", "-exp(-x)"])
def test_a_number_outside_zero_and_one_is_no_probability(ring: Rationals | Balls, text: str) -> None:
    with pytest.raises(Fault) as caught:
        ring.probability(expression(text), {"x": 4, "y": 1})

    assert caught.value.diagnostic.rule is NOT_A_PROBABILITY
    assert "x = 4" in caught.value.diagnostic.message
    assert "y =" not in caught.value.diagnostic.message


def test_balls_near_one_are_decided_exactly() -> None:
    # e^800 / (e^800 + 1) is below 1 by 1e-348, far below the radius of a ball of 128 bits
    almost = balls(128).probability(expression("exp(800) / (exp(800) + 1)"), {})

    with precision(2000):
        assert abs(almost - 1) < arb(10) ** -38


def test_balls_round_at_their_own_precision_and_leave_the_global_one_alone() -> None:
    ring, before = balls(256), ctx.prec
    third = ring.rational(1, 3)
    product = ring.multiply(ring.add(third, third), ring.complement(third))

    assert ctx.prec == before
    assert product.overlaps(ring.rational(4, 9))
    with precision(256):
        assert product.rad() < arb(2) ** -250


def test_zero_and_one_stay_exact_as_balls() -> None:
    ring = balls(128)

    assert ring.is_zero(ring.complement(ring.probability(expression("1"), {})))
    assert ring.is_zero(ring.probability(expression("log(1)"), {}))
    assert not ring.is_zero(ring.probability(expression("exp(-2000)"), {}))


def test_a_parameter_expression_that_is_no_polynomial_is_one_atom() -> None:
    ring = Polynomials(("p", "eps"))
    keep = expression("exp(eps) / (exp(eps) + 1)")

    weight = ring.probability(expression("p * exp(eps) / (exp(eps) + 1)"), {})
    other = ring.probability(keep, {})

    assert len(ring.atoms) == 2
    assert [spelled(atom) for atom in ring.atoms] == [
        "p * exp(eps) / (exp(eps) + 1)",
        "exp(eps) / (exp(eps) + 1)",
    ]
    assert ring.complement(other) == 1 - ring.context.gen(3)
    assert len(weight) == 1


def test_state_variables_are_put_into_weights_and_parameters_are_not() -> None:
    ring = Polynomials(("p",))
    weight = ring.probability(expression("if x == 1 then p / 3 else 1 - p * x"), {"x": 2, "p": 1})

    assert weight == 1 - 2 * ring.context.gen(0)
    assert ring.probability(expression("if x == 1 then p / 3 else 1 - p * x"), {"x": 1}) == ring.context.gen(0) / 3


@pytest.mark.parametrize(
    "statement",
    [
        "x := p",
        "x ~ {p: 1/2, 0: 1/2}",
        "b ~ bernoulli(1/2)\nobserve(b > p)",
        "b ~ bernoulli(1/2)\nif b < p { x := 1 }",
        "x ~ uniform_of(p, 1)",
        "x ~ bernoulli(if p > 1/2 then 1/3 else 1/4)",
    ],
)
def test_a_parameter_that_enters_a_value_or_a_guard_has_no_polynomial(statement: str) -> None:
    core = core_of(f"param p in [0, 1] = 1/2\n{statement}")

    with pytest.raises(NoPolynomial):
        run(core, ("x",) if "x" in core.variables else ("b",), {}, polynomials(core), Budget())


def test_weights_that_explode_are_given_up() -> None:
    core = core_of(RESPONSE + "".join(f"s{i} ~ bernoulli(p)\no := o + s{i} * o\n" for i in range(40)))

    with pytest.raises((NoPolynomial, Fault)):
        run(core, ("o",), {}, polynomials(core), Budget(states=64))


@settings(deadline=None, max_examples=30)
@given(st.fractions(0, 1, max_denominator=50), st.integers(0, 6))
def test_polynomials_have_the_values_that_the_run_at_their_parameters_finds(p: Fraction, eps: int) -> None:
    core = core_of(RESPONSE)
    symbolic = run(core, ("r", "o"), {}, polynomials(core), Budget())
    point: dict[str, Number] = {"p": number(p), "eps": eps}
    numeric = run(core, ("r", "o"), point, balls(128), Budget())
    ring = symbolic.ring
    assert isinstance(ring, Polynomials)

    for values, mass in symbolic.masses.items():
        found = ring.enclose(mass, ring.values_at(point), 128)
        assert found.overlaps(numeric.masses.get(values, arb(0)))
        with precision(128):
            assert found.rad() < arb(2) ** -100
