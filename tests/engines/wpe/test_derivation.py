"""Derivations: each step is checked against the one before it, in states and for values that the printing never saw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mpoly
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.random_programs import core_of, programs

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS, polynomials
from seepage.engines.wpe.derivation import Derivation, Step, derive
from seepage.engines.wpe.expectation import NOWHERE, Expectation, Language, constant, iverson, value
from seepage.engines.wpe.transformer import wp
from seepage.exact import Number
from seepage.syntax.tree import Binary, Name

GHOST = Binary("==", Name("g", NOWHERE), Name("x", NOWHERE), NOWHERE)
states = st.fixed_dictionaries({name: st.integers(0, 3) for name in ("x", "y", "z", "g")})


def at(expectation: Expectation[fmpq], state: Mapping[str, Number]) -> fmpq | None:
    """Return the value in a state, None where a guard or probability has none."""
    try:
        return value(expectation, state)
    except Fault:
        return None


def chained(steps: tuple[Step[fmpq], ...], before: Expectation[fmpq], after: Expectation[fmpq]) -> None:
    """Check that what stands behind each statement is what stands before the next."""
    assert [*(step.before for step in steps), after] == [before, *(step.after for step in steps)]


def all_steps(steps: tuple[Step[fmpq], ...]) -> Iterator[Step[fmpq]]:
    for step in steps:
        yield step
        for arm in step.arms:
            yield from all_steps(arm)


@given(programs, states)
def test_every_step_equals_the_next_in_any_state(text: str, state: dict[str, int]) -> None:
    core = core_of(text)
    post = iverson(GHOST, RATIONALS, Language(core.arrays))
    try:
        derivation = derive(core.statements, post)
        whole = wp(core.statements, post)
    except Fault:
        return  # an undefined value: the transformer itself reports it

    assert derivation.left_out == 0
    chained(derivation.steps, derivation.before, post)
    assert at(derivation.before, state) == at(whole, state)
    for step in all_steps(derivation.steps):
        if step.rule == "if":
            first, second = step.arms
            chained(first, first[0].before if first else step.after, step.after)
            chained(second, second[0].before if second else step.after, step.after)
        if step.parts:
            pairs = [(at(part, state), RATIONALS.probability(chance, state)) for chance, part in step.parts]
            if all(one is not None for one, _ in pairs):
                assert at(step.before, state) == sum((a * b for a, b in pairs if a is not None), fmpq(0))


@given(programs, states)
def test_every_step_is_the_transformer_s_own(text: str, state: dict[str, int]) -> None:
    core = core_of(text)
    post = constant(RATIONALS.one, RATIONALS, Language(core.arrays))
    try:
        derivation = derive(core.statements, post)
    except Fault:
        return

    for step, statement in zip(derivation.steps, core.statements, strict=True):
        assert at(step.before, state) == at(wp((statement,), step.after), state)


def response() -> Derivation[fmpq_mpoly]:
    core = core_of(
        "param p in [0, 1] = 1/2\nparam eps in [0, 10] = 1\n"
        "r ~ bernoulli(p)\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
    )
    ghost = Binary("==", Name("g", NOWHERE), Name("o", NOWHERE), NOWHERE)
    ring = polynomials(core)
    return derive(core.statements, iverson(ghost, ring, Language(core.arrays, frozenset(core.parameters))))


def test_the_paper_s_figure_has_its_three_statements_and_two_arms() -> None:
    derivation = response()

    assert [step.statement for step in derivation.steps] == [
        "r ~ bernoulli(p)",
        "t ~ bernoulli(exp(eps) / (exp(eps) + 1))",
        "if t",
    ]
    assert [[inner.statement for inner in arm] for arm in derivation.steps[2].arms] == [["o := r"], ["o := !r"]]
    assert derivation.steps[0].note == "equal brackets are merged, decided ones evaluated: 4 terms become 2"


@pytest.mark.parametrize(("steps", "terms"), [(2, 100), (100, 3)])
def test_a_long_derivation_is_cut_at_the_start_and_says_by_how_much(steps: int, terms: int) -> None:
    text = "".join(f"x{i} ~ bernoulli(1/3)\n" for i in range(6)) + "o := x0 + 2*x1 + 4*x2 + 8*x3 + 16*x4 + 32*x5\n"
    core = core_of(text)
    ghost = Binary("==", Name("g", NOWHERE), Name("o", NOWHERE), NOWHERE)
    post = iverson(ghost, RATIONALS, Language(core.arrays))

    found = derive(core.statements, post, steps, terms)

    assert found.left_out == len(core.statements) - len(found.steps) > 0
    assert found.steps[-1].statement.startswith("o := ")
    state = {f"x{i}": i % 2 for i in range(6)} | {"g": 42}
    assert value(found.before, state) == value(wp(core.statements[found.left_out :], post), state)


def test_fractions_are_what_they_seem() -> None:
    core = core_of("x ~ bernoulli(1/3)\n")
    derivation = derive(core.statements, iverson(GHOST, RATIONALS, Language(core.arrays)))

    assert value(derivation.before, {"g": 1}) == fmpq(1, 3)
    assert value(derivation.before, {"g": Fraction(0)}) == fmpq(2, 3)


def test_a_sampling_of_more_values_than_anyone_reads_ends_the_derivation_before_they_are_listed() -> None:
    core = core_of("x ~ uniform_int(0, 1000000000)\ny := x == 3\n")

    found = derive(core.statements, iverson(GHOST, RATIONALS, Language(core.arrays)))

    assert (found.left_out, [step.statement for step in found.steps]) == (1, ["y := x == 3"])
