"""Walks over expressions and distributions without recursion, so that long sums do not exhaust the stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar, assert_never

from seepage.syntax.tree import (
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

T = TypeVar("T")


def children(expression: Expression) -> tuple[Expression, ...]:
    """Return the direct parts of an expression, from left to right."""
    match expression:
        case Number() | Boolean() | Infinity() | Name():
            return ()
        case Index(index=inner) | Unary(operand=inner) | Parenthesized(inner=inner) | Cell(row=inner):
            return (inner,)
        case Binary(left=left, right=right):
            return (left, right)
        case Conditional(condition=condition, consequent=consequent, alternative=alternative):
            return (condition, consequent, alternative)
        case Call(arguments=arguments):
            return arguments
        case _:
            assert_never(expression)


def with_children(expression: Expression, parts: Sequence[Expression]) -> Expression:
    """Return an expression with other direct parts, as many as :func:`children` returns."""
    match expression:
        case Index():
            return replace(expression, index=parts[0])
        case Unary():
            return replace(expression, operand=parts[0])
        case Parenthesized():
            return replace(expression, inner=parts[0])
        case Cell():
            return replace(expression, row=parts[0])
        case Binary():
            return replace(expression, left=parts[0], right=parts[1])
        case Conditional():
            return replace(expression, condition=parts[0], consequent=parts[1], alternative=parts[2])
        case Call():
            return replace(expression, arguments=tuple(parts))
        case _:
            return expression


def bottom_up(expression: Expression, visit: Callable[[Expression, list[T]], T]) -> T:
    """Return ``visit(expression, results of its parts)``, parts first, from left to right."""
    if not (parts := children(expression)):
        return visit(expression, [])
    results: list[T] = []
    stack: list[tuple[Expression, int]] = [(expression, -1)]
    while stack:
        node, count = stack.pop()
        if count >= 0:
            taken = results[len(results) - count :] if count else []
            del results[len(results) - count :]
            results.append(visit(node, taken))
            continue
        parts = children(node)
        if not parts:
            results.append(visit(node, []))
            continue
        stack.append((node, len(parts)))
        stack.extend((part, -1) for part in reversed(parts))
    return results[0]


def nodes(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all its parts, an expression before its parts, in the order of the text."""
    stack = [expression]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, Name | Number):  # the most frequent ones, without parts
            stack.extend(reversed(children(node)))


def are_alike(one: Expression, other: Expression) -> bool:
    """Tell whether two expressions are the same but for their places; without recursion, and done at the first difference."""
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        match left, right:
            case (Number(a), Number(b)) | (Boolean(a), Boolean(b)) | (Name(a), Name(b)) if a == b:
                continue
            case (Cell(draw=a, column=b), Cell(draw=c, column=d)) if a == c and b == d:
                pass
            case (Infinity(), Infinity()) | (Parenthesized(), Parenthesized()) | (Conditional(), Conditional()):
                pass
            case (Index(a), Index(b)) | (Unary(a), Unary(b)) | (Binary(a), Binary(b)) | (Call(a), Call(b)) if a == b:
                pass
            case _:
                return False
        inside, opposite = children(left), children(right)
        if len(inside) != len(opposite):
            return False
        pairs.extend(zip(inside, opposite, strict=True))
    return True


def arguments_of(distribution: Distribution) -> Iterator[Expression]:
    """Return every expression in a distribution: arguments, weights, values, those of its parts too."""
    match distribution:
        case Table(entries=entries):
            return chain.from_iterable(entries)
        case Family(arguments=arguments):
            return iter([argument.value for argument in arguments])
        case _:
            return _nested_arguments(distribution)


def computed_arguments(distribution: Distribution) -> list[Expression]:
    """Return the expressions in a distribution that are no written-out numbers: tables of chances have many that are, and these read nothing."""
    return [each for each in arguments_of(distribution) if not isinstance(each, Number)]


def _nested_arguments(distribution: Distribution) -> Iterator[Expression]:
    stack: list[Distribution | Expression] = [distribution]
    while stack:
        node = stack.pop()
        match node:
            case Family() | Table():
                yield from arguments_of(node)
            case Mixture(parts=parts):
                stack.extend(part for weight, inner in reversed(parts) for part in (inner, weight))
            case Rows():
                pass
            case _:
                yield node


def with_arguments(distribution: Distribution, expressions: Iterator[Expression]) -> Distribution:
    """Return a distribution with other expressions, in the order of :func:`arguments_of`."""
    match distribution:
        case Family(arguments=arguments):
            return replace(distribution, arguments=tuple(replace(each, value=next(expressions)) for each in arguments))
        case Table(entries=entries):
            return replace(distribution, entries=tuple((next(expressions), next(expressions)) for _ in entries))
        case Mixture(parts=parts):
            return replace(
                distribution,
                parts=tuple((next(expressions), with_arguments(part, expressions)) for _, part in parts),
            )
        case Rows():
            return distribution


def without_parentheses(expression: Expression) -> Expression:
    """Return what stands inside the outermost parentheses."""
    while isinstance(expression, Parenthesized):
        expression = expression.inner
    return expression


def conjuncts(condition: Expression) -> Iterator[Expression]:
    """Yield the parts that ``and`` joins, in the order of the text; a condition without ``and`` is its only part."""
    stack = [condition]
    while stack:
        node = without_parentheses(stack.pop())
        if isinstance(node, Binary) and node.operator == "and":
            stack.extend((node.right, node.left))
        else:
            yield node


def summands(whole: Expression) -> list[Expression]:
    """Return the terms of a sum, those that are taken away with their sign."""
    found: list[Expression] = []
    stack = [(whole, False)]
    while stack:
        match stack.pop():
            case Binary(operator="+" | "-" as operator, left=left, right=right), is_less:
                stack += [(right, is_less != (operator == "-")), (left, is_less)]
            case Parenthesized(inner=inner), is_less:
                stack.append((inner, is_less))
            case term, is_less:
                found.append(Unary("-", term, term.span) if is_less else term)
    return found


def plain_names(expression: Expression) -> Iterator[str]:
    """Yield the names that an expression reads, an array by its own name, with repetitions."""
    for node in nodes(expression):
        if isinstance(node, Name):
            yield node.id
        elif isinstance(node, Index):
            yield node.array
