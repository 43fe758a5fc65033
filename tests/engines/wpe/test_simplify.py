"""What is shortened for people has the same value, in states and for programs that the laws never saw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.random_programs import core_of, paths, programs

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.wpe.derivation import Step, derive
from seepage.engines.wpe.expectation import (
    NOWHERE,
    Expectation,
    Language,
    add,
    constant,
    guarded,
    iverson,
    value,
    weighted,
)
from seepage.engines.wpe.ranges import ranges_of
from seepage.engines.wpe.simplify import simplified
from seepage.engines.wpe.tidying import is_boolean, is_total, tidy
from seepage.engines.wpe.transformer import wp
from seepage.exact import Number
from seepage.pipeline import check
from seepage.semantics.evaluate import evaluate
from seepage.source import SourceFile
from seepage.syntax.parse import parse_expression
from seepage.syntax.spell import spell
from seepage.syntax.tree import Binary, Expression, Name

BOOLEANS = frozenset({"a", "b"})
RANGES = {"a": frozenset({Fraction(0), Fraction(1)}), "b": frozenset({Fraction(0), Fraction(1)})}

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

    assert str(simplified(expectation, RANGES)) == short


@pytest.mark.parametrize(
    ("guards", "short"),
    [
        ("x != 2 ; x == 3", "[x == 3]"),
        ("x == 3 ; x != 2", "[x == 3]"),
        ("x <= 3 ; x <= 2", "[x <= 2]"),
        ("x <= 2 ; x != 2", "[x < 2]"),
        ("x <= 2 ; x >= 2", "[x == 2]"),
        ("x < 2 ; y == 1 ; x > 3", "0"),
        ("x != 1 ; y == 1 ; x != 2", "[x != 1]·[y == 1]·[x != 2]"),
        ("x > 1 ; y == x ; x < 4 ; x >= 2", "[x < 4]·[x >= 2]·[y == x]"),
        ("k <= 3", "1"),
        ("k >= 2 ; k != 3", "[k == 2]"),
        ("k > 5 ; y == 1", "0"),
        ("k != 0 ; k != 1 ; k != 3", "[k == 2]"),
        ("k >= 1 ; k != 3 ; y == k", "[k >= 1]·[k != 3]·[y == k]"),
        ("k >= 1 ; k <= 1 ; y == k", "[k == 1]·[y == 1]"),
    ],
)
def test_guards_of_one_variable_are_as_few_as_they_can_be(guards: str, short: str) -> None:
    expectation = constant(fmpq(1), RATIONALS, Language({}))
    for guard in reversed(guards.split(";")):
        expectation = guarded(read(guard.strip()), expectation)

    assert str(simplified(expectation, {**RANGES, "k": frozenset(map(Fraction, range(4)))})) == short


simple = st.builds(
    "({} {} {})".format, st.sampled_from("xk"), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), st.integers(0, 3)
)


@given(st.lists(st.lists(st.one_of(simple, conditions), min_size=1, max_size=4), min_size=1, max_size=4))
def test_terms_of_guards_have_the_same_sum_in_every_state(sums: list[list[str]]) -> None:
    language = Language({})
    whole = constant(fmpq(0), RATIONALS, language)
    for guards in sums:
        term = constant(fmpq(1), RATIONALS, language)
        for guard in reversed(guards):
            term = guarded(read(guard), term)
        whole = add(whole, term)

    try:
        short = simplified(whole, {**RANGES, "k": frozenset(map(Fraction, range(4)))})
    except Fault:  # of what holds no variable and has no value
        return

    halves = [Fraction(each, 2) for each in range(-1, 8)]
    for a, b, x, k, y in product((0, 1), (0, 1), halves, range(4), (0, 2)):
        state: dict[str, Number] = {"a": a, "b": b, "x": x, "k": k, "y": y}
        here = at(whole, state)
        assert here is None or at(short, state) == here


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
switches = (
    st.lists(lines, min_size=1, max_size=6)
    .map(lambda body: "a ~ bernoulli(1/2)\nb ~ bernoulli(1/4)\nu := a\nn := 0\n" + "\n".join(body) + "\n")
    .filter(lambda text: not check(SourceFile("test.seep", text)).has_errors)
)  # as where u is a number and a condition


def at(expectation: Expectation[fmpq], state: Mapping[str, Number]) -> fmpq | None:
    try:
        return value(expectation, state)
    except Fault:
        return None


@given(st.one_of(switches, programs))
def test_variables_are_in_their_ranges_behind_every_statement(text: str) -> None:
    statements = core_of(text).statements
    known = ranges_of(statements)
    for length in range(len(statements) + 1):
        try:
            reached = list(paths(statements[:length], {}))
        except Fault:
            return
        assert all(state.get(name, 0) in values for state, _ in reached for name, values in known.items())


@given(st.one_of(switches, programs), st.booleans())
def test_every_step_has_the_value_of_the_transformer_wherever_a_run_comes(text: str, is_sum: bool) -> None:
    core = core_of(text)
    name = core.variables[-1]
    language = Language(core.arrays)
    ghost = Binary("==", Name("g", NOWHERE), Name(name, NOWHERE), NOWHERE)
    post = iverson(ghost, RATIONALS, language)
    if is_sum:
        post = weighted(Binary("+", Name(name, NOWHERE), Name(core.variables[0], NOWHERE), NOWHERE), post)
    ranges = ranges_of(core.statements)
    try:
        found = derive(core.statements, simplified(post, ranges), ranges=ranges)
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
