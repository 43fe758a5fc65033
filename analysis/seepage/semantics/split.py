"""Splitting: a long sum becomes a counter that is added to term by term, so that each term may be forgotten once it is added.

``z := x + y + u`` holds all of x, y and u at once; ``z := x; z := z + y; z := z + u``, with each sampling just before its use, holds one beside z.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression, Name

_FEWEST = 3  # terms that read variables

Term = tuple[bool, Expression]  # whether it is subtracted


def split_sums(core: CoreProgram) -> CoreProgram:
    """Return the program with long sums in assignments written as several assignments to the same variable; it means the same."""
    return replace(core, statements=_block(core.statements, core))


def _block(statements: Sequence[CoreStatement], core: CoreProgram) -> tuple[CoreStatement, ...]:
    result: list[CoreStatement] = []
    for statement in statements:
        match statement:
            case CoreAssign(target=Name()):
                result.extend(_assignment(statement, core))
            case CoreIf(consequent=consequent, alternative=alternative):
                result.append(statement.with_arms(_block(consequent, core), _block(alternative, core)))
            case _:
                result.append(statement)
    return tuple(result)


def _assignment(statement: CoreAssign, core: CoreProgram) -> Iterator[CoreStatement]:
    found = _sum_in(statement.value)
    if found is None:
        yield statement
        return
    target = Name(statement.target.id if isinstance(statement.target, Name) else "", statement.span)
    terms = list(_terms(found, False))
    reads = [set(read_variables(term, core)) - set(core.parameters) for _, term in terms]
    if sum(bool(each) for each in reads) < _FEWEST or target.id in read_variables(statement.value, core):
        yield statement
        return
    if len(set().union(*reads)) < _FEWEST:
        yield statement
        return
    (first_negative, first), *others = terms
    start: Expression = tree.Unary("-", tree.Parenthesized(first, first.span), first.span) if first_negative else first
    yield replace(statement, value=start)
    for negative, term in others:
        operand = tree.Parenthesized(term, term.span) if isinstance(term, Binary | tree.Conditional) else term
        yield replace(statement, value=Binary("-" if negative else "+", target, operand, statement.value.span))
    if found is not statement.value:
        yield replace(statement, value=_with(statement.value, found, target))


def _sum_in(value: Expression) -> Expression | None:
    """Return the one sum that is always evaluated: the value, or what the value is computed of by arithmetic with fixed numbers or one function."""
    match value:
        case Binary(operator="+" | "-"):
            return value
        case tree.Parenthesized(inner=inner) | tree.Unary(operand=inner) | tree.Call(arguments=(inner,)):
            return _sum_in(inner)
        case Binary(operator="and" | "or"):
            return None
        case Binary(left=left, right=tree.Number()):
            return _sum_in(left)
        case Binary(left=tree.Number(), right=right):
            return _sum_in(right)
        case _:
            return None


def _terms(value: Expression, negative: bool) -> Iterator[Term]:
    match value:
        case tree.Parenthesized(inner=inner):
            yield from _terms(inner, negative)
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            yield from _terms(left, negative)
            yield from _terms(right, negative != (operator == "-"))
        case tree.Unary(operator="-", operand=operand):
            yield from _terms(operand, not negative)
        case _:
            yield negative, value


def _with(value: Expression, old: Expression, new: Expression) -> Expression:
    """Return a value with the sum in it, which :func:`_sum_in` finds, replaced."""
    if value is old:
        return new
    match value:
        case tree.Parenthesized(inner=inner):
            return replace(value, inner=_with(inner, old, new))
        case tree.Unary(operand=operand):
            return replace(value, operand=_with(operand, old, new))
        case tree.Call(arguments=(argument,)):
            return replace(value, arguments=(_with(argument, old, new),))
        case Binary(left=left, right=tree.Number()):
            return replace(value, left=_with(left, old, new))
        case Binary(right=right):
            return replace(value, right=_with(right, old, new))
        case _:
            raise AssertionError("the sum is not in the value")
