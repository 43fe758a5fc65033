"""Spelling a tree and reading it back gives the tree."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seepage.syntax.parse import parse_expression
from seepage.syntax.spell import spell
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Call,
    Conditional,
    Expression,
    Index,
    Name,
    Number,
    Parenthesized,
    Sample,
    Unary,
)
from seepage.syntax.vocabulary.keywords import KEYWORDS

from .trees import NOWHERE, binary, leaf, measure, name, number, unary

FUNCTIONS = ["min", "max", "abs", "floor", "exp", "bit_xor", "f"]
names = st.one_of(
    st.sampled_from(["a", "b", "x_1", "ε", "μ_1"]),
    st.text(st.characters(codec="utf-8", categories=["L", "Nd", "Mn"]), min_size=1, max_size=4)
    .map(lambda text: unicodedata.normalize("NFKC", text))
    .filter(lambda text: text.isidentifier() and text not in KEYWORDS),
)
numbers = st.builds(
    lambda digits, places: Number(Fraction(digits, 10**places), NOWHERE), st.integers(0, 10**6), st.integers(0, 6)
)
leaves = st.one_of(
    numbers, st.builds(lambda text: Name(text, NOWHERE), names), st.builds(lambda b: Boolean(b, NOWHERE), st.booleans())
)
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]


def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(lambda o, x: Unary(o, x, NOWHERE), st.sampled_from(["not", "-", "!"]), inner),
        st.builds(
            lambda o, x, y: Binary(o, x, y, NOWHERE),
            st.sampled_from(["or", "xor", "and", *COMPARISONS, "+", "-", "*", "/", "%", "^"]),
            inner,
            inner,
        ),
        st.builds(lambda a, b, c: Conditional(a, b, c, NOWHERE), inner, inner, inner),
        st.builds(lambda n, i: Index(n, i, NOWHERE, NOWHERE), names, inner),
        st.builds(
            lambda f, a: Call(f, tuple(a), NOWHERE, NOWHERE), st.sampled_from(FUNCTIONS), st.lists(inner, max_size=3)
        ),
        st.builds(lambda x: Parenthesized(x, NOWHERE), inner),
    )


trees = st.recursive(leaves, extend, max_leaves=20)


def bare(node: Expression) -> Expression:
    """Drop the parentheses of a tree; they say how it is written and not what it means."""
    match node:
        case Parenthesized(inner):
            return bare(inner)
        case Unary(operator, operand):
            return Unary(operator, bare(operand), NOWHERE)
        case Binary(operator, left, right):
            return Binary(operator, bare(left), bare(right), NOWHERE)
        case Conditional(a, b, c):
            return Conditional(bare(a), bare(b), bare(c), NOWHERE)
        case Index(array, index):
            return Index(array, bare(index), NOWHERE, NOWHERE)
        case Call(function, arguments):
            return Call(function, tuple(bare(one) for one in arguments), NOWHERE, NOWHERE)
        case _:
            return node


@settings(max_examples=150, deadline=None, derandomize=True)
@given(trees)
def test_any_tree_is_spelled_so_that_it_reads_the_same(tree: Expression) -> None:
    made, diagnostics = parse_expression(spell(tree))

    chained = {one.rule.code for one in diagnostics} == {"SEEP013"}
    assert chained or (made is not None and bare(made) == bare(tree))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(trees)
def test_what_the_parser_made_is_spelled_back_exactly(tree: Expression) -> None:
    made, _ = parse_expression(spell(tree))
    if made is None:  # a chain of comparisons
        return

    assert parse_expression(spell(made)) == (made, ())


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (binary(binary(name("a"), "+", name("b")), "*", name("c")), "(a + b) * c"),
        (binary(name("a"), "-", binary(name("b"), "-", name("c"))), "a - (b - c)"),
        (binary(name("a"), "^", unary("-", number(2))), "a^-2"),
        (binary(unary("-", name("a")), "^", number(2)), "(-a)^2"),
        (unary("not", binary(name("a"), "==", number("0.5"))), "not a == 0.5"),
        (number("1/3"), "1 / 3"),
        (binary(number(2), "*", number("1/3")), "2 * (1 / 3)"),
        (binary(number(-2), "^", number(2)), "(-2)^2"),
    ],
)
def test_parentheses_stand_where_they_are_needed(tree: Expression, text: str) -> None:
    assert spell(tree) == text


@pytest.mark.parametrize(
    "text",
    [
        "normal(0, std = 2)",
        "{0: 1 / 2, 1: 1 / 2}",
        "1 / 2 * normal(0, 1) + (1 - p) * {0: 1}",
        "mixture(1 / 2: mixture(1: normal(0, 1)), p: {0: 1})",
    ],
)
def test_distributions_are_spelled_as_they_are_written(text: str) -> None:
    sample = leaf(f"x ~ {text}")

    assert isinstance(sample, Sample)
    assert spell(sample.distribution) == text


@pytest.mark.parametrize(
    "text",
    [
        "KL(x | o == 9 || y | z)",
        "DP(x -> y, distance=1, delta=1 / 2 | z)",
        "G(x -> y, z, {(1, (2, 3)): 4})",
        "G(x -> y, tries(3))",
        "I(x, y; o | (c)) / H(x)",
        "H(x) - (H(x | o) - 1)",
        "-H(x)^2 * (1 + 2)",
        "(H(x) + 1) / 2",
    ],
)
def test_measures_are_spelled_as_they_are_written(text: str) -> None:
    assert spell(measure(text)) == text
