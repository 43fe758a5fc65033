"""Substitution in expressions of a core program, with folding of what thereby becomes closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from seepage.diagnostics import Fault
from seepage.exact import to_fraction
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import bottom_up, nodes
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression


def is_closed(expression: Expression) -> bool:
    """Tell whether an expression reads no name."""
    return not any(isinstance(node, tree.Name | tree.Index) for node in nodes(expression))


def substitute(
    expression: Expression, values: Mapping[str, Expression], arrays: Mapping[str, tuple[int, ...]]
) -> Expression:
    r"""Return :math:`e[x_1 \mapsto e_1, \ldots]`, all at once, closed operations folded and lazy ones cut short.

    An element with a random index becomes a chain of conditionals over the elements that are substituted; an index
    that picks none stays an :class:`~seepage.syntax.tree.Index`, whose evaluation says that it is outside. Closed
    operations without a value (``1 / 0``) stay, too: they matter only where a run reaches them.
    """

    def visit(node: Expression, parts: list[Expression]) -> Expression:
        match node:
            case tree.Name(id=name):
                return values.get(name, node)
            case tree.Index(array=array, name_span=name_span, span=span):
                return _picked(array, parts[0], name_span, span, values, arrays)
            case tree.Parenthesized():
                return parts[0]
            case tree.Unary(operator=sign, span=span):
                return folded(tree.Unary(sign, parts[0], span))
            case tree.Binary(operator=operator, span=span):
                return _binary(tree.Binary(operator, parts[0], parts[1], span))
            case tree.Conditional(span=span):
                return _chosen(parts[0], parts[1], parts[2], span)
            case tree.Cell():
                return folded(replace(node, row=parts[0]))
            case tree.Call(function=function, name_span=name_span, span=span):
                return folded(tree.Call(function, tuple(parts), name_span, span))
            case _:
                return node

    return bottom_up(expression, visit)


def _picked(
    array: str,
    index: Expression,
    name_span: Span,
    span: Span,
    values: Mapping[str, Expression],
    arrays: Mapping[str, tuple[int, ...]],
) -> Expression:
    outside: Expression = tree.Index(array, index, name_span, span)
    for position in reversed(arrays.get(array, ())):
        name = f"{array}[{position}]"
        element = values.get(name, tree.Name(name, span))
        here = folded(tree.Binary("==", index, tree.Number(Fraction(position), span), span))
        outside = _chosen(here, element, outside, span)
    return outside


def _chosen(condition: Expression, consequent: Expression, alternative: Expression, span: Span) -> Expression:
    if isinstance(condition, tree.Number | tree.Boolean) and condition.value in (0, 1):
        return consequent if condition.value else alternative
    return tree.Conditional(condition, consequent, alternative, span)


def _binary(node: tree.Binary) -> Expression:
    if isinstance(node.left, tree.Number):
        match node.operator, node.left.value:
            case ("and", 0) | ("or", 1):
                return node.left
    return folded(node)


def folded(node: Expression) -> Expression:
    """Return the value of a closed operation as a literal; the operation itself if it is open, irrational or undefined."""
    if not is_closed(node):
        return node
    try:
        value = to_fraction(evaluate(node, {}))
    except Fault:
        return node
    return node if value is None else tree.Number(value, node.span)
