"""Which way a variable goes with another one, whatever else is drawn: read from the text."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from seepage.semantics.core import CoreAssign, CoreSample, CoreStatement
from seepage.semantics.expressions import plain_names
from seepage.semantics.statements import expressions_of
from seepage.syntax import tree
from seepage.syntax.tree import Expression, Name

_COMPARED = frozenset({"<", "<=", ">", ">="})
_KEPT = frozenset({"min", "max", "floor", "ceil", "clamp"})  # functions that grow with each argument


class Direction(IntEnum):
    """Which way a value goes where the other one grows."""

    FALLS = -1
    STAYS = 0
    GROWS = 1


def direction(statements: Sequence[CoreStatement], source: str, target: str) -> Direction | None:
    """Return which way ``target`` goes with ``source``, all else that is drawn being held; None where the text does not prove one.

    Args:
        statements: of a program; all of them are read, and ``source`` is drawn once.
        source: a plain variable.
        target: another one.
    """
    known: dict[str, Direction | None] = {}
    for statement in statements:
        if isinstance(statement, CoreSample) and isinstance(statement.target, Name):
            is_source = statement.target.id == source
            if is_source and source in known:
                return None
            is_free = all(known.get(name, Direction.STAYS) is Direction.STAYS for name in _read(statement))
            known[statement.target.id] = Direction.GROWS if is_source else Direction.STAYS if is_free else None
        elif isinstance(statement, CoreAssign) and isinstance(statement.target, Name):
            if statement.target.id == source:
                return None
            known[statement.target.id] = _of(statement.value, known)
        else:
            return None
    return known.get(target)


def _read(statement: CoreStatement) -> list[str]:
    return [name for expression in expressions_of(statement) for name in plain_names(expression)]


def _of(expression: Expression, known: dict[str, Direction | None]) -> Direction | None:
    if all(known.get(name, Direction.STAYS) is Direction.STAYS for name in plain_names(expression)):
        return Direction.STAYS
    match expression:
        case tree.Name(id=name):
            return known.get(name)
        case tree.Parenthesized(inner=inner):
            return _of(inner, known)
        case tree.Unary(operand=operand):  # not, or minus
            return _turned(_of(operand, known))
        case tree.Binary(operator="and" | "or" | "+", left=left, right=right):
            return _both(_of(left, known), _of(right, known))
        case tree.Binary(operator="-", left=left, right=right):
            return _both(_of(left, known), _turned(_of(right, known)))
        case tree.Binary(operator=operator, left=left, right=right) if operator in _COMPARED:
            found = _both(_of(right, known), _turned(_of(left, known)))
            return found if operator in ("<", "<=") else _turned(found)
        case tree.Binary(operator="*", left=tree.Number(value=factor), right=other) if factor > 0:
            return _of(other, known)
        case tree.Call(function=function, arguments=arguments) if function in _KEPT:
            found = Direction.STAYS
            for each in arguments:
                if (found := _both(found, _of(each, known))) is None:
                    return None
            return found
        case _:
            return None


def _turned(one: Direction | None) -> Direction | None:
    return None if one is None else Direction(-one)


def _both(one: Direction | None, other: Direction | None) -> Direction | None:
    if one is None or other is None or one * other < 0:
        return None
    return one or other
