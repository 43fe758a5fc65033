"""Short ways to write trees and to read programs in the tests of the parser."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from seepage.source import SourceFile, Span
from seepage.syntax.parse import parse, parse_expression, parse_measure
from seepage.syntax.tree import (
    Binary,
    BinaryOperator,
    Expression,
    Item,
    Leaf,
    MeasureExpression,
    Name,
    Number,
    Placed,
    Unary,
    UnaryOperator,
)

NOWHERE = Span(0, 0)


def number(value: int | str) -> Number:
    return Number(Fraction(value), NOWHERE)


def name(text: str) -> Name:
    return Name(text, NOWHERE)


def binary(left: Expression, operator: BinaryOperator, right: Expression) -> Binary:
    return Binary(operator, left, right, NOWHERE)


def unary(operator: UnaryOperator, operand: Expression) -> Unary:
    return Unary(operator, operand, NOWHERE)


def expression(text: str) -> Expression:
    made, diagnostics = parse_expression(text)
    assert made is not None, diagnostics
    return made


def measure(text: str) -> MeasureExpression:
    made, diagnostics = parse_measure(text)
    assert made is not None, diagnostics
    return made


def items(text: str) -> Sequence[Item]:
    result = parse(SourceFile("test.seep", text))
    assert result.diagnostics == ()
    return result.tree.items


def leaves(text: str) -> list[Leaf]:
    return [item.node for item in items(text) if isinstance(item, Placed)]


def leaf(text: str) -> Leaf:
    (only,) = leaves(text)
    return only


def messages(text: str) -> list[str]:
    return [one.message for one in parse(SourceFile("test.seep", text)).diagnostics]
