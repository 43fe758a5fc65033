"""Whether the numbers of a budget, its bound and those beside its measures, have values everywhere in the ranges: ``1 / t`` has none at 0."""

from __future__ import annotations

from collections.abc import Iterator

from seepage.algebra import NoAlgebra
from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault
from seepage.measures.formulas.definedness import Demands
from seepage.measures.ranges.privacy import written
from seepage.measures.ranges.required import Requirement
from seepage.semantics.expressions import nodes
from seepage.semantics.substitute import is_closed
from seepage.syntax import tree
from seepage.syntax.tree import (
    Expression,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
)

_PARTIAL = frozenset({"log", "sqrt"})


def without_value(required: Requirement) -> str:
    """Return why it is not known that all numbers of a budget have values in the ranges; nothing where they have."""
    node, ranges = required.symbol.node, required.ranges
    demands = Demands(tuple(ranges), dict(ranges), required.middle)
    try:
        for number in (node.bound, *_numbers(node.measure)):
            expression = written(required.scope, number, ranges)
            if any(map(_is_partial, nodes(expression))):
                demands.has_value(expression)
    except (NoAlgebra, ArithmeticFault, Fault):
        return "that its numbers have values everywhere in the ranges is not proved"
    stated = ", ".join(demands.stated)
    return f"its numbers have values only where {stated}, which the ranges do not ensure" if stated else ""


def _numbers(measure: MeasureExpression) -> Iterator[Expression]:
    match measure:
        case MeasureCall(named=named):
            yield from (one.value for one in named)
        case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
            yield from _numbers(operand)
        case MeasureArithmetic(left=left, right=right):
            yield from _numbers(left)
            yield from _numbers(right)
        case _:
            yield measure


def _is_partial(node: Expression) -> bool:
    """Tell whether a part of an expression may have no value at some values of the parameters in it."""
    match node:
        case tree.Binary(operator="/" | "%", right=right):
            return not is_closed(right)
        case tree.Binary(operator="^"):
            return not is_closed(node)
        case tree.Call(function=function):
            return function in _PARTIAL and not is_closed(node)
        case _:
            return False
