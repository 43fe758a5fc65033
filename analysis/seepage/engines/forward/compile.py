"""Expressions as functions of a state: the same values as :func:`seepage.semantics.evaluate.evaluate`, many times faster.

Each expression of a statement is compiled once for the layout of the states there. The closures have no messages: where
one meets a fault, the slow evaluation of the same expression in the same state raises the diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import TypeAlias, assert_never, cast

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.gaussian import Affine, Gaussian, Sizes, State
from seepage.exact import ArithmeticFault, Irrational, Number
from seepage.semantics.evaluate import ARITHMETIC, ORDER, apply_function, evaluate, truth
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Value: TypeAlias = Callable[[State], Number]
Truth: TypeAlias = Callable[[State], bool]

_SMALL = 1 << 512  # integers below need no check of their size


class _Irregular(Exception):
    """An operand is not boolean or an index is outside: the slow evaluation says so in words."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean at a statement: slots of the state, parameters, elements of arrays. A variable without a slot is 0."""

    slots: Mapping[str, int]
    parameters: Mapping[str, Number]
    unknown: frozenset[str]
    arrays: Mapping[str, tuple[int, ...]]

    def mapping(self, state: State, names: Iterable[str] | None = None) -> dict[str, Number]:
        """Return the discrete part of a state (or only some names of it) as the mapping that the slow evaluation takes."""
        values: dict[str, Number] = dict(self.parameters)
        for name in self.slots if names is None else names:
            value = state[self.slots[name]] if name in self.slots else 0
            if not isinstance(value, Affine | Gaussian | Sizes):
                values[name] = value
        return values


def compile_value(expression: Expression, scope: Scope) -> Value:
    """Return the function from a state to the expression's value.

    The function raises:
        Fault: as :func:`evaluate` does.
    """
    fast = _value(expression, scope)

    def run(state: State) -> Number:
        try:
            return fast(state)
        except (ArithmeticFault, _Irregular):
            return evaluate(expression, scope.mapping(state), scope.arrays)

    return run


def compile_truth(condition: Expression, scope: Scope) -> Truth:
    """Return the function from a state to whether the condition holds.

    The function raises:
        Fault: as :func:`seepage.semantics.evaluate.truth` does, so also where the condition is not boolean.
    """
    fast = _truth(condition, scope)

    def run(state: State) -> bool:
        try:
            return fast(state)
        except (ArithmeticFault, _Irregular):
            return truth(condition, scope.mapping(state), scope.arrays)

    return run


def _constant(value: Number) -> Value:
    return lambda _: value


def _slot(slot: int) -> Value:
    return cast("Value", itemgetter(slot))


def _value(expression: Expression, scope: Scope) -> Value:
    match expression:
        case tree.Number(value=value):
            return _constant(value if isinstance(value, Irrational) else exact.number(value))
        case tree.Boolean(value=flag):
            return _constant(int(flag))
        case tree.Name(id=name):
            return _name(name, scope)
        case tree.Index():
            return _element(expression, scope)
        case tree.Parenthesized(inner=inner):
            return _value(inner, scope)
        case tree.Conditional(condition=condition, consequent=consequent, alternative=alternative):
            choose, first, second = _truth(condition, scope), _value(consequent, scope), _value(alternative, scope)
            return lambda state: first(state) if choose(state) else second(state)
        case tree.Unary(operator="-", operand=operand):
            inner_value = _value(operand, scope)
            return lambda state: exact.neg(inner_value(state))
        case tree.Unary():
            holds = _truth(expression, scope)
            return lambda state: 1 if holds(state) else 0
        case tree.Binary(operator=operator):
            if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                holds = _truth(expression, scope)
                return lambda state: 1 if holds(state) else 0
            return _arithmetic(expression, scope)
        case tree.Call(function=function, arguments=arguments):
            inner_values = [_value(argument, scope) for argument in arguments]
            return lambda state: apply_function(function, [value(state) for value in inner_values])
        case tree.Cell(draw=draw, column=column, row=row):
            number = _value(row, scope)
            return lambda state: draw.cell(column, cast("int", number(state)))
        case tree.Infinity():
            return _refuse
        case _:
            assert_never(expression)


