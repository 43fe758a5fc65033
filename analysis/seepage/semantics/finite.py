"""Finite sets of values: which values a variable can have at most, as seen in the text of a core program.

A comparison is 0 or 1 whatever it compares, so that ``o := x + n > 1`` has two values though no law of o is known.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from seepage.exact import Number
from seepage.laws.discrete import TRUTH
from seepage.laws.table import DISCRETE_LAWS
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.syntax.tree import (
    COMPARISONS,
    LOGICAL,
    Binary,
    Boolean,
    Call,
    Conditional,
    Distribution,
    Expression,
    Family,
    Index,
    Name,
    Table,
    Unary,
)
from seepage.syntax.tree import Number as Literal

Values: TypeAlias = frozenset[Fraction] | None  # None: not seen to be finitely many

_MOST = 64
_LONGEST = 256  # bits of a value, so that repeated squaring costs nothing
_ZERO: Values = frozenset({Fraction(0)})  # of a variable not assigned yet
_TRUTH: Values = frozenset({Fraction(0), Fraction(1)})


def finite_values(core: CoreProgram, parameters: Mapping[str, Number]) -> Mapping[str, Values]:
    """Return a superset of the values that each written variable can have at the end; observations are not looked at.

    Args:
        core: the program; what it never writes is left out.
        parameters: values of the parameters that have one; others are of unknown value.
    """
    static: dict[str, Values] = dict.fromkeys(core.parameters)
    static |= {
        name: frozenset({Fraction(value)}) if isinstance(value, int | Fraction) else None
        for name, value in parameters.items()
    }
    state = ChainMap(static).new_child()
    _run(core.statements, core, state)
    return state.maps[0]


def _run(statements: Sequence[CoreStatement], core: CoreProgram, state: ChainMap[str, Values]) -> None:
    for statement in statements:
        match statement:
            case CoreObserve():
                pass
            case CoreAssign(target=Name(id=name), value=value):
                state[name] = _of(value, state)
            case CoreSample(target=Name(id=name), distribution=law):
                state[name] = _of_law(law, state)
            case CoreAssign(target=Index(array=array)) | CoreSample(target=Index(array=array)):
                state.update(dict.fromkeys(core.elements(array)))
                state.update({f"{array}[{i}]": None for i in core.arrays[array]})
            case CoreIf():
                arms = state.new_child(), state.new_child()
                _run(statement.consequent, core, arms[0])
                _run(statement.alternative, core, arms[1])
                for name in {*arms[0].maps[0], *arms[1].maps[0]}:
                    state[name] = _either(*(arm.get(name, _ZERO) for arm in arms))
            case _:
                raise TypeError(statement)


def _of_law(law: Distribution, state: Mapping[str, Values]) -> Values:
    match law:
        case Family(name=name) if name in DISCRETE_LAWS and DISCRETE_LAWS[name].word.values == TRUTH:
            return _TRUTH
        case Table(entries=entries):
            return _either(*(_of(value, state) for value, _ in entries))
        case _:
            return None


def _of(expression: Expression, state: Mapping[str, Values]) -> Values:
    match expression:
        case Literal(value=value):
            return frozenset({value})
        case Boolean(value=value):
            return frozenset({Fraction(value)})
        case Name(id=name):
            return state.get(name, _ZERO)
        case Conditional(consequent=consequent, alternative=alternative):
            return _either(_of(consequent, state), _of(alternative, state))
        case Unary(operator="not"):
            return _TRUTH
        case Unary(operator="-", operand=operand):
            values = _of(operand, state)
            return None if values is None else frozenset(-value for value in values)
        case Binary(operator=operator) if operator in COMPARISONS or operator in LOGICAL:
            return _TRUTH
        case Binary():
            return _of_operation(expression, state)
        case Call(function="min" | "max", arguments=arguments):
            return _either(*(_of(argument, state) for argument in arguments))
        case _:
            return None


def _of_operation(operation: Binary, state: Mapping[str, Values]) -> Values:
    if operation.operator not in ("+", "-", "*"):
        return None
    left, right = _of(operation.left, state), _of(operation.right, state)
    if left is None or right is None:
        return None
    match operation.operator:
        case "+":
            return _few(frozenset(a + b for a in left for b in right))
        case "-":
            return _few(frozenset(a - b for a in left for b in right))
        case _:
            return _few(frozenset(a * b for a in left for b in right))


def _either(*sets: Values) -> Values:
    known = [values for values in sets if values is not None]
    return _few(frozenset[Fraction]().union(*known)) if len(known) == len(sets) else None


def _few(values: frozenset[Fraction]) -> Values:
    short = all(max(value.numerator.bit_length(), value.denominator.bit_length()) <= _LONGEST for value in values)
    return values if short and len(values) <= _MOST else None
