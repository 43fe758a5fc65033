"""Trees -> canonical source text: one blank around binary operators, and no parentheses but those of the tree or those it needs.

Law: ``parse_expression(spell(e))[0] == e`` for every tree the parser can make. For a tree made otherwise (by substitution,
say) parentheses are added where the text would read differently without them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from seepage.syntax.tree import (
    Argument,
    Binary,
    Boolean,
    Call,
    Conditional,
    Distribution,
    Expression,
    Family,
    GainName,
    GainTable,
    Index,
    Infinity,
    Interval,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    Mixture,
    Name,
    Number,
    Parenthesized,
    Table,
    Unary,
)

# How tightly each form holds together; a part that holds less tightly than its place asks for gets parentheses.
_CONDITIONAL, _OR, _XOR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(11)
_LEVELS = {
    "or": _OR,
    "xor": _XOR,
    "and": _AND,
    "==": _COMPARISON,
    "!=": _COMPARISON,
    "<": _COMPARISON,
    "<=": _COMPARISON,
    ">": _COMPARISON,
    ">=": _COMPARISON,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "%": _PRODUCT,
    "^": _POWER,
}

Spellable = Expression | Distribution | MeasureExpression | Argument | Interval | GainTable | GainName


def spell(node: Spellable) -> str:
    """Return the source text of an expression, distribution, measure, argument, interval or gain."""
    match node:
        case Family() | Table() | Mixture():
            return _distribution(node, nested=False)
        case MeasureCall() | MeasureArithmetic() | MeasureNegation():
            return _measure(node, _CONDITIONAL)
        case Argument(name=name, value=value):
            return spell(value) if name is None else f"{name} = {spell(value)}"
        case Interval(low=low, high=high, low_closed=low_closed, high_closed=high_closed):
            return f"{'[' if low_closed else '('}{spell(low)}, {spell(high)}{']' if high_closed else ')'}"
        case GainTable() | GainName():
            return _gain(node)
        case _:
            return _expression(node, _CONDITIONAL)


def _expression(node: Expression, least: int) -> str:
    """Spell an expression for a place that asks for at least the tightness ``least``."""
    level, text = _with_level(node)
    return text if level >= least else f"({text})"


def _with_level(node: Expression) -> tuple[int, str]:
    match node:
        case Number(value):
            return _number(value)
        case Boolean(value):
            return _ATOM, "true" if value else "false"
        case Infinity():
            return _ATOM, "inf"
        case Name(name):
            return _ATOM, name
        case Index(array, index):
            return _ATOM, f"{array}[{spell(index)}]"
        case Call(function, arguments):
            return _ATOM, f"{function}({_list(arguments)})"
        case Parenthesized(inner):
            return _ATOM, f"({spell(inner)})"
        case Unary("not", operand):
            return _NOT, f"not {_expression(operand, _NOT)}"
        case Unary(operator, operand):
            return _SIGN, f"{operator}{_expression(operand, _SIGN)}"
        case Binary("^", left, right):
            return _POWER, f"{_expression(left, _ATOM)}^{_expression(right, _SIGN)}"
        case Binary(operator, left, right):
            level = _LEVELS[operator]
            return level, f"{_expression(left, level)} {operator} {_expression(right, level + 1)}"
        case Conditional(condition, consequent, alternative):
            return _CONDITIONAL, f"if {spell(condition)} then {spell(consequent)} else {spell(alternative)}"
        case _:
            assert_never(node)


def _number(value: Fraction) -> tuple[int, str]:
    """Spell a number: as a decimal where it ends, as a quotient otherwise."""
    if value.denominator == 1:
        return (_ATOM if value >= 0 else _SIGN), str(value.numerator)
    digits = _decimal(abs(value))
    if digits is None:
        return _PRODUCT, f"{value.numerator} / {value.denominator}"
    return (_ATOM, digits) if value > 0 else (_SIGN, f"-{digits}")


def _decimal(value: Fraction) -> str | None:
    """Return the finite decimal expansion of a positive number, or None if there is none."""
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return None
    places = max(twos, fives)
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _list(nodes: tuple[Expression, ...]) -> str:
    return ", ".join(spell(node) for node in nodes)


def _distribution(node: Distribution, *, nested: bool) -> str:
    match node:
        case Family(name, arguments):
            return f"{name}({', '.join(spell(argument) for argument in arguments)})"
        case Table(entries):
            return "{" + ", ".join(f"{spell(value)}: {spell(weight)}" for value, weight in entries) + "}"
        case Mixture(parts):
            if nested or any(isinstance(part, Mixture) for _, part in parts):
                inner = ", ".join(f"{spell(weight)}: {_distribution(part, nested=True)}" for weight, part in parts)
                return f"mixture({inner})"
            return " + ".join(
                f"{_expression(weight, _PRODUCT)} * {_distribution(part, nested=True)}" for weight, part in parts
            )
        case _:
            assert_never(node)


def _measure(node: MeasureExpression, least: int) -> str:
    match node:
        case MeasureCall():
            return _measure_call(node)
        case MeasureNegation(operand):
            level, text = _SIGN, f"-{_measure(operand, _SIGN)}"
        case MeasureArithmetic("^", left, right):
            level, text = _POWER, f"{_measure(left, _ATOM)}^{_measure(right, _SIGN)}"
        case MeasureArithmetic(operator, left, right):
            level = _LEVELS[operator]
            text = f"{_measure(left, level)} {operator} {_measure(right, level + 1)}"
        case _:
            return _expression(node, least)
    return text if level >= least else f"({text})"


def _measure_call(node: MeasureCall) -> str:
    left, right = _list(node.left), _list(node.right)
    if node.gain is not None:
        right += f", {_gain(node.gain)}"
    named = "".join(f", {argument.name}={spell(argument.value)}" for argument in node.named)
    given = f" | {_list(node.given)}" if node.given else ""
    right_given = f" | {_list(node.right_given)}" if node.right_given else ""
    match node.separator:
        case None:
            inner = f"{left}{named}{given}"
        case "||":
            inner = f"{left}{given} || {right}{named}{right_given}"
        case "->":
            inner = f"{left} -> {right}{named}{given}"
        case ";":
            inner = f"{left}; {right}{named}{given}"
        case _:
            assert_never(node.separator)
    return f"{node.name}({inner})"


def _gain(node: GainTable | GainName) -> str:
    match node:
        case GainName(name, arguments):
            return f"{name}({_list(arguments)})" if arguments else name
        case GainTable(entries):
            return "{" + ", ".join(f"({_joint(g)}, {_joint(v)}): {spell(e)}" for g, v, e in entries) + "}"
        case _:
            assert_never(node)


def _joint(values: tuple[Expression, ...]) -> str:
    return spell(values[0]) if len(values) == 1 else f"({_list(values)})"
