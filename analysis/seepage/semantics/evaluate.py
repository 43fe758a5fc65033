"""The value of an expression in a state, or a fault that names the state.

Static folding, the engines and budgets all evaluate by these rules: exact arithmetic, booleans are 0 and 1, ``and``, ``or`` and the
conditional expression are lazy (language.md, Fine print 2). Expressions here have absolute spans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NoReturn, assert_never

from seepage import exact, rules
from seepage.diagnostics import Diagnostic, Edit, Fault, Fix, Rule
from seepage.exact import ArithmeticFault, CannotDecide, Number, TooLarge
from seepage.exact.symbols import noted, symbol_of
from seepage.source import Span
from seepage.syntax.data.drawn import Draw
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Call,
    Cell,
    Conditional,
    Expression,
    Index,
    Infinity,
    Name,
    Parenthesized,
    Unary,
    as_told,
)
from seepage.syntax.tree import Number as Literal
from seepage.syntax.vocabulary.functions import FUNCTIONS as _WORDS
from seepage.syntax.vocabulary.functions import arity

State = Mapping[str, Number]
_TOO_LONG = re.compile(r"\d{1100,}")
Arrays = Mapping[str, tuple[int, ...]]

FUNCTIONS: Mapping[str, tuple[int, int | None]] = MappingProxyType({name: arity(word) for name, word in _WORDS.items()})
"""Every function with its least and greatest number of arguments (None: any number)."""

UNARY_FUNCTIONS: Mapping[str, Callable[[Number], Number]] = MappingProxyType(
    {
        "abs": exact.abs_,
        "floor": exact.floor_,
        "ceil": exact.ceil_,
        "exp": exact.exp_,
        "log": exact.log_,
        "sqrt": exact.sqrt_,
        "popcount": exact.popcount,
    }
)
BINARY_FUNCTIONS: Mapping[str, Callable[[Number, Number], Number]] = MappingProxyType(
    {
        "min": exact.minimum,
        "max": exact.maximum,
        "bit_xor": exact.bit_xor,
        "bit_and": exact.bit_and,
        "bit_or": exact.bit_or,
        "shift_left": exact.shift_left,
        "shift_right": exact.shift_right,
    }
)
ARITHMETIC: Mapping[str, Callable[[Number, Number], Number]] = MappingProxyType(
    {
        "+": exact.add,
        "-": exact.sub,
        "*": exact.mul,
        "/": exact.div,
        "%": exact.modulo,
        "^": exact.power,
    }
)
ORDER: Mapping[str, Callable[[int], bool]] = MappingProxyType(
    {
        "<": lambda c: c < 0,
        "<=": lambda c: c <= 0,
        ">": lambda c: c > 0,
        ">=": lambda c: c >= 0,
    }
)


def evaluate(expression: Expression, state: State, arrays: Arrays = MappingProxyType({})) -> Number:
    """Return the value of an expression in a state.

    Args:
        expression: with absolute spans.
        state: values of variables and parameters; a variable that is missing has not been assigned and is 0.
        arrays: the static indices of each array's elements, for random indices.

    Raises:
        Fault: undefined value, index outside the array, operand not boolean, comparison that cannot be decided, number too large; at the
            expression that fails, naming the state.
    """
    match expression:
        case Literal(value=value):
            return exact.number(value)
        case Boolean(value=value):
            return int(value)
        case Name(id=name):
            return state.get(name, 0)
        case Index():
            return state.get(element(expression, state, arrays), 0)
        case Parenthesized(inner=inner):
            return evaluate(inner, state, arrays)
        case Conditional(condition=condition, consequent=consequent, alternative=alternative):
            chosen = consequent if truth(condition, state, arrays) else alternative
            return evaluate(chosen, state, arrays)
        case Unary(operator="-", operand=operand):
            return exact.neg(evaluate(operand, state, arrays))
        case Unary(operand=operand):
            return int(not truth(operand, state, arrays))
        case Binary():
            return _binary(expression, state, arrays)
        case Call(function=function, arguments=arguments):
            values = [evaluate(argument, state, arrays) for argument in arguments]
            return _guarded(expression, state, lambda: apply_function(function, values))
        case Cell(draw=draw, column=column, row=row):
            return _cell(draw, column, evaluate(row, state, arrays))
        case Infinity():
            _fault(
                rules.UNDEFINED_VALUE, expression.span, "'inf' is only allowed as an end of a range", expression, state
            )
        case _:
            assert_never(expression)


def _cell(draw: Draw, column: str, row: Number) -> Number:
    if not isinstance(row, int):
        raise AssertionError("a row has a number that is whole")
    return draw.cell(column, row)


def truth(condition: Expression, state: State, arrays: Arrays = MappingProxyType({})) -> bool:
    """Return the value of a boolean expression.

    Raises:
        Fault: as :func:`evaluate`, and if the value is neither 0 nor 1 ("condition is not boolean", with the fix ``!= 0``).
    """
    value = evaluate(condition, state, arrays)
    if value == 1:
        return True
    if value == 0:
        return False
    text, valued = spelled(condition), valued_names(state, condition)
    to_write = to_compare(text, value)
    behind = Edit(Span(condition.span.end, condition.span.end), " != 0")
    raise Fault(
        Diagnostic(
            rules.NOT_BOOLEAN,
            condition.span,
            f"condition is not boolean: '{text}' can be {exact.show(value)}{witness_text(valued, state, ' where ')}; {to_write}",
            fixes=() if is_symbol(value) else (Fix(f"compare with 0: '{text} != 0'", (behind,)),),
            valued=valued,
        )
    )


def to_compare(text: str, value: Number) -> str:
    """Return what to write in the place of a condition that can have such a value: a symbol always differs from 0, so that it is compared with a symbol."""
    return f"compare it, as in '{text} == {exact.spelled(value)}'" if is_symbol(value) else f"write '{text} != 0'"


def is_symbol(value: Number) -> bool:
    """Tell whether a value is a symbol and no number."""
    return isinstance(value, Fraction) and symbol_of(value) is not None


def known_value(expression: Expression, values: State) -> Number | None:
    """Return the value of an expression if all that it reads has one; else None, where :func:`evaluate` would take what is missing for 0.

    Raises:
        Fault: as :func:`evaluate`.
    """
    return evaluate(expression, values) if all(name in values for name in names_of(expression)) else None


def element(reference: Index, state: State, arrays: Arrays) -> str:
    """Return the name of the element that an index picks in a state.

    Raises:
        Fault: if the array has no such element.
    """
    index = evaluate(reference.index, state, arrays)
    existing = arrays.get(reference.array, ())
    if not isinstance(index, int) or index not in existing:
        bounds = f" ({existing[0]}..{existing[-1]})" if existing else ""
        message = f"index {exact.show(index)} is outside the array '{reference.array}'{bounds}"
        _fault(rules.INDEX_OUT_OF_RANGE, reference.span, message, reference.index, state)
    return f"{reference.array}[{index}]"


def apply_function(function: str, values: list[Number]) -> Number:
    """Apply a function of the language to numbers; ``min`` and ``max`` take two or more."""
    if function in UNARY_FUNCTIONS:
        return UNARY_FUNCTIONS[function](*values)
    result = values[0]
    for value in values[1:]:
        result = BINARY_FUNCTIONS[function](result, value)
    return result


def _binary(expression: Binary, state: State, arrays: Arrays) -> Number:
    operator, left, right = expression.operator, expression.left, expression.right
    match operator:
        case "and":
            return int(truth(left, state, arrays) and truth(right, state, arrays))
        case "or":
            return int(truth(left, state, arrays) or truth(right, state, arrays))
        case "xor":
            return int(truth(left, state, arrays) != truth(right, state, arrays))
    a, b = evaluate(left, state, arrays), evaluate(right, state, arrays)
    match operator:
        case "==":
            return _guarded(expression, state, lambda: int(a == b))
        case "!=":
            return _guarded(expression, state, lambda: int(a != b))
        case "<" | "<=" | ">" | ">=":
            return _guarded(expression, state, lambda: int(ORDER[operator](exact.compare(a, b))))
        case _:
            return _guarded(expression, state, lambda: ARITHMETIC[operator](a, b))


def _guarded(expression: Expression, state: State, compute: Callable[[], Number]) -> Number:
    try:
        return compute()
    except CannotDecide as fault:
        _fault(rules.CANNOT_DECIDE, expression.span, fault.reason, expression, state)
    except TooLarge as fault:
        _fault(rules.NUMBER_TOO_LARGE, expression.span, fault.reason, expression, state)
    except ArithmeticFault as fault:
        match expression:
            case Binary(operator="/", left=Literal(value=value)) if isinstance(value, Fraction) and (
                note := noted(value)
            ):
                raise Fault(Diagnostic(rules.MISSING_CELL, expression.span, note)) from fault
            case _:
                pass
        _fault(rules.UNDEFINED_VALUE, expression.span, f"{fault.reason} in '{spelled(expression)}'", expression, state)


def _fault(rule: Rule, span: Span, message: str, expression: Expression, state: State) -> NoReturn:
    valued = valued_names(state, expression)
    raise Fault(Diagnostic(rule, span, message + witness_text(valued, state, ", witness "), valued=valued))


def valued_names(state: State, *expressions: Expression) -> tuple[str, ...]:
    """Return the names that expressions read and that have a value in a state, in order."""
    return tuple(dict.fromkeys(name for one in expressions for name in names_of(one) if name in state))


def witness_text(names: Sequence[str], state: State, wording: str) -> str:
    """Spell the values of names after some words: `` when y = 0``; nothing if there are none."""
    return wording + ", ".join(f"{as_told(name)} = {exact.show(state[name])}" for name in names) if names else ""


def names_of(expression: Expression) -> list[str]:
    """Return the names that an expression reads (arrays by their own name), in order, with repetitions."""
    match expression:
        case Name(id=name):
            return [name]
        case Index(array=array, index=index):
            return [array, *names_of(index)]
        case Unary(operand=inner) | Parenthesized(inner=inner) | Cell(row=inner):
            return names_of(inner)
        case Binary(left=left, right=right):
            return names_of(left) + names_of(right)
        case Conditional(condition=condition, consequent=consequent, alternative=alternative):
            return names_of(condition) + names_of(consequent) + names_of(alternative)
        case Call(arguments=arguments):
            return [name for argument in arguments for name in names_of(argument)]
        case Literal() | Boolean() | Infinity():
            return []
        case _:
            assert_never(expression)


def spelled(expression: Expression) -> str:
    """Return an expression as source text for people (a folded number of any kind too, one longer than a text may hold as ``about 10^2000``)."""
    from seepage.syntax.spell import spell_for_people  # spelled by the syntax layer; imported where a message needs it

    return _TOO_LONG.sub(lambda digits: f"about 10^{len(digits[0]) - 1}", spell_for_people(expression))
