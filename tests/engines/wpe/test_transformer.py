"""The rows of the transformer's table, and the laws that every pre-expectation transformer obeys."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.random_programs import conditions, core_of, programs

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS, polynomials
from seepage.engines.wpe.expectation import (
    NOWHERE,
    Expectation,
    Language,
    add,
    at,
    by_ghosts,
    constant,
    iverson,
    scaled,
    value,
    weighted,
)
from seepage.engines.wpe.transformer import cwp, wp
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.syntax.tree import Binary, Name

PLAIN = Language({})
SETUP = "x := 0\ny := 0\nz := 0\n"


def ghost_equals(name: str) -> Expectation[fmpq]:
    return iverson(Binary("==", Name("g", NOWHERE), Name(name, NOWHERE), NOWHERE), RATIONALS, PLAIN)


def masses(text: str, name: str = "x") -> dict[object, Fraction]:
    core = core_of(text)
    ghost = Binary("==", Name("g", NOWHERE), Name(name, NOWHERE), NOWHERE)
    table = by_ghosts(
        at(wp(core.statements, iverson(ghost, RATIONALS, Language(core.arrays))), {}, frozenset("g")), ("g",)
    )
    return {key[0]: Fraction(int(mass.p), int(mass.q)) for key, mass in table.items()}


def event(text: str) -> Expectation[fmpq]:
    """The Iverson bracket of a condition over x, y, z."""
    core = core_of(f"{SETUP}observe({text})")
    observed = core.statements[-1]
    assert isinstance(observed, CoreObserve)
    return iverson(observed.condition, RATIONALS, PLAIN)


def initial(core: CoreProgram, post: Expectation[fmpq]) -> fmpq:
    return value(wp(core.statements, post), {})


def test_an_empty_program_changes_nothing() -> None:
    post = ghost_equals("x")

    assert wp((), post) == post


def test_an_assignment_substitutes() -> None:
    assert masses("x := 1\nx := x + 2") == {3: 1}


def test_a_sampling_weighs_by_probabilities_that_may_depend_on_the_state() -> None:
    # P(x = 1) = 1/2 · 1/3 + 1/2 · 2/3 over y = 1, 2
    assert masses("y ~ uniform_int(1, 2)\nx ~ bernoulli(y / 3)") == {1: Fraction(1, 2), 0: Fraction(1, 2)}


def test_an_observation_that_fails_contributes_nothing() -> None:
    assert masses("x ~ uniform_int(1, 4)\nobserve(x > 2)") == {3: Fraction(1, 4), 4: Fraction(1, 4)}


def test_an_observation_in_a_branch_weighs_the_branch() -> None:
    text = "b ~ bernoulli(1/2)\nx ~ bernoulli(1/4)\nif b { observe(x == 1) }"

    assert masses(text, "b") == {1: Fraction(1, 8), 0: Fraction(1, 2)}


def test_a_guard_protects_what_follows_it() -> None:
    text = "y ~ uniform_int(0, 2)\nif y != 0 { x := 2 / y } else { x := 9 }"

    assert masses(text) == {9: Fraction(1, 3), 2: Fraction(1, 3), 1: Fraction(1, 3)}


def test_an_undefined_value_that_is_reached_is_a_fault() -> None:
    with pytest.raises(Fault, match="division by zero"):
        masses("y ~ uniform_int(0, 2)\nx := 2 / y")


def test_random_indices_pick_elements_on_both_sides() -> None:
    text = "a[1] := 5\na[2] := 7\ni ~ uniform_int(1, 2)\na[i] := 0\nx := a[3 - i]"

    assert masses(text) == {7: Fraction(1, 2), 5: Fraction(1, 2)}


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ("binomial(2, 1/3)", {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}),
        ("categorical(1/2, 0, 1/2)", {0: Fraction(1, 2), 2: Fraction(1, 2)}),
        ("uniform_of(3, 3, 5)", {3: Fraction(2, 3), 5: Fraction(1, 3)}),
        # 4 balls, 2 marked, 2 drawn: 1·1, 2·2, 1·1 of 6 ways
        ("hypergeometric(4, 2, 2)", {0: Fraction(1, 6), 1: Fraction(2, 3), 2: Fraction(1, 6)}),
        ("1/4*bernoulli(1/2) + 3/4*uniform_int(1, 2)", {0: Fraction(1, 8), 1: Fraction(1, 2), 2: Fraction(3, 8)}),
    ],
)
def test_finite_laws(law: str, expected: dict[object, Fraction]) -> None:
    assert masses(f"x ~ {law}") == expected


@pytest.mark.parametrize(
    ("expectation", "ghosts", "said"),
    [
        (event("x == 1"), ("x", "y"), "not a table over"),
        (weighted(Name("y", NOWHERE), event("x == 1")), ("x",), "not a table over"),
        (event("x > 1"), ("x",), "does not fix a ghost"),
    ],
)
def test_what_does_not_fix_all_ghosts_is_no_table(
    expectation: Expectation[fmpq], ghosts: tuple[str, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        by_ghosts(expectation, ghosts)


def test_parameters_stay_symbolic() -> None:
    core = core_of("param p in [0, 1] = 1/2\nx ~ bernoulli(p)\ny ~ bernoulli(1/3)\nif y { x := 1 - x }")
    ring = polynomials(core)
    ghost = Binary("==", Name("g", NOWHERE), Name("x", NOWHERE), NOWHERE)
    table = by_ghosts(wp(core.statements, iverson(ghost, ring, Language(core.arrays, frozenset({"p"})))), ("g",))

    p = ring.context.gen(0)
    assert table == {(1,): p * fmpq(1, 3) + fmpq(1, 3), (0,): fmpq(2, 3) - p * fmpq(1, 3)}


@settings(deadline=None, max_examples=25)
@given(programs, conditions, conditions, st.fractions(0, 5, max_denominator=9))
def test_pre_expectations_are_linear(text: str, first: str, second: str, factor: Fraction) -> None:
    core, scale = core_of(text), fmpq(factor.numerator, factor.denominator)
    left, right = event(first), event(second)

    both = initial(core, add(scaled(scale, left), right))

    assert both == scale * initial(core, left) + initial(core, right)


@settings(deadline=None, max_examples=25)
@given(programs, conditions, conditions)
def test_pre_expectations_are_monotone_and_bounded(text: str, first: str, second: str) -> None:
    core = core_of(text)
    narrow, wide = event(f"({first}) and ({second})"), event(first)

    assert 0 <= initial(core, narrow) <= initial(core, wide) <= 1


@settings(deadline=None, max_examples=25)
@given(programs, conditions)
def test_observing_is_the_same_as_a_guarded_expectation(text: str, condition: str) -> None:
    core, observing = core_of(text), core_of(f"{text}observe({condition})")
    one = constant(fmpq(1), RATIONALS, PLAIN)

    above, below = cwp(observing.statements, (one, one))

    assert value(above, {}) == value(below, {}) == initial(core, event(condition))