def _refuse(_: State) -> Number:
    raise _Irregular


def _name(name: str, scope: Scope) -> Value:
    if name in scope.slots:
        return _slot(scope.slots[name])
    if name in scope.unknown:
        raise ValueError(f"the parameter {name!r} has no value, and a value or a guard depends on it")
    return _constant(scope.parameters.get(name, 0))


def _element(expression: tree.Index, scope: Scope) -> Value:
    index = _value(expression.index, scope)
    elements: dict[Number, Value] = {
        i: _name(f"{expression.array}[{i}]", scope) for i in scope.arrays.get(expression.array, ())
    }

    def read(state: State) -> Number:
        element = elements.get(index(state))
        if element is None:
            raise _Irregular
        return element(state)

    return read


def _arithmetic(expression: tree.Binary, scope: Scope) -> Value:
    left, right = _value(expression.left, scope), _value(expression.right, scope)
    match expression.operator:
        case "+":

            def plus(state: State) -> Number:
                a, b = left(state), right(state)
                if type(a) is int and type(b) is int and -_SMALL < (c := a + b) < _SMALL:
                    return c
                return exact.add(a, b)

            return plus
        case "-":

            def minus(state: State) -> Number:
                a, b = left(state), right(state)
                if type(a) is int and type(b) is int and -_SMALL < (c := a - b) < _SMALL:
                    return c
                return exact.sub(a, b)

            return minus
        case "*":

            def times(state: State) -> Number:
                a, b = left(state), right(state)
                if type(a) is int and type(b) is int and -_SMALL < (c := a * b) < _SMALL:
                    return c
                return exact.mul(a, b)

            return times
        case "%":

            def remainder(state: State) -> Number:
                a, b = left(state), right(state)
                if type(a) is int and type(b) is int and b:
                    return a % b
                return exact.modulo(a, b)

            return remainder
        case operator:
            compute = ARITHMETIC[operator]
            return lambda state: compute(left(state), right(state))


def _truth(condition: Expression, scope: Scope) -> Truth:
    match condition:
        case tree.Parenthesized(inner=inner):
            return _truth(inner, scope)
        case tree.Unary(operator="not" | "!", operand=operand):
            inner_truth = _truth(operand, scope)
            return lambda state: not inner_truth(state)
        case tree.Binary(operator="and", left=left, right=right):
            first, second = _truth(left, scope), _truth(right, scope)
            return lambda state: first(state) and second(state)
        case tree.Binary(operator="or", left=left, right=right):
            first, second = _truth(left, scope), _truth(right, scope)
            return lambda state: first(state) or second(state)
        case tree.Binary(operator="xor", left=left, right=right):
            first, second = _truth(left, scope), _truth(right, scope)
            return lambda state: first(state) != second(state)
        case tree.Binary(operator=operator) if operator in tree.COMPARISONS:
            return _comparison(condition, scope)
        case _:
            value = _value(condition, scope)

            def check(state: State) -> bool:
                number = value(state)
                if number == 1:
                    return True
                if number == 0:
                    return False
                raise _Irregular

            return check


def _comparison(condition: tree.Binary, scope: Scope) -> Truth:
    left, right = _value(condition.left, scope), _value(condition.right, scope)
    match condition.operator:
        case "==":
            return lambda state: left(state) == right(state)
        case "!=":
            return lambda state: left(state) != right(state)
        case operator:
            order = ORDER[operator]

            def ordered(state: State) -> bool:
                a, b = left(state), right(state)
                if type(a) is int and type(b) is int:
                    return order((a > b) - (a < b))
                return order(exact.compare(a, b))

            return ordered
