"""Expressions: precedence, associativity, literals, names, positions."""

from __future__ import annotations

import pytest

from seepage.source import Span
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import Binary, Boolean, Call, Conditional, Index, Parenthesized

from .trees import NOWHERE, binary, expression, name, number, unary

A, B, C = name("a"), name("b"), name("c")
ONE, TWO, THREE = number(1), number(2), number(3)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a or b and c", binary(A, "or", binary(B, "and", C))),
        ("a or b xor c", binary(A, "or", binary(B, "xor", C))),
        ("a xor b and c", binary(A, "xor", binary(B, "and", C))),
        ("not a and b", binary(unary("not", A), "and", B)),
        ("not a == b", unary("not", binary(A, "==", B))),
        ("a == b + c", binary(A, "==", binary(B, "+", C))),
        ("a - b - c", binary(binary(A, "-", B), "-", C)),
        ("a / b * c", binary(binary(A, "/", B), "*", C)),
        ("a + b % c", binary(A, "+", binary(B, "%", C))),
        ("-a * b", binary(unary("-", A), "*", B)),
        ("-a^2", unary("-", binary(A, "^", TWO))),
        ("2^-3", binary(TWO, "^", unary("-", THREE))),
        ("2^3^2", binary(TWO, "^", binary(THREE, "^", TWO))),
        ("2^-3^2", binary(TWO, "^", unary("-", binary(THREE, "^", TWO)))),
        ("!a + 1", binary(unary("!", A), "+", ONE)),
        ("--a", unary("-", unary("-", A))),
        ("(a + b) * c", binary(Parenthesized(binary(A, "+", B), NOWHERE), "*", C)),
        ("if a then b else c + 1", Conditional(A, B, binary(C, "+", ONE), NOWHERE)),
        ("if a then b else if b then c else 1", Conditional(A, B, Conditional(B, C, ONE, NOWHERE), NOWHERE)),
        ("a[i + 1]", Index("a", binary(name("i"), "+", ONE), NOWHERE, NOWHERE)),
        ("max(a, b, 1)", Call("max", (A, B, ONE), NOWHERE, NOWHERE)),
        ("true", Boolean(True, NOWHERE)),
    ],
)
def test_operators_bind_as_the_reference_says(text: str, tree: object) -> None:
    assert expression(text) == tree


@pytest.mark.parametrize(("text", "value"), [("0.1", "1/10"), ("1e-3", "1/1000"), ("2.5e2", "250"), ("007", "7")])
def test_numbers_are_exact(text: str, value: str) -> None:
    assert expression(text) == number(value)


def test_a_range_is_no_decimal_point() -> None:
    assert parse_expression("1..3")[0] is None


def test_names_are_compared_after_nfkc() -> None:
    assert expression("ﬁne") == name("fine")
    assert expression("e\N{COMBINING ACUTE ACCENT}") == name("\N{LATIN SMALL LETTER E WITH ACUTE}")


def test_a_keyword_is_one_in_every_width() -> None:
    assert expression("ｉｆ a ｔｈｅｎ b else c") == Conditional(A, B, C, NOWHERE)


def test_spans_are_offsets_in_code_points() -> None:
    made = expression("𝛼 + b")

    assert isinstance(made, Binary)
    assert made.span == Span(0, 5)
    assert made.right.span == Span(4, 5)


def test_spans_hold_the_parentheses() -> None:
    made = expression(" (a + b) ")

    assert made.span == Span(1, 8)


@pytest.mark.parametrize(
    "text", ["", "  ", "a b", "a +", "a := b", "1 2", "f(", "a = b", "inf", "x ~ y", "// only a comment"]
)
def test_what_is_no_expression_is_reported(text: str) -> None:
    made, diagnostics = parse_expression(text)

    assert made is None
    assert diagnostics
    assert all(0 <= one.span.start <= one.span.end <= len(text) for one in diagnostics)
