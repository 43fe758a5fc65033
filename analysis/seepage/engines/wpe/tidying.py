"""Expressions in shorter forms, for people: the same value wherever they have one, and no fault lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from seepage.engines.wpe.ranges import compare
from seepage.semantics.expressions import bottom_up
from seepage.semantics.substitute import folded
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import BinaryOperator, Expression

_NOWHERE = Span(0, 0)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_OPPOSITE: Mapping[BinaryOperator, BinaryOperator] = MappingProxyType(
    {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
)
_MIRRORED: Mapping[BinaryOperator, BinaryOperator] = MappingProxyType(
    {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
)
_WAYS = 16  # of a chain of conditionals, as a random index makes one, into which a comparison is taken
_REFLEXIVE = ("==", "<=", ">=")


def is_boolean(expression: Expression, booleans: frozenset[str]) -> bool:
    """Tell whether an expression has no value but 0 and 1."""
    match expression:
        case tree.Number(value=value):
            return value in (0, 1)
        case tree.Boolean() | tree.Unary(operator="not" | "!"):
            return True
        case tree.Name(id=name):
            return name in booleans
        case tree.Binary(operator=operator):
            return operator in ("and", "or", "xor", *_COMPARISONS)
        case tree.Conditional(consequent=consequent, alternative=alternative):
            return is_boolean(consequent, booleans) and is_boolean(alternative, booleans)
        case _:
            return False


def is_total(expression: Expression, booleans: frozenset[str]) -> bool:
    """Tell whether an expression has a value in every state in which the booleans are 0 or 1."""

    def visit(node: Expression, parts: list[bool]) -> bool:
        match node:
            case tree.Number() | tree.Boolean() | tree.Name():
                return True
            case tree.Parenthesized() | tree.Unary(operator="-"):
                return parts[0]
            case tree.Unary(operand=operand):
                return parts[0] and is_boolean(operand, booleans)
            case tree.Binary(operator="and" | "or" | "xor", left=left, right=right):
                return all(parts) and is_boolean(left, booleans) and is_boolean(right, booleans)
            case tree.Binary(operator="+" | "-" | "*" | "==" | "!=" | "<" | "<=" | ">" | ">="):
                return all(parts)
            case tree.Binary(operator="/", right=tree.Number(value=divisor)):
                return parts[0] and divisor != 0
            case tree.Conditional(condition=condition):
                return all(parts) and is_boolean(condition, booleans)
            case _:
                return False

    return bottom_up(expression, visit)


def tidy(expression: Expression, booleans: frozenset[str]) -> Expression:
    """Return an expression of the same value in every state in which the booleans are 0 or 1, as undefined, and no longer."""

    def visit(node: Expression, parts: list[Expression]) -> Expression:
        match node:
            case tree.Parenthesized():
                return parts[0]
            case tree.Unary(operator="not" | "!"):
                return negated(parts[0], tree.Unary("!", parts[0], node.span), booleans)  # one sign for both
            case tree.Unary():
                return folded(replace(node, operand=parts[0]))
            case tree.Binary():
                return _binary(replace(node, left=parts[0], right=parts[1]), booleans)
            case tree.Conditional():
                return _conditional(tree.Conditional(parts[0], parts[1], parts[2], node.span), booleans)
            case tree.Call():
                return folded(replace(node, arguments=tuple(parts)))
            case tree.Index():
                return replace(node, index=parts[0])
            case tree.Cell():
                return folded(replace(node, row=parts[0]))
            case tree.Boolean(value=value, span=span):
                return tree.Number(Fraction(int(value)), span)
            case _:
                return node

    return bottom_up(expression, visit)


def negated(operand: Expression, whole: Expression, booleans: frozenset[str]) -> Expression:
    """Return the negation of an operand; ``whole``, folded, where nothing is shorter."""
    match operand:
        case tree.Binary(operator=operator) if operator in _OPPOSITE:
            return replace(operand, operator=_OPPOSITE[operator])
        case tree.Unary(operator="not" | "!", operand=inner) if is_boolean(inner, booleans):
            return inner
        case _:
            return folded(whole)


def _binary(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    match node.operator:
        case "and" | "or" | "xor":
            return _connective(node, booleans)
        case "+" | "-":
            return _sum(node, booleans)
        case "*":
            return _product(node, booleans)
        case "/" if _is(node.right, 1):
            return node.left
        case operator if operator in _COMPARISONS:
            return _comparison(node, booleans)
        case _:
            return folded(node)


def _is(expression: Expression, value: int) -> bool:
    return isinstance(expression, tree.Number) and expression.value == value


def _connective(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    left, right = node.left, node.right
    neutral = 1 if node.operator == "and" else 0
    if _is(left, neutral) and is_boolean(right, booleans):
        return right
    if _is(right, neutral) and is_boolean(left, booleans):
        return left
    if node.operator == "xor":
        for one, other in ((left, right), (right, left)):
            if _is(one, 1) and is_boolean(other, booleans):
                return negated(other, tree.Unary("!", other, node.span), booleans)
    elif _is(left, 1 - neutral):
        return left
    elif _is(right, 1 - neutral) and is_boolean(left, booleans) and is_total(left, booleans):
        return right
    elif left == right and is_boolean(left, booleans):
        return left
    return folded(node)


def _product(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if _is(one, 1):
            return other
        if _is(one, 0) and is_total(other, booleans):
            return one
    return folded(node)


def linear(expression: Expression) -> tuple[dict[Expression, Fraction], Fraction, int]:
    """Return a sum as coefficients of what is no sum, its constant, and of how many summands it was made."""
    coefficients: dict[Expression, Fraction] = {}
    constant, count = Fraction(0), 0
    waiting: list[tuple[Expression, Fraction]] = [(expression, Fraction(1))]
    while waiting:
        node, factor = waiting.pop()
        match node:
            case tree.Number(value=value):
                constant += factor * value
                count += 1
            case tree.Unary(operator="-", operand=operand):
                waiting.append((operand, -factor))
            case tree.Binary(operator="+", left=left, right=right):
                waiting += [(right, factor), (left, factor)]
            case tree.Binary(operator="-", left=left, right=right):
                waiting += [(right, -factor), (left, factor)]
            case tree.Binary(operator="*", left=tree.Number(value=value), right=other):
                waiting.append((other, factor * value))
            case tree.Binary(operator="*" | "/" as sign, left=other, right=tree.Number(value=value)) if value:
                waiting.append((other, factor * value if sign == "*" else factor / value))
            case _:
                coefficients[node] = coefficients.get(node, Fraction(0)) + factor
                count += 1
    return coefficients, constant, count


def _sum(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    """Collect equal summands; a sum that has none stays as it is written."""
    coefficients, constant, count = linear(node)
    kept = [each for each, factor in coefficients.items() if factor or not is_total(each, booleans)]
    if len(kept) + bool(constant) == count:
        return node
    result: Expression | None = None
    for each in kept:
        result = _plus(result, coefficients[each], each, node.span)
    if constant or result is None:
        result = _plus(result, constant, None, node.span)
    return result


def _plus(before: Expression | None, factor: Fraction, what: Expression | None, span: Span) -> Expression:
    """Return ``before + factor · what``."""
    size = factor if before is None else abs(factor)
    summand: Expression = tree.Number(size, span)
    if what is not None:
        summand = what if size == 1 else tree.Binary("*", summand, what, span)
    return summand if before is None else tree.Binary("-" if factor < 0 else "+", before, summand, span)


def _comparison(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    left, right, operator = node.left, node.right, node.operator
    if isinstance(left, tree.Number) and not isinstance(right, tree.Number):
        left, right, operator = right, left, _MIRRORED[operator]
    if left == right and is_total(left, booleans):
        return tree.Number(Fraction(int(operator in _REFLEXIVE)), node.span)
    if isinstance(right, tree.Number):
        if isinstance(left, tree.Conditional) and _ways(left) <= _WAYS:
            return _compared_ways(left, operator, right, node.span, booleans)
        coefficients, constant, _ = linear(left)
        if (told := _settled(coefficients, operator, right.value - constant, booleans)) is not None:
            return told
        if constant and coefficients:
            right = tree.Number(right.value - constant, right.span)
            left = _sum_without_constant(coefficients, left.span)
    return folded(replace(node, left=left, right=right, operator=operator))


def _sum_without_constant(coefficients: Mapping[Expression, Fraction], span: Span) -> Expression:
    result: Expression | None = None
    for each, factor in coefficients.items():
        result = _plus(result, factor, each, span)
    if result is None:
        raise AssertionError("a sum that has a summand")
    return result


def _settled(
    coefficients: Mapping[Expression, Fraction], operator: str, value: Fraction, booleans: frozenset[str]
) -> Expression | None:
    """Return what a comparison says of a sum of what is 0 or 1: always, never, or of a single summand; None if it says more."""
    if not all(is_boolean(each, booleans) for each in coefficients):
        return None
    low, high = (sum((size for size in coefficients.values() if (size > 0) is up), Fraction(0)) for up in (False, True))
    holds = {compare(low, operator, value), compare(high, operator, value)}
    between = operator not in ("==", "!=") or not low < value < high
    if len(coefficients) == 1:
        ((left, size),) = coefficients.items()
        if size and len(holds) == 2:
            return left if compare(size, operator, value) else negated(left, tree.Unary("!", left, left.span), booleans)
        between = True
    if len(holds) == 1 and between and all(is_total(each, booleans) for each in coefficients):
        return tree.Number(Fraction(int(holds.pop())), _NOWHERE)
    return None


def _ways(expression: Expression) -> int:
    """Count the alternatives of a chain of conditionals, up to one more than are taken apart."""
    count = 1
    while isinstance(expression, tree.Conditional) and count <= _WAYS:
        expression, count = expression.alternative, count + 1
    return count


def _compared_ways(
    left: tree.Conditional, operator: BinaryOperator, right: tree.Number, span: Span, booleans: frozenset[str]
) -> Expression:
    """Return ``(if b then e else f) op v``: the comparison goes into both ways, if that decides one of them."""
    ways = [
        _comparison(tree.Binary(operator, way, right, span), booleans) for way in (left.consequent, left.alternative)
    ]
    if any(isinstance(way, tree.Number) for way in ways):
        return _conditional(tree.Conditional(left.condition, ways[0], ways[1], span), booleans)
    return tree.Binary(operator, left, right, span)


def _conditional(node: tree.Conditional, booleans: frozenset[str]) -> Expression:
    condition, first, second = node.condition, node.consequent, node.alternative
    if isinstance(condition, tree.Number) and condition.value in (0, 1):
        return first if condition.value else second
    if not is_boolean(condition, booleans):
        return node
    if first == second and is_total(condition, booleans):
        return first
    if is_boolean(first, booleans) and is_boolean(second, booleans):
        if _is(second, 0):
            return _connective(tree.Binary("and", condition, first, node.span), booleans)
        if _is(first, 1):
            return _connective(tree.Binary("or", condition, second, node.span), booleans)
        if _is(first, 0):
            no = negated(condition, tree.Unary("!", condition, node.span), booleans)
            return _connective(tree.Binary("and", no, second, node.span), booleans)
    return node
