"""Intervals of expressions hold their values at points that were never seen; whole numbers are whole."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.random_programs import core_of, paths, programs

from seepage.diagnostics import Fault
from seepage.engines.forward.spans import magnitude, span
from seepage.engines.forward.whole import is_whole, is_whole_variable, whole_variables
from seepage.exact import enclose, is_integer
from seepage.semantics.evaluate import evaluate
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import Expression

SPANS: dict[str, tuple[Fraction | int | None, Fraction | int | None]] = {
    "n": (0, None),
    "x": (-2, 3),
    "y": (Fraction(1, 2), 4),
    "c": (Fraction(1, 3), Fraction(2, 3)),
}
leaves = st.sampled_from(["n", "x", "y", "c", "1", "2", "1/2", "3"])
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "^", "%"]), inner),
        st.builds("exp(-{})".format, inner),
        st.builds("(-{})".format, inner),
        st.builds("(if {} > 1 then {} else {})".format, inner, inner, inner),
        st.builds("max({}, {})".format, inner, inner),
        st.builds("abs({})".format, inner),
    ),
    max_leaves=5,
)


def read(text: str) -> Expression:
    expression, faults = parse_expression(text)
    assert expression is not None, faults
    return expression


@given(
    expressions, st.integers(0, 30), st.integers(-2, 3), st.fractions(Fraction(1, 2), 4, max_denominator=6),
    st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)]),
)  # fmt: skip
def test_a_span_holds_every_value(text: str, n: int, x: int, y: Fraction, c: Fraction) -> None:
    expression = read(text)
    low, high = span(expression, SPANS, {})
    try:
        value = enclose(evaluate(expression, {"n": n, "x": x, "y": y, "c": c}), 256)
    except Fault:
        return

    assert low is None or value >= enclose(low, 256) or value.overlaps(enclose(low, 256))
    assert high is None or value <= enclose(high, 256) or value.overlaps(enclose(high, 256))


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("1 / (n + 1)", 1),
        ("c^n", 1),
        ("1 / (n^2 + y)", 2),
        ("1 / n", None),
        ("1 / x", None),
        ("2^n", None),
        ("2^(-n)", 1),
        ("y / (n + y)", 8),
    ],
)
def test_bounded_expressions_have_bounds(text: str, most: int | None) -> None:
    assert magnitude(span(read(text), SPANS, {})) == most


def test_an_exponential_of_what_is_negative_is_at_most_1() -> None:
    low, high = span(read("exp(-n)"), SPANS, {})

    assert low == 0
    assert high is not None
    assert 1 <= high < 1 + Fraction(1, 2**60)


@given(programs)
def test_whole_variables_are_whole_on_every_path(text: str) -> None:
    statements = core_of(text).statements
    known = whole_variables(statements)
    try:
        reached = list(paths(statements, {}))
    except Fault:
        return
    for state, _ in reached:
        assert all(is_integer(value) for name, value in state.items() if is_whole_variable(name, known))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("a + 2 * a", True),
        ("a / 2", False),
        ("floor(a / 2)", True),
        ("a % 3", True),
        ("b", False),
        ("a^2", True),
        ("2^a", False),
    ],
)
def test_what_is_whole(text: str, whole: bool) -> None:
    assert is_whole(read(text), frozenset({"a"})) is whole
