r"""By how much each variable moves when one variable does, as the text shows.

If adding d to a variable t adds :math:`c_v d` to each variable v that is computed afterwards, whatever else is drawn, then the law of the outputs given
:math:`t + d` is that given t, moved: only the difference of two values of t matters to anybody who compares what they lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from seepage.exact import Number, add, div, mul, neg, sub
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.statements import expressions_of
from seepage.syntax.tree import Binary, Expression, Name, Parenthesized, Unary

Moves = dict[str, Number]


class NotMoved(Exception):
    """A value changes otherwise than by a fixed multiple."""


def moves(statements: Sequence[CoreStatement], variable: str, parameters: Mapping[str, Number]) -> Moves:
    """Return for each variable the multiple of a move of one variable that is added to it; what is missing does not move.

    Args:
        statements: that follow the assignment of the variable, and do not write it.
        variable: that moves.
        parameters: the values of all parameters that factors read.

    Raises:
        NotMoved: if some variable changes otherwise, or a run is observed or a branch taken by what moves.
        Fault: if a factor has no value.
    """
    found: Moves = {variable: 1}
    _follow(statements, found, parameters)
    return found


def _follow(statements: Sequence[CoreStatement], found: Moves, parameters: Mapping[str, Number]) -> None:
    for statement in statements:
        match statement:
            case CoreAssign(target=Name(id=name), value=value):
                _set(found, name, _multiple(value, found, parameters))
            case CoreSample(target=Name(id=name), distribution=distribution):
                _need_fixed(arguments_of(distribution), found)
                _set(found, name, 0)
            case CoreObserve():
                _need_fixed(expressions_of(statement), found)
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                _need_fixed((condition,), found)
                one, other = dict(found), dict(found)
                _follow(consequent, one, parameters)
                _follow(alternative, other, parameters)
                if one != other:
                    raise NotMoved
                found.clear()
                found.update(one)
            case CoreAssign() | CoreSample():  # of an element that is picked at random
                raise NotMoved
            case CoreWhile() | CoreLocal():
                unsettled(statement)
            case _:
                assert_never(statement)


def _set(found: Moves, name: str, multiple: Number) -> None:
    if multiple == 0:
        found.pop(name, None)
    else:
        found[name] = multiple


def _need_fixed(expressions: Iterable[Expression], found: Moves) -> None:
    for each in expressions:
        if any(name in found for name in plain_names(each)):
            raise NotMoved


def _multiple(expression: Expression, found: Moves, parameters: Mapping[str, Number]) -> Number:
    """Return by which multiple an expression moves."""
    match expression:
        case Name(id=name):
            return found.get(name, 0)
        case Parenthesized(inner=inner):
            return _multiple(inner, found, parameters)
        case Unary(operator="-", operand=operand):
            return neg(_multiple(operand, found, parameters))
        case Binary(operator="+", left=left, right=right):
            return add(_multiple(left, found, parameters), _multiple(right, found, parameters))
        case Binary(operator="-", left=left, right=right):
            return sub(_multiple(left, found, parameters), _multiple(right, found, parameters))
        case Binary(operator="*", left=left, right=right) if _is_fixed(left, parameters):
            return mul(evaluate(left, parameters), _multiple(right, found, parameters))
        case Binary(operator="*", left=left, right=right) if _is_fixed(right, parameters):
            return mul(_multiple(left, found, parameters), evaluate(right, parameters))
        case Binary(operator="/", left=left, right=right) if _is_fixed(right, parameters):
            return div(_multiple(left, found, parameters), evaluate(right, parameters))
        case _:
            _need_fixed((expression,), found)
            return 0


def _is_fixed(expression: Expression, parameters: Mapping[str, Number]) -> bool:
    return all(name in parameters for name in plain_names(expression))
