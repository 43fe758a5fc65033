"""Expressions of the text become expressions of the core program: absolute places, static parts replaced by their values.

What has no value (``1 / 0``) stays as it is, and is an error only where a run reaches it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from seepage.diagnostics import Fault
from seepage.exact import to_fraction
from seepage.semantics.calls import takes
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import bottom_up
from seepage.source import Span
from seepage.syntax.tree import (
    Argument,
    Binary,
    Boolean,
    Call,
    Cell,
    Conditional,
    Distribution,
    Expression,
    Family,
    Index,
    Infinity,
    Mixture,
    Name,
    Number,
    Parenthesized,
    Rows,
    Table,
    Unary,
)

_ZERO, _ONE = Fraction(0), Fraction(1)


def folded(expression: Expression, start: int, static: Mapping[str, Expression]) -> Expression:
    """Return an expression with absolute spans, static names replaced and static parts folded.

    Args:
        expression: with spans relative to ``start``.
        start: the absolute offset of its piece.
        static: what constants and loop variables stand for (absolute core expressions).

    Returns:
        An expression without :class:`Parenthesized` and :class:`Boolean`. An :class:`Index` with a static integer index is a
        :class:`Name` (``r[1]``); one with any other static index stays, as no element answers to it.
    """

    if isinstance(expression, Number):  # tables of chances have many
        return Number(expression.value, expression.span.shift(start))

    def visit(node: Expression, parts: list[Expression]) -> Expression:
        return _folded_node(node, parts, node.span.shift(start), start, static)

    return bottom_up(expression, visit)


def folded_distribution(distribution: Distribution, start: int, static: Mapping[str, Expression]) -> Distribution:
    """Return a distribution with absolute spans and folded arguments."""
    span = distribution.span.shift(start)
    match distribution:
        case Family(arguments=arguments, name_span=name_span):
            values = tuple(
                Argument(one.name, folded(one.value, start, static), one.span.shift(start)) for one in arguments
            )
            return replace(distribution, arguments=values, name_span=name_span.shift(start), span=span)
        case Table(entries=entries):
            return Table(tuple((folded(v, start, static), folded(p, start, static)) for v, p in entries), span)
        case Mixture(parts=parts):
            return Mixture(
                tuple((folded(w, start, static), folded_distribution(d, start, static)) for w, d in parts), span
            )
        case Rows(draw=draw):
            return Rows(draw, span)
        case _:
            assert_never(distribution)


def _folded_node(
    node: Expression, parts: list[Expression], span: Span, start: int, static: Mapping[str, Expression]
) -> Expression:
    match node:
        case Number(value=value):
            return Number(value, span)
        case Boolean(value=value):
            return Number(_ONE if value else _ZERO, span)
        case Infinity():
            return Infinity(span)
        case Name(id=name):
            meant = static.get(name)
            return Name(name, span) if meant is None else replace(meant, span=span)
        case Parenthesized():
            return parts[0]
        case Index(array=array, name_span=name_span):
            index = parts[0]
            if isinstance(index, Number) and index.value.denominator == 1:
                return Name(f"{array}[{index.value.numerator}]", span)
            return Index(array, index, name_span.shift(start), span)
        case Unary(operator=operator):
            return _valued(Unary(operator, parts[0], span), parts)
        case Binary(operator=operator):
            return _folded_binary(Binary(operator, parts[0], parts[1], span), parts)
        case Conditional():
            condition, consequent, alternative = parts
            if isinstance(condition, Number) and condition.value in (0, 1):
                return consequent if condition.value else alternative
            return Conditional(condition, consequent, alternative, span)
        case Call(function=function, name_span=name_span):
            call = Call(function, tuple(parts), name_span.shift(start), span)
            return _valued(call, parts) if takes(function, len(parts)) else call
        case Cell(draw=draw, column=column):
            return _valued(Cell(draw, column, parts[0], span), parts)
        case _:
            assert_never(node)


def _folded_binary(node: Binary, parts: list[Expression]) -> Expression:
    """Fold a binary operation; ``false and e`` and ``true or e`` do not look at e, as evaluation does not either."""
    left = node.left
    if isinstance(left, Number) and (node.operator, left.value) in (("and", _ZERO), ("or", _ONE)):
        return Number(left.value, node.span)
    return _valued(node, parts)


def _valued(node: Expression, parts: list[Expression]) -> Expression:
    """Return the value of an operation on literals as a literal, if it has one that is rational."""
    if not all(isinstance(part, Number) for part in parts):
        return node
    try:
        value = to_fraction(evaluate(node, {}))
    except Fault:
        return node
    return node if value is None else Number(value, node.span)
