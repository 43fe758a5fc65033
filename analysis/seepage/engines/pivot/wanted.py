"""Which values of an expression are told apart by what reads it: ``min(3, floor(v))`` does so with no two integers that are at least 3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from seepage import exact
from seepage.exact import Number
from seepage.laws.forms import Polynomial, Value
from seepage.laws.law import Edge
from seepage.semantics.expressions import nodes
from seepage.syntax.tree import Call, Expression

Wanted: TypeAlias = tuple[Edge, Edge]
"""Numbers l and u of which who asks for a value tells no two values at most l apart, nor two that are at least u; None where there is none."""

ALL: Wanted = (None, None)


def rounds(expression: Expression) -> bool:
    """Tell whether an expression rounds anything."""
    return any(isinstance(node, Call) and node.function in ("floor", "ceil") for node in nodes(expression))


def around(number: Value) -> Wanted:
    """Return what a comparison with a number tells apart."""
    return ALL if isinstance(number, Polynomial) else (exact.sub(number, 1), exact.add(number, 1))


def clamped_at(wanted: Wanted, function: str, others: Iterable[Value]) -> Wanted:
    """Return what is told apart of a value where its minimum, or maximum, with others is wanted."""
    low, high = wanted
    for number in others:
        if isinstance(number, Polynomial):
            continue
        if function == "min":
            high = number if high is None else exact.minimum(high, number)
        else:
            low = number if low is None else exact.maximum(low, number)
    return low, high


def before(operator: str, is_left: bool, other: Value, wanted: Wanted) -> Wanted:
    """Return what is told apart of one operand, the other being a number, where the result of an operation is wanted."""
    if isinstance(other, Polynomial):
        return ALL
    match operator:
        case "+":
            return _moved(wanted, exact.neg(other))
        case "-":
            return _moved(wanted, other) if is_left else _moved(scaled(wanted, -1), other)
        case "*" if other != 0:
            return scaled(wanted, exact.div(1, other))
        case "/" if is_left and other != 0:
            return scaled(wanted, other)
        case _:
            return ALL


def _moved(interval: Wanted, distance: Number) -> Wanted:
    low, high = (None if edge is None else exact.add(edge, distance) for edge in interval)
    return low, high


def negated(wanted: Wanted) -> Wanted:
    """Return what is told apart of a value where its negative is wanted."""
    return scaled(wanted, -1)


def scaled(interval: Wanted, factor: Number) -> Wanted:
    """Return an interval times a number that is not 0."""
    low, high = (None if edge is None else exact.mul(factor, edge) for edge in interval)
    return (low, high) if exact.sign(factor) > 0 else (high, low)
