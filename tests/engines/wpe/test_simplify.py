"""What is shortened for people has the same value, in states and for programs that the laws never saw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from engines.random_programs import core_of, paths, programs
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.wpe.derivation import Step, derive
from seepage.engines.wpe.expectation import NOWHERE, Expectation, Language, constant, guarded, iverson, value, weighted
from seepage.engines.wpe.simplify import booleans_of, is_boolean, is_total, simplified, tidy
from seepage.engines.wpe.transformer import wp
from seepage.exact import Number
from seepage.semantics.evaluate import evaluate
from seepage.syntax.parse import parse_expression
from seepage.syntax.spell import spell
from seepage.syntax.tree import Binary, Expression, Name

BOOLEANS = frozenset({"a", "b"})

numbers = st.sampled_from(["0", "1", "2", "1/2", "x", "y", "a", "b"])
arithmetic = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*"]), inner),
        st.builds("({} / {})".format, inner, inner),
        st.builds("(-{})".format, inner),
        st.builds("(if {} > {} then {} else {})".format, inner, inner, inner, inner),
    ),
    max_leaves=6,
)
comparisons = st.builds(
    "({} {} {})".format, arithmetic, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), arithmetic
)
conditions = st.recursive(
    st.one_of(comparisons, st.sampled_from(["a", "b", "1", "0"])),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or", "xor", "==", "!="]), inner),
        st.builds("(not {})".format, inner),
        st.builds("(if {} then {} else {})".format, inner, inner, inner),
    ),
    max_leaves=5,
)


def read(text: str) -> Expression:
    expression, diagnostics = parse_expression(text)
    assert expression is not None, diagnostics
    return expression


def told(expression: Expression, state: Mapping[str, Number]) -> Number | None:
    """Return a value, None where there is none."""
    try:
        return evaluate(expression, state)
    except Fault:
        return None


@given(st.one_of(arithmetic, conditions))
def test_a_tidy_expression_has_the_same_value_in_every_state_and_faults_where_it_did(text: str) -> None:
    whole = read(text)
    short = tidy(whole, BOOLEANS)

    assert len(spell(short)) <= len(text) + 2
    xs: tuple[Number, ...] = (-1, 0, 2)
    ys: tuple[Number, ...] = (0, 1, Fraction(1, 2))
    for a, b, x, y in product((0, 1), (0, 1), xs, ys):
        state: dict[str, Number] = {"a": a, "b": b, "x": x, "y": y}
        here = told(whole, state)
        assert told(short, state) == here
        if is_total(whole, BOOLEANS):
            assert here is not None
        if is_boolean(whole, BOOLEANS):
            assert here in (0, 1, None)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("1 and x > 0", "x > 0"),
        ("x != 1 or 1 == 1", "1"),
        ("x == x", "1"),
        ("if a then 0 else 0", "0"),
        ("x + 1 + 1 + 1 >= 1", "x >= -2"),
        ("x + x - 1 + 1", "2 * x"),
        ("x * 2 + x", "3 * x"),
        ("x / 2 + 3/2 * x", "2 * x"),
        ("not (not a)", "a"),
        ("not (x < 2)", "x >= 2"),
        ("(a xor 1) == 1", "!a"),
        ("a + b >= 0", "1"),
        ("a >= 1/2", "a"),
        ("a == 0", "!a"),
        ("(if a then 1 else 2) == 1", "a"),
        ("x / x == x / x", "x / x == x / x"),  # not at x = 0
        ("0 * (1 / x)", "0 * (1 / x)"),
        ("a == 1/2", "0"),
    ],
)
def test_what_is_known_is_said(text: str, short: str) -> None:
    assert spell(tidy(read(text), BOOLEANS)) == short


@pytest.mark.parametrize(
    ("first", "second", "short"),
    [
        ("x == 2", "y == x - 1", "[x == 2]·[y == 1]"),
        ("a", "x == a", "[a]·[x == 1]"),
        ("not a", "x > a", "[!a]·[x > 0]"),
    ],
)
def test_what_a_guard_tells_is_put_into_those_after_it(first: str, second: str, short: str) -> None:
    expectation = guarded(read(first), guarded(read(second), constant(fmpq(1), RATIONALS, Language({}))))

    assert str(simplified(expectation, BOOLEANS)) == short


# --- whole programs ---------------------------------------------------------------------------------------------------

coins = st.sampled_from(["a", "b", "u"])
tests = st.one_of(
    coins,
    st.builds("not {}".format, coins),
    st.builds("({} {} {})".format, coins, st.sampled_from(["and", "or", "xor", "==", "!="]), coins),
    st.builds("(n {} {})".format, st.sampled_from(["<", ">=", "=="]), st.integers(0, 2)),
)
lines = st.one_of(
    st.builds("{} := {}".format, coins, tests),
    st.builds("{} ~ bernoulli(1/3)".format, coins),
    st.builds("n := n + {}".format, st.one_of(coins, st.integers(0, 2))),
    st.builds("{} := {}".format, coins, st.one_of(coins, st.just("n"))),
    st.builds("observe {}".format, tests),
    st.builds("if {} {{ n := n + {} }} else {{ u := {} }}".format, tests, coins, tests),
)
switches = st.lists(lines, min_size=1, max_size=6).map(
    lambda body: "a ~ bernoulli(1/2)\nb ~ bernoulli(1/4)\nu := a\nn := 0\n" + "\n".join(body) + "\n"
)


def at(expectation: Expectation[fmpq], state: Mapping[str, Number]) -> fmpq | None:
    try:
        return value(expectation, state)
    except Fault:
        return None


@given(st.one_of(switches, programs))
def test_variables_that_are_called_booleans_are_0_or_1_behind_every_statement(text: str) -> None:
    statements = core_of(text).statements
    known = booleans_of(statements)
    for length in range(len(statements) + 1):
        try:
            reached = list(paths(statements[:length], {}))
        except Fault:
            return
        assert all(state.get(name, 0) in (0, 1) for state, _ in reached for name in known)


@given(st.one_of(switches, programs), st.booleans())
def test_every_step_has_the_value_of_the_transformer_wherever_a_run_comes(text: str, is_sum: bool) -> None:
    core = core_of(text)
    name = core.variables[-1]
    language = Language(core.arrays)
    ghost = Binary("==", Name("g", NOWHERE), Name(name, NOWHERE), NOWHERE)
    post = iverson(ghost, RATIONALS, language)
    if is_sum:
        post = weighted(Binary("+", Name(name, NOWHERE), Name(core.variables[0], NOWHERE), NOWHERE), post)
    booleans = booleans_of(core.statements)
    try:
        found = derive(core.statements, simplified(post, booleans), booleans=booleans)
    except Fault:
        return
    steps: tuple[Step[fmpq], ...] = found.steps
    for number, step in enumerate(steps):
        try:
            reached = list(paths(core.statements[:number], {}))
        except Fault:
            return
        expected = wp((core.statements[number],), step.after)
        for state, _ in reached:
            for guess in (0, 1, 2):
                before = at(expected, {**state, "g": guess})
                assert before is None or before == at(step.before, {**state, "g": guess})
